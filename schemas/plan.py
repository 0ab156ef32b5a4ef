"""The Context Plan: which context a question needs, and all that retrieval and ranking know of the question."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    model_validator,
)

TemporalMode = Literal["OCCURRED_IN", "MENTIONED_IN", "PLANNED_IN", "CREATED_IN", "DUE_IN", "AMBIGUOUS"]
Need = Literal["REQUIRED", "OPTIONAL", "SKIP"]
QueryType = Literal["personal_temporal_recall", "memory", "mixed", "chat"]
TargetType = Literal["event", "calendar_event", "schedule", "todo", "decision", "mention", "commitment"]
Share = Annotated[float, Field(ge=0, le=1)]
StrictShare = Annotated[float, Field(ge=0, le=1, strict=True)]
"""A share that must be a number: a plan comes from programs, and a text or a truth value there is a mistake."""

FIRST_YEAR, LAST_YEAR = 1900, 2200
MAX_RANGE = timedelta(days=7310)
"""Twenty years and the days that leap years and generous widths add."""


def _within_era(instant: datetime) -> datetime:
    if not FIRST_YEAR <= instant.year <= LAST_YEAR:
        raise ValueError(f"year is {instant.year}; allowed: {FIRST_YEAR} to {LAST_YEAR}")
    return instant


def _not_a_number(value: object) -> object:
    if isinstance(value, datetime) or (isinstance(value, str) and "-" in value[1:]):
        return value
    raise ValueError("an ISO 8601 date and time with an offset, such as 2026-09-03T22:00:00+08:00")


Instant = Annotated[AwareDatetime, BeforeValidator(_not_a_number), AfterValidator(_within_era)]
"""An aware instant of the years 1900 to 2200: far enough for a life, near enough for calendar arithmetic."""


Name = Annotated[str, Field(min_length=1, max_length=64)]
"""A short name; a bound makes pydantic look at the characters, so that no broken one comes in."""


class _PlanModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Range(_PlanModel):
    """A half-open range `[start, end)` of aware instants, at most twenty years long."""

    start: Instant
    end: Instant

    @model_validator(mode="after")
    def _is_ordered(self) -> Self:
        if not self.start < self.end:
            raise ValueError(f"start {self.start.isoformat()} is not before end {self.end.isoformat()}")
        if self.end - self.start > MAX_RANGE:
            raise ValueError(f"{(self.end - self.start).days} days long; allowed: at most {MAX_RANGE.days} (20 years)")
        return self


class PlanTime(_PlanModel):
    """The ranges of a question: core (what the answer says it searched) and wide (the hull of fair readings).

    `mention_*` bound `observed_time`, `event_*` bound `event_time`; null means that the question says nothing there.
    A wide range that is absent equals its core. `excluded` are spans that the question takes out again.
    """

    mention_range: Range | None = None
    event_range: Range | None = None
    mention_wide: Range | None = None
    event_wide: Range | None = None
    excluded: tuple[Range, ...] = ()

    @model_validator(mode="after")
    def _wide_contains_core(self) -> Self:
        for axis in ("mention", "event"):
            core, wide = getattr(self, f"{axis}_range"), getattr(self, f"{axis}_wide")
            if wide is not None and (core is None or wide.start > core.start or wide.end < core.end):
                raise ValueError(f"{axis}_wide must contain {axis}_range")
        return self


class Target(_PlanModel):
    """A kind of item that the question looks for, with its weight."""

    type: TargetType
    weight: StrictShare = 1.0


class Retrieval(_PlanModel):
    """How one source is asked. `expanded_queries` are words that its records may use; they never narrow the answer."""

    source: Name
    query_type: Name = "timeline"
    expanded_queries: tuple[Name, ...] = Field(default=(), max_length=64)
    weight: StrictShare = 1.0


class Filters(_PlanModel):
    """Hard conditions: raw importance at least `importance_min`; `status` `unresolved` as DESIGN 4.9 defines it."""

    importance_min: StrictShare | None = None
    status: Literal["unresolved", "planned", "completed", "cancelled"] | None = None


class Output(_PlanModel):
    """The shape of the answer."""

    group_by: Literal["importance", "day", "source", "type", "none"] = "importance"
    dedupe: StrictBool = True
    timeline: StrictBool = True
    wide_recall: StrictBool = True


class ContextNeeds(_PlanModel):
    """Which capabilities the assistant should use for this question (RFC table 2.1)."""

    user_snapshot: Need = "OPTIONAL"
    temporal_recall: Need = "REQUIRED"
    memory_retrieval: Need = "OPTIONAL"


class ContextPlan(_PlanModel):
    """What a question needs. A plan always exists; where no recall is needed it says SKIP.

    `time_zone` is the zone in which days are counted and times are shown (IANA id or fixed offset; null: that of the
    request). `topics` and `people` are what the question is about; ranking reads them, retrieval does not.
    """

    query_type: QueryType = "personal_temporal_recall"
    time: PlanTime = PlanTime()
    time_zone: Name | None = None
    temporal_mode: TemporalMode = "AMBIGUOUS"
    targets: tuple[Target, ...] = Field(default=(), max_length=16)
    sources: dict[Name, StrictShare] = Field(default_factory=dict, max_length=32)
    retrievals: tuple[Retrieval, ...] = Field(default=(), max_length=32)
    filters: Filters = Filters()
    output: Output = Output()
    context_needs: ContextNeeds = ContextNeeds()
    operation: Literal["retrieve", "retrieve_and_summarize"] = "retrieve"
    topics: tuple[Name, ...] = Field(default=(), max_length=32)
    people: tuple[Name, ...] = Field(default=(), max_length=32)


class SearchRanges(_PlanModel):
    """The ranges that recall searches and ranks by: those of the plan, or the horizon of its mode where it names none.

    `core` and `wide` lie on `axis`, the mode's own; `mention_*` and `event_*` are the ranges of each axis (for an
    AMBIGUOUS plan both are set). `note` says in words what was searched when the question named no time.
    """

    axis: Literal["observed", "event"]
    mention_core: Range | None = None
    mention_wide: Range | None = None
    event_core: Range | None = None
    event_wide: Range | None = None
    excluded: tuple[Range, ...] = ()
    is_horizon: bool = False
    note: str | None = None
