"""The API document's requests and answer, whole, as the OpenAPI page shows them."""

from __future__ import annotations

from typing import Any

USER_ID = "a70ff537-8908-486e-9b6c-042e07cc25db"

PLAN: dict[str, Any] = {
    "query_type": "personal_temporal_recall",
    "time": {
        "mention_range": {"start": "2026-08-31T00:00:00+08:00", "end": "2026-09-07T00:00:00+08:00"},
        "event_range": {"start": "2026-08-31T00:00:00+08:00", "end": "2026-09-07T00:00:00+08:00"},
    },
    "temporal_mode": "AMBIGUOUS",
    "targets": [
        {"type": "calendar_event", "weight": 0.8},
        {"type": "commitment", "weight": 1.0},
        {"type": "todo", "weight": 0.9},
    ],
    "sources": {"calendar": 0.85, "chat": 0.8, "meinput": 0.75, "memory_v2": 0.45},
    "retrievals": [
        {
            "source": "meinput",
            "query_type": "important_mentions",
            "expanded_queries": ["会议", "安排", "明天", "截止"],
            "weight": 0.75,
        }
    ],
    "filters": {"importance_min": 0.6, "status": "unresolved"},
    "output": {"group_by": "importance", "dedupe": True, "timeline": True, "wide_recall": True},
    "context_needs": {"user_snapshot": "OPTIONAL", "temporal_recall": "REQUIRED", "memory_retrieval": "OPTIONAL"},
}

BY_PLAN: dict[str, Any] = {"plan": PLAN, "limit": 50}

BY_QUERY: dict[str, Any] = {
    "query": "我这周有什么重要的事？",
    "user_id": USER_ID,
    "now": "2026-09-03T22:00:00+08:00",
    "limit": 50,
}

_ITEM: dict[str, Any] = {
    "timeline_item_id": "0f0cf5b1-6a53-5f1e-9d0f-2f2c2a5f8f11",
    "source": "meinput",
    "type": "mention",
    "event_time": None,
    "observed_time": "2026-09-02T14:30:00+08:00",
    "title": "MeInput 验证上屏",
    "content": "MeInput验证上屏",
    "importance": 0.71,
    "confidence": 0.95,
    "recall_score": 0.78,
    "source_ref": "meinput:segment:7b0e",
    "status": "mentioned",
}

RESPONSE: dict[str, Any] = {
    "query_type": "personal_temporal_recall",
    "temporal_mode": "AMBIGUOUS",
    "time_range": {"start": "2026-08-31T00:00:00+08:00", "end": "2026-09-07T00:00:00+08:00"},
    "groups": [
        {"label": "occurred_in_range", "items": [_ITEM]},
        {"label": "mentioned_or_planned", "items": []},
    ],
    "items": [_ITEM],
    "stats": {
        "sources_queried": ["meinput", "chat"],
        "raw_count": 42,
        "deduped_count": 38,
        "returned_count": 1,
        "elapsed_ms": 320,
    },
    "plan": PLAN,
}
