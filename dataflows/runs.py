"""Runs of equal values in arrays: where they begin, and how many of each there are. A library without nodes.

Grouping by hand costs a sort and a comparison with the neighbour, a few microseconds where a frame takes a millisecond.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Positions: TypeAlias = NDArray[np.int64]
"""Positions of rows in a frame, or of entries in an array."""

_PLACE_BITS = 32
_PLACE_MASK = (1 << _PLACE_BITS) - 1


def run_starts(ordered: NDArray[Any]) -> Positions:
    """Where each run of equal values begins.

    >>> run_starts(np.array([3, 3, 5, 8, 8])).tolist()
    [0, 2, 3]
    """
    return np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)])


def run_lengths(starts: Positions, count: int) -> Positions:
    """How long each run is, of `count` values in all."""
    return np.diff(starts, append=count)


def distinct(values: Positions) -> Positions:
    """The distinct values in ascending order; by sorting, which on millions is many times faster than `np.unique`."""
    ordered = np.sort(values)
    return ordered[run_starts(ordered)]


def first_places(values: Positions) -> Positions:
    """Where each distinct value stands first, in ascending order of place.

    >>> first_places(np.array([7, 4, 7, 4, 9])).tolist()
    [0, 1, 4]
    """
    order = np.argsort(values, kind="stable")
    return np.sort(order[run_starts(values[order])])


def frequencies(values: Positions) -> Positions:
    """How often each value stands in the array; values of 0 or more, below 2**31.

    Value and place are sorted as one number, which is as fast for thousands as for millions.

    >>> frequencies(np.array([7, 4, 7])).tolist()
    [2, 1, 2]
    """
    packed = np.sort((values << _PLACE_BITS) | np.arange(len(values)))
    starts = run_starts(packed >> _PLACE_BITS)
    lengths = run_lengths(starts, len(values))
    found = np.empty(len(values), dtype=np.int64)
    found[packed & _PLACE_MASK] = np.repeat(lengths, lengths)
    return found


def laid_out(counts: Positions) -> tuple[Positions, Positions]:
    """So many entries for each: the position of the one that each entry belongs to, and its number there.

    >>> [each.tolist() for each in laid_out(np.array([2, 0, 3]))]
    [[0, 0, 2, 2, 2], [0, 1, 0, 1, 2]]
    """
    which = np.repeat(np.arange(len(counts)), counts)
    return which, np.arange(len(which)) - (np.cumsum(counts) - counts)[which]
