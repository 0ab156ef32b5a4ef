"""Days, spans and moments as a person reads them."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from temporal_recall.schemas.bundle import TimelineItem
from temporal_recall.schemas.time import TimeRange
from temporal_recall.service.cli.pages.words import happening, span


def _at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo("Asia/Shanghai"))


@pytest.mark.parametrize(
    ("start", "end", "shown"),
    [
        ("2026-05-20", "2026-05-21", "2026-05-20 Wed"),
        ("2026-05-18", "2026-05-25", "2026-05-18 Mon – 2026-05-24 Sun"),
        ("2026-05-20T14:00", "2026-05-20T15:30", "2026-05-20 Wed 14:00 – 15:30"),
        ("2026-05-20T22:00", "2026-05-21T00:00", "2026-05-20 Wed 22:00 – 2026-05-21 Thu 00:00"),
        ("2026-05-20", None, "from 2026-05-20 Wed 00:00"),
        (None, "2026-05-20", "until 2026-05-20 Wed 00:00"),
    ],
)
def test_a_range_is_told_by_its_days_or_its_times(start: str | None, end: str | None, shown: str) -> None:
    assert span(TimeRange(_at(start) if start else None, _at(end) if end else None)) == shown


def test_no_range_is_any_time() -> None:
    assert span(None) == "any time"


@pytest.mark.parametrize(
    ("event", "shown"),
    [
        ({}, "told 05-19 20:30"),
        ({"event_time": "2026-05-20T15:00", "granularity": "minute"}, "05-20 Wed 15:00"),
        (
            {"event_time": "2026-05-20T15:00", "event_end": "2026-05-20T16:00", "granularity": "minute"},
            "05-20 Wed 15:00–16:00",
        ),
        ({"event_time": "2026-05-20", "event_end": "2026-05-21", "granularity": "day"}, "05-20 Wed"),
        ({"event_time": "2026-05-18", "event_end": "2026-05-25", "granularity": "range"}, "05-18 – 05-24"),
        ({"event_time": "2026-05-20", "granularity": "day"}, "05-20 Wed"),
    ],
)
def test_an_item_tells_when_as_exactly_as_it_is_known(event: dict[str, Any], shown: str) -> None:
    times = {key: _at(value) if key.startswith("event") else value for key, value in event.items()}
    item = TimelineItem(
        timeline_item_id="1",
        source="chat",
        type="event",
        observed_time=_at("2026-05-19T20:30"),
        title="",
        content="",
        importance=0.5,
        confidence=0.5,
        recall_score=0.5,
        source_ref="chat:message:1",
        **times,
    )
    assert happening(item) == shown
