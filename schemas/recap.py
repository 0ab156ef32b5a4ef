"""Words of Recap: activity segments, the window of a day, its projection, the cached diary and what a client sees.

Frozen dataclasses inside the process, since a day makes them by the thousand; one pydantic model at the edge.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, is_dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from temporal_recall.schemas.errors import TemporalRecallError
from temporal_recall.schemas.recap_settings import ProjectionSettings

SYSTEM_SOURCE = "system"
"""The source that saw the foreground window. Every other source is a plugin: `browser`, `vscode`, …"""
AWAY_APP = "away"
"""The synthetic app of a `system` segment that says: nobody is at this machine."""
WINDOW_VERSION = 1

WindowKind = Literal["day", "week", "month"]
CivilDate = date
Jsonable = dict[str, Any] | list[Any] | str | int | float | bool | None


class RecapError(TemporalRecallError):
    """A Recap request that cannot be answered; `code` is stable and the message names the thing and its value."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class RecapWindowError(RecapError):
    """A window that does not exist or that the calendar rules of this server do not give.

    Codes: `invalid_local_date`, `unknown_time_zone`, `nonexistent_civil_date`, `calendar_rules_mismatch`,
    `unsupported_window_version`, `invalid_day_start_hour`.
    """


@dataclass(frozen=True, slots=True)
class Segment:
    """One bounded observation of one device: the fact that Recap never changes.

    `[start, end)` in UTC; `start == end` is an event at a point in time. `source` is who saw it, `app` what it is
    about; the same `id` is the same activity over many uploads, as long as `source` and `identity_key` agree.
    `attributes` are free per source (`url`, `incognito`, `project`, `file`) and never part of the identity.
    """

    id: str
    owner_id: str
    device_id: str
    device_name: str
    source: str
    identity_key: str
    app: str | None
    title: str | None
    start: datetime
    end: datetime
    attributes: Mapping[str, Any] = field(default_factory=dict)
    revision: int | None = None

    @property
    def is_away(self) -> bool:
        """Whether it says that nobody was at the device."""
        return self.source == SYSTEM_SOURCE and self.app == AWAY_APP


@dataclass(frozen=True, slots=True)
class RecapWindow:
    """A civil day (or week, or month) of one zone as two UTC instants, half-open. `key` names it for cache and lock."""

    kind: WindowKind
    local_date: date
    time_zone: str
    start: datetime
    end_exclusive: datetime
    key: str
    day_start_hour: int = 0
    version: int = WINDOW_VERSION


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The children of a node, longest first: those that are shown, and how many others there are.

    `other_duration` is the union of the others' times, so it may be less than their sum.
    """

    entries: tuple[TreeNode, ...] = ()
    other_count: int = 0
    other_duration: timedelta = timedelta(0)


NO_BREAKDOWN = Breakdown()


@dataclass(frozen=True, slots=True)
class TreeNode:
    """One value of a layer (an app, a title, a URL, a file): the union of its times and the number of its segments."""

    label: str
    duration: timedelta
    visits: int
    breakdown: Breakdown = NO_BREAKDOWN


@dataclass(frozen=True, slots=True)
class AttentionBlock:
    """A stretch of one app in the foreground, or of nobody being there (`is_away`).

    `active` is the time that its pieces cover, `end - start` its span; children need not add up to it.
    """

    label: str
    is_away: bool
    start: datetime
    end: datetime
    active: timedelta
    breakdown: Breakdown = NO_BREAKDOWN


@dataclass(frozen=True, slots=True)
class Stretch:
    """A half-open stretch of time of which there is no record: the collector was off, which is not being away."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class AppTotal:
    """The foreground time of one app on one device."""

    label: str
    active: timedelta


@dataclass(frozen=True, slots=True)
class AttentionLane:
    """What was in the foreground of one device, one thing at a time.

    `short_count` and `short_active` tell of blocks too short for a row; they do count in `app_totals`. `away` is None
    where it is too short to tell.
    """

    blocks: tuple[AttentionBlock, ...]
    no_records: tuple[Stretch, ...]
    short_count: int
    short_active: timedelta
    app_totals: tuple[AppTotal, ...]
    other_app_count: int
    other_app_active: timedelta
    away: timedelta | None


@dataclass(frozen=True, slots=True)
class DetailLane:
    """What one plugin saw on one device over the window, longest first. Its times are part of no device's time."""

    source: str
    entries: tuple[TreeNode, ...]
    unlisted_count: int


@dataclass(frozen=True, slots=True)
class DeviceRecap:
    """One device's lanes; `attention` is None where only plugins reported."""

    device_id: str
    device_name: str
    attention: AttentionLane | None
    details: tuple[DetailLane, ...]


@dataclass(frozen=True, slots=True)
class LaneEvent:
    """An event of the recall timeline that falls into the window, as a fact beside the lanes."""

    title: str
    start: datetime
    end: datetime | None
    type: str
    status: str
    source_ref: str


@dataclass(frozen=True, slots=True)
class RecapProjection:
    """A window told as structure: lanes per device. The same segments in any order give an equal projection."""

    projection_version: str
    settings: ProjectionSettings
    window: RecapWindow
    is_empty: bool
    segment_watermark: datetime
    devices: tuple[DeviceRecap, ...]
    recurring: tuple[str, ...] = ()
    events: tuple[LaneEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class RecapFact:
    """A fact or correction that the user confirmed for a local day; `start` and `end` are clock times such as 14:30."""

    text: str
    start: str | None = None
    end: str | None = None


@dataclass(frozen=True, slots=True)
class RecapRow:
    """A cached diary. One row per owner and window; `knowledge_hash` None is older than the knowledge layer."""

    owner_id: str
    window_key: str
    kind: WindowKind
    local_date: date
    time_zone: str
    start: datetime
    end_exclusive: datetime
    narrative: str
    generated_at: datetime
    model: str
    prompt_hash: str
    segment_watermark: datetime
    knowledge_hash: str | None
    digest_hash: str
    projection_version: str
    base_url_host: str = ""
    upstream_model: str | None = None
    finish_reason: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    missing_dates: tuple[date, ...] = ()


class RecapOut(BaseModel):
    """What a client sees of a window: the diary, or that there is none, and hints that never expire anything.

    Instants are UTC and end in Z.
    """

    model_config = ConfigDict(frozen=True)

    date: CivilDate
    time_zone: str
    start: datetime
    end_exclusive: datetime
    kind: WindowKind = "day"
    day_start_hour: int = 0
    is_empty: bool
    narrative: str | None = None
    generated_at: datetime | None = None
    model: str | None = None
    prompt_hash: str | None = None
    segment_watermark: datetime | None = None
    knowledge_stale: bool = False
    segment_stale: bool = False
    partial_day: bool = False
    late_segments: int = 0
    facts_gone: bool = False
    regenerable: bool = False
    missing_dates: tuple[CivilDate, ...] = ()


def instant_text(instant: datetime) -> str:
    """An aware instant in UTC, ending in Z: `2026-07-13T16:00:00Z`."""
    return instant.astimezone(UTC).isoformat().replace("+00:00", "Z")


def as_json(value: object) -> Jsonable:
    """A projection, or a part of it, as JSON values: instants end in Z, durations are seconds under a name in `_s`."""
    if is_dataclass(value) and not isinstance(value, type):
        return {_json_name(part): as_json(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, datetime):
        return instant_text(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        seconds = value.total_seconds()
        return int(seconds) if seconds.is_integer() else seconds
    if isinstance(value, tuple):
        return [as_json(part) for part in value]
    return value  # type: ignore[return-value]


def _json_name(part: Field[Any]) -> str:
    return f"{part.name}_s" if "timedelta" in str(part.type) else part.name
