"""Reported speech: 「上周三我说周末要去哪」 means the weekend after the saying."""

from __future__ import annotations

import re
from datetime import datetime, tzinfo

from temporal_recall.dataflows.zh_time.calendar import local
from temporal_recall.dataflows.zh_time.grammar import Phrase
from temporal_recall.schemas.time import TimeExpression

_SAYING = re.compile(r"[^,。;!?\n]{0,8}?(?:说|提到|讲|答应|约|告诉|打算|计划|安排|通知|决定)")


def depends_on_speaker(node: object) -> bool:
    """Whether a time moves with the day of saying: 下周, 明天, 周末; not 今天 or 这周, which the speaker shares."""
    if not isinstance(node, Phrase):
        return False
    head = node.predicates[0]
    if head.scope in ("week", "month"):
        return head.scope == "week"
    offset = head.stated.get("day_offset", head.stated.get("week", head.stated.get("month")))
    return head.place is not None and isinstance(offset, int) and offset > 0


def saying_after(found: TimeExpression, text: str, zone: tzinfo) -> datetime | None:
    """The civil time of a saying that the words after an expression tell; None where they tell none."""
    if found.core is None or found.core.start is None or not _SAYING.match(text, found.span[1]):
        return None
    return local(found.core.start, zone)
