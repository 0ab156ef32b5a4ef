"""What one time expression lends to the next in the same text.

Two habits of speech: a clock after a day keeps to that day (「明天开会，九点半」), and a time inside reported speech is
read from the saying (「上周三我说周末要去哪」), unless that lies ahead (「后天到货，他说后天来换」).
"""

from __future__ import annotations

import re
from datetime import datetime

from temporal_recall.dataflows.zh_time.calendar import DAY, local, midnight
from temporal_recall.dataflows.zh_time.nodes import Between, Bounded, Expression, Phrase
from temporal_recall.dataflows.zh_time.readings import Speaking
from temporal_recall.dataflows.zh_time.tokens import Rank
from temporal_recall.schemas.time import Tense, TimeExpression

_SAYING = re.compile(r"[^,。;!?\n]{0,8}?(?:说|提到|讲|答应|约|告诉|打算|计划|安排|通知|决定)")
_WITHIN_DAY = ("part_of_day", "hour", "minute")
_EVENING_HOUR = 17
_SMALL_HOURS = ("凌晨", "后半夜", "下半夜")
_WORD_BETWEEN = re.compile(r"[^,。;!?\n的]{0,6}")
_FORESEEN = 180 * DAY
"""A month further ahead is the last one: its accounts, not its days, are spoken of."""
_FULL_STOP = re.compile(r"[。!?\n]")


class Talk:
    """The running state of one text: the day last spoken of, and the saying that reports the rest."""

    def __init__(self, speaking: Speaking, text: str) -> None:
        """Begin a folded text at the moment of speaking."""
        self._speaking = speaking
        self._text = text
        self._day: datetime | None = None
        self._saying: datetime | None = None
        self._evening: datetime | None = None
        self._is_feast = False
        self._month: datetime | None = None
        self._is_later_week = False
        self._heard_to = 0

    def speaking_of(self, expression: Expression, tense: Tense | None) -> Speaking:
        """The circumstances in which the next expression is to be read."""
        if self._month is not None and _starts_with_day(expression.node) and self._is_close(expression):
            return self._speaking._replace(moment=self._month, tense=None)
        if self._day is None and self._saying is None and self._evening is None:
            return self._speaking if tense is self._speaking.tense else self._speaking._replace(tense=tense)
        if _FULL_STOP.search(self._text, self._heard_to, expression.start):
            self._day = self._saying = self._evening = None
            self._is_later_week = False
        ahead = self._day is not None and self._day > self._speaking.moment
        if self._evening is not None and _is_in_small_hours(expression.node):
            return self._speaking._replace(moment=self._evening + DAY, tense=None)
        if self._day is not None and _keeps_to_day(expression.node, ahead):
            return self._speaking._replace(moment=self._first_moment(self._day, expression.node), tense=None)
        if self._is_later_week and self._day is not None and _is_bare_weekday(expression.node):
            return self._speaking._replace(moment=self._day, tense="plan")
        if self._saying is not None and _depends_on_speaker(expression.node):
            return self._speaking._replace(moment=self._saying, tense=tense)
        return self._speaking._replace(tense=tense)

    def _is_close(self, expression: Expression) -> bool:
        """12月月考17号: of the month named a word before."""
        return _WORD_BETWEEN.fullmatch(self._text, self._heard_to, expression.start) is not None

    def _first_moment(self, day: datetime, node: object) -> datetime:
        """18号开会，12号前交: a day before which something is due may lie before the day named, in its month."""
        if self._is_feast and _starts_with_day(node):
            return day - DAY  # 元旦联欢31号: the day before a feast is near it too
        before = isinstance(node, Bounded) and node.way == "before" and _starts_with_day(node)
        return max(day.replace(day=1), min(self._speaking.moment, day)) if before else day

    def note(self, found: TimeExpression, expression: Expression) -> None:
        """Take note of an expression that has been read."""
        self._heard_to = expression.end
        if found.core is None or found.core.start is None:
            return
        start = local(found.core.start, self._speaking.zone)
        if _names_a_day(expression.node):
            self._day, self._is_feast = midnight(start), "feast" in expression.stated
            self._is_later_week = _is_in_later_week(expression.node) or (
                self._is_later_week and _is_bare_weekday(expression.node)
            )
        is_month = found.grain == "month" and self._speaking.moment < start < self._speaking.moment + _FORESEEN
        self._month = start if is_month or (self._month and _starts_with_day(expression.node)) else None
        if found.grain in _WITHIN_DAY:
            self._evening = midnight(start) if start.hour >= _EVENING_HOUR else None
        if start <= self._speaking.moment and _SAYING.match(self._text, expression.end):
            self._saying = start


def _phrase(node: object) -> Phrase | None:
    if isinstance(node, Bounded):
        return _phrase(node.node)
    if isinstance(node, Between):
        return node.left
    return node if isinstance(node, Phrase) else None


def _keeps_to_day(node: object, ahead: bool) -> bool:
    """Whether a node is a clock time without a day, or a day without a month; of a day ahead, a part of the day too."""
    phrase = _phrase(node)
    if phrase is None:
        return False
    scope = phrase.predicates[0].scope
    return scope == "month" or (scope == "day" and (ahead or phrase.predicates[-1].rank == Rank.CLOCK))


def _is_in_small_hours(node: object) -> bool:
    """Whether a node is a time in the small hours without a day: after an evening it is of the night that follows."""
    phrase = _phrase(node)
    if phrase is None or phrase.predicates[0].scope != "day":
        return False
    return phrase.predicates[-1].stated.get("part") in _SMALL_HOURS


def _starts_with_day(node: object) -> bool:
    phrase = _phrase(node)
    return phrase is not None and phrase.predicates[0].scope == "month"


def _is_bare_weekday(node: object) -> bool:
    """Whether a node is a weekday of no named week: after one of a later week it follows it (下周三去，周四回)."""
    return isinstance(node, Phrase) and node.predicates[0].scope == "week" and _names_a_day(node)


def _is_in_later_week(node: object) -> bool:
    """Whether a node names a day of a week to come: 下周三."""
    phrase = _phrase(node)
    week = phrase.predicates[0].stated.get("week") if phrase is not None else None
    return isinstance(week, int) and week > 0 and _names_a_day(node)


def _names_a_day(node: object) -> bool:
    phrase = _phrase(node)
    return phrase is not None and any(p.rank == Rank.DAY and p.grain == "day" for p in phrase.predicates)


def _depends_on_speaker(node: object) -> bool:
    """Whether a time moves with the day of saying: 下周, 明天, 周末; not 今天 or 这周, which the speaker shares."""
    if not isinstance(node, Phrase):
        return False
    head = node.predicates[0]
    if head.scope is not None:
        return head.scope == "week"
    offset = head.stated.get("day_offset", head.stated.get("week", head.stated.get("month")))
    return head.place is not None and isinstance(offset, int) and offset > 0
