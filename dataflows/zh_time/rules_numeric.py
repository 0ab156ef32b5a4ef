"""Rules for dates written in figures: 2024-05-01, 2024/5, 5.12, 20240501, and whole time stamps."""

from __future__ import annotations

from datetime import datetime
from re import Match
from typing import Literal

from temporal_recall.dataflows.zh_time.calendar import exact, shifted
from temporal_recall.dataflows.zh_time.lexer import Rules
from temporal_recall.dataflows.zh_time.numerals import DIGITS
from temporal_recall.dataflows.zh_time.rules_calendar import date_predicate
from temporal_recall.dataflows.zh_time.spans import fixed_date, fixed_month, standing
from temporal_recall.dataflows.zh_time.tokens import Predicate, Rank

RULES = Rules()

_BEFORE = r"(?<![0-9a-z_./:])(?<![^0-9]-)"
_AFTER = r"(?![0-9a-z_]|[./:][0-9a-z]|-[a-z])"


@RULES(
    "stamp",
    "12",
    r"(?<![0-9a-z])(?P<y>[12][0-9]{3})[-/.年](?P<mo>0?[1-9]|1[0-2])[-/.月](?P<d>[0-3][0-9]|[1-9])日?[ t]{0,3}"
    r"(?P<h>[01]?[0-9]|2[0-3]):(?P<mi>[0-5][0-9])(?::(?P<s>[0-5][0-9])(?:\.[0-9]{1,9})?)?(?P<zone>z|[+-][01][0-9]:?[0-5][0-9])?(?![0-9:])",
)
def _stamp(m: Match[str]) -> Predicate | None:
    year, month, day, hour, minute, second = (int(m[part] or 0) for part in ("y", "mo", "d", "h", "mi", "s"))
    start = datetime(year, month, day, hour, minute, second)
    unit: Literal["second", "minute"] = "second" if m["s"] else "minute"
    stated: dict[str, int | str] = {
        "year": start.year,
        "month": start.month,
        "day": start.day,
        "hour": start.hour,
        "minute": start.minute,
    }
    if m["zone"]:
        stated["zone"] = "UTC" if m["zone"] == "z" else m["zone"]
    window = exact(start, shifted(start, unit, 1))
    return Predicate(Rank.CLOCK, unit, place=standing(window), stated=stated)


@RULES(
    "numeric-date",
    "12",
    r"(?<![0-9a-z_/:])(?P<y>[12][0-9]{3})(?P<sep>[-/.])(?P<mo>0?[1-9]|1[0-2])[-/.](?P<d>[0-2]?[0-9]|3[01])(?:日|号)?(?:(?=t)t)?(?![0-9]|[./_][0-9])",
)
def _numeric_date(m: Match[str]) -> Predicate | None:
    return fixed_date(int(m["y"]), int(m["mo"]), int(m["d"]))


@RULES(
    "spaced-date",
    "12",
    r"(?<![0-9a-z.])(?P<y>(?:19|20)[0-9]{2}) (?P<mo>0?[1-9]|1[0-2]) (?P<d>0?[1-9]|[12][0-9]|3[01])(?![0-9a-z.]| ?[0-9])",
)
def _spaced_date(m: Match[str]) -> Predicate | None:
    return fixed_date(int(m["y"]), int(m["mo"]), int(m["d"]), weak=True)


@RULES(
    "numeric-month",
    "12",
    rf"{_BEFORE}(?P<y>(?:19|20)[0-9]{{2}})(?P<sep>[-/.])(?P<mo>0?[1-9]|1[0-2])(?![0-9a-z_]|[./:][0-9a-z])(?!-[0-9]{{1,2}}(?![0-9.]))",
)
def _numeric_month(m: Match[str]) -> Predicate:
    month = fixed_month(int(m["y"]), int(m["mo"]))
    return Predicate(
        month.rank, month.grain, place=month.place, stated=month.stated, weak=m["sep"] != "-" or len(m["mo"]) < 2
    )


@RULES(
    "day-month-year",
    DIGITS,
    rf"{_BEFORE}(?:(?P<a>[0-9]{{1,2}})/(?P<b>[0-9]{{1,2}})/(?P<y>(?:19|20)?[0-9]{{2}})|(?P<d2>[0-9]{{1,2}})(?P<sep>[.-])(?P<mo2>[0-9]{{1,2}})[.-](?P<y2>(?:19|20)[0-9]{{2}})){_AFTER}",
)
def _day_month_year(m: Match[str]) -> Predicate | None:
    if m["y2"]:
        return fixed_date(int(m["y2"]), int(m["mo2"]), int(m["d2"]))
    first, second, year = int(m["a"]), int(m["b"]), int(m["y"])
    month, day = (first, second) if first <= 12 else (second, first)
    return fixed_date(year if year > 99 else 2000 + year, month, day)


@RULES(
    "compact-date",
    "12",
    r"(?<![0-9a-z_.-])(?P<y>(?:19|20)[0-9]{2})(?P<mo>0[1-9]|1[0-2])(?P<d>0[1-9]|[12][0-9]|3[01])(?![0-9a-z_]|[.-][0-9])",
)
def _compact_date(m: Match[str]) -> Predicate | None:
    return fixed_date(int(m["y"]), int(m["mo"]), int(m["d"]), weak=True)


@RULES(
    "month-slash-day",
    DIGITS,
    r"(?<![0-9a-z_./+])(?<![0-9]:)(?<![^0-9]-)(?P<mo>0?[1-9]|1[0-2])(?P<sep>[./])(?P<d>0?[1-9]|[12][0-9]|3[01])(?:[日号])?(?![0-9a-z_%]|[./:][0-9]|[元块亿万米折倍版]|[ ]?(?:个|小时|天|周|年|分|秒|月|星期|点|h))",
)
def _month_slash_day(m: Match[str]) -> Predicate | None:
    return date_predicate(int(m["mo"]), int(m["d"]), weak=m[0][-1] not in "日号")
