"""Runs of equal values."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from temporal_recall.dataflows.runs import (
    distinct,
    first_places,
    is_member,
    laid_out,
    numbered,
    run_lengths,
    run_starts,
)

VALUES = st.lists(st.integers(0, 9), max_size=20)


@given(VALUES)
def test_runs_say_what_a_count_says(values: list[int]) -> None:
    ordered = np.array(sorted(values), dtype=np.int64)
    starts = run_starts(ordered)
    found = dict(zip(ordered[starts].tolist(), run_lengths(starts, len(ordered)).tolist(), strict=True))
    assert found == Counter(values)
    assert distinct(np.array(values, dtype=np.int64)).tolist() == sorted(set(values))


@given(VALUES)
def test_each_value_is_numbered_and_knows_where_it_stands_first(values: list[int]) -> None:
    array = np.array(values, dtype=np.int64)
    number, names = numbered(array)
    assert names[number].tolist() == values
    assert names.tolist() == list(dict.fromkeys(values))
    assert first_places(array).tolist() == [at for at, value in enumerate(values) if value not in values[:at]]


@given(VALUES)
def test_entries_are_laid_out_in_order(counts: list[int]) -> None:
    which, within = laid_out(np.array(counts, dtype=np.int64))
    entries = list(zip(which.tolist(), within.tolist(), strict=True))
    assert entries == [(at, number) for at, count in enumerate(counts) for number in range(count)]


@given(VALUES, VALUES)
def test_a_value_is_looked_up_in_an_ascending_table(values: list[int], table: list[int]) -> None:
    found = is_member(np.array(values, dtype=np.int64), np.array(sorted(table), dtype=np.int64))
    assert found.tolist() == [value in table for value in values]
