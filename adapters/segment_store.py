"""The store of activity segments: one row an activity, however often and in whatever order it is uploaded."""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from sqlalchemy import ColumnElement, Engine, Row, and_, case, func, or_, select, tuple_

from temporal_recall.adapters.recap_tables import SEGMENTS, instant_of, microseconds_of, upsert
from temporal_recall.adapters.segment_ingest import ingested, refusal_issue
from temporal_recall.schemas.evidence import RecordIssue
from temporal_recall.schemas.recap import Segment

_log = logging.getLogger(__name__)
_BATCH_ROWS = 500


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an upload came to: how many activities were written, and what was refused and why."""

    written_count: int
    issues: tuple[RecordIssue, ...]


class SegmentStore:
    """Segments of many owners; every question names the owner. The engine stays the caller's."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        is_sqlite = engine.dialect.name == "sqlite"
        self._greatest = func.max if is_sqlite else func.greatest
        self._least = func.min if is_sqlite else func.least

    def ingest(self, read: Iterable[Segment | RecordIssue], now: datetime, *, is_live: bool = False) -> IngestReport:
        """Writes segments by the rules of ingest and reports the rest.

        Args:
            now: the instant of the upload.
            is_live: an upload by a collector, which may not reach back more than a day.
        """
        written_count = 0
        issues: list[RecordIssue] = []
        for batch in _batches(read):
            activity = ingested(batch, now, is_live=is_live)
            changed = self._write(activity.segments, now)
            refused = [segment for segment in activity.segments if (segment.owner_id, segment.id) not in changed]
            issues += [*activity.issues, *(refusal_issue(segment, "identity_changed") for segment in refused)]
            written_count += len(changed)
        if issues:
            _log.info("segments refused: %s", dict(Counter(issue.code for issue in issues)))
        return IngestReport(written_count, tuple(issues))

    def segments(self, owner_id: str, start: datetime, end: datetime) -> tuple[Segment, ...]:
        """The owner's segments that overlap `[start, end)`, and points in time inside it; in no order."""
        with self._engine.connect() as connection:
            rows = connection.execute(select(SEGMENTS).where(self._inside(owner_id, start, end)))
            return tuple(_segment(row) for row in rows)

    def latest_end(self, owner_id: str, start: datetime, end: datetime) -> datetime | None:
        """The latest instant inside `[start, end)` that the owner's segments reach; None where there is none at all."""
        with self._engine.connect() as connection:
            query = select(func.max(SEGMENTS.c.end_us)).where(self._inside(owner_id, start, end))
            latest = connection.scalar(query)
        return None if latest is None else min(instant_of(latest), end)

    def late_count(self, owner_id: str, start: datetime, end: datetime, since: datetime) -> int:
        """How many segments of `[start, end)` were received or changed after an instant."""
        late = SEGMENTS.c.received_us > microseconds_of(since)
        with self._engine.connect() as connection:
            query = select(func.count()).select_from(SEGMENTS).where(self._inside(owner_id, start, end), late)
            return connection.scalar(query) or 0

    def erase(self, owner_id: str) -> int:
        """Deletes everything of an owner; how many segments that were."""
        with self._engine.begin() as connection:
            return connection.execute(SEGMENTS.delete().where(SEGMENTS.c.owner_id == owner_id)).rowcount

    def _inside(self, owner_id: str, start: datetime, end: datetime) -> ColumnElement[bool]:
        start_us, end_us = microseconds_of(start), microseconds_of(end)
        owned = SEGMENTS.c.owner_id == owner_id
        # No segment is longer than the longest, so the index on starts bounds the search from both sides.
        longest = select(func.coalesce(func.max(SEGMENTS.c.length_us), 0)).where(owned).scalar_subquery()
        is_point_at_start = and_(SEGMENTS.c.start_us == start_us, SEGMENTS.c.end_us == start_us)
        return and_(
            owned,
            SEGMENTS.c.start_us >= start_us - longest,
            SEGMENTS.c.start_us < end_us,
            or_(SEGMENTS.c.end_us > start_us, is_point_at_start),
        )

    def _write(self, segments: tuple[Segment, ...], now: datetime) -> set[tuple[str, str]]:
        """Inserts or merges; the keys of the rows that took the write, which those of another identity did not."""
        if not segments:
            return set()
        with self._engine.begin() as connection:
            rows = connection.execute(self._merging_insert(), [_row(segment, now) for segment in segments])
            return {(row.owner_id, row.id) for row in rows}

    def _merging_insert(self) -> Any:
        insert = upsert(self._engine, SEGMENTS)
        new, old = insert.excluded, SEGMENTS.c
        start, end = self._least(old.start_us, new.start_us), self._greatest(old.end_us, new.end_us)
        is_later = tuple_(new.revision, new.written_end_us, new.content) > tuple_(
            old.revision, old.written_end_us, old.content
        )
        is_news = or_(is_later, new.start_us < old.start_us, new.end_us > old.end_us)
        changes = {
            "start_us": start,
            "end_us": end,
            "length_us": end - start,
            "received_us": case((is_news, new.received_us), else_=old.received_us),
        }
        for name in ("device_id", "content", "revision", "written_end_us"):
            changes[name] = case((is_later, new[name]), else_=old[name])
        is_same_activity = and_(old.source == new.source, old.identity_key == new.identity_key)
        return insert.on_conflict_do_update(
            index_elements=["owner_id", "id"], set_=changes, where=is_same_activity
        ).returning(SEGMENTS.c.owner_id, SEGMENTS.c.id)


def _batches(read: Iterable[Segment | RecordIssue]) -> Iterator[list[Segment | RecordIssue]]:
    left = iter(read)
    while batch := list(islice(left, _BATCH_ROWS)):
        yield batch


def _row(segment: Segment, now: datetime) -> dict[str, Any]:
    start_us, end_us = microseconds_of(segment.start), microseconds_of(segment.end)
    content = [segment.app, segment.title, segment.device_name, dict(segment.attributes)]
    return {
        "owner_id": segment.owner_id,
        "id": segment.id,
        "device_id": segment.device_id,
        "source": segment.source,
        "identity_key": segment.identity_key,
        "content": json.dumps(content, ensure_ascii=False, sort_keys=True),
        "start_us": start_us,
        "end_us": end_us,
        "length_us": end_us - start_us,
        "revision": -1 if segment.revision is None else segment.revision,
        "written_end_us": end_us,
        "received_us": microseconds_of(now),
    }


def _segment(row: Row[Any]) -> Segment:
    app, title, device_name, attributes = json.loads(row.content)
    return Segment(
        id=row.id,
        owner_id=row.owner_id,
        device_id=row.device_id,
        device_name=device_name,
        source=row.source,
        identity_key=row.identity_key,
        app=app,
        title=title,
        start=instant_of(row.start_us),
        end=instant_of(row.end_us),
        attributes=attributes,
        revision=None if row.revision < 0 else row.revision,
    )
