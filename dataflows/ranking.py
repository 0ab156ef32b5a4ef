"""How well each item answers the question: five factors, their product, and the ranked timeline.

Of the question, ranking knows the plan and its search ranges only. Each factor is a Series over the candidates, in
[0, 1], and is calibrated so that a score of 0.75 is worth showing first and one below 0.50 is not.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import numpy as np
import pandas as pd

from temporal_recall.dataflows.language.topics import term_coverage
from temporal_recall.schemas.frames import DEDUPLICATED_TIMELINE, RANKED_TIMELINE, checked
from temporal_recall.schemas.plan import ContextPlan, Range, SearchRanges
from temporal_recall.schemas.settings import RankingWeights, SourceSettings
from temporal_recall.schemas.user import UserSnapshot

_OWED_TYPES = ("todo", "commitment")
_HAPPENING_MODES = ("OCCURRED_IN", "AMBIGUOUS")
_NAMED, _UNNAMED, _HINTED = 0.6, 0.4, 0.2
_DAY = pd.Timedelta(days=1)
_MINUTE = pd.Timedelta(minutes=1)


def candidate_timeline(
    context_plan: ContextPlan, unmerged_timeline: pd.DataFrame, deduplicated_timeline: pd.DataFrame
) -> pd.DataFrame:
    """The items to rank (contract `DEDUPLICATED_TIMELINE`): merged, or one a record where the plan wants no merging."""
    return checked(deduplicated_timeline if context_plan.output.dedupe else unmerged_timeline, DEDUPLICATED_TIMELINE)


def current_status(candidate_timeline: pd.DataFrame, now: datetime) -> pd.Series:
    """The status of each item at `now`: an event that was planned and is past counts as completed.

    What is owed stays planned until somebody says that it is done.
    """
    items = candidate_timeline
    end = items["event_end"].fillna(items["event_time"])
    is_past = items["type"].eq("event") & items["status"].eq("planned") & ~items["due"] & end.le(pd.Timestamp(now))
    return items["status"].mask(is_past, "completed").rename("current_status")


def source_quality(
    candidate_timeline: pd.DataFrame,
    context_plan: ContextPlan,
    source_settings: SourceSettings,
    ranking_weights: RankingWeights,
) -> pd.Series:
    """How far the source of each item is trusted for this question: its reliability, moved by the plan's weight."""
    reliability = candidate_timeline["source"].map(source_settings.reliability_by_source).fillna(0.5)
    weight = candidate_timeline["source"].map(context_plan.sources).astype("float64")
    share = (weight / max(context_plan.sources.values(), default=1.0)).fillna(1.0)
    raw = reliability.astype("float64") * share
    return _calibrated(raw, ranking_weights.source_floor).rename("source_quality")


def temporal_match(
    candidate_timeline: pd.DataFrame,
    context_plan: ContextPlan,
    search_ranges: SearchRanges,
    now: datetime,
    ranking_weights: RankingWeights,
) -> pd.Series:
    """How well the time of each item fits the question's ranges; 0 where it lies outside.

    An event time is judged if there is one; else the time of telling stands in, a little lower, and fades over the
    days after the range. What is long overdue fades too. Questions of telling judge the time of telling alone; an
    AMBIGUOUS one takes the better.
    """
    items, ranges, weights = candidate_timeline, search_ranges, ranking_weights
    told = _told_match(items, ranges.mention_core, ranges.mention_wide, weights)
    if ranges.axis == "observed":
        return told.rename("temporal_match")
    if context_plan.temporal_mode in _HAPPENING_MODES:
        items = _as_done(items)
    happens = _happening_match(items, ranges, weights).where(
        items["event_time"].notna(), _late_match(items, ranges, weights)
    )
    happens = happens.mask(_is_excluded(items, ranges), 0.0) * _freshness(items, context_plan, now, weights)
    is_either = context_plan.temporal_mode == "AMBIGUOUS"
    match = happens.clip(lower=told * weights.told_match) if is_either else happens
    return match.rename("temporal_match")


def _as_done(items: pd.DataFrame) -> pd.DataFrame:
    """The items with what was owed at the time at which it was done, not at which it was due."""
    is_done = items["due"] & items["done_time"].notna()
    return items.assign(
        event_time=items["event_time"].mask(is_done, items["done_time"]), event_end=items["event_end"].mask(is_done)
    )


def _told_match(items: pd.DataFrame, core: Range | None, wide: Range | None, weights: RankingWeights) -> pd.Series:
    """1 where a record of the item was made in the core, `wide_match` in the wide range, else 0."""
    first, last = items["first_observed_time"], items["last_observed_time"]
    is_core = _starts_in(first, core) | _starts_in(last, core)
    is_wide = _starts_in(first, wide) | _starts_in(last, wide)
    return pd.Series(np.where(is_core, 1.0, np.where(is_wide, weights.wide_match, 0.0)), index=items.index)


def _happening_match(items: pd.DataFrame, ranges: SearchRanges, weights: RankingWeights) -> pd.Series:
    """1 inside the core, `wide_match` inside the wide range, lower for what spans days beyond it, else 0."""
    start = items["event_time"]
    end = items["event_end"].where(items["event_end"].gt(start), start + _MINUTE)
    match = np.where(
        _meets(start, end, ranges.event_core),
        1.0,
        np.where(_meets(start, end, ranges.event_wide), weights.wide_match, 0.0),
    )
    is_long = (end - start).gt(_DAY) & ~_lies_in(start, end, ranges.event_wide)
    return pd.Series(match, index=items.index) * np.where(is_long, weights.span_match, 1.0)


def _late_match(items: pd.DataFrame, ranges: SearchRanges, weights: RankingWeights) -> pd.Series:
    """How likely something without a time, told in or after the range, happened in it."""
    if ranges.event_wide is None:
        return pd.Series(0.0, index=items.index)
    told = items["observed_time"]
    days_after = ((told - pd.Timestamp(ranges.event_wide.end)) / _DAY).clip(lower=0.0)
    fading = np.exp2(-days_after / weights.undated_half_life_days)
    return pd.Series(fading * weights.undated_match, index=items.index).where(
        told.ge(pd.Timestamp(ranges.event_wide.start)), 0.0
    )


def _freshness(items: pd.DataFrame, plan: ContextPlan, now: datetime, weights: RankingWeights) -> pd.Series:
    """How likely something owed is still open: what was due long ago and not heard of since has mostly been dropped."""
    if plan.filters.status != "unresolved":
        return pd.Series(1.0, index=items.index)
    last_word = items["event_time"].fillna(items["last_observed_time"])
    overdue_days = (pd.Timestamp(now) - last_word).dt.total_seconds().clip(lower=0.0) / _DAY.total_seconds()
    freshness: pd.Series = np.exp2(-overdue_days / weights.overdue_half_life_days)
    return freshness


def _is_excluded(items: pd.DataFrame, ranges: SearchRanges) -> pd.Series:
    instant = items["event_time"].fillna(items["observed_time"])
    is_excluded = pd.Series(False, index=items.index)
    for span in ranges.excluded:
        is_excluded |= _starts_in(instant, span)
    return is_excluded


def _starts_in(start: pd.Series, span: Range | None) -> pd.Series:
    if span is None:
        return pd.Series(False, index=start.index)
    return start.ge(pd.Timestamp(span.start)) & start.lt(pd.Timestamp(span.end))


def _meets(start: pd.Series, end: pd.Series, span: Range | None) -> pd.Series:
    if span is None:
        return pd.Series(False, index=start.index)
    return start.lt(pd.Timestamp(span.end)) & end.gt(pd.Timestamp(span.start))


def _lies_in(start: pd.Series, end: pd.Series, span: Range | None) -> pd.Series:
    if span is None:
        return pd.Series(False, index=start.index)
    return start.ge(pd.Timestamp(span.start)) & end.le(pd.Timestamp(span.end))


def kind_match(
    candidate_timeline: pd.DataFrame, context_plan: ContextPlan, ranking_weights: RankingWeights
) -> pd.Series:
    """How much each item is of the kinds that the question looks for, by the plan's targets (DESIGN 4.9).

    `calendar_event` is what a calendar stated, `schedule` a planned event, `mention` (asked when something was told)
    whatever was told, the others are item types. Asked for what happened, a decision and a debt that was settled are
    events too. A kind that no target names counts `other_kind_match`; a mere mention and an assistant's words count
    `mention_match`.
    """
    items, weights = candidate_timeline, {t.type: t.weight for t in context_plan.targets}
    if not weights:
        return pd.Series(1.0, index=items.index, name="kind_match")
    kind = _kinds_asked(items, context_plan)
    is_event = kind.eq("event")
    worth: list[Any] = [
        kind.map(weights).astype("float64").fillna(0.0),
        np.where(is_event & items["is_stated"], weights.get("calendar_event", 0.0), 0.0),
        np.where(is_event & items["status"].isin(("planned", "unknown")), weights.get("schedule", 0.0), 0.0),
        np.full(len(items), weights.get("mention", 0.0) if context_plan.temporal_mode == "MENTIONED_IN" else 0.0),
    ]
    named = np.maximum.reduce(worth)
    match = np.where(named > 0, named, ranking_weights.other_kind_match)
    is_mere = kind.eq("mention") & ("mention" not in weights) | items["role"].eq("assistant").fillna(False)
    return pd.Series(np.where(is_mere, ranking_weights.mention_match, match), index=items.index, name="kind_match")


def _kinds_asked(items: pd.DataFrame, plan: ContextPlan) -> pd.Series:
    """The type of each item as the question's mode sees it."""
    is_done_debt = items["type"].isin(_OWED_TYPES) & items["status"].eq("completed")
    if plan.temporal_mode in _HAPPENING_MODES:
        return items["type"].mask(is_done_debt | items["type"].eq("decision"), "event")
    kind = items["type"].mask(is_done_debt & ~items["due"], "event")
    return kind.mask(kind.eq("event"), "deed") if plan.temporal_mode == "DUE_IN" else kind


def topic_match(candidate_timeline: pd.DataFrame, context_plan: ContextPlan, temporal_match: pd.Series) -> pd.Series:
    """How much of the question's topics and people each item names; 1 for all where the question names none.

    Where no item in range names any of them, words tell nothing of these items, and each counts the same. Where what
    happened names them by kindred words only, they may be but the circumstance (加班都干了什么): the rest counts a
    little.
    """
    terms = (*context_plan.topics, *context_plan.people)
    if not terms or candidate_timeline.empty:
        return pd.Series(1.0, index=candidate_timeline.index, name="topic_match")
    coverage = term_coverage(candidate_timeline["words"].tolist(), terms)
    match = (coverage.max(axis=1) + coverage.mean(axis=1)) / 2.0
    best = coverage[temporal_match.gt(0).to_numpy()].max(initial=0.0)
    is_circumstance = best < 1.0 and context_plan.temporal_mode in _HAPPENING_MODES
    least = _UNNAMED if best < _NAMED else _HINTED if is_circumstance else 0.0
    return pd.Series(np.maximum(match if best >= _NAMED else 0.0, least), candidate_timeline.index, name="topic_match")


def semantic_match(kind_match: pd.Series, topic_match: pd.Series, ranking_weights: RankingWeights) -> pd.Series:
    """How well each item fits what the question is about: its kind, and its words where topics are named."""
    kind = _calibrated(kind_match, ranking_weights.kind_floor)
    return (kind * _calibrated(topic_match, ranking_weights.topic_floor)).rename("semantic_match")


def importance_match(
    candidate_timeline: pd.DataFrame, ranking_weights: RankingWeights, user_snapshot: UserSnapshot | None = None
) -> pd.Series:
    """How much each item matters: its own importance, raised where it names a project or a person close to the user."""
    importance = candidate_timeline["importance"]
    if user_snapshot is not None and len(candidate_timeline):
        names = (*user_snapshot.active_projects, *user_snapshot.people)
        is_close = term_coverage(candidate_timeline["words"].tolist(), names).max(axis=1, initial=0.0) == 1.0
        importance = (importance + np.where(is_close, ranking_weights.snapshot_lift, 0.0)).clip(upper=1.0)
    return _calibrated(importance, ranking_weights.importance_floor).rename("importance_match")


def confidence_match(candidate_timeline: pd.DataFrame, ranking_weights: RankingWeights) -> pd.Series:
    """How sure the reading of each item is."""
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


def is_wanted(
    candidate_timeline: pd.DataFrame, current_status: pd.Series, context_plan: ContextPlan, now: datetime
) -> pd.Series:
    """Whether each item passes what the question rules out: by importance, by status, and by its mode."""
    items, filters = candidate_timeline, context_plan.filters
    is_wanted = items["importance"].ge(filters.importance_min or 0.0) & _has_status(
        items, current_status, filters.status
    )
    return (is_wanted & _suits_mode(items, current_status, context_plan, pd.Timestamp(now))).rename("is_wanted")


def _has_status(items: pd.DataFrame, status: pd.Series, wanted: str | None) -> pd.Series:
    if wanted is None:
        return pd.Series(True, index=items.index)
    if wanted == "unresolved":
        return items["type"].isin((*_OWED_TYPES, "event")) & ~status.isin(("completed", "cancelled"))
    return status.eq(wanted)


def _suits_mode(items: pd.DataFrame, status: pd.Series, plan: ContextPlan, now: pd.Timestamp) -> pd.Series:
    """What a mode rules out whatever the score: what never happened, what is off, what others do, what is not owed."""
    is_about_something = bool(plan.topics or plan.people)
    is_on = status.ne("cancelled") | (plan.filters.status == "cancelled")
    is_mine = items["owner"].eq("self") | bool(plan.people)
    is_owed, is_done = items["due"] | items["type"].isin(_OWED_TYPES), status.eq("completed")
    was_ahead = items["event_time"].gt(items["first_observed_time"])
    match plan.temporal_mode:
        case "OCCURRED_IN":
            has_come = items["event_time"].isna() | items["event_time"].le(now) | is_done
            return is_on & is_mine & has_come & (~is_owed | is_done)
        case "PLANNED_IN":
            return (is_on | is_about_something) & is_mine & was_ahead & ~(is_owed & is_done)
        case "DUE_IN":
            return is_on & is_mine & (is_owed | status.eq("planned"))
        case "CREATED_IN":
            return (is_on & is_mine) | is_about_something
        case "AMBIGUOUS":
            return is_on | is_about_something
        case _:
            return pd.Series(True, index=items.index)


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
