"""Acts: what a clause tells — an event, a duty, a promise, a decision — and how far it is. One row of the table a rule.

The first rule whose conditions hold gives the clause its act. Of a message's clauses the act of the lowest `rank`
leads, and of equal ranks the one said first.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np
import numpy.typing as npt
import pandas as pd

from temporal_recall.dataflows.columns import texts
from temporal_recall.dataflows.runs import run_lengths, run_starts
from temporal_recall.schemas.columns import Coded


@dataclass(frozen=True, slots=True)
class ActRule:
    """When a clause is an act: `needs` and `unless` name cues of the clause, `near` and `unless_near` of the message."""

    name: str
    meaning: str
    type: str
    status: str
    rank: int
    needs: tuple[str, ...]
    near: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    unless_near: tuple[str, ...] = ()


Flags = npt.NDArray[np.bool_]
"""One bool a clause."""

NO_ACT = 99
"""Rank of a clause that tells no act."""

SHIFTING = ("shifted_event", "shifted_duty")
"""Rules of acts that tell by how much something moves: its new time hangs on the old one."""

MOVING = (*SHIFTING, "moved_event", "moved_duty", "moved_work", "corrected_event", "corrected_time", "moved_place")
"""Rules of acts that give something told before another time or place."""

NO_DEADLINE = ("reminder", "told_promise", "errand")
"""Rules of duties and promises whose time is when to act, not by when."""

_UNREAL = ("wish", "hearsay", "refuses", "dread")
_UNSURE = (*_UNREAL, "question")
_NOT_OVER = (
    *_UNSURE,
    "greeting",
    "modal",
    "limit",
    "undone",
    "yet_to_come",
    "once_there",
    "forgets",
    "stops",
    "acknowledges",
    "feels",
)
_NO_PLAN = (*_UNSURE, "asks_machine", "sky", "greeting", "declines", "waits", "rules_out")
_NO_APPOINTMENT = (*_UNSURE, "asks_machine", "sky", "declines", "not_happened", "stops", "next_time")
_NOT_OURS = ("wish", "refuses", "hearsay", "seeks", "gossip_of_other")

ACT_RULES: tuple[ActRule, ...] = (
    # what is to hold from now on
    ActRule("listed_duties", "a heading with the things to be done under it", "todo", "planned", 0,
            ("heads_duties",), unless=_UNSURE),
    ActRule("standing_rule", "a rule is laid down from now on", "decision", "completed", 0,
            ("from_now_on",), unless=(*_UNSURE, "asks_machine", "sky")),
    ActRule("agreed_habit", "people agree to do it again and again", "decision", "completed", 0,
            ("agrees",), near=("recurs",), unless=(*_UNSURE, "undone", "reminds", "pledges")),
    # what changes or ends something told before
    ActRule("settled_event", "an event is fixed", "event", "planned", 0,
            ("settles",), near=("coming", "activity"), unless=_UNSURE),
    ActRule("settled_hour", "an event gets its hour", "event", "planned", 0,
            ("settles", "hour_ahead_here"), unless=_UNSURE),
    ActRule("settled", "what was settled", "decision", "completed", 0, ("settles",), unless=(*_UNSURE, "undone")),
    ActRule("decision", "what was decided", "decision", "completed", 0, ("decides",), unless=(*_UNSURE, "undone")),
    ActRule("shifted_duty", "something owed gets another time, told by how much it moves", "todo", "planned", 1,
            ("moves_by", "owes"), unless=_UNSURE),
    ActRule("shifted_event", "an event gets another time, told by how much it moves", "event", "planned", 1,
            ("moves_by",), unless=_UNSURE, unless_near=("done", "acquires", "works_off", "arrived")),
    ActRule("postponed_event",
        "an event does not take place at its time, the new one is not said", "event", "cancelled", 1,
            ("puts_off", "timed_here"), unless=_UNSURE),
    ActRule("moved_duty", "something owed gets another time", "todo", "planned", 1,
            ("moves", "duty"), near=("timed",), unless=_UNSURE),
    ActRule("moved_work", "a work gets another time to be handed in", "todo", "planned", 1,
            ("moves", "owes"), near=("timed",), unless=(*_UNSURE, "activity"), unless_near=("hour_ahead_here",)),
    ActRule("moved_event", "an event gets another time", "event", "planned", 1, ("moves",), near=("timed",), unless=_UNSURE),
    ActRule("corrected_event", "what was said of an event is set right", "event", "planned", 1,
            ("corrects",), near=("timed",), unless=_UNSURE),
    ActRule("corrected_time", "the right time after the denied one", "event", "planned", 1,
            ("timed_here",), near=("denies",), unless=(*_UNSURE, "denies")),
    ActRule("cancelled_event", "an event is called off", "event", "cancelled", 2,
            ("cancels",), unless=(*_UNSURE, "may_cancel")),
    ActRule("dropped_event", "what was to be done together is let be", "event", "cancelled", 2,
            ("drops", "activity"), near=("coming",), unless=("wish", "hearsay", "dread", "question")),
    ActRule("missed_event", "an event fell through, for someone did not come", "event", "cancelled", 2,
            ("missed",), near=("timed",), unless=_UNSURE),
    ActRule("put_off_event",
        "an event is put off, to when is not said", "event", "unknown", 2, ("puts_off",), unless=_UNSURE),
    ActRule("moved_place", "an event gets another place", "event", "planned", 2, ("moves", "activity"), unless=_UNSURE),
    ActRule("given_up", "a course is not taken any longer", "decision", "completed", 4,
            ("gives_up",), unless=(*_UNSURE, "cancels", "asks_machine", "feels")),
    ActRule("changed", "one thing takes the place of another", "decision", "completed", 4,
            ("turns_into",), unless=(*_UNSURE, "modal", "asks_machine", "undone"), unless_near=("timed", "activity")),
    # what is owed
    ActRule("reminder_of_deadline", "the user wants to be reminded of a limit", "todo", "planned", 3,
            ("reminds",), near=("limit",), unless=(*_UNSURE, "negated")),
    ActRule("reminder", "the user wants to be reminded", "todo", "planned", 3, ("reminds",), unless=(*_UNSURE, "negated")),
    ActRule("told_debt", "a promise to hand something over is told", "commitment", "planned", 3,
            ("pledges",), near=("timed", "gives"), unless=(*_UNREAL, "negated", "others_word")),
    ActRule("told_deadline", "a promise with a limit is told", "commitment", "planned", 3,
            ("pledges",), near=("timed", "limit"), unless=(*_UNREAL, "negated", "others_word")),
    ActRule("told_promise", "a promise that was given is told", "commitment", "planned", 3,
            ("pledges",), near=("timed",), unless=(*_UNREAL, "negated", "others_word")),
    ActRule("service_appointment",
        "something is done for the one addressed, at an hour of a day to come", "event", "planned", 3,
            ("serves", "hour_ahead_here"), unless=(*_NO_PLAN, "limit", "undone", "calls_on_other", "perfective"), unless_near=_NOT_OURS),
    ActRule("promised_you", "the one addressed will get it by a time", "commitment", "planned", 4,
            ("hands_you",), near=("coming",),
            unless=(*_UNSURE, "perfective", "asks_machine", "calls_on_other", "other_subject", "reported", "cannot_give", "declines"),
            unless_near=("seeks", "refuses")),
    ActRule("promised_client", "one for whom one works will get it by a time", "commitment", "planned", 4,
            ("gives_client",), near=("coming",),
            unless=(*_UNSURE, "perfective", "asks_machine", "calls_on_other", "reported", "cannot_give", "declines", "reminds")),
    ActRule("told_by_when", "one called by name is told by when it will be there", "commitment", "planned", 4,
            ("limit", "timed_here"), near=("vocative",),
            unless=(*_UNSURE, "perfective", "asks_machine", "calls_on_other", "duty", "own_duty", "reported", "allows"),
            unless_near=("seeks", "refuses", "own_duty", "calls_on_other")),
    ActRule("forgotten_duty", "it was forgotten and is to be made good", "todo", "planned", 4,
            ("forgets",), near=("coming",), unless=(*_UNREAL, "question")),
    ActRule("failed_handover", "what was promised cannot be handed over yet", "commitment", "planned", 4,
            ("cannot_give",), unless=_UNSURE),
    ActRule("undone_duty", "by its time it is still to be done", "todo", "planned", 3,
            ("unfinished",), near=("timed",), unless=_UNSURE),
    ActRule("undone_work", "a work is still to be done", "todo", "planned", 4, ("unfinished", "owes"), unless=_UNSURE),
    ActRule("undone_errand", "an errand is still to be run", "todo", "planned", 4,
            ("unseen_to",), unless=(*_UNSURE, "other_subject", "calls_on_other")),
    ActRule("lacking_work", "part of a work is missing", "todo", "planned", 4, ("lacks",), unless=_UNSURE),
    ActRule("arranged_event", "a place, a ticket or an hour is secured", "event", "planned", 3,
            ("arranges",), near=("coming",), unless=(*_UNSURE, "duty", "lasts"), unless_near=_NOT_OURS),
    ActRule("handed_over", "what was promised is handed over", "commitment", "completed", 4,
            ("gives_you", "perfective"), unless=_NOT_OVER),
    ActRule("delivered", "the one addressed has got what was promised", "commitment", "completed", 4,
            ("acquires",), near=("addressed",), unless=(*_NOT_OVER, "other_subject", "gets", "own_duty", "ahead_here"), unless_near=("own_duty",)),
    ActRule("duty_done", "something owed is done", "todo", "completed", 4,
            ("acquires",), unless=(*_NOT_OVER, "other_subject", "gets", "lasts", "ahead_here")),
    ActRule("debt_settled", "a thing owed is entered, settled or handed in", "todo", "completed", 4,
            ("owes", "hands_in"), unless=(*_NOT_OVER, "other_subject", "gets", "lacks", "lasts")),
    ActRule("received", "a thing that was owed to the user has come", "todo", "completed", 4,
            ("receives", "owes"), unless=(*_NOT_OVER, "lasts")),
    ActRule("work_done", "a work is finished", "todo", "completed", 4,
            ("works_off",), unless=(*_NOT_OVER, "other_subject", "gets", "lasts")),
    ActRule("arrangement_made", "an arrangement is made, for when is not said", "todo", "completed", 4,
            ("arranges", "perfective"), unless=(*_NOT_OVER, "lasts")),
    ActRule("announced_breakdown", "something will be out of service", "event", "planned", 4,
            ("breaks", "ahead_here"), unless=(*_UNSURE, "negated")),
    ActRule("breakdown", "something went wrong", "event", "mentioned", 5, ("breaks",), unless=(*_UNSURE, "modal", "limit", "negated")),
    ActRule("invited", "someone is asked to come at a time", "event", "planned", 3,
            ("calls_on_other", "comes_along"), near=("coming",),
            unless=(*_UNREAL, "perfective", "asks_machine", "declines"), unless_near=("seeks", "refuses")),
    ActRule("requested", "someone else is to do it by a limit", "todo", "planned", 3,
            ("calls_on_other", "limit"), near=("timed",), unless=(*_UNREAL, "asks_machine"), unless_near=("seeks", "refuses")),
    ActRule("asked_of_other", "someone else is to do it", "todo", "planned", 4, ("calls_on_other",), near=("timed",),
            unless=(*_UNREAL, "perfective", "asks_machine", "moves", "arranges", "declines"), unless_near=("seeks", "refuses")),
    ActRule("noted_duty", "what is not to be forgotten", "todo", "planned", 4,
            ("timed_here",), near=("reminds_tail",), unless=_UNSURE),
    ActRule("assigned_duty", "someone tells the user to do it", "todo", "planned", 4,
            ("told_to",), near=("timed",), unless=(*_UNSURE, "activity", "comes_along")),
    ActRule("promise", "the user will hand something over by a time", "commitment", "planned", 4,
            ("speaker", "gives"), near=("timed",), unless=_UNSURE, unless_near=("wish",)),
    ActRule("owed_thing", "a thing is to be handed over by a time", "todo", "planned", 4,
            ("owes", "gives"), near=("coming",), unless=(*_UNSURE, "perfective", "asks_machine")),
    ActRule("duty", "something must be done", "todo", "planned", 4,
            ("duty",), unless=(*_UNSURE, "asks_machine", "acquires"), unless_near=_NOT_OURS),
    ActRule("pressing_duty", "by a time to come it must have been done", "todo", "planned", 4,
            ("duty", "ahead_here"), unless=(*_UNSURE, "asks_machine"), unless_near=_NOT_OURS),
    ActRule("deadline", "something is due by a time", "todo", "planned", 4,
            ("limit", "timed_here"), unless=_UNSURE, unless_near=_NOT_OURS),
    ActRule("falling_due", "a thing owed is handed in at a time", "todo", "planned", 4,
            ("falls_due", "timed_here"), unless=(*_UNSURE, "perfective", "behind_here"), unless_near=_NOT_OURS),
    ActRule("open_promise", "the user gives their word", "commitment", "planned", 5, ("pledges", "speaker"), unless=_UNSURE),
    ActRule("offer", "the user will do it for the one addressed", "commitment", "planned", 5,
            ("speaker", "gives_you"), unless=(*_UNSURE, "perfective", "asks_machine")),
    # what is over or under way
    ActRule("concluded_event", "what people met for is over", "event", "completed", 3,
            ("done", "concludes"), unless=(*_NOT_OVER, "light", "reported", "arranges"), unless_near=("asks_machine", "wish")),
    ActRule("arrival", "the user is there", "event", "completed", 4,
            ("arrived",), unless=(*_UNSURE, "limit", "ahead_here", "once_there")),
    ActRule("done_event", "something is over", "event", "completed", 5, ("done",),
            unless=(*_NOT_OVER, "light", "reported", "sky", "arranges"), unless_near=("asks_machine", "wish")),
    ActRule("told_outcome", "how something came out is told", "event", "completed", 4,
            ("outcome",), near=("activity",), unless=(*_UNSURE, "modal", "limit", "greeting", "ahead_here")),
    ActRule("outcome_of_now", "how it came out is told with its time", "event", "completed", 4,
            ("outcome",), near=("timed",), unless=(*_UNSURE, "modal", "limit", "greeting", "ahead_here"), unless_near=("ahead_here",)),
    ActRule("ongoing_event", "something is going on", "event", "completed", 5, ("ongoing",), unless=(*_UNSURE, "ahead_here")),
    ActRule("outing", "the user goes somewhere with someone", "event", "completed", 5,
            ("outing",), unless=(*_NOT_OVER, "ahead_here", "stops")),
    ActRule("remembered_plan", "a memory of what is to come", "event", "planned", 5,
            ("memory", "timed_here", "modal"), unless=_UNREAL),
    ActRule("remembered_event", "a memory of what took place", "event", "completed", 5, ("memory", "timed_here"), unless=_UNREAL),
    ActRule("noted_event", "notes on what took place", "event", "completed", 1, ("minutes",), unless=_UNSURE),
    # what has a time
    ActRule("recalled_duty", "a question takes a duty for granted", "todo", "planned", 4,
            ("timed_here", "presumes", "duty"), unless=_UNREAL, unless_near=_NOT_OURS),
    ActRule("presumed_event", "a question takes the event for granted", "event", "planned", 4,
            ("timed_here", "presumes"), unless=_UNREAL, unless_near=_NOT_OURS),
    ActRule("undecided_event", "whether to go is not settled", "event", "unknown", 4,
            ("timed_here", "wavers"), unless=(*_UNREAL, "asks_machine", "calls_on_other", "everyone"), unless_near=_NOT_OURS),
    ActRule("errand", "a small thing is to be seen to at a time to come", "todo", "planned", 4,
            ("errand", "timed_here"), unless=(*_NO_PLAN, "perfective", "activity", "undone", "behind_here", "done"), unless_near=_NOT_OURS),
    ActRule("set_appointment", "something to come has its hour or part of the day", "event", "planned", 3,
            ("hour_ahead_here",), unless_near=_NOT_OURS,
            unless=(*_NO_PLAN, "limit", "undone", "calls_on_other", "everyone", "duty", "gives", "works_off", "next_time", "errand", "way_back")),
    ActRule("appointment", "something that people meet for has its time", "event", "planned", 4,
            ("timed_here", "activity"), unless=_NO_APPOINTMENT, unless_near=_NOT_OURS),
    ActRule("plan_ahead", "a time to come is named", "event", "planned", 4,
            ("ahead_here",), unless=(*_NO_PLAN, "undone", "next_time"), unless_near=_NOT_OURS),
    ActRule("appointed_time", "a time of something named beside it", "event", "planned", 5,
            ("timed_here",), near=("activity",), unless=_NO_APPOINTMENT, unless_near=_NOT_OURS),
    ActRule("plan_today", "it is to be done today", "event", "planned", 4,
            ("timed_here", "modal", "goes"), unless=_NO_PLAN, unless_near=_NOT_OURS),
    ActRule("round_of_today", "the day's round is told", "event", "planned", 4,
            ("timed_here", "sets_out"), unless=(*_NO_PLAN, "perfective", "stops", "not_happened"), unless_near=_NOT_OURS),
    ActRule("under_way", "the user is on the way", "event", "planned", 5,
            ("under_way",), unless=(*_UNSURE, "perfective", "negated"), unless_near=_NOT_OURS),
    ActRule("told_event", "a time past is told of", "event", "completed", 5,
            ("behind_here", "goes"), unless=(*_UNSURE, "sky", "negated"), unless_near=_NOT_OURS),
)  # fmt: skip

_TOLD_NEAR = {name for rule in ACT_RULES for name in (*rule.near, *rule.unless_near)}.difference(
    ("gossip_of_other",)
) | {"done", "other_subject", "feels", "laughs", "speaker"}
"""Cues that are asked for in the whole message, not in the clause alone."""

_ROWS = pd.DataFrame(
    {
        "rule": pd.Series([*(rule.name for rule in ACT_RULES), None], dtype="str"),
        "type": pd.Series([*(rule.type for rule in ACT_RULES), None], dtype="str"),
        "status": pd.Series([*(rule.status for rule in ACT_RULES), None], dtype="str"),
        "rank": [*(rule.rank for rule in ACT_RULES), NO_ACT],
    }
)


def clause_acts(cues: pd.DataFrame, record: pd.Series, heads: pd.Series) -> pd.DataFrame:
    """The act of each clause: `rule`, `type`, `status` (null where no rule holds) and `rank`; rows as in `cues`.

    Args:
        cues: bool columns of `clause_cues`, further `timed_here`, `ahead_here`, `behind_here` (the clause names a
            time, one to come, one past), `memory` (a memory states it) and, for `near`, `timed` and `coming` (a time,
            one that is not over).
        record: the message of each clause.
        heads: whether a colon stands after each clause.
    """
    here = _by_name(cues)
    near = {name: _anywhere(here[name], record.to_numpy()) for name in _TOLD_NEAR}
    here["vocative"] = here["vocative"] & _is_first(record.to_numpy())
    here["question"] = _is_asked(here)
    here["next_time"] = here["next_time"] & near["done"]
    here["from_now_on"] = here["from_now_on"] | (here["lays_down"] & heads.to_numpy())
    here["heads_duties"] = heads.to_numpy() & _follows(here["lists"], record.to_numpy()) & _awaits_doing(here)
    here["way_back"] = here["returns"] & _is_after(here["timed_here"] | here["other_subject"], record.to_numpy())
    here["yet_to_come"] = here["ahead_here"] & ~here["perfective"]
    near["gossip_of_other"] = near["other_subject"] & (near["feels"] | near["laughs"]) & ~near["speaker"]
    number = np.full(len(cues), len(ACT_RULES))
    for i, rule in reversed(list(enumerate(ACT_RULES))):
        number[_holds(rule, here, near)] = i
    return _ROWS.take(number).set_axis(cues.index)


def _by_name(cues: pd.DataFrame) -> dict[str, Flags]:
    return dict(zip(map(str, cues.columns), cues.to_numpy(dtype="bool").T, strict=True))


def _anywhere(has_cue: Flags, record: np.ndarray) -> Flags:
    """For each clause whether any clause of its message has the cue."""
    return np.asarray(np.bincount(record, weights=has_cue)[record] > 0) if len(record) else has_cue


def _is_first(record: np.ndarray) -> Flags:
    """For each clause whether it is the first of its message."""
    return np.asarray(np.diff(record, prepend=-1) != 0)


def _is_after(has_cue: Flags, record: np.ndarray) -> Flags:
    """For each clause whether an earlier clause of its message has the cue."""
    starts = run_starts(record)
    told: np.ndarray = np.cumsum(has_cue) - has_cue
    return np.asarray(told > np.repeat(told[starts], run_lengths(starts, len(record))))


def _follows(has_cue: Flags, record: np.ndarray) -> Flags:
    """For each clause whether the next clause of its message has the cue."""
    return np.append(has_cue[1:] & (record[1:] == record[:-1]), np.zeros(min(len(record), 1), dtype=bool))


def _is_asked(here: dict[str, Flags]) -> Flags:
    """Whether a clause asks; what has a time and waits for consent only is proposed, and a mere mark asks for no more."""
    is_proposed = here["timed_here"] & here["proposes"]
    is_checked = here["hour_ahead_here"] & ~here["question"]
    return np.asarray((here["question"] & ~is_proposed) | (here["question_mark"] & ~is_proposed & ~is_checked))


def _awaits_doing(here: dict[str, Flags]) -> Flags:
    """Whether a heading tells that what is under it is still to be done: a time to come, a wish or a lack."""
    is_ahead = here["timed_here"] & ~here["behind_here"]
    is_matter = here["done"] | here["activity"] | here["decides"] | here["minutes"]
    return np.asarray((is_ahead | here["modal"] | here["duty"] | here["lacks"]) & ~is_matter)


def _holds(rule: ActRule, here: dict[str, Flags], near: dict[str, Flags]) -> Flags:
    wanted = [*(here[name] for name in rule.needs), *(near[name] for name in rule.near)]
    excluding = [*(here[name] for name in rule.unless), *(near[name] for name in rule.unless_near)]
    return reduce(np.logical_and, wanted) & ~reduce(np.logical_or, excluding)


def clause_tenses(cues: pd.DataFrame, record: pd.Series, is_memory: np.ndarray) -> pd.Series:
    """The tense of each clause: `past` where it tells of something over, `plan` where of something to come.

    A clause that says neither (a mere date) takes the tense of the next clause of its message that does, else plan:
    what follows a report is the next step. What a memory states is past unless it says otherwise.
    """
    here = _by_name(cues)
    is_over = (
        (here["done"] & ~here["to_be_done"])
        | here["outcome"]
        | (here["arrived"] & ~(here["dated"] & ~here["perfective"]))
        | (here["ongoing"] & ~here["dated"])
        | (is_memory & ~here["limit"])
    )
    is_open = any_of(
        cues, "modal", "limit", "arranges", "pledges", "moves", "moves_by", "cancels", "drops", "undone", "reported"
    )
    is_past = is_over & ~is_open
    is_told = is_past | ((is_open | any_of(cues, "activity", "goes", "acts", "duty")) & ~here["reported"])
    lender = _next_told(is_told, record.to_numpy())
    is_lent_past = np.append(is_past, False)[lender]
    return pd.Series(texts(Coded(is_lent_past.astype("int8"), ("plan", "past")).texts()), cues.index)


def _next_told(is_told: Flags, record: np.ndarray) -> np.ndarray:
    """For each clause the first one from it on, in its message, that is told; -1 where there is none."""
    place = np.where(is_told, np.arange(len(record)), len(record))
    place = np.minimum.accumulate(place[::-1])[::-1]
    is_of_message = np.append(record, -1)[place] == record
    return np.where(is_of_message, place, -1)


def any_of(cues: pd.DataFrame, *names: str) -> Flags:
    """Whether each clause has one of some cues."""
    return np.asarray(np.logical_or.reduce([cues[name].to_numpy() for name in names]))


def is_others_plan(cues: pd.DataFrame, record: np.ndarray) -> Flags:
    """Whether each clause tells of someone else's plan, or asks someone else to do it; rows as in `cues`.

    What parents and children have ahead is the user's too; so is what someone is asked to come to or did for the user,
    and what the user has moved.
    """
    is_shared = any_of(cues, "asks_machine", "comes_along", "moves", "perfective")
    is_asked = cues["calls_on_other"].to_numpy() & ~is_shared
    is_of_other = cues["other_subject"].to_numpy()
    is_news = _anywhere(cues["reported"].to_numpy() & is_of_other, record)
    return np.asarray(is_asked | (is_of_other | is_news) & ~any_of(cues, "speaker", "kin_subject"))
