"""Acts: what a clause tells — an event, a duty, a promise, a decision — and how far it is. One row of the table a rule.

The first rule whose conditions hold gives the clause its act; of a message's clauses the act of the lowest `rank` leads,
then the one said first.
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


_UNREAL = ("wish", "hearsay")

ACT_RULES: tuple[ActRule, ...] = (
    ActRule(
        "decision", "what was settled", "decision", "completed", 0, needs=("decides",), unless=(*_UNREAL, "question")
    ),
    ActRule(
        "moved_event",
        "an event gets another time",
        "event",
        "planned",
        1,
        needs=("moves",),
        unless=(*_UNREAL, "question"),
    ),
    ActRule(
        "cancelled_event",
        "an event is called off",
        "event",
        "cancelled",
        2,
        needs=("cancels",),
        unless=(*_UNREAL, "question", "may_cancel", "moves"),
    ),
    ActRule(
        "undone_promise",
        "the user has still to hand something over",
        "commitment",
        "planned",
        3,
        needs=("undone",),
        near=("deliverable", "timed"),
        unless=_UNREAL,
    ),
    ActRule(
        "undone_duty", "it is still to be done", "todo", "planned", 3, needs=("undone",), near=("duty",), unless=_UNREAL
    ),
    ActRule(
        "handed_over",
        "what was promised to someone is handed over",
        "commitment",
        "completed",
        3,
        needs=("delivers", "perfective", "second_person"),
        unless=(*_UNREAL, "question"),
    ),
    ActRule(
        "duty_done",
        "a duty is done",
        "todo",
        "completed",
        3,
        needs=("delivers", "perfective"),
        unless=(*_UNREAL, "question"),
    ),
    ActRule(
        "breakdown", "something went wrong", "event", "mentioned", 3, needs=("breaks",), unless=(*_UNREAL, "question")
    ),
    ActRule(
        "arranged_event",
        "something is arranged",
        "event",
        "planned",
        4,
        needs=("arranges",),
        near=("timed",),
        unless=_UNREAL,
    ),
    ActRule(
        "duty",
        "something must be done",
        "todo",
        "planned",
        3,
        needs=("duty",),
        near=("timed",),
        unless=("wish", "done"),
        unless_near=("arranges",),
    ),
    ActRule(
        "promise",
        "the user will hand something over by a time",
        "commitment",
        "planned",
        3,
        needs=("first_person", "delivers"),
        near=("timed",),
        unless=(*_UNREAL, "perfective"),
    ),
    ActRule(
        "deadline",
        "a thing is due by a time",
        "todo",
        "planned",
        3,
        needs=("before",),
        near=("timed", "deliverable"),
        unless=(*_UNREAL, "perfective"),
    ),
    ActRule(
        "open_promise",
        "the user gives their word without a time",
        "commitment",
        "planned",
        4,
        needs=("promises", "first_person"),
        unless=(*_UNREAL, "perfective", "question"),
    ),
    ActRule(
        "done_event",
        "something is over",
        "event",
        "completed",
        4,
        needs=("done",),
        unless=(*_UNREAL, "question", "arranges"),
    ),
    ActRule("arrival", "the user is there", "event", "completed", 4, needs=("arrived",), unless=(*_UNREAL, "question")),
    ActRule(
        "timed_event",
        "something has its time",
        "event",
        "planned",
        5,
        needs=("timed_here",),
        unless=_UNREAL,
        unless_near=("wish",),
    ),
)


def clause_acts(cues: pd.DataFrame) -> pd.DataFrame:
    """The act of each clause: `rule` (null where no rule holds), `type`, `status`, `rank`; rows as in `cues`.

    Args:
        cues: columns of `clause_cues`, further `record`, `timed` (the message names a time) and `timed_here`.
    """
    here = {name: cues[name].to_numpy() for name in cues.columns if name != "record"}
    near = {name: _anywhere(values, cues["record"].to_numpy()) for name, values in here.items()}
    masks = [_holds(rule, here, near) for rule in ACT_RULES]
    number = np.select(masks, list(range(len(ACT_RULES))), -1) if len(cues) else np.empty(0, int)
    found = number >= 0
    return pd.DataFrame(
        {
            "rule": pd.Series(np.array([r.name for r in ACT_RULES])[number], dtype="str").where(found),
            "type": pd.Series(np.array([r.type for r in ACT_RULES])[number], dtype="str").where(found),
            "status": pd.Series(np.array([r.status for r in ACT_RULES])[number], dtype="str").where(found),
            "rank": np.where(found, np.array([r.rank for r in ACT_RULES])[number], 99),
        }
    )


def _anywhere(values: np.ndarray, record: np.ndarray) -> np.ndarray:
    """For each clause whether any clause of its message has the cue."""
    if not len(values):
        return values
    total = np.bincount(record, weights=values)
    return total[record] > 0


def _holds(rule: ActRule, here: dict[str, np.ndarray], near: dict[str, np.ndarray]) -> np.ndarray:
    holds = np.ones(len(here["negated"]), dtype=bool)
    for name in rule.needs:
        holds &= here[name]
    for name in rule.near:
        holds &= near[name]
    for name in rule.unless:
        holds &= ~here[name]
    for name in rule.unless_near:
        holds &= ~near[name]
    return holds
