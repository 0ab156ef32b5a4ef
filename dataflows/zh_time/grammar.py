"""How lexemes compose: phrases, spans, bounds, lengths laid before and after, recurrences, exclusions.

Lexemes that stand side by side form a cluster. A cluster is read left to right:

    expression := 每 [phrase | span] | 除了 item 以外 item | [从|自|截至] item {bound} [除了 item]
    item       := reach length | length [offset [phrase]] | phrase [length offset] | phrase length | span
    span       := phrase 到 phrase | phrase 和 phrase 之间
    phrase     := predicates, each finer than the one before it (the intersect rule), part of the day and clock last
    bound      := 之前 | 之后 | 起 | 以来 | 前夕 | 期间 | 左右

The nodes made here say only what the words mean; `resolve` places them in time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from temporal_recall.dataflows.zh_time.calendar import Unit
from temporal_recall.dataflows.zh_time.composing import Word, composed, goes_on, inherited, is_day_of_feast
from temporal_recall.dataflows.zh_time.nodes import (
    Between,
    Bounded,
    Except,
    Expression,
    Laid,
    Length,
    Node,
    Phrase,
    Recurring,
)
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
    Token,
)

Item = Phrase | Between | Laid | Length

_GAP = re.compile(r"[ ]{0,3}(?:的|,|份|[)(]|at|\bof)?[ ]{0,3}")
_LENGTH_GAP = re.compile(r"[ ]?[,零又]?[ ]?")
_REACHED_UNITS: dict[Unit, Rank] = {"year": Rank.YEAR, "month": Rank.MONTH, "week": Rank.WEEK, "day": Rank.DAY}
_BOUND_OF_WORD = {"ago": "before", "later": "after", "ordinal": "after", "begin": "from"}
_BOUND_OF_LEAD = {"since": "from", "by": "before"}


def expressions(lexemes: Iterable[Lexeme], text: str) -> Iterator[Expression]:
    """The expressions that the lexemes of a folded text compose, left to right."""
    for cluster in _clusters(lexemes, text):
        at, end = cluster[0].start, cluster[-1].end
        words = tuple([Lexeme(start - at, end - at, rule, token) for start, end, rule, token in cluster])
        for read in _read(words, text[at : end + text.startswith(")", end)]):
            yield Expression(read.node, read.start + at, read.end + at, read.rules, read.stated)


@lru_cache(maxsize=8192)
def _read(cluster: tuple[Lexeme, ...], text: str) -> tuple[Expression, ...]:
    """The expressions of a cluster in its own text, with a bracket after it; the same few come again and again."""
    return tuple(_Reader(cluster, text).expressions())


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
    lengths = isinstance(left.token, Amount) and isinstance(right.token, Amount)
    return len(gap) <= 7 and (_LENGTH_GAP if lengths else _GAP).fullmatch(gap) is not None


class _Reader:
    """Reads one cluster by recursive descent; what a rule has taken in vain is given back."""

    def __init__(self, lexemes: Sequence[Lexeme], text: str) -> None:
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
            start, end = self._span(first)
            yield Expression(node, start, end, tuple(self._rules), _stated_fields(node))

    def _span(self, first: int) -> tuple[int, int]:
        """Where the lexemes read stand, without space around, with the bracket that closes one opened inside."""
        start, end = self._lexemes[first].start, self._lexemes[self._at - 1].end
        words = self._text[start:end]
        start += len(words) - len(words.lstrip())
        end -= len(words) - len(words.rstrip())
        opened = "(" in words and words.count("(") > words.count(")")
        return start, end + 1 if opened and self._text[end : end + 1] == ")" else end

    # -- the tokens ahead

    def _peek(self, ahead: int = 0) -> Token | None:
        index = self._at + ahead
        return self._lexemes[index].token if index < len(self._lexemes) else None

    def _take(self) -> None:
        self._rules.append(self._lexemes[self._at].rule)
        self._at += 1

    def _back_to(self, index: int) -> None:
        if index != self._at:
            del self._rules[len(self._rules) - (self._at - index) :]
            self._at = index

    def _takes_mark(self, *kinds: str) -> str:
        """The kind of the mark ahead, taken, where it is one of those named; else nothing."""
        token = self._peek()
        if isinstance(token, Mark) and token.kind in kinds:
            self._take()
            return token.kind
        return ""

    # -- expressions

    def _expression(self) -> Node | None:
        token = self._peek()
        if isinstance(token, Every):
            return self._recurring(token)
        if self._takes_mark("except"):
            return self._leading_except()
        lead = self._takes_mark("from", "since", "by")
        item = self._item()
        if item is None or isinstance(item, Length):
            return item
        return self._trailing_except(self._bounded(item, lead))

    def _recurring(self, every: Every) -> Node | None:
        """每周二下午, 每逢中秋."""
        self._take()
        phrase = self._phrase()
        if phrase is None:
            return Recurring(every, None) if every.unit is not None else None
        return Recurring(every, self._between(phrase))

    def _leading_except(self) -> Node | None:
        """除了周三的这周, 除周末外这个月."""
        without = self._item()
        self._takes_mark("except")
        if without is None or isinstance(without, Length):
            return without
        node = self._item()
        return without if node is None or isinstance(node, Length) else Except(node, without)

    def _trailing_except(self, node: Phrase | Between | Laid | Bounded) -> Node:
        """这周除了周三."""
        mark = self._at
        if self._takes_mark("except"):
            without = self._item()
            self._takes_mark("except")
            if without is not None and not isinstance(without, Length):
                return Except(node, without)
            self._back_to(mark)
        return node

    def _bounded(self, node: Phrase | Between | Laid, lead: str) -> Phrase | Between | Laid | Bounded:
        """An item with the words after it that open a side of it, widen it, or ask for its days off."""
        way = ""
        while True:
            token = self._peek()
            if isinstance(token, Bound) and token.way == "begin" and not lead and _ends_with_clock(node):
                break
            if isinstance(token, Bound) or (isinstance(token, Offset) and not way):
                self._take()
                way = _BOUND_OF_WORD.get(token.way, token.way)
            elif kind := self._takes_mark("about", *(("during",) if isinstance(node, Phrase) else ())):
                node = _with_mark(node, kind)
            else:
                break
        if not way and not isinstance(node, Between):
            way = _BOUND_OF_LEAD.get(lead, "")
        return Bounded(node, way) if way and way != "within" else node

    # -- items

    def _item(self) -> Item | None:
        token = self._peek()
        if isinstance(token, Reach):
            return self._reached(token)
        if isinstance(token, Amount):
            return self._measured()
        phrase = self._phrase()
        if phrase is None:
            return None
        token = self._peek()
        if isinstance(token, Amount):
            return self._measured_from(phrase)
        if isinstance(token, Reach | Offset) and isinstance(self._peek(1), Amount):
            return self._beside(phrase, token)
        return self._between(phrase)

    def _reached(self, reach: Reach) -> Laid | None:
        """最近三天, 再过两周, 前两个月."""
        self._take()
        amounts = self._amounts()
        token = self._peek()
        if amounts and isinstance(token, Offset) and (token.way == "within" or reach.way == "point"):
            self._take()
        return Laid(amounts, f"{reach.way}-{reach.side}") if amounts else None

    def _beside(self, phrase: Phrase, token: Reach | Offset) -> Laid:
        """圣诞节前一天, 明天往后三天, 2月13号后的第3天."""
        self._take()
        if isinstance(token, Offset):
            way = {"ordinal": "ordinal", "later": "next-to-future"}.get(token.way, "next-to-past")
        else:
            way = f"next-to-{token.side}"
        return Laid(self._amounts(), way, phrase)

    def _measured(self) -> Item:
        """A length, and what the word after it makes of it."""
        amounts = self._amounts()
        token = self._peek()
        if isinstance(token, Offset) and token.way != "ordinal":
            self._take()
            return self._beyond(amounts, token.way)
        if isinstance(token, Bound) and token.way == "since":
            self._take()
            return Laid(amounts, "since")
        self._rest_of_length()
        return Length(amounts)

    def _measured_from(self, phrase: Phrase) -> Phrase | Laid:
        """9月1号的14天后."""
        mark = self._at
        amounts = self._amounts()
        token = self._peek()
        if isinstance(token, Offset) and token.way in ("ago", "later"):
            self._take()
            return Laid(amounts, token.way, phrase)
        self._back_to(mark)
        return phrase

    def _beyond(self, amounts: tuple[Amount, ...], way: str) -> Phrase | Laid:
        """三年前的今天, 两周前的周三, 三天后的下午: a finer word inside the unit that the length reaches."""
        unit, count = amounts[-1].counts[-1]
        mark = self._at
        inner = self._phrase() if way != "within" and len(amounts) == 1 and unit in _REACHED_UNITS else None
        if inner is None or count % 1 or inner.rank <= _REACHED_UNITS[unit]:
            self._back_to(mark)
            return Laid(amounts, way)
        offset = int(count) * (-1 if way == "ago" else 1)
        reached = day_predicate(offset) if unit == "day" else from_now(unit, offset)
        return Phrase((replace(reached, steps=None), *inner.predicates), inner.zone)

    def _rest_of_length(self) -> None:
        """3天—8天: the second length belongs to the first."""
        token = self._peek()
        if isinstance(token, Mark) and token.kind == "to" and isinstance(self._peek(1), Amount):
            self._take()
            self._amounts()

    def _amounts(self) -> tuple[Amount, ...]:
        amounts: list[Amount] = []
        while isinstance(token := self._peek(), Amount):
            amounts.append(token)
            self._take()
        return tuple(amounts)

    def _between(self, left: Phrase) -> Phrase | Between:
        """A 到 B, A 和 B 之间; the right end takes over what it does not state."""
        mark = self._at
        link = self._takes_mark("to", "and")
        right = self._phrase() if link else None
        if right is not None and (link == "to" or self._takes_within()):
            return Between(left, inherited(left, right))
        self._back_to(mark)
        return left

    def _takes_within(self) -> bool:
        token = self._peek()
        if isinstance(token, Offset) and token.way == "within":
            self._take()
            return True
        return False

    # -- phrases

    def _phrase(self) -> Phrase | None:
        """The longest run of words that intersect, with the marks of calendar and zone among them."""
        first, words = self._at, list[Word]()
        lunar, zone = False, ""
        while True:
            token = self._peek()
            if isinstance(token, Mark) and token.kind in ("lunar", "plain", "zone"):
                lunar, zone = lunar or token.kind == "lunar", token.value or zone
            elif self._counts_in_days_off(words, token):
                pass
            elif isinstance(token, Predicate | Part | Clock) and self._goes_on(words, token):
                words.append(token)
            else:
                break
            self._take()
        predicates = composed(words, lunar)
        if not predicates:
            self._back_to(first)
        return Phrase(predicates, zone) if predicates else None

    def _counts_in_days_off(self, words: list[Word], token: Token | None) -> bool:
        """国庆假期第一天: 假期 before a day that is counted in it."""
        following = self._peek(1)
        is_mark = bool(words) and isinstance(token, Mark) and token.kind == "during"
        return is_mark and isinstance(following, Predicate) and is_day_of_feast(words[-1], following)

    def _goes_on(self, words: list[Word], word: Word) -> bool:
        if not words:
            return True
        before, this = self._lexemes[self._at - 1], self._lexemes[self._at]
        latin = this.rule.startswith("english") or before.rule.startswith("english")
        return goes_on(words, word, self._text[before.end : this.start], latin)


def _stated_fields(node: Node) -> dict[str, int | str]:
    """The calendar fields that the words of a phrase say."""
    predicates = node.predicates if isinstance(node, Phrase) else ()
    return {key: value for p in predicates for key, value in p.stated.items() if value != "implied"}


def _ends_with_clock(node: Phrase | Between | Laid) -> bool:
    return isinstance(node, Phrase) and node.predicates[-1].rank == Rank.CLOCK


def _with_mark(node: Phrase | Between | Laid, kind: str) -> Phrase | Between | Laid:
    if not isinstance(node, Phrase):
        return node
    return replace(node, about=True) if kind == "about" else replace(node, days_off=True)
