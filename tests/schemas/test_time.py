"""Time as the project speaks of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from temporal_recall.schemas.time import TimeRange, zone_of

NOON = datetime(2026, 9, 2, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "hours"),
    [("Asia/Shanghai", 8), ("+08:00", 8), ("-0530", -5.5), ("UTC", 0), ("Z", 0), ("UTC+9", 9), ("+8", 8)],
)
def test_a_zone_is_an_iana_id_or_a_fixed_offset(name: str, hours: float) -> None:
    assert NOON.astimezone(zone_of(name)).utcoffset() == timedelta(hours=hours)


@pytest.mark.parametrize("name", ["", "Mars/Base", "+25:00", "8", "../etc/passwd", "Asia/"])
def test_another_name_is_refused_and_named(name: str) -> None:
    with pytest.raises(ValueError, match="neither an IANA id"):
        zone_of(name)


def test_a_zone_is_made_once() -> None:
    assert zone_of("Asia/Shanghai") is zone_of("Asia/Shanghai")


@pytest.mark.parametrize(
    ("start", "end", "message"),
    [
        (datetime(2026, 9, 2), None, "start is 2026-09-02T00:00:00"),
        (None, None, "both are open"),
        (NOON, NOON, "is not before end"),
    ],
)
def test_a_range_refuses_bounds_that_are_none(start: datetime | None, end: datetime | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TimeRange(start, end)
