"""A bundle is a frame for who computes and a table for who looks; records' words are data in both."""

from __future__ import annotations

from datetime import datetime

import pandas as pd
import pytest
from pydantic import ValidationError

from temporal_recall.schemas.bundle import RecallBundle, RecallRequest, TimelineItem
from temporal_recall.schemas.plan import ContextPlan

OBSERVED = datetime.fromisoformat("2026-09-02T20:30:00+08:00")


def item(**fields: object) -> TimelineItem:
    given = {
        "timeline_item_id": "i1",
        "source": "chat",
        "type": "event",
        "event_time": datetime.fromisoformat("2026-09-03T15:00:00+08:00"),
        "observed_time": OBSERVED,
        "title": "签合同",
        "content": "明天下午三点去签合同",
        "importance": 0.8,
        "confidence": 0.9,
        "recall_score": 0.76,
        "source_ref": "chat:message:1",
    }
    return TimelineItem.model_validate(given | fields)


def bundle(*items: TimelineItem) -> RecallBundle:
    plan = ContextPlan()
    return RecallBundle(query_type=plan.query_type, temporal_mode=plan.temporal_mode, items=items, plan=plan)


def test_the_frame_has_one_row_an_item_in_the_zone_of_the_answer() -> None:
    frame = bundle(item(), item(timeline_item_id="i2", event_time=None)).to_frame()
    assert list(frame["timeline_item_id"]) == ["i1", "i2"]
    assert frame["event_time"].iloc[0] == pd.Timestamp("2026-09-03T15:00:00+08:00")
    assert frame["event_time"].iloc[0].hour == 15
    assert pd.isna(frame["event_time"].iloc[1])


def test_an_empty_answer_keeps_the_columns() -> None:
    assert list(bundle().to_frame().columns) == list(bundle(item()).to_frame().columns)


def test_a_record_cannot_write_html() -> None:
    shown = bundle(item(title="<script>alert(1)</script>", content="' onmouseover='x"))._repr_html_()
    assert "<script>" not in shown
    assert "' onmouseover" not in shown


def test_a_cancelled_item_is_struck_through() -> None:
    assert "<s>签合同</s>" in bundle(item(status="cancelled"))._repr_html_()


@pytest.mark.parametrize(
    "given",
    [{}, {"query": "昨天", "plan": {}}, {"query": ""}, {"query": "x", "limit": 0}, {"query": "x", "limit": 201}],
)
def test_a_request_asks_one_question_within_limits(given: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        RecallRequest.model_validate(given)
