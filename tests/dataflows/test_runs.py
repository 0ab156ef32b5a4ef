"""Runs of equal values."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from temporal_recall.dataflows.runs import (
    distinct,
    is_member,
    is_member_of_many,
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


@settings(deadline=None)  # the first number that Arrow gives takes long
@given(VALUES)
def test_each_value_is_numbered(values: list[int]) -> None:
    array = np.array(values, dtype=np.int64)
    number, names = numbered(array)
    assert names[number].tolist() == values
    assert names.tolist() == list(dict.fromkeys(values))


@given(VALUES)
def test_entries_are_laid_out_in_order(counts: list[int]) -> None:
    first = np.arange(len(counts)) * 100
    which, number = laid_out(np.array(counts, dtype=np.int64), first)
    entries = list(zip(which.tolist(), number.tolist(), strict=True))
    assert entries == [(at, at * 100 + within) for at, count in enumerate(counts) for within in range(count)]


@given(VALUES, VALUES)
def test_a_value_is_looked_up_in_an_ascending_table(values: list[int], table: list[int]) -> None:
    wanted, ascending = np.array(values, dtype=np.int64), np.array(sorted(table), dtype=np.int64)
    for way in (is_member, is_member_of_many):
        assert way(wanted, ascending).tolist() == [value in table for value in values]


def test_of_many_values_looked_up_in_a_large_table_none_is_missed() -> None:
    chance = np.random.default_rng(7)
    table, wanted = (np.unique(chance.integers(0, 1 << 44, 5000)) for _ in range(2))
    wanted = chance.permutation(np.concatenate([wanted, table]))
    assert is_member_of_many(wanted, table).tolist() == is_member(wanted, table).tolist()
