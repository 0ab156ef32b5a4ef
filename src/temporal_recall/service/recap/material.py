"""What a diary is written from: of a day its digest, of a week or month the diaries of its days."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, cast

from temporal_recall.adapters.chat_stream import ChatMessage
from temporal_recall.dataflows.recap.texts import WEEKDAYS
from temporal_recall.schemas.recap import RecapProjection, RecapRow, RecapWindow, as_json, instant_text

ROLL_UP_VERSION = "roll-up-1"


@dataclass(frozen=True, slots=True)
class Material:
    """What a generation needs: the messages that leave the process, and what tells later how stale the diary is.

    `erasure_count` says how often its owner had been erased when it was read.
    """

    is_empty: bool
    messages: tuple[ChatMessage, ...]
    segment_watermark: datetime
    digest_hash: str
    knowledge_hash: str
    projection_version: str
    missing_dates: tuple[date, ...] = ()
    erasure_count: int = 0


@dataclass(frozen=True, slots=True)
class DryRun:
    """Everything that would be sent for a day, and what it was made of; no model is asked."""

    projection: RecapProjection
    digest: str
    digest_hash: str
    knowledge_hash: str
    messages: tuple[ChatMessage, ...]

    def as_json(self) -> dict[str, Any]:
        """As JSON values: the projection's fields, the digest and the hashes."""
        shown = cast(dict[str, Any], as_json(self.projection))
        return shown | {
            "digest": self.digest,
            "digest_hash": self.digest_hash,
            "knowledge_hash": self.knowledge_hash,
        }

    def material(self) -> Material:
        """The same as material of a diary."""
        return Material(
            self.projection.is_empty,
            self.messages,
            self.projection.segment_watermark,
            self.digest_hash,
            self.knowledge_hash,
            self.projection.projection_version,
        )


def roll_up_material(window: RecapWindow, rows: Sequence[RecapRow], missing: Sequence[date], prompt: str) -> Material:
    """The diaries of a week's or month's days, in order, and the dates that have none. Never any sum.

    It is empty where no day has a diary. Its knowledge hash changes when a day's diary is written anew.
    """
    entries = [f"{_day_text(row.local_date)}\n{row.narrative.strip()}" for row in rows]
    heading = f"The {window.kind} that begins on {_day_text(window.local_date)} ({window.time_zone})"
    gaps = [f"Days without an entry: {', '.join(map(_day_text, missing))}"] if missing else []
    text = "\n\n".join([heading, *entries, *gaps])
    known = json.dumps([[row.window_key, instant_text(row.generated_at), row.digest_hash] for row in rows])
    return Material(
        is_empty=not rows,
        messages=({"role": "system", "content": prompt}, {"role": "user", "content": text}),
        segment_watermark=max((row.segment_watermark for row in rows), default=window.start),
        digest_hash=_sha256(text),
        knowledge_hash=_sha256(known),
        projection_version=ROLL_UP_VERSION,
        missing_dates=tuple(missing),
    )


def _day_text(day: date) -> str:
    return f"{day.isoformat()} {WEEKDAYS[day.weekday()]}"


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
