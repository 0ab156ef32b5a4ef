"""When and how the semantic planner (Level 2) is asked: outside the DAG, for complex questions, never in the way."""

from __future__ import annotations

import os
from dataclasses import dataclass

from temporal_recall.dataflows.language.planner_sources import STRONG_WEIGHT
from temporal_recall.schemas.errors import SemanticPlannerFailed
from temporal_recall.schemas.hints import SemanticHints, SemanticPlanner
from temporal_recall.schemas.plan import ContextPlan
from temporal_recall.service.config import SemanticPlannerConfig

TIME_LIMIT_S = 1.5
"""Seconds after which a question goes on without the semantic planner."""


@dataclass(frozen=True, slots=True)
class SemanticAnswer:
    """What the semantic planner gave: hints, or none and the reason why.

    `asked_for` names what made it worth asking; None where it was not asked.
    """

    hints: SemanticHints | None = None
    asked_for: str | None = None
    failure: str | None = None

    def rules(self) -> list[str]:
        """How the asking went, in words of the trace; empty where it was not asked."""
        return [] if self.asked_for is None else [self.asked_for, self.failure or "hints_added"]


def complexity(plan: ContextPlan) -> str | None:
    """What makes a question complex (RFC 4.1), by name; None for one that the rules alone serve.

    Complex are several time references, a promise to be followed up, a range weighed against an old decision, and
    conditions across sources. What needs no recall is never complex.
    """
    if plan.context_needs.temporal_recall != "REQUIRED":
        return None
    time = plan.time
    if time.mention_range and time.event_range and time.mention_range != time.event_range:
        return "several_times"
    if plan.filters.status == "unresolved" and any(t.type == "commitment" for t in plan.targets):
        return "unfinished_promise"
    if plan.query_type == "mixed":
        return "time_and_decision"
    strong = [name for name, weight in plan.sources.items() if weight >= STRONG_WEIGHT]
    return "across_sources" if len(strong) > 1 else None


def semantic_answer(
    plan: ContextPlan, query_text: str, planner: SemanticPlanner, *, remaining_s: float | None = None
) -> SemanticAnswer:
    """What the semantic planner adds to a rule plan; a simple question is not passed on to it.

    Args:
        remaining_s: seconds that the request has left, of which it takes a third at most; None without a deadline.
    """
    reason = complexity(plan)
    if reason is None:
        return SemanticAnswer()
    timeout_s = TIME_LIMIT_S if remaining_s is None else min(TIME_LIMIT_S, remaining_s / 3)
    try:
        return SemanticAnswer(planner.hints(query_text, timeout_s=timeout_s), asked_for=reason)
    except SemanticPlannerFailed as error:
        return SemanticAnswer(asked_for=reason, failure=error.reason)


def configured_planner(config: SemanticPlannerConfig | None) -> SemanticPlanner | None:
    """The semantic planner that a configuration names; None where it names none.

    Raises:
        InvalidConfig: the address, the model or the key cannot be used.
    """
    if config is None:
        return None
    from temporal_recall.adapters.chat_client import ChatClient, ChatEndpoint
    from temporal_recall.adapters.semantic_planner import ChatSemanticPlanner

    key = os.environ.get(config.api_key_env)
    return ChatSemanticPlanner(ChatClient(ChatEndpoint(base_url=config.base_url, model=config.model, api_key=key)))
