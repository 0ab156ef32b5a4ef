"""Rules for clock times and parts of the day."""

from __future__ import annotations

import re
from re import Match

from temporal_recall.dataflows.zh_time.finders import minute_of_hour
from temporal_recall.dataflows.zh_time.lexer import Rules
from temporal_recall.dataflows.zh_time.numerals import DIGITS, FIGURES, SMALL, SMALL_STARTS, whole
from temporal_recall.dataflows.zh_time.rules_calendar import RANGE
from temporal_recall.dataflows.zh_time.tokens import Clock, Part, Predicate, Rank

RULES = Rules()
RANGE_RULES = Rules()

_SMALL_HOURS = Part("凌晨", (0, 6), (0, 6), "small")
_DAWN = Part("清晨", (5, 8), (5, 8), "morning")
_EARLY = Part("早上", (6, 12), (5, 12), "morning")
_MORNING = Part("上午", (6, 12), (6, 12), "morning")
_NOON = Part("中午", (11, 13), (11, 14), "noon")
_AFTERNOON = Part("下午", (12, 18), (12, 18), "afternoon")
_DUSK = Part("傍晚", (17, 19), (17, 19), "afternoon")
_EVENING = Part("晚上", (18, 24), (18, 29), "evening")
_NIGHT = Part("深夜", (22, 28), (21, 29), "night")

PARTS: dict[str, Part] = {
    **dict.fromkeys(("凌晨", "后半夜", "下半夜"), _SMALL_HOURS),
    **dict.fromkeys(("清晨", "清早", "黎明", "拂晓", "一大早", "大早", "大清早", "天亮", "破晓"), _DAWN),
    **dict.fromkeys(
        ("早上", "早晨", "早间", "朝早", "大早上", "早", "晨", "朝", "今早", "晨间", "早起", "一早"), _EARLY
    ),
    **dict.fromkeys(("上午", "上昼", "午前", "头午", "头晌", "前晌", "am"), _MORNING),
    **dict.fromkeys(("中午", "正午", "晌午", "午间", "晏昼正", "午饭时", "午休"), _NOON),
    **dict.fromkeys(("下午", "午后", "晏昼", "下昼", "下晌", "后晌", "过晌", "pm"), _AFTERNOON),
    **dict.fromkeys(("傍晚", "黄昏", "傍黑", "擦黑", "日落"), _DUSK),
    **dict.fromkeys(("晚上", "晚间", "夜晚", "夜里", "夜间", "晚", "夜", "晚黑", "夜头", "入夜", "当夜"), _EVENING),
    **dict.fromkeys(("深夜", "半夜", "午夜", "三更半夜", "大半夜", "子夜", "上半夜", "前半夜"), _NIGHT),
}


_STORY_DAY = re.compile(
    r"(?<![节庆旦夕秋午暑寒分至日号天期一二三四五六七八九十0-9])(?:那|前一|第二|头一|有一|某一?|隔)天的?$"
)


def _part(name: str) -> Part:
    return PARTS[name]


@RULES(
    "part-of-day",
    "一三上下中傍凌前午半后夜大头子拂擦早晌晏晚晨朝整正深清破过黄黎",
    r"(?:一整?个?|整个)(?P<whole>上午|下午|早上|中午|晚上)|凌晨|[后下]半夜|清晨|大?清早|一早|黎明(?!主演|的|说|唱)|拂晓|破晓|一大早|大早上|(?<=[一二三四五六日天末号])大早(?!上)|早上(?!好)|早晨|早间|朝早|晨间|上午(?!好)|上昼|午前|[头前]晌|头午|中午(?!好)|正午|晌午"
    r"|午间|下午(?!好|茶)|午后|晏昼|下昼|[下后过]晌|傍黑|擦黑|晚黑|傍晚|黄昏|晚上(?!好)|晚间|夜晚|夜里|夜间|深夜|三更半夜|大半夜|半夜|午夜|子夜|[上前]半夜",
)
def _part_of_day(m: Match[str]) -> Part | None:
    return None if _is_of_a_story(m) else _part(m["whole"] or m[0])


def _is_of_a_story(m: Match[str]) -> bool:
    """那天晚上, 第二天早上: a day of a story, which no calendar tells."""
    return _STORY_DAY.search(m.string, max(0, m.start() - 6), m.start()) is not None


@RULES(
    "short-part",
    "夜早晚晨朝",
    r"(?<=[今昨寻琴噚前明听当次翌])(?P<part>[晚早晨夜朝])(?:上)?(?!代|廷)|(?<=儿)(?P<part2>[晚早晨夜])(?:上)?|(?<=[号日天一二三四五六秋旦诞])(?P<part3>[晚早晨夜])(?!会|餐|饭|年|了|些|报|安|辈|婚|期|宴|就|已|市|退|高峰|会儿|读|操|恋|班|归|熟|茶|自习)",
)
def _short_part(m: Match[str]) -> Part:
    return _part(m["part"] or m["part2"] or m["part3"])


@RULES("short-part-clock", "夜早晚晨朝", rf"(?P<part>[晚早晨夜朝])(?={SMALL}[ ]?[点时:])")
def _short_part_clock(m: Match[str]) -> Part:
    return _part(m["part"])


_AMPM = r"[ ]?(?:(?P<half>[ap])(?:\.m\.?|m)?(?![a-z0-9]))"


@RULES(
    "clock-ampm",
    DIGITS,
    r"(?P<hour>[0-9]{1,2})(?:[:.](?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2}))?)?(?:[ ]?(?P<half>[ap])\.?m(?![a-z0-9])\.?|(?<=:[0-9]{2})(?P<half2>[ap])(?![a-z0-9]))",
)
def _clock_ampm(m: Match[str]) -> Clock | None:
    hour = int(m["hour"])
    if not 1 <= hour <= 12:
        return _clock(hour, m["minute"], m["second"], known=True)
    half = m["half"] or m["half2"]
    return _clock(hour % 12 + (12 if half == "p" else 0), m["minute"], m["second"], known=True)


_MEASURED = re.compile(r"(?:[用耗历费]时|时长|成绩|全程)[了是为:]?[ ]?$")
"""Words before figures with colons that are a length of time: 用时1:58:30."""


@RULES(
    "clock-colon",
    DIGITS,
    r"(?P<hour>[01]?[0-9]|2[0-4])[ ]?:[ ]?(?P<minute>[0-5][0-9])(?:[ ]?:[ ]?(?P<second>[0-5][0-9])(?:\.[0-9]{1,6})?)?(?![0-9]|:[0-9])(?:[ ]?[分])?",
)
def _clock_colon(m: Match[str]) -> Clock | None:
    if _MEASURED.search(m.string, 0, m.start()):
        return None
    hour = int(m["hour"])
    return _clock(hour, m["minute"], m["second"], known=hour > 12 or hour == 0 or m["hour"].startswith("0"))


@RANGE_RULES(
    "hour-before-range",
    SMALL_STARTS,
    rf"(?P<hour>{SMALL})(?={RANGE}{SMALL}[ ]?(?:点|时(?!候|间|代|期|常|不|段|效|长|区)))|(?P<hour2>[1-9]|1[0-2])(?={RANGE}[0-9]{{1,2}}[ap]m)",
)
def _hour_before_range(m: Match[str]) -> Clock | None:
    return _clock(whole(m["hour"] or m["hour2"]), None, None)


@RULES(
    "two-hours",
    FIGURES + "两",
    r"(?P<a>[一二两三四五六七八九])(?P<b>[二三四五六七八九十])点(?:钟)?(?![0-9一二三四五六七八九])",
)
def _two_hours(m: Match[str]) -> Clock | None:
    first = whole(m["a"])
    return Clock(first, hours=2, weak=True) if whole(m["b"]) == first + 1 else None


_MINUTES = rf"(?P<zero>[零过])?(?P<minute>{SMALL})"
_NOT_CLOCK = r"建议|意见|要求|原因|理由|好处|东西|想法|问题|说明|结论|区别|内容|体会|感受|心得|儿|点|水|钱|小|半点|以上|以下|积分|希望|注意|启示|疑问|帮助|点心|透|吃的|喝的|用|关系|信心|耐心|时间|意思|道理|头绪|印象|声音|办法|资料|经验|收获|反馈|改动|需求|[就也都](?:够|行|好|对|是|很|要求|可以)"
_COUNTING = re.compile(
    r"(?:[这那第有提讲共列几]|以[上下]|补充|强调|总结|归纳|做到|满足|记住|注意|[涨跌升降加减扣得赢输][了到过]?|下[了到调面]|上[了调])[ ]?$"
)
"""Words before a figure with 点 that counts points: 这三点, 跌了五点."""


@RULES(
    "clock",
    SMALL_STARTS,
    rf"(?P<hour>{SMALL}|零)[ ]?(?P<mark>点|时(?!候|间|代|期|常|不|段|效|长|区|机|光|尚|差|速))(?P<o>钟|整|正|钟整|来钟|多(?![余少了的个亏么谢次]))?"
    rf"(?:[ ]?(?P<half>半)(?!个|天|价|年|月|小时|夜)(?:(?P<second3>{SMALL})秒)?|[ ]?(?:过|差)?(?P<quarters>[一二三两1-3])刻(?!钟以|意)"
    rf"|[踏搭](?P<cell>[一二三四五六七八九十]{{1,2}}|半)(?:个字)?|(?P<cells>[一二三四五六七八九])个字"
    rf"|[ ]?(?:零|过|又)?(?P<minute>{SMALL})[ ]?(?:分(?!钟|析|享|配|之|数|期|别|布|开(?![门会车始盘饭工课机船播场赛])|组|工|手|类|店|公司|支)|(?!(?<=一)[起样些共直定般边家同]|[零一二三四五六七八九十0-9]|[ ]?(?:[次点号日月年个周天元块度级条位场倍岁克斤米人名小时分秒%.:层栋幢]|楼(?![上下道口]))))"
    rf"(?:(?P<second>{SMALL})秒)?)?(?:(?P<second2>{SMALL})秒)?"
    rf"(?:[ ]?(?P<ampm>[ap])m(?![a-z]))?(?=(?P<not>(?:{_NOT_CLOCK})?))",
)
def _clock_words(m: Match[str]) -> Clock | None:
    hour, minute = whole(m["hour"]), _stated_minutes(m)
    if minute is None and not m["o"] and not _follows_part(m) and (m["not"] or _counts(m)):
        return None
    if m["ampm"] and 1 <= hour <= 12:
        return _clock(hour % 12 + (12 if m["ampm"] == "p" else 0), minute, None, known=True)
    if minute is not None and _is_decimal(m):
        return _clock(hour, whole(m["minute"]) * 5, None) if _follows_part(m) else None
    second = m["second"] or m["second2"] or m["second3"]
    weak = (minute is None and not m["o"]) or m["hour"] == "零"
    return _clock(hour, minute, second, weak=weak, known=hour > 12 or m["hour"][0] in "0零")


def _counts(m: Match[str]) -> bool:
    return m["mark"] == "点" and _COUNTING.search(m.string, max(0, m.start() - 3), m.start()) is not None


def _follows_part(m: Match[str]) -> bool:
    """Whether a part of the day stands before the clock: then 下午三點三 is Cantonese for 3:15 and no decimal."""
    before = m.string[max(0, m.start() - 2) : m.start()]
    return before in PARTS or before[-1:] in ("晚", "早", "朝")


def _is_decimal(m: Match[str]) -> bool:
    """零点五, 二十点六: one bare figure after 点 is a decimal, unless it is said as 零五 or 五分."""
    said = m["minute"]
    return bool(
        said
        and len(said) == 1
        and not m[0].endswith(("分", "秒"))
        and "零" + said not in m[0]
        and "过" not in m[0]
        and m["mark"] == "点"
    )


def _stated_minutes(m: Match[str]) -> str | int | None:
    if m["half"]:
        return 30
    if m["quarters"]:
        return whole(m["quarters"]) * 15
    cells = m["cell"] or m["cells"]
    if cells:
        return 30 if cells == "半" else whole(cells) * 5
    return m["minute"]


def _clock(
    hour: int, minute: str | int | None, second: str | None, *, known: bool = False, weak: bool = False
) -> Clock | None:
    minutes = 0 if minute is None else whole(str(minute))
    seconds = 0 if second is None else whole(second)
    if hour > 24 or minutes > 59 or seconds > 59 or (hour == 24 and minutes):
        return None
    grain = "second" if second else "hour" if minute is None else "minute"
    return Clock(hour, minutes, seconds, grain, known or hour > 12 or hour == 0, weak)  # type: ignore[arg-type]


@RULES("noon-midnight-word", "mn", r"(?<![a-z])(?P<word>noon|midnight)(?![a-z])")
def _noon(m: Match[str]) -> Clock:
    return Clock(12 if m["word"] == "noon" else 24, known=True)


@RULES(
    "minute-of-hour",
    "012345零",
    r"(?<![点时时:0-9一二三四五六七八九十])(?P<minute>[0-5][0-9]|零[一二三四五六七八九])分(?![钟之数析享配别布期])",
)
def _minute_of_hour(m: Match[str]) -> Predicate:
    minute = whole(m["minute"])
    stated: dict[str, int | str] = {"minute": minute}
    return Predicate(Rank.CLOCK, "minute", minute_of_hour(minute), scope="hour", stated=stated, weak=True, forward=True)


@RANGE_RULES("clock-short-of", "差", rf"差(?P<minute>{SMALL}|一刻)(?:分钟?)?[到就]?(?P<hour>{SMALL})点(?:钟|整)?")
def _clock_short_of(m: Match[str]) -> Clock | None:
    """差五分十点 is five to ten."""
    short = 15 if m["minute"] == "一刻" else whole(m["minute"])
    return _clock((whole(m["hour"]) - 1) % 24, 60 - short, None) if 0 < short < 60 else None
