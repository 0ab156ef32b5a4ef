"""Grams of texts written as texts, four characters a gram, so that a column of any store holds them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from temporal_recall.dataflows.language.grams import Grams

_DIGITS = np.frombuffer(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~", dtype=np.uint8)
_DIGIT_BITS = 6
_HALF_BITS = 2 * _DIGIT_BITS
_LENGTH = 4
"""Four digits of six bits hold a gram (`GRAM_BITS`); they are looked up by twos."""

_NUMBERS = np.arange(1 << _HALF_BITS)
_HALVES = _DIGITS[np.stack([_NUMBERS >> _DIGIT_BITS, _NUMBERS % len(_DIGITS)], axis=1)].view(np.uint16).ravel()
_NUMBER_BY_HALF = np.zeros(1 << 16, dtype=np.int64)
_NUMBER_BY_HALF[_HALVES] = _NUMBERS


def written_grams(grams: Grams, text_count: int) -> pa.LargeStringArray:
    """The grams of each text as one text; an empty one where a text has none.

    Args:
        grams: sorted by `row`, which is below `text_count`.
    """
    halves = np.stack([_HALVES[grams.gram >> _HALF_BITS], _HALVES[grams.gram & (1 << _HALF_BITS) - 1]], axis=1)
    ends = np.cumsum(np.bincount(grams.row, minlength=text_count)) * _LENGTH
    offsets = np.concatenate([[0], ends]).astype(np.int64)
    return pa.LargeStringArray.from_buffers(text_count, pa.py_buffer(offsets), pa.py_buffer(halves.tobytes()))


def read_grams(texts: pa.LargeStringArray) -> Grams:
    """The grams of each text, as `written_grams` wrote them; no text may be missing."""
    _, offsets, written = texts.buffers()
    bounds = np.frombuffer(offsets, dtype=np.int64)[texts.offset : texts.offset + len(texts) + 1]
    halves = np.frombuffer(written or b"", dtype=np.uint16, count=(bounds[-1] - bounds[0]) // 2, offset=bounds[0])
    row = np.repeat(np.arange(len(texts)), np.diff(bounds) // _LENGTH)
    return Grams(row, _NUMBER_BY_HALF[halves[::2]] << _HALF_BITS | _NUMBER_BY_HALF[halves[1::2]])
