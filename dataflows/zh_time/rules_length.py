"""Rules for lengths of time, and for the words that lay a length before or after a moment."""

from __future__ import annotations

from re import Match

from temporal_recall.dataflows.zh_time.calendar import Unit
from temporal_recall.dataflows.zh_time.lexer import Rules
from temporal_recall.dataflows.zh_time.numerals import COUNT, COUNT_STARTS, FIGURES, SMALL, SMALL_STARTS, number
from temporal_recall.dataflows.zh_time.tokens import Amount, Reach

RULES = Rules()
REACH_RULES = Rules()

_UNITS: dict[str, Unit] = {
    "秒": "second", "秒钟": "second", "分": "minute", "分钟": "minute", "刻": "minute", "刻钟": "minute", "钟": "hour", "钟头": "hour",
    "小时": "hour", "时": "hour", "天": "day", "日": "day", "工作日": "workday", "周": "week", "星期": "week", "礼拜": "week",
    "月": "month", "季度": "quarter", "季": "quarter", "年": "year", "周年": "year", "年头": "year", "晚": "day", "晚上": "day", "夜": "day",
    "世纪": "century", "整天": "day", "h": "hour", "min": "minute", "mins": "minute", "分鐘": "minute", "学期": "half", "宿": "day",
    "周末": "week",
}  # fmt: skip
_UNIT = r"(?:秒钟?|分钟|刻钟?|钟头|钟|小时|工作日|整?天(?!气|下|生|使|文|然|空)|周年|周末|周(?![一二三四五六日末边围围刊报])|星期(?![一二三四五六日天])|礼拜(?![一二三四五六日天])|个?月(?!份|饼|亮)|季度|年头|年(?!级|纪|龄|代|糕|轻|终|底|初|末|中)|世纪|学期)"
_NO_COUNT = r"(?!一[定直起下样般共律并切边些])"
"""月底前一定 is 月底前 with 一定."""
_AMOUNT_TAIL = r"(?P<half>半)?(?P<unit>" + _UNIT + r")(?P<tail>半)?(?P<more>多)?"


@RULES(
    "half-length",
    "半",
    r"半(?:个)?(?P<unit>小时|钟头|钟|月|世纪|年|天|日(?=[内之游])|分钟|学期)(?P<tail>多)?(?!期|会|死|拉|空|块)",
)
def _half_length(m: Match[str]) -> Amount:
    return Amount(((_UNITS[m["unit"]], 0.5),))


@RULES("vague-length", "几十好数若", r"(?P<word>好几|几|数|若干|十几|几十|好些)(?:个)?(?P<unit>" + _UNIT + ")")
def _vague_length(m: Match[str]) -> Amount:
    counts = {"十几": (11, 19), "几十": (20, 90)}
    low, high = counts.get(m["word"], (3, 7))
    return Amount(((_unit(m["unit"]), low),), vague=True, upper=high)


@RULES(
    "two-counts-length",
    FIGURES + "两",
    r"(?P<a>[一两二三四五六七八九])(?P<b>[两二三四五六七八九])(?:个)?(?P<unit>" + _UNIT + ")",
)
def _two_counts(m: Match[str]) -> Amount | None:
    low, high = number(m["a"]), number(m["b"])
    if not low < high <= low + 3:
        return None
    return Amount(((_unit(m["unit"]), low),), upper=high)


@RULES(
    "length-before-range",
    COUNT_STARTS,
    rf"(?P<n>{COUNT})(?=[ ]?(?:到|至|-|~){{1,2}}[ ]?{COUNT}[ ]?个?(?P<unit>{_UNIT}))",
)
def _length_before_range(m: Match[str]) -> Amount | None:
    if m["unit"] == "年" and number(m["n"]) > 200:
        return None
    return Amount(((_unit(m["unit"]), number(m["n"])),))


@REACH_RULES("workday-before", "最的", r"(?<=前)(?:的)?最后(?P<n>一|两|[二三四五])个工作日")
def _workday_before(m: Match[str]) -> Amount:
    """国庆前最后一个工作日: so many working days before it."""
    return Amount((("workday", number(m["n"])),))


@RULES("nights-length", COUNT_STARTS, rf"(?P<n>{COUNT})[ ]?(?:天|日)(?P<nights>{COUNT})[ ]?[晚夜]")
def _nights(m: Match[str]) -> Amount:
    return Amount((("day", number(m["n"])),), nights=int(number(m["nights"])))


@RULES("big-half-length", "大", r"大半(?:个)?(?P<unit>天|年|月|夜)")
def _big_half(m: Match[str]) -> Amount:
    return Amount((("day" if m["unit"] == "夜" else _unit(m["unit"]), 0.5),), vague=True)


@RULES(
    "length",
    COUNT_STARTS,
    rf"(?P<n>{COUNT})[ ]?(?P<more>多|余|来)?[ ]?(?P<measure>个)?(?P<half>半)?(?:多)?(?:自然|整)?[ ]?(?P<unit>{_UNIT})(?P<tail>半|多)?",
)
def _length(m: Match[str]) -> Amount | None:
    unit = m["unit"]
    if unit == "月" and not m["measure"] and not m["half"]:
        return _months_without_measure(m)
    count = number(m["n"]) + (0.5 if m["half"] or m["tail"] == "半" else 0)
    if unit == "年" and count > 1000:
        return None
    factor = 15 if unit in ("刻", "刻钟") else 1
    return Amount(((_unit(unit), count * factor),), vague=bool(m["more"]))


def _months_without_measure(m: Match[str]) -> Amount | None:
    """近三月, 前两月: without 个 only 两 is sure to count months."""
    return Amount((("month", number(m["n"])),)) if m["n"] == "两" else None


@RULES(
    "day-length",
    COUNT_STARTS,
    rf"(?<!月)(?<!月 )(?:(?P<n>{COUNT})[ ]?(?P<unit>分半?|(?<![0-9])日|(?<![0-9] )日|日(?=[之以后内])|h(?![a-z])|mins?(?![a-z]))(?=之?[内前后]|以[内前后]|间))|(?<=[天又])(?P<n3>{COUNT})时(?!候|间|代)|(?P<n2>[0-9]{{3,4}}|[4-9][0-9]|(?<=[推延挪移拖][后迟期]){COUNT})日",
)
def _day_length(m: Match[str]) -> Amount | None:
    if m["n3"]:
        return Amount((("hour", number(m["n3"])),))
    unit, half = (m["unit"] or "日").removesuffix("半"), 0.5 if (m["unit"] or "").endswith("半") else 0
    return Amount(((_unit(unit), number(m["n"] or m["n2"]) + half),))


def _unit(word: str) -> Unit:
    return _UNITS[word.removeprefix("个").removeprefix("整")]


@RULES(
    "reach-back",
    "之以在最此过近这",
    r"(?P<word>(?:在)?过去(?:的)?这?|最近(?:的)?这?|近|这|此前|之前|以往)(?=[ ]?(?:[0-9一二两三四五六七八九十半几数好廿百]|整整|大半))",
)
def _reach_back(m: Match[str]) -> Reach:
    whole = m["word"].startswith(("之前", "此前"))
    return Reach("past", "whole" if whole else "recent")


@RULES(
    "reach-whole-back",
    "上前向往",
    rf"(?P<word>往前|向前|(?<![提术饭餐睡行会考赛课产婚发飞签])前|(?<!以)上)(?=[ ]?(?:[0-9一二两三四五六七八九十半几数好廿])){_NO_COUNT}",
)
def _reach_whole_back(m: Match[str]) -> Reach:
    return Reach("past", "whole")


@RULES(
    "reach-on",
    "今将往接日未此随后",
    r"(?P<word>未来(?:的)?这?|接下来(?:的)?这?|今后(?:的)?|将来(?:的)?|往后(?:的)?|后面(?:的)?|随后(?:的)?|此后(?:的)?|日后)(?=[ ]?(?:[0-9一二两三四五六七八九十半几数好廿百]))",
)
def _reach_on(m: Match[str]) -> Reach:
    return Reach("future", "coming")


@RULES(
    "reach-whole-on",
    "下之以后向往",
    rf"(?!下一个?工作日)(?P<word>(?:(?:(?<![一-龥])|(?<=[天日周月年节的]))(?:之后|以后)|后|下|向后|往后)(?:的)?)(?<![最推延挪移拖]后)(?=[ ]?(?:[0-9一二两三四五六七八九十半几数廿])){_NO_COUNT}",
)
def _reach_whole_on(m: Match[str]) -> Reach:
    return Reach("future", "coming" if m["word"][0] in "之以" else "whole")


@RULES("reach-point", "再过", r"(?P<word>再过|再等|过)(?=[ ]?(?:[0-9一二两三四五六七八九十半几数好廿]|大半))")
def _reach_point(m: Match[str]) -> Reach:
    return Reach("future", "point")


@REACH_RULES(
    "months-after-reach",
    SMALL_STARTS,
    rf"(?:(?<=[近后])|(?<=(?<!年)前)|(?<=过去)|(?<=未来)|(?<=年[,零又])(?={SMALL}月[,零又]))(?P<n>{SMALL})月(?!份|底|初|中|末|[0-9一二三四五六七八九十])",
)
def _months_after_reach(m: Match[str]) -> Amount:
    return Amount((("month", number(m["n"])),))
