"""The answer as it is sent: tiers, groups, stats, and the items as models."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Iterable, Mapping
from datetime import tzinfo
from itertools import groupby
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from temporal_recall.dataflows.columns import Reals, named_by, plain_values
from temporal_recall.schemas.bundle import (
    IssueCount,
    RecallBundle,
    RecallGroup,
    RecallStats,
    ScoreExplanation,
    SourceFailure,
    TimelineItem,
)
from temporal_recall.schemas.columns import NAMES, Coded, Columns
from temporal_recall.schemas.evidence import SourceOutcome
from temporal_recall.schemas.plan import ContextPlan, Range, SearchRanges
from temporal_recall.schemas.settings import RankingWeights
from temporal_recall.schemas.time import zone_of

_ITEM_NAMESPACE = uuid.UUID("8f0f6d0e-6f0a-5d2b-9a57-0d5d3a1f2c11").bytes
_SHOWN_TIERS = ("main", "secondary")
_TOLD = (
    "user_id",
    "source",
    "type",
    "event_time",
    "event_end",
    "granularity",
    "observed_time",
    "title",
    "content",
    "importance",
    "confidence",
    "source_ref",
    "participants",
    "location",
    "status",
    "due",
    "owner",
    "merged_from",
    "merge_reason",
)
"""The columns that an item shows as they are, instants in the zone of the answer."""

_NAMED = frozenset({*NAMES, "user_id", "source"})
"""Columns that hold one of few names."""

_ITEMS = TypeAdapter(tuple[TimelineItem, ...])

_FACTORS = ("source_quality", "temporal_match", "semantic_match", "importance_match", "confidence_match")
_UNHAPPENED = ("planned", "cancelled")
_STRONG, _FAIR = 0.95, 0.8

_FACTOR_WORDS = {
    "temporal_match": ("时间正合所问", "时间大致相合", "时间只是沾边"),
    "semantic_match": ("正是所问的事", "与所问有些关系", "与所问关系不大"),
    "importance_match": ("要紧", "一般", "小事"),
    "source_quality": ("来源可靠", "来源尚可", "来源较弱"),
    "confidence_match": ("记得清楚", "大致清楚", "读得没把握"),
}
"""How each factor reads when it is strong, fair or weak."""


def display_tier(ranked_columns: Columns, ranking_weights: RankingWeights) -> Coded:
    """Where each item is shown: `main`, `secondary` or `hidden`, by its score and the two thresholds."""
    score, weights = ranked_columns["recall_score"], ranking_weights
    is_shown = {"main": score >= weights.main_threshold, "secondary": score >= weights.secondary_threshold}
    return named_by(is_shown, (*_SHOWN_TIERS, "hidden"), default="hidden")


def shown_items(
    ranked_columns: Columns,
    display_tier: Coded,
    limit: int,
    context_plan: ContextPlan,
    time_zone: str,
    explain: bool,
) -> tuple[TimelineItem, ...]:
    """The items that are sent, best first, at most `limit`, with times in the zone of the plan.

    Args:
        explain: whether each item carries its factors and the reason in words.
    """
    shown = ranked_columns.at(np.flatnonzero(display_tier.is_any(*_SHOWN_TIERS))[:limit])
    zone = zone_of(context_plan.time_zone or time_zone)
    told = {name: _values(shown, name, zone) for name in _TOLD}
    fields = told | {
        "timeline_item_id": list(map(_item_id, told["user_id"], told["source_ref"])),
        "recall_score": _rounded(shown["recall_score"]),
        "explanation": _explanations(shown, told["merged_from"]) if explain else [None] * len(shown),
    }
    return _ITEMS.validate_python(_rows(fields))


def _values(rows: Columns, name: str, zone: tzinfo) -> list[Any]:
    return rows.coded(name).tolist() if name in _NAMED else plain_values(rows[name], zone)


def _rounded(shares: Reals) -> list[float]:
    return [round(share, 6) for share in shares.tolist()]


def _rows(values_by_name: Mapping[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(values_by_name, row, strict=True)) for row in zip(*values_by_name.values(), strict=True)]


def _item_id(user_id: str, source_ref: str) -> str:
    """The UUID of a record by its name (version 5 of RFC 9562): what `uuid.uuid5` gives, in a third of the time."""
    name = f"{user_id}\n{source_ref}".encode()
    digest = bytearray(hashlib.sha1(_ITEM_NAMESPACE + name, usedforsecurity=False).digest()[:16])
    digest[6], digest[8] = digest[6] & 0x0F | 0x50, digest[8] & 0x3F | 0x80  # version and variant
    digits = digest.hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def _explanations(shown: Columns, merged_from: list[tuple[str, ...]]) -> list[ScoreExplanation]:
    factors = _rows({name: _rounded(shown[name]) for name in _FACTORS})
    return list(map(_explanation, factors, merged_from))


def _explanation(factors: Mapping[str, float], merged_from: tuple[str, ...]) -> ScoreExplanation:
    said = [
        words[0 if factors[name] >= _STRONG else 1 if factors[name] >= _FAIR else 2]
        for name, words in _FACTOR_WORDS.items()
    ]
    merged = [f"{len(merged_from)} 条记录说的是同一件事"] if merged_from else []
    return ScoreExplanation(**factors, reason="，".join([*said, *merged]))


def recall_groups(
    shown_items: tuple[TimelineItem, ...],
    context_plan: ContextPlan,
    search_ranges: SearchRanges,
    ranking_weights: RankingWeights,
) -> tuple[RecallGroup, ...]:
    """The shown items arranged as the plan asks, each group best first; an item stands in one group.

    By `importance` an AMBIGUOUS question is answered in `occurred_in_range` and `mentioned_or_planned`, which both
    stand there even when empty; every other in the tiers `main` and `secondary`. Days are named by date, in order;
    what has no event time stands on the day on which it was told.
    """
    match context_plan.output.group_by:
        case "importance" if context_plan.temporal_mode == "AMBIGUOUS":
            return _occurred_and_told(shown_items, search_ranges)
        case "importance":
            main = ranking_weights.main_threshold
            return _grouped(shown_items, lambda item: "main" if item.recall_score >= main else "secondary")
        case "day":
            return _grouped(shown_items, lambda item: (item.event_time or item.observed_time).date().isoformat())
        case "source":
            return _grouped(shown_items, lambda item: item.source)
        case "type":
            return _grouped(shown_items, lambda item: item.type)
        case _:
            return ()


def _grouped(items: Iterable[TimelineItem], label: Callable[[TimelineItem], str]) -> tuple[RecallGroup, ...]:
    by_label = sorted(items, key=label)
    return tuple(RecallGroup(label=name, items=tuple(members)) for name, members in groupby(by_label, key=label))


def _occurred_and_told(items: tuple[TimelineItem, ...], ranges: SearchRanges) -> tuple[RecallGroup, ...]:
    occurred = [item for item in items if _has_occurred(item, ranges.event_wide)]
    told = [item for item in items if not _has_occurred(item, ranges.event_wide)]
    return (
        RecallGroup(label="occurred_in_range", items=tuple(occurred)),
        RecallGroup(label="mentioned_or_planned", items=tuple(told)),
    )


def _has_occurred(item: TimelineItem, span: Range | None) -> bool:
    """Whether the item's event time, or without one the time of telling, meets `span`, and it came about."""
    if span is None or item.status in _UNHAPPENED:
        return False
    start = item.event_time or item.observed_time
    return start < span.end and (start >= span.start or (item.event_end is not None and item.event_end > span.start))


def recall_stats(
    shown_items: tuple[TimelineItem, ...],
    candidate_columns: Columns,
    source_outcomes: list[SourceOutcome],
    context_plan: ContextPlan,
) -> RecallStats:
    """What was asked of which source, what came, and what was left out."""
    failed = tuple(SourceFailure(source=o.source, code=o.failure) for o in source_outcomes if o.failure)
    capped = tuple(o.source for o in source_outcomes if o.is_capped)
    return RecallStats(
        sources_queried=tuple(o.source for o in source_outcomes),
        raw_count=sum(o.record_count for o in source_outcomes),
        deduped_count=len(candidate_columns),
        returned_count=len(shown_items),
        partial=bool(failed or capped),
        skipped=context_plan.context_needs.temporal_recall == "SKIP",
        sources_failed=failed,
        sources_capped=capped,
        issues=_issue_counts(source_outcomes),
    )


def _issue_counts(outcomes: list[SourceOutcome]) -> tuple[IssueCount, ...]:
    found = sorted((issue.source, issue.code) for outcome in outcomes for issue in outcome.issues)
    return tuple(IssueCount(source=s, code=c, count=len(list(same))) for (s, c), same in groupby(found))


def recall_bundle(
    shown_items: tuple[TimelineItem, ...],
    recall_groups: tuple[RecallGroup, ...],
    recall_stats: RecallStats,
    context_plan: ContextPlan,
    search_ranges: SearchRanges,
) -> RecallBundle:
    """The answer: `items` is the flat ranked list, `groups` the same arranged, `timeline` their ids in time order."""
    in_time = sorted(shown_items, key=lambda item: (item.event_time or item.observed_time, item.source_ref))
    return RecallBundle(
        query_type=context_plan.query_type,
        temporal_mode=context_plan.temporal_mode,
        time_range=_answered_range(search_ranges),
        time_note=search_ranges.note,
        groups=recall_groups,
        items=shown_items,
        timeline=tuple(item.timeline_item_id for item in in_time) if context_plan.output.timeline else (),
        stats=recall_stats,
        plan=context_plan,
    )


def _answered_range(ranges: SearchRanges) -> Range | None:
    """The core range of the mode's own axis; none where the question named no time."""
    if ranges.is_horizon:
        return None
    return ranges.event_core if ranges.axis == "event" else ranges.mention_core
