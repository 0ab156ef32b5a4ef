"""Who is named, and by whom together."""

from __future__ import annotations

import numpy as np
import pytest

from temporal_recall.dataflows.matching.people import NamedPeople
from temporal_recall.schemas.columns import Coded

PEOPLE = NamedPeople.of(Coded(np.array([0, 1, 2, 3, 1]), (("老周", "小敏"), (), ("小敏",), ("王姐",))))


def test_each_row_names_its_own() -> None:
    assert PEOPLE.counts.tolist() == [2, 0, 1, 1, 0]
    assert PEOPLE.joined().to_pylist() == ["老周 小敏", "", "小敏", "王姐", ""]


@pytest.mark.parametrize(("left", "right", "share"), [(0, 2, True), (2, 0, True), (0, 3, False), (0, 1, False)])
def test_two_rows_share_a_person_whatever_the_place(left: int, right: int, share: bool) -> None:
    assert PEOPLE.share_one(np.array([left]), np.array([right])).tolist() == [share]


def test_no_rows_name_nobody() -> None:
    nobody = NamedPeople.of(Coded(np.empty(0, dtype=np.int64), ()))
    nothing = np.empty(0, dtype=np.int64)
    assert nobody.joined().to_pylist() == []
    assert nobody.share_one(nothing, nothing).tolist() == []
