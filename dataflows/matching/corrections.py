"""The times that a text names beside its own: what a correction moves or cancels stood at one of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from temporal_recall.dataflows.columns import Reals, named_by
from temporal_recall.dataflows.intervals import interval_minutes
from temporal_recall.dataflows.runs import Positions, laid_out
from temporal_recall.schemas.columns import Coded, Columns

NAMINGS = ("", "named_time", "named_day")
"""Whether a correction names the time of what it means: the hour, the day, or neither."""

_LONGEST_MINUTES = 24 * 60
_EXACT_MINUTES = 60


class NamedTimes(NamedTuple):
    """Times that rows name, in minutes since 1970; `to_minute` is exclusive."""

    row: Positions
    from_minute: Reals
    to_minute: Reals


class NamedRows(NamedTuple):
    """Pairs of a row that starts at a named time and the later row that names it, and how exactly (`NAMINGS`)."""

    earlier: Positions
    later: Positions
    named: Coded


def named_times(timeline: Columns, rows: Positions, own_start: Reals) -> NamedTimes:
    """The times that some rows name (`told_times`), without the one at which their own event starts and without spans
    of days.

    Args:
        own_start: minutes since 1970 by row of the timeline, NaN where a row has no time of its own.

    Returns:
        One entry per row and time, the most exact first.
    """
    told = zip(rows.tolist(), timeline.some("told_times", rows).tolist(), strict=True)
    spans = [(row, *interval_minutes(text)) for row, texts in told for text in texts]
    which, start, end = np.array(spans, dtype=np.float64).reshape(-1, 3).T
    row = which.astype(np.int64)
    own, length = own_start[row], end - start
    is_other = np.flatnonzero((length <= _LONGEST_MINUTES) & ~((start <= own) & (own < end)))
    by_length = is_other[np.argsort(length[is_other], kind="stable")]
    return NamedTimes(row[by_length], start[by_length], end[by_length])


def rows_at(named: NamedTimes, start: Reals, reach: int) -> NamedRows:
    """The rows that start at a named time, `reach` at most for each, the most exact first.

    Args:
        start: ascending minutes by row, NaN last.
    """
    dated = start[np.isfinite(start)]
    first = np.searchsorted(dated, named.from_minute)
    which, earlier = laid_out(np.minimum(np.searchsorted(dated, named.to_minute) - first, reach), first)
    is_exact = (named.to_minute - named.from_minute)[which] <= _EXACT_MINUTES
    return NamedRows(earlier, named.row[which], named_by({"named_time": is_exact}, NAMINGS, default="named_day"))
