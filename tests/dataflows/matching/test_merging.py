"""Whose word stands in a merged item."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from temporal_recall.dataflows.matching.merging import Items, Members


def members(group: list[int], reliability: list[float] | None = None) -> Members:
    count = len(group)
    trust = np.array(reliability if reliability is not None else [0.5] * count)
    return Members.of(np.array(group, dtype=np.int64), trust, np.zeros(count, dtype=np.bool_))


class TestMembers:
    def test_the_most_reliable_leads_and_what_is_alone_is_no_member(self) -> None:
        found = members([0, 1, 0, 3, 3], reliability=[0.2, 0.9, 0.8, 0.5, 0.5])
        assert found.rows.tolist() == [2, 0, 3, 4]
        assert found.lead.tolist() == [2, 3]

    def test_the_first_key_weighs_most_and_of_equals_the_lead_stands(self) -> None:
        found = members([0, 0, 0, 3, 3])
        first, second = np.array([1, 0, 0, 0, 0]), np.array([0.0, 5.0, 2.0, np.inf, np.inf])
        assert found.first_by(first, second).tolist() == [2, 3]

    def test_where_nothing_merged_there_is_nothing_to_choose(self) -> None:
        found = members([0, 1, 2])
        assert found.lead.tolist() == []
        assert found.first_by(np.zeros(3)).tolist() == []
        assert found.lengths.tolist() == []
        assert found.parted([]) == []

    def test_values_are_parted_by_group(self) -> None:
        assert members([0, 1, 0, 3, 3]).parted(["a", "b", "c", "d"]) == [("a", "b"), ("c", "d")]

    def test_some_groups_are_numbered_anew_and_one_may_stand_twice(self) -> None:
        found = members([0, 1, 0, 3, 3, 3]).of_groups(np.array([1, 0, 1]))
        assert found.rows.tolist() == [3, 4, 5, 0, 2, 3, 4, 5]
        assert found.group.tolist() == [0, 0, 0, 1, 1, 2, 2, 2]
        assert found.lead.tolist() == [3, 0, 3]


class TestItems:
    def test_what_a_group_says_stands_in_its_item(self) -> None:
        found = Items(lead=np.array([5, 2, 7]), of_group=np.array([2, 0]))
        assert found.row_by_item(np.array([8, 4])).tolist() == [4, 2, 8]
        assert found.gathered(np.array([0.5, 0.6, 0.7]), np.array([0.8, 0.9])).tolist() == [0.9, 0.6, 0.8]
        own, of_group = (pa.array(words, pa.large_string()) for words in (["a", "b", "c"], ["cd", "ae"]))
        assert found.gathered_texts(own, of_group).tolist() == ["ae", "b", "cd"]
