"""The semantic planner over a real socket: checked hints or one kind of failure."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from fake_chat_server import Connection, fake_chat_server

from temporal_recall.adapters.chat_client import ChatClient, ChatEndpoint
from temporal_recall.adapters.semantic_planner import ChatSemanticPlanner
from temporal_recall.schemas.errors import SemanticPlannerFailed
from temporal_recall.schemas.hints import SemanticHints

QUESTION = "上周答应客户的事哪些还没做，跟日历冲突吗"


def _answering(content: str, status: str = "200 OK") -> Callable[[Connection], None]:
    answer = {"model": "m", "choices": [{"message": {"content": content}, "finish_reason": "stop"}]}
    body = json.dumps(answer).encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    return lambda connection: connection.send(head.encode() + body)


def _hints(script: Callable[[Connection], None], timeout_s: float = 5.0) -> tuple[SemanticHints, list[dict[str, Any]]]:
    with fake_chat_server(script) as server:
        planner = ChatSemanticPlanner(ChatClient(ChatEndpoint(base_url=server.base_url, model="m")))
        return planner.hints(QUESTION, timeout_s=timeout_s), server.requests


def test_gives_what_the_model_says() -> None:
    hints, _ = _hints(_answering('{"targets": {"commitment": 1}, "topics": ["客户"]}'))
    assert hints == SemanticHints(targets={"commitment": 1.0}, topics=("客户",))


def test_reads_an_answer_in_a_code_fence() -> None:
    hints, _ = _hints(_answering('```json\n{"people": ["老王"]}\n```'))
    assert hints.people == ("老王",)


def test_sends_the_question_as_data_and_asks_for_json() -> None:
    _, requests = _hints(_answering("{}"))
    assert json.loads(requests[0]["messages"][-1]["content"]) == {"question": QUESTION}
    assert requests[0]["response_format"] == {"type": "json_object"}


@pytest.mark.parametrize(
    "content",
    [
        "I think you mean yesterday.",
        "[]",
        '{"targets": {"holiday": 1}}',
        '{"sources": {"chat": 7}}',
        '{"time": {"mention_range": null}}',
        '{"expanded_queries": [""]}',
    ],
)
def test_an_answer_that_does_not_validate_is_a_failure(content: str) -> None:
    with pytest.raises(SemanticPlannerFailed) as failure:
        _hints(_answering(content))
    assert failure.value.reason == "invalid_answer"


def test_a_server_error_is_a_failure() -> None:
    with pytest.raises(SemanticPlannerFailed) as failure:
        _hints(_answering("{}", status="500 Internal Server Error"))
    assert failure.value.reason == "upstream_http"


def test_a_slow_answer_is_a_failure_in_time() -> None:
    with pytest.raises(SemanticPlannerFailed) as failure:
        _hints(lambda connection: connection.hang(), timeout_s=0.2)
    assert failure.value.reason.endswith("timeout")
