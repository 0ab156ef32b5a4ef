"""Retrieval narrows by time only, generously, and checks again what a source hands over."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from temporal_recall.dataflows import retrieval
from temporal_recall.dataflows.retrieval import search_ranges, source_windows
from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import (
    EvidenceRecord,
    RecordIssue,
    RequestLimits,
    SearchContext,
    SearchWindow,
    SourceCapabilities,
)
from temporal_recall.schemas.frames import SourceEvidence
from temporal_recall.schemas.plan import ContextNeeds, ContextPlan, Filters, Output, PlanTime, Range
from temporal_recall.schemas.settings import RetrievalWindows, SourceSetting, SourceSettings

ZONE = "Asia/Shanghai"
NOW = datetime.fromisoformat("2026-09-03T22:00:00+08:00")
SETTINGS = SourceSettings(sources=(SourceSetting(name="chat"), SourceSetting(name="calendar", axis="event")))


def day(text: str) -> datetime:
    return datetime.fromisoformat(f"{text}T00:00:00+08:00")


def days(start: str, end: str) -> Range:
    return Range(start=day(start), end=day(end))


YESTERDAY = days("2026-09-02", "2026-09-03")
TOMORROW = days("2026-09-04", "2026-09-05")


def windows(plan: ContextPlan, settings: RetrievalWindows | None = None) -> dict[str, SearchWindow]:
    settings = settings or RetrievalWindows()
    return source_windows(plan, search_ranges(plan, NOW, ZONE, settings), NOW, settings, SETTINGS)


class TestSearchRanges:
    def test_a_plan_with_a_range_is_searched_as_it_says(self) -> None:
        plan = ContextPlan(temporal_mode="OCCURRED_IN", time=PlanTime(event_range=YESTERDAY))
        ranges = search_ranges(plan, NOW, ZONE, RetrievalWindows())
        assert (ranges.axis, ranges.event_core, ranges.event_wide) == ("event", YESTERDAY, YESTERDAY)
        assert ranges.note is None

    @pytest.mark.parametrize(
        ("mode", "start", "end"),
        [
            ("OCCURRED_IN", "2026-06-05", "2026-09-04"),
            ("PLANNED_IN", "2026-09-03", "2026-12-03"),
            ("DUE_IN", "2026-03-07", "2026-12-03"),
        ],
    )
    def test_without_a_range_the_horizon_of_the_mode_is_stated(self, mode: str, start: str, end: str) -> None:
        ranges = search_ranges(ContextPlan(temporal_mode=mode), NOW, ZONE, RetrievalWindows())
        assert ranges.event_core == days(start, end)
        assert ranges.is_horizon
        assert start in (ranges.note or "")

    def test_wide_recall_can_be_switched_off(self) -> None:
        time = PlanTime(event_range=YESTERDAY, event_wide=days("2026-09-01", "2026-09-04"))
        plan = ContextPlan(temporal_mode="OCCURRED_IN", time=time, output=Output(wide_recall=False))
        assert search_ranges(plan, NOW, ZONE, RetrievalWindows()).event_wide == YESTERDAY


class TestSourceWindows:
    @pytest.mark.parametrize(
        ("mode", "time", "start", "end"),
        [
            pytest.param(
                "OCCURRED_IN", PlanTime(event_range=YESTERDAY), "2026-08-03", None, id="a month before, until now"
            ),
            pytest.param(
                "OCCURRED_IN",
                PlanTime(event_range=days("2026-07-01", "2026-08-01")),
                "2026-06-01",
                "2026-08-15",
                id="two weeks after",
            ),
            pytest.param("MENTIONED_IN", PlanTime(mention_range=YESTERDAY), "2026-09-02", "2026-09-03", id="exactly"),
            pytest.param(
                "PLANNED_IN", PlanTime(event_range=YESTERDAY), "2026-07-04", None, id="two months back, until now"
            ),
        ],
    )
    def test_the_observed_window_follows_the_mode(self, mode: str, time: PlanTime, start: str, end: str | None) -> None:
        window = windows(ContextPlan(temporal_mode=mode, time=time))["chat"]
        assert window.start == day(start)
        assert window.end == (day(end) if end else NOW + timedelta(microseconds=1))

    def test_a_calendar_is_read_on_its_event_axis(self) -> None:
        found = windows(ContextPlan(temporal_mode="PLANNED_IN", time=PlanTime(event_range=TOMORROW)))["calendar"]
        assert found == SearchWindow("event", TOMORROW.start, TOMORROW.end)

    def test_what_a_calendar_was_given_in_the_range_may_lie_ahead_of_it(self) -> None:
        plan = ContextPlan(temporal_mode="AMBIGUOUS", time=PlanTime(mention_range=YESTERDAY, event_range=YESTERDAY))
        ahead = RetrievalWindows().modes["AMBIGUOUS"].entered_ahead_days
        assert windows(plan)["calendar"] == SearchWindow(
            "event", YESTERDAY.start, YESTERDAY.end + timedelta(days=ahead)
        )

    def test_a_far_plan_still_reads_what_was_said_until_now(self) -> None:
        far = days("2027-06-01", "2027-07-01")
        window = windows(ContextPlan(temporal_mode="PLANNED_IN", time=PlanTime(event_range=far)))["chat"]
        assert window.start < NOW < window.end

    def test_an_open_matter_reads_what_was_said_since(self) -> None:
        plan = ContextPlan(
            temporal_mode="MENTIONED_IN", time=PlanTime(mention_range=YESTERDAY), filters=Filters(status="unresolved")
        )
        assert windows(plan)["chat"].end > NOW

    def test_a_plan_that_needs_no_recall_reads_nothing(self) -> None:
        assert windows(ContextPlan(context_needs=ContextNeeds(temporal_recall="SKIP"))) == {}


class ListedSource:
    """An adapter that yields what it was given, then raises what it was given."""

    source = "chat"

    def __init__(self, *rows: EvidenceRecord | RecordIssue, error: Exception | None = None) -> None:
        self.rows, self.error = rows, error

    def capabilities(self) -> SourceCapabilities:
        return SourceCapabilities()

    def search(self, ctx: SearchContext) -> Iterator[EvidenceRecord | RecordIssue]:
        yield from self.rows
        if self.error:
            raise self.error

    def close(self) -> None:
        pass


def record(number: int, **fields: object) -> EvidenceRecord:
    given = {
        "source": "chat",
        "source_ref": f"chat:message:{number}",
        "user_id": "u1",
        "observed_time": NOW - timedelta(hours=number),
        "time_zone": ZONE,
        "text": "吃饭",
    }
    return EvidenceRecord.model_validate(given | fields)


def read(adapter: ListedSource, limits: RequestLimits | None = None, cap: int = 5000) -> SourceEvidence:
    plan = ContextPlan(temporal_mode="OCCURRED_IN", time=PlanTime(event_range=days("2026-09-03", "2026-09-04")))
    settings = RetrievalWindows(fetch_cap=cap)
    return retrieval.source_evidence(
        adapter, "chat", windows(plan, settings), plan, "u1", NOW, ZONE, settings, limits or RequestLimits()
    )


class TestLane:
    def test_records_and_issues_come_apart(self) -> None:
        issue = RecordIssue(source="chat", code="bad_row", locator="row 7")
        lane = read(ListedSource(record(1), issue, record(2)))
        assert list(lane.frame["source_ref"]) == ["chat:message:2", "chat:message:1"]
        assert lane.outcome.issues == (issue,)
        assert lane.outcome.failure is None

    @pytest.mark.parametrize(
        ("stranger", "code"), [({"user_id": "u2"}, "foreign_user"), ({"source": "calendar"}, "foreign_source")]
    )
    def test_a_stranger_s_record_never_passes(self, stranger: dict[str, str], code: str) -> None:
        lane = read(ListedSource(record(1), record(2, text="别人的秘密", **stranger)))
        assert list(lane.frame["source_ref"]) == ["chat:message:1"]
        assert [i.code for i in lane.outcome.issues] == [code]
        assert "秘密" not in str(lane.outcome.issues)

    def test_what_is_observed_after_now_does_not_exist(self) -> None:
        lane = read(ListedSource(record(1), record(2, observed_time=NOW + timedelta(seconds=1))))
        assert list(lane.frame["source_ref"]) == ["chat:message:1"]

    def test_what_lies_outside_the_window_is_left_out(self) -> None:
        assert len(read(ListedSource(record(1, observed_time=NOW - timedelta(days=300)))).frame) == 0

    def test_the_cap_is_reported(self) -> None:
        lane = read(ListedSource(*map(record, range(1, 6))), cap=3)
        assert (len(lane.frame), lane.outcome.is_capped) == (3, True)

    def test_a_source_that_fails_keeps_what_it_gave(self) -> None:
        lane = read(ListedSource(record(1), error=SourceUnavailable("chat", "http_503", retry_after_s=7)))
        assert len(lane.frame) == 1
        assert (lane.outcome.failure, lane.outcome.retry_after_s) == ("http_503", 7)

    def test_a_passed_deadline_ends_the_read(self) -> None:
        lane = read(ListedSource(record(1), record(2)), RequestLimits(deadline=time.monotonic() - 1))
        assert (len(lane.frame), lane.outcome.failure) == (1, "late")
