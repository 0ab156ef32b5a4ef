"""Columns as arrays."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from temporal_recall.dataflows.columns import coded, is_any, local_days, minutes, named_by, numbered, texts, vocabulary


def test_names_are_codes_and_what_is_no_name_is_missing() -> None:
    statuses = coded(pd.DataFrame({"status": pd.Series(["planned", None, "odd", "completed"], dtype="str")}), "status")
    assert [None if pd.isna(name) else name for name in statuses] == ["planned", None, None, "completed"]
    assert is_any(statuses, "planned", "completed").tolist() == [True, False, False, True]


def test_any_texts_are_numbered_in_order_of_appearance() -> None:
    found = numbered(pd.Series(["b", "a", "b"], dtype="str"))
    assert found.codes.tolist() == [0, 1, 0]
    assert list(found.categories) == ["b", "a"]


def test_the_first_condition_that_holds_names() -> None:
    conditions = {"late": np.array([True, False, False]), "early": np.array([True, True, False])}
    assert list(named_by(conditions, vocabulary("", "early", "late"), default="")) == ["late", "early", ""]


def test_minutes_of_no_instant_are_nan() -> None:
    moments = np.array(["1970-01-01T00:01:30", "NaT"], dtype="datetime64[us]")
    np.testing.assert_array_equal(minutes(moments), [1.5, np.nan])


@pytest.mark.parametrize(("zone", "day"), [("Asia/Shanghai", 1), ("UTC", 0), ("America/New_York", 0), ("+09:00", 1)])
def test_a_day_is_that_of_the_row_s_own_zone(zone: str, day: int) -> None:
    evening = np.array(["1970-01-01T18:00", "NaT"], dtype="datetime64[us]")
    zones = pd.Series([zone, "Asia/Shanghai"], dtype="str")
    assert [days.tolist() for days in local_days(zones, evening, evening[::-1])] == [[day, -1], [-1, 1]]


def test_texts_keep_what_is_missing() -> None:
    column = pd.Series(texts(np.array(["a", None, np.nan], dtype=object)))
    assert column.dtype == "str"
    assert column.isna().tolist() == [False, True, True]
