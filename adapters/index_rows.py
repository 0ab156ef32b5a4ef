"""Between the frame of the materialised timeline and rows of its table.

An instant is stored as microseconds since 1970 in a column named `<name>_us`, a list as JSON text, a flag as 0 or 1.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from temporal_recall.schemas.frames import FLAG, INSTANT, TEXT, TEXTS, Column, checked
from temporal_recall.schemas.timeline_index import INDEXED_TIMELINE

KEY = ("user_id", "observed_time", "source_ref")
COLUMNS = sorted(INDEXED_TIMELINE.columns, key=lambda c: KEY.index(c.name) if c.name in KEY else len(KEY))
"""The columns in the order of the table, the key first: SQLite reads them a fifth faster so than in any other order."""

Row = tuple[Any, ...]


def stored_name(column: Column) -> str:
    """The table's name of a column of the frame."""
    return f"{column.name}_us" if column.type == INSTANT else column.name


STORED_NAMES = (*(stored_name(c) for c in COLUMNS), "event_until_us")
"""The columns of the table, in the order of the rows that `table_rows` gives."""

_OBSERVED, _REF, _EVENT = (STORED_NAMES.index(name) for name in ("observed_time_us", "source_ref", "event_time_us"))


def table_rows(frame: pd.DataFrame) -> list[Row]:
    """The rows to store, one a row of the frame (contract `INDEXED_TIMELINE`), values in the order of `STORED_NAMES`.

    `event_until_us` is the exclusive end of the event; one that is a point ends a microsecond after it begins.
    """
    frame = checked(frame, INDEXED_TIMELINE)
    columns = [_stored(frame[c.name], c) for c in COLUMNS]
    point_end = frame["event_time"] + pd.Timedelta(microseconds=1)
    until = frame["event_end"].where(frame["event_end"].gt(point_end), point_end)
    return list(zip(*columns, _microseconds(until), strict=True))


def time_key(row: Sequence[Any]) -> Row:
    """Where a row stands in the order of a timeline: by `event_time` (none last), `observed_time`, `source_ref`."""
    event_us = row[_EVENT]
    return event_us is None, event_us or 0, row[_OBSERVED], row[_REF]


def timeline_frame(rows: Sequence[Sequence[Any]]) -> pd.DataFrame:
    """The frame of stored rows (contract `INDEXED_TIMELINE`); values in the order of `STORED_NAMES`."""
    if not rows:
        return INDEXED_TIMELINE.empty()
    arrays = {c.name: _array(c, values) for c, values in zip(COLUMNS, zip(*rows, strict=True), strict=False)}
    return pd.DataFrame({name: arrays[name] for name in INDEXED_TIMELINE.dtypes}, copy=False)


def _stored(series: pd.Series, column: Column) -> list[Any]:
    if column.type == INSTANT:
        return _microseconds(series)
    if column.type == TEXTS:
        return [_json(texts) for texts in series]
    if column.type == FLAG:
        return [int(value) for value in series]
    values: list[Any] = series.astype(object).where(series.notna(), None).tolist()
    return values


def _microseconds(series: pd.Series) -> list[int | None]:
    numbers = series.to_numpy(dtype="datetime64[us]").astype("int64")
    return [None if number == _NAT else number for number in numbers.tolist()]


_NAT = int(np.iinfo("int64").min)


def _array(column: Column, values: Sequence[Any]) -> Any:
    """The column that a frame takes without another look at its values."""
    if column.type == TEXT:
        return _TEXT.__from_arrow__(pa.array(values, TEXT))
    if column.type == INSTANT:
        return _INSTANT.__from_arrow__(pa.array(values, INSTANT))
    if column.type == TEXTS:
        return np.fromiter(map(_texts, values), dtype=object, count=len(values))
    return np.array(values, dtype="bool" if column.type == FLAG else column.type.to_pandas_dtype())


_TEXT: Any = pd.StringDtype(na_value=np.nan)  # the stubs do not know that a dtype takes Arrow
_INSTANT: Any = pd.DatetimeTZDtype("us", "UTC")


@lru_cache(maxsize=4096)
def _texts(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


@lru_cache(maxsize=4096)
def _json(texts: tuple[str, ...]) -> str:
    return json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
