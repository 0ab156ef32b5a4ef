"""The shipped demo persona can be read, and the question it is made for has material in several sources."""

from __future__ import annotations

from datetime import datetime, timedelta

from temporal_recall.adapters.records_file import read_records
from temporal_recall.demo import DEMO_NOW, DEMO_TIME_ZONE, DEMO_USER_ID, records_path
from temporal_recall.schemas.evidence import EvidenceRecord


def _records() -> list[EvidenceRecord]:
    rows = list(read_records(records_path(), DEMO_USER_ID))
    assert all(isinstance(row, EvidenceRecord) for row in rows)
    return [row for row in rows if isinstance(row, EvidenceRecord)]


def test_every_line_is_a_record_with_its_own_reference() -> None:
    refs = [record.source_ref for record in _records()]
    assert 140 <= len(refs) == len(set(refs))


def test_records_lie_in_time_order_and_before_the_demo_instant() -> None:
    times = [record.observed_time for record in _records()]
    assert times == sorted(times)
    assert times[-1] <= DEMO_NOW
    assert str(DEMO_NOW.tzinfo) == DEMO_TIME_ZONE


def test_four_sources_tell_of_the_day_before() -> None:
    midnight = DEMO_NOW.replace(hour=0, minute=0)
    yesterday = midnight - timedelta(days=1)
    told = {r.source for r in _records() if yesterday <= r.observed_time < midnight}
    stated = {
        r.source
        for r in _records()
        if r.event and isinstance(r.event.start, datetime) and yesterday <= r.event.start < midnight
    }
    assert told | stated == {"meinput", "chat", "calendar", "memory_v2"}
