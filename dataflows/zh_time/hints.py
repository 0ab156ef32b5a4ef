"""The cheap test that a text holds no time word at all: the pairs of characters that time words begin with.

A hint is a set of first characters and a set of second ones. They are written in simplified characters and widened to
all scripts, since the test runs on the text as it came. English words are told by a pattern of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from temporal_recall.dataflows.zh_time.eras import FIRST_YEARS
from temporal_recall.dataflows.zh_time.feasts import FEAST_WORDS
from temporal_recall.dataflows.zh_time.rules_lookalike import IDIOMS, NAMES
from temporal_recall.dataflows.zh_time.rules_zone import ZONE_OF_PLACE
from temporal_recall.dataflows.zh_time.script import VARIANTS

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


def _scripts(characters: str) -> str:
    """The characters with all that fold to them, full-width figures included."""
    full_width = "".join(chr(ord(c) + 0xFEE0) for c in characters if "!" <= c <= "~")
    return characters + full_width + "".join(VARIANTS.get(c, "") for c in characters)


def _pairs() -> frozenset[tuple[str, str]]:
    named = ((word[0], word[1]) for word in (*FEAST_WORDS, *FIRST_YEARS, *ZONE_OF_PLACE, *NAMES, *IDIOMS))
    return frozenset(
        (first, second)
        for firsts, seconds in (*_HINTS, *named)
        for first in _scripts(firsts)
        for second in _scripts(seconds)
    ) | frozenset((word[0], word[1]) for word in _WORDS)


def _any_case(word: str) -> str:
    return "".join(f"[{''.join(_forms(c))}]" for c in word)


def _forms(letter: str) -> tuple[str, ...]:
    """A letter or space in both cases and widths."""
    if letter == " ":
        return (" ", "　")
    return tuple(dict.fromkeys((*_scripts(letter), *_scripts(letter.upper()))))


_PAIRS = _pairs()
_PAIR = re.compile(f"([{''.join(sorted({first for first, _ in _PAIRS}))}])(?=(.))", re.DOTALL)
_ENGLISH = re.compile("|".join(f"{first}{_any_case(w[1:])}" for w in _WORDS for first in _forms(w[0])))


_START = re.compile(
    f"([{''.join(sorted({first for first, _ in _PAIRS}))}])(?=(.))|[#《]|(?<=to)night|(?<![a-z])v[0-9e]", re.DOTALL
)


def starts(text: str) -> Iterator[int]:
    """The places in folded text where a time word, or a word that only looks like one, may begin."""
    for match in _START.finditer(text):
        if match.lastindex is None or match.groups() in _PAIRS:
            yield match.start()


def may_hold_time(text: str) -> bool:
    """Whether unfolded text holds anything that a time word begins with; False is certain, True is not."""
    return not _PAIRS.isdisjoint(_PAIR.findall(text)) or _ENGLISH.search(text) is not None
