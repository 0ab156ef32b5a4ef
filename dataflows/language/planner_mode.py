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
KEEPING = ("decide_verb", "create_verb")

_DEADLINE_BOUND = re.compile(r"[之以]?前(?![天年几阵些段面台往期者])|\bby\b|\bbefore\b")
_PROBLEM = re.compile(r"问题|故障|bug|毛病|麻烦|争议|分歧")


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the rules see it.

    `rest` is its plain text with the times blanked, `where` where its range lies as seen from now, `topics` its content
    words and `people` those whom it names; `has_told_range` says that a second range tells when what was told or planned is to be.
    """

    cues: QuestionCues
    rest: str
    where: Direction
    topics: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    has_told_range: bool = False

    def has(self, *families: str) -> bool:
        """Whether any of the families of words is found."""
        return self.cues.has(*families)


@dataclass(frozen=True, slots=True)
class ModeRule:
    """One way in which a question shows its mode."""

    name: str
    meaning: str
    mode: TemporalMode
    applies: Callable[[Question], bool]


def question_tense(cues: QuestionCues) -> Tense | None:
    """The tense in which the question's time words are read; None where nothing shows it."""
    if cues.has("promise_verb") and cues.has("unresolved", "done_query"):
        return "plan"
    if cues.has("due_word") and not cues.has(*TELLING, *KEEPING):
        return "plan"
    if cues.has("past_mark", "happening", *TELLING, *KEEPING):
        return "past"
    if cues.has("due_word", "plan_noun", "plan_verb", "appointment"):
        return "plan"
    if cues.has("recent") and cues.has("matter", "important"):
        return "past"
    if cues.has("look_back", "that_time"):
        return "past"
    return "plan" if cues.has("unresolved") and _DEADLINE_BOUND.search(cues.plain) else None


MODE_RULES = (
    ModeRule("done_yet", "whether a thing got done, at no stated time", "DUE_IN",
             lambda q: q.has("done_query") and q.where == "none"),
    ModeRule("promise_with_deadline", "what was promised and may still be owed", "DUE_IN",
             lambda q: q.has("promise_verb") and q.has("unresolved", "done_query")),
    ModeRule("told", "what was said, asked, typed or promised", "MENTIONED_IN",
             lambda q: q.has(*TELLING) and q.where != "future"),
    ModeRule("planned_then", "what was planned in one range for another", "CREATED_IN",
             lambda q: q.has_told_range and q.where != "future"),
    ModeRule("open_problem", "a problem left open, which may have come up or been spoken of", "AMBIGUOUS",
             lambda q: q.has("unresolved") and bool(_PROBLEM.search(q.cues.plain))),
    ModeRule("left_undone", "what was left undone in a past range", "MENTIONED_IN",
             lambda q: q.has("unresolved") and q.where == "past"),
    ModeRule("still_owed", "what is still to be done", "DUE_IN",
             lambda q: q.has("unresolved")),
    ModeRule("kept", "what was settled or put on record", "CREATED_IN",
             lambda q: q.has(*KEEPING) and q.where != "future"),
    ModeRule("owed", "what has its deadline there", "DUE_IN", lambda q: q.has("due_word")),
    ModeRule("made_a_date", "a date that was made then or lies then", "AMBIGUOUS", lambda q: q.has("appointment")),
    ModeRule("asks_when", "when a thing is to be, at no stated time", "PLANNED_IN",
             lambda q: q.has("asks_when") and q.where == "none" and not q.has("past_mark")),
    ModeRule("done", "what one did or what came to pass", "OCCURRED_IN",
             lambda q: q.has("past_mark", "happening") and q.where != "future"),
    ModeRule("matters", "what matters, with no other verb", "AMBIGUOUS",
             lambda q: q.has("important") and not q.has("plan_verb", "plan_noun") and q.where != "future"),
    ModeRule("lately", "what has been going on lately", "AMBIGUOUS",
             lambda q: q.has("recent") and q.has("matter") and not q.has("plan_noun", "plan_verb")),
    ModeRule("was_planned", "the diary of a past range", "OCCURRED_IN",
             lambda q: q.has("plan_noun", "plan_verb", "matter") and q.where == "past"),
    ModeRule("planned", "what is planned", "PLANNED_IN", lambda q: q.has("plan_noun", "plan_verb", "matter")),
    ModeRule("lies_ahead", "a range wholly ahead", "PLANNED_IN", lambda q: q.where == "future"),
    ModeRule("lies_behind", "a range wholly past", "OCCURRED_IN", lambda q: q.where == "past"),
    ModeRule("weighed", "how a range not yet over stands against what was settled", "OCCURRED_IN",
             lambda q: q.has("comparison") and q.where == "present"),
    ModeRule("looked_back", "a look back over a range not yet over", "OCCURRED_IN",
             lambda q: q.has("look_back") and q.where == "present"),
    ModeRule("deed_at_hand", "what one does in a range not yet over", "PLANNED_IN",
             lambda q: q.has("deed") and q.where == "present"),
    ModeRule("no_verb", "nothing shows a mode", "AMBIGUOUS", lambda q: True),
)  # fmt: skip
"""Ways to show a mode; the first that applies decides."""


def mode_rule_of(question: Question) -> ModeRule:
    """The rule that says which mode a question has."""
    return next(rule for rule in MODE_RULES if rule.applies(question))
