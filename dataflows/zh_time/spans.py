"""Predicates that stand still: named years, dates, units counted from now, and parts of a year."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from functools import lru_cache

from temporal_recall.dataflows.zh_time import almanac
from temporal_recall.dataflows.zh_time.calendar import (
    DAY,
    Unit,
    Window,
    exact,
    midnight,
    shifted,
    unit_window,
    units_within,
)
from temporal_recall.dataflows.zh_time.tokens import Fields, Finder, Now, Placer, Predicate, Rank
from temporal_recall.schemas.time import Grain

GRAINS: dict[Unit, Grain] = {
    "second": "second", "minute": "minute", "hour": "hour", "day": "day", "week": "week", "month": "month",
    "quarter": "quarter", "half": "quarter", "year": "year", "decade": "year", "century": "year",
    "workday": "day",
}  # fmt: skip
"""The grain of a whole unit."""
_RANKS: dict[Unit, Rank] = {
    "day": Rank.DAY, "week": Rank.WEEK, "month": Rank.MONTH, "quarter": Rank.QUARTER, "half": Rank.HALF,
    "year": Rank.YEAR, "decade": Rank.DECADE, "century": Rank.ERA, "hour": Rank.CLOCK, "minute": Rank.CLOCK, "second": Rank.CLOCK,
}  # fmt: skip


def standing(window: Window) -> Placer:
    """A placer for a span that does not depend on now."""
    return lambda now: window


def calendar_year(
    year: int, years: int = 1, rank: Rank = Rank.YEAR, stated: Fields | None = None, weak: bool = False
) -> Predicate:
    """A year, decade or century of the calendar."""
    window = exact(datetime(year, 1, 1), datetime(year + years, 1, 1))
    return Predicate(rank, "year", place=standing(window), stated=stated or {"year": year}, weak=weak)


@lru_cache(maxsize=512)
def fixed_month(year: int, month: int) -> Predicate:
    """A month of a named year."""
    window = unit_window(datetime(year, month, 1), "month")
    return Predicate(Rank.MONTH, "month", place=standing(window), stated={"year": year, "month": month})


@lru_cache(maxsize=2048)
def fixed_date(year: int, month: int, day: int, weak: bool = False) -> Predicate | None:
    """A day of a named year; None where the calendar has none such."""
    try:
        start = datetime(year, month, day)
    except ValueError:
        return None
    stated: Fields = {"year": year, "month": month, "day": day}
    return Predicate(Rank.DAY, "day", place=standing(exact(start, start + DAY)), stated=stated, weak=weak)


@lru_cache(maxsize=512)
def from_now(unit: Unit, offset: int, weak: bool = False) -> Predicate:
    """The whole unit so many units from the one that holds now; the present one moves where the tense demands it."""
    return Predicate(
        _RANKS[unit],
        GRAINS[unit],
        place=lambda now: unit_window(now.moment, unit, offset),
        steps=unit if offset == 0 and unit != "day" else None,
        stated={unit: offset} if unit != "day" else {"day_offset": offset},
        weak=weak,
    )


def inside_unit(
    unit: Unit, offset: int, find: Finder, grain: Grain, stated: Fields, steps: Unit | None = None
) -> Predicate:
    """The first span of a series inside the unit so many units from now: last Friday, this weekend."""

    def place(now: Now) -> Window:
        return next(iter(find(unit_window(now.moment, unit, offset))))

    return Predicate(Rank.DAY, grain, place=place, stated=stated, steps=steps)


def around_now(
    place: Callable[[datetime, str | None], Window], grain: Grain, rank: Rank = Rank.DAY, stated: Fields | None = None
) -> Predicate:
    """A vague stretch beside now, whose place depends on the tense."""
    return Predicate(rank, grain, place=lambda now: place(now.moment, now.tense), stated=stated or {})


def part_of_year(part: str) -> Predicate:
    """年初, 年中, 年底: the first, middle and last months; 年底 is wide to the Spring Festival."""

    def find(window: Window) -> Iterator[Window]:
        for year in units_within(window, "year"):
            yield _part_of_year(year, part)

    return Predicate(Rank.MONTH, "month", find, scope="year", stated={"part": part})


def _part_of_year(year: datetime, part: str) -> Window:
    if part in "初头":
        return Window(year, shifted(year, "month", 1), year, shifted(year, "month", 2))
    if part == "中":
        start = year.replace(month=6)
        return Window(start, start.replace(month=8), year.replace(month=5), start.replace(month=9))
    start = year.replace(month=12)
    end = shifted(start, "month", 1)
    feast = almanac.lunar_day(year.year, 12, 30)
    return Window(start, end, start - timedelta(days=16), almanac.at_midnight(feast) if feast else end)


def dated(day: date) -> Window:
    """The window of one civil day."""
    start = almanac.at_midnight(day)
    return exact(start, start + DAY)


def days_from(moment: datetime, first: float, last: float, wide_first: float, wide_last: float) -> Window:
    """Whole days counted from the day of the moment, `last` not included."""
    day = midnight(moment)
    return Window(*(day + DAY * n for n in (first, last, wide_first, wide_last)))
