"""What the rows of one event say together: whose word stands in what, and what is gathered of all.

An item is the row that leads it, with values of the other rows of its group in the place of some of its own.
"""

# The functions of pyarrow.compute are made when it is imported:
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from temporal_recall.dataflows.columns import NO_INSTANT, Flags, Instants, Reals, time_order
from temporal_recall.dataflows.matching.evidence import MEETING, PairEvidence
from temporal_recall.dataflows.matching.facts import RowFacts
from temporal_recall.dataflows.runs import Positions, laid_out, run_lengths, run_starts
from temporal_recall.schemas.columns import Coded, Columns, Divisible, Taken

_REPEAT_LIFT, _MOST_LIFT = 0.05, 0.15
_ALIKE_SHARE = 0.2

Value = TypeVar("Value")


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

    def of_groups(self, groups: Positions) -> Members:
        """The members of some groups, numbered anew."""
        lengths = self.lengths[groups]
        number, entry = laid_out(lengths, self.starts[groups])
        return Members(self.rows[entry], number, np.cumsum(lengths) - lengths, self.row_count)

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

    def parted(self, values: list[Value]) -> list[tuple[Value, ...]]:
        """The values of each group from one value per member."""
        ends = [*self.starts.tolist()[1:], len(values)] if len(self.starts) else []
        return [tuple(values[start:end]) for start, end in zip(self.starts.tolist(), ends, strict=True)]

    def reduced(self, how: np.ufunc, values: NDArray[Any]) -> NDArray[Any]:
        """One value per group from one value per member."""
        return how.reduceat(values, self.starts) if len(self.starts) else values[:0]


class Items(NamedTuple):
    """The items of a timeline in their order: the row that leads each, and where the item of each group stands."""

    lead: Positions
    of_group: Positions

    @classmethod
    def of(cls, members: Members, timing: Positions, rows: RowFacts, timeline: Columns) -> Items:
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
        order = time_order(start, rows.observed[lead], timeline.at(lead))
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        return cls(lead[order], place[of_group])

    def at(self, positions: NDArray[np.integer]) -> tuple[Positions, Items]:
        """The numbers of the groups that the items at some positions have, and these items."""
        group = np.full(len(self.lead), -1)
        group[self.of_group] = np.arange(len(self.of_group))
        group = group[positions]
        has_group = np.flatnonzero(group >= 0)
        return group[has_group], Items(self.lead[positions], has_group)

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
    timing = timing_rows(rows, members)
    items = Items.of(members, timing, rows, timeline)
    told = {
        name: Taken(timeline, name, items.row_by_item(timing)) for name in ("event_time", "event_end", "granularity")
    }
    status = Taken(timeline, "status", items.row_by_item(status_rows(rows, members)))
    makers, grouped = item_values(timeline, rows, evidence), Grouped(members, items)
    gathered = {name: Gathered(gather, grouped) for name, gather in makers.items()}
    return timeline.at(items.lead).replaced({**told, "status": status, **gathered})


def timing_rows(rows: RowFacts, members: Members) -> Positions:
    """The row of each group whose event time stands in its item.

    It is that of the latest correction that names one, else the most exact; what is told more exactly of the day or
    part of the day that it names stands instead.
    """
    is_dated, is_done, granularity = np.isfinite(rows.start), rows.is_report, rows.granularity.codes
    vagueness = np.where(granularity < 0, np.inf, granularity)
    corrects = _latest(rows, (rows.is_correction | rows.due) & is_dated)
    named = members.first_by(~is_dated, corrects, is_done, vagueness)
    return members.first_by(~_lies_within(rows, members, named), is_done, vagueness, _latest(rows, is_dated))


def status_rows(rows: RowFacts, members: Members) -> Positions:
    """The row of each group whose status stands: the last which says that the matter moved, is off or is done.

    Of two sources that speak at once the more reliable counts.
    """
    says = rows.is_correction | rows.is_report | rows.status.is_any("cancelled")
    return members.first_by(_latest(rows, says))


def _latest(rows: RowFacts, counts: Flags) -> Reals:
    """A key by which the row that was told last comes first, of those that count."""
    return np.where(counts, -rows.observed, np.inf)


def _lies_within(rows: RowFacts, members: Members, named: Positions) -> Flags:
    """The members that begin in the time of the row of their group, and that row itself."""
    lies = np.zeros(members.row_count, dtype=np.bool_)
    of_group = named[members.group]
    begins = rows.start[members.rows]
    lies[members.rows] = (rows.start[of_group] <= begins) & (begins < rows.end[of_group])
    lies[named] = True
    return lies


Gather: TypeAlias = Callable[[Members, Items], Any]
"""The values of a column of items, out of the members of their groups."""


class Grouped:
    """Items and the members of their groups; those of some items are found once, for all columns that are gathered."""

    def __init__(self, members: Members, items: Items) -> None:
        self.members, self.items = members, items
        self._chosen: tuple[NDArray[np.integer], Grouped] | None = None

    def at(self, positions: NDArray[np.integer]) -> Grouped:
        """The items at some positions, and the members of their groups."""
        chosen = self._chosen
        if chosen is None or chosen[0] is not positions:
            groups, items = self.items.at(positions)
            chosen = self._chosen = positions, Grouped(self.members.of_groups(groups), items)
        return chosen[1]


@dataclass(frozen=True, slots=True)
class Gathered(Divisible):
    """Makes a column of items out of what their rows say; of some items, out of their rows alone."""

    gather: Gather
    grouped: Grouped

    def __call__(self) -> Any:
        return self.gather(self.grouped.members, self.grouped.items)

    def at(self, positions: NDArray[np.integer]) -> Any:
        """As `Divisible.at`."""
        chosen = self.grouped.at(positions)
        return self.gather(chosen.members, chosen.items)


def item_values(timeline: Columns, rows: RowFacts, evidence: PairEvidence) -> dict[str, Gather]:
    """What items have of all their rows, by column: the value of one of them, or what is gathered of all.

    In the columns left out the lead's value stands, and an item of one row has its own.
    """
    is_dated, told = np.isfinite(rows.start), rows.observed

    def of_first(name: str, *keys: NDArray[Any]) -> Gather:
        return lambda members, items: timeline[name][items.row_by_item(members.first_by(*keys))]

    return {
        "due": of_first("due", ~rows.due),
        "done_time": partial(_done_times, timeline, rows),
        "location": partial(_locations, timeline),
        "confidence": of_first("confidence", -timeline["confidence"]),
        "is_correction": of_first("is_correction", ~rows.is_correction),
        "first_event_time": of_first("event_time", ~is_dated, told),
        "first_observed_time": of_first("observed_time", told),
        "last_observed_time": of_first("observed_time", -told),
        "participants": partial(_participants, timeline),
        "importance": partial(_importance, timeline["importance"]),
        "merged_from": partial(_merged_from, timeline),
        "merge_reason": partial(_merge_reason, evidence),
        "words": partial(_words, timeline),
    }


def _done_times(timeline: Columns, rows: RowFacts, members: Members, items: Items) -> Instants:
    """When each was done: the time of the last row that says so."""
    is_done = rows.is_report & np.isfinite(rows.start)
    done = items.row_by_item(members.first_by(_latest(rows, is_done)))
    return np.where(rows.is_report[done], timeline["event_time"][done], NO_INSTANT)


def _locations(timeline: Columns, members: Members, items: Items) -> pa.Array:
    """The first place that a row of each names."""
    is_nowhere = np.ones(members.row_count, dtype=np.bool_)
    is_nowhere[members.rows] = timeline.at(members.rows)["location"].is_null()
    return timeline.at(items.row_by_item(members.first_by(is_nowhere)))["location"]


def _participants(timeline: Columns, members: Members, items: Items) -> NDArray[np.object_]:
    """The people of all rows of each, in the order in which they are first named."""
    by_group = members.parted(timeline.some("participants", members.rows).tolist())
    people = [tuple(dict.fromkeys(chain.from_iterable(lists))) for lists in by_group]
    return items.gathered(timeline.some("participants", items.lead), _listed(people))


def _importance(own: Reals, members: Members, items: Items) -> Reals:
    """The highest importance of each, a little higher for each further record: what is told again matters."""
    highest = members.reduced(np.maximum, own[members.rows])
    lifted = highest + np.minimum(_REPEAT_LIFT * (members.lengths - 1), _MOST_LIFT)
    return items.gathered(own[items.lead], np.minimum(lifted, 1.0))


def _merged_from(timeline: Columns, members: Members, items: Items) -> NDArray[np.object_]:
    """The records that each was merged from; none of an item of one row."""
    refs = timeline.at(members.rows)["source_ref"].to_pylist()
    nothing = np.full(len(items.lead), None)
    nothing.fill(())
    return items.gathered(nothing, _listed(members.parted(refs)))


def _merge_reason(evidence: PairEvidence, members: Members, items: Items) -> pa.Array:
    """Why the rows of each are one event, in words; none of an item of one row."""
    nothing = np.full(len(items.lead), -1)
    return Coded(items.gathered(nothing, _reasons(evidence, members)), _REASONS).texts()


def _words(timeline: Columns, members: Members, items: Items) -> pa.Array:
    """What the rows of each say, one below the other."""
    bounds = pa.array(np.append(members.starts, len(members.rows)), pa.int32())
    by_group = pa.ListArray.from_arrays(bounds, timeline.at(members.rows)["words"])
    joined = pc.binary_join(by_group, pa.scalar("\n", pa.large_string()))
    return items.gathered_texts(timeline.at(items.lead)["words"], joined)


def _listed(values: list[tuple[str, ...]]) -> NDArray[np.object_]:
    return np.fromiter(values, dtype=object, count=len(values))


def _reasons(evidence: PairEvidence, members: Members) -> Positions:
    """Why the rows of each group are one event: a place in `_REASONS`."""
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
    bits: Positions = holds.sum(axis=0)
    return bits[group[members.lead]]  # by its lead, should a group be asked for twice


_GROUNDS = ("时间相合", "内容相似", "人物相同", "后来改期", "后来取消", "后来完成")
_REASONS = tuple(
    "、".join(g for bit, g in enumerate(_GROUNDS) if bits >> bit & 1) for bits in range(1 << len(_GROUNDS))
)
"""What is said where some of these hold: the place of each has the bits of those that it names."""
