"""From the frame of the materialised timeline to rows of its table.

What SQL finds, compares and counts stands in columns of its own; the whole row, as recall wants it, is packed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from temporal_recall.adapters.packed_rows import packed
from temporal_recall.schemas.frames import checked
from temporal_recall.schemas.timeline_index import INDEXED_TIMELINE

STORED_NAMES = (
    "user_id",
    "observed_time_us",
    "source_ref",
    "source",
    "revision",
    "extractor_version",
    "event_time_us",
    "event_until_us",
    "numbers",
    "texts",
)
"""The columns of the table in their order, the key first; microseconds are counted from 1970."""

Row = tuple[Any, ...]


def table_rows(frame: pd.DataFrame) -> list[Row]:
    """The rows to store, one a row of the frame (contract `INDEXED_TIMELINE`), values in the order of `STORED_NAMES`.

    `event_until_us` is the exclusive end of the event; one that is a point ends a microsecond after it begins.
    """
    return list(zip(*_columns(checked(frame, INDEXED_TIMELINE)), strict=True))


def _columns(frame: pd.DataFrame) -> Iterator[list[Any]]:
    point_end = frame["event_time"] + pd.Timedelta(microseconds=1)
    yield frame["user_id"].tolist()
    yield _microseconds(frame["observed_time"])
    yield from (frame[name].tolist() for name in ("source_ref", "source", "revision", "extractor_version"))
    yield _microseconds(frame["event_time"])
    yield _microseconds(frame["event_end"].where(frame["event_end"].gt(point_end), point_end))
    yield from packed(frame)


def _microseconds(series: pd.Series) -> list[int | None]:
    numbers = series.to_numpy(dtype="datetime64[us]").astype("int64")
    return [None if number == _NAT else number for number in numbers.tolist()]


_NAT = int(np.iinfo("int64").min)
