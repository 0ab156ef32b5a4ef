"""What speaks for and against two rows being one event: comparisons of pairs, and their sum in points.

Points are log odds, as in a naive Bayes judge: a pair with 0 points is one event with even odds. Each comparison is a
statement of life that can be argued with on its own (see `POINTS`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from temporal_recall.dataflows.columns import Flags, Reals, named_by
from temporal_recall.dataflows.language.grams import GRAM_BITS
from temporal_recall.dataflows.matching.facts import MatterKeys, RowFacts
from temporal_recall.dataflows.matching.people import NamedPeople
from temporal_recall.dataflows.matching.reports import EARLINESS_MINUTES, LATENESS_MINUTES, PROMPT_MINUTES
from temporal_recall.dataflows.runs import Positions, is_member_of_many, laid_out
from temporal_recall.schemas.columns import Coded

POINTS = {
    "base": -3.5,  # two rows of one day are seldom one event
    "words": 7.5,  # the shorter one says nothing that the other does not (share of its weight)
    "telling_words": 1.0,  # each whole telling bigram that both have, up to three
    "telling_word": 1.0,  # they have at least one telling word in common, and neither corrects the other
    "other_people": -1.5,  # the same ones are words that both say
    "other_codes": -7.0,  # candidate A is not candidate B
    "same_start": 3.0,  # both say the same minute
    "one_plan": 1.0,  # two reports of the sole thing that was planned around then
    "both_reported": 1.0,  # two reports of one stretch of hours
    "reported": 1.5,  # told as done while or shortly after the other was to be
    "sole_plan": 1.5,  # and nothing else was planned around then
    "tells_phase": 1.0,  # and it says that something begins or is over
    "prompt": 1.5,  # within a quarter of an hour of the start
    "told_later": 0.5,  # told as done within half a day after
    "near_start": -2.5,  # both name a time, a quarter of an hour apart at most
    "other_start": -2.0,  # both name a time, and they differ
    "apart": -6.0,  # the times do not meet at all
    "named_time": 4.0,  # the correction names the hour that it moves
    "named_day": 2.5,  # the correction names the day that it moves
    "moved_that_day": 3.0,  # the correction moves it within the day
    "moved_far": -4.0,  # the correction names neither day nor hour that it moves, and would move it by over ten days
    "not_next": -4.0,  # what is off, no day being named, is the next thing: not begun, and within two days
    "asked_about": -3.0,  # an assistant is asked for something that belongs to the matter
    "several": -2.5,  # a text that names several times tells of several things
    "many": -3.0,  # and one that names three looks over a week
    "of_decision": -8.0,  # a decision on something is not the thing
    "decided_there": 5.5,  # unless both are told as done within the hour
    "other_kind": -3.5,  # an event, and something owed
    "renewed": -2.5,  # owed again for another day, and no word of moving
    "done_otherwise": -1.5,  # a debt settled by what was not called one
    "other_owner": -2.0,  # what others do is not what I do
    "other_source": 0.5,  # people put into one source once
    "both_stated": -20.0,  # two entries of a calendar with two times
    "told_together": 0.5,  # recorded within the hour, in different sources
    "noted_down": 2.0,  # recorded within minutes in another source, for one day or minute
}
"""Log odds of each comparison."""

RELATIONS = ("", "cancelled", "moved", "completed", "renewed")
"""What a row does to an earlier one; nothing, of most rows."""

TIMES = (
    "",
    "same_start",
    "reported",
    "one_plan",
    "both_reported",
    "near_start",
    "told_later",
    "other_start",
    "same_day",
    "same_days",
    "apart",
)
"""How the event times of two rows stand to each other; nothing, where one has none."""

MEETING = ("same_start", "same_day", "same_days", "reported", "told_later", "one_plan", "both_reported")
"""Relations in time in which both may be one event as they stand."""

EXCLUDING = ("other_start", "apart")
"""Relations in time that no likeness outweighs: the same words on two days are two events."""

TOLD_AT_ONCE_MINUTES = 10
"""How long a breath is in which one tells two people of one matter, or notes it down as well."""

_REPORTS_MINUTES = 180
_TOLD_TOGETHER_MINUTES = 60
_DAY_MINUTES = 24 * 60
_NEXT_MINUTES = 2 * _DAY_MINUTES
_FAR_MINUTES = 10 * _DAY_MINUTES
_MOST_TELLING = 3.0
_TELLING_WORD = 0.5
_PORTION = 1 << 12
"""How many pairs are compared at once: so many words stay near the processor."""


class RelatedPairs(NamedTuple):
    """Pairs of which one may correct the other.

    - `left`, `right`: positions of the rows, left < right.
    - `later`: which of them corrects the other, -1 for a plain pair.
    - `relation`: what that one does, one of `RELATIONS`; empty for a plain pair.
    - `named`: whether it names the time of the other, one of `NAMINGS`.
    """

    left: Positions
    right: Positions
    later: Positions
    relation: Coded
    named: Coded

    def at(self, which: Positions) -> RelatedPairs:
        """Some of the pairs."""
        ends = (self.left[which], self.right[which], self.later[which])
        return RelatedPairs(*ends, self.relation.at(which), self.named.at(which))


class BothSay(NamedTuple):
    """What is known of the words of pairs.

    - `people`, `codes`: 1 where they agree, -1 where they differ, 0 where that is unknown.
    - `telling_words`, `words`: see `shared_words`.
    """

    people: NDArray[np.int8]
    codes: NDArray[np.int8]
    telling_words: Reals
    words: Reals


class Compared(NamedTuple):
    """What is known of pairs (see `RelatedPairs`, `BothSay`), and how their event times stand: one of `TIMES`."""

    left: Positions
    right: Positions
    later: Positions
    relation: Coded
    named: Coded
    time: Coded
    people: NDArray[np.int8]
    codes: NDArray[np.int8]
    telling_words: Reals
    words: Reals


class PairEvidence(NamedTuple):
    """What is known of pairs (see `Compared`), and their `points`: log odds of one event.

    Where the times exclude each other, the rest is not looked at, and stands at 0.
    """

    left: Positions
    right: Positions
    later: Positions
    relation: Coded
    named: Coded
    time: Coded
    people: NDArray[np.int8]
    codes: NDArray[np.int8]
    telling_words: Reals
    words: Reals
    points: Reals

    def to_frame(self) -> pd.DataFrame:
        """One row a pair, names as categories."""
        return pd.DataFrame({name: _column(values) for name, values in self._asdict().items()})


def _column(values: Coded | NDArray[Any]) -> Any:
    return pd.Categorical.from_codes(values.codes, pd.Index(values.names)) if isinstance(values, Coded) else values


def shared_words(keys: MatterKeys, left: Positions, right: Positions, row_count: int) -> tuple[Reals, Reals]:
    """How much of what each pair says is said by both; quickest for pairs in the order of `left`.

    Returns:
        One value per pair: the weight of the grams that both have, and its share of the weight of the row that has
        less, 0..1.
    """
    total = np.bincount(keys.row, weights=keys.weight, minlength=row_count)
    bounds = np.concatenate([[0], np.cumsum(np.bincount(keys.row, minlength=row_count))])
    portions = (
        _shared_weight(keys, bounds, left[first : first + _PORTION], right[first : first + _PORTION])
        for first in range(0, len(left), _PORTION)
    )
    both = np.concatenate([np.empty(0), *portions])
    return both, both / np.maximum(np.minimum(total[left], total[right]), 1.0)


def _shared_weight(keys: MatterKeys, bounds: Positions, left: Positions, right: Positions) -> Reals:
    """The weight of the grams that both of each pair have: those of the row that has fewer, looked up in the other.

    Pairs that follow each other are of rows that stand near each other, so that they are looked up in few keys.
    """
    near = slice(bounds[left.min()], bounds[right.max() + 1])
    table = (keys.row[near] << GRAM_BITS) | keys.gram[near]
    of_left, of_right = bounds[left + 1] - bounds[left], bounds[right + 1] - bounds[right]
    is_left_smaller = of_left <= of_right
    small, large = np.where(is_left_smaller, left, right), np.where(is_left_smaller, right, left)
    pair, entry = laid_out(np.minimum(of_left, of_right), bounds[small])
    shared = np.flatnonzero(is_member_of_many((large << GRAM_BITS)[pair] | keys.gram[entry], table))
    return np.bincount(pair[shared], weights=keys.weight[entry[shared]], minlength=len(left)).astype(np.float64)


def people_agreement(people: NamedPeople, left: Positions, right: Positions) -> NDArray[np.int8]:
    """1 where both of a pair name one person, -1 where they name others, 0 where one names nobody."""
    names_somebody = people.counts > 0
    at = np.flatnonzero(names_somebody[left] & names_somebody[right])
    verdict = np.zeros(len(left), dtype=np.int8)
    verdict[at] = np.where(people.share_one(left[at], right[at]), 1, -1)
    return verdict


def time_relation(rows: RowFacts, left: Positions, right: Positions, window_minutes: int) -> Coded:
    """How the event times of each pair stand to each other: one of `TIMES`."""
    a, b = _side(rows, left), _side(rows, right)
    between_starts = np.abs(a.start - b.start)
    both_exact = a.is_exact & b.is_exact
    meets = np.maximum(a.start, b.start) < np.minimum(a.end, b.end)
    both_reports = a.is_report & b.is_report
    relations = {
        "": ~np.isfinite(between_starts),
        "same_start": both_exact & (between_starts == 0),
        "reported": (_is_report_of(a, b) | _is_report_of(b, a)) & (both_exact | meets),
        "one_plan": both_reports & (a.sole_start == b.sole_start),
        "both_reported": both_reports & (between_starts <= _REPORTS_MINUTES),
        "near_start": both_exact & (between_starts <= window_minutes),
        "told_later": both_exact & (_is_after(a, b) | _is_after(b, a)) & (between_starts < _DAY_MINUTES / 2),
        "other_start": both_exact & (between_starts < _DAY_MINUTES / 2),
        "same_day": ~both_exact & meets & (np.maximum(a.end - a.start, b.end - b.start) <= _DAY_MINUTES),
        "same_days": ~both_exact & meets,
    }
    return named_by(relations, TIMES, default="apart")


class _Side(NamedTuple):
    """What counts of one end of each pair."""

    start: Reals
    end: Reals
    is_exact: Flags
    is_report: Flags
    sole_start: Reals


def _side(rows: RowFacts, at: Positions) -> _Side:
    return _Side(*(getattr(rows, name)[at] for name in _Side._fields))


def _is_after(plan: _Side, report: _Side) -> Flags:
    return np.asarray(report.is_report & ~plan.is_report & (report.start >= plan.start))


def _is_report_of(plan: _Side, report: _Side) -> Flags:
    is_after = report.start >= plan.start - EARLINESS_MINUTES
    is_before = report.start <= plan.end + LATENESS_MINUTES
    return np.asarray(report.is_report & ~plan.is_report & is_after & is_before)


def pair_points(pairs: Compared, rows: RowFacts) -> Reals:
    """The sum of what speaks for (above 0) and against each pair being one event."""
    points = POINTS["base"] + POINTS["words"] * pairs.words
    points += POINTS["telling_words"] * np.minimum(pairs.telling_words, _MOST_TELLING)
    for comparisons in (_of_what_is_said, _of_reports, _of_telling, _of_kinds, _of_corrections):
        points += sum(POINTS[name] * holds for name, holds in comparisons(pairs, rows).items())
    by_time = _time_points(pairs.time)
    return np.asarray(points + np.where(pairs.relation.is_any(""), by_time, np.maximum(by_time, 0.0)))


Comparisons = dict[str, Flags]
"""Which pairs each comparison holds of, by its name in `POINTS`."""


def _of_what_is_said(pairs: Compared, rows: RowFacts) -> Comparisons:
    left, right = pairs.left, pairs.right
    times_named = np.maximum(rows.times_named[left], rows.times_named[right])
    is_plain = pairs.relation.is_any("")
    expected = 1 + pairs.relation.is_any("moved", "cancelled")  # who moves something names the old time too
    return {
        "telling_word": is_plain & (pairs.telling_words >= _TELLING_WORD),
        "other_people": pairs.people == -1,
        "other_codes": pairs.codes == -1,
        "several": (times_named > expected) & ~pairs.time.is_any("same_start"),
        "many": times_named > 2,
        "asked_about": is_plain & (rows.asks[left] | rows.asks[right]),
    }


def _of_reports(pairs: Compared, rows: RowFacts) -> Comparisons:
    left, right, start, sole_start = pairs.left, pairs.right, rows.start, rows.sole_start
    says_a_phase = rows.tells_phase[left] | rows.tells_phase[right]
    is_told_of_start = pairs.time.is_any("same_start") & (rows.is_report[left] != rows.is_report[right])
    is_told_of_start &= says_a_phase | (pairs.telling_words >= _TELLING_WORD)  # one minute alone may be chance
    is_reported = pairs.time.is_any("reported") | is_told_of_start
    is_of_sole = (sole_start[left] == start[right]) | (sole_start[right] == start[left])
    is_sole = (is_of_sole & is_reported) | pairs.time.is_any("one_plan")
    tells_phase = is_sole & says_a_phase
    is_prompt = is_reported & (np.abs(start[left] - start[right]) <= PROMPT_MINUTES)
    return {"sole_plan": is_sole, "tells_phase": tells_phase, "prompt": tells_phase & is_prompt}


def _of_telling(pairs: Compared, rows: RowFacts) -> Comparisons:
    left, right, source = pairs.left, pairs.right, rows.source.codes
    between = np.abs(rows.observed[left] - rows.observed[right])
    is_other_source = source[left] != source[right]
    is_noted = is_other_source & (between <= TOLD_AT_ONCE_MINUTES)
    return {
        "other_source": is_other_source,
        "told_together": is_other_source & (between <= _TOLD_TOGETHER_MINUTES),
        "noted_down": is_noted & pairs.time.is_any("same_day", "same_start"),
    }


def _of_kinds(pairs: Compared, rows: RowFacts) -> Comparisons:
    left, right, kind, owner = pairs.left, pairs.right, rows.kind.codes, rows.owner.codes
    is_other_kind, settles = kind[left] != kind[right], pairs.relation.is_any("completed")
    is_decision, both_stated = rows.kind.is_any("decision"), rows.is_stated[left] & rows.is_stated[right]
    is_of_decision, both_done = is_decision[left] != is_decision[right], rows.is_report[left] & rows.is_report[right]
    is_near = np.abs(rows.observed[left] - rows.observed[right]) <= _TOLD_TOGETHER_MINUTES
    return {
        "of_decision": is_of_decision,
        "decided_there": is_of_decision & both_done & is_near,
        "other_kind": is_other_kind & ~settles,
        "done_otherwise": is_other_kind & settles,
        "other_owner": owner[left] != owner[right],
        "both_stated": both_stated & ~pairs.time.is_any("same_start") & ~pairs.relation.is_any("moved"),
    }


def _of_corrections(pairs: Compared, rows: RowFacts) -> Comparisons:
    left, right, later = pairs.left, pairs.right, pairs.later
    earlier = np.where(later == left, right, left)
    ahead = rows.start[earlier] - rows.observed[later]
    is_far = np.abs(rows.start[left] - rows.start[right]) > _FAR_MINUTES
    is_off_undated = pairs.relation.is_any("cancelled") & np.isnan(rows.start[later])
    return {
        "named_time": pairs.named.is_any("named_time"),
        "named_day": pairs.named.is_any("named_day"),
        "moved_that_day": pairs.relation.is_any("moved") & pairs.time.is_any("other_start"),
        "moved_far": pairs.relation.is_any("moved") & pairs.named.is_any("") & is_far,
        "not_next": is_off_undated & ~((ahead >= 0) & (ahead <= _NEXT_MINUTES)),
        "renewed": pairs.relation.is_any("renewed"),
    }


def unread_points(pairs: RelatedPairs, time: Coded, rows: RowFacts) -> Reals:
    """What the times of each pair alone say."""
    both_stated = rows.is_stated[pairs.left] & rows.is_stated[pairs.right]
    return np.asarray(_time_points(time) + POINTS["both_stated"] * both_stated)


def _time_points(time: Coded) -> Reals:
    by_name = np.array([POINTS.get(name, 0.0) for name in time.names])
    return np.asarray(by_name[time.codes])
