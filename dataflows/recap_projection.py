"""Recap: from a day's activity segments to lanes per device, a digest to read, and the messages for a model.

Pure: no clock, no store, no model. The same set of segments in any order, the same window and the same settings give
the same bytes. What the rules R1 to R30 of the specification ask stands in the library `dataflows/recap`.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import pandas as pd

from temporal_recall.dataflows.recap.attention import Piece, attention_lane_of, exclusive_pieces
from temporal_recall.dataflows.recap.digest import digest_text
from temporal_recall.dataflows.recap.events import lane_events
from temporal_recall.dataflows.recap.knowledge import canonical_facts, knowledge_text
from temporal_recall.dataflows.recap.privacy import Reading, readings_of
from temporal_recall.dataflows.recap.recurring import recurring_roots
from temporal_recall.dataflows.recap.trees import Leaf, detail_lane_of
from temporal_recall.dataflows.recap.windows import recap_window_of
from temporal_recall.schemas.recap import (
    SYSTEM_SOURCE,
    AttentionLane,
    DetailLane,
    DeviceRecap,
    LaneEvent,
    RecapFact,
    RecapProjection,
    RecapWindow,
    Segment,
)
from temporal_recall.schemas.recap_settings import PrivacySettings, ProjectionSettings

ALGORITHM_VERSION = 1
"""Goes up when the same segments and settings give another projection."""


def recap_window(local_date: str, time_zone: str, day_start_hour: int = 0) -> RecapWindow:
    """The civil day that is told, as two UTC instants.

    Args:
        local_date: yyyy-MM-dd.
        time_zone: an IANA id.
        day_start_hour: 0 to 6; with 4, what happens at 01:30 belongs to the day before.

    Raises:
        RecapWindowError: there is no such day.
    """
    return recap_window_of(local_date, time_zone, day_start_hour=day_start_hour)


def selected_segments(segments: Sequence[Segment], owner_id: str, recap_window: RecapWindow) -> tuple[Segment, ...]:
    """The owner's segments that overlap the window, and points in time inside it, in the order given.

    A segment that only touches the window is out, a point at its start is in, a point at its end belongs to the next.
    """
    start, end = recap_window.start, recap_window.end_exclusive
    return tuple(
        segment
        for segment in segments
        if segment.owner_id == owner_id
        and segment.start < end
        and (segment.end > start or segment.start == segment.end == start)
    )


def clipped_segments(selected_segments: tuple[Segment, ...], recap_window: RecapWindow) -> tuple[Segment, ...]:
    """The selected segments cut to the window, in the same order; the rest of each belongs to its neighbours."""
    start, end = recap_window.start, recap_window.end_exclusive
    return tuple(
        segment
        if segment.start >= start and segment.end <= end
        else replace(segment, start=max(segment.start, start), end=min(segment.end, end))
        for segment in selected_segments
    )


def is_empty(selected_segments: tuple[Segment, ...]) -> bool:
    """Whether nothing at all is known of the window."""
    return not selected_segments


def segment_watermark(clipped_segments: tuple[Segment, ...], recap_window: RecapWindow) -> datetime:
    """The latest instant inside the window that the segments reach (UTC); the window's start for an empty day."""
    return max((segment.end for segment in clipped_segments), default=recap_window.start)


def redacted_readings(
    clipped_segments: tuple[Segment, ...], selected_segments: tuple[Segment, ...], privacy_settings: PrivacySettings
) -> tuple[Reading, ...]:
    """What privacy leaves of each segment, in the same order: nothing that this drops goes further down."""
    return readings_of(clipped_segments, privacy_settings, unclipped=selected_segments)


def readings_by_device(redacted_readings: tuple[Reading, ...]) -> Mapping[str, tuple[Reading, ...]]:
    """The readings of each device id; two devices of one name stay two."""
    grouped: dict[str, list[Reading]] = defaultdict(list)
    for reading in redacted_readings:
        grouped[reading.device_id].append(reading)
    return {device_id: tuple(readings) for device_id, readings in grouped.items()}


def foreground_pieces(readings_by_device: Mapping[str, tuple[Reading, ...]]) -> Mapping[str, tuple[Piece, ...]]:
    """What was in the foreground of each device, one thing at a time, in time order; devices without one are absent."""
    pieces_by_device = {}
    for device_id, readings in readings_by_device.items():
        foreground = [reading for reading in readings if reading.source == SYSTEM_SOURCE]
        if foreground:
            pieces_by_device[device_id] = exclusive_pieces(foreground)
    return pieces_by_device


def attention_lanes(
    foreground_pieces: Mapping[str, tuple[Piece, ...]], projection_settings: ProjectionSettings
) -> Mapping[str, AttentionLane]:
    """Blocks, totals, away time and gaps of each device that has a foreground."""
    return {device: attention_lane_of(pieces, projection_settings) for device, pieces in foreground_pieces.items()}


def detail_lanes(
    readings_by_device: Mapping[str, tuple[Reading, ...]], projection_settings: ProjectionSettings
) -> Mapping[str, tuple[DetailLane, ...]]:
    """What each plugin saw on each device over the whole window, plugins in order of their names."""
    lanes_by_device = {}
    for device_id, readings in readings_by_device.items():
        leaves_by_source: dict[str, list[Leaf]] = defaultdict(list)
        for reading in readings:
            if reading.source != SYSTEM_SOURCE:
                leaf = Leaf(reading.path, reading.segment_id, (reading.start, reading.end))
                leaves_by_source[reading.source].append(leaf)
        lanes_by_device[device_id] = tuple(
            detail_lane_of(source, leaves, projection_settings) for source, leaves in sorted(leaves_by_source.items())
        )
    return lanes_by_device


def device_recaps(
    readings_by_device: Mapping[str, tuple[Reading, ...]],
    attention_lanes: Mapping[str, AttentionLane],
    detail_lanes: Mapping[str, tuple[DetailLane, ...]],
) -> tuple[DeviceRecap, ...]:
    """One section a device, ordered by name and id. A device that only plugins saw has no attention lane."""
    recaps = [
        DeviceRecap(device_id, _device_name(readings), attention_lanes.get(device_id), detail_lanes[device_id])
        for device_id, readings in readings_by_device.items()
    ]
    return tuple(sorted(recaps, key=lambda recap: (recap.device_name, recap.device_id)))


def recurring_values(
    recap_window: RecapWindow,
    owner_id: str,
    privacy_settings: PrivacySettings,
    projection_settings: ProjectionSettings,
    earlier_segments: Sequence[Segment] = (),
) -> tuple[str, ...]:
    """Apps, sites and files seen on most of the previous 14 local days, sorted: background of this life.

    Empty without `earlier_segments`.
    """
    earlier = [segment for segment in earlier_segments if segment.owner_id == owner_id]
    readings = readings_of(earlier, privacy_settings)
    return recurring_roots(readings, recap_window, projection_settings)


def events_in_window(recap_window: RecapWindow, timeline_items: pd.DataFrame | None = None) -> tuple[LaneEvent, ...]:
    """Events of the recall timeline inside the window, in time order; none unless the caller hands items in.

    Args:
        timeline_items: one row an item; columns `title` (str), `event_time` and `event_end` (datetime64[us, UTC],
            the latter may be missing), `type`, `status`, `source_ref` (str). Rows without an event time are left out.
    """
    return lane_events(timeline_items, recap_window)


def projection_version(projection_settings: ProjectionSettings, privacy_settings: PrivacySettings) -> str:
    """The algorithm's number and a hash of every setting that shapes a projection: `1-3f2a9c01`."""
    settings = projection_settings.model_dump_json() + privacy_settings.model_dump_json()
    return f"{ALGORITHM_VERSION}-{_sha256(settings)[:8]}"


def recap_projection(
    projection_version: str,
    projection_settings: ProjectionSettings,
    recap_window: RecapWindow,
    is_empty: bool,
    segment_watermark: datetime,
    device_recaps: tuple[DeviceRecap, ...],
    recurring_values: tuple[str, ...],
    events_in_window: tuple[LaneEvent, ...],
) -> RecapProjection:
    """The day as structure: what agents read, and what the digest is written from."""
    return RecapProjection(
        projection_version,
        projection_settings,
        recap_window,
        is_empty,
        segment_watermark,
        device_recaps,
        recurring_values,
        events_in_window,
    )


def recap_digest(recap_projection: RecapProjection) -> str:
    """The projection as plain text within `digest_budget_chars`; the empty string for an empty day."""
    return digest_text(recap_projection)


def digest_hash(recap_digest: str) -> str:
    """SHA-256 over the digest's UTF-8 bytes, in hex."""
    return _sha256(recap_digest)


def knowledge_hash(facts: Sequence[RecapFact] = ()) -> str:
    """SHA-256 over exactly the facts that the messages use, in hex, whatever the order in which they were given."""
    return _sha256(canonical_facts(facts))


def recap_messages(
    prompt_template: str, recap_digest: str, facts: Sequence[RecapFact] = ()
) -> tuple[dict[str, str], ...]:
    """Exactly what leaves the process for a model: the fixed template as `system`, digest and facts as `user`."""
    user_text = "\n\n".join(part for part in (recap_digest, knowledge_text(facts)) if part)
    return ({"role": "system", "content": prompt_template}, {"role": "user", "content": user_text})


def _device_name(readings: Sequence[Reading]) -> str:
    """The name under which a device was last seen."""
    return max((reading.end, reading.start, reading.device_name) for reading in readings)[2]


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
