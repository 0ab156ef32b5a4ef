"""Errors in words: when to try again is a number of seconds that a client can wait for."""

from __future__ import annotations

import math

import pytest

from temporal_recall.schemas.errors import InvalidRequest, RecallTimeout, SourceUnavailable
from temporal_recall.service.http.problems import problem_line


@pytest.mark.parametrize(
    ("asked_s", "told"),
    [(None, 1), (0.0, 1), (-5.0, 1), (2.1, 3), (1e12, 86_400), (math.inf, 86_400), (math.nan, 1)],
)
def test_whatever_a_source_asks_for_a_client_is_told_a_second_to_a_day(asked_s: float | None, told: int) -> None:
    error = SourceUnavailable("chat", "http_503", retry_after_s=asked_s)
    assert problem_line(error) == f"source_unavailable; source chat: http_503; try again in {told} s"


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (RecallTimeout(("chat", "meinput")), "recall_timeout; late: chat, meinput; try again in 1 s"),
        (InvalidRequest("limit", "a secret", "1 to 200"), "invalid_request; limit: 1 to 200"),
        (ValueError("a secret"), "internal_error"),
    ],
)
def test_an_error_is_one_line_without_what_was_given(error: Exception, line: str) -> None:
    assert problem_line(error) == line
