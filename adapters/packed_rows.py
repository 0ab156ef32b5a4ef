"""Rows of one user's timeline, each packed into two values, and many of them made a frame in a few steps of numpy.

Python takes a thousand rows of three values out of a database five times faster than rows of thirty, and columns are
read off what lies together without a look at each value. Beside its `source_ref` a packed row has

    numbers   a record of `_NUMBERS`: instants, numbers, flags, and a bit for each text that is null
    texts     the texts in UTF-8, each ended by a NUL, which no text holds (`Words`); a list as JSON

Another column in the contract is another layout: it takes a further step in `index_tables`.
"""

# The functions of pyarrow.compute are made when it is imported:
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from temporal_recall.schemas.frames import COUNT, FLAG, INSTANT, REAL, TEXT, TEXTS, WHOLE_TIMELINE, Column

_IDENTITY = ("user_id", "source_ref")
_TEXTS = [c for c in WHOLE_TIMELINE.columns if c.type in (TEXT, TEXTS) and c.name not in _IDENTITY]
_OTHERS = [c for c in WHOLE_TIMELINE.columns if c.type not in (TEXT, TEXTS)]
_TYPES = {INSTANT: "<M8[us]", COUNT: "<i8", REAL: "<f8", FLAG: "?"}
_NUMBERS = np.dtype([*((c.name, _TYPES[c.type]) for c in _OTHERS), ("null_bits", "u1", (-(-len(_TEXTS) // 8),))])


def packed(frame: pd.DataFrame) -> tuple[list[bytes], list[bytes]]:
    """The numbers and the texts of each row of a frame (contract `WHOLE_TIMELINE`; further columns are left out).

    Raises:
        ValueError: a text holds a NUL.
    """
    columns = [_told(frame[c.name], c) for c in _TEXTS]
    numbers = np.empty(len(frame), _NUMBERS)
    for other in _OTHERS:
        numbers[other.name] = frame[other.name].to_numpy(_NUMBERS[other.name])
    is_null = np.array([[text is None for text in column] for column in columns], dtype=bool)
    numbers["null_bits"] = np.packbits(is_null, axis=0).T
    return _cut(numbers.tobytes(), _NUMBERS.itemsize), [_joined(row) for row in zip(*columns, strict=True)]


def _told(column: pd.Series, contract: Column) -> list[str | None]:
    if contract.type == TEXTS:
        return [_json(texts) for texts in column]
    told: list[str | None] = pa.array(column.array).to_pylist()
    return told


def _joined(row: Sequence[str | None]) -> bytes:
    texts = "\0".join([*(text or "" for text in row), ""])
    if texts.count("\0") > len(row):
        raise ValueError("a text of a row holds a NUL, which no record may")
    return texts.encode()


def _cut(together: bytes, size: int) -> list[bytes]:
    return [together[start : start + size] for start in range(0, len(together), size)]


def unpacked(user_id: str, rows: Sequence[Sequence[Any]]) -> pd.DataFrame:
    """The frame of a user's rows (contract `WHOLE_TIMELINE`), in the order of a timeline; empty where there are none.

    That order is by `event_time` (rows without one last), then `observed_time`, then `source_ref`.

    Args:
        rows: `source_ref`, numbers and texts of each.
    """
    if not rows:
        return WHOLE_TIMELINE.empty()
    refs, heads, texts = zip(*rows, strict=True)
    numbers = np.frombuffer(b"".join(heads), _NUMBERS)
    order = _time_order(numbers, pa.array(refs))
    is_null = np.unpackbits(numbers["null_bits"], axis=1, count=len(_TEXTS)).astype(bool)
    cells = _cells(is_null, b"".join(texts), order)
    columns = {c.name: _lists(cell) if c.type == TEXTS else cell for c, cell in zip(_TEXTS, cells, strict=True)}
    columns |= {c.name: numbers[c.name][order] for c in _OTHERS}
    columns |= {"user_id": pa.repeat(user_id, len(rows)), "source_ref": pa.array(refs).take(pa.array(order))}
    return WHOLE_TIMELINE.frame(columns)


def _cells(is_null: NDArray[np.bool_], together: bytes, order: NDArray[np.uint64]) -> list[pa.LargeStringArray]:
    """The texts of each column, those of the rows in their new order.

    Args:
        is_null: of each text, by row and column.
        together: all texts, row after row.
    """
    ends = np.flatnonzero(np.frombuffer(together, np.uint8) == 0)
    offsets = np.concatenate([[0], ends - np.arange(len(ends))])
    is_there = np.packbits(~is_null, bitorder="little")
    buffers = [pa.py_buffer(part) for part in (offsets, together.translate(None, b"\0"), is_there)]
    by_row = pa.LargeStringArray.from_buffers(len(ends), *buffers)
    cell_at = np.arange(is_null.size).reshape(is_null.shape)[order]
    by_column = by_row.take(pa.array(cell_at.T.ravel()))
    return [by_column[start : start + len(order)] for start in range(0, is_null.size, len(order))]


def _time_order(numbers: NDArray[Any], refs: pa.LargeStringArray) -> NDArray[np.uint64]:
    keys = {"event_time": pa.array(numbers["event_time"]), "observed_time": pa.array(numbers["observed_time"])}
    ascending = [(key, "ascending") for key in (*keys, "source_ref")]
    return np.asarray(pc.sort_indices(pa.table(keys | {"source_ref": refs}), ascending))


def _lists(texts: pa.LargeStringArray) -> NDArray[Any]:
    encoded = texts.dictionary_encode()
    distinct = [_texts(text) for text in encoded.dictionary.to_pylist()]
    lists: NDArray[Any] = np.fromiter(distinct, dtype=object, count=len(distinct))[np.asarray(encoded.indices)]
    return lists


@lru_cache(maxsize=4096)
def _texts(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


@lru_cache(maxsize=4096)
def _json(texts: tuple[str, ...]) -> str:
    return json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
