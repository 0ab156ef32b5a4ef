"""Events of the recall timeline as facts beside a day's lanes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pandas as pd

from temporal_recall.dataflows.recap.privacy import safe_text
from temporal_recall.schemas.recap import LaneEvent, RecapWindow

EVENT_COLUMNS = ("title", "event_time", "event_end", "type", "status", "source_ref")


def lane_events(timeline_items: pd.DataFrame | None, window: RecapWindow) -> tuple[LaneEvent, ...]:
    """The items whose event begins inside the window, by time, then title. None for no frame or an empty one.

    Raises:
        ValueError: a column is missing; names it and what is there.
    """
    if timeline_items is None or timeline_items.empty:
        return ()
    missing = [column for column in EVENT_COLUMNS if column not in timeline_items.columns]
    if missing:
        raise ValueError(f"timeline_items lacks {', '.join(missing)}; it has {', '.join(timeline_items.columns)}")
    times = timeline_items["event_time"]
    inside = timeline_items[(times >= window.start) & (times < window.end_exclusive)]
    events = [_lane_event(row) for row in inside[list(EVENT_COLUMNS)].to_dict("records")]
    return tuple(sorted(events, key=lambda event: (event.start, event.title, event.source_ref)))


def _lane_event(row: Mapping[Any, Any]) -> LaneEvent:
    end = row["event_end"]
    return LaneEvent(
        safe_text(str(row["title"])),
        _instant(row["event_time"]),
        None if end is None or pd.isna(end) else _instant(end),
        str(row["type"]),
        str(row["status"]),
        str(row["source_ref"]),
    )


def _instant(value: Any) -> datetime:
    return pd.Timestamp(value).to_pydatetime()
