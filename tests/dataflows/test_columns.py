"""Columns as arrays: nulls are no name, places and counts follow the names given, and time orders rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from temporal_recall.dataflows.columns import (
    Coded,
    coded,
    counts_of,
    in_time_order,
    is_one_of,
    local_days,
    minutes,
    named_by,
    numbered,
    places_in,
    replaced,
    rows_at,
    texts,
    values_at,
)

NAMES = pd.Series(["chat", None, "calendar", "chat"], index=[7, 3, 5, 1], dtype="str")


def names_of(values: Coded) -> list[str | None]:
    return [values.names[code] if code >= 0 else None for code in values.codes.tolist()]


def test_names_are_codes_and_what_is_no_name_is_missing() -> None:
    statuses = coded(pd.DataFrame({"status": pd.Series(["planned", None, "odd", "completed"], dtype="str")}), "status")
    assert names_of(statuses) == ["planned", None, None, "completed"]
    assert statuses.is_any("planned", "completed").tolist() == [True, False, False, True]
    assert names_of(statuses.at(np.array([3, 1]))) == ["completed", None]


def test_any_texts_are_numbered_in_order_of_appearance() -> None:
    found = numbered(pd.Series(["b", "a", "b"], dtype="str"))
    assert found.codes.tolist() == [0, 1, 0]
    assert found.names == ("b", "a")


def test_the_first_condition_that_holds_names() -> None:
    conditions = {"late": np.array([True, False, False]), "early": np.array([True, True, False])}
    assert names_of(named_by(conditions, ("", "early", "late"), default="")) == ["late", "early", ""]


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
    rows = [
        ("d", None, "01"),
        ("c", "10", "02"),
        ("b", "10", "02"),
        ("a", "10", "03"),
        ("e", "09", "04"),
        ("0", None, "01"),
    ]
    frame = pd.DataFrame(rows, columns=["source_ref", "event_time", "observed_time"]).astype({"source_ref": "str"})
    for name in ("event_time", "observed_time"):
        frame[name] = pd.to_datetime("2026-09-" + frame[name], utc=True).astype("datetime64[us, UTC]")
    ordered = in_time_order(frame)
    assert ordered["source_ref"].tolist() == ["e", "b", "c", "a", "0", "d"]
    assert ordered.index.tolist() == [0, 1, 2, 3, 4, 5]


def test_no_rows_are_in_order() -> None:
    frame = pd.DataFrame({"source_ref": NAMES[:0], "event_time": [], "observed_time": []})
    times = dict.fromkeys(("event_time", "observed_time"), "datetime64[us, UTC]")
    assert in_time_order(frame.astype(times)).empty
