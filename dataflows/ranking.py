"""How well each item answers the question: five factors, their product, and the ranked timeline.

Of the question, ranking knows the plan and its search ranges only. Each factor is an array over the candidates, in
[0, 1], and is calibrated so that a score of 0.75 is worth showing first and one below 0.50 is not.
"""

from __future__ import annotations

from datetime import datetime

import numpy as np
import pandas as pd

from temporal_recall.dataflows.columns import (
    NO_INSTANT,
    Flags,
    Instants,
    Reals,
    instant,
    places_in,
    plain_values,
)
from temporal_recall.dataflows.language.topics import FAMILY_COVERAGE, term_coverage
from temporal_recall.dataflows.matching.evidence import PairEvidence
from temporal_recall.dataflows.matching.facts import RowFacts
from temporal_recall.dataflows.matching.merging import Members, merged_items
from temporal_recall.dataflows.runs import Positions
from temporal_recall.schemas.columns import Coded, Columns, Named, given, taken
from temporal_recall.schemas.frames import DEDUPLICATED_TIMELINE, RANKED_TIMELINE
from temporal_recall.schemas.plan import ContextPlan, Range, SearchRanges
from temporal_recall.schemas.sentences import SentenceEncoder
from temporal_recall.schemas.settings import RankingWeights, SourceSettings
from temporal_recall.schemas.user import UserSnapshot

_OWED_TYPES = ("todo", "commitment")
_HAPPENING_MODES = ("OCCURRED_IN", "AMBIGUOUS")
_KINDS = ("event", "todo", "decision", "mention", "commitment")
_EVENT, _DECISION, _DEED = 0, 2, -1
_OWED_KINDS = (1, 4)
_UNKNOWN_RELIABILITY = 0.5
_NAMED, _UNNAMED, _HINTED = 0.6, 0.4, 0.2
_NAMES_BUT_PART = 0.8
_MOST_ENCODED = 128
_DAY = np.timedelta64(1, "D")
_MINUTE = np.timedelta64(1, "m")


def candidate_columns(
    context_plan: ContextPlan,
    deduplicated_columns: Columns,
    timeline_columns: Columns,
    row_facts: RowFacts,
    pair_evidence: PairEvidence,
) -> Columns:
    """The items to rank (contract `DEDUPLICATED_TIMELINE`): merged, or one a record where the plan wants no merging."""
    if context_plan.output.dedupe:
        return deduplicated_columns
    nothing_merged = Members.none(len(timeline_columns))
    return merged_items(timeline_columns, row_facts, nothing_merged, pair_evidence)


def candidate_timeline(candidate_columns: Columns) -> pd.DataFrame:
    """`candidate_columns` as a frame (contract `DEDUPLICATED_TIMELINE`)."""
    return candidate_columns.frame(DEDUPLICATED_TIMELINE)


def current_status(candidate_columns: Columns, now: datetime) -> Coded:
    """The status of each item at `now`: an event that was planned and is past counts as completed.

    What is owed stays planned until somebody says that it is done.
    """
    items, status = candidate_columns, candidate_columns.coded("status")
    start, end = items["event_time"], items["event_end"]
    has_passed = np.where(np.isnat(end), start, end) <= instant(now)
    is_plan = items.coded("type").is_any("event") & status.is_any("planned") & ~items["due"]
    return status.replaced(is_plan & has_passed, "completed")


def source_trust(candidate_columns: Columns, context_plan: ContextPlan, source_settings: SourceSettings) -> Reals:
    """How far the source of each item is trusted for this question: its reliability, moved by the plan's weight."""
    reliability, most = source_settings.reliability_by_source, max(context_plan.sources.values(), default=0.0)
    share = {name: weight / most for name, weight in context_plan.sources.items()} if most else {}
    names = tuple({**reliability, **share})
    trust = [reliability.get(name, _UNKNOWN_RELIABILITY) * share.get(name, 1.0) for name in names]
    return np.array([*trust, _UNKNOWN_RELIABILITY])[places_in(candidate_columns.coded("source"), names)]


def source_quality(source_trust: Reals, ranking_weights: RankingWeights) -> Reals:
    """How well each item is vouched for: the trust in its source."""
    return _calibrated(source_trust, ranking_weights.source_floor)


def temporal_match(
    candidate_columns: Columns,
    context_plan: ContextPlan,
    search_ranges: SearchRanges,
    now: datetime,
    ranking_weights: RankingWeights,
) -> Reals:
    """How well the time of each item fits the question's ranges; 0 where it lies outside.

    An event time is judged if there is one; else the time of telling stands in, a little lower, and fades over the
    days after the range. What is long overdue fades too. Who names a matter also means the one that was first to be in
    the range and has moved away. Questions of telling judge the time of telling alone; an AMBIGUOUS one takes the
    better.
    """
    items, ranges, weights = candidate_columns, search_ranges, ranking_weights
    if ranges.axis == "observed":
        return _told_match(items, ranges, weights)
    start, end = _happening(items, context_plan)
    observed, last_observed = items["observed_time"], items["last_observed_time"]
    is_undated = np.isnat(start)
    match = np.where(is_undated, _late_match(observed, ranges, weights), _happening_match(start, end, ranges, weights))
    if context_plan.topics:
        match = np.maximum(match, _moved_match(items, ranges, weights))
    match = np.where(_is_excluded(np.where(is_undated, observed, start), ranges), 0.0, match)
    if context_plan.filters.status == "unresolved":
        match = match * _freshness(np.where(is_undated, last_observed, start), now, weights)
    if context_plan.temporal_mode == "AMBIGUOUS":
        match = np.maximum(match, _told_match(items, ranges, weights) * weights.told_match)
    return match


def _happening(items: Columns, plan: ContextPlan) -> tuple[Instants, Instants]:
    """When each item begins and ends; asked for what happened, what was owed counts when it was done, not when due."""
    start, end = items["event_time"], items["event_end"]
    if plan.temporal_mode not in _HAPPENING_MODES:
        return start, end
    done = items["done_time"]
    is_done = items["due"] & ~np.isnat(done)
    return np.where(is_done, done, start), np.where(is_done, NO_INSTANT, end)


def _told_match(items: Columns, ranges: SearchRanges, weights: RankingWeights) -> Reals:
    """1 where a record of the item was made in the core, `wide_match` in the wide range, else 0."""
    first, last = items["first_observed_time"], items["last_observed_time"]
    is_core = _starts_in(first, ranges.mention_core) | _starts_in(last, ranges.mention_core)
    is_wide = _starts_in(first, ranges.mention_wide) | _starts_in(last, ranges.mention_wide)
    return np.where(is_core, 1.0, np.where(is_wide, weights.wide_match, 0.0))


def _happening_match(start: Instants, end: Instants, ranges: SearchRanges, weights: RankingWeights) -> Reals:
    """1 inside the core, `wide_match` inside the wide range, lower for what spans a day or more beyond it, else 0."""
    start, end = _lasting(start, end)
    is_core, is_wide = _meets(start, end, ranges.event_core), _meets(start, end, ranges.event_wide)
    match = np.where(is_core, 1.0, np.where(is_wide, weights.wide_match, 0.0))
    is_long = (end - start >= _DAY) & ~_lies_in(start, end, ranges.event_wide)
    return np.where(is_long, match * weights.span_match, match)


def _lasting(start: Instants, end: Instants) -> tuple[Instants, Instants]:
    """Start and end of each, at least a minute apart."""
    return start, np.where(end > start, end, start + _MINUTE)


def _moved_match(items: Columns, ranges: SearchRanges, weights: RankingWeights) -> Reals:
    """`moved_match` for what was first to be in the core, else 0."""
    return np.where(_starts_in(items["first_event_time"], ranges.event_core), weights.moved_match, 0.0)


def _late_match(observed: Instants, ranges: SearchRanges, weights: RankingWeights) -> Reals:
    """How likely something without a time, told in or after the range, happened in it."""
    if ranges.event_wide is None:
        return np.zeros(len(observed))
    days_after = np.maximum((observed - instant(ranges.event_wide.end)) / _DAY, 0.0)
    fading = np.exp2(-days_after / weights.undated_half_life_days) * weights.undated_match
    return np.where(observed >= instant(ranges.event_wide.start), fading, 0.0)


def _freshness(last_word: Instants, now: datetime, weights: RankingWeights) -> Reals:
    """How likely something owed is still open: what was due long ago and not heard of since has mostly been dropped."""
    overdue_days = np.maximum((instant(now) - last_word) / _DAY, 0.0)
    return np.exp2(-overdue_days / weights.overdue_half_life_days)


def _is_excluded(moments: Instants, ranges: SearchRanges) -> Flags:
    is_excluded = np.zeros(len(moments), dtype="bool")
    for span in ranges.excluded:
        is_excluded |= _starts_in(moments, span)
    return is_excluded


def _starts_in(start: Instants, span: Range | None) -> Flags:
    if span is None:
        return np.zeros(len(start), dtype="bool")
    return (start >= instant(span.start)) & (start < instant(span.end))


def _meets(start: Instants, end: Instants, span: Range | None) -> Flags:
    if span is None:
        return np.zeros(len(start), dtype="bool")
    return (start < instant(span.end)) & (end > instant(span.start))


def _lies_in(start: Instants, end: Instants, span: Range | None) -> Flags:
    if span is None:
        return np.zeros(len(start), dtype="bool")
    return (start >= instant(span.start)) & (end <= instant(span.end))


def target_weight(candidate_columns: Columns, context_plan: ContextPlan) -> Reals:
    """What the plan's targets give to each item, by its kind (DESIGN 4.9); 0 where none names it, 1 without targets.

    `calendar_event` is what a calendar stated, `schedule` a planned event, `mention` (asked when something was told)
    whatever was told, the others are item types. Asked for what happened, a decision and a debt that was settled are
    events too. Asked for what was settled or put on record, what had happened when it was told is none of these.
    """
    items = candidate_columns
    weights: dict[str, float] = {target.type: target.weight for target in context_plan.targets}
    if not weights:
        return np.ones(len(items))
    kind = _kinds_asked(items, context_plan)
    is_event, is_open = kind == _EVENT, items.coded("status").is_any("planned", "unknown")
    of_told = weights.get("mention", 0.0) if context_plan.temporal_mode == "MENTIONED_IN" else 0.0
    named = np.array([*(max(weights.get(name, 0.0), of_told) for name in _KINDS), of_told])[kind]
    stated = np.where(is_event & items["is_stated"], weights.get("calendar_event", 0.0), 0.0)
    planned = np.where(is_event & is_open, weights.get("schedule", 0.0), 0.0)
    return np.asarray(np.maximum.reduce([named, stated, planned]))


def _kinds_asked(items: Columns, plan: ContextPlan) -> Positions:
    """The kind of each item as the question's mode sees it: its place in `_KINDS`, or `_DEED`, which none asks for."""
    kind = places_in(items.coded("type"), _KINDS)
    is_done_debt = np.isin(kind, _OWED_KINDS) & items.coded("status").is_any("completed")
    if plan.temporal_mode in _HAPPENING_MODES:
        return np.where(is_done_debt | (kind == _DECISION), _EVENT, kind)
    kind = np.where(is_done_debt & ~items["due"], _EVENT, kind)
    match plan.temporal_mode:
        case "DUE_IN":
            return np.where(kind == _EVENT, _DEED, kind)
        case "CREATED_IN":
            is_report = items["event_time"] <= items["first_observed_time"]
            return np.where((kind == _EVENT) & is_report & items.coded("status").is_any("completed"), _DEED, kind)
        case _:
            return kind


def is_mere_mention(candidate_columns: Columns, context_plan: ContextPlan) -> Flags:
    """Whether each item only mentions something, where the targets ask for more; so do an assistant's words."""
    items, asked = candidate_columns, {target.type for target in context_plan.targets}
    is_mere = items.coded("role").is_any("assistant") & bool(asked)
    if asked and "mention" not in asked:
        is_mere |= items.coded("type").is_any("mention")
    return is_mere


def kind_match(target_weight: Reals, is_mere_mention: Flags, ranking_weights: RankingWeights) -> Reals:
    """How much each item is of the kinds that the question looks for: what its target gives.

    A kind that no target names counts `other_kind_match`, a mere mention `mention_match`.
    """
    weight = target_weight
    match = np.where(weight > 0, weight, ranking_weights.other_kind_match)
    return np.where(is_mere_mention, ranking_weights.mention_match, match)


def topic_similarity(
    candidate_columns: Columns,
    context_plan: ContextPlan,
    temporal_match: Reals,
    sentence_encoder: SentenceEncoder | None = None,
) -> Reals:
    """How near each item is in meaning to the question's topics: the cosine of their embeddings, from 0.

    Of the items inside the question's time the 128 that fit and matter most are judged. The others stand at 0, and all
    do where no topic is named or there is no encoder. People are known by their names alone.
    """
    items, similarity = candidate_columns, np.zeros(len(candidate_columns))
    if sentence_encoder is not None and context_plan.topics:
        judged = _likeliest(items, temporal_match)
        told = plain_values(taken(items["content"], judged))
        asked, *meant = sentence_encoder.encode([" ".join(context_plan.topics), *told])
        similarity[judged] = [max(float(text @ asked), 0.0) for text in meant]
    return similarity


def _likeliest(items: Columns, fit: Reals) -> Positions:
    """The places of the items that fit the question's time, best and most important first, at most so many."""
    best_first = np.lexsort((-items["importance"], -fit))
    return best_first[fit[best_first] > 0][:_MOST_ENCODED]


def topic_coverage(candidate_columns: Columns, context_plan: ContextPlan) -> Reals:
    """The share of each of the question's topics and people that each item names.

    Returns:
        One row an item, one column a topic, then one a person; without columns where the question names none.
    """
    terms = [*context_plan.topics, *context_plan.people]
    if not terms:
        return np.empty((len(candidate_columns), 0))
    return term_coverage(candidate_columns["words"], terms)


def topic_match(
    topic_coverage: Reals,
    topic_similarity: Reals,
    context_plan: ContextPlan,
    temporal_match: Reals,
    ranking_weights: RankingWeights,
) -> Reals:
    """How much of the question's topics and people each item names; 1 for all where the question names none.

    What is near the topics in meaning covers of them what a word of the same family would. Where some item in range
    names them all, one that leaves any out is most likely of another matter.
    Where no item in range names any of them, words tell nothing of these items, and each counts the same. Where what
    happened names them by kindred words only, they may be but the circumstance (加班都干了什么): the rest counts a
    little.
    """
    if not topic_coverage.size:
        return np.ones(len(topic_coverage))
    topic_count, meant = len(context_plan.topics), _meant(topic_similarity, ranking_weights)
    by_topic, by_person = np.hsplit(topic_coverage, [topic_count])
    coverage = np.hstack([np.maximum(by_topic, meant[:, np.newaxis]), by_person])
    in_range, least_named = temporal_match > 0, coverage.min(axis=1)
    match = (coverage.max(axis=1) + coverage.mean(axis=1)) / 2.0
    if least_named[in_range].max(initial=0.0) >= _NAMED:
        match = coverage.mean(axis=1) * np.where(least_named >= _HINTED, 1.0, _NAMES_BUT_PART)
    best = coverage[in_range].max(initial=0.0)
    is_circumstance = best < 1.0 and context_plan.temporal_mode in _HAPPENING_MODES
    least = _UNNAMED if best < _NAMED else _HINTED if is_circumstance else 0.0
    return np.asarray(np.maximum(match if best >= _NAMED else 0.0, least))


def _meant(similarity: Reals, weights: RankingWeights) -> Reals:
    """What a text covers of the topics that it only means, by how near it is."""
    low, high = weights.similarity_low, weights.similarity_high
    return np.clip((similarity - low) / (high - low), 0.0, 1.0) * FAMILY_COVERAGE


def semantic_match(kind_match: Reals, topic_match: Reals, ranking_weights: RankingWeights) -> Reals:
    """How well each item fits what the question is about: its kind, and its words where topics are named."""
    kind = _calibrated(kind_match, ranking_weights.kind_floor)
    topic = _calibrated(topic_match, ranking_weights.topic_floor)
    return kind * topic


def importance_match(
    candidate_columns: Columns, ranking_weights: RankingWeights, user_snapshot: UserSnapshot | None = None
) -> Reals:
    """How much each item matters: its own importance, raised where it names a project or a person close to the user."""
    importance = candidate_columns["importance"]
    if user_snapshot is not None and len(candidate_columns):
        names = (*user_snapshot.active_projects, *user_snapshot.people)
        is_close = term_coverage(candidate_columns["words"], names).max(axis=1, initial=0.0) == 1.0
        importance = np.minimum(importance + np.where(is_close, ranking_weights.snapshot_lift, 0.0), 1.0)
    return _calibrated(importance, ranking_weights.importance_floor)


def confidence_match(candidate_columns: Columns, ranking_weights: RankingWeights) -> Reals:
    """How sure the reading of each item is."""
    return _calibrated(candidate_columns["confidence"], ranking_weights.confidence_floor)


def recall_score(
    source_quality: Reals,
    temporal_match: Reals,
    semantic_match: Reals,
    importance_match: Reals,
    confidence_match: Reals,
) -> Reals:
    """The product of the five factors, in [0, 1]."""
    factors = (source_quality, temporal_match, semantic_match, importance_match, confidence_match)
    return np.asarray(np.multiply.reduce(factors))


def is_wanted(
    candidate_columns: Columns,
    current_status: Coded,
    context_plan: ContextPlan,
    search_ranges: SearchRanges,
    now: datetime,
) -> Flags:
    """Whether each item passes what the question rules out: by importance, by status, and by its mode.

    A question that names no matter looks around its core range only where nothing answers inside.
    """
    items, filters = candidate_columns, context_plan.filters
    is_wanted: Flags = items["importance"] >= (filters.importance_min or 0.0)
    is_wanted &= _has_status(items, current_status, filters.status)
    is_wanted &= _suits_mode(items, current_status, context_plan, now)
    if not _names_a_matter(context_plan):
        is_inside, is_around = _places_in_time(items, context_plan, search_ranges)
        is_wanted &= is_inside | ~is_around | ~(is_wanted & is_inside).any()
    return is_wanted


def _names_a_matter(plan: ContextPlan) -> bool:
    return bool(plan.topics or plan.people)


def _places_in_time(items: Columns, plan: ContextPlan, ranges: SearchRanges) -> tuple[Flags, Flags]:
    """Which items lie in the core of the question's time, and which only in the wide range around it."""
    first, last = items["first_observed_time"], items["last_observed_time"]
    is_inside = _starts_in(first, ranges.mention_core) | _starts_in(last, ranges.mention_core)
    is_around = _starts_in(first, ranges.mention_wide) | _starts_in(last, ranges.mention_wide)
    if ranges.axis == "event":
        start, end = _lasting(*_happening(items, plan))
        is_inside |= _meets(start, end, ranges.event_core)
        is_around |= _meets(start, end, ranges.event_wide)
    return is_inside, is_around & ~is_inside


def _has_status(items: Columns, status: Coded, wanted: str | None) -> Flags:
    if wanted is None:
        return np.ones(len(items), dtype="bool")
    if wanted == "unresolved":
        return items.coded("type").is_any(*_OWED_TYPES, "event") & ~status.is_any("completed", "cancelled")
    return status.is_any(wanted)


def _suits_mode(items: Columns, status: Coded, plan: ContextPlan, now: datetime) -> Flags:
    """What a mode rules out whatever the score: what never happened, what is off, what others do, what is not owed."""
    is_about_something = _names_a_matter(plan)
    is_on = ~status.is_any("cancelled") | (plan.filters.status == "cancelled")
    is_mine = items.coded("owner").is_any("self") | is_about_something
    is_due: Flags = items["due"]
    start: Instants = items["event_time"]
    is_owed, is_done = is_due | items.coded("type").is_any(*_OWED_TYPES), status.is_any("completed")
    match plan.temporal_mode:
        case "OCCURRED_IN":
            has_come = np.isnat(start) | (start <= instant(now)) | is_done
            return is_on & is_mine & has_come & (~is_owed | is_done)
        case "PLANNED_IN":
            was_ahead: Flags = start > items["first_observed_time"]
            is_on &= ~status.is_any("unknown")  # a plan in doubt is no arrangement yet
            concerns_me = is_mine | is_owed  # what others have to do is waited for
            return (is_on | is_about_something) & concerns_me & was_ahead & ~(is_owed & is_done)
        case "DUE_IN":
            may_be_owed: Flags = status.is_any("planned") & ~items["is_stated"]  # an appointment is kept, not owed
            may_be_done = is_about_something or not _asks_what_is_to_come(plan, now)
            # what others owe the user falls due to them too
            return is_on & (~is_done | may_be_done) & (is_owed | may_be_owed)
        case "CREATED_IN":
            return (is_on & is_mine) | is_about_something
        case "AMBIGUOUS":
            return is_on | is_about_something
        case _:
            return np.ones(len(items), dtype="bool")


def _asks_what_is_to_come(plan: ContextPlan, now: datetime) -> bool:
    """Whether what is asked falls due in a stretch beyond tomorrow, of which what is done is no part any longer."""
    span = plan.time.event_range
    if span is None or span.end is None or plan.filters.status is not None:
        return False
    return bool(instant(span.end) > instant(now) + 2 * _DAY)


def answer_places(is_wanted: Flags, recall_score: Reals) -> Positions:
    """Where among the candidates the items that answer stand, best first; ties in the order of the candidates."""
    kept = np.flatnonzero(is_wanted & (recall_score > 0))
    return kept[np.argsort(-recall_score[kept], kind="stable")]


def ranked_columns(
    candidate_columns: Columns,
    current_status: Coded,
    answer_places: Positions,
    source_quality: Reals,
    temporal_match: Reals,
    semantic_match: Reals,
    importance_match: Reals,
    confidence_match: Reals,
    recall_score: Reals,
) -> Columns:
    """The items that answer the question, best first (contract `RANKED_TIMELINE`); none when none does."""
    return candidate_columns.replaced(
        {
            "status": Named(current_status),
            "source_quality": given(source_quality),
            "temporal_match": given(temporal_match),
            "semantic_match": given(semantic_match),
            "importance_match": given(importance_match),
            "confidence_match": given(confidence_match),
            "recall_score": given(recall_score),
        }
    ).at(answer_places)


def ranked_timeline(ranked_columns: Columns) -> pd.DataFrame:
    """`ranked_columns` as a frame (contract `RANKED_TIMELINE`)."""
    return ranked_columns.frame(RANKED_TIMELINE)


def _calibrated(raw: Reals, floor: float) -> Reals:
    return floor + (1.0 - floor) * raw
