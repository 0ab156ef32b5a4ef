"""What a word means where it stands: words of one family that others reach over, date differently or take away."""

from __future__ import annotations

import re
from collections.abc import Iterable

from temporal_recall.dataflows.language.planner_words import ASKING, GAP

Span = tuple[int, int]
FamilySpans = dict[str, tuple[Span, ...]]
"""The places of each family that a text holds, in order."""

_EARLIER_DECISION = re.compile(
    rf"(?:上次|上回|(?<![天日号周月年点末底初节庆秋午旦期班课晚早夕阳一])(?:之前|以前)|先前|此前|当初|当时|原来|"
    rf"原先|最初)"
    rf"{GAP}{{0,10}}?(?:决定|决策|结论|敲定|定下|(?<![搞肯一固稳])定[了的]|约定|说好|商定|谈妥|选定|定过|拍板|"
    rf"谈的|谈过|谈好|讲好|商量)的?"
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

_HANDED_OUT = re.compile(
    r"(?:工资|薪水|奖金|年终奖|补贴|津贴|提成|分红|奖学金|红包|福利|货|快递|包裹|样品)[^,。?]{0,6}发"
)
"""Money and goods are handed out, not written: 「工资几号发的」."""

_WHETHER = re.compile(r"(?<!该)([^\W还])没\1")
"""Asks whether it was done and owns to nothing left undone: 「发没发」."""

_FORGOTTEN = re.compile(r"(?:忘|忘记|记混|搞混|搞忘|忘光)了|(?:不|没)记得|记不[清得起]|想不起来?")
"""Owns to a gap of memory; its 了 dates nothing."""

CLAUSE = re.compile(rf"{GAP}+")
"""A clause: what stands between two marks or blanks."""

_WHERE = re.compile(r"在哪")
"""Asks for a place; where an affair is named it is the affair's, at whatever time that is."""

_RECALLED = re.compile(r"来着")
"""Calls back to mind what was done, or what is planned."""

_HOUR_RECALLED = re.compile(r"几点(?:钟|开始)?来着")
"""Asks again for an hour that was fixed, whenever it is; 「几点睡的来着」 asks for one gone by."""

_OUTLOOK = ("plan_verb", "plan_noun", "due_word", "appointment")

_GOVERNING = ("plan_verb", "due_word", "unresolved")
_TOLD_OR_DONE = ("say_verb", "write_verb", "promise_verb", "decide_verb", "create_verb", "deed", "past_mark")
"""What is no telling or doing where a word of `_GOVERNING` reaches over it: 「明天要跟谁谈」."""

_TELLING = ("say_verb", "told_assistant", "write_verb")


def settled_by_context(plain: str, spans: FamilySpans) -> FamilySpans:
    """The spans less those whose words mean something else where they stand.

    A decision of before is no decision of the range asked; a deed that one is going to do is not done; 要…了 is ahead;
    来着 recalls a plan where one is spoken of or its hour asked; the words of asking tell of nothing said; 写了没 asks after a duty.
    """
    earlier = spans_of(_EARLIER_DECISION, plain)
    spans = _without(spans, (*_TOLD_OR_DONE, "plan_noun"), earlier) | ({"past_decision": earlier} if earlier else {})
    spans = _without(spans, _TOLD_OR_DONE, [s for name in _GOVERNING for s in spans.get(name, ())])
    spans = _without(spans, _TELLING, spans_of(_ASKED_FOR, plain))
    spans = _without(spans, ("write_verb", "say_verb"), spans.get("done_query", ()))
    spans = _without(spans, ("write_verb",), spans_of(_HANDED_OUT, plain))
    spans = _without(spans, ("unresolved",), spans_of(_WHETHER, plain))
    spans = _without(spans, ("say_verb",), spans.get("decide_verb", ()))
    spans = _without(spans, ("appointment",), spans.get("create_verb", ()))
    undated = [
        *spans.get("appointment", ()),
        *spans_of(_IMMINENT, plain),
        *spans_of(_FORGOTTEN, plain),
        *spans.get("important", ()),
    ]
    if "affair" in spans or "plan_noun" in spans:
        undated += spans_of(_WHERE, plain)
    undated += spans_of(_RECALLED if any(name in spans for name in _OUTLOOK) else _HOUR_RECALLED, plain)
    return _without(spans, ("past_mark",), [*undated, *_before_a_plan_asked(plain, spans)])


def _before_a_plan_asked(plain: str, spans: FamilySpans) -> list[Span]:
    """What is said before the last clause, where that clause asks after plans and tells of nothing past."""
    *told, asked = [m.span() for m in CLAUSE.finditer(plain)] or [(0, 0)]
    is_plan_asked = _begins_in(asked, spans, _OUTLOOK) and _begins_in(asked, spans, ASKING)
    return told if is_plan_asked and not _begins_in(asked, spans, ("past_mark", *_TELLING)) else []


def _begins_in(clause: Span, spans: FamilySpans, families: Iterable[str]) -> bool:
    return any(clause[0] <= span[0] < clause[1] for name in families for span in spans.get(name, ()))


def spans_of(pattern: re.Pattern[str], text: str) -> tuple[Span, ...]:
    """The places where a pattern is found, in order; empty finds are none."""
    return tuple(m.span() for m in pattern.finditer(text) if m.end() > m.start())


def _without(spans: FamilySpans, families: tuple[str, ...], outer: Iterable[Span]) -> FamilySpans:
    """The spans less those of `families` that begin inside one of `outer`."""
    covered = {place for start, end in outer for place in range(start, end)}
    if not covered:
        return spans
    kept = {name: tuple(span for span in spans.get(name, ()) if span[0] not in covered) for name in families}
    return {name: places for name, places in (spans | kept).items() if places}
