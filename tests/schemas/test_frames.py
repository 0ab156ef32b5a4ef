"""Frames are filled from plain columns, and hold what their contract says."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pandas as pd
import pytest

from temporal_recall.schemas.errors import FrameContractError
from temporal_recall.schemas.frames import COUNT, FLAG, INSTANT, REAL, TEXT, TEXTS, Column, FrameContract, checked

CONTRACT = FrameContract(
    "example",
    (
        Column("name", TEXT, "a text", is_nullable=True),
        Column("moment", INSTANT, "an instant", is_nullable=True),
        Column("names", TEXTS, "texts"),
        Column("count", COUNT, "a count"),
        Column("share", REAL, "a number"),
        Column("is_so", FLAG, "a flag"),
    ),
)
MOMENT = datetime(2026, 9, 2, 1, tzinfo=UTC)
LISTS = {
    "name": ["茶", None],
    "moment": [int(MOMENT.timestamp()) * 1_000_000, None],
    "names": [("甲", "乙"), ()],
    "count": [1, 2],
    "share": [0.5, 1.0],
    "is_so": [True, False],
}
ARRAYS = LISTS | {
    "name": pd.Series(["茶", np.nan], dtype="str"),
    "moment": np.array([MOMENT.replace(tzinfo=None), "NaT"], dtype="datetime64[us]"),
    "count": np.array([1, 2]),
}


@pytest.mark.parametrize("columns", [pytest.param(LISTS, id="lists"), pytest.param(ARRAYS, id="arrays")])
def test_a_frame_is_filled_in_the_order_and_types_of_its_contract(columns: dict[str, object]) -> None:
    frame = checked(CONTRACT.frame({"further": [1, 2], **dict(reversed(columns.items()))}), CONTRACT)
    assert list(frame) == list(CONTRACT.dtypes)
    assert list(frame["name"].isna()) == list(frame["moment"].isna()) == [False, True]
    assert frame["moment"].iloc[0] == pd.Timestamp(MOMENT)
    assert frame.drop(columns=["name", "moment"]).to_dict("list") == {
        name: LISTS[name] for name in ("names", "count", "share", "is_so")
    }


def test_empty_columns_give_the_empty_frame() -> None:
    pd.testing.assert_frame_equal(CONTRACT.frame({name: [] for name in CONTRACT.dtypes}), CONTRACT.empty())


@pytest.mark.parametrize(
    ("frame", "told"),
    [
        pytest.param(CONTRACT.empty().drop(columns="count"), "column count is absent", id="absent"),
        pytest.param(CONTRACT.empty().astype({"count": "float64"}), "count is float64; due: int64", id="another type"),
    ],
)
def test_a_frame_that_breaks_its_contract_is_named(frame: pd.DataFrame, told: str) -> None:
    with pytest.raises(FrameContractError, match=told):
        checked(frame, CONTRACT)
