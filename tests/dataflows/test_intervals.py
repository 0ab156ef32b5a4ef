"""Intervals are read as they were written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from temporal_recall.dataflows.intervals import interval_minutes, interval_texts
from temporal_recall.schemas.time import TimeRange

MOMENT = datetime(2026, 9, 1, 8, tzinfo=UTC)


@given(st.datetimes(timezones=st.timezones()), st.timedeltas(timedelta(microseconds=1), timedelta(days=400)))
def test_bounds_come_back(start: datetime, length: timedelta) -> None:
    start = start.astimezone(UTC)
    if start.year < 9998:
        (text,) = interval_texts([TimeRange(start, start + length)])
        assert interval_minutes(text) == (start.timestamp() / 60, (start + length).timestamp() / 60)


@pytest.mark.parametrize(
    ("start", "end", "text", "minutes"),
    [
        (None, MOMENT, "../2026-09-01T08:00:00+00:00", (-np.inf, MOMENT.timestamp() / 60)),
        (MOMENT, None, "2026-09-01T08:00:00+00:00/..", (MOMENT.timestamp() / 60, np.inf)),
    ],
)
def test_an_open_side_is_infinitely_far(
    start: datetime | None, end: datetime | None, text: str, minutes: tuple[float, float]
) -> None:
    assert interval_texts([TimeRange(start, end)]) == (text,)
    assert interval_minutes(text) == minutes
