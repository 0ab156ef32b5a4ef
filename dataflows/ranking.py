"""How well each item answers the question: five factors, their product, and the ranked timeline.

Of the question, ranking knows the plan and its search ranges only.
"""

from __future__ import annotations

from datetime import datetime

import numpy as np
import pandas as pd

from temporal_recall.dataflows.language.grams import text_grams
from temporal_recall.schemas.frames import DEDUPLICATED_TIMELINE, RANKED_TIMELINE, checked
from temporal_recall.schemas.plan import ContextPlan, Range, SearchRanges
from temporal_recall.schemas.settings import RankingWeights, SourceSettings

_HAPPENING_MODES = ("OCCURRED_IN", "AMBIGUOUS")
_PLAN_TYPES = ("event", "todo", "commitment")


def candidate_timeline(
    context_plan: ContextPlan, timeline: pd.DataFrame, deduplicated_timeline: pd.DataFrame
) -> pd.DataFrame:
    """The items to rank: merged, or one a record where the plan asks for no merging (contract of the merged)."""
    if context_plan.output.dedupe:
        return deduplicated_timeline
    return checked(
        timeline.assign(merged_from=[()] * len(timeline), merge_reason=pd.Series(pd.NA, timeline.index, "str")),
        DEDUPLICATED_TIMELINE,
    )


def current_status(candidate_timeline: pd.DataFrame, now: datetime) -> pd.Series:
    """The status of each item at `now`: what was planned and is past counts as completed, unless it was owed."""
    end = candidate_timeline["event_end"].fillna(candidate_timeline["event_time"])
    is_past_plan = candidate_timeline["status"].eq("planned") & end.le(pd.Timestamp(now)) & ~candidate_timeline["due"]
    return candidate_timeline["status"].mask(is_past_plan & candidate_timeline["type"].eq("event"), "completed")


def source_quality(
    candidate_timeline: pd.DataFrame,
    context_plan: ContextPlan,
    source_settings: SourceSettings,
    ranking_weights: RankingWeights,
) -> pd.Series:
    """How far the source of each item is trusted for this question, in [0, 1]: its reliability, moved by the plan."""
    reliability = candidate_timeline["source"].map(source_settings.reliability_by_source).fillna(0.5).astype(float)
    weight = candidate_timeline["source"].map(context_plan.sources).fillna(1.0).astype(float)
    return _calibrated(reliability * (0.5 + 0.5 * weight), ranking_weights.source_floor).rename("source_quality")


def temporal_match(
    candidate_timeline: pd.DataFrame,
    current_status: pd.Series,
    context_plan: ContextPlan,
    search_ranges: SearchRanges,
    ranking_weights: RankingWeights,
) -> pd.Series:
    """How well the time of each item fits the ranges of the question, in [0, 1]; 0 is outside."""
    w = ranking_weights
    observed = _range_match(
        candidate_timeline["observed_time"], None, search_ranges.mention_core, search_ranges.mention_wide, w
    )
    event = _range_match(
        candidate_timeline["event_time"],
        candidate_timeline["event_end"],
        search_ranges.event_core,
        search_ranges.event_wide,
        w,
    )
    if search_ranges.axis == "observed":
        return observed.rename("temporal_match")
    undated = _range_match(
        candidate_timeline["observed_time"], None, search_ranges.event_core, search_ranges.event_wide, w
    )
    is_dated = candidate_timeline["event_time"].notna()
    known = event.where(is_dated, undated * w.undated_match)
    if context_plan.temporal_mode == "AMBIGUOUS":
        known = np.maximum(known, observed * w.wide_match)
    return known.rename("temporal_match")


def _range_match(
    start: pd.Series, end: pd.Series | None, core: Range | None, wide: Range | None, weights: RankingWeights
) -> pd.Series:
    is_core, is_wide = _is_inside(start, end, core), _is_inside(start, end, wide)
    return pd.Series(np.where(is_core, 1.0, np.where(is_wide, weights.wide_match, 0.0)), index=start.index)


def _is_inside(start: pd.Series, end: pd.Series | None, span: Range | None) -> pd.Series:
    if span is None:
        return pd.Series(False, index=start.index)
    is_inside = start.ge(pd.Timestamp(span.start)) & start.lt(pd.Timestamp(span.end))
    if end is None:
        return is_inside
    return is_inside | (start.lt(pd.Timestamp(span.end)) & end.gt(pd.Timestamp(span.start)))


def semantic_match(
    candidate_timeline: pd.DataFrame, context_plan: ContextPlan, ranking_weights: RankingWeights
) -> pd.Series:
    """How well each item fits what the question is about, in [0, 1]: its type, and its words where topics are named."""
    weight_by_type = {t.type: t.weight for t in context_plan.targets}
    by_type = _target_weight(candidate_timeline, weight_by_type)
    topics = [*context_plan.topics, *context_plan.people]
    by_words = _topic_match(candidate_timeline, topics) if topics else 1.0
    return _calibrated(by_type * by_words, ranking_weights.semantic_floor).rename("semantic_match")


def _target_weight(items: pd.DataFrame, weight_by_type: dict[str, float]) -> pd.Series:
    weight = items["type"].map(weight_by_type)
    weight = weight.mask(
        items["is_stated"],
        weight.combine(pd.Series(weight_by_type.get("calendar_event", np.nan), items.index), np.fmax),
    )
    is_plan = items["type"].eq("event") & items["status"].eq("planned")
    weight = weight.mask(
        is_plan, weight.combine(pd.Series(weight_by_type.get("schedule", np.nan), items.index), np.fmax)
    )
    default = 1.0 if not weight_by_type else 0.3
    return (
        weight.astype(float)
        .fillna(default)
        .mask(items["type"].eq("mention") & ~pd.Series("mention" in weight_by_type, items.index), 0.2)
    )


def _topic_match(items: pd.DataFrame, topics: list[str]) -> pd.Series:
    texts = (
        items["title"]
        + "\n"
        + items["content"]
        + "\n"
        + items["location"].fillna("")
        + "\n"
        + items["participants"].map(" ".join)
    )
    grams, wanted = text_grams(texts.tolist()), text_grams(topics)
    share = np.zeros(len(items))
    for _, topic in wanted.groupby("row"):
        hit = grams["row"][grams["gram"].isin(topic["gram"])].to_numpy()
        share = np.maximum(share, np.bincount(hit, minlength=len(items)) / len(topic))
    return pd.Series(share, index=items.index)


def importance_match(candidate_timeline: pd.DataFrame, ranking_weights: RankingWeights) -> pd.Series:
    """How much each item matters, in [0, 1]."""
    return _calibrated(candidate_timeline["importance"], ranking_weights.importance_floor).rename("importance_match")


def confidence_match(candidate_timeline: pd.DataFrame, ranking_weights: RankingWeights) -> pd.Series:
    """How sure the reading of each item is, in [0, 1]."""
    return _calibrated(candidate_timeline["confidence"], ranking_weights.confidence_floor).rename("confidence_match")


def recall_score(
    source_quality: pd.Series,
    temporal_match: pd.Series,
    semantic_match: pd.Series,
    importance_match: pd.Series,
    confidence_match: pd.Series,
) -> pd.Series:
    """The product of the five factors, in [0, 1]."""
    score = source_quality * temporal_match * semantic_match * importance_match * confidence_match
    return score.rename("recall_score")


def is_wanted(candidate_timeline: pd.DataFrame, current_status: pd.Series, context_plan: ContextPlan) -> pd.Series:
    """Whether each item passes the hard conditions of the question: importance, status, and what its mode rules out."""
    filters, mode = context_plan.filters, context_plan.temporal_mode
    is_wanted = pd.Series(True, index=candidate_timeline.index)
    if filters.importance_min is not None:
        is_wanted &= candidate_timeline["importance"].ge(filters.importance_min)
    if filters.status == "unresolved":
        is_wanted &= candidate_timeline["type"].isin(_PLAN_TYPES) & ~current_status.isin(("completed", "cancelled"))
    elif filters.status is not None:
        is_wanted &= current_status.eq(filters.status)
    if mode in ("OCCURRED_IN", "PLANNED_IN") and not (context_plan.topics or context_plan.people):
        is_wanted &= current_status.ne("cancelled")
    if mode == "DUE_IN":
        is_wanted &= candidate_timeline["due"] | candidate_timeline["type"].isin(("todo", "commitment"))
    return is_wanted.rename("is_wanted")


def ranked_timeline(
    candidate_timeline: pd.DataFrame,
    current_status: pd.Series,
    is_wanted: pd.Series,
    source_quality: pd.Series,
    temporal_match: pd.Series,
    semantic_match: pd.Series,
    importance_match: pd.Series,
    confidence_match: pd.Series,
    recall_score: pd.Series,
) -> pd.DataFrame:
    """The items that answer the question, best first (contract `RANKED_TIMELINE`); empty when none does."""
    factors = (source_quality, temporal_match, semantic_match, importance_match, confidence_match, recall_score)
    scored = candidate_timeline.assign(status=current_status, **{str(f.name): f for f in factors})
    kept = scored[is_wanted & recall_score.gt(0)]
    order = ["recall_score", "event_time", "observed_time", "source_ref"]
    ranked = kept.sort_values(order, ascending=[False, True, True, True], na_position="last", ignore_index=True)
    return checked(ranked, RANKED_TIMELINE)


def _calibrated(raw: pd.Series, floor: float) -> pd.Series:
    return floor + (1.0 - floor) * raw
