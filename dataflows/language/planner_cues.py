"""What a question's words show: the families found in it, with their places, and the text that remains to be read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from temporal_recall.dataflows.language.extraction_script import simplified
from temporal_recall.dataflows.language.planner_text import PLACEHOLDER, blanked
from temporal_recall.dataflows.language.planner_traps import TRAPS, Trap
from temporal_recall.dataflows.language.planner_words import ALL_FAMILIES, GAP, family_pattern
from temporal_recall.dataflows.zh_time.script import folded

Span = tuple[int, int]
FamilySpans = dict[str, tuple[Span, ...]]

_QUOTED = re.compile(r"「[^」]*」|『[^』]*』|“[^”]*”|‘[^’]*’|《[^》]*》|\"[^\"]*\"|`[^`]*`|(?<!\w)'[^']*'(?!\w)")
_EARLIER_DECISION = re.compile(
    rf"(?:上次|上回|之前|以前|先前|此前|当初|当时|原来|原先|最初){GAP}{{0,10}}?(?:决定|决策|结论|敲定|定下|定了|"
    rf"定的|约定|说好|商定|谈妥|选定|定过|拍板|谈的|谈过|谈好|讲好|商量)的?"
    rf"|(?:上次|上回|之前|以前|先前|当初|当时|原来|原先|最初)的?{GAP}{{0,4}}(?:计划|规划|目标|预算|原则|方案|"
    rf"排期|里程碑|标准|结论)"
)
"""What was settled before, set against the time that the question is about."""

_IMMINENT = re.compile(r"(?:快要|快|要|该)[^,。?!的]{1,6}了")
"""要…了: about to happen, whatever 了 says elsewhere."""

_ASKED_FOR = re.compile(
    r"想(?:要)?(?:问|请教|打听|咨询|了解|知道)[你您]?(?:一?下|个事儿?|个问题|[,:]|就是)"
    r"|(?:跟|和|给|同|对|与)我(?:再)?(?:说说|讲讲|聊聊|说一?下|讲一?下|念念|汇报一?下|汇报汇报)"
    r"|(?:^|(?<=[,。?!;\n□请你您快能下烦]))告诉我|发给我\s*[。!]?$"
)
"""The words of asking itself, which tell nothing that was said: 「我想问下…」, 「跟我说说…」, 「告诉我…」."""

_FORGOTTEN = re.compile(r"(?:忘|忘记|记混|搞混|搞忘|忘光)了|(?:不|没)记得|记不[清得起]|想不起来?")
"""Owns to a gap of memory; its 了 dates nothing."""

_RECALLED = re.compile(r"来着")
"""Calls back to mind what was done, or what is planned."""

_INTENT = ("plan_verb", "plan_noun", "due_word", "appointment")

_GOVERNING = ("plan_verb", "due_word", "unresolved")
_TOLD_OR_DONE = ("say_verb", "write_verb", "promise_verb", "decide_verb", "create_verb", "deed", "past_mark")
"""What is no telling or doing where a word of `_GOVERNING` reaches over it: 「明天要跟谁谈」."""

_TELLING = ("say_verb", "told_assistant", "write_verb")

_OUTWEIGH_FROM_ANYWHERE = ("told_assistant", "earlier_adverb", "past_decision")
"""Families that outweigh a trap from another clause too."""

_CLAUSE = re.compile(rf"{GAP}+")
_POLITE = re.compile(
    r"(?:能不能|能否|可不可以|可否|可以|能)(?=(?:麻烦|劳烦|请|拜托)?[你您]?(?:再|先)?"
    r"(?:帮我?|给我|替我|告诉我|跟我|麻烦|看一?[看下]|查一?[查下]|列|捋|说说|提醒我(?:一下)?,?(?=昨|上|前|我)))"
)
"""A modal that only softens a request to look."""

_WAVED_OFF = re.compile(rf"(?:别|不要|不用|甭|先不|先别)(?:说|管|提|看|讲|聊){GAP}*[,。]|^不是{GAP}{{1,8}},")
"""A clause that the speaker puts aside: 「别说明天了，…」."""


@dataclass(frozen=True, slots=True)
class QuestionCues:
    """The families of words found in a question.

    `plain` is the text folded to simplified, half-width, lower-case characters, quotes and waved-off clauses blanked,
    as long as `text`. `spans_by_family` holds only families that were found, each with its places in order. `trap`
    names the first reason not to recall that nothing outweighs, if there is one.
    """

    text: str
    plain: str
    quotes: tuple[str, ...]
    spans_by_family: dict[str, tuple[Span, ...]]
    trap: str | None

    def has(self, *families: str) -> bool:
        """Whether any of the families is found."""
        return any(name in self.spans_by_family for name in families)

    def has_within(self, clause: Span, *families: str) -> bool:
        """Whether any of the families is found inside a clause."""
        return any(clause[0] <= span[0] < clause[1] for name in families for span in self.spans_by_family.get(name, ()))

    def clauses(self) -> list[Span]:
        """The places of the clauses, in order."""
        return [m.span() for m in _CLAUSE.finditer(self.plain)]

    def spans(self, *families: str) -> list[Span]:
        """The places of all these families, in order of the text."""
        return sorted(span for name in families for span in self.spans_by_family.get(name, ()))


_PATTERNS = {family.name: family_pattern(family) for family in ALL_FAMILIES}
_TRAP_PATTERNS = tuple((trap, family_pattern(trap.family)) for trap in TRAPS)


def question_cues(text: str) -> QuestionCues:
    """The cues of a question.

    >>> sorted(question_cues("我昨天说过什么").spans_by_family)
    ['first_person', 'past_mark', 'say_verb', 'wh_word']
    """
    whole = simplified(folded(text))
    quotes = tuple(text[m.start() + 1 : m.end() - 1].strip() for m in _QUOTED.finditer(whole))
    plain = blanked(whole, _spans(_QUOTED, whole), PLACEHOLDER)
    plain = blanked(plain, _spans(_WAVED_OFF, plain))
    plain = blanked(plain, _spans(_POLITE, plain), PLACEHOLDER)
    spans = {name: places for name, pattern in _PATTERNS.items() if (places := _spans(pattern, plain))}
    spans = _settled_by_context(plain, spans)
    return QuestionCues(text, plain, tuple(q for q in quotes if q), spans, _first_trap(plain, spans))


def _settled_by_context(plain: str, spans: FamilySpans) -> FamilySpans:
    """The spans less those whose words mean something else where they stand.

    A decision of before is no decision of the range asked; a deed that one is going to do is not done; 要…了 is ahead;
    来着 recalls a plan where one is spoken of; the words of asking tell of nothing said.
    """
    earlier = _spans(_EARLIER_DECISION, plain)
    spans = _without(spans, (*_TOLD_OR_DONE, "plan_noun"), earlier) | ({"past_decision": earlier} if earlier else {})
    spans = _without(spans, _TOLD_OR_DONE, [s for name in _GOVERNING for s in spans.get(name, ())])
    spans = _without(spans, _TELLING, _spans(_ASKED_FOR, plain))
    undated = [*_spans(_IMMINENT, plain), *_spans(_FORGOTTEN, plain), *spans.get("important", ())]
    if any(name in spans for name in _INTENT):
        undated += _spans(_RECALLED, plain)
    return _without(spans, ("past_mark",), undated)


def _spans(pattern: re.Pattern[str], text: str) -> tuple[Span, ...]:
    return tuple(m.span() for m in pattern.finditer(text) if m.end() > m.start())


def _without(spans: FamilySpans, families: tuple[str, ...], outer: Iterable[Span]) -> FamilySpans:
    """The spans less those of `families` that begin inside one of `outer`."""
    covered = {place for start, end in outer for place in range(start, end)}
    if not covered:
        return spans
    kept = {name: tuple(span for span in spans.get(name, ()) if span[0] not in covered) for name in families}
    return {name: places for name, places in (spans | kept).items() if places}


def _first_trap(plain: str, spans: FamilySpans) -> str | None:
    for trap, pattern in _TRAP_PATTERNS:
        found = pattern.search(plain)
        if found and not _yields(trap, found.start(), plain, spans):
            return trap.family.name
    return None


def _yields(trap: Trap, place: int, plain: str, spans: FamilySpans) -> bool:
    """Whether a family that outweighs the trap stands in its clause; talk of before outweighs from anywhere."""
    clauses = (m.span() for m in _CLAUSE.finditer(plain) if m.start() <= place < m.end())
    clause = next(clauses, (0, len(plain)))
    near = (name for name in trap.yields_to for s in spans.get(name, ()) if clause[0] <= s[0] < clause[1])
    return any(near) or any(name in trap.yields_to and name in spans for name in _OUTWEIGH_FROM_ANYWHERE)
