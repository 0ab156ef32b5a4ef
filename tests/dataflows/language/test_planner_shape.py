"""Filters, operation and grouping that a question asks for."""

from __future__ import annotations

import pytest

from temporal_recall.dataflows.language.planner_cues import question_cues
from temporal_recall.dataflows.language.planner_shape import question_filters, question_operation, question_output
from temporal_recall.schemas.plan import TemporalMode


@pytest.mark.parametrize(
    ("text", "is_important", "status"),
    [
        ("昨天有什么重要的事", True, None),
        ("有哪些急事还没办", True, "unresolved"),
        ("还有什么没做完", False, "unresolved"),
        ("上周取消了哪些会", False, "cancelled"),
        ("昨天做了什么", False, None),
        ("做了没", False, None),
    ],
)
def test_filters(text: str, is_important: bool, status: str | None) -> None:
    filters = question_filters(question_cues(text))
    assert (filters.importance_min is not None, filters.status) == (is_important, status)


@pytest.mark.parametrize(
    ("text", "mode", "is_summary"),
    [
        ("昨天我都干了什么", "OCCURRED_IN", True),
        ("总结一下上周聊的", "MENTIONED_IN", True),
        ("昨天有什么重要的事", "AMBIGUOUS", True),
        ("昨天见了谁", "OCCURRED_IN", False),
        ("明天有什么安排", "PLANNED_IN", False),
        ("总结会还开吗", "PLANNED_IN", False),
    ],
)
def test_operation(text: str, mode: TemporalMode, is_summary: bool) -> None:
    assert (question_operation(question_cues(text), mode) == "retrieve_and_summarize") == is_summary


@pytest.mark.parametrize(
    ("text", "group_by"),
    [
        ("按天列出上周的事", "day"),
        ("按来源列一下", "source"),
        ("按类型分一下昨天的事", "type"),
        ("昨天的事", "importance"),
    ],
)
def test_grouping(text: str, group_by: str) -> None:
    assert question_output(question_cues(text)).group_by == group_by
