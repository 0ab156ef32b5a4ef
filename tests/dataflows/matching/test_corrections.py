"""Times that a text names."""

from __future__ import annotations

import numpy as np
import pandas as pd
from made_timelines import made_timeline, row

from temporal_recall.dataflows.matching.corrections import NamedTimes, named_times, rows_at
from temporal_recall.dataflows.matching.telling import compared
from temporal_recall.schemas.columns import Columns
from temporal_recall.schemas.frames import TIMELINE


def named_by(text: str, told: str, when: str | None) -> list[str]:
    """The starts of the times that one row names beside its own."""
    moved = made_timeline(row("a", text, told, when, is_correction=True))
    own = np.array([moved["event_time"][0].timestamp() / 60 if when else np.nan])
    named = named_times(compared(Columns.of(moved, TIMELINE)), np.array([0]), own)
    assert named.row.tolist() == [0] * len(named.from_minute)
    starts = [pd.Timestamp(minute * 60, unit="s", tz="Asia/Shanghai") for minute in named.from_minute]
    return [start.strftime("%m-%d %H:%M") for start in starts]


class TestNamedTimes:
    def test_a_correction_names_the_time_it_moves_and_not_only_its_own(self) -> None:
        assert named_by("明天十点那个号改到周六上午九点", "09-10 12:00", "09-12 09:00") == ["09-11 10:00"]

    def test_the_only_time_of_a_text_is_that_of_its_own_event(self) -> None:
        assert named_by("周四的方案取消", "09-05 12:00", "09-10 00:00") == []

    def test_a_text_without_an_event_of_its_own_names_what_it_moves(self) -> None:
        assert named_by("明天十点那个号改期了", "09-10 12:00", None) == ["09-11 10:00"]


def test_rows_at_a_named_time_are_found_with_its_exactness() -> None:
    named = NamedTimes(np.array([9, 9]), np.array([10.0, 0.0]), np.array([11.0, 1440.0]))
    found = rows_at(named, np.array([10.0, 20.0, np.nan]), reach=8)
    assert found.earlier.tolist() == [0, 0, 1]
    assert found.later.tolist() == [9, 9, 9]
    assert [found.named.names[code] for code in found.named.codes] == ["named_time", "named_day", "named_day"]
