"""What a question's words show: the families found in it, with their places, and the text that remains to be read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from temporal_recall.dataflows.beginnings import Beginnings
from temporal_recall.dataflows.language.planner_context import CLAUSE, FamilySpans, Span, settled_by_context, spans_of
from temporal_recall.dataflows.language.planner_plain import plain_question
from temporal_recall.dataflows.language.planner_traps import TRAPS, Trap
from temporal_recall.dataflows.language.planner_words import ALL_FAMILIES, ASKING, family_pattern

_OUTWEIGH_FROM_ANYWHERE = ("told_assistant", "earlier_adverb", "past_decision")
"""Families that outweigh a trap from another clause too."""

_OWN_ASKED = ("plan_noun", "plan_verb", "matter", "due_word", "unresolved", "appointment", "affair", "deed", "say_verb")
"""What a later clause asks of the user's own where a trap is of its own clause only."""


@dataclass(frozen=True, slots=True)
class QuestionCues:
    """The families of words found in a question.

    `plain` is the text as `planner_plain` leaves it, as long as `text`; `quotes` are the words that stood in quotes.
    `spans_by_family` holds only families that were found, each with its places in order. `trap` names the first reason
    not to recall that nothing outweighs, if there is one.
    """

    text: str
    plain: str
    quotes: tuple[str, ...]
    spans_by_family: dict[str, tuple[Span, ...]]
    trap: str | None

    def has(self, *families: str) -> bool:
        """Whether any of the families is found."""
        return not self.spans_by_family.keys().isdisjoint(families)

    def has_within(self, clause: Span, *families: str) -> bool:
        """Whether any of the families is found inside a clause."""
        return any(clause[0] <= span[0] < clause[1] for name in families for span in self.spans_by_family.get(name, ()))

    def clauses(self) -> list[Span]:
        """The places of the clauses, in order."""
        return [m.span() for m in CLAUSE.finditer(self.plain)]

    def spans(self, *families: str) -> list[Span]:
        """The places of all these families, in order of the text."""
        return sorted(span for name in families for span in self.spans_by_family.get(name, ()))


_PATTERNS = tuple((family, family_pattern(family)) for family in ALL_FAMILIES)
_TRAP_PATTERNS = tuple((trap, family_pattern(trap.family)) for trap in TRAPS)


def question_cues(text: str) -> QuestionCues:
    """The cues of a question.

    >>> sorted(question_cues("我昨天说过什么").spans_by_family)
    ['first_person', 'past_mark', 'say_verb', 'wh_word']
    """
    plain, quotes = plain_question(text)
    possible = _beginnings().possible_in(plain)
    spans = {
        family.name: places
        for number, (family, pattern) in enumerate(_PATTERNS)
        if number in possible and (places := spans_of(pattern, plain))
    }
    traps = [each for number, each in enumerate(_TRAP_PATTERNS, start=len(_PATTERNS)) if number in possible]
    spans = settled_by_context(plain, spans)
    return QuestionCues(text, plain, quotes, spans, _first_trap(traps, plain, spans))


@cache
def _beginnings() -> Beginnings:
    """Which families, and then which traps, a text may hold: most questions hold few."""
    return Beginnings([pattern for _, pattern in (*_PATTERNS, *_TRAP_PATTERNS)])


def _first_trap(traps: Iterable[tuple[Trap, re.Pattern[str]]], plain: str, spans: FamilySpans) -> str | None:
    found = [(trap, m.start()) for trap, pattern in traps for m in pattern.finditer(plain)]
    return next((trap.family.name for trap, place in found if not _yields(trap, place, plain, spans)), None)


def _yields(trap: Trap, place: int, plain: str, spans: FamilySpans) -> bool:
    """Whether a family that outweighs the trap stands in its clause; talk of before outweighs from anywhere."""
    clauses = [m.span() for m in CLAUSE.finditer(plain)]
    clause = next((c for c in clauses if c[0] <= place < c[1]), (0, len(plain)))
    if any(_begins_in(clause, spans, name) for name in trap.yields_to):
        return True
    if any(name in trap.yields_to and name in spans for name in _OUTWEIGH_FROM_ANYWHERE):
        return True
    return trap.is_of_its_clause and any(_asks_of_own(c, spans) for c in clauses if c[0] > clause[0])


def _asks_of_own(clause: Span, spans: FamilySpans) -> bool:
    """Whether a clause asks something of the user's own: 「现在几点了 我几点要开会」."""
    if not any(_begins_in(clause, spans, name) for name in ASKING):
        return False
    own = _OWN_ASKED if _begins_in(clause, spans, "first_person") else ("plan_noun", "unresolved")
    return any(_begins_in(clause, spans, name) for name in own)


def _begins_in(clause: Span, spans: FamilySpans, family: str) -> bool:
    return any(clause[0] <= span[0] < clause[1] for span in spans.get(family, ()))
