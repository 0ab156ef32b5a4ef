"""Intervals are read as they were written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from temporal_recall.dataflows.intervals import interval_minutes, interval_texts
from temporal_recall.schemas.time import TimeRange

MOMENT = datetime(2026, 9, 1, 8, tzinfo=UTC)


@given(
    st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)),
    st.timedeltas(timedelta(microseconds=1), timedelta(days=400)),
    st.integers(-14 * 60, 14 * 60),
)
def test_bounds_come_back_whatever_their_offset(moment: datetime, length: timedelta, offset_minutes: int) -> None:
    start = moment.replace(tzinfo=timezone(timedelta(minutes=offset_minutes)))
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
