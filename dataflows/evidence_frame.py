"""From evidence records to the evidence frame: the one place where stated event bounds become instants."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta

import pandas as pd

from temporal_recall.schemas.evidence import EvidenceRecord
from temporal_recall.schemas.frames import EVIDENCE
from temporal_recall.schemas.time import zone_of

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def evidence_frame(records: Iterable[EvidenceRecord]) -> pd.DataFrame:
    """The records as a frame (contract `EVIDENCE`), one row a record, by `observed_time`, then `source_ref`.

    Of several revisions of one record the highest stands; a tombstone removes its record. No records give an empty
    frame.
    """
    standing = _standing_records(records)
    if not standing:
        return EVIDENCE.empty()
    standing.sort(key=lambda r: (r.observed_time, r.source_ref))
    events = [r.event for r in standing]
    columns: dict[str, list[object]] = {
        "source_ref": [r.source_ref for r in standing],
        "source": [r.source for r in standing],
        "user_id": [r.user_id for r in standing],
        "observed_time": [_epoch_us(r.observed_time) for r in standing],
        "time_zone": [r.time_zone for r in standing],
        "text": [r.text for r in standing],
        "revision": [r.revision for r in standing],
        "role": [r.role for r in standing],
        "author": [r.author for r in standing],
        "app": [r.app for r in standing],
        "thread_id": [r.thread_id for r in standing],
        "outcome": [r.outcome for r in standing],
        "field_kind": [r.field_kind for r in standing],
        "is_truncated": [r.is_truncated for r in standing],
        "event_start": [r.event and _bound_us(r.event.start, r.time_zone) for r in standing],
        "event_end": [r.event and _bound_us(r.event.end, r.time_zone) for r in standing],
        "event_is_all_day": [e is not None and not isinstance(e.start, datetime) for e in events],
        "event_title": [e and (e.title or None) for e in events],
        "event_location": [e and e.location for e in events],
        "event_status": [e and e.status for e in events],
        "event_attendees": [e.attendees if e else () for e in events],
    }
    return EVIDENCE.frame(columns)


def _standing_records(records: Iterable[EvidenceRecord]) -> list[EvidenceRecord]:
    latest: dict[str, EvidenceRecord] = {}
    for record in records:
        known = latest.get(record.source_ref)
        if known is None or record.revision > known.revision or (record.is_deleted and not known.is_deleted):
            latest[record.source_ref] = record
    return [r for r in latest.values() if not r.is_deleted]


def _bound_us(bound: datetime | date | None, zone_name: str) -> int | None:
    """Microseconds since 1970 of a stated bound: a date is its local midnight, a naive instant floats in the zone."""
    if bound is None:
        return None
    instant = bound if isinstance(bound, datetime) else datetime.combine(bound, time())
    return _epoch_us(instant if instant.tzinfo else instant.replace(tzinfo=zone_of(zone_name)))


def _epoch_us(instant: datetime) -> int:
    return (instant - _EPOCH) // _MICROSECOND
