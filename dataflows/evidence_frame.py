"""From evidence records to the evidence frame: the one place where stated event bounds become instants."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta

import pandas as pd

from temporal_recall.schemas.backfill import EVIDENCE_EXPORT
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
    standing = sorted(_standing_records(records), key=lambda r: (r.observed_time, r.source_ref))
    return EVIDENCE.frame(_columns(standing)) if standing else EVIDENCE.empty()


def evidence_export(records: Iterable[EvidenceRecord]) -> pd.DataFrame:
    """The records of any users as an export holds them (contract `EVIDENCE_EXPORT`): every revision, and tombstones."""
    told = list(records)
    if not told:
        return EVIDENCE_EXPORT.empty()
    return EVIDENCE_EXPORT.frame({**_columns(told), "is_deleted": [r.is_deleted for r in told]})


def _columns(records: Sequence[EvidenceRecord]) -> dict[str, list[object]]:
    events = [r.event for r in records]
    return {
        "source_ref": [r.source_ref for r in records],
        "source": [r.source for r in records],
        "user_id": [r.user_id for r in records],
        "observed_time": [_epoch_us(r.observed_time) for r in records],
        "time_zone": [r.time_zone for r in records],
        "text": [r.text for r in records],
        "revision": [r.revision for r in records],
        "role": [r.role for r in records],
        "author": [r.author for r in records],
        "app": [r.app for r in records],
        "thread_id": [r.thread_id for r in records],
        "outcome": [r.outcome for r in records],
        "field_kind": [r.field_kind for r in records],
        "is_truncated": [r.is_truncated for r in records],
        "event_start": [r.event and _bound_us(r.event.start, r.time_zone) for r in records],
        "event_end": [r.event and _bound_us(r.event.end, r.time_zone) for r in records],
        "event_is_all_day": [e is not None and not isinstance(e.start, datetime) for e in events],
        "event_title": [e and (e.title or None) for e in events],
        "event_location": [e and e.location for e in events],
        "event_status": [e and e.status for e in events],
        "event_attendees": [e.attendees if e else () for e in events],
    }


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
