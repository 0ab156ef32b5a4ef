"""Rows of one user's timeline, each packed into two values, and many of them made columns in a few steps of numpy.

Python takes a thousand rows of three values out of a database five times faster than rows of thirty, and columns are
read off what lies together without a look at each value. Beside its `source_ref` a packed row has

    numbers   a record of `_NUMBERS`: instants, numbers, flags, the place of each name among those of its column (-1 of
              none), how many bytes each text has, and a bit for each text that is null
    texts     the texts in UTF-8, one after the other; a list as JSON, an empty one as nothing

Another column in the contract is another layout: it takes a further step in `index_tables`.
"""

# The functions of pyarrow.compute are made when it is imported:
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from temporal_recall.schemas.columns import (
    NAMES,
    Codable,
    Coded,
    Columns,
    Divisible,
    Maker,
    Named,
    encoded,
    taken,
    told,
)
from temporal_recall.schemas.frames import COMPARED_TIMELINE, COUNT, FLAG, INSTANT, REAL, TEXT, TEXTS, Column

_IDENTITY = ("user_id", "source_ref")
_TEXTS = [c for c in COMPARED_TIMELINE.columns if c.type in (TEXT, TEXTS) and c.name not in (*_IDENTITY, *NAMES)]
_OTHERS = [c for c in COMPARED_TIMELINE.columns if c.type not in (TEXT, TEXTS)]
_TYPES = {INSTANT: "<M8[us]", COUNT: "<i8", REAL: "<f8", FLAG: "?"}
_NUMBERS = np.dtype(
    [
        *((c.name, _TYPES[c.type]) for c in _OTHERS),
        *((name, "i1") for name in NAMES),
        ("text_lengths", "<u4", (len(_TEXTS),)),
        ("null_bits", "u1", (-(-len(_TEXTS) // 8),)),
    ]
)


def packed(frame: pd.DataFrame) -> tuple[list[bytes], list[bytes]]:
    """The numbers and the texts of each row of a frame (contract `COMPARED_TIMELINE`; further columns are left out).

    Raises:
        ValueError: a column of names holds another name.
    """
    texts = [_told(frame[c.name], c) for c in _TEXTS]
    numbers = np.empty(len(frame), _NUMBERS)
    for other in _OTHERS:
        numbers[other.name] = frame[other.name].to_numpy(_NUMBERS[other.name])
    for name in NAMES:
        numbers[name] = _places(frame[name])
    is_null, lengths = [column.is_null() for column in texts], [pc.binary_length(column) for column in texts]
    numbers["null_bits"] = np.packbits(np.array(is_null, dtype=np.bool_), axis=0).T
    numbers["text_lengths"] = np.stack([pc.fill_null(column, 0) for column in lengths], axis=1)
    return _cut(numbers.tobytes(), _NUMBERS.itemsize), _joined(texts)


def _places(column: pd.Series) -> NDArray[np.integer]:
    name, texts = str(column.name), told(column)
    places = encoded(texts, NAMES[name]).codes
    if (places < 0).sum() > texts.null_count:
        raise ValueError(f"{name} of a row is none of {', '.join(NAMES[name])}")
    return places


def _told(column: pd.Series, contract: Column) -> pa.LargeStringArray:
    return pa.array(map(_json, column), pa.large_string()) if contract.type == TEXTS else told(column)


def _joined(texts: Sequence[pa.LargeStringArray]) -> list[bytes]:
    nothing = pa.scalar(b"", pa.large_binary())
    cells = [pc.fill_null(column.cast(nothing.type), nothing) for column in texts]
    together: list[bytes] = pc.binary_join_element_wise(*cells, nothing).to_pylist()
    return together


def _cut(together: bytes, size: int) -> list[bytes]:
    return [together[start : start + size] for start in range(0, len(together), size)]


def unpacked(user_id: str, rows: Sequence[Sequence[Any]]) -> Columns:
    """The columns of a user's rows (contract `COMPARED_TIMELINE`), by `event_time` (rows without one last), then by
    `observed_time`: rows are put in the order of a timeline quickest before they are columns.

    Args:
        rows: `source_ref`, numbers and texts of each.
    """
    if not rows:
        return Columns.of(COMPARED_TIMELINE.empty(), COMPARED_TIMELINE)
    # ordered as wholes, since numpy takes twenty times as long to move records field by field
    records = np.frombuffer(b"".join([head for _, head, _ in rows]), f"V{_NUMBERS.itemsize}")
    numbers = records.view(_NUMBERS)
    order = np.lexsort((numbers["observed_time"], numbers["event_time"]))
    numbers, ordered = records[order].view(_NUMBERS), [rows[place] for place in order.tolist()]
    cells = _Cells(numbers["text_lengths"], numbers["null_bits"], b"".join([texts for _, _, texts in ordered]))
    makers: dict[str, Maker] = {
        c.name: _Lists(cells, place) if c.type == TEXTS else partial(cells.column, place)
        for place, c in enumerate(_TEXTS)
    }
    makers |= {c.name: partial(np.ascontiguousarray, numbers[c.name]) for c in _OTHERS}
    makers |= {name: Named(Coded(numbers[name], names)) for name, names in NAMES.items()}
    makers["source_ref"] = _Refs(ordered)
    makers["user_id"] = Named(Coded(np.zeros(len(rows), dtype=np.int8), (user_id,)))
    return Columns(len(rows), makers)


class _Cells:
    """The texts of many rows.

    Args:
        lengths: of each row, how many bytes each of its texts has.
        null_bits: of each row, which of its texts are null.
        together: all texts, row after row.
    """

    def __init__(self, lengths: NDArray[np.uint32], null_bits: NDArray[np.uint8], together: bytes) -> None:
        self._lengths, self._null_bits, self._together = lengths, null_bits, together

    def column(self, place: int) -> pa.LargeStringArray:
        """The texts of one column."""
        count = len(self._lengths)
        return self._by_column[place * count : (place + 1) * count]

    @cached_property
    def _by_column(self) -> pa.LargeStringArray:
        offsets = np.zeros(self._lengths.size + 1, dtype=np.int64)
        np.cumsum(self._lengths, out=offsets[1:])
        is_null = np.unpackbits(self._null_bits, axis=1, count=len(_TEXTS))
        is_there = np.packbits(1 - is_null, bitorder="little")
        buffers = [pa.py_buffer(part) for part in (offsets, self._together, is_there)]
        by_row = pa.LargeStringArray.from_buffers(self._lengths.size, *buffers)
        return by_row.take(pa.array(np.arange(len(by_row)).reshape(self._lengths.shape).T.ravel()))


@dataclass(frozen=True, slots=True)
class _Lists(Codable):
    """Makes a column of lists."""

    cells: _Cells
    place: int

    def coded(self) -> Coded:
        return _coded_lists(self.cells.column(self.place))

    def values(self, coded: Coded) -> NDArray[np.object_]:
        lists: NDArray[np.object_] = np.fromiter(coded.names, dtype=object, count=len(coded.names))[coded.codes]
        return lists

    def at(self, positions: NDArray[np.integer]) -> NDArray[np.object_]:
        return self.values(_coded_lists(taken(self.cells.column(self.place), positions)))


def _coded_lists(texts: pa.LargeStringArray) -> Coded:
    codes, written = encoded(texts)
    return Coded(codes, tuple(map(_texts, written)))


@dataclass(frozen=True, slots=True)
class _Refs(Divisible):
    """Makes the column of `source_ref`."""

    rows: Sequence[Sequence[Any]]

    def __call__(self) -> pa.LargeStringArray:
        return pa.array([ref for ref, _, _ in self.rows], pa.large_string())

    def at(self, positions: NDArray[np.integer]) -> pa.LargeStringArray:
        return pa.array([self.rows[position][0] for position in positions.tolist()], pa.large_string())


@lru_cache(maxsize=4096)
def _texts(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text)) if text else ()


@lru_cache(maxsize=4096)
def _json(texts: tuple[str, ...]) -> str:
    return json.dumps(texts, ensure_ascii=False, separators=(",", ":")) if texts else ""
