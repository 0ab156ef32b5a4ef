"""Columns of a frame as arrays that numpy and Arrow compare: names as small numbers, instants as minutes and days.

A library without nodes. On a frame of a thousand rows pandas takes longer to begin a comparison than to make it, and on
a million, texts take fifty times what their codes take.
"""

# The functions of pyarrow.compute are made when it is imported:
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeAlias, get_args

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pandas.api.extensions import ExtensionArray

from temporal_recall.dataflows.runs import Positions, distinct
from temporal_recall.schemas.bundle import Granularity, ItemStatus, ItemType

Flags: TypeAlias = NDArray[np.bool_]
Instants: TypeAlias = NDArray[np.datetime64]
Reals: TypeAlias = NDArray[np.float64]

NO_INSTANT = np.datetime64("NaT", "us")
_LAST = np.datetime64(np.iinfo(np.int64).max, "us")

_DAY_US = 86_400_000_000
_MINUTE_US = 60e6
_TEXT: Any = pd.StringDtype(na_value=np.nan)  # the stubs do not know that a dtype takes Arrow
_NAMES: dict[str, tuple[str, ...]] = {
    "type": get_args(ItemType),
    "status": get_args(ItemStatus),
    "granularity": get_args(Granularity),
    "owner": ("self", "other"),
    "role": ("user", "assistant"),
}
"""What stands in the columns of a timeline that hold one of few names; `granularity` from the most exact on."""


def flags(column: pd.Series) -> Flags:
    """A column of truth values."""
    return column.to_numpy(dtype="bool")


def reals(column: pd.Series) -> Reals:
    """A column of numbers."""
    return column.to_numpy(dtype="float64")


def instants(column: pd.Series) -> Instants:
    """A column of instants as `datetime64[us]` in UTC, NaT where missing."""
    return column.to_numpy(dtype="datetime64[us]")


def instant(moment: datetime) -> np.datetime64:
    """An aware moment, as `instants` has them."""
    return np.datetime64(moment.astimezone(UTC).replace(tzinfo=None), "us")


def told(column: pd.Series) -> pa.Array:
    """A column of texts as Arrow has them, in one piece."""
    array = pa.array(column.array)
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def texts(values: Any) -> ExtensionArray:
    """Texts in an Arrow or an object array as a column of a frame."""
    column: ExtensionArray = _TEXT.__from_arrow__(pa.array(values, pa.large_string(), from_pandas=True))
    return column


class Coded(NamedTuple):
    """Names by small numbers: where each value's name stands in `names`, -1 for a value that has none."""

    codes: NDArray[np.integer]
    names: tuple[str, ...]

    def is_any(self, *names: str) -> Flags:
        """Whether each value is one of some names; a missing one is none of them."""
        return np.asarray(np.array([*(name in names for name in self.names), False])[self.codes])

    def at(self, rows: Positions) -> Coded:
        """The values at some positions."""
        return Coded(self.codes[rows], self.names)

    def texts(self) -> ExtensionArray:
        """The names as a column of a frame, null where there is none."""
        return texts(pa.array(self.names).take(pa.array(self.codes, mask=self.codes < 0)))


def coded(timeline: pd.DataFrame, column: str) -> Coded:
    """A column of a timeline that holds one of few names; any other text is missing."""
    return Coded(places_in(timeline[column], _NAMES[column]), _NAMES[column])


def numbered(column: pd.Series) -> Coded:
    """A column of any texts, in the order in which they first stand."""
    encoded = told(column).dictionary_encode()
    return Coded(np.asarray(encoded.indices.fill_null(-1)), tuple(encoded.dictionary.to_pylist()))


def named_by(conditions: Mapping[str, Flags], names: tuple[str, ...], default: str) -> Coded:
    """The first name whose condition holds, else `default`."""
    codes = np.full(len(next(iter(conditions.values()))), names.index(default), dtype=np.int8)
    for name in reversed(list(conditions)):
        codes[conditions[name]] = names.index(name)
    return Coded(codes, names)


def is_one_of(column: pd.Series, *names: str) -> Flags:
    """Whether each text of a column is one of some names; a null is none."""
    return np.asarray(_looked_up("is_in", column, names))


def places_in(column: pd.Series, names: Sequence[str]) -> Positions:
    """The place of each text of a column among distinct names, -1 of what is not among them and of a null."""
    return np.asarray(_looked_up("index_in", column, names).fill_null(-1), dtype="int64")


def _looked_up(function: str, column: pd.Series, names: Sequence[str]) -> Any:
    wanted = pa.array(names, pa.large_string())  # as the columns of a frame are: nothing has to be cast
    return pc.call_function(function, [told(column)], pc.SetLookupOptions(wanted))


def replaced(column: pd.Series, is_replaced: Flags, text: str) -> pd.Series:
    """A column of texts with `text` where it is to stand."""
    kept = told(column)
    return pd.Series(texts(pc.if_else(is_replaced, pa.scalar(text, kept.type), kept)), column.index)


def counts_of(column: pd.Series, names: Sequence[str]) -> dict[str, int]:
    """How many texts of a column are each of some distinct names, in the order of the names."""
    places = places_in(column, names)
    found = np.bincount(places[places >= 0], minlength=len(names))
    return dict(zip(names, found.tolist(), strict=True))


def matches(texts: pa.Array, pattern: str) -> Flags:
    """Whether each text holds what an RE2 pattern describes; no text may be missing."""
    return np.array(pc.match_substring_regex(texts, pattern))


def match_counts(texts: pa.Array, pattern: str) -> NDArray[np.int32]:
    """How often each text holds what an RE2 pattern describes; no text may be missing."""
    return np.asarray(pc.count_substring_regex(texts, pattern))


def minutes(moments: Instants) -> Reals:
    """Minutes since 1970, NaN where missing."""
    return np.where(np.isnat(moments), np.nan, moments.astype(np.int64) / _MINUTE_US)


def local_days(zone: pd.Series, *moments: Instants) -> list[Positions]:
    """Days since 1970 in each row's own zone, -1 where missing: one array for each of `moments`."""
    zones, moment = numbered(zone), np.array(moments)
    days = np.full(moment.shape, -1, dtype=np.int64)
    for number, name in enumerate(zones.names):
        here = np.flatnonzero(zones.codes == number)
        local = pd.DatetimeIndex(moment[:, here].ravel()).tz_localize("UTC").tz_convert(name).tz_localize(None)
        days[:, here] = (local.asi8 // _DAY_US).reshape(len(moments), -1)
    return list(np.where(np.isnat(moment), -1, days))


def columns_at(frame: pd.DataFrame, positions: Positions) -> dict[str, ExtensionArray]:
    """Each column of a frame at some positions."""
    return {str(name): column.array.take(positions) for name, column in frame.items()}


def rows_at(frame: pd.DataFrame, positions: Positions) -> pd.DataFrame:
    """The rows at some positions, in the order of the positions and counted anew."""
    return pd.DataFrame(columns_at(frame, positions), copy=False)


def in_time_order(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows by `event_time` (those without one last), then `observed_time`, then `source_ref`; counted anew."""
    event, observed = instants(frame["event_time"]), instants(frame["observed_time"])
    order = time_order(np.where(np.isnat(event), _LAST, event), observed, frame["source_ref"].array)
    is_in_order = bool((order == np.arange(len(frame))).all())
    return frame.reset_index(drop=True) if is_in_order else rows_at(frame, order)


def time_order(event: NDArray[Any], observed: NDArray[Any], refs: ExtensionArray) -> Positions:
    """The positions by `event`, then `observed`, then reference.

    References are read only where both times are the same, which is seldom: to sort texts takes long.
    """
    order = np.lexsort((observed, event))
    is_same = (event[order[1:]] == event[order[:-1]]) & (observed[order[1:]] == observed[order[:-1]])
    same = np.flatnonzero(is_same)
    if not len(same):
        return order
    tied = order[distinct(np.concatenate([same, same + 1]))]
    rank = np.zeros(len(order), dtype=np.int64)
    rank[tied[np.argsort(refs.take(tied).to_numpy(), kind="stable")]] = np.arange(len(tied))
    return np.lexsort((rank, observed, event))


def values_at(column: pd.Series, rows: Positions) -> list[Any]:
    """The plain values of a column at some positions, None for a null; instants are moments in UTC."""
    values: list[Any]
    if isinstance(column.dtype, pd.DatetimeTZDtype):
        values = [moment and moment.replace(tzinfo=UTC) for moment in instants(column)[rows].tolist()]
    elif isinstance(column.dtype, pd.StringDtype):
        values = told(column).take(pa.array(rows)).to_pylist()
    else:
        values = column.to_numpy()[rows].tolist()
    return values
