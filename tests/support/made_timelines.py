"""Timelines made by hand: a row says what matters to a test, and the rest is plain."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pandas as pd

from temporal_recall.schemas.frames import TIMELINE
from temporal_recall.schemas.settings import SourceSetting, SourceSettings

ZONE = "Asia/Shanghai"
SOURCES = SourceSettings(
    sources=(
        SourceSetting(name="calendar", reliability=0.95),
        SourceSetting(name="chat", reliability=0.85),
        SourceSetting(name="meinput", reliability=0.85),
        SourceSetting(name="memory_v2", reliability=0.70),
    )
)


def at(text: str) -> datetime:
    """The instant of a wall-clock time of 2026 in Shanghai: `08-26 15:00`."""
    return datetime.fromisoformat(f"2026-{text.replace(' ', 'T')}+08:00")


def row(ref: str, content: str, told: str, when: str | None = None, **other: Any) -> dict[str, Any]:
    """One row of a timeline, told at `told` of what happens at `when` (wall-clock times in Shanghai)."""
    source = other.pop("source", "meinput")
    until = other.pop("until", None)
    plain = {
        "source_ref": f"{source}:made:{ref}",
        "source": source,
        "user_id": "u",
        "observed_time": at(told),
        "time_zone": ZONE,
        "thread_id": None,
        "role": None,
        "app": None,
        "type": "event",
        "event_time": at(when) if when else None,
        "event_end": at(until) if until else None,
        "granularity": "minute" if when else None,
        "due": False,
        "status": "planned",
        "owner": "self",
        "title": content[:12],
        "content": content,
        "participants": (),
        "location": None,
        "importance": 0.6,
        "confidence": 0.9,
        "is_correction": False,
        "is_stated": source == "calendar",
        "rules": (),
        "extractor_version": "made",
    }
    return plain | other


def made_timeline(*rows: dict[str, Any]) -> pd.DataFrame:
    """The rows as a frame that keeps the contract `TIMELINE`."""
    frame = pd.DataFrame(list(rows), columns=list(TIMELINE.dtypes))
    for name in ("observed_time", "event_time", "event_end"):
        frame[name] = pd.to_datetime(frame[name], utc=True)
    ordered = frame.astype(TIMELINE.dtypes).sort_values(
        ["event_time", "observed_time", "source_ref"], na_position="last"
    )
    return ordered.reset_index(drop=True)
