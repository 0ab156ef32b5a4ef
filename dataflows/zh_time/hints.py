"""Where a time word may begin: the pairs of characters that time words begin with. Most texts hold none of them.

A hint is a set of first characters and a set of second ones, as they stand in folded text.
"""

from __future__ import annotations

import re
from itertools import product

from temporal_recall.dataflows.zh_time.eras import FIRST_YEARS
from temporal_recall.dataflows.zh_time.feasts import FEAST_WORDS
from temporal_recall.dataflows.zh_time.rules_lookalike import IDIOMS, NAMES
from temporal_recall.dataflows.zh_time.rules_zone import ZONE_OF_PLACE
from temporal_recall.dataflows.zh_time.script import folded, forms

_NUMERALS = "0123456789零一二三四五六七八九十百千两廿卅半几"
_UNITS = "来余年月日号点时分秒刻周天小个多星礼季旬世工晚夜钟/.:~到至- 　·•・〜ー—–－qapdhmwy"
_HINTS: tuple[tuple[str, str], ...] = (
    (_NUMERALS, _NUMERALS + _UNITS),
    ("今昨明去前后寻琴噚听当本即次翌这", "天日晚早晨夜年朝儿今昨明后周月星礼个季半学几两些阵段一时会"),
    ("上下本该每大半整这", "拜周月个季年半学旬天星礼世小午昼一自" + _NUMERALS),
    ("上下", "上下班个"),
    ("前后", "不半晚儿面" + _NUMERALS),
    ("大", "今昨明前后年清早半大上下"),
    ("每逢", "天周月年隔逢小分秒晚早日个半季夜星礼上中下凌清傍深工到间"),
    ("周", "一二三四五六日天末周"),
    ("拜", "一二三四五六"),
    ("(", "周星礼一二三四五六日"),
    ("近", "日来期年几些段半" + _NUMERALS),
    ("过", "去几些阵段年一会大" + _NUMERALS),
    ("年", "尾内初中底末头终夜前后三廿卅年"),
    ("月", "初中底末头尾月内"),
    ("正腊冬闰", "月时" + _NUMERALS),
    ("初", _NUMERALS),
    ("早午晚中夜", "饭餐宵"),
    ("早晚夜朝", "早上间晚里头点些 " + _NUMERALS),
    ("午", "间前后夜"),
    ("春夏秋冬", "天季分至"),
    ("隔双单", "天日周月年一"),
    ("待等稍过一再", "一会下后候过等儿"),
    ("好数若", "几天日个干"),
    ("往日随此之以最", "后前往近初迟晚"),
    ("暑寒", "假暑露"),
    ("季", "度末底初"),
    ("礼工假休双节最方适头现当目如依而宜马立", "拜作日息休假近才先在时前下今家上即刻春夏秋冬"),
    ("星刚即清凌早中正晌晏傍深黄黎拂破子三接未将不改剩余截农阴旧夏古阳新公民惊谷雨芒小大处白寒霜除", "期才刚晨早上间起午昼晚夜昏明晓更下来久天日至止历元国蛰种暑雪满露降水年了去开周星礼节"),
    ("此", "时刻前后"),
    ("开入初深暮仲", "春夏秋冬"),
    ("谷", "雨"),
    ("上中下", "旬"),
    ("qQ", "1234"),
    ("第差", _NUMERALS),
    ("呢", "个周月年星礼"),
    ("旧出", "年"),
    ("一", "阵大"),
    ("比赔概配胜", "分例率比"),
    ("最倒", "后数"),
    ("从自", _NUMERALS + "今昨明前后上下这本去周星礼年月大当现小中初元正从八"),
    ("不除截赶", "晚了去开至止在"),
)  # fmt: skip

_WORDS = (
    "today", "tonight", "tomorrow", "tmr", "yesterday", "last", "past", "previous", "next", "coming", "this", "current", "week", "weekend",
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "oct", "nov",
    "dec", "noon", "midnight", "morning", "afternoon", "evening", "night", "just now", "now", "recently", "lately", "the day", "a couple",
    "couple of", "in ", "by ", "one ", "two ", "three ", "four ", "five ", "six ", "seven ", "eight ", "nine ", "ten ", "eleven ", "twelve ",
    "a few", "on mon", "on tue", "on wed", "on thu", "on fri", "on sat", "on sun", "a day", "a week", "a month", "a year", "an hour",
    "mon", "tue", "wed", "thu", "fri", "sat", "sun", *(f"{figure}th" for figure in "0456789"), "1st", "2nd", "3rd", " at ", "before ", "until ", "from ", "since ", "between ", "the weekend", "end of", "utc", "gmt", "the week",
)  # fmt: skip


_NAMED = tuple(word[:2] for word in (*FEAST_WORDS, *FIRST_YEARS, *ZONE_OF_PLACE, *NAMES, *IDIOMS, *_WORDS))
_PAIRS = frozenset(
    folded(first + second) for firsts, seconds in (*_HINTS, *_NAMED) for first in firsts for second in seconds
)
_MARKS = frozenset("#《v")
_MARK = re.compile(r"[#《]|(?<![a-z])v[0-9e]")
"""What pairs do not tell: tags, titles, versions."""
_FIRSTS = frozenset(pair[0] for pair in _PAIRS) | _MARKS

_UNFOLDED_PAIRS = frozenset(
    unfolded for pair in _PAIRS | {f"v{second}" for second in "0123456789e"} for unfolded in product(*map(forms, pair))
)
_UNFOLDED = re.compile(
    f"([{re.escape(''.join(sorted({first for first, _ in _UNFOLDED_PAIRS})))}])(?=(.))|[{forms('#')}《]", re.DOTALL
)
_A_MARK = ("", "")
"""What is found of a mark, of which a pair tells nothing."""


def is_timeless(text: str) -> bool:
    """Whether text of any script, width and case holds nothing that a time word begins with.

    True is certain, False is not. It saves most texts from being folded.
    """
    found = _UNFOLDED.findall(text)
    return _UNFOLDED_PAIRS.isdisjoint(found) and _A_MARK not in found


def starts(text: str) -> list[int]:
    """The places in folded text where a time word, or a word that only looks like one, may begin, in order."""
    return [
        at
        for at, first in enumerate(text)
        if first in _FIRSTS and (text[at : at + 2] in _PAIRS or (first in _MARKS and _MARK.match(text, at)))
    ]
