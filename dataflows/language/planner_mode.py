"""Tense and temporal mode of a question: what its range bounds, the telling, the deciding, the doing or the deadline."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from temporal_recall.dataflows.language.planner_cues import QuestionCues
from temporal_recall.dataflows.language.planner_question import KEEPING, STILL_TO_COME, TELLING, Question
from temporal_recall.schemas.plan import TemporalMode
from temporal_recall.schemas.time import Tense

_DEADLINE_BOUND = re.compile(r"[之以]?前(?![天年几阵些段面台往期者])|\bby\b|\bbefore\b")
_HOW_IT_WENT = re.compile(
    r"(?:怎么样|咋样|如何|顺不顺利?|顺利[吗么不]|开心[吗么不])[了呢啊]?\s*[?。]?$|"
    r"(?<!还有)(?<!还要)(?<!还剩)(?:几|多少)[次回趟]"
)
"""Asks how it went or how often, which only what is done can tell."""

_CAME = re.compile(
    r"(?:好[点些转]|出来?|下来|批下|出结果|有结果|有消息|有回音|到账|到货)了?没|(?:通?过|中|录取|录用|来|到)了没有?\s*[?。]?$"
)
"""Asks whether what others decide or send has come: 「结果出来没有」, 「快递到了没」."""

_VERDICT = re.compile(r"(?:怎么|咋|如何|怎样)(?:说|讲)的?\s*[?。]?$")
"""Asks what somebody made of a matter: 「大夫怎么说的」."""

_WHO_DID = re.compile(r"谁(?![^,。?]*[说讲提问聊答])[^,。?]{1,8}的(?:电话|饭|会|班|车|家|人)?\s*[?。]?$")
"""Asks for the doer of what came to pass: 「昨晚谁给我打的电话」."""

_SET_FOR = re.compile(r"定[在到了]?(?:是)?(?:什么时候|啥时候|几时|哪[天几]|几[点号]|(?:周|礼拜|星期)几)")
"""Asks for which day a thing is set, rather than when it was settled: 「面试定在哪天」."""

_PROBLEM = re.compile(r"问题|故障|bug|毛病|麻烦|争议|分歧")


def _is_hour_ahead(question: Question) -> bool:
    """Whether the hour of what lies ahead is asked, whenever it was fixed: 「跟他约的明早几点」."""
    return question.where == "future" and question.has("asks_when")


@dataclass(frozen=True, slots=True)
class ModeRule:
    """One way in which a question shows its mode."""

    name: str
    meaning: str
    mode: TemporalMode
    applies: Callable[[Question], bool]


@dataclass(frozen=True, slots=True)
class TenseRule:
    """One way in which a question shows its tense."""

    name: str
    meaning: str
    tense: Tense | None
    applies: Callable[[QuestionCues], bool]


TENSE_RULES = (
    TenseRule("promise_owed", "a promise that may be open", "plan",
              lambda cues: cues.has("promise_verb") and cues.has("unresolved", "done_query")),
    TenseRule("moved_then", "the act of putting off", "past",
              lambda cues: cues.has("moved") and cues.has("past_mark") and "把" in cues.plain),
    TenseRule("deadline", "a deadline, with nothing told or settled", "plan",
              lambda cues: cues.has("due_word") and not cues.has(*TELLING, *KEEPING)),
    TenseRule("moved", "an affair ahead that was put off", "plan",
              lambda cues: cues.has("moved") and not cues.has(*TELLING)),
    TenseRule("past_verb", "a verb marked as past, or one of telling or settling", "past",
              lambda cues: cues.has("past_mark", "happening", "measured", *TELLING, *KEEPING)),
    TenseRule("plan_word", "a plan or a duty", "plan",
              lambda cues: cues.has("due_word", "plan_noun", "plan_verb", "appointment")),
    TenseRule("asks_hour", "when an affair is", "plan", lambda cues: cues.has("asks_when") and cues.has("affair")),
    TenseRule("lately", "what has been going on lately", "past",
              lambda cues: cues.has("recent") and cues.has("matter", "important")),
    TenseRule("looks_back", "a look back, or at a day gone by", "past", lambda cues: cues.has("look_back", "that_time")),
    TenseRule("open_till_then", "what is open and bounded by a deadline", "plan",
              lambda cues: cues.has("unresolved") and _DEADLINE_BOUND.search(cues.plain) is not None),
    TenseRule("untensed", "nothing shows a tense", None, lambda cues: True),
)  # fmt: skip
"""Ways to show a tense, in which the question's time words are then read; the first that applies decides."""

MODE_RULES = (
    ModeRule("come_out", "whether a result or a thing awaited has come, at no stated time", "OCCURRED_IN",
             lambda q: q.has("done_query") and q.where == "none" and _CAME.search(q.rest) is not None),
    ModeRule("done_yet", "whether a thing got done, at no stated time", "DUE_IN",
             lambda q: q.has("done_query") and q.where == "none"),
    ModeRule("promise_with_deadline", "what was promised and may still be owed", "DUE_IN",
             lambda q: q.has("promise_verb") and q.has("unresolved", "done_query")),
    ModeRule("verdict", "what one who is asked for it had to say", "OCCURRED_IN",
             lambda q: q.where in ("past", "present") and q.has("known_person") and not q.has("first_person", "told_assistant") and _VERDICT.search(q.rest) is not None),
    ModeRule("who_did", "who it was that did it", "OCCURRED_IN",
             lambda q: q.where == "past" and _WHO_DID.search(q.rest) is not None),
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
    ModeRule("set_for", "for when a thing is set, at no stated time", "PLANNED_IN",
             lambda q: q.where == "none" and _SET_FOR.search(q.cues.plain) is not None),
    ModeRule("kept", "what was settled or put on record", "CREATED_IN",
             lambda q: q.has(*KEEPING) and q.where != "future"),
    ModeRule("moved_then", "what was put off then", "CREATED_IN",
             lambda q: q.has("moved") and q.where == "past"),
    ModeRule("moved", "an affair that was put off", "PLANNED_IN", lambda q: q.has("moved")),
    ModeRule("owed", "what has its deadline there", "DUE_IN", lambda q: q.has("due_word")),
    ModeRule("made_a_date",
        "a date that was made then or lies then", "AMBIGUOUS", lambda q: q.has("appointment") and not _is_hour_ahead(q)),
    ModeRule("when_it_last_was", "when a thing last was, at no stated time", "OCCURRED_IN",
             lambda q: q.has("asks_when") and q.has("earlier_adverb") and q.where == "none"),
    ModeRule("asks_when", "when a thing is to be, at no stated time", "PLANNED_IN",
             lambda q: q.has("asks_when") and q.where == "none" and not q.has("past_mark")),
    ModeRule("still_to_come", "whether what was planned still stands", "PLANNED_IN",
             lambda q: q.where in ("present", "none") and STILL_TO_COME.search(q.rest) is not None),
    ModeRule("done", "what one did or what came to pass", "OCCURRED_IN",
             lambda q: q.has("past_mark", "happening", "measured") and q.where != "future"),
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
    ModeRule("how_it_went", "how something went or how often, in no range that is over or ahead", "OCCURRED_IN",
             lambda q: q.where in ("present", "none") and _HOW_IT_WENT.search(q.rest) is not None),
    ModeRule("deed_at_hand", "what one does in a range not yet over", "PLANNED_IN",
             lambda q: q.has("deed") and q.where == "present"),
    ModeRule("no_verb", "nothing shows a mode", "AMBIGUOUS", lambda q: True),
)  # fmt: skip
"""Ways to show a mode; the first that applies decides."""


def tense_rule_of(cues: QuestionCues) -> TenseRule:
    """The rule that says in which tense a question's time words are read."""
    return next(rule for rule in TENSE_RULES if rule.applies(cues))


def mode_rule_of(question: Question) -> ModeRule:
    """The rule that says which mode a question has."""
    return next(rule for rule in MODE_RULES if rule.applies(question))
