"""Errors that cross a seam. Each carries a stable `code`; none ever carries a record's text or a token."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_MACHINE_WORD = re.compile(r"[a-z][a-z0-9_]{0,39}")


def allowed_by(fault: Mapping[str, Any]) -> str:
    """What one error of pydantic says is allowed, as the `allowed` of our errors; holds no input."""
    return "no such field" if fault["type"] == "extra_forbidden" else str(fault["msg"]).removeprefix("Value error, ")


class TemporalRecallError(Exception):
    """Base of every error that the project raises on purpose; `code` is stable and meant for programs."""

    code = "temporal_recall_error"


class InvalidRequest(TemporalRecallError):
    """A request that cannot be answered as it stands: names the field, the value and what is allowed."""

    code = "invalid_request"

    def __init__(self, path: str, value: object, allowed: str) -> None:
        self.path, self.value, self.allowed = path, value, allowed
        super().__init__(f"{path} is {value!r}; allowed: {allowed}")


class InvalidPlan(InvalidRequest):
    """A Context Plan from outside that does not validate; `path` is the field's dotted path."""

    code = "invalid_plan"


class InvalidConfig(InvalidRequest):
    """A configuration that cannot be used; `path` is the key."""

    code = "invalid_config"


class SourceUnavailable(TemporalRecallError):
    """A whole source is down or refuses us. A bad row is a `RecordIssue` instead.

    `reason` is a short machine word (`connect_timeout`, `http_503`, `missing_view`), since it ends in answers, logs and
    metrics; anything else becomes `unavailable`. `retry_after_s` is what the source asked for, in seconds.
    """

    code = "source_unavailable"

    def __init__(
        self, source: str, reason: str, *, is_retryable: bool = True, retry_after_s: float | None = None
    ) -> None:
        self.source = source
        self.reason = reason = reason if _MACHINE_WORD.fullmatch(reason) else "unavailable"
        self.is_retryable, self.retry_after_s = is_retryable, retry_after_s
        super().__init__(f"source {source} is unavailable: {reason}")


class RecallTimeout(TemporalRecallError):
    """A required source, or every source, was later than the deadline."""

    code = "recall_timeout"

    def __init__(self, sources: tuple[str, ...]) -> None:
        self.sources = sources
        super().__init__(f"no answer in time from {', '.join(sources)}")


class RecallCancelled(TemporalRecallError):
    """The caller withdrew the request."""

    code = "cancelled"


class ServiceUnusable(TemporalRecallError):
    """The service itself has no threads to answer with: it is closed, or this process is a fork of the one it is of."""

    code = "service_unusable"


class FrameContractError(TemporalRecallError):
    """A frame between two stages is not what the contract says: names the frame, the column and what is there."""

    code = "frame_contract"


class SemanticPlannerFailed(TemporalRecallError):
    """The semantic planner (Level 2) gave no usable answer; the rules' plan stands.

    `reason` is a short machine word (`silence_timeout`, `upstream_http`, `invalid_answer`).
    """

    code = "semantic_planner_failed"

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the semantic planner gave no usable answer: {reason}")
