"""Rules for English words in mixed text: last week的会议, 3pm, Aug 15, two days ago, by Monday."""

from __future__ import annotations

from dataclasses import replace
from re import Match
from typing import get_args

from temporal_recall.dataflows.zh_time import finders
from temporal_recall.dataflows.zh_time.calendar import DAY, Unit, Window, exact, midnight
from temporal_recall.dataflows.zh_time.lexer import Rules
from temporal_recall.dataflows.zh_time.numerals import DIGITS
from temporal_recall.dataflows.zh_time.rules_calendar import date_predicate, month_predicate, weekday_predicate
from temporal_recall.dataflows.zh_time.rules_calendar import day_predicate as day_of_month
from temporal_recall.dataflows.zh_time.rules_clock import PARTS
from temporal_recall.dataflows.zh_time.rules_relative import day_predicate
from temporal_recall.dataflows.zh_time.spans import calendar_year, fixed_date, fixed_month, from_now, inside_unit
from temporal_recall.dataflows.zh_time.tokens import Amount, Clock, Mark, Now, Part, Placer, Predicate, Reach

RULES = Rules()

_B, _E = r"(?<![a-z0-9_])", r"(?![a-z_])"
_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTH_NUMBERS = (
    {name: n + 1 for n, name in enumerate(_MONTHS)} | {name[:3]: n + 1 for n, name in enumerate(_MONTHS)} | {"sept": 9}
)
_MONTH = "|".join(sorted(_MONTH_NUMBERS, key=len, reverse=True))
_SURE_MONTH = "january|february|april|june|july|august|september|october|november|december"
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAY_NUMBERS = {name: n for n, name in enumerate(_DAYS)} | {
    "mon": 0,
    "tue": 1,
    "tues": 1,
    "wed": 2,
    "thu": 3,
    "thur": 3,
    "thurs": 3,
    "fri": 4,
    "sat": 5,
    "sun": 6,
}
_NUMBERS = {
    w: n + 1
    for n, w in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
} | {"a": 1, "an": 1, "couple of": 2, "a couple of": 2}
_NUMBER = r"[0-9]{1,4}|a couple of|couple of|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|an|a"
_UNITS: dict[str, Unit] = {u: u for u in get_args(Unit)}
_UNITS |= {"min": "minute", "sec": "second", "hr": "hour"}


@RULES(
    "english-day",
    "ty",
    rf"{_B}(?P<word>the day before yesterday|the day after tomorrow|yesterday|today|tomorrow|tmr|tmrw){_E}(?![(._]|[ ]?(?:变量|函数|字段|方法|参数|属性|接口))",
)
def _day(m: Match[str]) -> Predicate:
    offsets = {"the day before yesterday": -2, "yesterday": -1, "today": 0, "the day after tomorrow": 2}
    return day_predicate(offsets.get(m["word"], 1))


@RULES("english-day-before-part", "lt", rf"{_B}(?P<word>to(?=night)|last (?=night)|this (?=morning|afternoon|evening))")
def _day_before_part(m: Match[str]) -> Predicate:
    return day_predicate(-1 if m["word"] == "last " else 0)


@RULES(
    "english-part",
    "aeimn",
    rf"(?<![a-su-z0-9_])(?:in the )?(?P<word>morning|afternoon|evening|night){_E}|(?<=to)(?P<tonight>night){_E}",
)
def _part(m: Match[str]) -> Part:
    return PARTS[{"morning": "早上", "afternoon": "下午"}.get(m["word"] or "", "晚上")]


@RULES(
    "english-weekday",
    "flmnostw",
    rf"{_B}(?:(?P<side>last|next|this|on)[ ])?(?P<day>{'|'.join(_DAYS)}){_E}|{_B}(?P<side2>last|next|this|on)[ ](?P<day2>mon|tues?|wed|thu(?:rs?)?|fri|sat|sun){_E}",
)
def _weekday(m: Match[str]) -> Predicate:
    number = _DAY_NUMBERS[m["day"] or m["day2"]]
    side = m["side"] or m["side2"]
    if side in (None, "on"):
        return weekday_predicate(number)
    offset = {"last": -1, "next": 1}.get(side, 0)
    stated = {"week": offset, "weekday": number + 1}
    named = inside_unit("week", offset, finders.weekday(number), "day", stated)
    return replace(named, place=_last_or_next(number, offset)) if offset else named


def _last_or_next(number: int, offset: int) -> Placer:
    """Last Friday is the one of last week, or the latest: where they are two, neither leads. Next Friday may be the one to come."""

    def place(now: Now) -> Window:
        today, near = midnight(now.moment), midnight(now.moment) + DAY * (number - now.moment.weekday())
        named = exact(near + 7 * DAY * offset, near + DAY + 7 * DAY * offset)
        if offset < 0:
            return named if near >= today else exact(named.start, near + DAY)
        return named.widened(near, named.end) if near > today else named

    return place


@RULES(
    "english-short-weekday",
    "fmstw",
    rf"{_B}(?:(?P<sure>tues?|(?<!newly )wed|thur?s?|fri)(?![a-z0-9_(.=-])|(?P<odd>mon|sat|sun)(?=[,/]?[ ]?(?:[0-9]{{1,2}}(?:[:点号/]|[ ]?[ap]m)|at[ ][0-9]|noon|morning|afternoon|evening|night|[上下中]午|[早晚])|[,。)]|$))",
)
def _short_weekday(m: Match[str]) -> Predicate:
    return weekday_predicate(_DAY_NUMBERS[m["sure"] or m["odd"]])


@RULES(
    "english-ordinal-day",
    DIGITS + "t",
    rf"{_B}(?:the[ ](?P<day>[0-9]{{1,2}})|(?P<day2>(?:(?<=on )|(?<=by )|(?<=due )|(?<=before )|(?=[0-9]{{1,2}}[a-z]{{2}}[ ]?[一-龥]))[0-9]{{1,2}}))(?:st|nd|rd|th)(?=$|[^0-9a-z -]|[ ]?[一-龥]|[ ](?:is|was|at|for|to|and|or|in|if|we|i|would|will|works?|instead|morning|afternoon|evening|night|noon)(?![a-z]))",
)
def _ordinal_day(m: Match[str]) -> Predicate | None:
    return day_of_month(int(m["day"] or m["day2"]))


@RULES(
    "english-unit",
    "clnpt",
    rf"{_B}(?:(?P<side>last|past|previous|next|coming|this|current)[ ])(?P<unit>week|month|quarter|year){_E}(?!end)",
)
def _unit(m: Match[str]) -> Predicate:
    offset = {"this": 0, "current": 0, "next": 1, "coming": 1}.get(m["side"], -1)
    return from_now(_UNITS[m["unit"]], offset)


@RULES("english-month-end", "te", rf"{_B}(?:the[ ])?end[ ]of[ ](?P<side>the|this|next|last)[ ]month{_E}")
def _month_end(m: Match[str]) -> Predicate:
    offset = {"last": -1, "next": 1}.get(m["side"], 0)
    return inside_unit(
        "month", offset, finders.days_of_month(25, 31, 21, 31), "week", {"month": offset, "part": "底"}, None
    )


@RULES("english-weekend", "lnotw", rf"{_B}(?:(?P<side>last|next|this|the|on the)[ ])?weekend{_E}")
def _weekend(m: Match[str]) -> Predicate:
    offset = {"last": -1, "next": 1}.get(m["side"] or "", 0)
    return inside_unit("week", offset, finders.weekend, "weekend", {"week": offset}, None if offset else "week")


@RULES(
    "english-date",
    "adfjmnos",
    rf"{_B}(?P<month>{_MONTH})\.?[ ](?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?(?:,?[ ](?P<year>(?:19|20)[0-9]{{2}}))?(?![0-9a-z:])",
)
def _date(m: Match[str]) -> Predicate | None:
    return _dated(m)


def _dated(m: Match[str]) -> Predicate | None:
    month, day = _MONTH_NUMBERS[m["month"]], int(m["day"])
    return fixed_date(int(m["year"]), month, day) if m["year"] else date_predicate(month, day)


@RULES(
    "english-day-first",
    DIGITS + "t",
    rf"{_B}(?:the )?(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?[ ](?:of )?(?P<month>{_MONTH})\.?(?:,?[ ](?P<year>(?:19|20)[0-9]{{2}}))?(?![0-9a-z])",
)
def _day_first(m: Match[str]) -> Predicate | None:
    return _dated(m)


@RULES(
    "english-month",
    "adfijlnost",
    rf"{_B}(?:(?:in|last|next|this)[ ](?P<month>{_MONTH})|(?P<month2>{_SURE_MONTH}))(?:,?[ ](?P<year>(?:19|20)[0-9]{{2}}))?(?![0-9a-z])",
)
def _month(m: Match[str]) -> Predicate | None:
    month = _MONTH_NUMBERS[m["month"] or m["month2"]]
    return fixed_month(int(m["year"]), month) if m["year"] else month_predicate(month)


@RULES("english-year", "i", rf"{_B}in[ ](?P<year>(?:19|20)[0-9]{{2}})(?![0-9a-z])")
def _year(m: Match[str]) -> Predicate:
    return calendar_year(int(m["year"]))


@RULES(
    "english-reach",
    "clnpt",
    rf"{_B}(?:the )?(?P<word>last|past|previous|next|coming)[ ](?=(?:[0-9]|two|three|four|five|six|seven|eight|nine|ten|couple|few|several))",
)
def _reach(m: Match[str]) -> Reach:
    return Reach("future", "coming") if m["word"] in ("next", "coming") else Reach("past", "recent")


@RULES("english-in", "i", rf"{_B}in[ ](?=(?:{_NUMBER})[ ](?:second|minute|hour|day|week|month|year))")
def _in(m: Match[str]) -> Reach:
    return Reach("future", "point")


@RULES(
    "english-length",
    DIGITS + "acefnost",
    rf"{_B}(?P<n>{_NUMBER})[ ]?(?P<unit>(?<![a-z] )seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|quarters?|years?){_E}",
)
def _length(m: Match[str]) -> Amount:
    word = m["n"]
    count = int(word) if word.isdigit() else _NUMBERS[word]
    return Amount(((_UNITS[m["unit"].removesuffix("s")], count),))


@RULES(
    "english-bound",
    "bu",
    rf"{_B}(?P<word>by|before|until)[ ](?=(?:{'|'.join(_DAYS)}|today|tomorrow|tonight|next|this|(?:the )?end|{_MONTH}|(?:the )?[0-9]))",
)
def _bound(m: Match[str]) -> Mark:
    return Mark("by")


@RULES("english-clock", " ", r"[ ]at[ ](?P<hour>1?[0-9]|2[0-3])(?::(?P<minute>[0-5][0-9]))?(?![0-9:%a-z])")
def _clock(m: Match[str]) -> Clock:
    hour = int(m["hour"])
    return Clock(hour, int(m["minute"] or 0), grain="minute" if m["minute"] else "hour", known=hour > 12, weak=True)
