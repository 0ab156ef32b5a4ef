"""What recall answers with: timeline items, groups, stats, and the request that asks for them."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

import pandas as pd
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StrictBool, model_validator

from temporal_recall.schemas.bundle_html import bundle_html
from temporal_recall.schemas.evidence import UserId
from temporal_recall.schemas.plan import ContextPlan, Instant, QueryType, Range, Share, TemporalMode

ItemType = Literal["event", "todo", "decision", "mention", "commitment"]
ItemStatus = Literal["planned", "completed", "cancelled", "mentioned", "unknown"]
Granularity = Literal["minute", "hour", "part", "day", "range"]
Tier = Literal["main", "secondary", "hidden"]


class _BundleModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ScoreExplanation(_BundleModel):
    """Each factor of an item's score, and the reason in words."""

    source_quality: Share
    temporal_match: Share
    semantic_match: Share
    importance_match: Share
    confidence_match: Share
    reason: str


class TimelineItem(_BundleModel):
    """One thing that happened, is planned or was said, with the evidence it stands on.

    `event_time` is when it happens, `observed_time` when it was recorded. `event_end` is exclusive; `granularity` says
    how exactly the time is known. `merged_from` names every record of a merged item, the lead's own included.
    """

    timeline_item_id: str
    user_id: str | None = None
    source: str
    type: ItemType
    event_time: AwareDatetime | None = None
    event_end: AwareDatetime | None = None
    granularity: Granularity | None = None
    observed_time: AwareDatetime
    title: str
    content: str
    importance: Share
    confidence: Share
    recall_score: Share
    source_ref: str
    participants: tuple[str, ...] = ()
    location: str | None = None
    status: ItemStatus = "unknown"
    due: bool = False
    owner: Literal["self", "other"] = "self"
    merged_from: tuple[str, ...] = ()
    merge_reason: str | None = None
    explanation: ScoreExplanation | None = None


class RecallGroup(_BundleModel):
    """A labelled part of the answer; an item stands in one group."""

    label: str
    items: tuple[TimelineItem, ...] = ()


class SourceFailure(_BundleModel):
    """A source that gave nothing: `code` is `late`, `cancelled`, or the reason of its `SourceUnavailable`."""

    source: str
    code: str


class IssueCount(_BundleModel):
    """How many rows of a source could not be used, by code."""

    source: str
    code: str
    count: int


class RecallStats(_BundleModel):
    """What was asked, found and left out. `elapsed_ms` is the service's own; the flow leaves it null."""

    sources_queried: tuple[str, ...] = ()
    raw_count: int = 0
    deduped_count: int = 0
    returned_count: int = 0
    elapsed_ms: int | None = None
    partial: bool = False
    skipped: bool = False
    sources_failed: tuple[SourceFailure, ...] = ()
    sources_capped: tuple[str, ...] = ()
    issues: tuple[IssueCount, ...] = ()


class TracedWindow(_BundleModel):
    """What one source was asked for: a half-open range on one axis."""

    axis: Literal["observed", "event"]
    start: AwareDatetime
    end: AwareDatetime


class RecallTrace(_BundleModel):
    """How the answer came about: the instant it was reckoned from, the planner's rules by slot, and what was read."""

    now: AwareDatetime
    rules: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    windows: dict[str, TracedWindow] = Field(default_factory=dict)


class RecallBundle(_BundleModel):
    """The answer: `items` is always the flat ranked list; `groups` arranges the same items.

    `time_range` is the core range of the mode's own axis (null when the question names no time; `time_note` then says
    what was searched). `timeline` holds the ids of `items` in time order.
    """

    query_type: QueryType
    temporal_mode: TemporalMode
    time_range: Range | None = None
    time_note: str | None = None
    groups: tuple[RecallGroup, ...] = ()
    items: tuple[TimelineItem, ...] = ()
    timeline: tuple[str, ...] = ()
    stats: RecallStats = RecallStats()
    trace: RecallTrace | None = None
    plan: ContextPlan

    def to_frame(self) -> pd.DataFrame:
        """The items as a frame: one row an item, best first, the fields of `TimelineItem` as columns.

        Instants keep the zone of the answer; an answer without items gives an empty frame with the same columns.
        """
        names = list(TimelineItem.model_fields)
        frame = pd.DataFrame([[getattr(item, name) for name in names] for item in self.items], columns=names)
        zone = self.items[0].observed_time.tzinfo if self.items else None
        for name in ("event_time", "event_end", "observed_time"):
            frame[name] = pd.to_datetime(frame[name], utc=True).dt.as_unit("us").dt.tz_convert(zone or "UTC")
        return frame

    def _repr_html_(self) -> str:
        return bundle_html(self)  # pyright: ignore[reportArgumentType] - the same class, seen through `.typing`


def _only(name: str, kind: str) -> dict[str, Any]:
    """The JSON Schema of an object in which, of plan and query, only one is given."""
    other = {"plan": "query", "query": "plan"}[name]
    return {"required": [name], "properties": {name: {"type": kind}, other: {"type": "null"}}}


class RecallRequest(_BundleModel):
    """A recall request: either a plan or a query, never both.

    `user_id` is for workers (a user's own comes from the token); `now` defaults to the service's clock.
    """

    model_config = ConfigDict(json_schema_extra={"oneOf": [_only("plan", "object"), _only("query", "string")]})

    plan: ContextPlan | None = None
    query: Annotated[str, Field(min_length=1, max_length=2000)] | None = None
    user_id: UserId | None = None
    now: Instant | None = None
    limit: int = Field(default=50, ge=1, le=200, strict=True)
    explain: StrictBool = False
    trace: StrictBool = False
    allow_partial: StrictBool = False

    @model_validator(mode="after")
    def _has_one_question(self) -> Self:
        if (self.plan is None) == (self.query is None):
            raise ValueError("give either plan or query")
        return self
