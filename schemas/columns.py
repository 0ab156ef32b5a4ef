"""The columns of a table, each made when it is first read (late materialisation).

Between nodes a table is chosen from, ordered and merged many times, and of its thirty columns most steps read a few. So
choosing rows moves nothing: a column is taken when somebody reads it, from where it was made, in one step. What people
read in notebooks are frames (`Columns.frame`).

Values are as numpy and Arrow compare them: texts are Arrow large strings, instants `datetime64[us]` in UTC (NaT where
missing), numbers and flags numpy, lists object arrays of tuples.
"""

# The functions of pyarrow.compute are made when it is imported:
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NamedTuple, TypeAlias, get_args

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from temporal_recall.schemas.bundle import Granularity, ItemStatus, ItemType
from temporal_recall.schemas.frames import FrameContract, checked

Maker: TypeAlias = Callable[[], Any]
"""Makes a column; it is asked once."""

NAMES: Mapping[str, tuple[str, ...]] = {
    "type": get_args(ItemType),
    "status": get_args(ItemStatus),
    "granularity": get_args(Granularity),
    "owner": ("self", "other"),
    "role": ("user", "assistant"),
}
"""What stands in the columns of a timeline that hold one of few names; `granularity` from the most exact on."""

_NOWHERE = -2


@lru_cache(maxsize=512)
def _places(names: tuple[str, ...], wanted: tuple[str, ...]) -> Sequence[int]:
    """Where the wanted names stand, `_NOWHERE` if none does; asked some seventy times a recall, of the same names."""
    return [place for place, name in enumerate(names) if name in wanted] or [_NOWHERE]


class Coded(NamedTuple):
    """Names by small numbers: where each value's name stands in `names`, -1 for a value that has none.

    The names of a column of lists are its distinct lists.
    """

    codes: NDArray[np.integer]
    names: tuple[Any, ...]

    def is_any(self, *names: str) -> NDArray[np.bool_]:
        """Whether each value is one of some names; a missing one is none of them."""
        first, *others = _places(self.names, names)
        is_any: NDArray[np.bool_] = self.codes == first
        for place in others:
            is_any |= self.codes == place
        return is_any

    def at(self, rows: NDArray[np.integer]) -> Coded:
        """The values at some positions."""
        return Coded(self.codes[rows], self.names)

    def replaced(self, is_replaced: NDArray[np.bool_], name: str) -> Coded:
        """The values, but one of the names where it is to stand."""
        return Coded(np.where(is_replaced, self.names.index(name), self.codes), self.names)

    def tolist(self) -> list[str | None]:
        """The name of each value, None where there is none."""
        names = (*self.names, None)
        return [names[code] for code in self.codes.tolist()]

    def texts(self) -> pa.Array:
        """The names as texts, null where there is none."""
        return pa.array(self.names, pa.large_string()).take(pa.array(self.codes, mask=self.codes < 0))


class Divisible(ABC):
    """Makes a column, or its values at some positions alone."""

    __slots__ = ()

    @abstractmethod
    def __call__(self) -> Any:
        """All values."""

    @abstractmethod
    def at(self, positions: NDArray[np.integer]) -> Any:
        """The values at some positions."""


class Codable(Divisible):
    """Makes a column that has few distinct values, out of its codes."""

    __slots__ = ()

    @abstractmethod
    def coded(self) -> Coded:
        """As `Columns.coded`."""

    @abstractmethod
    def values(self, coded: Coded) -> Any:
        """The values that some codes of the column stand for."""

    def __call__(self) -> Any:
        return self.values(self.coded())

    def at(self, positions: NDArray[np.integer]) -> Any:
        """As `Divisible.at`."""
        return self.values(self.coded().at(positions))


@dataclass(frozen=True, slots=True)
class Named(Codable):
    """Makes a column of texts."""

    codes: Coded

    def coded(self) -> Coded:
        """As `Columns.coded`."""
        return self.codes

    def values(self, coded: Coded) -> pa.Array:
        """As `Codable.values`."""
        return coded.texts()


@dataclass(frozen=True, slots=True)
class Taken:
    """Makes a column out of one of other columns: its values at some positions, or all of them where none are given."""

    columns: Columns
    name: str
    positions: NDArray[np.integer] | None = None

    def __call__(self) -> Any:
        return self.columns[self.name] if self.positions is None else self.columns.some(self.name, self.positions)

    def coded(self) -> Coded:
        """As `Columns.coded`."""
        codes = self.columns.coded(self.name)
        return codes if self.positions is None else codes.at(self.positions)


class Columns:
    """Columns by name, all of one length.

    Args:
        length: how many values each has.
        makers: make the columns of its own.
        source: has the others, at `positions`, or all of their values where none are given.
    """

    __slots__ = ("_coded", "_length", "_made", "_makers", "_positions", "_source")

    def __init__(
        self,
        length: int,
        makers: Mapping[str, Maker],
        source: Columns | None = None,
        positions: NDArray[np.integer] | None = None,
    ) -> None:
        self._length, self._makers, self._source, self._positions = length, makers, source, positions
        self._made: dict[str, Any] = {}
        self._coded: dict[str, Coded] = {}

    @classmethod
    def of(cls, frame: pd.DataFrame, contract: FrameContract) -> Columns:
        """The columns of a frame.

        Raises:
            FrameContractError: as `checked`.
        """
        checked(frame, contract)
        return cls(len(frame), {name: partial(_values_of, frame, name) for name in contract.dtypes})

    @classmethod
    def stacked(cls, parts: Sequence[Columns], contract: FrameContract) -> Columns:
        """The rows of one after those of the other."""
        return cls(sum(map(len, parts)), {name: partial(_stacked, parts, name) for name in contract.dtypes})

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, name: str) -> Any:
        """The values of a column.

        Raises:
            KeyError: there is none of this name.
        """
        if name not in self._made:
            self._made[name] = self._maker(name)()
        return self._made[name]

    def some(self, name: str, positions: NDArray[np.integer]) -> Any:
        """The values of a column at some positions; of what can be made in part, and was not read yet, no others."""
        maker = None if name in self._made else self._maker(name)
        if name in self._coded and isinstance(maker, Codable):
            return maker.values(self._coded[name].at(positions))
        return maker.at(positions) if isinstance(maker, Divisible) else taken(self[name], positions)

    def coded(self, name: str) -> Coded:
        """A column of texts as codes: of its known names where it holds one of few, else of the texts found; so one of
        lists. A text that is not among the known names is missing.
        """
        if name not in self._coded:
            maker = self._maker(name)
            self._coded[name] = (
                maker.coded() if isinstance(maker, Taken | Codable) else encoded(self[name], NAMES.get(name))
            )
        return self._coded[name]

    def _maker(self, name: str) -> Maker:
        if name in self._makers or self._source is None:
            return self._makers[name]
        return Taken(self._source, name, self._positions)

    def at(self, positions: NDArray[np.integer]) -> Columns:
        """The rows at some positions, in their order."""
        if self._source is None:
            return Columns(len(positions), {}, self, positions)
        choice = _Choice(positions)
        own = {name: self._taken(name, choice) for name in self._makers}
        return Columns(len(positions), own, self._source, choice.out_of(self._positions))

    def _taken(self, name: str, choice: _Choice) -> Taken:
        """A column of its own at some positions, from where it comes from if it was not made here yet."""
        maker = self._makers[name]
        if name in self._made or not isinstance(maker, Taken):
            return Taken(self, name, choice.positions)
        return Taken(maker.columns, maker.name, choice.out_of(maker.positions))

    def replaced(self, makers: Mapping[str, Maker]) -> Columns:
        """These columns with others in the place of some, or beside them."""
        own = {name: Taken(self, name) for name in self._makers} if self._source else {}
        return Columns(self._length, {**own, **makers}, self._source or self, self._positions)

    def __reduce__(self) -> tuple[Any, ...]:
        """Made columns and no way of making them go to another process."""
        return _unpickled, (self._length, {name: self[name] for name in self.names})

    @property
    def names(self) -> frozenset[str]:
        """The names of all columns."""
        return frozenset(self._makers) | (self._source.names if self._source else frozenset())

    def frame(self, contract: FrameContract) -> pd.DataFrame:
        """The columns of a contract as a frame, rows counted from 0."""
        return contract.frame({name: self[name] for name in contract.dtypes})


class _Choice:
    """Positions among rows that were chosen before, told as positions among those they were chosen from.

    The columns that come from one place have one array of positions between them.
    """

    def __init__(self, positions: NDArray[np.integer]) -> None:
        self.positions = positions
        self._by_held: dict[int, NDArray[np.integer]] = {}

    def out_of(self, held: NDArray[np.integer] | None) -> NDArray[np.integer]:
        """The positions in what rows at `held` came from; all of its rows where none are given."""
        if held is None:
            return self.positions
        if id(held) not in self._by_held:
            self._by_held[id(held)] = held[self.positions]
        return self._by_held[id(held)]


def _unpickled(length: int, values_by_name: Mapping[str, Any]) -> Columns:
    return Columns(length, {name: given(values) for name, values in values_by_name.items()})


def given(values: Any) -> Maker:
    """Makes a column that is there already."""
    return partial(_same, values)


def _same(values: Any) -> Any:
    return values


def taken(values: Any, positions: NDArray[np.integer]) -> Any:
    """The values of a column at some positions."""
    return values.take(pa.array(positions)) if isinstance(values, pa.Array) else values[positions]


def _stacked(parts: Sequence[Columns], name: str) -> Any:
    values = [part[name] for part in parts]
    return pa.concat_arrays(values) if isinstance(values[0], pa.Array) else np.concatenate(values)


def _values_of(frame: pd.DataFrame, name: str) -> Any:
    column = frame[name]
    if isinstance(column.dtype, pd.StringDtype):
        return told(column)
    return column.to_numpy("datetime64[us]") if isinstance(column.dtype, pd.DatetimeTZDtype) else column.to_numpy()


def told(column: pd.Series) -> pa.Array:
    """A column of texts in a frame as Arrow has them, in one piece."""
    array = pa.array(column.array)
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def encoded(texts: pa.Array | NDArray[np.object_], names: tuple[str, ...] | None = None) -> Coded:
    """Texts as codes of the names, else, as lists, of those that are found in the order in which they first stand."""
    if isinstance(texts, np.ndarray):
        number_by_list: dict[Any, int] = {}
        codes = [number_by_list.setdefault(each, len(number_by_list)) for each in map(tuple, texts.tolist())]
        return Coded(np.array(codes, dtype=np.int64), tuple(number_by_list))
    if names is None:
        found = texts.dictionary_encode()
        return Coded(_codes(found.indices), tuple(found.dictionary.to_pylist()))
    wanted = pc.SetLookupOptions(pa.array(names, pa.large_string()))  # as the texts are: nothing has to be cast
    return Coded(_codes(pc.call_function("index_in", [texts], wanted)), names)


def _codes(places: pa.Array) -> NDArray[np.integer]:
    return np.asarray(places.fill_null(-1) if places.null_count else places)
