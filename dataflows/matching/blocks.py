"""Which rows meet: pairs of near neighbours inside blocks, so that their number grows with the rows alone."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from temporal_recall.dataflows.language.grams import distinct

Positions: TypeAlias = NDArray[np.int64]
"""Positions of rows in a frame."""

_ROW_BITS = 22
_ROW_MASK = (1 << _ROW_BITS) - 1


def neighbour_pairs(block: Positions, row: Positions, reach: int) -> pd.DataFrame:
    """Each row of a block with the next `reach` rows of the same block, in the order of `row`.

    Args:
        block: the block of each entry, below 2**41; a row stands in many blocks.
        row: the row of each entry, below 2**22.

    Returns:
        One row per unordered pair, `left` < `right`, each once, sorted by both.
    """
    packed = np.sort((block << _ROW_BITS) | row)
    block, row = packed >> _ROW_BITS, packed & _ROW_MASK
    found = [_packed_at(block, row, shift) for shift in range(1, min(reach, len(row) - 1) + 1)]
    return _unpacked(np.concatenate([np.empty(0, np.int64), *found]))


def _packed_at(block: Positions, row: Positions, shift: int) -> Positions:
    is_pair = (block[:-shift] == block[shift:]) & (row[:-shift] != row[shift:])
    return np.asarray((row[:-shift][is_pair] << _ROW_BITS) | row[shift:][is_pair])


def _unpacked(packed: Positions) -> pd.DataFrame:
    pairs = distinct(packed)
    return pd.DataFrame({"left": pairs >> _ROW_BITS, "right": pairs & _ROW_MASK})


def union_pairs(*frames: pd.DataFrame) -> pd.DataFrame:
    """The pairs of all frames (columns `left`, `right`), each once, sorted by both."""
    return _unpacked(np.concatenate([(f["left"].to_numpy() << _ROW_BITS) | f["right"].to_numpy() for f in frames]))
