"""What a semantic planner (Level 2) may add to a plan; it never touches time and never takes a source away."""

from __future__ import annotations

from typing import Annotated, Protocol

from pydantic import BaseModel, ConfigDict, Field

from temporal_recall.schemas.plan import Filters, Share, TargetType

Word = Annotated[str, Field(min_length=1, max_length=64)]


class SemanticHints(BaseModel):
    """Additions to a rule plan: kinds of item, source weights, search words, filters, topics and people."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    targets: dict[TargetType, Share] = Field(default_factory=dict, max_length=16)
    sources: dict[str, Share] = Field(default_factory=dict, max_length=32)
    expanded_queries: tuple[Word, ...] = Field(default=(), max_length=32)
    topics: tuple[Word, ...] = Field(default=(), max_length=16)
    people: tuple[Word, ...] = Field(default=(), max_length=16)
    filters: Filters = Filters()


class SemanticPlanner(Protocol):
    """A model that reads what rules cannot; called outside the dataflow, for complex questions only."""

    def hints(self, query_text: str, *, timeout_s: float) -> SemanticHints:
        """What the model adds for a question.

        Raises:
            SemanticPlannerFailed: no usable answer within `timeout_s` seconds.
        """
        ...
