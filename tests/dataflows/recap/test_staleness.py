"""Hints on a cached diary."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from temporal_recall.dataflows.recap.staleness import public_recap_out, recap_out
from temporal_recall.dataflows.recap.windows import recap_window_of
from temporal_recall.schemas.recap import RecapOut, RecapRow

WINDOW = recap_window_of("2026-07-14", "UTC")
NOON = WINDOW.start + timedelta(hours=12)


def _row(**fields: Any) -> RecapRow:
    known: dict[str, Any] = {
        "owner_id": "ana", "window_key": WINDOW.key, "kind": "day", "local_date": WINDOW.local_date, "time_zone": "UTC",
        "start": WINDOW.start, "end_exclusive": WINDOW.end_exclusive, "narrative": "You wrote.", "generated_at": NOON,
        "model": "m", "prompt_hash": "p", "segment_watermark": WINDOW.start + timedelta(hours=9), "knowledge_hash": "k",
        "digest_hash": "d", "projection_version": "1",
    }  # fmt: skip
    return RecapRow(**{**known, **fields})


def _out(row: RecapRow | None, latest: datetime | None, now: datetime = NOON, **hashes: str) -> RecapOut:
    known = {"prompt_hash": "p", "knowledge_hash": "k", **hashes}
    return recap_out(WINDOW, row, latest_end=latest, now=now, **known)


def test_without_row_and_segments_the_day_is_empty() -> None:
    out = _out(None, None)
    assert (out.is_empty, out.narrative, out.regenerable) == (True, None, False)


def test_without_row_the_diary_was_never_written() -> None:
    out = _out(None, NOON)
    assert (out.is_empty, out.narrative, out.regenerable) == (False, None, True)


@pytest.mark.parametrize(
    ("clock", "is_stale"),
    [(timedelta(hours=10), False), (timedelta(hours=10, seconds=1), True), (timedelta(hours=11, minutes=30), True)],
)
def test_more_than_an_hour_of_news_makes_today_stale(clock: timedelta, is_stale: bool) -> None:
    out = _out(_row(), WINDOW.start + clock)
    assert (out.segment_stale, out.partial_day, out.regenerable) == (is_stale, is_stale, is_stale)


def test_a_past_day_is_never_stale_however_late_the_uploads() -> None:
    generated = WINDOW.end_exclusive + timedelta(hours=1)
    out = _out(_row(generated_at=generated), WINDOW.end_exclusive, now=WINDOW.end_exclusive)
    assert (out.segment_stale, out.partial_day, out.regenerable) == (False, False, False)


def test_a_diary_written_at_noon_is_a_part_of_its_day_for_ever() -> None:
    out = _out(_row(), WINDOW.end_exclusive, now=WINDOW.end_exclusive + timedelta(days=30))
    assert (out.segment_stale, out.partial_day, out.regenerable) == (False, True, True)


@pytest.mark.parametrize(("stored", "is_stale"), [("k", False), ("other", True), (None, True)])
def test_knowledge_is_compared_and_none_is_stale(stored: str | None, is_stale: bool) -> None:
    out = _out(_row(knowledge_hash=stored), WINDOW.start)
    assert (out.knowledge_stale, out.regenerable) == (is_stale, is_stale)


def test_another_prompt_makes_it_regenerable_and_nothing_else() -> None:
    out = _out(_row(), WINDOW.start, prompt_hash="new")
    assert (out.regenerable, out.segment_stale, out.knowledge_stale) == (True, False, False)


def test_a_diary_whose_segments_are_gone_stays_and_says_so() -> None:
    out = _out(_row(), None)
    assert (out.is_empty, out.facts_gone, out.narrative) == (False, True, "You wrote.")


def test_others_see_no_hints() -> None:
    out = public_recap_out(WINDOW, _row(knowledge_hash=None))
    assert not any((out.knowledge_stale, out.segment_stale, out.partial_day, out.regenerable))
    assert out.narrative == "You wrote."


def test_instants_end_in_z() -> None:
    assert _out(_row(), NOON).model_dump(mode="json")["generated_at"] == "2026-07-14T12:00:00Z"
