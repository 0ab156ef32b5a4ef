"""Groups by average evidence."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from temporal_recall.dataflows.matching.linkage import average_link_groups, joined_groups


def groups(pairs: list[tuple[int, int, float]], count: int, absent: float = -1.0) -> list[int]:
    left, right, points = np.array(pairs, dtype=np.float64).reshape(-1, 3).T
    return average_link_groups(left.astype(np.int64), right.astype(np.int64), points, count, absent).tolist()


class TestAverageLinkGroups:
    def test_rows_that_evidence_speaks_for_join(self) -> None:
        assert groups([(0, 1, 2.0), (2, 3, 1.0)], 5) == [0, 0, 2, 2, 4]

    def test_a_chain_does_not_swallow_what_its_ends_speak_against(self) -> None:
        """0–1 and 1–2 look alike, but 0 and 2 exclude each other: 1 joins the better of the two."""
        assert groups([(0, 1, 3.0), (1, 2, 2.0), (0, 2, -6.0)], 3) == [0, 0, 2]

    def test_a_weak_pair_is_outweighed_by_what_was_never_alike(self) -> None:
        assert groups([(0, 1, 3.0), (1, 2, 0.5)], 3) == [0, 0, 2]
        assert groups([(0, 1, 3.0), (1, 2, 1.5)], 3) == [0, 0, 0]

    @pytest.mark.parametrize("count", [0, 1, 3])
    def test_without_pairs_each_row_stands_alone(self, count: int) -> None:
        assert groups([], count) == list(range(count))

    @settings(max_examples=100, deadline=None)
    @given(st.data())
    def test_the_order_of_the_pairs_does_not_matter(self, data: st.DataObject) -> None:
        count = data.draw(st.integers(2, 7))
        ends = [(a, b) for a in range(count) for b in range(a + 1, count)]
        points = data.draw(st.lists(st.floats(-5, 5), min_size=len(ends), max_size=len(ends)))
        pairs = [(a, b, p) for (a, b), p in zip(ends, points, strict=True)]
        assert groups(data.draw(st.permutations(pairs)), count) == groups(pairs, count)


def test_joined_groups_take_the_lowest_name() -> None:
    group = np.array([0, 1, 1, 3, 4, 5])
    assert joined_groups(group, np.array([4, 2]), np.array([5, 4])).tolist() == [0, 1, 1, 3, 1, 1]
