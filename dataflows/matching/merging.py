"""What the rows of one event say together: whose word stands in what, and what is gathered of all.

An item is the row that leads it, with values of the other rows of its group in the place of some of its own.
"""

# The functions of pyarrow.compute are made when it is imported:
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pandas.api.extensions import ExtensionArray

from temporal_recall.dataflows.columns import coded, instants, is_any, texts
from temporal_recall.dataflows.matching.evidence import MEETING
from temporal_recall.dataflows.runs import Positions, distinct, run_lengths, run_starts

_REPEAT_LIFT, _MOST_LIFT = 0.05, 0.15
_ALIKE_SHARE = 0.2


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
    def of(cls, group: Positions, reliability: NDArray[np.float64], due: NDArray[np.bool_]) -> Members:
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

    def texts_in_lead(self, own: pd.Series, of_group: NDArray[np.object_]) -> ExtensionArray:
        """As `in_lead` of a column of texts."""
        is_lead = np.zeros(len(self.own), dtype=np.bool_)
        is_lead[self.lead] = True
        ordered = pa.array(of_group[np.argsort(self.lead)], pa.large_string())
        return texts(pc.replace_with_mask(pa.array(own.array), is_lead, ordered))

    def lists(self, column: pd.Series) -> Iterator[list[Any]]:
        """The values of a column of the timeline, a list a group."""
        values = column.array.take(self.rows).to_numpy().tolist()
        return (values[start:end] for start, end in pairwise([*self.starts.tolist(), len(values)]))

    def reduced(self, how: np.ufunc, values: NDArray[Any]) -> NDArray[Any]:
        """One value per group from one value per member."""
        return how.reduceat(values, self.starts) if len(self.starts) else values[:0]


def standing_rows(timeline: pd.DataFrame, members: Members) -> dict[str, Positions]:
    """Whose value stands in each row, by column: its own but in a lead; in the columns left out, its own in all.

    The time is that of the latest correction that names one, else the most exact. The status is that of the last row
    which says that the matter moved, is off or is done; of two sources that speak at once the more reliable counts.
    """
    is_dated = ~np.isnat(instants(timeline["event_time"]))
    told = instants(timeline["observed_time"]).astype(np.int64).astype(np.float64)
    is_correction, due = timeline["is_correction"].to_numpy(), timeline["due"].to_numpy()
    status, granularity = coded(timeline, "status"), coded(timeline, "granularity").codes
    is_done = is_any(status, "completed")
    vagueness = np.where(granularity < 0, np.inf, granularity)

    def latest(counts: NDArray[np.bool_]) -> NDArray[np.float64]:
        return np.where(counts, -told, np.inf)

    timing = members.first_by(~is_dated, latest((is_correction | due) & is_dated), is_done, vagueness)
    chosen = {
        "event_time": timing,
        "event_end": timing,
        "granularity": timing,
        "due": members.first_by(~due),
        "status": members.first_by(latest(is_correction | is_done | is_any(status, "cancelled"))),
        "done_time": members.first_by(latest(is_done & is_dated)),
        "location": members.first_by(timeline["location"].isna().to_numpy()),
        "confidence": members.first_by(-timeline["confidence"].to_numpy()),
        "is_correction": members.first_by(~is_correction),
        "first_event_time": members.first_by(~is_dated, told),
        "first_observed_time": members.first_by(told),
        "last_observed_time": members.first_by(-told),
    }
    return {name: members.in_lead(members.own, rows) for name, rows in chosen.items()}


def gathered_values(timeline: pd.DataFrame, members: Members, evidence: pd.DataFrame) -> dict[str, Any]:
    """What an item gathers of all its rows, by column: one value per row of the timeline, its own but in a lead."""
    gathered = {
        "participants": _listed(map(_all_names, members.lists(timeline["participants"]))),
        "importance": _importance_of_all(timeline["importance"].to_numpy(), members),
        "merged_from": _listed(map(tuple, members.lists(timeline["source_ref"]))),
    }
    told = {
        "merge_reason": _merge_reasons(evidence, members, len(timeline)),
        "words": _listed(map("\n".join, members.lists(timeline["words"]))),
    }
    return {name: members.in_lead(timeline[name].to_numpy(), values) for name, values in gathered.items()} | {
        name: members.texts_in_lead(timeline[name], values) for name, values in told.items()
    }


def _all_names(names: list[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(names)))


def _listed(values: Iterator[Any]) -> NDArray[np.object_]:
    return np.fromiter(values, dtype=object)


def _importance_of_all(importance: NDArray[np.float64], members: Members) -> NDArray[np.float64]:
    """The highest importance of each group, a little higher for each further record: what is told again matters."""
    further = run_lengths(members.starts, len(members.rows)) - 1
    highest = members.reduced(np.maximum, importance[members.rows])
    return np.asarray(np.minimum(highest + np.minimum(_REPEAT_LIFT * further, _MOST_LIFT), 1.0))


def _merge_reasons(evidence: pd.DataFrame, members: Members, row_count: int) -> NDArray[np.object_]:
    """Why the rows of each group are one event, in words."""
    group = np.full(row_count, -1, dtype=np.int64)
    group[members.rows] = members.group
    left, right = (group[evidence[end].to_numpy()] for end in ("left", "right"))
    relation, time = evidence["relation"].array, evidence["time"].array
    said = {
        "时间相合": is_any(time, *MEETING),
        "内容相似": evidence["words"].to_numpy() >= _ALIKE_SHARE,
        "人物相同": evidence["people"].to_numpy() == 1,
        "后来改期": is_any(relation, "moved", "renewed"),
        "后来取消": is_any(relation, "cancelled"),
        "后来完成": is_any(relation, "completed"),
    }
    is_inside = (left == right) & (left >= 0)
    found = np.zeros(len(members.starts), dtype=np.int64)
    for bit, is_so in enumerate(said.values()):
        found[distinct(left[is_inside & is_so])] += 1 << bit
    words = ["、".join(reason for bit, reason in enumerate(said) if bits >> bit & 1) for bits in range(1 << len(said))]
    return np.array(words, dtype=object)[found]
