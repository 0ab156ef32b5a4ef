"""Columns as arrays: nulls are no name, places and counts follow the names given, and time orders rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from temporal_recall.dataflows.arrays import (
    counts_of,
    in_time_order,
    is_one_of,
    places_in,
    replaced,
    rows_at,
    values_at,
)

NAMES = pd.Series(["chat", None, "calendar", "chat"], index=[7, 3, 5, 1], dtype="str")


@pytest.mark.parametrize(
    ("names", "found"),
    [
        ((), [False, False, False, False]),
        (("chat",), [True, False, False, True]),
        (("calendar", "chat"), [True, False, True, True]),
        (("memory",), [False, False, False, False]),
    ],
)
def test_a_text_is_one_of_some_names_and_a_null_is_none(names: tuple[str, ...], found: list[bool]) -> None:
    assert is_one_of(NAMES, *names).tolist() == found


def test_a_place_is_that_among_the_names_given() -> None:
    assert places_in(NAMES, ("calendar", "chat")).tolist() == [1, -1, 0, 1]


def test_counts_stand_in_the_order_of_the_names_and_leave_out_what_is_not_among_them() -> None:
    assert counts_of(NAMES, ["memory", "chat"]) == {"memory": 0, "chat": 2}


def test_a_text_is_replaced_where_it_is_said_and_nulls_stay_elsewhere() -> None:
    found = replaced(NAMES, np.array([True, False, False, True]), "memory")
    assert found.fillna("null").tolist() == ["memory", "null", "calendar", "memory"]
    assert found.index.equals(NAMES.index)


def test_rows_are_gathered_with_their_dtypes_and_counted_anew() -> None:
    frame = pd.DataFrame({"name": NAMES, "count": [1, 2, 3, 4], "refs": [("a",), (), ("b", "c"), ()]})
    found = rows_at(frame, np.array([2, 0]))
    assert found.to_dict("list") == {"name": ["calendar", "chat"], "count": [3, 1], "refs": [("b", "c"), ("a",)]}
    assert (found.index.tolist(), found.dtypes.tolist()) == ([0, 1], frame.dtypes.tolist())


def test_values_are_plain_and_none_for_a_null() -> None:
    times = pd.Series(pd.to_datetime(["2026-09-10T08:00Z", None])).astype("datetime64[us, UTC]")
    moment, missing = values_at(times, pd.RangeIndex(2).to_numpy())
    assert (moment.isoformat(), missing) == ("2026-09-10T08:00:00+00:00", None)


def test_rows_stand_by_event_then_telling_then_record_and_those_without_an_event_last() -> None:
    rows = [("d", None, "01"), ("c", "10", "02"), ("b", "10", "02"), ("a", "10", "03"), ("e", "09", "04")]
    frame = pd.DataFrame(rows, columns=["source_ref", "event_time", "observed_time"]).astype({"source_ref": "str"})
    for name in ("event_time", "observed_time"):
        frame[name] = pd.to_datetime("2026-09-" + frame[name], utc=True).astype("datetime64[us, UTC]")
    ordered = in_time_order(frame)
    assert ordered["source_ref"].tolist() == ["e", "b", "c", "a", "d"]
    assert ordered.index.tolist() == [0, 1, 2, 3, 4]


def test_no_rows_are_in_order() -> None:
    frame = pd.DataFrame({"source_ref": NAMES[:0], "event_time": [], "observed_time": []})
    times = dict.fromkeys(("event_time", "observed_time"), "datetime64[us, UTC]")
    assert in_time_order(frame.astype(times)).empty
