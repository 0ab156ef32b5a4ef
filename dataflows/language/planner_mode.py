"""Tense and temporal mode of a question: what its range bounds, the telling, the deciding, the doing or the deadline."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from temporal_recall.dataflows.language.planner_cues import QuestionCues
from temporal_recall.schemas.plan import TemporalMode
from temporal_recall.schemas.time import Tense

Direction = Literal["past", "present", "future", "none"]
"""Where the scoping range lies: wholly before now, around it, wholly ahead, or nowhere stated."""

TELLING = ("say_verb", "write_verb", "promise_verb", "told_assistant")
KEEPING = ("decide_verb", "create_verb", "planned_then")

_DEADLINE_BOUND = re.compile(r"[之以]?前(?![天年几阵些段面台往期者])|\bby\b|\bbefore\b")
_PROBLEM = re.compile(r"问题|故障|bug|毛病|麻烦|争议|分歧")


@dataclass(frozen=True, slots=True)
class ModeRule:
    """One way in which a question shows its mode."""

    name: str
    meaning: str
    mode: TemporalMode
    applies: Callable[[QuestionCues, Direction], bool]


def question_tense(cues: QuestionCues) -> Tense | None:
    """The tense in which the question's time words are read; None where nothing shows it."""
    if cues.has("past_mark", "happening", *TELLING, *KEEPING):
        return "past"
    if cues.has("due_word", "plan_noun", "plan_verb", "appointment"):
        return "plan"
    return "plan" if cues.has("unresolved") and _DEADLINE_BOUND.search(cues.plain) else None


MODE_RULES = (
    ModeRule("promise_with_deadline", "what was promised and may still be owed", "DUE_IN",
             lambda cues, where: cues.has("promise_verb") and cues.has("unresolved", "done_query")),
    ModeRule("told", "what was said, asked, typed or promised", "MENTIONED_IN",
             lambda cues, where: cues.has(*TELLING) and where != "future"),
    ModeRule("open_problem", "a problem left open, which may have come up or been spoken of", "AMBIGUOUS",
             lambda cues, where: cues.has("unresolved") and bool(_PROBLEM.search(cues.plain))),
    ModeRule("left_undone", "what was left undone in a past range", "MENTIONED_IN",
             lambda cues, where: cues.has("unresolved") and where == "past"),
    ModeRule("still_owed", "what is still to be done", "DUE_IN",
             lambda cues, where: cues.has("unresolved") or cues.has("done_query") and where == "none"),
    ModeRule("kept", "what was settled or put on record", "CREATED_IN",
             lambda cues, where: cues.has(*KEEPING) and where != "future"),
    ModeRule("owed", "what has its deadline there", "DUE_IN", lambda cues, where: cues.has("due_word")),
    ModeRule("made_a_date", "a date that was made then or lies then", "AMBIGUOUS",
             lambda cues, where: cues.has("appointment")),
    ModeRule("done", "what one did or what came to pass", "OCCURRED_IN",
             lambda cues, where: cues.has("past_mark", "happening") and where != "future"),
    ModeRule("matters", "what matters, with no other verb", "AMBIGUOUS",
             lambda cues, where: cues.has("important") and not cues.has("plan_verb", "plan_noun") and where != "future"),
    ModeRule("was_planned", "the diary of a past range", "OCCURRED_IN",
             lambda cues, where: cues.has("plan_noun", "plan_verb", "matter") and where == "past"),
    ModeRule("planned", "what is planned", "PLANNED_IN", lambda cues, where: cues.has("plan_noun", "plan_verb", "matter")),
    ModeRule("lies_ahead", "a range wholly ahead", "PLANNED_IN", lambda cues, where: where == "future"),
    ModeRule("lies_behind", "a range wholly past", "OCCURRED_IN", lambda cues, where: where == "past"),
    ModeRule("deed_at_hand", "what one does in a range not yet over", "PLANNED_IN",
             lambda cues, where: cues.has("deed") and where == "present"),
    ModeRule("no_verb", "nothing shows a mode", "AMBIGUOUS", lambda cues, where: True),
)  # fmt: skip
"""Ways to show a mode; the first that applies decides."""


def mode_rule_of(cues: QuestionCues, direction: Direction) -> ModeRule:
    """The rule that says which mode a question has."""
    return next(rule for rule in MODE_RULES if rule.applies(cues, direction))
