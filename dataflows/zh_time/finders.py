"""Series over the calendar: where, inside a window, a month, a weekday, the n-th week … lie.

Each function returns a finder. A finder yields, in order, the spans that begin inside the window it is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice

from temporal_recall.dataflows.zh_time.almanac import is_workday
from temporal_recall.dataflows.zh_time.calendar import (
    DAY,
    Unit,
    Window,
    exact,
    midnight,
    month_length,
    shifted,
    unit_window,
    units_within,
    years_of,
)
from temporal_recall.dataflows.zh_time.tokens import Finder

_HOUR = timedelta(hours=1)


def in_year(month: int, months: int = 1) -> Finder:
    """A stretch of months that begins with the given month of a year."""

    def find(window: Window) -> Iterator[Window]:
        for year in years_of(window):
            start = datetime(year, month, 1)
            if window.start <= start < window.end:
                yield exact(start, shifted(start, "month", months))

    return find


def day_of_month(day: int) -> Finder:
    """The day of a month that bears the number; months without it are passed over."""

    def find(window: Window) -> Iterator[Window]:
        for month in units_within(window, "month"):
            if day <= month_length(month.year, month.month):
                start = month.replace(day=day)
                if window.start <= start < window.end:
                    yield exact(start, start + DAY)

    return find


def date_of_year(month: int, day: int) -> Finder:
    """A day of the year; 29 February is passed over in common years."""

    def find(window: Window) -> Iterator[Window]:
        for year in years_of(window):
            if day <= month_length(year, month):
                start = datetime(year, month, day)
                if window.start <= start < window.end:
                    yield exact(start, start + DAY)

    return find


def weekday(number: int) -> Finder:
    """A weekday, Monday being 0."""

    def find(window: Window) -> Iterator[Window]:
        start = midnight(window.start) + DAY * ((number - window.start.weekday()) % 7)
        while start < window.end:
            yield exact(start, start + DAY)
            start += 7 * DAY

    return find


def weekend(window: Window) -> Iterator[Window]:
    """Saturday and Sunday; wide from Friday evening."""
    for saturday in weekday(5)(window):
        start, end = saturday.start, saturday.start + 2 * DAY
        yield Window(start, end, start - timedelta(hours=6), end)


def days_of_month(first: int, last: int, wide_first: int, wide_last: int) -> Finder:
    """A stretch of days of a month, both ends included; 31 stands for the last day."""

    def find(window: Window) -> Iterator[Window]:
        for month in units_within(window, "month"):
            length = month_length(month.year, month.month)
            starts = [month + DAY * (min(d, length + 1) - 1) for d in (first, last + 1, wide_first, wide_last + 1)]
            if window.start <= starts[0] < window.end:
                yield Window(*starts)

    return find


def share_of(parts: int, index: int) -> Finder:
    """One of so many equal shares of the window itself (前期, 中期, 末期)."""

    def find(window: Window) -> Iterator[Window]:
        length = (window.end - window.start) / parts
        start = midnight(window.start + index * length)
        yield exact(start, midnight(start + length))

    return find


def nth_unit(unit: Unit, number: int) -> Finder:
    """The n-th whole unit that begins in the window; −1 is the last. Weeks are wide by the broken one they may be counted from."""

    def find(window: Window) -> Iterable[Window]:
        starts = (s for s in units_within(window, unit) if s >= window.start)
        windows = (unit_window(start, unit) for start in starts)
        found = _nth(windows, number)
        begins_within_week = unit == "week" and number > 0 and window.start.weekday() > 0
        return [w.widened(w.start - 7 * DAY, w.end) for w in found] if begins_within_week else found

    return find


def nth_of(finder: Finder, number: int) -> Finder:
    """The n-th span of another series in the window; −1 is the last."""
    return lambda window: _nth(finder(window), number)


def first_units(unit: Unit, count: int) -> Finder:
    """The first so many units of the window (前两个季度); a negative count means the last ones."""

    def find(window: Window) -> Iterator[Window]:
        if count > 0:
            yield exact(window.start, min(shifted(window.start, unit, count), window.end))
        else:
            yield exact(max(shifted(window.end, unit, count), window.start), window.end)

    return find


def hours_of_day(hours: tuple[float, float], wide: tuple[float, float]) -> Finder:
    """A stretch of hours counted from each midnight; it may run into the next day."""

    offsets = [timedelta(hours=h) for h in (*hours, *wide)]

    def find(window: Window) -> Iterator[Window]:
        for day in units_within(window, "day"):
            yield Window(*[day + offset for offset in offsets])

    return find


def clock_of_day(hour: int, minute: int, second: int, unit: Unit, units: int = 1) -> Finder:
    """A clock time of each day; hours from 24 on lie in the next day."""

    offset = timedelta(hours=hour, minutes=minute, seconds=second)

    def find(window: Window) -> Iterator[Window]:
        for day in units_within(window, "day"):
            start = day + offset
            end = shifted(start, unit, units)
            yield Window(start, end, start - _HOUR, end + _HOUR)

    return find


def _nth(windows: Iterable[Window], number: int) -> list[Window]:
    if number > 0:
        return list(islice(windows, number - 1, number))
    return list(windows)[number:][:1] if number else []


def minute_of_hour(minute: int) -> Finder:
    """The minute of an hour that bears the number."""

    def find(window: Window) -> Iterator[Window]:
        for hour in units_within(window, "hour"):
            start = hour + timedelta(minutes=minute)
            yield exact(start, start + timedelta(minutes=1))

    return find


def workdays(window: Window) -> Iterator[Window]:
    """The working days of a window, by the State Council's calendar."""
    for day in units_within(window, "day"):
        if day >= window.start and is_workday(day.date()):
            yield exact(day, day + DAY)


def days_off_of(find: Finder) -> Finder:
    """The spans of a series with their wide bounds as core: a feast as its days off."""
    return lambda window: (exact(found.wide_start, found.wide_end) for found in find(window))


def workdays_hull(window: Window) -> Iterator[Window]:
    """From the first to the last working day of a window, by the State Council's calendar."""
    yield from _hull_of_days(window, working=True)


def days_off_hull(window: Window) -> Iterator[Window]:
    """From the first to the last day off of a window."""
    yield from _hull_of_days(window, working=False)


def _hull_of_days(window: Window, working: bool) -> Iterator[Window]:
    days = [day for day in units_within(window, "day") if is_workday(day.date()) == working]
    if days:
        yield exact(days[0], days[-1] + DAY)
