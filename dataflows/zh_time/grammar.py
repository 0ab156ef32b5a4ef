"""How lexemes compose: phrases, spans, bounds, lengths laid before and after, recurrences.

Lexemes that stand side by side form a cluster. A cluster is read left to right:

    expression := [从|自] item {bound}
    item       := phrase [到 phrase] | reach length | [phrase] length offset | length | 每 phrase
    phrase     := predicates, each finer than the one before it (the intersect rule), parts and clocks last
    bound      := 之前 之后 起 以来 期间 左右 除外 …

The nodes made here say only what the words mean; `resolve` places them in time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from temporal_recall.dataflows.zh_time import finders
from temporal_recall.dataflows.zh_time.calendar import Unit
from temporal_recall.dataflows.zh_time.clock import clock_after, clock_predicate, part_predicate
from temporal_recall.dataflows.zh_time.rules_feast import lunar_month_predicate, lunar_predicate
from temporal_recall.dataflows.zh_time.rules_relative import day_predicate
from temporal_recall.dataflows.zh_time.spans import from_now
from temporal_recall.dataflows.zh_time.tokens import (
    Amount,
    Bound,
    Clock,
    Every,
    Lexeme,
    Mark,
    Offset,
    Part,
    Predicate,
    Rank,
    Reach,
)

_GAP = re.compile(r"[ ]{0,3}(?:的|,|份|那天的?|当天的?|这天的?|[)(]|at|\bof)?[ ]{0,3}")
_REACHED_UNITS: dict[Unit, Rank] = {"year": Rank.YEAR, "month": Rank.MONTH, "week": Rank.WEEK, "day": Rank.DAY}
_COMMA = re.compile(r"[ ]?[,，][ ]?")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Predicates from coarse to fine that intersect, and the zone that the words name."""

    predicates: tuple[Predicate, ...]
    zone: str = ""
    days_off: bool = False
    about: bool = False

    @property
    def rank(self) -> Rank:
        """The rank of the coarsest predicate."""
        return self.predicates[0].rank

    @property
    def weak(self) -> bool:
        """Whether every word of the phrase needs company."""
        return all(p.weak for p in self.predicates)


@dataclass(frozen=True, slots=True)
class Between:
    """From one phrase to another, both included."""

    left: Phrase
    right: Phrase


@dataclass(frozen=True, slots=True)
class Laid:
    """A length of time laid before or after a phrase, or before or after now."""

    amounts: tuple[Amount, ...]
    way: str
    anchor: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Bounded:
    """A node of which one side is open, or clipped at now."""

    node: Phrase | Between | Laid
    way: str


@dataclass(frozen=True, slots=True)
class Length:
    """A length of time that stands alone."""

    amounts: tuple[Amount, ...]


@dataclass(frozen=True, slots=True)
class Recurring:
    """Something that recurs: every so many units, narrowed by predicates."""

    every: Every
    inner: Phrase | Between | None


@dataclass(frozen=True, slots=True)
class Except:
    """A node without another."""

    node: Phrase | Between | Laid | Bounded
    without: Phrase | Between | Laid


Node = Phrase | Between | Laid | Bounded | Length | Recurring | Except


@dataclass(frozen=True, slots=True)
class Expression:
    """A node where it stands in the text, with the rules that made it."""

    node: Node
    start: int
    end: int
    rules: tuple[str, ...] = field(default=())


def expressions(lexemes: Iterable[Lexeme], text: str) -> Iterator[Expression]:
    """The expressions that the lexemes of a folded text compose, left to right."""
    for cluster in _clusters(lexemes, text):
        yield from Reader(cluster, text).expressions()


def _clusters(lexemes: Iterable[Lexeme], text: str) -> Iterator[list[Lexeme]]:
    """Runs of lexemes with nothing between them but what joins."""
    cluster: list[Lexeme] = []
    for lexeme in lexemes:
        if cluster and not _joins(cluster[-1], lexeme, text):
            yield cluster
            cluster = []
        cluster.append(lexeme)
    if cluster:
        yield cluster


def _joins(left: Lexeme, right: Lexeme, text: str) -> bool:
    if left.end == right.start:
        return True
    gap = text[left.end : right.start]
    if isinstance(left.token, Amount) and isinstance(right.token, Amount):
        return _COMMA.fullmatch(gap) is not None or gap.strip() in ("", "零", "又")
    return len(gap) <= 7 and _GAP.fullmatch(gap) is not None


class Reader:
    """Reads one cluster by recursive descent; the position only ever moves on."""

    def __init__(self, lexemes: list[Lexeme], text: str) -> None:
        self._lexemes = lexemes
        self._text = text
        self._at = 0
        self._rules: list[str] = []

    def expressions(self) -> Iterator[Expression]:
        """The expressions of the cluster, left to right."""
        while self._at < len(self._lexemes):
            first = self._at
            self._rules = []
            node = self._expression()
            if node is None:
                self._at = max(self._at, first + 1)
                continue
            start = self._lexemes[first].start + self._leading_space(first)
            yield Expression(node, start, self._closed(start, self._lexemes[self._at - 1].end), tuple(self._rules))

    def _closed(self, start: int, end: int) -> int:
        """The end of a span without trailing space, with the bracket that closes one opened inside."""
        end = start + len(self._text[start:end].rstrip())
        opened = self._text[start:end].count("(") > self._text[start:end].count(")")
        return end + 1 if opened and self._text[end : end + 1] == ")" else end

    def _leading_space(self, index: int) -> int:
        lexeme = self._lexemes[index]
        piece = self._text[lexeme.start : lexeme.end]
        return len(piece) - len(piece.lstrip())

    # -- the tokens ahead

    def _peek(self, ahead: int = 0) -> object:
        index = self._at + ahead
        return self._lexemes[index].token if index < len(self._lexemes) else None

    def _take(self) -> object:
        lexeme = self._lexemes[self._at]
        self._rules.append(lexeme.rule)
        self._at += 1
        return lexeme.token

    def _back_to(self, index: int) -> None:
        del self._rules[len(self._rules) - (self._at - index) :]
        self._at = index

    def _mark(self, kind: str, ahead: int = 0) -> bool:
        token = self._peek(ahead)
        return isinstance(token, Mark) and token.kind == kind

    # -- the rules of composition

    def _expression(self) -> Node | None:
        if isinstance(self._peek(), Every):
            return self._recurring()
        if self._mark("except"):
            return self._leading_except()
        lead = self._lead()
        node = self._item()
        if node is None:
            return None
        return self._trailing_except(self._bounded(node, lead))

    def _leading_except(self) -> Node | None:
        """除了周三的这周, 除周末外这个月."""
        self._take()
        without = self._item()
        if self._mark("except"):
            self._take()
        node = self._item() if without is not None else None
        return Except(node, without) if node is not None and without is not None else without

    def _trailing_except(self, node: Node) -> Node:
        """这周除了周三."""
        mark = self._at
        if self._mark("except") and isinstance(node, Phrase | Between | Laid):
            self._take()
            without = self._item()
            if self._mark("except"):
                self._take()
            if without is not None:
                return Except(node, without)
        self._back_to(mark)
        return node

    def _lead(self) -> str:
        """从, 自 before a time."""
        token = self._peek()
        if isinstance(token, Mark) and token.kind in ("from", "since", "by"):
            self._take()
            return token.kind
        return ""

    def _item(self) -> Node | None:
        if isinstance(self._peek(), Reach):
            return self._reached()
        if isinstance(self._peek(), Amount):
            return self._measured(None)
        phrase = self._phrase()
        if phrase is None:
            return None
        if isinstance(self._peek(), Amount):
            return self._measured(phrase) or phrase
        if isinstance(self._peek(), (Reach, Offset)) and isinstance(self._peek(1), Amount):
            return self._after_phrase(phrase)
        return self._between(phrase)

    def _reached(self) -> Node | None:
        reach = self._take()
        assert isinstance(reach, Reach)
        amounts = self._amounts()
        if not amounts:
            return None
        if isinstance(self._peek(), Offset):
            offset = self._peek()
            assert isinstance(offset, Offset)
            if offset.way == "within" or reach.way == "point":
                self._take()
        return Laid(amounts, f"{reach.way}-{reach.side}")

    def _after_phrase(self, phrase: Phrase) -> Node:
        """圣诞节前一天, 明天往后三天, 2月13号后的第3天."""
        token = self._take()
        ordinal = isinstance(token, Offset) and token.way == "ordinal"
        future = token.side == "future" if isinstance(token, Reach) else token.way in ("later", "ordinal")  # type: ignore[union-attr]
        amounts = self._amounts()
        way = "ordinal" if ordinal else "next-to-future" if future else "next-to-past"
        return Laid(amounts, way, phrase)

    def _measured(self, anchor: Phrase | None) -> Node | None:
        """A length, and what the word after it makes of it."""
        mark = self._at
        amounts = self._amounts()
        token = self._peek()
        if isinstance(token, Offset) and token.way in ("ago", "later", "within"):
            self._take()
            return self._beyond(amounts, token.way, anchor)
        if isinstance(token, Bound) and token.way == "since":
            self._take()
            return Laid(amounts, "since", anchor)
        if anchor is not None:
            self._back_to(mark)
            return None
        self._length_range()
        return Length(amounts)

    def _beyond(self, amounts: tuple[Amount, ...], way: str, anchor: Phrase | None) -> Node:
        """三年前的今天, 两周前的周三, 三天后的下午: a finer word inside the unit that the length reaches."""
        unit, count = amounts[-1].counts[-1]
        mark = self._at
        if anchor is None and way != "within" and len(amounts) == 1 and count % 1 == 0 and unit in _REACHED_UNITS:
            inner = self._phrase()
            offset = int(count) * (-1 if way == "ago" else 1)
            if inner is not None and inner.rank > _REACHED_UNITS[unit]:
                reached = day_predicate(offset) if unit == "day" else from_now(unit, offset)
                return Phrase((replace(reached, steps=None), *inner.predicates), inner.zone)
        self._back_to(mark)
        return Laid(amounts, way, anchor)

    def _length_range(self) -> None:
        """3天—8天: the second length belongs to the first."""
        if self._mark("to") and isinstance(self._peek(1), Amount):
            self._take()
            self._amounts()

    def _amounts(self) -> tuple[Amount, ...]:
        amounts: list[Amount] = []
        while True:
            token = self._peek()
            if not isinstance(token, Amount):
                return tuple(amounts)
            amounts.append(token)
            self._take()

    def _between(self, left: Phrase) -> Phrase | Between:
        """A 到 B; the right end takes over what it does not state."""
        start = self._at
        if self._mark("to") or self._mark("and"):
            joined_by_and = self._mark("and")
            self._take()
            right = self._phrase()
            if right is not None and (not joined_by_and or self._closing_between()):
                return Between(left, inherited(left, right))
        self._back_to(start)
        return left

    def _closing_between(self) -> bool:
        token = self._peek()
        if isinstance(token, Offset) and token.way == "within":
            self._take()
            return True
        return False

    def _bounded(self, node: Node, lead: str) -> Node:
        way = ""
        while True:
            token = self._peek()
            if isinstance(token, Mark) and token.kind == "about":
                self._take()
                node = replace(node, about=True) if isinstance(node, Phrase) else node
            elif isinstance(token, Mark) and token.kind == "during" and isinstance(node, Phrase):
                self._take()
                node = replace(node, days_off=True)
            elif isinstance(token, Bound):
                self._take()
                way = token.way
            elif isinstance(token, Offset) and not way:
                self._take()
                way = {"ago": "before", "later": "after", "ordinal": "after", "within": "within"}[token.way]
            else:
                break
        if not way and not isinstance(node, Between):
            way = {"since": "from", "by": "before"}.get(lead, "")
        if not way or way == "within" or not isinstance(node, Phrase | Between | Laid):
            return node
        return Bounded(node, way)

    def _recurring(self) -> Node | None:
        every = self._take()
        assert isinstance(every, Every)
        inner = self._phrase()
        if inner is None and every.unit is None:
            return None
        node: Phrase | Between | None = self._between(inner) if inner is not None else None
        return Recurring(every, node)

    # -- phrases

    def _phrase(self) -> Phrase | None:
        """The longest run of predicates that intersect."""
        first = self._at
        parts: list[Predicate | Part | Clock] = []
        lunar, zone = False, ""
        while True:
            token = self._peek()
            if isinstance(token, Mark) and token.kind in ("lunar", "solar", "zone"):
                lunar, zone = lunar or token.kind == "lunar", token.value or zone
            elif not isinstance(token, Predicate | Part | Clock) or not self._fits(parts, token):
                break
            else:
                parts.append(token)
            self._take()
        if not parts:
            self._at = first
            return None
        predicates = _composed(parts, lunar)
        return Phrase(predicates, zone) if predicates else None

    def _fits(self, parts: list[Predicate | Part | Clock], token: Predicate | Part | Clock) -> bool:
        if not parts:
            return True
        last, rank = parts[-1], _rank(token)
        before = self._text[self._lexemes[self._at - 1].end : self._lexemes[self._at].start]
        if _weekday_before_date(parts, token):
            return True
        if "," in before and rank > Rank.DAY:
            return isinstance(last, Predicate) and last.rank == Rank.DAY
        if _same_day_said_twice(last, token):
            return True
        return _rank(last) < rank or self._is_latin(token, last)

    def _is_latin(self, token: Predicate | Part | Clock, last: Predicate | Part | Clock) -> bool:
        """English puts the finer first: 3pm tomorrow, Aug 15 2024, Monday next week."""
        lexeme = self._lexemes[self._at]
        latin = self._lexemes[self._at].rule.startswith("english") or self._lexemes[self._at - 1].rule.startswith(
            "english"
        )
        year_after_date = lexeme.rule == "english-year"
        return (latin or year_after_date) and _rank(token) != _rank(last)


def _weekday_before_date(parts: list[Predicate | Part | Clock], token: Predicate | Part | Clock) -> bool:
    """周三,9月2日: a weekday that leads the date it goes with."""
    first = parts[0]
    if not (isinstance(first, Predicate) and first.loose and isinstance(token, Predicate)) or len(parts) > 2:
        return False
    return token.scope == "year" if len(parts) == 1 else token.scope == "month" and _rank(parts[1]) == Rank.MONTH


def _same_day_said_twice(last: Predicate | Part | Clock, token: Predicate | Part | Clock) -> bool:
    """9月12号周六: a date and its weekday."""
    if not (isinstance(last, Predicate) and isinstance(token, Predicate)):
        return False
    return last.rank == token.rank == Rank.DAY and (last.loose != token.loose) and last.grain == token.grain == "day"


def _rank(token: Predicate | Part | Clock) -> Rank:
    if isinstance(token, Predicate):
        return token.rank
    return Rank.PART if isinstance(token, Part) else Rank.CLOCK


def _composed(parts: list[Predicate | Part | Clock], lunar: bool) -> tuple[Predicate, ...]:
    """The predicates of a phrase from coarse to fine, part and clock fused."""
    part = next((p for p in parts if isinstance(p, Part)), None)
    clock = next((p for p in parts if isinstance(p, Clock)), None)
    predicates = sorted((p for p in parts if isinstance(p, Predicate)), key=lambda p: p.rank)
    if lunar:
        predicates = _as_lunar(predicates)
    if clock is not None:
        predicates.append(clock_predicate(clock, part))
    elif part is not None:
        predicates.append(part_predicate(part))
    return tuple(predicates)


def _as_lunar(predicates: list[Predicate]) -> list[Predicate]:
    """The same phrase with month and day counted by the lunar calendar."""
    stated = {key: value for p in predicates for key, value in p.stated.items()}
    month, day = stated.get("month"), stated.get("day")
    if not isinstance(month, int):
        return predicates
    lunar = lunar_predicate(month, day) if isinstance(day, int) else lunar_month_predicate(month)
    kept = [p for p in predicates if p.rank < Rank.MONTH]
    return [*kept, lunar] if lunar else kept


def inherited(left: Phrase, right: Phrase) -> Phrase:
    """The right end of a span with what it leaves out taken over from the left end."""
    head = right.predicates[0]
    if head.place is not None:
        return right
    coarser = tuple(p for p in left.predicates if p.rank < head.rank and not _is_part(p))
    own = right.predicates
    if head.rank == Rank.CLOCK and left.predicates[-1].rank == Rank.CLOCK:
        own = (clock_after(left.predicates[-1], head),)
    return replace(right, predicates=coarser + own, zone=right.zone or left.zone)


def _is_part(predicate: Predicate) -> bool:
    return predicate.rank == Rank.PART


__all__ = [
    "Between",
    "Bounded",
    "Except",
    "Expression",
    "Laid",
    "Length",
    "Phrase",
    "Recurring",
    "expressions",
    "finders",
]
