"""Lunar dates, terms, feasts and days off against dates that anyone can look up."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from temporal_recall.dataflows.zh_time import almanac, parse_time
from temporal_recall.dataflows.zh_time.feasts import feast_named


@pytest.mark.parametrize(
    ("year", "month", "day", "solar"),
    [
        (2026, 1, 1, date(2026, 2, 17)),
        (2026, 8, 15, date(2026, 9, 25)),
        (2025, -6, 1, date(2025, 7, 25)),
        (2026, 12, 30, date(2027, 2, 5)),
        (2023, -2, 1, date(2023, 3, 22)),
    ],
)
def test_lunar_days(year: int, month: int, day: int, solar: date) -> None:
    assert almanac.lunar_day(year, month, day) == solar


def test_a_year_without_the_leap_month_has_no_such_day() -> None:
    assert almanac.lunar_day(2026, -6, 1) is None
    assert almanac.lunar_month(2026, -6) is None


def test_solar_terms_of_a_year() -> None:
    terms = almanac.solar_terms(2026)
    assert len(terms) == 24
    assert (terms["清明"], terms["冬至"], terms["小寒"]) == (date(2026, 4, 5), date(2026, 12, 22), date(2026, 1, 5))


@pytest.mark.parametrize(
    ("word", "year", "day"),
    [
        ("春节", 2026, date(2026, 2, 17)),
        ("年三十", 2026, date(2027, 2, 5)),
        ("端午", 2026, date(2026, 6, 19)),
        ("中秋节", 2027, date(2027, 9, 15)),
        ("母亲节", 2026, date(2026, 5, 10)),
        ("父亲节", 2026, date(2026, 6, 21)),
        ("感恩节", 2026, date(2026, 11, 26)),
        ("清明", 2026, date(2026, 4, 5)),
        ("复活节", 2026, date(2026, 4, 5)),
        ("国庆", 2026, date(2026, 10, 1)),
        ("平安夜", 2026, date(2026, 12, 24)),
    ],
)
def test_feasts(word: str, year: int, day: date) -> None:
    span = feast_named(word).span(year)
    assert span is not None
    assert span[0] == day


@pytest.mark.parametrize(
    ("day", "works"),
    [
        (date(2026, 9, 20), True),  # a Sunday made up for the holiday
        (date(2026, 10, 10), True),
        (date(2026, 10, 5), False),
        (date(2026, 9, 5), False),
        (date(2026, 9, 2), True),
        (date(2035, 10, 1), False),  # beyond the announced years: statutory days and weekends
        (date(2035, 10, 20), False),
        (date(2035, 10, 22), True),
    ],
)
def test_working_days_follow_the_announced_calendar(day: date, works: bool) -> None:
    assert almanac.is_workday(day) is works


@pytest.mark.parametrize(
    ("day", "off"),
    [
        (date(2026, 10, 1), (date(2026, 10, 1), date(2026, 10, 8))),
        (date(2025, 10, 1), (date(2025, 10, 1), date(2025, 10, 9))),
        (date(2026, 2, 17), (date(2026, 2, 15), date(2026, 2, 24))),
        (date(2026, 9, 2), (date(2026, 9, 2), date(2026, 9, 3))),
    ],
)
def test_days_off_around_a_feast(day: date, off: tuple[date, date]) -> None:
    assert almanac.days_off_around(day) == off


def test_beyond_the_announced_years_days_off_are_the_statutory_run() -> None:
    first, last = almanac.days_off_around(date(2035, 10, 1))
    assert first <= date(2035, 10, 1) < date(2035, 10, 3) < last


@pytest.mark.parametrize(("text", "start"), [("三个工作日后", date(2026, 10, 12)), ("下个工作日", date(2026, 10, 8))])
def test_working_days_are_counted_past_the_holiday(text: str, start: date) -> None:
    scope = parse_time(text, datetime.fromisoformat("2026-09-30T10:00:00+08:00"))
    assert scope is not None
    assert scope.core is not None
    assert scope.core.start is not None
    assert scope.core.start.date() == (date(2026, 10, 10) if text.startswith("三") else start)
