"""Temporal Recall: what happened in a time range, told from a person's own sources, with evidence.

from temporal_recall import RecallService, demo

RecallService.demo().recall(demo.DEMO_QUESTION, user_id=demo.DEMO_USER_ID, now=demo.DEMO_NOW)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from temporal_recall.dataflows.zh_time import find_times, parse_time
    from temporal_recall.schemas.bundle import RecallBundle, TimelineItem
    from temporal_recall.schemas.plan import ContextPlan
    from temporal_recall.schemas.settings import RankingWeights
    from temporal_recall.service.facade import RecallService

__version__ = "0.1.0"

_HOME_BY_NAME = {
    "ContextPlan": "temporal_recall.schemas.plan",
    "RankingWeights": "temporal_recall.schemas.settings",
    "RecallBundle": "temporal_recall.schemas.bundle",
    "RecallService": "temporal_recall.service.facade",
    "TimelineItem": "temporal_recall.schemas.bundle",
    "find_times": "temporal_recall.dataflows.zh_time",
    "parse_time": "temporal_recall.dataflows.zh_time",
}

__all__ = [
    "ContextPlan",
    "RankingWeights",
    "RecallBundle",
    "RecallService",
    "TimelineItem",
    "find_times",
    "parse_time",
]


def __getattr__(name: str) -> Any:
    """The public names, loaded when first asked for: who parses a phrase does not wait for pandas and Hamilton."""
    if name not in _HOME_BY_NAME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOME_BY_NAME[name]), name)
