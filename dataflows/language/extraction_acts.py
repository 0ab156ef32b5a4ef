"""Acts: what a clause tells — an event, a duty, a promise, a decision — and how far it is. One row of the table a rule.

The first rule whose conditions hold gives the clause its act. Of a message's clauses the act of the lowest `rank`
leads, and of equal ranks the one said first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd


@dataclass(frozen=True, slots=True)
class ActRule:
    """When a clause is an act: `needs` and `unless` name cues of the clause, `near` and `unless_near` of the message."""

    name: str
    meaning: str
    type: str
    status: str
    rank: int
    needs: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    unless_near: tuple[str, ...] = ()


_UNREAL = ("wish", "hearsay", "refuses", "dread")
_UNDECIDED = (*_UNREAL, "question")
_NOT_YET = (*_UNREAL, "question", "modal", "limit", "undone", "acknowledges", "feels")
_NOT_OURS = ("wish", "refuses", "hearsay", "seeks", "gossip_of_other")

ACT_RULES: tuple[ActRule, ...] = (
    ActRule("decision", "what was settled", "decision", "completed", 0, ("decides",), unless=(*_UNDECIDED, "undone")),
    ActRule("moved_duty", "something owed gets another time", "todo", "planned", 1, ("moves", "gives"), ("timed",), _UNDECIDED),
    ActRule("moved_event", "an event gets another time", "event", "planned", 1, ("moves",), ("timed",), _UNDECIDED),
    ActRule("corrected_event", "what was said of an event is set right", "event", "planned", 1, ("corrects",), ("timed",), _UNDECIDED),
    ActRule("cancelled_event", "an event is called off", "event", "cancelled", 2, ("cancels",), (), (*_UNDECIDED, "may_cancel")),
    ActRule("put_off_event", "an event is put off, no one knows to when", "event", "unknown", 2, ("moves",), (), _UNDECIDED),
    ActRule("told_promise", "the user gave their word", "commitment", "planned", 2, ("pledges",), ("timed",), _UNREAL),
    ActRule("failed_handover", "what was promised cannot be handed over yet", "commitment", "planned", 3, ("undone", "gives"), (), _UNDECIDED),
    ActRule("undone_duty", "it is still to be done", "todo", "planned", 3, ("undone",), ("timed",), _UNDECIDED),
    ActRule("undone_work", "a work is still to be done", "todo", "planned", 3, ("undone", "owes"), (), _UNDECIDED),
    ActRule("arranged_event", "a place, a ticket or an hour is secured", "event", "planned", 3, ("arranges",), ("timed",), _UNDECIDED, _NOT_OURS),
    ActRule("handed_over", "what was promised is handed over", "commitment", "completed", 3, ("gives_you", "perfective"), (), _NOT_YET),
    ActRule("duty_done", "something owed is done", "todo", "completed", 3, ("acquires",), (), (*_NOT_YET, "other_subject")),
    ActRule("arranged", "an arrangement is made", "todo", "completed", 3, ("arranges", "perfective"), (), _NOT_YET),
    ActRule("breakdown", "something went wrong", "event", "mentioned", 3, ("breaks",), (), (*_UNDECIDED, "modal")),
    ActRule("asked_of_other", "someone else is to do it", "todo", "planned", 3, ("calls_on_other",), ("timed",), _UNREAL),
    ActRule("promise", "the user will hand something over by a time", "commitment", "planned", 3, ("speaker", "gives"), ("timed",), _UNDECIDED),
    ActRule("duty", "something must be done", "todo", "planned", 3, ("duty",), (), (*_UNREAL, "question", "asks_machine"), ("wish", "seeks")),
    ActRule("deadline", "something is due by a time", "todo", "planned", 3, ("limit", "timed_here"), (), _UNDECIDED),
    ActRule("open_promise", "the user gives their word", "commitment", "planned", 4, ("pledges", "speaker"), (), _UNDECIDED),
    ActRule("offered", "the user will do it for the one addressed", "commitment", "planned", 4, ("speaker", "gives_you"), (), (*_UNDECIDED, "perfective", "asks_machine")),
    ActRule("done_event", "something is over", "event", "completed", 3, ("done",), (), (*_NOT_YET, "light"), ("asks_machine", "wish")),
    ActRule("arrival", "the user is there", "event", "completed", 3, ("arrived",), (), (*_UNDECIDED, "limit")),
    ActRule("ongoing_event", "something is going on", "event", "completed", 3, ("ongoing",), (), _UNDECIDED),
    ActRule("presumed_event", "a question takes the event for granted", "event", "planned", 3, ("timed_here", "presumes"), (), _UNREAL, _NOT_OURS),
    ActRule("appointment", "something has its time", "event", "planned", 3, ("timed_here",), ("activity",), (*_UNDECIDED, "asks_machine", "sky"), _NOT_OURS),
    ActRule("plan_ahead", "a time to come is named", "event", "planned", 3, ("ahead_here",), (), (*_UNDECIDED, "asks_machine", "sky", "greeting"), _NOT_OURS),
    ActRule("plan_today", "it is to be done today", "event", "planned", 3, ("timed_here", "modal", "goes"), (), (*_UNDECIDED, "asks_machine", "sky"), _NOT_OURS),
    ActRule("told_event", "a time past is told of", "event", "completed", 4, ("behind_here", "goes"), (), (*_UNDECIDED, "sky", "negated"), _NOT_OURS),
)  # fmt: skip


def clause_acts(cues: pd.DataFrame) -> pd.DataFrame:
    """The act of each clause: `rule` (null where no rule holds), `type`, `status`, `rank`; rows as in `cues`.

    Args:
        cues: columns of `clause_cues`, those of `extraction_times.clause_times`, and `record`.
    """
    record = cues["record"].to_numpy()
    here = {name: cues[name].to_numpy() for name in cues.columns if name != "record"}
    near = {name: _anywhere(values, record) for name, values in here.items()}
    masks = [_holds(rule, here, near) for rule in ACT_RULES]
    number = np.select(masks, list(range(len(ACT_RULES))), len(ACT_RULES)) if len(cues) else np.empty(0, int)
    return pd.DataFrame({
        "rule": pd.Series(np.array([*(r.name for r in ACT_RULES), None], dtype=object)[number], dtype="str"),
        "type": pd.Series(np.array([*(r.type for r in ACT_RULES), None], dtype=object)[number], dtype="str"),
        "status": pd.Series(np.array([*(r.status for r in ACT_RULES), None], dtype=object)[number], dtype="str"),
        "rank": pd.Series(np.array([*(r.rank for r in ACT_RULES), NO_ACT])[number], dtype="int64"),
    })  # fmt: skip


NO_ACT = 99
"""Rank of a clause that tells no act."""

MOVING = ("moved_event", "moved_duty", "corrected_event")
"""Rules of acts that give something told before another time."""


def tenses(cues: pd.DataFrame, record: pd.Series, is_memory: np.ndarray) -> pd.Series:
    """The tense of each clause: past where it tells of something over, plan where it tells of something to come.

    A clause that says neither (a mere date) takes the tense of the next clause of its message that does, else of the
    one before, else plan.
    """
    is_past = (cues["done"] | cues["arrived"] | cues["ongoing"]) & ~cues["modal"] & ~cues["limit"]
    is_plan = cues["modal"] | cues["limit"] | cues["activity"] | cues["goes"] | cues["duty"] | cues["arranges"]
    told = np.where(is_past | (is_memory & ~cues["modal"]), "past", np.where(is_plan, "plan", None))
    own = pd.Series(told, index=cues.index, dtype="str")
    return own.fillna(own.groupby(record).bfill()).fillna(own.groupby(record).ffill()).fillna("plan")


def _anywhere(values: np.ndarray, record: np.ndarray) -> np.ndarray:
    """For each clause whether any clause of its message has the cue."""
    if not len(values):
        return values
    return np.bincount(record, weights=values)[record] > 0


def _holds(rule: ActRule, here: dict[str, np.ndarray], near: dict[str, np.ndarray]) -> np.ndarray:
    holds = np.ones(len(next(iter(here.values()))), dtype=bool)
    for name in rule.needs:
        holds &= here[name]
    for name in rule.near:
        holds &= near[name]
    for name in rule.unless:
        holds &= ~here[name]
    for name in rule.unless_near:
        holds &= ~near[name]
    return holds
