"""Columns of a frame as arrays that numpy and Arrow compare: names as small numbers, instants as minutes and days.

A library without nodes. On a frame of a thousand rows pandas takes longer to begin a comparison than to make it, and on
a million, texts take fifty times what their codes take.
"""

# The functions of pyarrow.compute are made when it is imported:
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pandas.api.extensions import ExtensionArray

from temporal_recall.dataflows.runs import Positions, distinct
from temporal_recall.schemas.columns import Coded, Columns, told

Flags: TypeAlias = NDArray[np.bool_]
Instants: TypeAlias = NDArray[np.datetime64]
Reals: TypeAlias = NDArray[np.float64]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
NO_INSTANT = np.datetime64("NaT", "us")
_LAST = np.datetime64(np.iinfo(np.int64).max, "us")

_DAY_US = 86_400_000_000
_MINUTE_US = 60e6
_TEXT: Any = pd.StringDtype(na_value=np.nan)  # the stubs do not know that a dtype takes Arrow


def flags(column: pd.Series) -> Flags:
    """A column of truth values."""
    return column.to_numpy(dtype="bool")


def instants(column: pd.Series) -> Instants:
    """A column of instants as `datetime64[us]` in UTC, NaT where missing."""
    return column.to_numpy(dtype="datetime64[us]")


def instant(moment: datetime) -> np.datetime64:
    """An aware moment, as `instants` has them."""
    return np.datetime64((moment - _EPOCH) // _MICROSECOND, "us")


def texts(values: Any) -> ExtensionArray:
    """Texts in an Arrow or an object array as a column of a frame."""
    column: ExtensionArray = _TEXT.__from_arrow__(pa.array(values, pa.large_string(), from_pandas=True))
    return column


def named_by(conditions: Mapping[str, Flags], names: tuple[str, ...], default: str) -> Coded:
    """The first name whose condition holds, else `default`."""
    codes = np.full(len(next(iter(conditions.values()))), names.index(default), dtype=np.int8)
    for name in reversed(list(conditions)):
        codes[conditions[name]] = names.index(name)
    return Coded(codes, names)


def is_one_of(column: pd.Series, *names: str) -> Flags:
    """Whether each text of a column is one of some names; a null is none."""
    return is_among(told(column), pa.array(names, pa.large_string()))


def is_among(values: pa.Array, wanted: pa.Array) -> Flags:
    """Whether each text is one of those wanted; a null is none."""
    return np.array(pc.call_function("is_in", [values], pc.SetLookupOptions(wanted)))


def places_in(column: Coded, names: Sequence[str]) -> Positions:
    """The place of the name of each value among distinct names, -1 of what is not among them and of a missing one."""
    place_by_name = {name: place for place, name in enumerate(names)}
    return np.asarray(np.array([*(place_by_name.get(name, -1) for name in column.names), -1])[column.codes])


def replaced(column: pd.Series, is_replaced: Flags, text: str) -> pd.Series:
    """A column of texts with `text` where it is to stand."""
    kept = told(column)
    return pd.Series(texts(pc.if_else(is_replaced, pa.scalar(text, kept.type), kept)), column.index)


def counts_of(column: Coded, names: Sequence[str]) -> dict[str, int]:
    """How many values of a column have each of some names, in the order of the names."""
    found = np.bincount(column.codes[column.codes >= 0], minlength=len(column.names)).tolist()
    count_by_name = dict(zip(column.names, found, strict=True))
    return {name: count_by_name.get(name, 0) for name in names}


def matches(texts: pa.Array, pattern: str) -> Flags:
    """Whether each text holds what an RE2 pattern describes; no text may be missing."""
    return np.array(pc.match_substring_regex(texts, pattern))


def match_counts(texts: pa.Array, pattern: str) -> NDArray[np.int32]:
    """How often each text holds what an RE2 pattern describes; no text may be missing."""
    return np.asarray(pc.count_substring_regex(texts, pattern))


def minutes(moments: Instants) -> Reals:
    """Minutes since 1970, NaN where missing."""
    return np.where(np.isnat(moments), np.nan, moments.astype(np.int64) / _MINUTE_US)


def local_days(zones: Coded, *moments: Instants) -> list[Positions]:
    """Days since 1970 in each row's own zone, -1 where missing: one array for each of `moments`."""
    moment = np.array(moments)
    if len(zones.names) == 1:
        return list(_days_in(zones.names[0], moment))
    days = np.full(moment.shape, -1, dtype=np.int64)
    for number, name in enumerate(zones.names):
        here = np.flatnonzero(zones.codes == number)
        days[:, here] = _days_in(name, moment[:, here])
    return list(days)


def _days_in(zone: str, moment: Instants) -> Positions:
    local = pd.DatetimeIndex(moment.ravel()).tz_localize("UTC").tz_convert(zone).tz_localize(None)
    return np.where(np.isnat(moment), -1, local.asi8.reshape(moment.shape) // _DAY_US)


def in_time_order(columns: Columns) -> Columns:
    """The rows by `event_time` (those without one last), then `observed_time`, then `source_ref`."""
    event = columns["event_time"]
    order = time_order(np.where(np.isnat(event), _LAST, event), columns["observed_time"], columns)
    return columns if (order == np.arange(len(order))).all() else columns.at(order)


def time_order(event: NDArray[Any], observed: NDArray[Any], rows: Columns) -> Positions:
    """The positions by `event`, then `observed`, then the `source_ref` of the rows.

    References are read only where both times are the same, which is seldom: to sort texts takes long.
    """
    order = np.lexsort((observed, event))
    is_same = (event[order[1:]] == event[order[:-1]]) & (observed[order[1:]] == observed[order[:-1]])
    same = np.flatnonzero(is_same)
    if not len(same):
        return order
    tied = order[distinct(np.concatenate([same, same + 1]))]
    rank = np.zeros(len(order), dtype=np.int64)
    told_refs = rows.at(tied)["source_ref"].to_numpy(zero_copy_only=False)
    rank[tied[np.argsort(told_refs, kind="stable")]] = np.arange(len(tied))
    return np.lexsort((rank, observed, event))


def plain_values(column: pa.Array | NDArray[Any], zone: tzinfo = UTC) -> list[Any]:
    """The values of a column as Python has them, None for a null; instants are moments in `zone`."""
    values: list[Any] = column.tolist()
    if isinstance(column, np.ndarray) and column.dtype.kind == "M":
        return [moment and zone.fromutc(moment.replace(tzinfo=zone)) for moment in values]
    return values
