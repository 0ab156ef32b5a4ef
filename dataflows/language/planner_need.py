"""Which context a question needs: recall of a time, memory of a decision, both, or neither.

A time word never triggers recall by itself; it needs a predicate of the user's own past or plans, said or elided, in a
question, a request to look, or a bare noun phrase.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from temporal_recall.dataflows.language.planner_cues import QuestionCues
from temporal_recall.dataflows.language.planner_mode import Question
from temporal_recall.dataflows.language.planner_words import GAP
from temporal_recall.schemas.plan import QueryType

OWN_PREDICATES = (
    "say_verb", "write_verb", "promise_verb", "told_assistant", "decide_verb", "create_verb", "plan_noun", "plan_verb",
    "matter", "appointment", "due_word", "unresolved", "done_query", "happening", "deed", "important", "past_decision",
    "affair",
)  # fmt: skip
"""Predicates that a person has of himself; any of them lets an unsaid subject be the user."""

_OWN_SUBJECTS = ("first_person", "known_person", "own_circle")

_NOUN_PHRASE = re.compile(
    r"的[^，。？！\s的了]{1,8}(?:呢)?\s*[。.]?$|(?:安排|行程|日程|计划|待办|任务|会议|事|事项|活动|账单|文件)\s*$"
)
_DEED_OBJECT = re.compile(r"[了过](?:些|点)?(?:什么|啥|哪些?|谁|几|多少)")
_ONE_DECISION = re.compile(
    rf"(?:敲定|决定|谈妥|选定|约定|商定|定下|拍板|说好|统一|定)的(?!事|是|哪|什么|东西|内容|有){GAP}{{2,8}}?(?:是|叫|为|有)?(?:什么|多少|哪|几|啥|谁|怎)"
)
"""The content of one thing settled: 「敲定的礼品预算是多少」."""


@dataclass(frozen=True, slots=True)
class NeedRule:
    """One kind of question."""

    name: str
    meaning: str
    query_type: QueryType
    applies: Callable[[Question], bool]


def _is_timed(question: Question) -> bool:
    return question.where != "none"


def _is_asked(question: Question) -> bool:
    is_question = question.has("wh_word", "yes_no", "retrieval_request", "done_query")
    return is_question or bool(_NOUN_PHRASE.search(question.cues.plain))


def _is_own(question: Question) -> bool:
    """Whether the predicate is the user's: one of his own, or any past or open one about him or his circle."""
    if question.has(*OWN_PREDICATES):
        return True
    is_open = question.has("past_mark", "wh_word", "retrieval_request") or question.where == "past"
    return question.has(*_OWN_SUBJECTS) and is_open




def _elides_user(question: Question) -> bool:
    """Whether a past deed asked about has no other doer than the user: 「昨天 review 了哪些」."""
    is_past = question.where in ("past", "present") and question.has("past_mark")
    return is_past and _DEED_OBJECT.search(question.cues.plain) is not None


def _asks_the_time_itself(question: Question) -> bool:
    """Whether a request to look names nothing but the time: 「帮我回顾一下上周」."""
    return question.has("retrieval_request") and not question.topics


def _weighs_past_decision(question: Question) -> bool:
    """Whether a range is set against what was settled before, or one decision is gone into."""
    if question.has("past_decision") or question.has("earlier_adverb") and question.has("comparison", "settled"):
        return True
    return _goes_into_decision(question.cues)


def _goes_into_decision(cues: QuestionCues) -> bool:
    return cues.has("decide_verb") and cues.has("reason", "comparison") or bool(_ONE_DECISION.search(cues.plain))


def _recalls_decision(question: Question) -> bool:
    if question.has("past_decision") or question.has("earlier_adverb", "outcome_adverb") and question.has("settled"):
        return True
    if question.has("earlier_adverb", "outcome_adverb") and question.has("past_mark") and question.has(*_OWN_SUBJECTS):
        return True
    return question.has("decide_verb") and (question.has("first_person") or _goes_into_decision(question.cues))


NEED_RULES = (
    NeedRule("trapped", "a task, a public fact or small talk", "chat", lambda q: q.cues.trap is not None),
    NeedRule("not_asked", "nothing is asked", "chat", lambda q: not _is_asked(q)),
    NeedRule("time_and_decision", "a stated time and what was settled before", "mixed",
             lambda q: _is_timed(q) and _is_own(q) and _weighs_past_decision(q)),
    NeedRule("time_and_person", "a stated time and a predicate of the user's own", "personal_temporal_recall",
             lambda q: _is_timed(q) and (_is_own(q) or _elides_user(q) or _asks_the_time_itself(q))),
    NeedRule("time_alone", "a time, but nothing of the user's own", "chat", _is_timed),
    NeedRule("open_matters", "what is still owed, at no stated time", "personal_temporal_recall",
             lambda q: q.has("unresolved", "done_query")),
    NeedRule("past_decision", "what was settled, at no stated time", "memory", _recalls_decision),
    NeedRule("untimed_person", "the user's own doings, at no stated time", "personal_temporal_recall",
             lambda q: q.has("first_person", "told_assistant") and q.has(
                 "say_verb", "write_verb", "told_assistant", "promise_verb", "plan_noun", "plan_verb", "appointment", "due_word")),
    NeedRule("nothing_personal", "nothing shows a question about the user's own life", "chat", lambda q: True),
)  # fmt: skip
"""Kinds of question; the first that applies decides."""


def need_rule_of(question: Question) -> NeedRule:
    """The rule that says what a question needs."""
    return next(rule for rule in NEED_RULES if rule.applies(question))
