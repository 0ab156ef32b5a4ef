"""Rows into the order of the contract, and what becomes of a source that fails half-way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from temporal_recall.adapters.in_order import as_instant, check_time, in_order
from temporal_recall.schemas.errors import RecallCancelled, SourceUnavailable
from temporal_recall.schemas.evidence import EvidenceRecord, RecordIssue, RequestLimits, SearchContext, SourceEvent

SearchContexts = Callable[..., SearchContext]
MOMENT = datetime(2026, 9, 2, 6, tzinfo=UTC)
ISSUE = RecordIssue(source="notes", code="invalid_record", locator="row 7")


def _record(number: int, **more: Any) -> EvidenceRecord:
    fields = {"source": "notes", "source_ref": f"notes:note:{number}", "user_id": "u1", "time_zone": "Asia/Shanghai"}
    return EvidenceRecord(**{**fields, "observed_time": MOMENT + timedelta(hours=number), "text": "", **more})


def _numbers(rows: Iterator[Any]) -> list[str]:
    return [row.source_ref.rpartition(":")[2] for row in rows if isinstance(row, EvidenceRecord)]


def test_oldest_first_each_once_at_its_highest_revision(search_context: SearchContexts) -> None:
    rows = [_record(3), _record(1), _record(2, revision=2, text="新"), ISSUE, _record(2, text="旧")]
    found = list(in_order(rows, search_context()))
    assert found[0] == ISSUE
    assert [r.source_ref for r in found[1:] if isinstance(r, EvidenceRecord)] == [f"notes:note:{n}" for n in (1, 2, 3)]
    assert found[2] == rows[2]


def test_on_the_event_axis_by_when_things_take_place(search_context: SearchContexts) -> None:
    starts = [date(2026, 9, 3), datetime(2026, 9, 2, 23, 59), datetime(2026, 9, 2, 15, 58, tzinfo=UTC)]  # floats, UTC
    rows = [_record(n, event=SourceEvent(start=start)) for n, start in enumerate(starts)]
    assert _numbers(in_order(rows, search_context(axis="event"))) == ["2", "1", "0"]


def test_the_cap_takes_the_oldest(search_context: SearchContexts) -> None:
    assert _numbers(in_order([_record(n) for n in (5, 1, 3)], search_context(fetch_cap=2))) == ["1", "3"]


def test_what_was_read_before_a_failure_is_given_before_it_is_raised(search_context: SearchContexts) -> None:
    def failing() -> Iterator[EvidenceRecord]:
        yield _record(2)
        yield _record(1)
        raise SourceUnavailable("notes", "connection_lost")

    rows = in_order(failing(), search_context())
    assert [next(rows), next(rows)] == [_record(1), _record(2)]
    with pytest.raises(SourceUnavailable, match="connection_lost"):
        next(rows)


def test_time_is_checked_between_pieces_of_work(search_context: SearchContexts) -> None:
    check_time("notes", RequestLimits())
    with pytest.raises(SourceUnavailable, match="late"):
        check_time("notes", search_context(seconds=0).limits)
    limits = RequestLimits()
    limits.cancel_token.cancel()
    with pytest.raises(RecallCancelled):
        check_time("notes", limits)


@pytest.mark.parametrize(
    ("bound", "instant"),
    [
        (date(2026, 9, 3), "2026-09-02T16:00:00+00:00"),
        (datetime(2026, 9, 3, 9), "2026-09-03T01:00:00+00:00"),
        (datetime(2026, 9, 3, 9, tzinfo=UTC), "2026-09-03T09:00:00+00:00"),
    ],
)
def test_bounds_as_instants(bound: date, instant: str) -> None:
    assert as_instant(bound, "Asia/Shanghai").astimezone(UTC).isoformat() == instant
