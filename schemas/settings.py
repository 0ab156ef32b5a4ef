"""The four settings models: everything about recall that a deployer or a data scientist may change."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from temporal_recall.schemas.evidence import SOURCE_NAME, Axis
from temporal_recall.schemas.plan import Share, TemporalMode

Days = Annotated[int, Field(ge=0, le=7310)]


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SourceSetting(_Settings):
    """One enabled source. `reliability` picks the lead of a merged item and is the base of `source_quality`.

    `axis` is the one on which questions about event times read it: a calendar knows when its events are, others only
    when a record was made.
    """

    name: str = Field(pattern=SOURCE_NAME)
    axis: Axis = "observed"
    is_required: bool = False
    reliability: Share = 0.8


class SourceSettings(_Settings):
    """The enabled sources, in the order in which they are asked and drawn."""

    sources: tuple[SourceSetting, ...]

    @property
    def reliability_by_source(self) -> dict[str, float]:
        return {s.name: s.reliability for s in self.sources}

    @property
    def required(self) -> frozenset[str]:
        return frozenset(s.name for s in self.sources if s.is_required)


class ModeWindow(_Settings):
    """How far around a question's wide range a source is read on its observed axis, in days.

    `before_days` and `after_days` widen the range (`after_days` null: up to now). Without a range the question reaches
    `horizon_past_days` back and `horizon_future_days` ahead of today. A source that is read by the time of its events
    is read `entered_ahead_days` further, for what was entered in the range and lies ahead of it.
    """

    before_days: Days
    after_days: Days | None
    horizon_past_days: Days
    horizon_future_days: Days
    entered_ahead_days: Days = 0


def _default_modes() -> dict[TemporalMode, ModeWindow]:
    return {
        "OCCURRED_IN": ModeWindow(before_days=30, after_days=14, horizon_past_days=90, horizon_future_days=0),
        "AMBIGUOUS": ModeWindow(
            before_days=30, after_days=14, horizon_past_days=90, horizon_future_days=0, entered_ahead_days=60
        ),
        "MENTIONED_IN": ModeWindow(before_days=0, after_days=0, horizon_past_days=180, horizon_future_days=0),
        "CREATED_IN": ModeWindow(before_days=0, after_days=0, horizon_past_days=180, horizon_future_days=0),
        "PLANNED_IN": ModeWindow(before_days=60, after_days=None, horizon_past_days=0, horizon_future_days=90),
        "DUE_IN": ModeWindow(before_days=60, after_days=None, horizon_past_days=180, horizon_future_days=90),
    }


class RetrievalWindows(_Settings):
    """How widely sources are read for each mode, and the most records that one source may give."""

    modes: dict[TemporalMode, ModeWindow] = Field(default_factory=_default_modes)
    fetch_cap: int = Field(default=5000, ge=1, le=100_000)


class DedupeSettings(_Settings):
    """When two rows are one event, and how far the search for such pairs reaches."""

    window_minutes: int = Field(default=15, ge=0, le=1440, description="starts this close may be one event's")
    correction_days: Days = Field(default=30, description="how long after it was told something can be corrected")
    absent_points: float = Field(default=-1.5, ge=-20, le=0, description="log odds of a pair that was never judged")
    telling_weight: Share = Field(default=0.4, description="how telling a bigram must be for rows to meet by it")
    block_reach: int = Field(default=4, ge=1, le=64, description="neighbours that a row meets per day and bigram")
    correction_reach: int = Field(
        default=12, ge=1, le=64, description="earlier rows that a correction meets per bigram"
    )


def _tuned(low: float, high: float) -> dict[str, Any]:
    """Between which bounds tuning may move a weight."""
    return {"tuned_between": [low, high]}


class RankingWeights(_Settings):
    """The parameters of the five factors.

    A raw value `x` counts as `floor + (1 - floor) * x`, so that a low floor makes a factor weigh. The two thresholds
    are those of the specification: what reaches `main_threshold` is shown first, what stays below
    `secondary_threshold` is not shown.
    """

    source_floor: Share = Field(
        default=0.80, description="what an untrusted source still counts", json_schema_extra=_tuned(0.5, 0.95)
    )
    importance_floor: Share = Field(
        default=0.75, description="what a trifle still counts", json_schema_extra=_tuned(0.5, 0.95)
    )
    confidence_floor: Share = Field(
        default=0.80, description="what a doubtful reading still counts", json_schema_extra=_tuned(0.5, 0.95)
    )
    kind_floor: Share = Field(
        default=0.40,
        description="what a kind of item that nobody asked for still counts",
        json_schema_extra=_tuned(0.1, 0.8),
    )
    topic_floor: Share = Field(
        default=0.50, description="what an item off the topic still counts", json_schema_extra=_tuned(0.1, 0.8)
    )
    other_kind_match: Share = Field(
        default=0.50, description="kind match of a type that no target names", json_schema_extra=_tuned(0.2, 0.95)
    )
    mention_match: Share = Field(
        default=0.10,
        description="kind match of a mere mention that no target names",
        json_schema_extra=_tuned(0.0, 0.5),
    )
    wide_match: Share = Field(
        default=0.75, description="time match in the wide range, outside the core", json_schema_extra=_tuned(0.75, 1.0)
    )
    span_match: Share = Field(
        default=0.80,
        description="factor for what spans more days than were asked for",
        json_schema_extra=_tuned(0.5, 1.0),
    )
    moved_match: Share = Field(
        default=0.90,
        description="time match of a matter that was named and has moved out of the range",
        json_schema_extra=_tuned(0.5, 1.0),
    )
    told_match: Share = Field(
        default=0.95,
        description="time match of what was only told in an ambiguous range",
        json_schema_extra=_tuned(0.5, 1.0),
    )
    undated_match: Share = Field(
        default=0.85,
        description="time match of what has no time and was told in the range",
        json_schema_extra=_tuned(0.5, 1.0),
    )
    undated_half_life_days: float = Field(
        default=4.0, gt=0, le=365, description="how it fades when told later", json_schema_extra=_tuned(1.0, 14.0)
    )
    overdue_half_life_days: float = Field(
        default=45.0,
        gt=0,
        le=365,
        description="how an open debt fades once overdue",
        json_schema_extra=_tuned(7.0, 90.0),
    )
    similarity_low: Share = Field(
        default=0.40, description="cosine up to which a text means nothing of a topic (extra `semantic`)"
    )
    similarity_high: Share = Field(
        default=0.70, description="cosine from which a text means a topic; above `similarity_low`"
    )
    snapshot_lift: Share = Field(default=0.10, description="importance of naming the user's projects or people")
    main_threshold: Share = 0.75
    secondary_threshold: Share = 0.50

    @model_validator(mode="after")
    def _is_similarity_in_order(self) -> Self:
        if self.similarity_low >= self.similarity_high:
            raise ValueError("similarity_low must be below similarity_high")
        return self
