"""The page of an answer says what was found, what was merged and what is missing."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from rich.console import Console

from temporal_recall.schemas.bundle import (
    IssueCount,
    RecallBundle,
    RecallGroup,
    RecallStats,
    SourceFailure,
    TimelineItem,
)
from temporal_recall.schemas.plan import ContextPlan
from temporal_recall.service.cli.pages.answer import answer_page

NOW = datetime.fromisoformat("2026-05-21T09:30:00+08:00")


def _item(**changed: Any) -> TimelineItem:
    fields: dict[str, Any] = {
        "timeline_item_id": "1",
        "source": "chat",
        "type": "event",
        "observed_time": NOW,
        "title": "签合同",
        "content": "下午去签合同啦",
        "importance": 0.5,
        "confidence": 0.5,
        "recall_score": 0.8,
        "source_ref": "chat:message:1",
    }
    return TimelineItem(**fields | changed)


def _page(items: tuple[TimelineItem, ...] = (), **changed: Any) -> str:
    bundle = RecallBundle(
        query_type="personal_temporal_recall", temporal_mode="OCCURRED_IN", items=items, plan=ContextPlan(), **changed
    )
    console = Console(width=100, record=True, file=None)
    with console.capture() as captured:
        console.print(answer_page("昨天呢？", bundle, NOW, 0.75))
    return captured.get()


@pytest.mark.parametrize(
    ("item", "shown"),
    [
        (_item(), "下午去签合同啦"),
        (_item(title="另一件事"), "另一件事  下午去签合同啦"),
        (_item(title="下午去签…"), "下午去签合同啦"),
        (_item(content="下午去\n签合同\n啦"), "下午去 签合同 啦"),
        (_item(title="[bold]签[/bold]"), "[bold]签[/bold]"),
        (
            _item(status="cancelled", due=True, participants=("张总",), location="国贸"),
            "cancelled · deadline · 张总 · at 国贸",
        ),
        (
            _item(merged_from=("chat:message:1", "meinput:segment:2"), merge_reason="时间相合"),
            "merged 2 records: 时间相合",
        ),
    ],
)
def test_an_item_is_told(item: TimelineItem, shown: str) -> None:
    assert shown in _page((item,))


def test_a_record_cannot_steer_the_terminal() -> None:
    hostile = _item(
        title="签\x1b[2J合同", content="\x07去\x9b31m\u202e签", participants=("张\x1b]0;总",), location="国\r贸"
    )
    assert not {"\x1b", "\x07", "\x9b", "\u202e", "\r"} & set(_page((hostile,)))


def test_groups_stand_under_their_titles_and_empty_ones_say_so() -> None:
    groups = (RecallGroup(label="occurred_in_range", items=(_item(),)), RecallGroup(label="mentioned_or_planned"))
    page = _page((_item(),), groups=groups)
    assert page.index("Happened in that time 1") < page.index("签合同") < page.index("Mentioned then, or planned 0")
    assert "nothing" in page


def test_a_flat_answer_is_one_group() -> None:
    assert "Answer 1" in _page((_item(),))


@pytest.mark.parametrize(
    ("stats", "told"),
    [
        (RecallStats(skipped=True), "needs no recall"),
        (RecallStats(sources_failed=(SourceFailure(source="chat", code="late"),)), "chat gave nothing: late"),
        (RecallStats(sources_capped=("chat",)), "chat has more than was read"),
        (RecallStats(issues=(IssueCount(source="chat", code="bad_time", count=3),)), "3 records of chat"),
    ],
)
def test_what_is_missing_is_said(stats: RecallStats, told: str) -> None:
    assert told in _page(stats=stats)


def test_a_question_without_time_tells_where_it_was_searched() -> None:
    assert "查找了过去 90 天" in _page(time_note="查找了过去 90 天")
