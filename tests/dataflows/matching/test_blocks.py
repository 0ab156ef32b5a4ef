"""Rows that meet in blocks."""

from __future__ import annotations

import numpy as np

from temporal_recall.dataflows.matching.blocks import Pairs, neighbour_pairs, union_pairs


def met(block: list[int], row: list[int], reach: int) -> list[tuple[int, int]]:
    pairs = neighbour_pairs(np.array(block, dtype=np.int64), np.array(row, dtype=np.int64), reach)
    return list(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True))


class TestNeighbourPairs:
    def test_a_row_meets_only_its_nearest_neighbours_in_a_block(self) -> None:
        assert met([0] * 5, [0, 1, 2, 3, 4], reach=2) == [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (2, 4), (3, 4)]

    def test_a_pair_that_meets_in_several_blocks_stands_once(self) -> None:
        assert met([7, 7, 8, 8], [1, 0, 0, 1], reach=3) == [(0, 1)]

    def test_rows_meet_only_where_the_one_may_lead_and_the_other_follow(self) -> None:
        """Who may not still counts as a neighbour."""
        block, row = np.zeros(4, dtype=np.int64), np.arange(4)
        leads, follows = np.array([True, False, True, True]), np.array([True, True, False, True])
        pairs = neighbour_pairs(block, row, 2, between=(leads, follows))
        assert list(zip(*(ends.tolist() for ends in pairs), strict=True)) == [(0, 1), (2, 3)]

    def test_nothing_meets_in_no_block(self) -> None:
        assert met([], [], reach=4) == []


def test_the_union_holds_each_pair_once_in_order() -> None:
    one, other = (Pairs(np.array(left), np.array(right)) for left, right in (([2, 0], [3, 1]), ([0, 2], [4, 3])))
    both = union_pairs(one, other)
    assert list(zip(both.left.tolist(), both.right.tolist(), strict=True)) == [(0, 1), (0, 4), (2, 3)]
