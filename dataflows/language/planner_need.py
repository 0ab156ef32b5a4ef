"""Which context a question needs: recall of a time, memory of a decision, both, or neither.

A time word never triggers recall by itself; it needs a predicate of the user's own past or plans, said or elided, in a
question, a request to look, or a bare noun phrase.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from temporal_recall.dataflows.language.planner_cues import QuestionCues
from temporal_recall.dataflows.language.planner_words import GAP
from temporal_recall.schemas.plan import QueryType

_PERSONAL = (
    "say_verb", "write_verb", "promise_verb", "told_assistant", "decide_verb", "create_verb", "plan_noun", "plan_verb",
    "matter", "appointment", "due_word", "unresolved", "done_query", "happening", "deed", "important", "past_decision",
)  # fmt: skip
"""Families of predicates that a person has of himself; any of them lets an unsaid subject be the user."""

_NOUN_PHRASE = re.compile(r"的[^，。？！\s的]{1,8}(?:是|呢)?\s*[。.]?$|(?:安排|行程|日程|计划|待办|任务|会议|事|事项|活动)\s*$")


@dataclass(frozen=True, slots=True)
class NeedRule:
    """One kind of question; `applies` is told the cues and whether a time scopes the question."""

    name: str
    meaning: str
    query_type: QueryType
    applies: Callable[[QuestionCues, bool], bool]


def _is_asked(cues: QuestionCues) -> bool:
    return cues.has("wh_word", "yes_no", "retrieval_request", "done_query") or bool(_NOUN_PHRASE.search(cues.plain))


def _is_personal(cues: QuestionCues) -> bool:
    return cues.has(*_PERSONAL) or cues.has("first_person") and cues.has("past_mark", "wh_word")


_ONE_DECISION = re.compile(
    rf"(?:敲定|决定|谈妥|选定|约定|商定|定下|拍板|说好|定)的(?!事|是|哪|什么|东西|内容|有){GAP}{{2,8}}?(?:是|叫|为|有)?(?:什么|多少|哪|几|啥|谁)"
)
"""The content of one thing settled: 「敲定的礼品预算是多少」."""


def _weighs_past_decision(cues: QuestionCues) -> bool:
    """Whether what happened in a range is set against what was settled before, or one decision is gone into."""
    if cues.has("past_decision") or cues.has("earlier_adverb") and cues.has("comparison", "settled"):
        return True
    return cues.has("decide_verb") and cues.has("reason", "comparison") or bool(_ONE_DECISION.search(cues.plain))


def _recalls_decision(cues: QuestionCues) -> bool:
    if cues.has("past_decision") or cues.has("earlier_adverb", "outcome_adverb") and cues.has("settled"):
        return True
    return cues.has("decide_verb") and (cues.has("first_person") or bool(_ONE_DECISION.search(cues.plain)))


NEED_RULES = (
    NeedRule("trapped", "a task, a public fact or small talk", "chat", lambda cues, timed: cues.trap is not None),
    NeedRule("not_asked", "nothing is asked", "chat", lambda cues, timed: not _is_asked(cues)),
    NeedRule("time_and_decision", "a stated time and what was settled before", "mixed",
             lambda cues, timed: timed and _is_personal(cues) and _weighs_past_decision(cues)),
    NeedRule(
        "time_and_person", "a stated time and a predicate of the user's own", "personal_temporal_recall",
        lambda cues, timed: timed and _is_personal(cues),
    ),
    NeedRule("time_alone", "a time, but nothing of the user's own", "chat", lambda cues, timed: timed),
    NeedRule("open_matters", "what is still owed, at no stated time", "personal_temporal_recall",
             lambda cues, timed: cues.has("unresolved", "done_query")),
    NeedRule("past_decision", "what was settled, at no stated time", "memory",
             lambda cues, timed: _recalls_decision(cues)),
    NeedRule("untimed_person", "the user's own doings, at no stated time", "personal_temporal_recall",
             lambda cues, timed: cues.has("first_person") and cues.has(
                 "say_verb", "write_verb", "told_assistant", "promise_verb", "plan_noun", "plan_verb", "appointment", "due_word")),
    NeedRule("nothing_personal", "nothing shows a question about the user's own life", "chat", lambda cues, timed: True),
)  # fmt: skip
"""Kinds of question; the first that applies decides."""


def need_rule_of(cues: QuestionCues, is_timed: bool) -> NeedRule:
    """The rule that says what a question needs."""
    return next(rule for rule in NEED_RULES if rule.applies(cues, is_timed))
