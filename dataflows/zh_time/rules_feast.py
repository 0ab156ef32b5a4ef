"""Rules for holidays, feasts, solar terms, seasons and lunar dates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from re import Match

from temporal_recall.dataflows.zh_time import almanac
from temporal_recall.dataflows.zh_time.calendar import DAY, Window, exact, unit_window, years_of
from temporal_recall.dataflows.zh_time.feasts import FEAST_PATTERN, FEAST_WITH_SUFFIX, FEAST_WORDS, Feast, feast_named
from temporal_recall.dataflows.zh_time.lexer import Rules, first_characters
from temporal_recall.dataflows.zh_time.numerals import SMALL, SMALL_STARTS, whole
from temporal_recall.dataflows.zh_time.tokens import Finder, Now, Predicate, Rank

RULES = Rules()

_LUNAR_MONTHS = {"正": 1, "冬": 11, "腊": 12, "元": 1}
_LUNAR_MONTH = rf"(?P<leap>闰)?(?P<month>{SMALL}|正|冬|腊|元)月"
_NEW_YEAR_SEASON = timedelta(days=45)
_SCHOOL = r"学生|的?(?:[语数英物化生政历地]|孩子|家长|课|题|班主任|暑假|寒假)|[上下]学期|[上下]册|毕业|班|升|年级"
_LUNAR_DAY = rf"(?P<day>初(?:十|[一二三四五六七八九]|10|[1-9])|{SMALL})"


def feast_predicate(name: str) -> Predicate:
    """A feast as a day of the year with its announced days off as wide range."""
    feast = feast_named(name)
    return Predicate(
        Rank.DAY, "day", feast_finder(feast), scope="year", stated={"feast": feast.name}, forward=True, wall=True
    )


@lru_cache(maxsize=512)
def feast_finder(feast: Feast) -> Finder:
    """The spans of a feast, year by year, wide by its days off."""

    def find(window: Window) -> Iterator[Window]:
        for year in years_of(window):
            found = _feast_window(feast, year)
            if found is not None:
                yield found

    return find


@lru_cache(maxsize=4096)
def _feast_window(feast: Feast, year: int) -> Window | None:
    span = feast.span(year)
    if span is None:
        return None
    window = exact(*map(almanac.at_midnight, span))
    if not feast.public:
        return window
    return window.widened(*map(almanac.at_midnight, almanac.days_off_around(span[0])))


@RULES("feast", first_characters(FEAST_WORDS), FEAST_PATTERN)
def _feast(m: Match[str]) -> Predicate:
    return feast_predicate(m[0])


@RULES("feast-in-short", "56七三五八六十", FEAST_WITH_SUFFIX)
def _feast_in_short(m: Match[str]) -> Predicate:
    return feast_predicate(m["short"] or m["short2"])


@RULES(
    "solar-term",
    "冬处夏大寒小惊春白秋立芒谷雨霜",
    r"立春|雨水(?=节气|这天|那天|前|后|$)|惊蛰|春分|谷雨|立夏|小满(?=节气|这天|那天|前|后|$)|芒种|夏至|小暑|大暑|立秋|处暑|白露(?!酒)|秋分|寒露|霜降|立冬|小雪(?=节气|这天|那天|前|后|$)|大雪(?=节气|这天|那天|$)|冬至|小寒|大寒",
)
def _solar_term(m: Match[str]) -> Predicate:
    return Predicate(Rank.DAY, "day", _term_finder(m[0]), scope="year", stated={"term": m[0]}, forward=True, wall=True)


@lru_cache(maxsize=32)
def _term_finder(name: str) -> Finder:
    late = name in ("小寒", "大寒")

    def find(window: Window) -> Iterator[Window]:
        for year in years_of(window):
            day = almanac.at_midnight(almanac.solar_terms(year + (1 if late else 0))[name])
            yield exact(day, day + DAY)

    return find


@RULES(
    "season",
    "仲入冬初夏开春暮深秋",
    r"(?P<season>[春夏秋冬])(?:天(?!的?(?:童话|第一杯))|季(?!赛))|(?:开|入|初|深|暮|仲)(?P<season2>[春夏秋冬])|(?<=[年个])(?P<season3>[春夏秋冬])(?![节雨笋游])",
)
def _season(m: Match[str]) -> Predicate:
    season = m["season"] or m["season2"] or m["season3"]
    return Predicate(
        Rank.HALF, "quarter", _season_finder(season), scope="year", stated={"season": season}, forward=True, wall=True
    )


@lru_cache(maxsize=4)
def _season_finder(season: str) -> Finder:
    first, last = {"春": ("立春", "立夏"), "夏": ("立夏", "立秋"), "秋": ("立秋", "立冬"), "冬": ("立冬", "立春")}[
        season
    ]

    def find(window: Window) -> Iterator[Window]:
        for year in years_of(window):
            start = almanac.solar_terms(year)[first]
            end = almanac.solar_terms(year + (season == "冬"))[last]
            yield exact(almanac.at_midnight(start), almanac.at_midnight(end))

    return find


@RULES(
    "lunar-date", "农旧阴", rf"(?:(?:农历|阴历|旧历)(?:的)?{_LUNAR_MONTH}(?:的)?{_LUNAR_DAY}(?:[日号])?)(?!个|点|月)"
)
def _lunar_date(m: Match[str]) -> Predicate | None:
    return _lunar(m["month"], m["day"], bool(m["leap"]))


@RULES(
    "lunar-date-words",
    SMALL_STARTS + "冬正腊闰",
    rf"(?P<leap>闰)?(?P<month>{SMALL}|正|冬|腊)月(?:的)?(?P<day>初(?:十|[一二三四五六七八九]|10|[1-9])|廿[一二三四五六七八九十]?(?![日号一二三四五六七八九]))",
)
def _lunar_date_words(m: Match[str]) -> Predicate | None:
    return _lunar(m["month"], m["day"], bool(m["leap"]))


@RULES(
    "lunar-month-day", "冬正腊闰", rf"(?P<leap>闰)?(?P<month>正|冬|腊)月(?:的)?(?P<day>{SMALL})(?:日)?(?![个点月天])"
)
def _lunar_month_day(m: Match[str]) -> Predicate | None:
    return _lunar(m["month"], m["day"], bool(m["leap"]))


@RULES(
    "new-year-day", "大年", r"(?:大年|年)(?P<day>初(?:十|[一二三四五六七八九]|10|[1-9]))|大年(?P<day2>十[一二三四五])"
)
def _new_year_day(m: Match[str]) -> Predicate | None:
    return _lunar("正", m["day"] or m["day2"], False)


_GRADE_FREE = r"[四五六七八九]|十"
_FESTIVE = re.compile(r"春节|过年|新年|拜年|除夕|大年|正月|年三十|年夜|红包|娘家|走亲|年货")
_USE_OF_DAY = r"[ ]?(?:[上下中]午|[早晚]|凌晨|[那当这][天日]|[去回走来到有在要]|[一就才都再]|上班|开[工市门]|返|出发|祭|拜|见|约|请|休|值班|开始|[之以]?[前后]|[,、到至-]|$)"


@RULES(
    "lunar-day",
    "初",
    rf"初(?:(?P<day>{_GRADE_FREE})|(?<![上读念升教带是]初)(?P<grade>[一二三])(?!{_SCHOOL}))(?![年级中])",
)
def _lunar_day(m: Match[str]) -> Predicate | None:
    """初八: of the first month about the Spring Festival, else of the lunar month at hand. 初二 may be a school year."""
    festive = _FESTIVE.search(m.string) is not None
    used = re.compile(_USE_OF_DAY).match(m.string, m.end()) is not None
    if m["grade"] and not (festive or used):
        return None
    return lunar_day_predicate(whole(m["day"] or m["grade"]), festive)


def lunar_day_predicate(day: int, festive: bool) -> Predicate:
    """A day of the lunar month at hand; of the first month in festive talk and in the weeks about the Spring Festival."""

    def place(now: Now) -> Window:
        year = now.moment.year
        months = [m for y in (year - 1, year, year + 1) for m in almanac.lunar_month_starts(y)]
        new_years = [almanac.at_midnight(start) for start, number in months if number == 1]
        at_hand = [d for d in new_years if abs(d - now.moment) <= _NEW_YEAR_SEASON]
        every_month = [almanac.at_midnight(start) for start, _ in months]
        starts = at_hand or (new_years if festive else every_month)
        days = [start + DAY * (day - 1) for start in starts]
        return _day_by_tense(days, now)

    return Predicate(Rank.DAY, "day", place=place, stated={"lunar_day": day})


def _day_by_tense(days: list[datetime], now: Now) -> Window:
    """The latest of some days for the past, else the next one that is not over; the last where none is to come."""
    if now.tense == "past":
        chosen = next((d for d in reversed(days) if d <= now.moment), days[0])
    else:
        chosen = next((d for d in days if d + DAY > now.moment), days[-1])
    return exact(chosen, chosen + DAY)


@RULES(
    "lunar-month",
    "农冬旧正腊闰阴",
    rf"(?:农历|阴历|旧历)(?:的)?{_LUNAR_MONTH}|(?P<leap2>闰)(?P<month2>{SMALL})月|(?P<month3>[正腊冬])月(?!瓜)",
)
def _lunar_month(m: Match[str]) -> Predicate | None:
    month = m["month"] or m["month2"] or m["month3"]
    return lunar_month_predicate(_LUNAR_MONTHS.get(month) or whole(month), bool(m["leap"] or m["leap2"]))


def _lunar(month: str, day: str, leap: bool) -> Predicate | None:
    number = _LUNAR_MONTHS.get(month) or whole(month)
    return lunar_predicate(-number if leap else number, whole(day.removeprefix("初")))


def lunar_predicate(month: int, day: int) -> Predicate | None:
    """A day of the lunar year; a negative month is a leap month."""
    if not (1 <= abs(month) <= 12 and 1 <= day <= 30):
        return None

    def find(window: Window) -> Iterator[Window]:
        for year in years_of(window):
            found = almanac.lunar_day(year, month, day)
            if found is not None:
                start = almanac.at_midnight(found)
                yield exact(start, start + DAY)

    stated: dict[str, int | str] = {"lunar_month": month, "lunar_day": day}
    return Predicate(Rank.DAY, "day", find, scope="year", stated=stated, forward=True)


def lunar_month_predicate(month: int, leap: bool = False) -> Predicate | None:
    """A month of the lunar year."""
    if not 1 <= month <= 12:
        return None
    number = -month if leap else month

    def find(window: Window) -> Iterator[Window]:
        for year in years_of(window):
            found = almanac.lunar_month(year, number)
            if found is not None:
                yield exact(*(almanac.at_midnight(d) for d in found))

    return Predicate(Rank.MONTH, "month", find, scope="year", stated={"lunar_month": number}, forward=True)


@RULES(
    "around-new-year",
    "年",
    r"(?<![0-9零一二三四五六七八九十百几多半两整周同往前后学青少成当历流童近去今明每全长高大壮中老几])年(?=前(?!夜|后|轻|年)|后(?!年))",
)
def _around_new_year(m: Match[str]) -> Predicate:
    """年前, 年后: in winter the Spring Festival, else the turn of the year."""
    feast = feast_finder(feast_named("春节"))

    def place(now: Now) -> Window:
        year = now.moment.year + (now.moment.month >= 10)
        if now.moment.month in (10, 11, 12, 1, 2, 3):
            return next(iter(feast(unit_window(datetime(year, 6, 1), "year"))))
        return unit_window(datetime(now.moment.year + 1, 1, 1), "day")

    return Predicate(Rank.DAY, "day", place=place, stated={"feast": "春节"}, wall=True)
