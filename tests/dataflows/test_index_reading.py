"""What is read of the index, and what is read live beside it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from index_rows import rows_of
from listed_sources import NOW, USER_ID, record

from temporal_recall.dataflows import index_reading
from temporal_recall.schemas.columns import Columns
from temporal_recall.schemas.evidence import LaneReading, SearchWindow, SourceOutcome
from temporal_recall.schemas.frames import COMPARED_TIMELINE, SourceEvidence
from temporal_recall.schemas.plan import Range, SearchRanges
from temporal_recall.schemas.settings import RetrievalWindows, SourceSetting, SourceSettings
from temporal_recall.schemas.timeline_index import IndexReading, IndexWindow

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
WEEK = SearchWindow("observed", NOW - 7 * DAY, NOW)
NEXT_WEEK = SearchWindow("event", NOW, NOW + 7 * DAY)
PLANNED = SearchRanges(
    axis="event", event_core=Range(start=NOW, end=NOW + 7 * DAY), event_wide=Range(start=NOW, end=NOW + 7 * DAY)
)
SIGNING = record("chat", 1, "明天下午三点和张总签合同", "2026-09-03T09:00:00+08:00", role="user")
LUNCH = record("meinput", 2, "午饭吃面", "2026-09-02T12:30:00+08:00")


def reading(*records: object, **synced_until: object) -> IndexReading:
    rows = Columns.of(rows_of(*records).rows, COMPARED_TIMELINE)  # type: ignore[arg-type]
    return IndexReading(rows, SourceOutcome("index", len(rows)), synced_until)  # type: ignore[arg-type]


class TestIndexWindow:
    def test_it_spans_the_sources_windows_and_the_events_asked_for(self) -> None:
        earlier = SearchWindow("observed", NOW - 9 * DAY, NOW - DAY)
        asked = {"chat": WEEK, "meinput": earlier, "calendar": NEXT_WEEK}
        window = index_reading.index_window(asked, PLANNED, USER_ID, NOW, RetrievalWindows(fetch_cap=10))
        hull = SearchWindow("observed", NOW - 9 * DAY, NOW)
        assert window == IndexWindow(USER_ID, NOW, hull, NEXT_WEEK, 30)

    def test_without_windows_nothing_is_read(self) -> None:
        window = index_reading.index_window({}, PLANNED, USER_ID, NOW, RetrievalWindows())
        assert (window.observed, window.event) == (None, None)


class TestIndexedRows:
    def test_sources_that_are_not_enabled_are_left_out(self) -> None:
        rows = index_reading.indexed_rows(reading(SIGNING, LUNCH), {"chat": WEEK}, PLANNED)
        assert rows["source"].to_pylist() == ["chat"]

    @pytest.mark.parametrize(("days", "is_found"), [(0, True), (7, False)])
    def test_a_source_on_the_event_axis_gives_its_events_in_the_range(self, days: int, is_found: bool) -> None:
        event = SearchWindow("event", NOW + days * DAY, NOW + (days + 7) * DAY)
        rows = index_reading.indexed_rows(reading(SIGNING), {"chat": event}, PLANNED)
        assert bool(len(rows)) is is_found

    def test_entries_far_ahead_are_those_of_their_own_source_alone(self) -> None:
        far = SearchWindow("event", NOW, NOW + 60 * DAY)
        trip = record("meinput", 3, "十月一号去成都玩", "2026-07-01T20:00:00+08:00")
        windows = {"chat": far, "meinput": WEEK}
        assert index_reading.indexed_rows(reading(SIGNING, trip), windows, PLANNED)["source"].to_pylist() == ["chat"]
        assert index_reading.index_window(windows, PLANNED, USER_ID, NOW, RetrievalWindows()).event == far

    def test_an_index_that_failed_gives_none(self) -> None:
        failed = SourceEvidence.failed("index", "late")
        assert len(index_reading.indexed_rows(failed, {"chat": WEEK}, PLANNED)) == 0

    def test_what_was_read_before_a_failure_is_not_told_as_all(self) -> None:
        late = replace(reading(SIGNING), outcome=SourceOutcome("index", 1, failure="late"))
        assert len(index_reading.indexed_rows(late, {"chat": WEEK}, PLANNED)) == 0


class TestOutcomes:
    SOURCES = SourceSettings(sources=(SourceSetting(name="chat"), SourceSetting(name="meinput")))

    def outcomes(self, read: LaneReading, windows: dict[str, SearchWindow]) -> dict[str, str | None]:
        rows = index_reading.indexed_rows(read, windows, PLANNED)
        found = index_reading.source_outcomes__index(read, rows, windows, self.SOURCES)
        return {o.source: o.failure for o in found}

    def test_a_source_that_was_never_synced_is_told(self) -> None:
        windows = {"chat": WEEK, "meinput": WEEK}
        assert self.outcomes(reading(SIGNING, chat=NOW), windows) == {"chat": None, "meinput": "not_synced"}

    def test_all_share_the_failure_of_the_index(self) -> None:
        windows = {"chat": WEEK, "meinput": WEEK}
        assert set(self.outcomes(SourceEvidence.failed("index", "late"), windows).values()) == {"late"}

    def test_what_was_not_asked_did_not_fail(self) -> None:
        assert self.outcomes(reading(), {}) == {"chat": None, "meinput": None}


class TestFreshWindows:
    def test_live_begins_a_little_before_the_last_sync(self) -> None:
        windows = index_reading.fresh_windows({"chat": WEEK}, reading(chat=NOW - HOUR))
        assert windows == {"chat": SearchWindow("observed", NOW - HOUR - index_reading.SYNC_OVERLAP, NOW)}

    @pytest.mark.parametrize(
        ("window", "synced"),
        [
            pytest.param(WEEK, {}, id="the index does not know the source"),
            pytest.param(NEXT_WEEK, {"chat": NOW}, id="on the event axis a change may lie anywhere"),
        ],
    )
    def test_otherwise_the_whole_window_is_read(self, window: SearchWindow, synced: dict[str, object]) -> None:
        assert index_reading.fresh_windows({"chat": window}, reading(**synced)) == {"chat": window}

    def test_a_window_that_ended_before_the_sync_is_not_read(self) -> None:
        past = SearchWindow("observed", NOW - 9 * DAY, NOW - 8 * DAY)
        assert index_reading.fresh_windows({"chat": past}, reading(chat=NOW)) == {}
