"""What the words of a row say as a whole, by which rows are compared.

It depends on the row alone, so the index keeps it: whoever changes a pattern here gives extraction a new version, so
that what is kept is read anew.
"""

# The functions of pyarrow.compute are made when it is imported:
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from temporal_recall.dataflows.columns import Flags, match_counts, matches, plain_values
from temporal_recall.dataflows.intervals import interval_texts
from temporal_recall.dataflows.language.gram_texts import written_grams
from temporal_recall.dataflows.language.grams import text_grams
from temporal_recall.dataflows.matching.codes import may_hold_code
from temporal_recall.dataflows.matching.people import NamedPeople
from temporal_recall.dataflows.runs import Positions
from temporal_recall.dataflows.zh_time import count_times, find_times
from temporal_recall.schemas.columns import Columns, taken

_CLOCK = r"(?:[0-9]{1,2}|[一二两三四五六七八九十]{1,3})点|[0-9]{1,2}[:：][0-9]{2}"
_DATE = "(?:[0-9]{1,2}|[一二三四五六七八九十]{1,3})[号日]"
_WEEKDAY = "(?:周|星期|礼拜)[一二三四五六日天]|初[一二三四五六七八九十]"
_DAY = f"{_DATE}(?:[（(，, ]?(?:{_WEEKDAY}))?|(?:{_WEEKDAY})(?:[（(，, ]?{_DATE})?"
_CLASH = r"撞了|撞上|冲突|撞期|撞车|\b(?:clash|conflict)"
_MARKS_OF_SEVERAL = "(?s)[点:：].*[点:：]|[号日周期拜初].*[号日周期拜初]|撞|冲突|clash|conflict"
"""What every text that names several holds; most hold none, and this is found quicker than the rest."""

_SPAN = r"[号日点]?(?:到|至|~|-|—)(?:[0-9]{1,2}|[一二两三四五六七八九十]{1,3})[号日点]"

_ASKING = (
    "给我|給我|帮我(?:列|排|找|查|写|做|整理|推荐|算|翻)|怎么[^样]|多久|是不是|多少|哪[家个里些]|该不该|"
    r"(?i)\b(?:how (?:do|to|long|much)|what|which|give me|make me)\b"
)

_NUMBERED = r"[^0-9:：点號号月日年%个]"
_LIST = (
    rf"(?s)(?:^|[\s:：，,])1{_NUMBERED}.*[\s;；，,]2{_NUMBERED}.*[\s;；，,]3{_NUMBERED}|"
    r"(?:[^/\n]{2,} ?/ ?){3,}|\n *[-·•*].*\n *[-·•*]"
)
"""Three matters or more in one text: numbered, parted by strokes, or a line each."""

_BEGIN_OR_END = (
    "开始|開始|结束|結束|搞定|搞掂|收工|开工|開工|散会|散會|散场|散場|散席|开场|開場|开席|开考|开机|收卷|下课|下班"
)
_WAY = "出发|出發|上车|上車|下车|下車|登机|登機|起飞|起飛|落地|落机|落機|出站|进站|進站|过关|過關|回到|路上|门口|門口"
_MEETING = "接到|送到|送走|见到|見到"
_BOARDING = "上(?:车|車|飞机|飛機|船|大巴|高铁|地铁|高速)|[进進出](?:考场|会场|会议室|手术室|站|关)"
_OVER = "[一-龥](?:完|(?:好|过|過)(?:了|咗))|到(?:了|咗)|到[^点點號号月家]{1,8}(?:了|咗)"
_HERE = (
    "在[^，。！ ]{1,8}了(?:$|[，。！ ])|楼下|樓下|现场|現場|前台|入场|入場|进场|進場|入座|"
    "人齐|人齊|到齐|到齊|开机|開機|开拍|開拍|开讲|開講"
)
_ENGLISH = r"(?i:\b(?:arrived|landed|boarded|boarding|started|finished|done|over|here)\b)"
_PHASE = "|".join((_BEGIN_OR_END, _WAY, _MEETING, _BOARDING, _OVER, _HERE, _ENGLISH))


def compared(timeline: Columns) -> Columns:
    """A timeline with what the words of each row say (contract `COMPARED_TIMELINE`), read when somebody asks for it.

    It has `words`, too. An empty timeline gives empty columns.

    Args:
        timeline: rows of the contract `TIMELINE` at least, in any order, which stays.
    """
    worded = with_words(timeline)
    return worded.replaced(
        {
            "grams": lambda: _grams(worded["words"]),
            "times_named": lambda: times_named(timeline["content"]),
            "told_times": lambda: told_times(timeline),
            "may_hold_code": lambda: may_hold_code(timeline["content"]),
            "lists_several": lambda: list_several(timeline["content"]),
            "asks": lambda: ask(timeline["content"]),
            "tells_phase": lambda: tell_phase(timeline["content"]),
        }
    )


def with_words(timeline: Columns) -> Columns:
    """A timeline with a column `words` (texts, none missing): what each row says, with its place and people, one below
    the other; the title too, where a source states one beside the text."""
    return timeline.replaced({"words": lambda: _words(timeline)})


def _words(timeline: Columns) -> pa.Array:
    title, content, location = (timeline[name] for name in ("title", "content", "location"))
    has_own_title = pc.and_(pa.array(timeline["is_stated"]), pc.not_equal(title, content))
    nothing = pa.scalar("", pa.large_string())
    parts = (
        pc.if_else(has_own_title, title, nothing),
        content,
        pc.fill_null(location, nothing),
        NamedPeople.of(timeline.coded("participants")).joined(),
    )
    return pc.binary_join_element_wise(*parts, pa.scalar("\n", pa.large_string()))


def _grams(words: pa.Array) -> pa.Array:
    return written_grams(text_grams(words), len(words))


def times_named(texts: pa.Array) -> Positions:
    """How many hours or how many days each text names, whichever are more; the two ends of one span are one, two
    things that clash are two."""
    found = np.zeros(len(texts), dtype=np.int64)
    may_name = matches(texts, _MARKS_OF_SEVERAL)
    marked = texts.filter(pa.array(may_name))
    spans, clocks, days = (match_counts(marked, pattern) for pattern in (_SPAN, _CLOCK, _DAY))
    found[may_name] = np.maximum(np.maximum(clocks, days) - spans, 2 * matches(marked, _CLASH))
    return found


def told_times(timeline: Columns) -> NDArray[np.object_]:
    """The times that the words of each row name which moves or cancels something, as ISO 8601 intervals; none of the
    others, since to read them takes long, and none where the only time is that of the row's own event."""
    found = np.full(len(timeline), None)
    found.fill(())
    moving = np.flatnonzero(timeline["is_correction"] | timeline.coded("status").is_any("cancelled"))
    columns = (taken(timeline[name], moving) for name in ("content", "observed_time", "time_zone"))
    has_own = (~np.isnat(timeline["event_time"][moving])).tolist()
    told = zip(moving.tolist(), has_own, *map(plain_values, columns), strict=True)
    for row, own_count, text, moment, zone in told:
        if count_times(text) > own_count:
            expressions = find_times(text, moment, time_zone=zone)
            found[row] = interval_texts(e.core for e in expressions if e.core)
    return found


def list_several(texts: pa.Array) -> Flags:
    """Whether each text lists three matters or more."""
    return matches(texts, _LIST)


def ask(texts: pa.Array) -> Flags:
    """Whether each text asks for something, as one asks an assistant."""
    return matches(texts, _ASKING)


def tell_phase(texts: pa.Array) -> Flags:
    """Whether each text tells that something begins, goes on its way, or is over."""
    return matches(texts, _PHASE)
