"""Runs of equal values in arrays: where they begin, and how many of each there are. A library without nodes.

Grouping by hand costs a sort and a comparison with the neighbour, a few microseconds where a frame takes a millisecond.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Positions: TypeAlias = NDArray[np.int64]
"""Positions of rows in a frame, or of entries in an array."""

_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


def run_starts(ordered: NDArray[Any]) -> Positions:
    """Where each run of equal values begins.

    >>> run_starts(np.array([3, 3, 5, 8, 8])).tolist()
    [0, 2, 3]
    """
    begins = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=begins[1:])
    return np.flatnonzero(begins)


def run_lengths(starts: Positions, count: int) -> Positions:
    """How long each run is, of `count` values in all."""
    ends = np.empty_like(starts)
    ends[:-1], ends[-1:] = starts[1:], count
    return ends - starts


def distinct(values: Positions) -> Positions:
    """The distinct values in ascending order; by sorting, which on millions is many times faster than `np.unique`."""
    ordered = np.sort(values)
    return ordered[run_starts(ordered)]


def numbered(values: Positions) -> tuple[Positions, Positions]:
    """The number of each value among the distinct ones, and these in the order in which they first stand.

    >>> [each.tolist() for each in numbered(np.array([7, 4, 7]))]
    [[0, 1, 0], [7, 4]]
    """
    encoded = pa.array(values).dictionary_encode()
    return np.asarray(encoded.indices), np.asarray(encoded.dictionary)


def is_member(wanted: Positions, table: Positions) -> NDArray[np.bool_]:
    """Whether each value stands in the ascending `table`."""
    if not len(table):
        return np.zeros(len(wanted), dtype=np.bool_)
    return np.asarray(table[np.minimum(np.searchsorted(table, wanted), len(table) - 1)] == wanted)


def is_member_of_many(wanted: Positions, table: Positions) -> NDArray[np.bool_]:
    """As `is_member`, quicker where many values, none below 0, are looked up in one table.

    The table is scattered over places, and a look at the place of a value tells of most; where another one stands
    there, one searches among those that lost their place to another.
    """
    if len(table) > 2 * len(wanted):
        return is_member(wanted, table)
    bits = len(table).bit_length() + 2
    stands, places = np.full(1 << bits, -1), _scattered(table, bits)
    stands[places] = table
    displaced = table[stands[places] != table]
    there = stands[_scattered(wanted, bits)]
    found: NDArray[np.bool_] = there == wanted
    unsure = np.flatnonzero(~found & (there >= 0))
    found[unsure] = is_member(wanted[unsure], displaced)
    return found


def _scattered(values: Positions, bits: int) -> Positions:
    """A number of so many bits for each value, as if drawn by lot."""
    return ((values.view(np.uint64) * _MULTIPLIER) >> np.uint64(64 - bits)).view(np.int64)


def laid_out(counts: Positions, first: Positions | int = 0) -> tuple[Positions, Positions]:
    """So many entries for each: the position of the one that each entry belongs to, and its number there.

    Args:
        first: the number of the first entry of each.

    >>> [each.tolist() for each in laid_out(np.array([2, 0, 3]))]
    [[0, 0, 2, 2, 2], [0, 1, 0, 1, 2]]
    """
    which = np.repeat(np.arange(len(counts)), counts)
    return which, np.arange(len(which)) + np.repeat(first + counts - np.cumsum(counts), counts)
