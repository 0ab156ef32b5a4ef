"""Clauses: the pieces in which a message says one thing each, with their place in the text."""

from __future__ import annotations

import re
from itertools import pairwise

import pandas as pd

_QUOTED = re.compile(r"「[^」]*」|『[^』]*』|“[^”]*”|\"[^\"]*\"|《[^》]*》")
_MAX_READ = 1_000
"""Characters of a message that are read; what one plans stands near its beginning."""

_CLAUSE = re.compile(
    r"(?:[^\s，。！!？?；;、~～…：,:.（）()【】]++|、|(?<=\d)[,:.](?=\d)|\.(?=\S)|:(?=[/\d])|"
    r"(?<=[A-Za-z0-9%)])[ ](?=[\x21-\x7e])|(?<=/)[ ]|[ ](?=/ )"
    r"|(?<=\d)[ ](?=[年月日号点时分周天个万亿元块])|(?<=[年月日号于在从到至的将午上晚划定由为])[ ](?=[\d]))+[？?！!]*"
)
"""Words between stops; people put a space for a comma, save between Latin words and numbers."""

_COLONS = frozenset("：:")

_RUN_ON_LENGTH = 16
"""So many characters without a stop are more than one clause: spoken input, or typed in haste."""

_JOINT = re.compile(
    r"(?<=[\u4e00-\u9fff]{2})(?:"
    r"(?<=[吧哈嘛呢呀啊呗嘞啦哦])(?![吧哈嘛呢呀啊呗嘞啦哦])(?=.{3})"
    r"|(?<=[^除为极罢完约定订排改换摆推调挪]了)(?![吗么吧没呢啊呀的把给跟点些个一下半几两三四五六七八九十\d])(?=.{5})"
    r"|(?<![给跟和同让叫把被对向替帮陪等问找请教送接带发约见比像说想看爱求催劝怪谢是去到在于的"
    r"喊骂骗气吓恨信靠随按用为因由归轮使令派选当管抱扶碰遇撞知诉系欠还借赔])(?=(?:我|你|您|他|她|"
    r"咱)们?[^的那家们俩仨几你我他她])"
    r"|(?=(?:然后|后来|但是|可是|不过|所以|因为|而且|到时候|要不|那就|顺便))"
    r"|(?<![你您他她我们])(?=记得|别忘)"
    r")(?=.{4})"
)
"""Where one clause of a run-on ends and the next begins: after a final particle or 了, before a new subject with its
verb or adverb, before a conjunction."""


def spoken_text(text: pd.Series) -> pd.Series:
    """The words spoken by the writer: what stands in quotation marks or book title marks is blanked, length kept."""
    return pd.Series(
        [
            _blanked(t) if "「" in t or "“" in t or '"' in t or "『" in t or "《" in t else t
            for t in text.str.slice(0, _MAX_READ).tolist()
        ],
        index=text.index,
        dtype="str",
    )


def _blanked(text: str) -> str:
    return _QUOTED.sub(lambda m: "　" * len(m.group()), text)


def clauses(text: pd.Series) -> pd.DataFrame:
    """The clauses of each text, one row a clause in order of text and place.

    Columns: `record` (int64, position of the text in the series), `start` (int64, offset in the text), `text`, `heads`
    (bool: a colon stands after it). A text without words has no row.
    """
    found = [
        (i, start, words, t[start + len(words) : start + len(words) + 1] in _COLONS)
        for i, t in enumerate(text.tolist())
        for m in _CLAUSE.finditer(t)
        for start, words in _parted(m)
    ]
    record, start, words, heads = zip(*found, strict=True) if found else ((), (), (), ())
    return pd.DataFrame(
        {
            "record": pd.Series(record, dtype="int64"),
            "start": pd.Series(start, dtype="int64"),
            "text": pd.Series(words, dtype="str"),
            "heads": pd.Series(heads, dtype="bool"),
        }
    )


def _parted(clause: re.Match[str]) -> list[tuple[int, str]]:
    """The offset and words of the clauses of which a run-on is made; any other clause is whole."""
    words, start = clause.group(), clause.start()
    if len(words) < _RUN_ON_LENGTH:
        return [(start, words)]
    bounds = [0, *(m.start() for m in _JOINT.finditer(words)), len(words)]
    return [(start + a, words[a:b]) for a, b in pairwise(bounds) if a < b]
