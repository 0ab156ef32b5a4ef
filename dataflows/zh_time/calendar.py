"""Civil time: windows over naive local datetimes, calendar units, and the way back to aware instants.

Everything inside the engine is naive local time; `aware` turns it into instants of the caller's zone at the very end,
where a day may have 23 or 25 hours and a midnight may not exist.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import MAXYEAR, MINYEAR, UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Literal, NamedTuple

Unit = Literal[
    "workday", "second", "minute", "hour", "day", "week", "month", "quarter", "half", "year", "decade", "century"
]

DAY = timedelta(days=1)
_STEPS: dict[str, timedelta] = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": DAY,
    "workday": DAY,
    "week": 7 * DAY,
}
_MONTHS: dict[str, int] = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}


class Window(NamedTuple):
    """A half-open civil span with its core and its wide bounds."""

    start: datetime
    end: datetime
    wide_start: datetime
    wide_end: datetime

    def covers(self, moment: datetime) -> bool:
        """Whether the moment lies in the core."""
        return self.start <= moment < self.end

    def widened(self, wide_start: datetime, wide_end: datetime) -> Window:
        """The same core with wider bounds."""
        return Window(self.start, self.end, min(self.wide_start, wide_start), max(self.wide_end, wide_end))


def exact(start: datetime, end: datetime) -> Window:
    """A window whose wide bounds are those of its core."""
    return Window(start, end, start, end)


def shifted(moment: datetime, unit: Unit, count: float) -> datetime:
    """The moment `count` units later; months keep the day of the month, or the last day where there is none."""
    step = _STEPS.get(unit)
    if step is not None:
        return moment + step * count
    months = _MONTHS[unit] * count
    whole = int(months // 1)
    year, month = divmod(moment.year * 12 + moment.month - 1 + whole, 12)
    day = moment.day if moment.day <= 28 else min(moment.day, month_length(year, month + 1))
    moved = moment.replace(year=year, month=month + 1, day=day)
    return moved if months == whole else moved + timedelta(days=round((months - whole) * 30))


def month_length(year: int, month: int) -> int:
    """How many days the month has."""
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def midnight(moment: datetime) -> datetime:
    """The start of the moment's day."""
    return datetime(moment.year, moment.month, moment.day)


def floor(moment: datetime, unit: Unit) -> datetime:
    """The start of the unit that the moment lies in; weeks start on Monday."""
    if unit == "day":
        return midnight(moment)
    if unit == "week":
        return midnight(moment) - DAY * moment.weekday()
    if unit in _MONTHS:
        return _floor_months(moment, _MONTHS[unit])
    kept = {"hour": (moment.hour, 0, 0), "minute": (moment.hour, moment.minute, 0)}
    hour, minute, second = kept.get(unit, (moment.hour, moment.minute, moment.second))
    return datetime(moment.year, moment.month, moment.day, hour, minute, second)


def _floor_months(moment: datetime, months: int) -> datetime:
    if months > 12:
        years = months // 12
        return datetime(max(moment.year // years * years, 1), 1, 1)
    return datetime(moment.year, (moment.month - 1) // months * months + 1, 1)


def unit_window(moment: datetime, unit: Unit, offset: int = 0) -> Window:
    """The whole unit `offset` units away from the one that the moment lies in."""
    step = _STEPS.get(unit)
    if step is not None:
        start = floor(moment, unit) + step * offset
        return exact(start, start + step)
    months = _MONTHS[unit]
    first = (_floor_months(moment, months) if months != 1 else moment).replace(day=1)
    return exact(_month(first, months * offset), _month(first, months * (offset + 1)))


def _month(first: datetime, months: int) -> datetime:
    """The start of the month so many months after another."""
    year, month = divmod(first.year * 12 + first.month - 1 + months, 12)
    return datetime(year, month + 1, 1)


def units_within(window: Window, unit: Unit) -> Iterable[datetime]:
    """The starts of the whole units that begin in the window or hold its start, in order."""
    start = floor(window.start, unit)
    while start < window.end:
        yield start
        start = shifted(start, unit, 1)


def years_of(window: Window) -> range:
    """The years that a window touches, in order."""
    return range(window.start.year, (window.end - timedelta.resolution).year + 1)


def local(moment: datetime, zone: tzinfo) -> datetime:
    """The naive civil time of an instant in the zone; `fold` tells the second of two like times."""
    placed = moment if moment.tzinfo is zone else moment.astimezone(zone)
    return placed.replace(tzinfo=None)


def aware(moment: datetime, zone: tzinfo) -> datetime:
    """The instant of a civil time; a time that the clock skips becomes the first instant after the gap."""
    placed = moment.replace(tzinfo=zone)
    if _is_steady(zone, moment.year):
        return placed
    early, late = placed.replace(fold=0).utcoffset(), placed.replace(fold=1).utcoffset()
    if early is None or late is None or early >= late:
        return placed
    return _after_gap(placed, late - early, zone)


@lru_cache(maxsize=4096)
def _is_steady(zone: tzinfo, year: int) -> bool:
    """Whether the clock of a zone is not changed in a year, from the day before it to the day after."""
    if year in (MINYEAR, MAXYEAR):
        return False
    days = range(datetime(year - 1, 12, 31).toordinal(), datetime(year + 1, 1, 1).toordinal() + 1)
    return len({zone.utcoffset(datetime.fromordinal(day)) for day in days}) == 1


def _after_gap(placed: datetime, gap: timedelta, zone: tzinfo) -> datetime:
    """The first instant after the gap that swallows a civil time."""
    before = (placed.replace(fold=0).astimezone(UTC) - gap).replace(second=0, microsecond=0)
    after = before + 2 * gap
    while after - before > timedelta(minutes=1):
        middle = before + ((after - before) / 2 // timedelta(minutes=1)) * timedelta(minutes=1)
        if middle.astimezone(zone).utcoffset() == after.astimezone(zone).utcoffset():
            after = middle
        else:
            before = middle
    return after.astimezone(zone)


def later(moment: datetime, delta: timedelta, zone: tzinfo) -> datetime:
    """The civil time that the clock shows when `delta` of real time has passed."""
    return local(moment.replace(tzinfo=zone).astimezone(UTC) + delta, zone)
