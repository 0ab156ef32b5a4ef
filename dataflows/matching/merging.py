"""What the rows of one event say together: whose word stands in what, and what is gathered of all.

An item is the row that leads it, with values of the other rows of its group in the place of some of its own.
"""

# The functions of pyarrow.compute are made when it is imported:
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pandas.api.extensions import ExtensionArray

from temporal_recall.dataflows.columns import Flags, Reals, texts
from temporal_recall.dataflows.matching.evidence import MEETING, PairEvidence
from temporal_recall.dataflows.matching.facts import RowFacts
from temporal_recall.dataflows.matching.people import cut
from temporal_recall.dataflows.runs import Positions, run_lengths, run_starts

_REPEAT_LIFT, _MOST_LIFT = 0.05, 0.15
_ALIKE_SHARE = 0.2

Columns: TypeAlias = Mapping[str, ExtensionArray]
"""The columns of a timeline by name, one value a row."""


class Members(NamedTuple):
    """The rows of the groups of two or more, group by group, the lead first, then the more reliable source.

    `group` numbers the groups, a value for each of `rows`; `starts` says where each group begins; `own` are the
    positions of all rows of the timeline.
    """

    rows: Positions
    group: Positions
    starts: Positions
    own: Positions

    @classmethod
    def of(cls, group: Positions, reliability: Reals, due: Flags) -> Members:
        """The members by the group of every row; the most reliable source leads, of one source what is due."""
        rows = np.flatnonzero(np.bincount(group, minlength=len(group))[group] > 1)
        ordered = rows[np.lexsort((~due[rows], -reliability[rows], group[rows]))]
        starts = run_starts(group[ordered])
        numbers = np.repeat(np.arange(len(starts)), run_lengths(starts, len(rows)))
        return cls(ordered, numbers, starts, np.arange(len(group)))

    @property
    def items(self) -> Positions:
        """The rows that stand for an item, ascending: leads, and rows that are no members."""
        is_item = np.ones(len(self.own), dtype=np.bool_)
        is_item[self.rows] = False
        is_item[self.lead] = True
        return np.flatnonzero(is_item)

    @property
    def lead(self) -> Positions:
        """The row of each group that leads it."""
        return self.rows[self.starts]

    def first_by(self, *keys: NDArray[Any]) -> Positions:
        """The row of each group that is lowest by the keys, of which the first weighs most; of equals the first.

        Args:
            keys: one value per row of the timeline; no NaN.
        """
        stands = np.ones(len(self.rows), dtype=np.bool_)
        for key in keys:
            value = np.where(stands, key[self.rows], np.inf)
            stands &= value == self.reduced(np.minimum, value)[self.group]
        found = np.flatnonzero(stands)
        return self.rows[found[run_starts(self.group[found])]]

    def in_lead(self, own: NDArray[Any], of_group: NDArray[Any]) -> NDArray[Any]:
        """`own`, one value per row of the timeline, with the value of each group in the place of its lead's."""
        values = own.copy()
        values[self.lead] = of_group
        return values

    def texts_in_lead(self, own: ExtensionArray, of_group: pa.Array) -> ExtensionArray:
        """As `in_lead` of a column of texts."""
        is_lead = np.zeros(len(self.own), dtype=np.bool_)
        is_lead[self.lead] = True
        ordered = of_group.take(pa.array(np.argsort(self.lead)))
        return texts(pc.replace_with_mask(pa.array(own), is_lead, ordered))

    @property
    def lengths(self) -> Positions:
        """How many rows each group has."""
        return run_lengths(self.starts, len(self.rows))

    def reduced(self, how: np.ufunc, values: NDArray[Any]) -> NDArray[Any]:
        """One value per group from one value per member."""
        return how.reduceat(values, self.starts) if len(self.starts) else values[:0]


def standing_rows(columns: Columns, rows: RowFacts, members: Members) -> dict[str, Positions]:
    """Whose value stands in each row, by column: its own but in a lead; in the columns left out, its own in all.

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
    chosen = {
        "event_time": timing,
        "event_end": timing,
        "granularity": timing,
        "due": members.first_by(~rows.due),
        "status": members.first_by(latest(rows.is_correction | is_done | rows.status.is_any("cancelled"))),
        "done_time": members.first_by(latest(is_done & is_dated)),
        "location": members.first_by(columns["location"].isna()),
        "confidence": members.first_by(-columns["confidence"].to_numpy()),
        "is_correction": members.first_by(~rows.is_correction),
        "first_event_time": members.first_by(~is_dated, told),
        "first_observed_time": members.first_by(told),
        "last_observed_time": members.first_by(-told),
    }
    return {name: members.in_lead(members.own, rows) for name, rows in chosen.items()}


def _lies_within(rows: RowFacts, members: Members, named: Positions) -> Flags:
    """The members that begin in the time of the row of their group, and that row itself."""
    lies = np.zeros(len(members.own), dtype=np.bool_)
    of_group = named[members.group]
    begins = rows.start[members.rows]
    lies[members.rows] = (rows.start[of_group] <= begins) & (begins < rows.end[of_group])
    lies[named] = True
    return lies


def gathered_values(columns: Columns, rows: RowFacts, members: Members, evidence: PairEvidence) -> dict[str, Any]:
    """What an item gathers of all its rows, by column: one value per row of the timeline, its own but in a lead."""
    refs = pa.array(columns["source_ref"].take(members.rows)).to_pylist()
    gathered = {
        "participants": _listed(rows.people.of_groups(members.rows, members.group)),
        "importance": _importance_of_all(columns["importance"].to_numpy(), members),
        "merged_from": _listed(cut(refs, members.lengths)),
    }
    told = {
        "merge_reason": _merge_reasons(evidence, members),
        "words": _joined_words(columns["words"].take(members.rows), members),
    }
    return {name: members.in_lead(columns[name].to_numpy(), values) for name, values in gathered.items()} | {
        name: members.texts_in_lead(columns[name], values) for name, values in told.items()
    }


def _listed(values: list[tuple[str, ...]]) -> NDArray[np.object_]:
    return np.fromiter(values, dtype=object, count=len(values))


def _joined_words(words: ExtensionArray, members: Members) -> pa.Array:
    """What the rows of each group say, one below the other."""
    bounds = pa.array(np.append(members.starts, len(members.rows)), pa.int32())
    return pc.binary_join(pa.ListArray.from_arrays(bounds, pa.array(words)), pa.scalar("\n", pa.large_string()))


def _importance_of_all(importance: Reals, members: Members) -> Reals:
    """The highest importance of each group, a little higher for each further record: what is told again matters."""
    highest = members.reduced(np.maximum, importance[members.rows])
    return np.asarray(np.minimum(highest + np.minimum(_REPEAT_LIFT * (members.lengths - 1), _MOST_LIFT), 1.0))


def _merge_reasons(evidence: PairEvidence, members: Members) -> pa.Array:
    """Why the rows of each group are one event, in words."""
    group = np.full(len(members.own), -1, dtype=np.int64)
    group[members.rows] = members.group
    of_pair = group[evidence.left]
    inside = np.flatnonzero((of_pair == group[evidence.right]) & (of_pair >= 0))
    of_pair, relation, time = of_pair[inside], evidence.relation.at(inside), evidence.time.at(inside)
    said = {
        "时间相合": time.is_any(*MEETING),
        "内容相似": evidence.words[inside] >= _ALIKE_SHARE,
        "人物相同": evidence.people[inside] == 1,
        "后来改期": relation.is_any("moved", "renewed"),
        "后来取消": relation.is_any("cancelled"),
        "后来完成": relation.is_any("completed"),
    }
    holds = np.zeros((len(said), len(members.starts)), dtype=np.int64)
    for bit, is_so in enumerate(said.values()):
        holds[bit, of_pair[is_so]] = 1 << bit
    words = ["、".join(reason for bit, reason in enumerate(said) if bits >> bit & 1) for bits in range(1 << len(said))]
    return pa.array(words, pa.large_string()).take(pa.array(holds.sum(axis=0)))
