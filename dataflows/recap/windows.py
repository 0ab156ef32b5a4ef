"""Civil days, weeks and months of an IANA zone as windows of two UTC instants."""

from __future__ import annotations

import hashlib
import json
import re
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from temporal_recall.schemas.recap import WINDOW_VERSION, RecapWindow, RecapWindowError, WindowKind, instant_text

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ONE_DAY = timedelta(days=1)
_MICROSECOND = timedelta(microseconds=1)
_LATEST_START_HOUR = 6


def recap_window_of(
    local_date: str,
    time_zone: str,
    *,
    kind: WindowKind = "day",
    day_start_hour: int = 0,
    version: int = WINDOW_VERSION,
) -> RecapWindow:
    """The window of a civil day, or of the Monday week or calendar month that holds it.

    A day runs from the first valid instant of its date (at `day_start_hour`) to that of the next date that exists, so
    it may have 23, 24, 25 or 23.5 hours. `local_date` of a week or month is its first day.

    Raises:
        RecapWindowError: `invalid_local_date`, `unknown_time_zone`, `nonexistent_civil_date` (the zone skipped the
            date), `unsupported_window_version`, `invalid_day_start_hour`.

    >>> window = recap_window_of("2026-03-08", "America/New_York")
    >>> window.end_exclusive - window.start
    datetime.timedelta(seconds=82800)
    """
    if version != WINDOW_VERSION:
        raise RecapWindowError(
            "unsupported_window_version", f"version is {version}; this server knows {WINDOW_VERSION}"
        )
    if not 0 <= day_start_hour <= _LATEST_START_HOUR:
        raise RecapWindowError("invalid_day_start_hour", f"day_start_hour is {day_start_hour}; allowed: 0 to 6")
    zone = recap_zone(time_zone)
    first, after = _bounds(parsed_date(local_date), kind)
    try:
        start = _first_instant(first, day_start_hour, zone)
        end = _first_instant_from(after, day_start_hour, zone)
    except OverflowError:
        raise RecapWindowError("invalid_local_date", f"local_date {local_date} is out of range") from None
    if start is None:
        raise RecapWindowError("nonexistent_civil_date", f"{local_date} does not exist in {time_zone}")
    key = _window_key(kind, first, time_zone, start, end, day_start_hour)
    return RecapWindow(kind, first, time_zone, start, end, key, day_start_hour)


def parsed_date(text: str) -> date:
    """A date written yyyy-MM-dd.

    Raises:
        RecapWindowError: `invalid_local_date`.
    """
    if _DATE.fullmatch(text):
        try:
            return date.fromisoformat(text)
        except ValueError:
            pass
    raise RecapWindowError("invalid_local_date", f"local_date is {text[:40]!r}; allowed: a date such as 2026-07-04")


@lru_cache(maxsize=256)
def recap_zone(name: str) -> ZoneInfo:
    """The zone of an IANA id. Offsets are no zones here, since a day needs the rules of a place.

    Raises:
        RecapWindowError: `unknown_time_zone`.
    """
    if name not in _zone_names():
        raise RecapWindowError(
            "unknown_time_zone", f"time_zone is {name[:60]!r}; allowed: an IANA id such as Asia/Tokyo"
        )
    return ZoneInfo(name)


def require_agreement(window: RecapWindow, start: datetime | None, end_exclusive: datetime | None) -> None:
    """Refuses instants of a client that differ from those of this server; instants that were not sent are fine.

    Raises:
        RecapWindowError: `calendar_rules_mismatch`.
    """
    for name, sent, own in (("start", start, window.start), ("end_exclusive", end_exclusive, window.end_exclusive)):
        if sent is not None and (sent.tzinfo is None or sent != own):
            message = f"{name} is {sent.isoformat()}; the calendar rules here give {instant_text(own)}"
            raise RecapWindowError("calendar_rules_mismatch", message)


def days_of(window: RecapWindow) -> tuple[RecapWindow, ...]:
    """The days of a week or month, in order, without dates that the zone skipped."""
    days = []
    local_date, after = _bounds(window.local_date, window.kind)
    while local_date < after:
        try:
            days.append(recap_window_of(local_date.isoformat(), window.time_zone, day_start_hour=window.day_start_hour))
        except RecapWindowError as error:
            if error.code != "nonexistent_civil_date":
                raise
        local_date += _ONE_DAY
    return tuple(days)


@lru_cache(maxsize=1)
def _zone_names() -> frozenset[str]:
    return frozenset(available_timezones()) - {"localtime"}  # the machine's own, which is another on each machine


def _bounds(local_date: date, kind: WindowKind) -> tuple[date, date]:
    """The first date of the day, week or month that holds `local_date`, and the first date after it."""
    try:
        if kind == "week":
            monday = local_date - timedelta(days=local_date.weekday())
            return monday, monday + timedelta(days=7)
        if kind == "month":
            first = local_date.replace(day=1)
            return first, (first + timedelta(days=31)).replace(day=1)
        return local_date, local_date + _ONE_DAY
    except OverflowError:
        raise RecapWindowError("invalid_local_date", f"local_date {local_date} is out of range") from None


def _first_instant_from(local_date: date, hour: int, zone: ZoneInfo) -> datetime:
    """The first instant of the date, or of the next one that exists."""
    while (instant := _first_instant(local_date, hour, zone)) is None:
        local_date += _ONE_DAY
    return instant


def _first_instant(local_date: date, hour: int, zone: ZoneInfo) -> datetime | None:
    """The first instant of the date whose clock shows `hour` or later; None where the zone skipped the date."""
    wall = datetime.combine(local_date, time(hour), zone)
    instant = wall.astimezone(UTC)
    if instant.astimezone(zone).replace(tzinfo=None) != wall.replace(tzinfo=None):
        # The clock jumped over that hour: `fold` gives one instant on each side of the jump.
        instant = _jump_between(wall.replace(fold=1).astimezone(UTC), instant, zone)
    return instant if instant.astimezone(zone).date() == local_date else None


def _jump_between(before: datetime, after: datetime, zone: ZoneInfo) -> datetime:
    """The instant at which the zone's offset changes between two instants, to the microsecond."""
    offset_after = after.astimezone(zone).utcoffset()
    while after - before > _MICROSECOND:
        middle = before + (after - before) / 2
        if middle.astimezone(zone).utcoffset() == offset_after:
            after = middle
        else:
            before = middle
    return after


def _window_key(
    kind: WindowKind, local_date: date, time_zone: str, start: datetime, end: datetime, day_start_hour: int
) -> str:
    parts = [WINDOW_VERSION, kind, local_date.isoformat(), time_zone, instant_text(start), instant_text(end)]
    text = json.dumps([*parts, day_start_hour], separators=(",", ":"))
    return f"w{WINDOW_VERSION}-{hashlib.sha256(text.encode()).hexdigest()[:32]}"
