"""What ranking and reading ask of the columns of any frame, and rows put in order: single steps of numpy and Arrow.

A library without nodes. On a frame of a thousand rows pandas takes longer to begin a comparison than to make it, and a
request makes dozens.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pandas.api.extensions import ExtensionArray

from temporal_recall.dataflows.columns import instants, texts
from temporal_recall.dataflows.runs import Positions

Flags: TypeAlias = NDArray[np.bool_]
Instants: TypeAlias = NDArray[np.datetime64]
Reals: TypeAlias = NDArray[np.float64]

_TIME_ORDER = ("event_time", "observed_time", "source_ref")
NO_INSTANT = np.datetime64("NaT", "us")


def instant(moment: datetime) -> np.datetime64:
    """An aware moment, as `instants` has them."""
    return np.datetime64(moment.astimezone(UTC).replace(tzinfo=None), "us")


def flags(column: pd.Series) -> Flags:
    """A column of truth values."""
    return column.to_numpy(dtype="bool")


def reals(column: pd.Series) -> Reals:
    """A column of numbers."""
    return column.to_numpy(dtype="float64")


def is_one_of(column: pd.Series, *names: str) -> Flags:
    """Whether each text of a column is one of some names; a null is none."""
    return np.asarray(_compute("is_in", column, names))


def places_in(column: pd.Series, names: Sequence[str]) -> Positions:
    """The place of each text of a column among distinct names, -1 of what is not among them and of a null."""
    return np.asarray(_compute("index_in", column, names).fill_null(-1), dtype="int64")


def _compute(function: str, column: pd.Series, names: Sequence[str]) -> Any:
    wanted = pa.array(names, pa.large_string())  # as the columns of a frame are: nothing has to be cast
    return pc.call_function(function, [pa.array(column.array)], pc.SetLookupOptions(wanted))


def replaced(column: pd.Series, is_replaced: Flags, text: str) -> pd.Series:
    """A column of texts with `text` where it is to stand."""
    kept = pa.array(column.array)
    return pd.Series(texts(pc.call_function("if_else", [is_replaced, pa.scalar(text, kept.type), kept])), column.index)


def counts_of(column: pd.Series, names: Sequence[str]) -> dict[str, int]:
    """How many texts of a column are each of some distinct names, in the order of the names."""
    places = places_in(column, names)
    found = np.bincount(places[places >= 0], minlength=len(names))
    return dict(zip(names, found.tolist(), strict=True))


def columns_at(frame: pd.DataFrame, positions: Positions) -> dict[str, ExtensionArray]:
    """Each column of a frame at some positions."""
    return {str(name): column.array.take(positions) for name, column in frame.items()}


def rows_at(frame: pd.DataFrame, positions: Positions) -> pd.DataFrame:
    """The rows at some positions, in the order of the positions and counted anew."""
    return pd.DataFrame(columns_at(frame, positions), copy=False)


def in_time_order(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows by `event_time` (those without one last), then `observed_time`, then `source_ref`; counted anew."""
    events, told, refs = (frame[name] for name in _TIME_ORDER)
    keys = pa.table([instants(events), instants(told), pa.array(refs.array)], list(_TIME_ORDER))
    ascending = pc.SortOptions([(name, "ascending") for name in _TIME_ORDER])
    order = np.asarray(pc.call_function("sort_indices", [keys], ascending), dtype="int64")
    is_in_order = bool((order == np.arange(len(frame))).all())
    return frame.reset_index(drop=True) if is_in_order else rows_at(frame, order)


def values_at(column: pd.Series, rows: Positions) -> list[Any]:
    """The plain values of a column at some positions, None for a null; instants are moments in UTC."""
    values: list[Any]
    if isinstance(column.dtype, pd.DatetimeTZDtype):
        values = [moment and moment.replace(tzinfo=UTC) for moment in instants(column)[rows].tolist()]
    elif isinstance(column.dtype, pd.StringDtype):
        values = pa.array(column.array).take(pa.array(rows)).to_pylist()
    else:
        values = column.to_numpy()[rows].tolist()
    return values
