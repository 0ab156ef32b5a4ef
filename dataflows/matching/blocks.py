"""Which rows meet: pairs of near neighbours inside blocks, so that their number grows with the rows alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from temporal_recall.dataflows.columns import Flags
from temporal_recall.dataflows.runs import Positions, distinct

_ROW_BITS = 22
_ROW_MASK = (1 << _ROW_BITS) - 1


class Pairs(NamedTuple):
    """Two rows each, by their positions."""

    left: Positions
    right: Positions


def packed(left: Positions, right: Positions) -> Positions:
    """Each pair as one number, in the order of `left`, then `right`; rows below 2**22."""
    return (left << _ROW_BITS) | right


def unpacked(pairs: Positions) -> Pairs:
    """The pairs that such numbers stand for."""
    return Pairs(pairs >> _ROW_BITS, pairs & _ROW_MASK)


def neighbour_pairs(block: Positions, row: Positions, reach: int, between: tuple[Flags, Flags] | None = None) -> Pairs:
    """Each row of a block with the next `reach` rows of the same block, in the order of `row`.

    Args:
        block: the block of each entry, below 2**41; a row stands in many blocks, in each of them once.
        row: the row of each entry, below 2**22.
        between: which rows may stand in `left`, and which in `right`; any may when absent.

    Returns:
        Each unordered pair once, `left` < `right`, sorted by both.
    """
    entries = np.sort(packed(block, row))
    block, row = entries >> _ROW_BITS, entries & _ROW_MASK
    leads, follows = (may[row] for may in between) if between else (None, None)
    near = [np.empty(0, np.int64)]
    for shift in range(1, min(reach, len(row) - 1) + 1):
        is_near = block[:-shift] == block[shift:]
        if not is_near.any():
            break
        if leads is not None and follows is not None:
            is_near &= leads[:-shift] & follows[shift:]
        near.append(np.flatnonzero(is_near))
    at, shifts = np.concatenate(near), np.repeat(np.arange(len(near)), [len(found) for found in near])
    return unpacked(distinct(packed(row[at], row[at + shifts])))


def union_pairs(*pairs: Pairs) -> Pairs:
    """The pairs of all, each once, sorted by both."""
    return unpacked(distinct(np.concatenate([packed(p.left, p.right) for p in pairs])))
