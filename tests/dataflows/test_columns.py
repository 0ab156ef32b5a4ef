"""Columns as arrays: nulls are no name, places and counts follow the names given, and time orders rows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from temporal_recall.dataflows.columns import (
    counts_of,
    in_time_order,
    is_one_of,
    local_days,
    minutes,
    named_by,
    places_in,
    plain_values,
    replaced,
    texts,
)
from temporal_recall.schemas.columns import Coded, Columns, encoded, given, told

NAMES = pd.Series(["chat", None, "calendar", "chat"], index=[7, 3, 5, 1], dtype="str")


def test_the_first_condition_that_holds_names() -> None:
    conditions = {"late": np.array([True, False, False]), "early": np.array([True, True, False])}
    found = named_by(conditions, ("", "early", "late"), default="")
    assert found.texts().to_pylist() == ["late", "early", ""]


def test_minutes_of_no_instant_are_nan() -> None:
    moments = np.array(["1970-01-01T00:01:30", "NaT"], dtype="datetime64[us]")
    np.testing.assert_array_equal(minutes(moments), [1.5, np.nan])


@pytest.mark.parametrize(("zone", "day"), [("Asia/Shanghai", 1), ("UTC", 0), ("America/New_York", 0), ("+09:00", 1)])
def test_a_day_is_that_of_the_row_s_own_zone(zone: str, day: int) -> None:
    evening = np.array(["1970-01-01T18:00", "NaT"], dtype="datetime64[us]")
    zones = Coded(np.array([1, 0]), ("Asia/Shanghai", zone))
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
    assert places_in(encoded(told(NAMES)), ("calendar", "chat")).tolist() == [1, -1, 0, 1]


def test_counts_stand_in_the_order_of_the_names_and_leave_out_what_is_not_among_them() -> None:
    assert counts_of(encoded(told(NAMES)), ["memory", "chat"]) == {"memory": 0, "chat": 2}


def test_a_text_is_replaced_where_it_is_said_and_nulls_stay_elsewhere() -> None:
    found = replaced(NAMES, np.array([True, False, False, True]), "memory")
    assert found.fillna("null").tolist() == ["memory", "null", "calendar", "memory"]
    assert found.index.equals(NAMES.index)


def test_values_are_plain_and_none_for_a_null() -> None:
    moment, missing = plain_values(np.array(["2026-09-10T08:00", "NaT"], dtype="datetime64[us]"))
    assert (moment.isoformat(), missing) == ("2026-09-10T08:00:00+00:00", None)
    assert plain_values(told(NAMES)) == ["chat", None, "calendar", "chat"]


def test_rows_stand_by_event_then_telling_then_record_and_those_without_an_event_last() -> None:
    rows = [
        ("d", None, "01"),
        ("c", "10", "02"),
        ("b", "10", "02"),
        ("a", "10", "03"),
        ("e", "09", "04"),
        ("0", None, "01"),
    ]
    refs, events, tellings = zip(*rows, strict=True)
    assert in_time_order(timeline(refs, events, tellings))["source_ref"].to_pylist() == ["e", "b", "c", "a", "0", "d"]


def test_no_rows_are_in_order() -> None:
    assert len(in_time_order(timeline((), (), ()))) == 0


def timeline(refs: Sequence[str], events: Sequence[str | None], tellings: Sequence[str]) -> Columns:
    """Rows told and happening on days of a September."""
    days = {"event_time": events, "observed_time": tellings}
    instants = {
        name: np.array([day and f"2026-09-{day}" for day in values], dtype="datetime64[us]")
        for name, values in days.items()
    }
    made = {"source_ref": pa.array(refs, pa.large_string()), **instants}
    return Columns(len(refs), {name: given(values) for name, values in made.items()})
