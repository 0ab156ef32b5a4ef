"""Calendar files: the events and to-dos of ICS files, recurrences expanded, one record an occurrence.

Faults are values: a series that cannot be expanded, a zone that nobody knows, a component that was cut off become
issues that name file and line, and everything else is read.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Any, Literal
from zoneinfo import ZoneInfo

from temporal_recall.adapters.hygiene import bounded_text, is_plausible
from temporal_recall.adapters.ics_series import BadSeries, Occurrence, Series
from temporal_recall.adapters.ics_text import IcsComponent, IcsText, decoded, scanned
from temporal_recall.adapters.in_order import as_instant, check_time, in_order
from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import (
    EvidenceRecord,
    RecordIssue,
    RequestLimits,
    SearchContext,
    SearchWindow,
    SourceCapabilities,
    SourceEvent,
)
from temporal_recall.schemas.feeds import SourceState
from temporal_recall.schemas.time import zone_of

MAX_FILE_BYTES = 100_000_000
_KEPT_FILES = 64
_MAX_TITLE_CHARS = 500
_MAX_DESCRIPTION_CHARS = 2_000
_KINDS = {"VEVENT": "event", "VTODO": "todo"}
_STATUS: Mapping[str, Literal["confirmed", "tentative", "cancelled"]] = {
    "CANCELLED": "cancelled",
    "TENTATIVE": "tentative",
}


@dataclass
class IcsCalendar:
    """A calendar file, read: its series, and what could not be read, each with file and line."""

    name: str
    written: datetime
    zone_name: str | None = None
    is_cancelling: bool = False
    series: list[Series] = field(default_factory=list)
    issues: list[tuple[str, str, str]] = field(default_factory=list)
    """(code, locator, detail)"""


def read_calendar(raw: bytes, name: str, written: datetime) -> IcsCalendar:
    """The calendar in a file's bytes; `written` is when the file was, for events that do not say.

    Never raises for what is in the file: that ends in `issues`.
    """
    calendar = IcsCalendar(name, written)
    text = decoded(raw)
    if text is None or "\0" in text[0]:
        calendar.issues.append(("not_text", f"{name}:1", "neither UTF-8, UTF-16 nor GB18030"))
        return calendar
    if text[1] == "gb18030":
        calendar.issues.append(("guessed_encoding", f"{name}:1", "not UTF-8; read as GB18030"))
    found = scanned(text[0])
    calendar.zone_name, calendar.is_cancelling = found.zone_name, found.is_cancelling
    calendar.issues += [(fault.code, f"{name}:{fault.line}", fault.detail) for fault in found.faults]
    for components in _by_uid(found):
        _add_series(calendar, components, found)
    return calendar


def _by_uid(found: IcsText) -> list[list[IcsComponent]]:
    groups: dict[tuple[str, str], list[IcsComponent]] = {}
    for component in found.components:
        uid = component.value("UID") or f"line {component.line}"
        groups.setdefault((component.kind, uid), []).append(component)
    return list(groups.values())


def _add_series(calendar: IcsCalendar, components: list[IcsComponent], found: IcsText) -> None:
    locator = f"{calendar.name}:{components[0].line}"
    try:
        series = Series(components, found.zones)
    except BadSeries as error:
        calendar.issues.append((error.code, locator, error.detail))
        return
    calendar.issues += [(code, locator, "") for code in series.faults]
    calendar.series.append(series)


def calendar_records(calendar: IcsCalendar, source: str, ctx: SearchContext) -> Iterator[EvidenceRecord | RecordIssue]:
    """The records of a calendar inside the context's window, and an issue for each thing that could not be read.

    Raises:
        SourceUnavailable: the deadline came first.
        RecallCancelled: the cancel token was set.
    """
    for code, locator, detail in calendar.issues:
        yield RecordIssue(source=source, code=code, locator=locator, detail=detail)
    mapping = _Mapping(calendar, source, ctx.user_id, ctx.time_zone)
    for series in calendar.series:
        check_time(source, ctx.limits)
        try:
            yield from mapping.records(series, ctx.window)
        except BadSeries as error:
            locator = f"{calendar.name}:{series.line}"
            yield RecordIssue(source=source, code=error.code, locator=locator, detail=error.detail)


@dataclass(frozen=True)
class _Mapping:
    calendar: IcsCalendar
    source: str
    user_id: str
    user_zone: str

    def records(self, series: Series, window: SearchWindow) -> Iterator[EvidenceRecord]:
        if window.axis == "event":
            zone = zone_of(self.user_zone)
            for occurrence in series.occurrences(window.start, window.end, zone):
                yield self._record(series, occurrence.component, occurrence)
            return
        for part, stated in zip(series.parts, series.stated(), strict=True):
            if window.start <= self._observed(part, stated) < window.end:
                yield self._record(series, part, stated)

    def _record(self, series: Series, part: Any, occurrence: Occurrence | None) -> EvidenceRecord:
        title, is_cut = bounded_text(_text(part, "SUMMARY")[:_MAX_TITLE_CHARS])
        description, _ = bounded_text(_text(part, "DESCRIPTION")[:_MAX_DESCRIPTION_CHARS])
        return EvidenceRecord(
            source=self.source,
            source_ref=self._ref(series, part, occurrence),
            user_id=self.user_id,
            observed_time=self._observed(part, occurrence),
            time_zone=self._zone_name(occurrence),
            text="\n".join(words for words in (title, description.strip()) if words),
            revision=max(1, _number(part, "SEQUENCE") + 1),
            is_truncated=is_cut,
            event=self._event(part, occurrence, title) if occurrence else None,
        )

    def _ref(self, series: Series, part: Any, occurrence: Occurrence | None) -> str:
        uid = _text(part, "UID").strip() or _fingerprint(part)
        uid = uid if len(uid) <= 200 and uid.isprintable() else hashlib.sha256(uid.encode()).hexdigest()
        recurrence = occurrence.recurrence if occurrence else ""
        return f"{self.source}:{_KINDS[series.kind]}:{uid}{'/' if recurrence else ''}{recurrence}"

    def _observed(self, part: Any, occurrence: Occurrence | None) -> datetime:
        """CREATED, else DTSTAMP; where neither is there or can be, the file's own time, but not after the event."""
        for name in ("CREATED", "DTSTAMP"):
            stamp = _stamp(part, name)
            if stamp is not None:
                return stamp
        start = as_instant(occurrence.start, self.user_zone) if occurrence else self.calendar.written
        return min(start, self.calendar.written)

    def _zone_name(self, occurrence: Occurrence | None) -> str:
        start = occurrence.start if occurrence else None
        zone = start.tzinfo if isinstance(start, datetime) else None
        if isinstance(zone, ZoneInfo) and zone.key not in ("UTC", "Etc/UTC"):
            return zone.key
        is_fixed = zone is not None and self.calendar.zone_name is not None
        return str(self.calendar.zone_name) if is_fixed else self.user_zone

    def _event(self, part: Any, occurrence: Occurrence, title: str) -> SourceEvent:
        status = _STATUS.get(_text(part, "STATUS").strip().upper(), "confirmed")
        return SourceEvent(
            start=occurrence.start,
            end=occurrence.end,
            title=title,
            attendees=tuple(_attendees(part)),
            location=bounded_text(_text(part, "LOCATION").strip()[:_MAX_TITLE_CHARS])[0] or None,
            status="cancelled" if self.calendar.is_cancelling else status,
        )


def _text(part: Any, name: str) -> str:
    value = part.get(name)
    return str(value[0] if isinstance(value, list) else value) if value else ""


def _number(part: Any, name: str) -> int:
    text = _text(part, name)
    return int(text) if text.isdecimal() and len(text) < 9 else 0


def _stamp(part: Any, name: str) -> datetime | None:
    value = part.get(name)
    try:
        stamp = (value[0] if isinstance(value, list) else value).dt if value else None
    except ValueError:  # the library keeps a broken property and raises when it is read
        return None
    is_usable = isinstance(stamp, datetime) and stamp.tzinfo is not None and is_plausible(stamp)
    return stamp if is_usable else None


def _attendees(part: Any) -> Iterator[str]:
    """Names of the people who are asked and have not declined; rooms and bare addresses are nobody's name."""
    value = part.get("ATTENDEE")
    for attendee in value if isinstance(value, list) else [value] if value is not None else []:
        parameters = getattr(attendee, "params", {})
        name = str(parameters.get("CN", "")).strip()
        is_person = str(parameters.get("CUTYPE", "INDIVIDUAL")).upper() in ("INDIVIDUAL", "UNKNOWN", "GROUP")
        if name and "@" not in name and is_person and parameters.get("PARTSTAT") != "DECLINED":
            yield name[:_MAX_TITLE_CHARS]


def _fingerprint(part: Any) -> str:
    return hashlib.sha256(part.to_ical()).hexdigest()[:32]


class _FileCache:
    """Calendars by path, read again once the file has changed. Threads may ask at once."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: OrderedDict[Path, tuple[tuple[int, int], IcsCalendar]] = OrderedDict()

    def calendar(self, path: Path) -> IcsCalendar:
        stat = path.stat()
        state = (stat.st_mtime_ns, stat.st_size)
        with self._lock:
            known = self._known.get(path)
            if known and known[0] == state:
                return known[1]
        calendar = _read_file(path, stat.st_size, stat.st_mtime_ns)
        with self._lock:
            self._known[path] = (state, calendar)
            while len(self._known) > _KEPT_FILES:
                self._known.popitem(last=False)
        return calendar


def _read_file(path: Path, size: int, mtime_ns: int) -> IcsCalendar:
    written = datetime.fromtimestamp(mtime_ns // 1_000_000_000, zone_of("UTC"))
    if size > MAX_FILE_BYTES:
        return IcsCalendar(path.name, written, issues=[("file_too_large", path.name, f"{size} bytes")])
    return read_calendar(path.read_bytes(), path.name, written)


class CalendarIcsAdapter:
    """Calendar files of some users; `paths_by_user` names each user's files or folders of `.ics` files."""

    def __init__(self, source: str, paths_by_user: Mapping[str, Sequence[Path]]) -> None:
        self._source = source
        self._paths_by_user = {user: tuple(paths) for user, paths in paths_by_user.items()}
        self._files = _FileCache()

    @property
    def source(self) -> str:
        return self._source

    def capabilities(self) -> SourceCapabilities:
        """Read on the event axis (when things take place) or the observed one (when they were entered)."""
        return SourceCapabilities(axes=frozenset({"event", "observed"}))

    def close(self) -> None:
        """Nothing is held open."""

    def search(self, ctx: SearchContext) -> Iterator[EvidenceRecord | RecordIssue]:
        """The occurrences of `ctx.user_id`'s calendars inside the window, oldest first on its axis.

        Raises:
            SourceUnavailable: a file is not there, or the deadline came first.
            RecallCancelled: the cancel token was set.
        """
        yield from in_order(self._rows(ctx), ctx)

    def probe(self, limits: RequestLimits) -> SourceState:
        """Whether every file is there."""
        try:
            count = sum(len(self._files_of(user)) for user in self._paths_by_user)
        except SourceUnavailable as error:
            return SourceState(self._source, "calendar", "broken", error.reason)
        return SourceState(self._source, "calendar", "ready", f"{count} files")

    def _files_of(self, user_id: str) -> list[Path]:
        files: list[Path] = []
        for path in self._paths_by_user.get(user_id, ()):
            if not path.exists():
                raise SourceUnavailable(self._source, "missing_file", is_retryable=False)
            files += sorted(path.glob("*.ics")) if path.is_dir() else [path]
        return files

    def _rows(self, ctx: SearchContext) -> Iterator[EvidenceRecord | RecordIssue]:
        for path in self._files_of(ctx.user_id):
            check_time(self._source, ctx.limits)
            yield from calendar_records(self._calendar(path), self._source, ctx)

    def _calendar(self, path: Path) -> IcsCalendar:
        try:
            return self._files.calendar(path)
        except OSError:
            raise SourceUnavailable(self._source, "unreadable_file") from None
