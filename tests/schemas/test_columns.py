"""Columns are made when they are read, once, and choosing rows moves nothing before that."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from temporal_recall.schemas.columns import Coded, Columns, Divisible, Taken, encoded
from temporal_recall.schemas.errors import FrameContractError
from temporal_recall.schemas.frames import FLAG, INSTANT, REAL, TEXT, TEXTS, Column, FrameContract

WALKS = FrameContract(
    "walks",
    (
        Column("ref", TEXT, "identity"),
        Column("status", TEXT, "of few names"),
        Column("place", TEXT, "any text", is_nullable=True),
        Column("begins", INSTANT, "start", is_nullable=True),
        Column("steps", REAL, "thousands"),
        Column("is_long", FLAG, "over an hour"),
        Column("people", TEXTS, "who came"),
    ),
)
FRAME = pd.DataFrame(
    {
        "ref": ["a", "b", "c"],
        "status": ["planned", "odd", "completed"],
        "place": ["西湖", None, "西湖"],
        "begins": pd.DatetimeIndex(["2026-09-01T08:00", None, "2026-09-02T09:30"], tz="UTC"),
        "steps": [4.0, 0.5, 9.0],
        "is_long": [False, False, True],
        "people": [(), ("小敏",), ("小敏", "老周")],
    }
).astype(WALKS.dtypes)


class Made(Columns):
    """Columns of numbers that count how often each was made."""

    def __init__(self, *names: str) -> None:
        self.times: Counter[str] = Counter()
        super().__init__(4, {name: partial(self._counted, name) for name in names})

    def _counted(self, name: str) -> Any:
        self.times[name] += 1
        return np.arange(4) * 10


def test_a_frame_comes_back_as_it_was() -> None:
    pd.testing.assert_frame_equal(Columns.of(FRAME, WALKS).frame(WALKS), FRAME)


def test_no_rows_have_every_column() -> None:
    empty = Columns.of(WALKS.empty(), WALKS)
    assert len(empty) == 0
    pd.testing.assert_frame_equal(empty.frame(WALKS), WALKS.empty())


def test_a_frame_without_a_column_is_refused() -> None:
    with pytest.raises(FrameContractError, match="column place is absent"):
        Columns.of(FRAME.drop(columns="place"), WALKS)


def test_a_column_is_made_when_it_is_read_and_once() -> None:
    walks = Made("steps", "pulse")
    chosen = walks.at(np.array([3, 1]))
    assert not walks.times
    assert [chosen["steps"].tolist() for _ in range(2)] == [[30, 10]] * 2
    assert walks.times == {"steps": 1}


def test_rows_chosen_twice_are_taken_once_from_where_they_were_made() -> None:
    walks = Columns.of(FRAME, WALKS)
    between = walks.at(np.array([2, 0, 1]))
    assert between.at(np.array([1, 0]))["ref"].to_pylist() == ["a", "c"]
    assert not between._made


@pytest.mark.parametrize(
    "chosen",
    [
        lambda walks, other: walks.replaced({"steps": other}),
        lambda walks, other: walks.at(np.array([0, 1, 2])).replaced({"steps": other}),
        lambda walks, other: walks.replaced({"steps": other}).replaced({"pulse": lambda: np.zeros(3)}),
        lambda walks, other: walks.replaced({"steps": other}).at(np.array([2, 1, 0])).at(np.array([2, 1, 0])),
    ],
)
def test_a_column_in_the_place_of_another_stays_there(chosen: Callable[..., Columns]) -> None:
    walks = chosen(Columns.of(FRAME, WALKS), lambda: np.array([1.0, 2.0, 3.0]))
    assert walks["steps"].tolist() == [1.0, 2.0, 3.0]
    assert walks["ref"].to_pylist() == ["a", "b", "c"]


def test_a_column_may_be_taken_from_other_rows_of_another() -> None:
    walks = Columns.of(FRAME, WALKS)
    swapped = walks.at(np.array([0, 1])).replaced({"status": Taken(walks, "status", np.array([2, 0]))})
    assert swapped.coded("status").texts().to_pylist() == ["completed", "planned"]
    assert swapped["status"].to_pylist() == ["completed", "planned"]


class Steps(Divisible):
    """Makes numbers, and says of which it was asked."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def __call__(self) -> Any:
        self.asked.append("all")
        return np.array([4.0, 0.5, 9.0])

    def at(self, positions: Any) -> Any:
        self.asked.append(positions.tolist())
        return np.array([4.0, 0.5, 9.0])[positions]


def test_of_what_can_be_made_in_part_no_more_is_made_than_is_read() -> None:
    steps = Steps()
    walks = Columns.of(FRAME, WALKS).replaced({"steps": steps})
    assert walks.at(np.array([2, 0, 1])).at(np.array([0, 1]))["steps"].tolist() == [9.0, 4.0]
    assert walks["steps"].tolist() == [4.0, 0.5, 9.0]
    assert walks.at(np.array([1]))["steps"].tolist() == [0.5]
    assert steps.asked == [[2, 0], "all"]


def test_rows_are_stacked_one_below_the_other() -> None:
    walks = Columns.of(FRAME, WALKS)
    both = Columns.stacked((walks.at(np.array([1])), walks), WALKS)
    pd.testing.assert_frame_equal(both.frame(WALKS), FRAME.iloc[[1, 0, 1, 2]].reset_index(drop=True))


def test_few_names_are_known_and_other_texts_are_numbered() -> None:
    walks = Columns.of(FRAME, WALKS).at(np.array([2, 1, 0]))
    assert walks.coded("status").texts().to_pylist() == ["completed", None, "planned"]
    assert walks.coded("status").is_any("planned", "completed").tolist() == [True, False, True]
    assert walks.coded("place") == (pytest.approx([0, -1, 0]), ("西湖",))


def test_another_process_gets_the_values() -> None:
    walks = Columns.of(FRAME, WALKS).at(np.array([2, 0])).replaced({"steps": lambda: np.array([1.0, 2.0])})
    again = pickle.loads(pickle.dumps(walks))
    pd.testing.assert_frame_equal(again.frame(WALKS), walks.frame(WALKS))
    assert again.names == walks.names


def test_there_is_no_column_of_another_name() -> None:
    with pytest.raises(KeyError):
        Columns.of(FRAME, WALKS).at(np.array([0]))["pulse"]


def test_any_texts_are_numbered_in_order_of_appearance() -> None:
    found = encoded(pa.array(["b", "a", None, "b"], pa.large_string()))
    assert (found.codes.tolist(), found.names) == ([0, 1, -1, 0], ("b", "a"))


def test_lists_are_numbered_in_order_of_appearance() -> None:
    lists = np.fromiter([("b", "a"), (), ("b", "a")], dtype=object, count=3)
    found = encoded(lists)
    assert (found.codes.tolist(), found.names) == ([0, 1, 0], (("b", "a"), ()))


def test_a_name_may_stand_where_another_stood() -> None:
    found = Coded(np.array([0, 1, -1]), ("planned", "completed"))
    assert found.replaced(np.array([True, False, True]), "completed").codes.tolist() == [1, 1, 1]
