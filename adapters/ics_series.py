"""One event or to-do of a calendar with everything of its UID: the rule, its exceptions, and so its occurrences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from temporal_recall.adapters.hygiene import is_plausible
from temporal_recall.adapters.ics_rscale import UnsupportedRule, explicit_dates, plain_rule
from temporal_recall.adapters.ics_rules import rule_fault, rule_parts
from temporal_recall.adapters.ics_text import IcsComponent, property_name

_RECURRING = frozenset({"RRULE", "RDATE", "RECURRENCE-ID"})
_DAY = timedelta(days=1)

Bound = datetime | date


class BadSeries(Exception):
    """A series that cannot be read; `code` says why. Nothing of the calendar's text is in it."""

    def __init__(self, code: str, detail: str = "") -> None:
        self.code, self.detail = code, detail
        super().__init__(f"{code} {detail}")


@dataclass(frozen=True)
class Occurrence:
    """One event as it takes place. Bounds are dates (all day), naive (floating) or aware; `end` is exclusive.

    `recurrence` tells the occurrences of one series apart, and stays when one is moved; empty for a single event.
    """

    component: Any
    start: Bound
    end: Bound | None
    recurrence: str = ""


class Series:
    """The components of one UID, parsed. `faults` are repairs that a reader should know of.

    Raises:
        BadSeries: the components cannot be read.
    """

    def __init__(self, components: Sequence[IcsComponent], zones: Mapping[str, list[str]]) -> None:
        self.kind, self.line = components[0].kind, components[0].line
        self.faults: list[str] = []
        lines = [_with_written_rule(component) for component in components]
        self._is_single = len(components) == 1 and not _RECURRING & {property_name(line) for line in lines[0]}
        self._calendar = _parsed(self.kind, lines, zones)
        self.parts = list(self._calendar.walk(self.kind))
        with _faults_as("bad_series"):
            for part in self.parts:
                self._repair(part)
            self._ranged = {_recurrence_id(part) for part in self.parts if _is_ranged(part)}

    def occurrences(self, start: datetime, end: datetime, zone: tzinfo) -> list[Occurrence]:
        """The occurrences that overlap `[start, end)`, oldest first; all-day and floating bounds lie in `zone`.

        Raises:
            BadSeries: the rule cannot be expanded.
        """
        found = [self.single] if self._is_single else self._expanded(start - _DAY, end + _DAY)
        inside = [o for o in found if o is not None and _overlaps(o, start, end, zone)]
        return sorted(inside, key=lambda o: _instant(o.start, zone))

    @property
    def single(self) -> Occurrence | None:
        """The occurrence that the first component states itself; None for a to-do without any date."""
        return _stated(self.parts[0], is_single=self._is_single)

    def stated(self) -> list[Occurrence | None]:
        """What each component states itself: the first occurrence, and each that was changed on its own.

        Raises:
            BadSeries: a component states nothing that can be read.
        """
        with _faults_as("bad_series"):
            return [_stated(part, is_single=self._is_single) for part in self.parts]

    def _expanded(self, start: datetime, end: datetime) -> list[Occurrence]:
        import recurring_ical_events

        with _faults_as("bad_series"):
            query = recurring_ical_events.of(self._calendar, components=[self.kind], skip_bad_series=False)
            return [self._occurrence(component) for component in query.between(start, end)]

    def _occurrence(self, component: Any) -> Occurrence:
        """An occurrence; those that «this and all following» moved share an id, and are told apart by their start."""
        start, end, recurrence = component.start, component.end, _recurrence_id(component)
        recurrence = _written(start) if recurrence in self._ranged else recurrence
        return Occurrence(component, _plain(start), _end(start, end), recurrence)

    def _repair(self, part: Any) -> None:
        """Makes start and end of one kind and in order, as the programs that wrote them meant."""
        start, end, duration = _dt(part, "DTSTART"), _dt(part, _end_name(part)), _duration(part)
        lasts_until = None if start is None else start + duration
        if any(bound is not None and not is_plausible(bound) for bound in (start, end, lasts_until)):
            raise BadSeries("date_out_of_range")
        if start is None and self.kind == "VEVENT":
            raise BadSeries("no_start")
        if start is not None and end is None and duration < timedelta():
            end = start + duration
            del part["DURATION"]
        if start is None or end is None:
            return
        matched = _of_one_kind(start, end)
        if _later(start, matched):
            self.faults.append("swapped_bounds")
            start, matched = matched, start
            _put(part, "DTSTART", start)
        if matched is not end:
            _put(part, _end_name(part), matched)


def _parsed(kind: str, components: list[list[str]], zones: Mapping[str, list[str]]) -> Any:
    from icalendar import Calendar

    named = sorted({zone for zone in zones for lines in components for line in lines if f";TZID={zone}" in line})
    blocks = [f"BEGIN:VTIMEZONE\nTZID:{zone}\n{_joined(zones[zone])}\nEND:VTIMEZONE" for zone in named]
    blocks += [f"BEGIN:{kind}\n{_joined(lines)}\nEND:{kind}" for lines in components]
    with _faults_as("bad_component"):
        return Calendar.from_ical(f"BEGIN:VCALENDAR\nVERSION:2.0\n{_joined(blocks)}\nEND:VCALENDAR\n")


@contextmanager
def _faults_as(code: str) -> Iterator[None]:
    """Whatever goes wrong inside is this series' own fault: a broken property raises what it likes when it is read."""
    try:
        yield
    except BadSeries:
        raise
    except Exception as error:  # noqa: BLE001 - the library raises whatever its parts raise
        raise BadSeries(code, type(error).__name__) from None


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(lines)


def _with_written_rule(component: IcsComponent) -> list[str]:
    """The component's lines; a rule in another calendar is replaced by the dates that it gives."""
    lines = []
    for line in component.lines:
        if property_name(line) != "RRULE":
            lines.append(line)
            continue
        parts = rule_parts(line.partition(":")[2])
        if fault := rule_fault(parts):
            raise BadSeries(*fault)
        if len(parts.get("UNTIL", "")) == 8 and "T" in component.value("DTSTART"):
            parts["UNTIL"] += "T235959"  # a last day counts whole
        plain = plain_rule(parts)
        lines.append(f"RRULE:{plain}" if plain is not None else _written_dates(parts, component))
    return lines


def _written_dates(parts: dict[str, str], component: IcsComponent) -> str:
    start_line = next((line for line in component.lines if property_name(line) == "DTSTART"), "")
    head, _, value = start_line.rpartition(":")
    try:
        start = date(int(value[:4]), int(value[4:6]), int(value[6:8]))
        dates = explicit_dates(parts, start)
    except UnsupportedRule as error:
        raise BadSeries("unsupported_rscale", str(error)[:40]) from None
    except ValueError:
        raise BadSeries("bad_series", "RRULE") from None
    return f"RDATE{head[len('DTSTART') :]}:{','.join(f'{day:%Y%m%d}{value[8:]}' for day in dates)}"


def _end_name(part: Any) -> str:
    return "DUE" if part.name == "VTODO" else "DTEND"


def _dt(part: Any, name: str) -> Bound | None:
    value = part.get(name)
    if value is None:
        return None
    bound: Bound = value.dt
    if not isinstance(bound, date):  # a duration or a period, which other properties may hold
        raise BadSeries("bad_series", name)
    return bound


def _duration(part: Any) -> timedelta:
    value = part.get("DURATION")
    return timedelta() if value is None else value.dt


def _put(part: Any, name: str, bound: Bound) -> None:
    part.pop(name, None)
    part.add(name, bound)


def _of_one_kind(start: Bound, end: Bound) -> Bound:
    """`end` as a date where the start is one, as an instant where the start is one."""
    if isinstance(end, datetime) and not isinstance(start, datetime):
        return end.date() if end.time() == time() else end.date() + _DAY
    if isinstance(start, datetime) and not isinstance(end, datetime):
        return datetime.combine(end, time(), start.tzinfo)
    return end


def _later(a: Bound, b: Bound) -> bool:
    """Whether `a` is later; a floating bound is compared by its wall time."""
    if isinstance(a, datetime) and isinstance(b, datetime) and (a.tzinfo is None) != (b.tzinfo is None):
        return a.replace(tzinfo=None) > b.replace(tzinfo=None)
    return a > b


def _stated(part: Any, *, is_single: bool) -> Occurrence | None:
    start, end = _dt(part, "DTSTART"), _dt(part, _end_name(part))
    start = end if start is None else start
    if start is None:
        return None
    if end is None and _duration(part):
        end = start + _duration(part)
    recurrence = "" if is_single else _recurrence_id(part)
    return Occurrence(part, _plain(start), _end(start, end), recurrence)


def _end(start: Bound, end: Bound | None) -> Bound | None:
    """The exclusive end: a day for a date that ends where it begins, none for an instant that does."""
    if end is not None and end != start:
        return _plain(end)
    return None if isinstance(start, datetime) else start + _DAY


def _recurrence_id(part: Any) -> str:
    """The id of an occurrence; a day of an all-day series may be written as an instant."""
    start = _dt(part, "DTSTART") or _dt(part, _end_name(part)) or part.start
    bound = _dt(part, "RECURRENCE-ID") or start
    is_day = isinstance(bound, datetime) and not isinstance(start, datetime)
    return _written(bound.date() if is_day and isinstance(bound, datetime) else bound)


def _is_ranged(part: Any) -> bool:
    return "RECURRENCE-ID" in part and "RANGE" in part["RECURRENCE-ID"].params


def _written(bound: Bound) -> str:
    """A bound as part of an id: an instant in UTC, so that it does not matter in which zone it was written."""
    if not isinstance(bound, datetime):
        return f"{bound:%Y%m%d}"
    return f"{bound.astimezone(UTC):%Y%m%dT%H%M%SZ}" if bound.tzinfo else f"{bound:%Y%m%dT%H%M%S}"


def _plain(bound: Bound) -> Bound:
    """The bound with a zone that stands alone: an IANA zone, or the offset that a defined zone has then."""
    if not isinstance(bound, datetime) or bound.tzinfo is None or isinstance(bound.tzinfo, ZoneInfo):
        return bound
    return bound.replace(tzinfo=timezone(bound.utcoffset() or timedelta()))


def _instant(bound: Bound, zone: tzinfo) -> datetime:
    instant = bound if isinstance(bound, datetime) else datetime.combine(bound, time())
    return instant if instant.tzinfo else instant.replace(tzinfo=zone)


def _overlaps(occurrence: Occurrence, start: datetime, end: datetime, zone: tzinfo) -> bool:
    first = _instant(occurrence.start, zone)
    last = _instant(occurrence.end, zone) if occurrence.end is not None else first
    return first < end and (last > start or first >= start)
