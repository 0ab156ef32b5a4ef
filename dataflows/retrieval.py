"""What each source is asked for, one lane a source, and the evidence that came back.

Retrieval narrows by time only, never by keyword (DESIGN 4.3): a source is read generously around the question's wide
range, because people tell things before and after they happen.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pandas as pd
from hamilton.function_modifiers import config, group, inject, parameterize, resolve_from_config, source, tag, value

from temporal_recall.dataflows.evidence_frame import evidence_frame
from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import (
    Axis,
    EvidenceRecord,
    RecordIssue,
    RequestLimits,
    SearchContext,
    SearchWindow,
    SourceAdapter,
    SourceOutcome,
)
from temporal_recall.schemas.frames import EVIDENCE, SourceEvidence, checked
from temporal_recall.schemas.plan import ContextPlan, Range, Retrieval, SearchRanges
from temporal_recall.schemas.settings import ModeWindow, RetrievalWindows, SourceSettings
from temporal_recall.schemas.time import zone_of

_INSTANT = timedelta(microseconds=1)
_OBSERVED_MODES = frozenset({"MENTIONED_IN", "CREATED_IN"})


def search_ranges(
    context_plan: ContextPlan, now: datetime, time_zone: str, window_settings: RetrievalWindows
) -> SearchRanges:
    """The ranges that recall searches and ranks by: the plan's own, or its mode's horizon where the plan names none.

    Args:
        window_settings: `modes[…].horizon_past_days` and `horizon_future_days` (days around today).

    Returns:
        Core and wide range of each axis, aware, half-open. A horizon counts whole days in the plan's zone and is
        stated in `note`. With `output.wide_recall` false each wide range is its core.
    """
    time = context_plan.time
    axis: Axis = "observed" if context_plan.temporal_mode in _OBSERVED_MODES else "event"
    if time.mention_range is None and time.event_range is None:
        mode = window_settings.modes[context_plan.temporal_mode]
        horizon = _horizon(mode, now, context_plan.time_zone or time_zone)
        mention = horizon if context_plan.temporal_mode in (*_OBSERVED_MODES, "AMBIGUOUS") else None
        event = horizon if axis == "event" else None
        return SearchRanges(
            axis=axis,
            mention_core=mention,
            mention_wide=mention,
            event_core=event,
            event_wide=event,
            is_horizon=True,
            note=f"问题里没有说时间，查找了 {horizon.start:%Y-%m-%d} 到 {horizon.end - _INSTANT:%Y-%m-%d}",
        )
    is_wide = context_plan.output.wide_recall
    return SearchRanges(
        axis=axis,
        mention_core=time.mention_range,
        mention_wide=(is_wide and time.mention_wide) or time.mention_range,
        event_core=time.event_range,
        event_wide=(is_wide and time.event_wide) or time.event_range,
        excluded=time.excluded,
    )


def _horizon(mode: ModeWindow, now: datetime, zone_name: str) -> Range:
    zone = zone_of(zone_name)
    today = now.astimezone(zone).date()
    first, last = today - timedelta(days=mode.horizon_past_days), today + timedelta(days=mode.horizon_future_days + 1)
    return Range(
        start=datetime(first.year, first.month, first.day, tzinfo=zone),
        end=datetime(last.year, last.month, last.day, tzinfo=zone),
    )


def source_windows(
    context_plan: ContextPlan,
    search_ranges: SearchRanges,
    now: datetime,
    window_settings: RetrievalWindows,
    source_settings: SourceSettings,
) -> dict[str, SearchWindow]:
    """What each enabled source is to read: its axis and half-open range; no entry where there is nothing to read.

    Observed windows end at `now`, which counts; what is observed later does not exist for the question. A plan that
    needs no recall (`context_needs.temporal_recall` SKIP) gives no window at all.

    Args:
        window_settings: `modes[…].before_days` and `after_days`, in days around the wide range, and
            `entered_ahead_days` after it.
        source_settings: `axis` of each source.
    """
    if context_plan.context_needs.temporal_recall == "SKIP":
        return {}
    observed = _observed_window(context_plan, search_ranges, now, window_settings)
    event = search_ranges.event_wide if search_ranges.axis == "event" else None
    ahead = timedelta(days=window_settings.modes[context_plan.temporal_mode].entered_ahead_days)
    stated = SearchWindow("event", event.start, event.end + ahead) if event else observed
    windows = {s.name: stated if s.axis == "event" else observed for s in source_settings.sources}
    return {name: window for name, window in windows.items() if window is not None}


def _observed_window(
    plan: ContextPlan, ranges: SearchRanges, now: datetime, settings: RetrievalWindows
) -> SearchWindow | None:
    mode = settings.modes[plan.temporal_mode]
    own_span = ranges.mention_wide if ranges.axis == "observed" else None
    spans = [own_span] if own_span else [s for s in (ranges.mention_wide, ranges.event_wide) if s]
    start = min(*(s.start for s in spans), now) - timedelta(days=mode.before_days)
    end = now + _INSTANT
    # whether something is still open shows only in what was said since
    if mode.after_days is not None and plan.filters.status is None:
        end = min(end, max(s.end for s in spans) + timedelta(days=mode.after_days))
    return SearchWindow("observed", start, end) if start < end else None


def _one_lane_a_source(enabled_sources: Sequence[str]) -> parameterize:
    lanes: dict[str, dict[str, Any]] = {
        f"{name}_evidence": {"adapter": source(f"{name}_adapter"), "source_name": value(name)}
        for name in enabled_sources
    }
    return parameterize(**lanes)


@resolve_from_config(decorate_with=_one_lane_a_source)
@tag(lane="true")
def source_evidence(
    adapter: SourceAdapter,
    source_name: str,
    source_windows: dict[str, SearchWindow],
    context_plan: ContextPlan,
    user_id: str,
    now: datetime,
    time_zone: str,
    window_settings: RetrievalWindows,
    request_limits: RequestLimits,
) -> SourceEvidence:
    """The evidence of {source_name} inside its window, and how the read ended.

    Every filter is checked again on this side: a record of another user or source becomes an issue, one observed
    after `now` does not exist, one outside the window is left out. A source that fails or runs into the deadline
    keeps what it gave until then.
    """
    window = source_windows.get(source_name)
    if window is None:
        return SourceEvidence(EVIDENCE.empty(), SourceOutcome(source_name))
    context = SearchContext(
        user_id=user_id,
        now=now,
        time_zone=time_zone,
        window=window,
        mode=context_plan.temporal_mode,
        retrieval=_retrieval_of(context_plan, source_name),
        fetch_cap=window_settings.fetch_cap,
        limits=request_limits,
    )
    return _read(adapter, source_name, context)


def _retrieval_of(plan: ContextPlan, source_name: str) -> Retrieval:
    return next((r for r in plan.retrievals if r.source == source_name), Retrieval(source=source_name))


def _read(adapter: SourceAdapter, source_name: str, context: SearchContext) -> SourceEvidence:
    records: list[EvidenceRecord] = []
    issues: list[RecordIssue] = []
    failure: SourceUnavailable | None = None
    try:
        for row in adapter.search(context):
            if isinstance(row, RecordIssue):
                issues.append(row)
            elif stranger := _stranger(row, source_name, context.user_id):
                issues.append(stranger)
            elif row.is_deleted or row.observed_time <= context.now:
                records.append(row)
            if len(records) >= context.fetch_cap:
                break
            if context.limits.remaining_s() == 0.0:
                raise SourceUnavailable(source_name, "late")
    except SourceUnavailable as error:
        failure = error
    frame = _inside(evidence_frame(records), context.window)
    outcome = SourceOutcome(
        source_name,
        record_count=len(frame),
        failure=failure.reason if failure else None,
        is_retryable=failure is None or failure.is_retryable,
        retry_after_s=failure.retry_after_s if failure else None,
        is_capped=len(records) >= context.fetch_cap,
        issues=tuple(issues),
    )
    return SourceEvidence(frame, outcome)


def _inside(frame: pd.DataFrame, window: SearchWindow) -> pd.DataFrame:
    """The rows inside the window: observed in it or, on the event axis, overlapping it (a point: starting in it)."""
    start, end = pd.Timestamp(window.start), pd.Timestamp(window.end)
    if window.axis == "observed":
        is_inside = frame["observed_time"].ge(start) & frame["observed_time"].lt(end)
    else:
        begins, ends = frame["event_start"], frame["event_end"]
        is_inside = begins.lt(end) & (begins.ge(start) | ends.gt(start))
    return frame if is_inside.all() else frame[is_inside].reset_index(drop=True)


def _stranger(record: EvidenceRecord, source_name: str, user_id: str) -> RecordIssue | None:
    if record.user_id != user_id:
        return RecordIssue(source=source_name, code="foreign_user", locator="user_id of a record")
    if record.source != source_name:
        return RecordIssue(source=source_name, code="foreign_source", locator=f"source {record.source}")
    return None


@resolve_from_config(
    decorate_with=lambda enabled_sources: inject(lanes=group(*[source(f"{name}_evidence") for name in enabled_sources]))
)
def lane_results(lanes: list[SourceEvidence]) -> list[SourceEvidence]:
    """What every lane brought, in the order of the enabled sources."""
    return lanes


@config.when_not_in(timeline_from=["index", "index_and_live"])
def source_outcomes(lane_results: list[SourceEvidence]) -> list[SourceOutcome]:
    """How each source's read ended, in the order of the enabled sources: counts, failure, issues."""
    return [lane.outcome for lane in lane_results]


def evidence(lane_results: list[SourceEvidence]) -> pd.DataFrame:
    """All evidence of all sources (contract `EVIDENCE`), one row a record, by `observed_time`, then `source_ref`."""
    frames = [lane.frame for lane in lane_results if len(lane.frame)]
    if not frames:
        return EVIDENCE.empty()
    if len(frames) == 1:
        return checked(frames[0], EVIDENCE)
    together = pd.concat(frames, ignore_index=True)
    return checked(together.sort_values(["observed_time", "source_ref"], ignore_index=True), EVIDENCE)
