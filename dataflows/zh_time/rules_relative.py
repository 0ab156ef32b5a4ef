"""Rules for days, weeks, months and years counted from now, and for now itself."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from functools import lru_cache
from re import Match

from temporal_recall.dataflows.zh_time.calendar import DAY, Unit, Window, exact, shifted, unit_window
from temporal_recall.dataflows.zh_time.lexer import Rules
from temporal_recall.dataflows.zh_time.spans import around_now, days_from, from_now
from temporal_recall.dataflows.zh_time.tokens import Mark, Now, Predicate, Rank

RULES = Rules()

_DAY_OFFSETS = {
    "今": 0,
    "本": 0,
    "当": 0,
    "即": 0,
    "昨": -1,
    "寻": -1,
    "琴": -1,
    "噚": -1,
    "前": -2,
    "明": 1,
    "听": 1,
    "后": 2,
    "翌": 1,
    "次": 1,
}
_DAY_NOUN = (
    r"(?:天(?![赋使资性津]|生(?!日|产|病|孩|娃|了)|气预|文)|日(?!子|本|常|语|报|程|历|久|复|益|渐|元|后|方舟|头条|之))"
)


@lru_cache(maxsize=512)
def day_predicate(offset: int) -> Predicate:
    """The civil day so many days from today; just after midnight today may still mean the day before."""

    def place(now: Now) -> Window:
        window = unit_window(now.moment, "day", offset)
        late = now.moment.hour < 5 and now.tense == "past" and offset == 0
        return window.widened(window.start - DAY, window.end) if late else window

    return Predicate(Rank.DAY, "day", place=place, stated={"day_offset": offset})


@RULES("that-day", "那当这", r"(?<=[节庆旦夕秋午暑寒分至日号天一二三四五六0-9])(?:那|当|这)[天日](?!气|空|才|生)的?")
def _that_day(m: Match[str]) -> Mark:
    """国庆当天, 9月5号那天: says nothing that the date before it did not say."""
    return Mark("plain")


@RULES(
    "days-together",
    "今前明昨",
    r"(?P<days>昨今明|今明后|前昨今|今明|明后|昨今|今昨|前昨|昨前)(?P<tail>[天日]|[两三俩仨二]天)(?![生赋使资性津])",
)
def _days_together(m: Match[str]) -> Predicate:
    offsets = [_DAY_OFFSETS[d] for d in m["days"]]
    return around_now(lambda now, tense: days_from(now, *(min(offsets), max(offsets) + 1) * 2), "day")


@RULES("days-listed", "今前后大明昨", r"大?[今昨明前后]天(?:大?[今昨明前后]天){1,4}(?:[两三四五]天)?")
def _days_listed(m: Match[str]) -> Predicate:
    words = re.findall(r"(大?)([今昨明前后])天", m[0])
    offsets = [_DAY_OFFSETS[d] + bool(big) * (1 if d in "明后" else -1) for big, d in words]
    return around_now(lambda now, tense: days_from(now, *(min(offsets), max(offsets) + 1) * 2), "day")


@RULES(
    "day-offset",
    "今前即后听噚大寻当明昨本次琴翌",
    rf"(?P<big>大{{0,4}})(?P<day>[今昨寻琴噚前明听后翌]){_DAY_NOUN}|(?P<day3>当)天(?!空|才|生)|(?P<day2>[本当即次])日(?!子|本|常|语|报|程|历|志|元|内|耳)",
)
def _day_offset(m: Match[str]) -> Predicate:
    if m["day3"]:
        return replace(day_predicate(0), weak=True)
    offset = _DAY_OFFSETS[m["day"] or m["day2"]]
    big = len(m["big"] or "")
    return day_predicate(offset + big * (1 if offset > 0 else -1))


@RULES(
    "day-before-part",
    "今前听噚大寻当明昨次琴翌",
    r"(?P<day>[今昨寻琴噚明听当]|(?<!大)前|大前|翌|(?<![上下这那几两每一二三四五多首历])次)(?=[晚早晨夜]|凌晨|清晨|(?<=[今听寻琴噚])朝|朝[早晚0-9一二三四五六七八九十])",
)
def _day_before_part(m: Match[str]) -> Predicate:
    return day_predicate(_DAY_OFFSETS[m["day"][-1]] - (1 if m["day"].startswith("大") else 0))


@RULES(
    "day-colloquial",
    "今前后明昨",
    r"(?P<day>[今昨明]|前|后)儿(?:个(?!子))?(?!童|子|女|科|媳|歌|时)|(?P<day2>[今昨明前后])个儿",
)
def _day_colloquial(m: Match[str]) -> Predicate:
    return day_predicate(_DAY_OFFSETS[m["day"] or m["day2"]])


@RULES(
    "year-offset",
    "上下今出前去后大当旧明本次翌",
    r"(?P<big>大{0,3})(?P<year>[今去前明后])年(?:度)?(?!糕|轮|画|级|货|兽|夜里|轻|间|薪|会上)|(?P<year2>本|当|上|下|旧|出|翌|次)年(?:度)?(?!级|纪|龄|轻|糕)",
)
def _year_offset(m: Match[str]) -> Predicate:
    offsets = {
        "今": 0,
        "本": 0,
        "当": 0,
        "旧": -1,
        "出": 1,
        "翌": 1,
        "次": 1,
        "去": -1,
        "上": -1,
        "前": -2,
        "明": 1,
        "下": 1,
        "后": 2,
    }
    offset = offsets[m["year"] or m["year2"]]
    big = len(m["big"] or "")
    return from_now("year", offset + big * (1 if offset > 0 else -1), weak=m["year2"] == "当")


_UNITS: dict[str, Unit] = {
    "周": "week", "星期": "week", "礼拜": "week", "拜": "week", "月": "month", "季": "quarter", "年": "year", "天": "day", "小时": "hour",
    "钟头": "hour", "世纪": "century", "年代": "decade",
}  # fmt: skip
_THIS = r"[这本今当]|现在这|眼下这|今个|这个"


@RULES(
    "unit-offset",
    "上下今前呢大当本该这",
    r"(?P<big>大?)(?P<side>上{1,4}|下{1,4}|[这本今当该呢]|(?<![节庆旦夕秋午日号天年月周末提术饭餐睡行会考赛课产婚发飞签])前(?=一|个(?!月后)))(?P<one>[一1]?)(?P<measure>个?)(?:自然|整)?"
    r"(?P<unit>周(?!杰伦|星驰|迅|润发|恩来|瑜|深|冬雨|鸿祎|作人|树人|树|末了|(?<=这周)边|围|报(?![了名告销价到修警废备考])|刊|年(?![会终度])|岁)"
    r"|星期|礼拜|拜(?=[一二三四五六])|月(?!亮|饼|球|经(?![费济营理过常历典])|薪|票|嫂|台|老|色|食|光)份?|季度?(?!节|风|军)|年度?(?!级|纪|轻|糕|轮|代)|世纪|天(?!气|下|生|使)|小时|钟头)",
)
def _unit_offset(m: Match[str]) -> Predicate | None:
    side, unit = m["side"], _UNITS[m["unit"].removesuffix("度").removesuffix("份")]
    size = len(side) + len(m["big"])
    offset = {"上": -size, "前": -1, "下": size}.get(side[0], 0)
    if not _said_that_way(side, m["one"], m["measure"], unit):
        return None
    if unit == "hour" and offset:
        return around_now(lambda now, tense: exact(*sorted((now, shifted(now, "hour", offset)))), "hour")
    return _next_by_name(unit) if m["measure"] and offset == 1 and unit == "week" else from_now(unit, offset)


def _next_by_name(unit: Unit) -> Predicate:
    """下个周三 is next week's Wednesday, but some mean the next Wednesday to come."""
    return Predicate(
        Rank.WEEK,
        "week",
        place=lambda now: unit_window(now.moment, unit, 1),
        stated={unit: 1, "measure": 1},
    )


def _said_that_way(side: str, one: str, measure: str, unit: Unit) -> bool:
    """Whether the words are idiomatic: 上年 and 这天 are not, 上一天 and 这一天 are."""
    if unit == "day":
        return bool(one) and side[0] in "这上下"
    if unit in ("hour", "century", "decade"):
        return bool(one or measure or side in "本上下" or unit == "century")
    return bool(one or measure) or side[0] != "前"


@RULES(
    "now",
    "n依如宜当此现目而这",
    r"此时此刻|此[时刻](?!外)|现在|当前|目前|如今|依家|而家|宜家|当下|现时|这会儿|(?<![a-z])now(?![a-z])",
)
def _now(m: Match[str]) -> Predicate:
    def place(now: Now) -> Window:
        return exact(now.moment, now.moment + timedelta(seconds=1))

    return Predicate(Rank.CLOCK, "second", place=place, stated={"now": 1}, weak=True)


@RULES("right-now", "即立马", r"马上|立刻|立即|即刻")
def _right_now(m: Match[str]) -> Predicate:
    def place(now: Now) -> Window:
        return exact(now.moment, now.moment + timedelta(seconds=1))

    return Predicate(Rank.ERA, "second", place=place, stated={"now": 1}, weak=True)
