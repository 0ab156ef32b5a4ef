"""Lunar dates, solar terms, feasts and the State Council's days off, all out of well-kept libraries.

`lunar_python` knows the lunar calendar, the terms and the usual feasts of China; `chinese_calendar` the announced days
off and make-up working days (its table ends with the last announced year); `holidays` gives statutory days beyond
that. The libraries are imported on first use.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

_DAY = timedelta(days=1)


class _LunarYear(NamedTuple):
    """One lunar year: first solar day and length of each month (leap months negative), and its solar terms."""

    months: dict[int, tuple[date, int]]
    terms: dict[str, date]


@lru_cache(maxsize=512)
def _lunar_year(year: int) -> _LunarYear:
    """The tables of a lunar year; the library takes milliseconds for each, hence one pass and a cache."""
    from lunar_python import LunarYear

    found = LunarYear.fromYear(year)
    months = {
        m.getMonth(): (_solar(m.getFirstJulianDay()), m.getDayCount()) for m in found.getMonths() if m.getYear() == year
    }
    days = map(_solar, found.getJieQiJulianDays())
    terms = {name: day for name, day in zip(_TERMS, days, strict=False) if day.year == year}
    return _LunarYear(months, terms)


def _solar(julian_day: float) -> date:
    from lunar_python import Solar

    solar = Solar.fromJulianDay(julian_day)
    return date(solar.getYear(), solar.getMonth(), solar.getDay())


_TERMS = [
    "大雪",
    "冬至",
    "小寒",
    "大寒",
    "立春",
    "雨水",
    "惊蛰",
    "春分",
    "清明",
    "谷雨",
    "立夏",
    "小满",
    "芒种",
    "夏至",
    "小暑",
    "大暑",
    "立秋",
    "处暑",
    "白露",
    "秋分",
    "寒露",
    "霜降",
    "立冬",
    "小雪",
    "大雪",
    "冬至",
    "小寒",
    "大寒",
    "立春",
    "雨水",
    "惊蛰",
]
"""The terms in the order of the library's table, from 大雪 of the year before."""


def lunar_day(year: int, month: int, day: int) -> date | None:
    """The solar date of a day of a lunar year; a negative month is a leap month. None where there is no such day.

    Day 30 of a month of 29 days is its last day, so that 除夕 always exists.
    """
    found = _lunar_year(year).months.get(month)
    if found is None or day > 30:
        return None
    first, length = found
    return first + (min(day, length) - 1) * _DAY


def lunar_month(year: int, month: int) -> tuple[date, date] | None:
    """The first solar day of a lunar month and the day after its last; None where the year has no such leap month."""
    found = _lunar_year(year).months.get(month)
    return (found[0], found[0] + found[1] * _DAY) if found else None


def lunar_month_starts(year: int) -> list[tuple[date, int]]:
    """The first solar day and the number of each lunar month of a lunar year, in order of time; leap months negative."""
    return sorted((first, number) for number, (first, _) in _lunar_year(year).months.items())


def solar_terms(year: int) -> dict[str, date]:
    """The twenty-four solar terms of a civil year, by name."""
    return _lunar_year(year).terms


@lru_cache(maxsize=64)
def _announced(year: int) -> dict[date, str | None]:
    """The announced days off of a year with the name of the feast, make-up working days with None."""
    from chinese_calendar import constants

    off: dict[date, str | None] = {d: str(name) for d, name in constants.holidays.items() if d.year == year}
    return off | {d: None for d in constants.workdays if d.year == year}


@lru_cache(maxsize=64)
def _statutory(year: int) -> frozenset[date]:
    """The statutory days off of a year without announcement."""
    import holidays

    return frozenset(holidays.country_holidays("CN", years=year))


def is_workday(day: date) -> bool:
    """Whether people work on the day: by the announced calendar, else Monday to Friday but for statutory holidays."""
    announced = _announced(day.year)
    if day in announced:
        return announced[day] is None
    if announced:
        return day.weekday() < 5
    return day.weekday() < 5 and not (day.year >= 1950 and day in _statutory(day.year))


def workdays_later(moment: datetime, count: int) -> datetime:
    """The moment moved by so many working days."""
    step = _DAY if count > 0 else -_DAY
    for _ in range(min(abs(count), 4000)):
        moment += step
        while not is_workday(moment.date()):
            moment += step
    return moment


@lru_cache(maxsize=1024)
def days_off_around(day: date) -> tuple[date, date]:
    """The run of days off that a feast lies in: its first day and the day after its last.

    By the announced calendar where the year is announced, else the run of statutory days and weekend around it.
    """
    announced = _announced(day.year)
    if announced and not announced.get(day):
        return day, day + _DAY

    def belongs(other: date) -> bool:
        return announced.get(other) is not None if announced else not is_workday(other)

    start, end = day, day + _DAY
    while belongs(start - _DAY):
        start -= _DAY
    while belongs(end):
        end += _DAY
    return start, end


@lru_cache(maxsize=512)
def easter(year: int, orthodox: bool = False) -> date:
    """Easter Sunday in the western or the orthodox reckoning."""
    from dateutil.easter import EASTER_ORTHODOX, EASTER_WESTERN
    from dateutil.easter import easter as easter_sunday

    sunday: date = easter_sunday(year, EASTER_ORTHODOX if orthodox else EASTER_WESTERN)
    return sunday


def at_midnight(day: date) -> datetime:
    """The civil midnight that starts the day."""
    return datetime(day.year, day.month, day.day)


@lru_cache(maxsize=4096)
def tabled_feast(name: str, year: int) -> date | None:
    """The day of a feast by its name in the tables of `lunar_python`; lunar feasts count by the lunar year."""
    found = _feast_table().get(name)
    if found is None:
        return None
    kind, numbers = found
    if kind == "lunar":
        return lunar_day(year, *numbers)
    if kind == "solar":
        return date(year, *numbers)
    month, nth, sunday_based = numbers
    first = date(year, month, 1)
    return first + _DAY * ((sunday_based - (first.weekday() + 1)) % 7 + 7 * (nth - 1))


@lru_cache(maxsize=1)
def _feast_table() -> dict[str, tuple[str, tuple[int, ...]]]:
    """Feast name -> how it is dated, out of the library's tables; the commonest feasts win a name."""
    from lunar_python.util import LunarUtil, SolarUtil

    table: dict[str, tuple[str, tuple[int, ...]]] = {}
    for kind, entries in (("lunar", LunarUtil.OTHER_FESTIVAL), ("solar", SolarUtil.OTHER_FESTIVAL)):
        table |= {name: (kind, _numbers(key)) for key, names in entries.items() for name in names}
    for kind, singles in (
        ("lunar", LunarUtil.FESTIVAL),
        ("weekday", SolarUtil.WEEK_FESTIVAL),
        ("solar", SolarUtil.FESTIVAL),
    ):
        table |= {name: (kind, _numbers(key)) for key, name in singles.items()}
    return table


def _numbers(key: str) -> tuple[int, ...]:
    return tuple(int(part) for part in key.split("-"))
