"""The answer as it is sent."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from hamilton import driver
from made_timelines import SOURCES, ZONE, at, made_timeline, row

from temporal_recall.dataflows import bundle, dedupe, ranking
from temporal_recall.schemas.bundle import RecallBundle
from temporal_recall.schemas.evidence import RecordIssue, SourceOutcome
from temporal_recall.schemas.plan import ContextNeeds, ContextPlan, Output, PlanTime, Range, SearchRanges, Target
from temporal_recall.schemas.settings import DedupeSettings, RankingWeights

DRIVER = driver.Builder().with_modules(dedupe, ranking, bundle).build()
DAY = Range(start=at("09-10 00:00"), end=at("09-11 00:00"))
SIGNED = row("signed", "合同签了", "09-10 11:00", "09-10 10:30", status="completed", source="chat", importance=0.9)
DINNER = row("dinner", "晚上聚餐", "09-09 11:00", "09-10 19:00", importance=0.5)
TRIP = row("trip", "订了去云南的机票", "09-10 12:00", "10-02 08:00", importance=0.8)
TRIFLE = row("trifle", "哈哈哈", "09-10 12:30", type="mention", status="mentioned", importance=0.0, confidence=0.2)


def answered(*rows: dict[str, Any], mode: str = "AMBIGUOUS", **inputs: Any) -> RecallBundle:
    output = inputs.pop("output", Output())
    is_told = mode in ("MENTIONED_IN", "CREATED_IN")
    event = None if is_told else DAY
    mention = DAY if is_told or mode == "AMBIGUOUS" else None
    values = {
        "timeline": made_timeline(*rows),
        "dedupe_settings": DedupeSettings(),
        "source_settings": SOURCES,
        "context_plan": ContextPlan(
            temporal_mode=mode,
            time=PlanTime(event_range=event, mention_range=mention),
            time_zone=ZONE,
            output=output,
            targets=(Target(type="event"),),
        ),  # type: ignore[arg-type]
        "search_ranges": SearchRanges(
            axis="observed" if is_told else "event",
            event_core=event,
            event_wide=event,
            mention_core=mention,
            mention_wide=mention,
        ),
        "now": at("09-10 15:00"),
        "time_zone": "UTC",
        "ranking_weights": RankingWeights(),
        "user_snapshot": None,
        "limit": 50,
        "explain": False,
        "source_outcomes": [SourceOutcome("chat", 1), SourceOutcome("meinput", 3)],
    }
    return DRIVER.execute(["recall_bundle"], inputs=values | inputs)["recall_bundle"]


def labels(answer: RecallBundle) -> dict[str, list[str]]:
    return {group.label: [item.source_ref.rsplit(":", 1)[-1] for item in group.items] for group in answer.groups}


class TestGroups:
    def test_an_open_question_tells_what_happened_from_what_was_told_or_is_to_come(self) -> None:
        answer = answered(SIGNED, DINNER, TRIP)
        assert labels(answer) == {"occurred_in_range": ["signed"], "mentioned_or_planned": ["trip", "dinner"]}

    def test_both_groups_stand_there_even_when_empty(self) -> None:
        assert labels(answered()) == {"occurred_in_range": [], "mentioned_or_planned": []}

    @pytest.mark.parametrize(
        ("group_by", "expected"),
        [
            ("day", {"2026-09-10": ["signed", "dinner"], "2026-10-02": ["trip"]}),
            ("source", {"chat": ["signed"], "meinput": ["trip", "dinner"]}),
            ("type", {"event": ["signed", "trip", "dinner"]}),
            ("none", {}),
        ],
    )
    def test_the_plan_says_how_to_arrange(self, group_by: str, expected: dict[str, list[str]]) -> None:
        answer = answered(SIGNED, DINNER, TRIP, output=Output(group_by=group_by))  # type: ignore[arg-type]
        assert {label: sorted(refs) for label, refs in labels(answer).items()} == {
            k: sorted(v) for k, v in expected.items()
        }

    def test_other_questions_are_answered_in_tiers(self) -> None:
        answer = answered(SIGNED, DINNER, mode="PLANNED_IN")
        assert set(labels(answer)) <= {"main", "secondary"}

    @pytest.mark.parametrize("mode", ["AMBIGUOUS", "PLANNED_IN", "MENTIONED_IN"])
    def test_groups_hold_the_items_each_once(self, mode: str) -> None:
        answer = answered(SIGNED, DINNER, TRIP, TRIFLE, mode=mode)
        grouped = [item.source_ref for group in answer.groups for item in group.items]
        assert sorted(grouped) == sorted(item.source_ref for item in answer.items)


class TestItems:
    def test_they_come_best_first_and_what_is_not_worth_showing_does_not(self) -> None:
        answer = answered(SIGNED, DINNER, TRIP, TRIFLE)
        scores = [item.recall_score for item in answer.items]
        assert scores == sorted(scores, reverse=True)
        assert min(scores) >= RankingWeights().secondary_threshold
        assert "meinput:made:trifle" not in {item.source_ref for item in answer.items}

    def test_the_limit_counts_items_in_all(self) -> None:
        answer = answered(SIGNED, DINNER, TRIP, limit=1)
        assert len(answer.items) == answer.stats.returned_count == 1
        assert sum(len(group.items) for group in answer.groups) == 1

    def test_times_are_told_in_the_zone_of_the_plan(self) -> None:
        event_time = answered(SIGNED).items[0].event_time
        assert event_time is not None
        assert event_time.isoformat() == "2026-09-10T10:30:00+08:00"

    def test_an_id_depends_on_the_user_and_the_lead_alone(self) -> None:
        alone, among = answered(SIGNED).items[0], answered(DINNER, SIGNED, TRIP).items[0]
        assert alone.source_ref == among.source_ref
        assert alone.timeline_item_id == among.timeline_item_id
        assert answered({**SIGNED, "user_id": "v"}).items[0].timeline_item_id != alone.timeline_item_id

    def test_an_items_id_names_its_user_and_record(self) -> None:
        namespace = uuid.UUID("8f0f6d0e-6f0a-5d2b-9a57-0d5d3a1f2c11")
        items = answered(SIGNED, DINNER, TRIP, {**TRIP, "user_id": "用户"}).items
        names = [f"{item.user_id}\n{item.source_ref}" for item in items]
        assert [item.timeline_item_id for item in items] == [str(uuid.uuid5(namespace, name)) for name in names]

    def test_the_timeline_names_them_in_time_order(self) -> None:
        answer = answered(SIGNED, DINNER, TRIP)
        time_by_id = {item.timeline_item_id: item.event_time for item in answer.items}
        assert [time_by_id[i] for i in answer.timeline] == sorted(t for t in time_by_id.values() if t)
        assert answered(SIGNED, output=Output(timeline=False)).timeline == ()

    def test_an_explanation_gives_the_factors_of_the_score_and_words(self) -> None:
        item = answered(SIGNED, explain=True).items[0]
        explanation = item.explanation
        assert explanation is not None
        product = explanation.source_quality * explanation.temporal_match * explanation.semantic_match
        product *= explanation.importance_match * explanation.confidence_match
        assert product == pytest.approx(item.recall_score, abs=1e-4)
        assert "时间正合所问" in explanation.reason
        assert answered(SIGNED).items[0].explanation is None


class TestStats:
    def test_they_say_what_came_and_what_failed(self) -> None:
        issues = (RecordIssue(source="chat", code="bad_time", locator="line 3"),) * 2
        outcomes = [
            SourceOutcome("chat", 1, issues=issues),
            SourceOutcome("meinput", 2, failure="late", is_capped=True),
        ]
        stats = answered(SIGNED, DINNER, source_outcomes=outcomes).stats
        assert stats.sources_queried == ("chat", "meinput")
        assert (stats.raw_count, stats.deduped_count) == (3, 2)
        assert stats.partial
        assert [(f.source, f.code) for f in stats.sources_failed] == [("meinput", "late")]
        assert stats.sources_capped == ("meinput",)
        assert [(i.source, i.code, i.count) for i in stats.issues] == [("chat", "bad_time", 2)]
        assert not answered(SIGNED).stats.partial

    def test_a_plan_without_recall_is_marked_as_skipped(self) -> None:
        asked = ContextPlan(context_needs=ContextNeeds(temporal_recall="SKIP"))
        assert answered(context_plan=asked).stats.skipped


class TestRange:
    def test_it_is_the_core_of_the_modes_own_axis(self) -> None:
        assert answered(mode="PLANNED_IN").time_range == DAY
        assert answered(mode="MENTIONED_IN").time_range == DAY

    def test_a_horizon_is_a_note_and_no_range(self) -> None:
        horizon = SearchRanges(axis="event", event_core=DAY, event_wide=DAY, is_horizon=True, note="查找了这一天")
        answer = answered(SIGNED, search_ranges=horizon)
        assert answer.time_range is None
        assert answer.time_note == "查找了这一天"
