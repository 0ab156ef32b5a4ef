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

_ASKING = ("wh_word", "yes_no", "look_back", "retrieval_request", "done_query")
_BACKWARD = (
    "say_verb", "write_verb", "told_assistant", "promise_verb", "decide_verb", "create_verb", "past_mark", "unresolved",
    "done_query", "earlier_adverb", "past_decision", "comparison", "retrieval_request", "look_back", "happening",
)  # fmt: skip
"""What only the user's own records can answer, even in a clause that does not name him."""

_MAY = re.compile(r"能|可以|应该|应不应该|适合|会不会|\b(?:can|may|should|could)\b")
"""Asks what may or ought to be, which no record tells."""

_TOPIC_CLAUSE = re.compile(r"的[^,。?!的]{1,12}$|[里中上内]$")

_NOUN_PHRASE = re.compile(
    r"的[^,。?!\s的了]{1,8}(?:呢)?\s*[。.]?$|(?:安排|行程|日程|计划|待办|任务|会议|事|事项|活动|账单|文件)\s*$"
)
_DEED_OBJECT = re.compile(
    r"(?s)(?P<before>.*?)(?:[\u4e00-\u9fff]{1,2}|[a-z]+ ?)(?<![\u4e00-\u9fff]{3})[了过完](?:些|点)?(?:什么|啥|"
    r"哪些?|谁|几|多少)"
)
_DOER = re.compile(r"[\u4e00-\u9fff]{2,}|[a-z]{2,}")
_ONE_DECISION = re.compile(
    rf"(?:敲定|决定|谈妥|选定|约定|商定|定下|拍板|说好|统一|定)的(?!事|是|哪|什么|东西|内容|"
    rf"有){GAP}{{2,8}}?(?:是|叫|为|有)?(?:什么|多少|哪|几|啥|谁|怎)"
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
    return question.has(*_ASKING) or bool(_NOUN_PHRASE.search(question.cues.plain))


def _is_own(question: Question) -> bool:
    """Whether the predicate is the user's: one of his own, or any past or open one about him or his circle."""
    if question.has(*OWN_PREDICATES):
        return True
    if question.has("look_back", "retrieval_request") and question.has("own_matter"):
        return True
    is_open = question.has("past_mark", "wh_word", "look_back", "retrieval_request") or question.where == "past"
    if question.has("first_person") and _MAY.search(question.rest) is None:
        return True
    return question.has(*_OWN_SUBJECTS) and is_open


def _elides_user(question: Question) -> bool:
    """Whether a past deed asked about has no other doer than the user: 「昨天 review 了哪些」, not 「苹果发布了什么」."""
    found = _DEED_OBJECT.search(question.rest)
    if found is None or question.where not in ("past", "present"):
        return False
    return not _DOER.search(found["before"])


def _asks_the_time_itself(question: Question) -> bool:
    """Whether a request to look names nothing but the time: 「帮我回顾一下上周」."""
    return question.has("look_back", "retrieval_request") and not question.topics


def _weighs_past_decision(question: Question) -> bool:
    """Whether a range is set against what was settled before, or one decision is gone into."""
    if question.has("past_decision") or (question.has("earlier_adverb") and question.has("comparison", "settled")):
        return True
    return _goes_into_decision(question.cues)


def _goes_into_decision(cues: QuestionCues) -> bool:
    return (cues.has("decide_verb") and cues.has("reason", "comparison")) or bool(_ONE_DECISION.search(cues.plain))


def _recalls_decision(question: Question) -> bool:
    """Whether an untimed question goes back to what was settled, done or said before."""
    if question.has("past_decision") or (question.has("earlier_adverb", "outcome_adverb") and question.has("settled")):
        return True
    if question.has("earlier_adverb") and _is_own(question):
        return True
    if question.has("earlier_adverb") and question.has("reason"):
        return True
    if question.has("outcome_adverb", "reason") and question.has("past_mark") and question.has(*_OWN_SUBJECTS):
        return True
    return question.has("decide_verb") and (question.has("first_person") or _goes_into_decision(question.cues))


def _is_untimed_own(question: Question) -> bool:
    """Whether an untimed question is about the user's own talk, plans or debts, or asks when one of them is."""
    if question.has("due_word") and question.has("plan_noun", "matter", "asks_when"):
        return True
    if question.has("asks_when") and question.has("affair"):
        return True
    if not question.has(*_OWN_SUBJECTS, "told_assistant"):
        return False
    is_ahead = question.has("plan_noun", "plan_verb", "appointment", "due_word")
    is_told = question.has("say_verb", "write_verb", "told_assistant", "promise_verb")
    return is_ahead or is_told or question.has("asks_when")


def _asks_apart_from_time(question: Question) -> bool:
    """Whether the user tells something and then asks something general: 「我下周去日本，要办签证吗」."""
    cues, clauses = question.cues, question.cues.clauses()
    if len(clauses) < 2:
        return False
    told, asked = clauses[0], clauses[-1]
    is_told = cues.has_within(told, *_OWN_SUBJECTS, "deed", "past_mark") and not cues.has_within(told, *_ASKING)
    is_topic = _TOPIC_CLAUSE.search(cues.plain[told[0] : told[1]]) is not None
    return is_told and not is_topic and not cues.has_within(asked, *_OWN_SUBJECTS, *_BACKWARD)


NEED_RULES = (
    NeedRule("trapped", "a task, a public fact or small talk", "chat", lambda q: q.cues.trap is not None),
    NeedRule("counsel", "a thing told, then a general question", "chat", _asks_apart_from_time),
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
             _is_untimed_own),
    NeedRule("nothing_personal", "nothing shows a question about the user's own life", "chat", lambda q: True),
)  # fmt: skip
"""Kinds of question; the first that applies decides."""


def need_rule_of(question: Question) -> NeedRule:
    """The rule that says what a question needs."""
    return next(rule for rule in NEED_RULES if rule.applies(question))
