"""What the rows of one event say together: whose word stands in what, and what is gathered of all.

An item is the row that leads it, with values of the other rows of its group in the place of some of its own.
"""

# The functions of pyarrow.compute are made when it is imported:
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from temporal_recall.dataflows.columns import NO_INSTANT, Flags, Instants, Reals, time_order
from temporal_recall.dataflows.matching.evidence import MEETING, PairEvidence
from temporal_recall.dataflows.matching.facts import RowFacts
from temporal_recall.dataflows.matching.people import cut
from temporal_recall.dataflows.runs import Positions, run_lengths, run_starts
from temporal_recall.schemas.columns import Columns, Maker, Taken, taken

_REPEAT_LIFT, _MOST_LIFT = 0.05, 0.15
_ALIKE_SHARE = 0.2


class Members(NamedTuple):
    """The rows of the groups of two or more, group by group, the lead first, then the more reliable source.

    `group` numbers the groups, a value for each of `rows`; `starts` says where each group begins; `row_count` is that
    of the timeline.
    """

    rows: Positions
    group: Positions
    starts: Positions
    row_count: int

    @classmethod
    def of(cls, group: Positions, reliability: Reals, due: Flags) -> Members:
        """The members by the group of every row; the most reliable source leads, of one source what is due."""
        rows = np.flatnonzero(np.bincount(group, minlength=len(group))[group] > 1)
        ordered = rows[np.lexsort((~due[rows], -reliability[rows], group[rows]))]
        starts = run_starts(group[ordered])
        numbers = np.repeat(np.arange(len(starts)), run_lengths(starts, len(rows)))
        return cls(ordered, numbers, starts, len(group))

    @classmethod
    def none(cls, row_count: int) -> Members:
        """Those of a timeline in which nothing merges."""
        nothing = np.empty(0, dtype=np.int64)
        return cls(nothing, nothing, nothing, row_count)

    @property
    def lead(self) -> Positions:
        """The row of each group that leads it."""
        return self.rows[self.starts]

    @property
    def lengths(self) -> Positions:
        """How many rows each group has."""
        return run_lengths(self.starts, len(self.rows))

    def first_by(self, key: NDArray[Any], *further: NDArray[Any]) -> Positions:
        """The row of each group that is lowest by the keys, of which the first weighs most; of equals the first.

        Args:
            key: one value per row of the timeline; no NaN. `further` are like it.
        """
        stands = self._is_lowest(key[self.rows])
        for other in further:
            stands &= self._is_lowest(np.where(stands, other[self.rows], np.inf))
        first: Positions = self.reduced(np.minimum, np.where(stands, np.arange(len(self.rows)), len(self.rows)))
        return self.rows[first]

    def _is_lowest(self, value: NDArray[Any]) -> Flags:
        return np.asarray(value == self.reduced(np.minimum, value)[self.group])

    def reduced(self, how: np.ufunc, values: NDArray[Any]) -> NDArray[Any]:
        """One value per group from one value per member."""
        return how.reduceat(values, self.starts) if len(self.starts) else values[:0]


class Items(NamedTuple):
    """The items of a timeline in their order: the row that leads each, and where the item of each group stands."""

    lead: Positions
    of_group: Positions

    @classmethod
    def of(cls, members: Members, timing: Positions, rows: RowFacts, refs: pa.Array) -> Items:
        """The items by event time (those without one last), then observed time, then `source_ref`.

        Args:
            timing: the row of each group whose event time stands.
        """
        is_item = np.ones(members.row_count, dtype=np.bool_)
        is_item[members.rows] = False
        is_item[members.lead] = True
        lead = np.flatnonzero(is_item)
        of_group = np.searchsorted(lead, members.lead)
        start = np.nan_to_num(rows.start[cls(lead, of_group).row_by_item(timing)], nan=np.inf)
        order = time_order(start, rows.observed[lead], refs.take(pa.array(lead)))
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        return cls(lead[order], place[of_group])

    def row_by_item(self, of_group: Positions) -> Positions:
        """The row that leads each item, but that which is given for each group."""
        return self.gathered(self.lead, of_group)

    def gathered(self, own: NDArray[Any], of_group: NDArray[Any]) -> NDArray[Any]:
        """`own`, one value an item, with the value of each group in the place of its item's own."""
        values = own.copy()
        values[self.of_group] = of_group
        return values

    def gathered_texts(self, own: pa.Array, of_group: pa.Array) -> pa.Array:
        """As `gathered` of texts."""
        is_group = np.zeros(len(self.lead), dtype=np.bool_)
        is_group[self.of_group] = True
        return pc.replace_with_mask(own, is_group, of_group.take(pa.array(np.argsort(self.of_group))))


def merged_items(timeline: Columns, rows: RowFacts, members: Members, evidence: PairEvidence) -> Columns:
    """One row an item, in their order (contract `DEDUPLICATED_TIMELINE`)."""
    standing = standing_rows(timeline, rows, members)
    items = Items.of(members, standing["event_time"], rows, timeline["source_ref"])
    told = {name: Taken(timeline, _TOLD_BY.get(name, name), items.row_by_item(row)) for name, row in standing.items()}
    done = partial(_done_times, timeline, rows, items.row_by_item(standing["done_time"]))
    gathered = gathered_values(timeline, rows, members, items, evidence)
    return timeline.at(items.lead).replaced({**told, "done_time": done, **gathered})


_TOLD_BY = {
    "first_event_time": "event_time",
    "first_observed_time": "observed_time",
    "last_observed_time": "observed_time",
}
"""The column of the timeline that some columns of an item are taken from."""


def _done_times(timeline: Columns, rows: RowFacts, done: Positions) -> Instants:
    return np.where(rows.is_report[done], timeline["event_time"][done], NO_INSTANT)


def standing_rows(timeline: Columns, rows: RowFacts, members: Members) -> dict[str, Positions]:
    """The row of each group whose value stands in its item, by column; in the columns left out, that of the lead.

    The time is that of the latest correction that names one, else the most exact; what is told more exactly of the day
    or part of the day that it names stands instead. The status is that of the last row which says that the matter
    moved, is off or is done; of two sources that speak at once the more reliable counts.
    """
    is_dated, told = np.isfinite(rows.start), rows.observed
    is_done, granularity = rows.is_report, rows.granularity.codes
    vagueness = np.where(granularity < 0, np.inf, granularity)

    def latest(counts: Flags) -> Reals:
        return np.where(counts, -told, np.inf)

    named = members.first_by(~is_dated, latest((rows.is_correction | rows.due) & is_dated), is_done, vagueness)
    timing = members.first_by(~_lies_within(rows, members, named), is_done, vagueness, latest(is_dated))
    return {
        "event_time": timing,
        "event_end": timing,
        "granularity": timing,
        "due": members.first_by(~rows.due),
        "status": members.first_by(latest(rows.is_correction | is_done | rows.status.is_any("cancelled"))),
        "done_time": members.first_by(latest(is_done & is_dated)),
        "location": members.first_by(np.asarray(timeline["location"].is_null())),
        "confidence": members.first_by(-timeline["confidence"]),
        "is_correction": members.first_by(~rows.is_correction),
        "first_event_time": members.first_by(~is_dated, told),
        "first_observed_time": members.first_by(told),
        "last_observed_time": members.first_by(-told),
    }


def _lies_within(rows: RowFacts, members: Members, named: Positions) -> Flags:
    """The members that begin in the time of the row of their group, and that row itself."""
    lies = np.zeros(members.row_count, dtype=np.bool_)
    of_group = named[members.group]
    begins = rows.start[members.rows]
    lies[members.rows] = (rows.start[of_group] <= begins) & (begins < rows.end[of_group])
    lies[named] = True
    return lies


def gathered_values(
    timeline: Columns, rows: RowFacts, members: Members, items: Items, evidence: PairEvidence
) -> dict[str, Maker]:
    """What an item gathers of all its rows, by column; an item of one row has its own."""
    return {
        "participants": lambda: items.gathered(
            timeline["participants"][items.lead], _listed(rows.people.of_groups(members.rows, members.group))
        ),
        "importance": lambda: items.gathered(
            timeline["importance"][items.lead], _importance_of_all(timeline["importance"], members)
        ),
        "merged_from": lambda: items.gathered(_nothing(len(items.lead)), _refs_of_groups(timeline, members)),
        "merge_reason": lambda: items.gathered_texts(
            pa.nulls(len(items.lead), pa.large_string()), _merge_reasons(evidence, members)
        ),
        "words": lambda: items.gathered_texts(
            taken(timeline["words"], items.lead), _joined_words(timeline["words"], members)
        ),
    }


def _nothing(count: int) -> NDArray[np.object_]:
    """So many empty tuples."""
    nothing = np.full(count, None)
    nothing.fill(())
    return nothing


def _refs_of_groups(timeline: Columns, members: Members) -> NDArray[np.object_]:
    """What each group was merged from."""
    refs = timeline["source_ref"].take(pa.array(members.rows)).to_pylist()
    return _listed(cut(refs, members.lengths))


def _listed(values: list[tuple[str, ...]]) -> NDArray[np.object_]:
    return np.fromiter(values, dtype=object, count=len(values))


def _joined_words(words: pa.Array, members: Members) -> pa.Array:
    """What the rows of each group say, one below the other."""
    bounds = pa.array(np.append(members.starts, len(members.rows)), pa.int32())
    by_group = pa.ListArray.from_arrays(bounds, words.take(pa.array(members.rows)))
    return pc.binary_join(by_group, pa.scalar("\n", pa.large_string()))


def _importance_of_all(importance: Reals, members: Members) -> Reals:
    """The highest importance of each group, a little higher for each further record: what is told again matters."""
    highest = members.reduced(np.maximum, importance[members.rows])
    return np.asarray(np.minimum(highest + np.minimum(_REPEAT_LIFT * (members.lengths - 1), _MOST_LIFT), 1.0))


def _merge_reasons(evidence: PairEvidence, members: Members) -> pa.Array:
    """Why the rows of each group are one event, in words."""
    group = np.full(members.row_count, -1, dtype=np.int64)
    group[members.rows] = members.group
    of_pair = group[evidence.left]
    inside = np.flatnonzero((of_pair == group[evidence.right]) & (of_pair >= 0))
    of_pair, relation, time = of_pair[inside], evidence.relation.at(inside), evidence.time.at(inside)
    said = (
        time.is_any(*MEETING),
        evidence.words[inside] >= _ALIKE_SHARE,
        evidence.people[inside] == 1,
        relation.is_any("moved", "renewed"),
        relation.is_any("cancelled"),
        relation.is_any("completed"),
    )
    holds = np.zeros((len(said), len(members.starts)), dtype=np.int64)
    for bit, is_so in enumerate(said):
        holds[bit, of_pair[is_so]] = 1 << bit
    return pa.array([_in_words(bits) for bits in holds.sum(axis=0).tolist()], pa.large_string())


_REASONS = ("时间相合", "内容相似", "人物相同", "后来改期", "后来取消", "后来完成")


@cache
def _in_words(bits: int) -> str:
    return "、".join(reason for bit, reason in enumerate(_REASONS) if bits >> bit & 1)
