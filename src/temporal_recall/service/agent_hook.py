"""The hook of an agent runtime: recall where the plan says so, and the answer as text for the model (RFC 9, 11).

context = recall_context(service, "我昨天答应了谁什么", user_id=user)
messages = with_recall(messages, context)      # unchanged where nothing was to be recalled
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from temporal_recall.schemas.bundle import RecallBundle
from temporal_recall.schemas.errors import InvalidRequest, TemporalRecallError
from temporal_recall.schemas.plan import ContextPlan
from temporal_recall.schemas.plan_check import validated_plan
from temporal_recall.schemas.user import UserSnapshot
from temporal_recall.service.facade import LOCAL_USER, Question, RecallService
from temporal_recall.service.prompt_block import PromptBlock, prompt_block

DEFAULT_TOKEN_BUDGET = 2000

Message = dict[str, Any]
"""A message of an OpenAI-style conversation."""

RECALL_TOOL: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "recall_timeline",
        "description": (
            "What happened, was planned, said, decided or is due in the user's own life in some time range, from the"
            " user's records. Not for public facts. Pass the user's question unchanged."
        ),
        "parameters": {
            "type": "object",
            "properties": {"query": {"type": "string", "description": "The question, in the user's own words."}},
            "required": ["query"],
            "additionalProperties": False,
        },
    },
}
"""The tool by which a model asks for recall itself, in the schema of OpenAI-style servers."""


@dataclass(frozen=True, slots=True)
class RecallContext:
    """What recall found for one turn: the bundle, and the block that goes to the model."""

    bundle: RecallBundle
    block: PromptBlock

    @property
    def prompt(self) -> str:
        """The block's text."""
        return self.block.text


def recall_context(
    service: RecallService,
    plan_or_query: Question,
    *,
    user_id: str = LOCAL_USER,
    now: datetime | None = None,
    time_zone: str | None = None,
    include_optional: bool = False,
    token_budget: int = DEFAULT_TOKEN_BUDGET,
    user_snapshot: UserSnapshot | None = None,
    **request: Any,
) -> RecallContext | None:
    """What recall adds to a turn; None where the plan does not require it.

    Args:
        include_optional: recall also where the plan says OPTIONAL.
        token_budget: most tokens of the block, about.
        request: further arguments of `RecallService.recall` (`limit`, `allow_partial`, …).

    Raises:
        What `RecallService.recall` raises.
    """
    asked: dict[str, Any] = {"now": now, "time_zone": time_zone, "user_snapshot": user_snapshot}
    plan = service.plan(plan_or_query, **asked) if isinstance(plan_or_query, str) else validated_plan(plan_or_query)
    if not _is_wanted(plan, include_optional):
        return None
    bundle = service.recall(plan, user_id=user_id, **asked, **request)
    return RecallContext(bundle, prompt_block(bundle, token_budget=token_budget, weights=service.config.weights))


def _is_wanted(plan: ContextPlan, include_optional: bool) -> bool:
    need = plan.context_needs.temporal_recall
    return need == "REQUIRED" or (include_optional and need == "OPTIONAL")


def with_recall(messages: Sequence[Message], context: RecallContext | None) -> list[Message]:
    """The conversation with the block as a system message before its last message; unchanged without a context."""
    if context is None:
        return list(messages)
    return [*messages[:-1], {"role": "system", "content": context.prompt}, *messages[-1:]]


def tool_answer(service: RecallService, call: Mapping[str, Any], **request: Any) -> Message:
    """The tool message that answers one call of `RECALL_TOOL` in a model's reply.

    A call that cannot be served is answered with an error that the model can read, never raised: the turn goes on.

    Args:
        call: an entry of `tool_calls`.
        request: arguments of `recall_context` (`user_id`, `now`, `token_budget`, …).
    """
    try:
        context = recall_context(service, _asked_query(call), include_optional=True, **request)
        content = context.prompt if context else "This question needs no recall of the user's records."
    except TemporalRecallError as error:
        content = json.dumps({"error": error.code})
    return {"role": "tool", "tool_call_id": str(call.get("id", "")), "content": content}


def _asked_query(call: Mapping[str, Any]) -> str:
    function = call.get("function")
    name = function.get("name") if isinstance(function, Mapping) else None
    if not isinstance(function, Mapping) or name != RECALL_TOOL["function"]["name"]:
        raise InvalidRequest("function.name", name, RECALL_TOOL["function"]["name"])
    try:
        query = json.loads(function.get("arguments") or "{}")["query"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InvalidRequest("function.arguments", "unreadable", 'a JSON object with "query"') from None
    if not isinstance(query, str):
        raise InvalidRequest("query", type(query).__name__, "a string")
    return query
