"""Rules for vague words: 最近, 这几天, 前阵子, 刚才, 过几天, and other stretches that no calendar fixes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from re import Match

from temporal_recall.dataflows.zh_time import finders
from temporal_recall.dataflows.zh_time.calendar import DAY, Window, midnight, shifted, unit_window
from temporal_recall.dataflows.zh_time.lexer import Rules
from temporal_recall.dataflows.zh_time.spans import around_now, days_from
from temporal_recall.dataflows.zh_time.tokens import Predicate, Rank
from temporal_recall.schemas.time import Grain

RULES = Rules()


def _recent(days: int, wide_days: int) -> Callable[[datetime, str | None], Window]:
    """The days up to now in a past clause, the month ahead in a plan."""

    def place(now: datetime, tense: str | None) -> Window:
        if tense == "plan":
            return days_from(now, 0, 30, 0, 45)
        day = midnight(now)
        return Window(day - DAY * days, now, day - DAY * wide_days, max(now, day + DAY))

    return place


@RULES(
    "recently",
    "lr最近这",
    r"最近(?![0-9一二两三四五六七八九十半几数好]|[的]?(?:医院|药店|地铁|超市|餐厅|厕所|银行|站|一[家个所]))|近来|近日|这阵子?|这段(?:时间|日子|时期)|近段时间|近一段时间|这一阵|最近这?(?:阵子?|段时间)|(?<![a-z])(?:recently|lately)(?![a-z])",
)
def _recently(m: Match[str]) -> Predicate:
    stretch = _recent(30, 60) if "阵" in m[0] or "段" in m[0] else _recent(14, 31)
    return around_now(stretch, "week")


@RULES("near-term", "近", r"近期|近些天")
def _near_term(m: Match[str]) -> Predicate:
    return around_now(_recent(14, 31), "week")


@RULES(
    "a-while-ago", "不前早", r"前(?:一)?(?:阵子?|段时间|段日子|些日子|些时候|些天|一阵)|早些时候|前不久|不久前|不久之前"
)
def _a_while_ago(m: Match[str]) -> Predicate:
    if "不久" in m[0] or "早些" in m[0]:
        return around_now(lambda now, tense: days_from(now, -30, 0, -60, 1), "week")
    return around_now(lambda now, tense: days_from(now, -60, -7, -90, 0), "week")


@RULES("these-days", "最近这", r"(?:最近)?这(?:几|些)[天日](?!气)|最近几天(?!前)|近几[天日](?!前)")
def _these_days(m: Match[str]) -> Predicate:
    def place(now: datetime, tense: str | None) -> Window:
        return days_from(now, 0, 5, -1, 6) if tense == "plan" else days_from(now, -4, 1, -5, 2)

    return around_now(place, "day")


@RULES("these-two-days", "最这", r"这[两俩二]天|这[两俩]日|最近[两俩]天(?!前)")
def _these_two_days(m: Match[str]) -> Predicate:
    def place(now: datetime, tense: str | None) -> Window:
        return days_from(now, 0, 2, 0, 3) if tense == "plan" else days_from(now, -1, 1, -2, 2)

    return around_now(place, "day")


@RULES(
    "past-days",
    "前",
    r"(?<![年月周一二三四五六日天号节庆旦夕秋午提术饭餐睡行会考赛课产婚发飞签])(?<![年月周]的)前(?P<n>几|[两俩]|些)[天日](?!晚|后)",
)
def _past_days(m: Match[str]) -> Predicate:
    days = 3 if m["n"] in "两俩" else 7
    return around_now(lambda now, tense: days_from(now, -days, 0, -days - 1, 1), "day")


@RULES(
    "days-ahead",
    "再改过",
    r"(?:再)?过(?P<n>几|[两俩]|些)[天日](?!前|子)|改天|改日(?![历期程子报])|过些日子|过阵子|过段时间",
)
def _days_ahead(m: Match[str]) -> Predicate:
    if m["n"] in ("两", "俩"):
        return around_now(lambda now, tense: days_from(now, 2, 4, 1, 8), "day")
    if m["n"]:
        return around_now(lambda now, tense: days_from(now, 2, 8, 1, 11), "day")
    return around_now(lambda now, tense: days_from(now, 2, 31, 1, 61), "day")


@RULES(
    "coming-days",
    "今后往接未随",
    r"(?:未来|接下来|往后|今后|随后|后面)(?:的)?(?:这)?几天|接下来(?!的?[0-9一二两三四五六七八九十半几]|该|怎|我们?来|请|是|的?(?:步骤|问题|内容))|未来一段时间",
)
def _coming_days(m: Match[str]) -> Predicate:
    days = 7 if "几天" in m[0] else 14
    return around_now(lambda now, tense: days_from(now, 0, days, 0, days + 4), "day")


@RULES("just-now", "j刚头方适", r"刚才|刚刚(?!好|够)|方才|适才|头先|(?<![a-z])just now(?![a-z])")
def _just_now(m: Match[str]) -> Predicate:
    return around_now(_hours(-1, 0, -4, 0), "hour")


@RULES(
    "soon",
    "一呆回待晚稍等过",
    r"(?:待|等|呆|稍|过)一?(?:会儿?|下儿?)(?!议|员|面|计|长|籍|签|场|费|班|车|雨|属|午)|一会儿?(?!功夫|工夫|议)|一阵间|回头(?=再|我|说|见|聊|给|发|帮|找)|稍后|稍候|晚点(?!了)|晚些时候",
)
def _soon(m: Match[str]) -> Predicate:
    return around_now(_hours(0, 6, 0, 8), "hour")


def _hours(first: float, last: float, wide_first: float, wide_last: float) -> Callable[[datetime, str | None], Window]:
    """A stretch of hours around now."""
    return lambda now, tense: Window(*(now + timedelta(hours=h) for h in (first, last, wide_first, wide_last)))


@RULES(
    "rest-of",
    "个今周天年星月本礼这",
    r"(?:这|本)?(?P<unit>周|星期|礼拜|个?月|年|天)(?:里)?(?:剩下|余下|剩余)(?:的)?(?:几天|日子|时间|那几天|几周|几个月)?|今年剩下的?(?:几个月|时间|日子)?|今天剩下的?(?:几个小时|时间)?",
)
def _rest_of(m: Match[str]) -> Predicate:
    word = m["unit"] or ("年" if "年" in m[0] else "天")
    unit = {"周": "week", "星期": "week", "礼拜": "week", "个月": "month", "月": "month", "年": "year", "天": "day"}[
        word
    ]

    def place(now: datetime, tense: str | None) -> Window:
        end = unit_window(now, unit).end  # type: ignore[arg-type]
        start = now if unit == "day" else midnight(now)
        return Window(start, end, start, end)

    return around_now(place, "day")


@RULES(
    "this-time-of",
    "上下前去明昨",
    r"(?P<unit>去年|前年|上个?月|上周|昨天|前天|明年|下个月|下周|明天)(?:的)?(?:这个?时候|这会儿?|此时|这时候?|同期|同一时间)",
)
def _this_time_of(m: Match[str]) -> Predicate:
    unit, offset = _THIS_TIME[m["unit"].replace("个", "")]

    def place(now: datetime, tense: str | None) -> Window:
        moment = shifted(now, unit, offset)  # type: ignore[arg-type]
        if unit == "day":
            return Window(moment, moment + timedelta(hours=1), moment - timedelta(hours=1), moment + timedelta(hours=2))
        slack = 7 if unit == "year" else 3 if unit == "month" else 1
        return days_from(moment, 0, 1, -slack, slack + 1)

    return around_now(place, "day")


_THIS_TIME = {
    "去年": ("year", -1), "前年": ("year", -2), "明年": ("year", 1), "上月": ("month", -1), "下月": ("month", 1), "上周": ("week", -1),
    "下周": ("week", 1), "昨天": ("day", -1), "前天": ("day", -2), "明天": ("day", 1),
}  # fmt: skip


@RULES("recent-years", "最过近这", r"(?:最近|近|这|过去)几年(?!级)|近年来?|这些年来?|这几年来?")
def _recent_years(m: Match[str]) -> Predicate:
    return _recent_units("year", 3, 5)


@RULES("recent-months", "最过近这", r"(?:最近|近|这|过去)几个?月")
def _recent_months(m: Match[str]) -> Predicate:
    return _recent_units("month", 3, 6)


@RULES("recent-weeks", "最过近这", r"(?:最近|近|这|过去)几个?(?:周|星期|礼拜)")
def _recent_weeks(m: Match[str]) -> Predicate:
    return _recent_units("week", 3, 5)


def _recent_units(unit: str, count: int, wide_count: int) -> Predicate:
    def place(now: datetime, tense: str | None) -> Window:
        day = midnight(now)
        start, wide = shifted(day, unit, -count), shifted(day, unit, -wide_count)  # type: ignore[arg-type]
        return Window(start, day + DAY, wide, day + DAY)

    grain: Grain = unit  # type: ignore[assignment]
    return around_now(place, grain)


@RULES("term", "上下本这", r"(?<![大高初研小][一二三四五六])(?<!年级)(?P<side>上上?|这|本|下)(?:个)?学期")
def _term(m: Match[str]) -> Predicate:
    offset = {"上": -1, "下": 1}.get(m["side"][0], 0) * len(m["side"])
    return around_now(lambda now, tense: _school_term(now, offset), "month")


def _school_term(now: datetime, offset: int) -> Window:
    """Terms run from 1 September to 31 January and from 1 February to 31 July; August leads into the next."""
    year = now.year if now.month >= 8 else now.year - 1
    index = 0 if now.month >= 8 or now.month == 1 else 1
    years, half = divmod(index + offset, 2)
    start = datetime(year + years, 9, 1) if half == 0 else datetime(year + years + 1, 2, 1)
    end = shifted(start, "month", 5 if half == 0 else 6)
    return Window(start, end, shifted(start, "month", -1), shifted(end, "month", 1))


@RULES("school-year", "上下本这", r"(?P<side>上|这|本|下)(?:个|一)?学年")
def _school_year(m: Match[str]) -> Predicate:
    offset = {"上": -1, "下": 1}.get(m["side"], 0)

    def place(now: datetime, tense: str | None) -> Window:
        start = datetime(now.year + offset - (now.month < 9), 9, 1)
        end = shifted(start, "year", 1)
        return Window(start, end, shifted(start, "month", -1), shifted(end, "month", 1))

    return around_now(place, "year", Rank.YEAR)


_MEALS = {"早": 8, "午": 12, "中": 12, "晚": 18}


@RULES("meal-time", "中早午晚", r"(?P<meal>[早午晚中])[饭餐](?:(?=[之以]?前)|(?P<after>[之以]?后))")
def _meal_time(m: Match[str]) -> Predicate:
    """午饭前 ends when lunch begins; 午饭后 are the two hours that follow."""
    hour = _MEALS[m["meal"]]
    hours, wide = ((hour + 1, hour + 3), (hour, hour + 5)) if m["after"] else ((hour, hour + 1), (hour - 1, hour + 2))
    find = finders.hours_of_day(hours, wide)
    return Predicate(Rank.PART, "part_of_day", find, scope="day", stated={"part": m[0]}, wall=True)


@RULES("off-work", "下", r"下班(?=前|之前|以前)|下班(?:后|之后|以后)")
def _off_work(m: Match[str]) -> Predicate | None:
    hours, wide_hours = ((18, 19), (17, 20)) if m[0] == "下班" else ((18, 24), (17, 29))
    find = finders.hours_of_day(hours, wide_hours)
    return Predicate(Rank.PART, "part_of_day", find, scope="day", stated={"part": m[0]})
