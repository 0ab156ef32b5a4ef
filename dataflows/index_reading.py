"""Recall from the materialised timeline: the same question, the same windows, rows that were derived before.

Two variants of the flow's `timeline`. `index` takes it from the index alone. `index_and_live` reads beside it what the
sources recorded since the last sync, and a source that knows event times wholly, since there a change may lie anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import numpy as np
import pandas as pd
from hamilton.function_modifiers import config, source, subdag, tag

from temporal_recall.dataflows import retrieval
from temporal_recall.dataflows import timeline as extraction
from temporal_recall.dataflows.columns import Flags, Instants, counts_of, in_time_order, instant, is_among
from temporal_recall.dataflows.matching.telling import compared, with_words
from temporal_recall.schemas.columns import Columns
from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import Axis, LaneReading, RequestLimits, SearchWindow, SourceOutcome
from temporal_recall.schemas.frames import COMPARED_TIMELINE, WHOLE_TIMELINE, SourceEvidence
from temporal_recall.schemas.plan import SearchRanges
from temporal_recall.schemas.settings import RetrievalWindows, SourceSettings
from temporal_recall.schemas.timeline_index import (
    INDEX_SOURCE,
    IndexReading,
    IndexWindow,
    TimelineReader,
)

SYNC_OVERLAP = timedelta(minutes=10)
"""How far before the last sync live lanes begin: clocks differ, and a source may commit late."""


def index_window(
    source_windows: dict[str, SearchWindow],
    search_ranges: SearchRanges,
    user_id: str,
    now: datetime,
    window_settings: RetrievalWindows,
) -> IndexWindow:
    """What is read of the index: the sources' windows, and events in the wide range whenever they were told."""
    told = _told(search_ranges) if source_windows else []
    observed = _hull("observed", source_windows.values())
    event = _hull("event", [*source_windows.values(), *told])
    return IndexWindow(user_id, now, observed, event, window_settings.fetch_cap * max(1, len(source_windows)))


def _told(ranges: SearchRanges) -> list[SearchWindow]:
    """The events asked for, whenever they were told."""
    return [SearchWindow("event", ranges.event_wide.start, ranges.event_wide.end)] if ranges.event_wide else []


def _hull(axis: Axis, windows: Iterable[SearchWindow]) -> SearchWindow | None:
    given = [window for window in windows if window.axis == axis]
    if not given:
        return None
    return SearchWindow(axis, min(w.start for w in given), max(w.end for w in given))


@tag(lane="true")
def index_lane(index_adapter: TimelineReader, index_window: IndexWindow, request_limits: RequestLimits) -> LaneReading:
    """The user's rows of the index inside the window (an `IndexReading`), or how the read failed."""
    try:
        return index_adapter.read(index_window, request_limits)
    except SourceUnavailable as error:
        return SourceEvidence.failed(INDEX_SOURCE, error.reason)


def index_reading(index_lane: LaneReading) -> LaneReading:
    """What the index gave (an `IndexReading`), or how it failed: the lane once it is settled."""
    return index_lane


def indexed_rows(
    index_reading: LaneReading, source_windows: dict[str, SearchWindow], search_ranges: SearchRanges
) -> Columns:
    """The rows of the enabled sources that the index gave (contract `COMPARED_TIMELINE`), in no order.

    A source that is read on the event axis gives its events in its window alone, whenever they were entered; another
    gives what was observed in any window, and events in the wide range. An index that failed gives no rows.
    """
    if not isinstance(index_reading, IndexReading) or index_reading.outcome.failure:
        return _NO_ROWS
    rows, sources = index_reading.rows, index_reading.rows.coded("source")
    observed = _hull("observed", source_windows.values())
    anywhere = [_is_inside(rows, window) for window in (observed, *_told(search_ranges)) if window is not None]
    is_wanted = np.zeros(len(rows), dtype=bool)
    for name, window in source_windows.items():
        is_inside = _is_inside(rows, window) if window.axis == "event" else np.any(anywhere, axis=0)
        is_wanted |= sources.is_any(name) & is_inside
    return rows if is_wanted.all() else rows.at(np.flatnonzero(is_wanted))


_NO_ROWS = Columns.of(COMPARED_TIMELINE.empty(), COMPARED_TIMELINE)


def _is_inside(rows: Columns, window: SearchWindow) -> Flags:
    """Which rows were observed in the window or, on the event axis, have an event that overlaps it."""
    start, end = instant(window.start), instant(window.end)
    if window.axis == "observed":
        observed: Instants = rows["observed_time"]
        return (observed >= start) & (observed < end)
    begins: Instants = rows["event_time"]
    ends: Instants = rows["event_end"]
    return (begins < end) & ((begins >= start) | (ends > start))


@config.when(timeline_from="index")
def timeline_columns__index(indexed_rows: Columns) -> Columns:
    """What happened, is planned or was said, as the index has it: contract `COMPARED_TIMELINE`.

    One row a record, sorted by `event_time` (rows without one last), then `observed_time`, then `source_ref`. Beside
    the contract there are the `words`, from `with_words`.
    """
    return in_time_order(with_words(indexed_rows))


@config.when_in(timeline_from=["index", "index_and_live"])
def timeline__index(timeline_columns: Columns) -> pd.DataFrame:
    """`timeline_columns` as a frame (contract `WHOLE_TIMELINE`)."""
    return timeline_columns.frame(WHOLE_TIMELINE)


@config.when(timeline_from="index")
def source_outcomes__index(
    index_reading: LaneReading,
    indexed_rows: Columns,
    source_windows: dict[str, SearchWindow],
    source_settings: SourceSettings,
) -> list[SourceOutcome]:
    """How each source's read from the index ended, in the order of the enabled sources.

    All share the index's failure; `not_synced` is a source of which the index has never heard for this user.
    """
    whole, unheard = index_reading.outcome, source_windows.keys() - _synced_until(index_reading).keys()
    failures = dict.fromkeys(unheard, whole.failure or "not_synced")
    counts = counts_of(indexed_rows.coded("source"), [s.name for s in source_settings.sources])
    return [SourceOutcome(name, count, failures.get(name), is_capped=whole.is_capped) for name, count in counts.items()]


def _synced_until(lane: LaneReading) -> Mapping[str, datetime]:
    return lane.synced_until_by_source if isinstance(lane, IndexReading) else {}


@config.when(timeline_from="index_and_live")
def fresh_windows(source_windows: dict[str, SearchWindow], index_reading: LaneReading) -> dict[str, SearchWindow]:
    """What is read live beside the index: each source since its last sync, and a little before it.

    A source that the index does not know, and one that is read on the event axis, is read live in its whole window;
    so is every source when the index failed.
    """
    known = _synced_until(index_reading)
    windows = {name: _since(window, known.get(name)) for name, window in source_windows.items()}
    return {name: window for name, window in windows.items() if window is not None}


def _since(window: SearchWindow, synced_until: datetime | None) -> SearchWindow | None:
    if synced_until is None or window.axis == "event":
        return window
    start = max(window.start, synced_until - SYNC_OVERLAP)
    return replace(window, start=start) if start < window.end else None


@dataclass(frozen=True, slots=True)
class FreshReading:
    """What was read live beside the index (contract `WHOLE_TIMELINE`), and how each source's read ended."""

    timeline: pd.DataFrame
    outcomes: list[SourceOutcome]


@config.when(timeline_from="index_and_live")
@subdag(
    retrieval.source_evidence,
    retrieval.lane_results,
    retrieval.source_outcomes,
    retrieval.evidence,
    extraction,
    inputs={"source_windows": source("fresh_windows")},
    config={"timeline_from": "live"},
)
def fresh_reading(timeline: pd.DataFrame, source_outcomes: list[SourceOutcome]) -> FreshReading:
    """What the sources recorded since the index was synced, read by the same lanes and the same extraction."""
    return FreshReading(timeline, source_outcomes)


@config.when(timeline_from="index_and_live")
def timeline_columns__index_and_live(
    indexed_rows: Columns, fresh_reading: FreshReading, fresh_windows: dict[str, SearchWindow]
) -> Columns:
    """What happened, is planned or was said: the index, and over it what was read live.

    Contract and order as of `timeline_columns` from the index. Inside a window that a source answered live, what it did
    not say again is gone.
    """
    fresh = compared(Columns.of(fresh_reading.timeline, WHOLE_TIMELINE))
    answered = {o.source for o in fresh_reading.outcomes if o.failure is None and not o.is_capped}
    sources, is_replaced = indexed_rows.coded("source"), is_among(indexed_rows["source_ref"], fresh["source_ref"])
    for name in answered & fresh_windows.keys():
        is_replaced |= sources.is_any(name) & _is_inside(indexed_rows, fresh_windows[name])
    kept = indexed_rows.at(np.flatnonzero(~is_replaced))
    return in_time_order(with_words(Columns.stacked((kept, fresh), COMPARED_TIMELINE)))


@config.when(timeline_from="index_and_live")
def source_outcomes__index_and_live(
    index_reading: LaneReading, fresh_reading: FreshReading, timeline_columns: Columns
) -> list[SourceOutcome]:
    """How each source's live read ended, with the counts of both readings, in the order of the enabled sources.

    An index that failed is told after them, since what only it holds is missing.
    """
    whole, live = index_reading.outcome, fresh_reading.outcomes
    counts = counts_of(timeline_columns.coded("source"), [o.source for o in live])
    told = [replace(o, record_count=counts[o.source], is_capped=o.is_capped or whole.is_capped) for o in live]
    return [*told, whole] if whole.failure else told
