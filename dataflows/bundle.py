"""The answer as it is sent: tiers, groups, stats, and the items as models."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

import pandas as pd

from temporal_recall.schemas.bundle import (
    IssueCount,
    RecallBundle,
    RecallGroup,
    RecallStats,
    SourceFailure,
    TimelineItem,
)
from temporal_recall.schemas.evidence import SourceOutcome
from temporal_recall.schemas.plan import ContextPlan, Range, SearchRanges
from temporal_recall.schemas.settings import RankingWeights
from temporal_recall.schemas.time import zone_of

_ITEM_NAMESPACE = uuid.UUID("8f0f6d0e-6f0a-5d2b-9a57-0d5d3a1f2c11")


def display_tier(ranked_timeline: pd.DataFrame, ranking_weights: RankingWeights) -> pd.Series:
    """Where each item is shown: `main`, `secondary` or `hidden`, by its score and the two thresholds."""
    score = ranked_timeline["recall_score"]
    tier = pd.Series("hidden", index=score.index, dtype="str")
    tier = tier.mask(score.ge(ranking_weights.secondary_threshold), "secondary")
    return tier.mask(score.ge(ranking_weights.main_threshold), "main").rename("display_tier")


def shown_items(
    ranked_timeline: pd.DataFrame,
    display_tier: pd.Series,
    limit: int,
    context_plan: ContextPlan,
    time_zone: str,
    explain: bool,
) -> tuple[TimelineItem, ...]:
    """The items that are sent, best first, at most `limit`; times in the zone of the plan."""
    shown = ranked_timeline[display_tier.ne("hidden")].head(limit)
    zone = zone_of(context_plan.time_zone or time_zone)
    return tuple(_item(row, zone) for row in shown.to_dict("records"))


def _item(row: dict[str, Any], zone: Any) -> TimelineItem:
    def local(instant: Any) -> datetime | None:
        return None if pd.isna(instant) else instant.tz_convert(zone).to_pydatetime()

    def known(value: Any) -> Any:
        return None if pd.isna(value) else value

    return TimelineItem(
        timeline_item_id=str(uuid.uuid5(_ITEM_NAMESPACE, f"{row['user_id']}\n{row['source_ref']}")),
        user_id=row["user_id"],
        source=row["source"],
        type=row["type"],
        event_time=local(row["event_time"]),
        event_end=local(row["event_end"]),
        granularity=known(row["granularity"]),
        observed_time=local(row["observed_time"]),
        title=row["title"],
        content=row["content"],
        importance=row["importance"],
        confidence=row["confidence"],
        recall_score=row["recall_score"],
        source_ref=row["source_ref"],
        participants=tuple(row["participants"]),
        location=known(row["location"]),
        status=row["status"],
        due=row["due"],
        owner=row["owner"],
        merged_from=tuple(row["merged_from"]),
        merge_reason=known(row["merge_reason"]),
    )


def recall_groups(
    shown_items: tuple[TimelineItem, ...], context_plan: ContextPlan, search_ranges: SearchRanges
) -> tuple[RecallGroup, ...]:
    """The shown items arranged as the plan asks; an item stands in one group."""
    if context_plan.temporal_mode != "AMBIGUOUS":
        return ()
    occurred = tuple(i for i in shown_items if _has_occurred(i, search_ranges))
    told = tuple(i for i in shown_items if not _has_occurred(i, search_ranges))
    return (
        RecallGroup(label="occurred_in_range", items=occurred),
        RecallGroup(label="mentioned_or_planned", items=told),
    )


def _has_occurred(item: TimelineItem, ranges: SearchRanges) -> bool:
    span = ranges.event_wide
    instant = item.event_time or item.observed_time
    return span is not None and span.start <= instant < span.end and item.status != "planned"


def recall_stats(
    shown_items: tuple[TimelineItem, ...],
    timeline: pd.DataFrame,
    candidate_timeline: pd.DataFrame,
    source_outcomes: list[SourceOutcome],
    context_plan: ContextPlan,
) -> RecallStats:
    """What was asked of which source, what came, and what was left out."""
    failed = tuple(SourceFailure(source=o.source, code=o.failure) for o in source_outcomes if o.failure)
    capped = tuple(o.source for o in source_outcomes if o.is_capped)
    counted = pd.Series([(i.source, i.code) for o in source_outcomes for i in o.issues], dtype=object).value_counts()
    return RecallStats(
        sources_queried=tuple(o.source for o in source_outcomes),
        raw_count=len(timeline),
        deduped_count=len(candidate_timeline),
        returned_count=len(shown_items),
        partial=bool(failed or capped),
        skipped=context_plan.context_needs.temporal_recall == "SKIP",
        sources_failed=failed,
        sources_capped=capped,
        issues=tuple(IssueCount(source=s, code=c, count=n) for (s, c), n in sorted(counted.items())),
    )


def recall_bundle(
    shown_items: tuple[TimelineItem, ...],
    recall_groups: tuple[RecallGroup, ...],
    recall_stats: RecallStats,
    context_plan: ContextPlan,
    search_ranges: SearchRanges,
) -> RecallBundle:
    """The answer; `items` is the flat ranked list, `groups` the same items arranged."""
    in_time = sorted(shown_items, key=lambda i: (i.event_time or i.observed_time, i.source_ref))
    return RecallBundle(
        query_type=context_plan.query_type,
        temporal_mode=context_plan.temporal_mode,
        time_range=_answered_range(search_ranges),
        time_note=search_ranges.note,
        groups=recall_groups,
        items=shown_items,
        timeline=tuple(i.timeline_item_id for i in in_time) if context_plan.output.timeline else (),
        stats=recall_stats,
        plan=context_plan,
    )


def _answered_range(ranges: SearchRanges) -> Range | None:
    if ranges.is_horizon:
        return None
    return ranges.event_core if ranges.axis == "event" else ranges.mention_core
