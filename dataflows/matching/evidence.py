"""What speaks for and against two rows being one event: comparisons of pairs, and their sum in points.

Points are log odds, as in a naive Bayes judge: a pair with 0 points is one event with even odds. Each comparison is a
statement of life that can be argued with on its own (see `POINTS`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from temporal_recall.dataflows.columns import is_any, named_by, vocabulary
from temporal_recall.dataflows.language.grams import GRAM_BITS
from temporal_recall.dataflows.matching.facts import RowFacts
from temporal_recall.dataflows.matching.reports import EARLINESS_MINUTES, LATENESS_MINUTES
from temporal_recall.dataflows.runs import Positions, laid_out

POINTS = {
    "base": -3.5,  # two rows of one day are seldom one event
    "words": 8.0,  # the shorter one says nothing that the other does not (share of its weight)
    "telling_words": 1.0,  # each whole telling bigram that both have, up to three
    "same_people": 1.5,
    "other_people": -1.0,
    "other_codes": -7.0,  # candidate A is not candidate B
    "same_start": 2.5,  # both say the same minute
    "same_day": 0.5,  # one names the day, the other a time on it
    "same_days": -1.0,  # one names a span of days, the other lies in it
    "one_plan": 0.5,  # two reports of the sole thing that was planned around then
    "both_reported": 0.5,  # two reports of one stretch of hours
    "reported": 1.0,  # told as done while or shortly after the other was to be
    "sole_plan": 2.0,  # and nothing else was planned around then
    "tells_phase": 1.5,  # and it says that something begins or is over
    "near_start": -2.0,  # both name a time, a quarter of an hour apart at most
    "other_start": -2.0,  # both name a time, and they differ
    "apart": -6.0,  # the times do not meet at all
    "named_time": 4.0,  # the correction names the hour that it moves
    "named_day": 2.5,  # the correction names the day that it moves
    "several": -1.5,  # a text that names several times tells of several things
    "of_decision": -8.0,  # a decision on something is not the thing
    "other_kind": -3.5,  # an event, and something owed
    "renewed": -2.5,  # owed again for another day, and no word of moving
    "done_otherwise": -1.5,  # a debt settled by what was not called one
    "other_owner": -2.0,  # what others do is not what I do
    "other_source": 0.5,  # people put into one source once
    "both_stated": -20.0,  # two entries of a calendar with two times
    "told_together": 0.5,  # recorded within the hour, in different sources
}
"""Log odds of each comparison."""

RELATIONS = vocabulary("", "cancelled", "moved", "completed", "renewed")
"""What a row does to an earlier one; nothing, of most rows."""

TIMES = vocabulary(
    "",
    "same_start",
    "reported",
    "one_plan",
    "both_reported",
    "near_start",
    "other_start",
    "same_day",
    "same_days",
    "apart",
)
"""How the event times of two rows stand to each other; nothing, where one has none."""

MEETING = ("same_start", "same_day", "same_days", "reported", "one_plan", "both_reported")
"""Relations in time in which both may be one event as they stand."""

EXCLUDING = ("other_start", "apart")
"""Relations in time that no likeness outweighs: the same words on two days are two events."""

_REPORTS_MINUTES = 180
_TOLD_TOGETHER_MINUTES = 60
_DAY_MINUTES = 24 * 60
_MOST_TELLING = 3.0


class Compared(NamedTuple):
    """What is known of pairs: their rows, what one does to the other, and what both say; one value a pair."""

    left: Positions
    right: Positions
    later: Positions
    relation: pd.Categorical
    named: pd.Categorical
    time: pd.Categorical
    people: NDArray[np.int64]
    codes: NDArray[np.int64]
    telling_words: NDArray[np.float64]
    words: NDArray[np.float64]


def shared_words(
    keys: pd.DataFrame, left: Positions, right: Positions, row_count: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How much of what each pair says is said by both.

    Args:
        keys: columns `row`, `gram`, `weight`, sorted by row and gram.

    Returns:
        One value per pair: the weight of the grams that both have, and its share of the weight of the row that has
        less, 0..1.
    """
    row, gram, weight = (keys[name].to_numpy() for name in ("row", "gram", "weight"))
    total = np.bincount(row, weights=weight, minlength=row_count)
    size = np.bincount(row, minlength=row_count)
    is_left_smaller = size[left] <= size[right]
    small, large = np.where(is_left_smaller, left, right), np.where(is_left_smaller, right, left)
    pair, within = laid_out(size[small])
    entry = (np.cumsum(size) - size)[small][pair] + within
    is_shared = _is_member((large[pair] << GRAM_BITS) | gram[entry], (row << GRAM_BITS) | gram)
    both = np.bincount(pair[is_shared], weights=weight[entry[is_shared]], minlength=len(left))
    return both.astype(np.float64, copy=False), both / np.maximum(np.minimum(total[left], total[right]), 1.0)


def _is_member(wanted: Positions, table: Positions) -> NDArray[np.bool_]:
    """Whether each value stands in the ascending `table`."""
    if not len(table):
        return np.zeros(len(wanted), dtype=np.bool_)
    return np.asarray(table[np.minimum(np.searchsorted(table, wanted), len(table) - 1)] == wanted)


def people_agreement(names: pd.Series, left: Positions, right: Positions) -> NDArray[np.int64]:
    """1 where both of a pair name one person, -1 where they name others, 0 where one names nobody.

    Args:
        names: a tuple of names by row.
    """
    named = names.tolist()
    ids: dict[str, int] = {}
    count = np.fromiter(map(len, named), dtype=np.int64, count=len(named))
    first = np.fromiter((ids.setdefault(n[0], len(ids)) if n else -1 for n in named), dtype=np.int64, count=len(named))
    is_known = (count[left] > 0) & (count[right] > 0)
    is_shared = first[left] == first[right]
    at = np.flatnonzero(is_known & ~is_shared & (count[left] + count[right] > 2))
    pairs = zip(left[at].tolist(), right[at].tolist(), strict=True)
    is_shared[at] = [not set(named[a]).isdisjoint(named[b]) for a, b in pairs]
    return np.where(is_known, np.where(is_shared, 1, -1), 0)


def time_relation(rows: RowFacts, left: Positions, right: Positions, window_minutes: int) -> pd.Categorical:
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
        "other_start": both_exact & (between_starts < _DAY_MINUTES / 2),
        "same_day": ~both_exact & meets & (np.maximum(a.end - a.start, b.end - b.start) <= _DAY_MINUTES),
        "same_days": ~both_exact & meets,
    }
    return named_by(relations, TIMES, default="apart")


class _Side(NamedTuple):
    """What counts of one end of each pair."""

    start: NDArray[np.float64]
    end: NDArray[np.float64]
    is_exact: NDArray[np.bool_]
    is_report: NDArray[np.bool_]
    sole_start: NDArray[np.float64]


def _side(rows: RowFacts, at: Positions) -> _Side:
    return _Side(*(getattr(rows, name)[at] for name in _Side._fields))


def _is_report_of(plan: _Side, report: _Side) -> NDArray[np.bool_]:
    is_after = report.start >= plan.start - EARLINESS_MINUTES
    is_before = report.start <= plan.end + LATENESS_MINUTES
    return np.asarray(report.is_report & ~plan.is_report & is_after & is_before)


def pair_points(pairs: Compared, rows: RowFacts) -> NDArray[np.float64]:
    """The sum of what speaks for (above 0) and against each pair being one event."""
    left, right = pairs.left, pairs.right
    kind, owner, source = (names.codes for names in (rows.kind, rows.owner, rows.source))
    is_stated, names_several, observed = rows.is_stated, rows.names_several, rows.observed
    is_other_kind, is_other_source = kind[left] != kind[right], source[left] != source[right]
    is_decision, both_stated = is_any(rows.kind, "decision"), is_stated[left] & is_stated[right]
    is_near = np.abs(observed[left] - observed[right]) <= _TOLD_TOGETHER_MINUTES
    settles = is_any(pairs.relation, "completed")
    start, sole_start, phase = rows.start, rows.sole_start, rows.tells_phase
    is_sole = (sole_start[left] == start[right]) | (sole_start[right] == start[left])
    is_sole = (is_sole & is_any(pairs.time, "reported")) | is_any(pairs.time, "one_plan")
    comparisons = {
        "named_time": is_any(pairs.named, "named_time"),
        "named_day": is_any(pairs.named, "named_day"),
        "same_people": pairs.people == 1,
        "other_people": pairs.people == -1,
        "other_codes": pairs.codes == -1,
        "sole_plan": is_sole,
        "tells_phase": is_sole & (phase[left] | phase[right]),
        "of_decision": is_decision[left] != is_decision[right],
        "other_kind": is_other_kind & ~settles,
        "renewed": is_any(pairs.relation, "renewed"),
        "done_otherwise": is_other_kind & settles,
        "several": names_several[left] | names_several[right],
        "other_owner": owner[left] != owner[right],
        "other_source": is_other_source,
        "both_stated": both_stated & ~is_any(pairs.time, "same_start") & ~is_any(pairs.relation, "moved"),
        "told_together": is_near & is_other_source,
    }
    points = POINTS["base"] + POINTS["words"] * pairs.words
    points += POINTS["telling_words"] * np.minimum(pairs.telling_words, _MOST_TELLING)
    points += sum(POINTS[name] * holds for name, holds in comparisons.items())
    by_time = _time_points(pairs.time)
    return np.asarray(points + np.where(is_any(pairs.relation, ""), by_time, np.maximum(by_time, 0.0)))


def unread_points(pairs: Compared, rows: RowFacts) -> NDArray[np.float64]:
    """What the times of each pair alone say."""
    both_stated = rows.is_stated[pairs.left] & rows.is_stated[pairs.right]
    return np.asarray(_time_points(pairs.time) + POINTS["both_stated"] * both_stated)


def _time_points(time: pd.Categorical) -> NDArray[np.float64]:
    by_name = np.array([POINTS.get(name, 0.0) for name in time.categories])
    return np.asarray(by_name[time.codes])
