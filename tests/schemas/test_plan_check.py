"""Plans from outside: what is refused, and how the refusal reads."""

from __future__ import annotations

from typing import Any

import pytest

from temporal_recall.schemas.errors import InvalidPlan
from temporal_recall.schemas.plan import ContextPlan
from temporal_recall.schemas.plan_check import validated_plan


def test_a_plan_with_nothing_said_takes_the_defaults() -> None:
    assert validated_plan({}) == ContextPlan()


def test_a_plan_survives_json() -> None:
    plan = ContextPlan(sources={"chat": 0.5}, topics=("x",))
    assert validated_plan(plan.model_dump(mode="json")) == plan


@pytest.mark.parametrize(
    ("plan", "path", "allowed"),
    [
        ({"intent": "x"}, "intent", "no such field"),
        ({"temporal_mode": "SOON"}, "temporal_mode", "'OCCURRED_IN'"),
        ({"targets": [{"type": "event", "weight": 2}]}, "targets.0.weight", "less than or equal to 1"),
        ({"sources": {"chat": "much"}}, "sources.chat", "number"),
        ({"time": {"mention_range": {"start": "2026-09-01"}}}, "time.mention_range.start", "an offset"),
        ({"time": {"mention_range": {"start": "2026-09-01T00:00:00"}}}, "time.mention_range.start", "an offset"),
        (
            {"time": {"event_range": {"start": "2026-09-02T00:00:00Z", "end": "2026-09-01T00:00:00Z"}}},
            "time.event_range",
            "not before",
        ),
        (
            {"time": {"event_range": {"start": "2000-01-01T00:00:00Z", "end": "2026-01-01T00:00:00Z"}}},
            "time.event_range",
            "20 years",
        ),
        ({"time_zone": "Mars/Olympus"}, "time_zone", "IANA"),
        ({"filters": {"status": "lost"}}, "filters.status", "'unresolved'"),
    ],
)
def test_a_refusal_names_the_field_and_what_is_allowed(plan: dict[str, Any], path: str, allowed: str) -> None:
    with pytest.raises(InvalidPlan) as refusal:
        validated_plan(plan)
    assert refusal.value.path == path
    assert allowed in str(refusal.value)


@pytest.mark.parametrize("plan", [[], "x", 3, None])
def test_what_is_no_object_is_refused(plan: Any) -> None:
    with pytest.raises(InvalidPlan, match="a Context Plan as an object"):
        validated_plan(plan)


def test_a_refusal_shows_no_long_text_back() -> None:
    with pytest.raises(InvalidPlan) as refusal:
        validated_plan({"topics": ["private " * 40]})
    assert "private" not in str(refusal.value)
