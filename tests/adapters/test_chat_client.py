"""The chat client against a server on a real socket: what it sends, what it waits for, how it lets go."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator

import pytest
from fake_chat_server import DONE, STREAM_HEAD, Connection, FakeChatServer, Script, fake_chat_server, frame, streaming

from temporal_recall.adapters.chat_client import ChatClient, ChatEnd, ChatEndpoint, ChatError, ChatLimits, ChatMessage
from temporal_recall.schemas.errors import InvalidConfig

MESSAGES: list[ChatMessage] = [{"role": "user", "content": "how was my day?"}]
KEY = "sk-secret-0123456789"


def _client(server: FakeChatServer, *, silence_s: float = 5.0, overall_s: float = 10.0, **endpoint: str) -> ChatClient:
    return ChatClient(
        ChatEndpoint(server.base_url, **{"model": "m", "api_key": KEY, **endpoint}), ChatLimits(silence_s, overall_s)
    )


def _streamed(client: ChatClient) -> tuple[str, ChatEnd]:
    async def read() -> tuple[str, ChatEnd]:
        text = []
        async for event in client.stream(MESSAGES):
            if isinstance(event, ChatEnd):
                return "".join(text), event
            if event.kind == "content":
                text.append(event.text)
        raise AssertionError("a stream ends with ChatEnd or an error")

    return asyncio.run(read())


def _failure(script: Script, **limits: float) -> ChatError:
    with fake_chat_server(script) as server, pytest.raises(ChatError) as caught:
        _streamed(_client(server, **limits))
    return caught.value


def test_a_streamed_answer_and_what_the_server_got() -> None:
    with fake_chat_server(streaming(frame("Morning. "), frame("Evening."), DONE)) as server:
        text, end = _streamed(_client(server))
    assert text == "Morning. Evening."
    assert (end.model, end.finish_reason) == ("fake-1", "stop")
    assert server.requests == [{"model": "m", "messages": MESSAGES, "stream": True}]
    assert server.heads[0].startswith("POST /v1/chat/completions HTTP/1.1")
    assert f"authorization: Bearer {KEY}".lower() in server.heads[0].lower()


def test_no_key_sends_no_authorization() -> None:
    with fake_chat_server(streaming(frame("M"), DONE)) as server:
        _streamed(ChatClient(ChatEndpoint(server.base_url + "/", "m")))
    assert "authorization" not in server.heads[0].lower()
    assert "POST /v1/chat/completions " in server.heads[0]


@pytest.mark.parametrize(
    ("effort", "sent"),
    [
        ("low", {"reasoning_effort": "low"}),
        ("high", {"reasoning_effort": "high"}),
        ("max", {"reasoning_effort": "max"}),
        ("none", {"thinking": {"type": "disabled"}}),
        ("default", {}),
        ("", {}),
        ("enormous", {}),
    ],
)
def test_reasoning_effort(effort: str, sent: dict[str, object]) -> None:
    with fake_chat_server(streaming(frame("M"), DONE)) as server:
        _streamed(_client(server, reasoning_effort=effort))
    assert {
        name: value for name, value in server.requests[0].items() if name in ("reasoning_effort", "thinking")
    } == sent


def test_one_byte_at_a_time() -> None:
    body = frame("早上 ☕ ") + frame("晚上") + DONE
    with fake_chat_server(streaming(*(body[at : at + 1] for at in range(len(body))))) as server:
        assert _streamed(_client(server))[0] == "早上 ☕ 晚上"


def test_a_whole_answer_that_was_buffered_until_the_end() -> None:
    with fake_chat_server(streaming(b"".join([frame("Morning."), DONE]))) as server:
        assert _streamed(_client(server))[0] == "Morning."


class TestFailures:
    @pytest.mark.parametrize("status", [301, 400, 401, 429, 500])
    def test_a_status_other_than_2xx_is_told_with_its_body_cut_and_scrubbed(self, status: int) -> None:
        body = (f"bad key {KEY} " + "x" * 2000).encode()
        head = f"HTTP/1.1 {status} No\r\nContent-Length: {len(body)}\r\nLocation: http://127.0.0.1:1/\r\n\r\n".encode()
        error = _failure(lambda connection: connection.send(head + body))
        assert error.code == "upstream_http"
        assert str(status) in error.message
        assert KEY not in error.message
        assert len(error.message) < 600

    def test_a_key_at_the_cut_leaves_no_half(self) -> None:
        body = b"x" * 490 + KEY.encode()
        head = f"HTTP/1.1 401 No\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        assert KEY[:6] not in _failure(lambda connection: connection.send(head + body)).message

    def test_an_error_frame_that_echoes_the_key_is_scrubbed(self) -> None:
        error = _failure(streaming(f'data: {{"error": {{"message": "key {KEY} is bad"}}}}\n\n'.encode()))
        assert (error.code, KEY in error.message) == ("upstream_error", False)

    def test_nobody_listens(self) -> None:
        client = ChatClient(ChatEndpoint("http://127.0.0.1:9/v1", "m", KEY))
        with pytest.raises(ChatError, match=r"127\.0\.0\.1 could not be used") as caught:
            _streamed(client)
        assert caught.value.code == "upstream_error"

    @pytest.mark.parametrize("is_reset", [False, True])
    def test_a_connection_that_breaks_off_is_incomplete(self, is_reset: bool) -> None:
        def script(connection: Connection) -> None:
            connection.send(STREAM_HEAD + frame("Morning."))
            time.sleep(0.05)
            if is_reset:
                connection.reset()

        assert _failure(script).code == "incomplete"

    def test_a_chunked_body_cut_in_its_middle_is_incomplete(self) -> None:
        head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        assert _failure(lambda connection: connection.send(head + b"fff\r\n" + frame("Morning."))).code == "incomplete"

    def test_silence_before_the_first_byte(self) -> None:
        error = _failure(lambda connection: connection.hang(), silence_s=0.15)
        assert (error.code, error.message) == ("silence_timeout", "the model server sent nothing for 0.15 s")

    def test_silence_in_the_middle(self) -> None:
        def script(connection: Connection) -> None:
            connection.send(STREAM_HEAD + frame("Morning."))
            connection.hang()

        assert _failure(script, silence_s=0.15).code == "silence_timeout"

    def test_reasoning_for_ever_ends_at_the_overall_limit(self) -> None:
        def script(connection: Connection) -> None:
            connection.send(STREAM_HEAD)
            while not connection.closing.is_set():
                connection.send(frame(reasoning_content="hm"))
                time.sleep(0.02)

        error = _failure(script, silence_s=5, overall_s=0.4)
        assert (error.code, error.message) == ("overall_timeout", "the text was not whole after 0.4 s")


@pytest.mark.parametrize("sign", [frame(reasoning_content="hm"), b": keep-alive\n\n"], ids=["reasoning", "comment"])
def test_any_sign_of_life_resets_the_silence(sign: bytes) -> None:
    with fake_chat_server(streaming(*[sign] * 5, frame("Morning."), DONE, gap_s=0.2)) as server:
        assert _streamed(_client(server, silence_s=0.9))[0] == "Morning."


@pytest.mark.parametrize("is_reset", [False, True])
def test_a_server_that_lingers_or_breaks_after_stop_costs_nothing(is_reset: bool) -> None:
    def script(connection: Connection) -> None:
        connection.send(STREAM_HEAD + frame("Morning.") + frame(finish="stop"))
        time.sleep(0.05)
        connection.reset() if is_reset else connection.hang()

    with fake_chat_server(script) as server:
        assert _streamed(_client(server, silence_s=5))[0] == "Morning."


def test_leaving_the_stream_closes_the_request() -> None:
    def script(connection: Connection) -> None:
        connection.send(STREAM_HEAD + frame("Morning."))
        connection.hang()

    async def read_one_piece(client: ChatClient) -> None:
        events = client.stream(MESSAGES)
        await anext(events)
        await events.aclose()

    with fake_chat_server(script) as server:
        asyncio.run(read_one_piece(_client(server)))
        assert server.ended.acquire(timeout=3)


def test_cancelling_the_reader_closes_the_request() -> None:
    async def cancelled(client: ChatClient) -> None:
        reading = asyncio.create_task(anext(client.stream(MESSAGES)))
        await asyncio.sleep(0.1)
        reading.cancel()
        await asyncio.wait([reading])
        assert reading.cancelled()

    with fake_chat_server(lambda connection: connection.hang()) as server:
        asyncio.run(cancelled(_client(server)))
        assert server.ended.acquire(timeout=3)


class TestComplete:
    @pytest.fixture
    def server(self) -> Iterator[FakeChatServer]:
        answer = {"model": "m", "choices": [{"message": {"content": '{"mode": "DUE_IN"}'}, "finish_reason": "stop"}]}
        body = json.dumps(answer).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        with fake_chat_server(lambda connection: connection.send(head + body)) as server:
            yield server

    def test_gives_the_whole_text(self, server: FakeChatServer) -> None:
        answer = _client(server).complete(MESSAGES, time_limit_s=5, json_object=True)
        assert answer.text == '{"mode": "DUE_IN"}'
        sent = server.requests[0]
        assert (sent["stream"], sent["response_format"]) == (False, {"type": "json_object"})

    def test_works_inside_a_running_event_loop(self, server: FakeChatServer) -> None:
        async def caller() -> str:
            return _client(server).complete(MESSAGES, time_limit_s=5).text

        assert asyncio.run(caller())

    def test_a_trickling_server_is_cut_at_the_limit(self) -> None:
        def script(connection: Connection) -> None:
            connection.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            while not connection.closing.is_set():
                connection.send(b" ")
                time.sleep(0.02)

        with fake_chat_server(script) as server:
            begin = time.monotonic()
            with pytest.raises(ChatError, match=r"not whole after 0\.2 s"):
                _client(server).complete(MESSAGES, time_limit_s=0.2)
            assert time.monotonic() - begin < 2


@pytest.mark.parametrize(
    ("endpoint", "path"),
    [
        ({"base_url": "api.example/v1", "model": "m"}, "base_url"),
        ({"base_url": "https://api.example/v1", "model": " "}, "model"),
        ({"base_url": "https://api.example/v1", "model": "m", "api_key": "a\nb"}, "api_key"),
    ],
)
def test_an_endpoint_that_cannot_work_is_refused(endpoint: dict[str, str], path: str) -> None:
    with pytest.raises(InvalidConfig) as caught:
        ChatEndpoint(**endpoint)
    assert caught.value.path == path
    assert "a\nb" not in str(caught.value)


def test_the_key_is_not_shown() -> None:
    assert KEY not in repr(ChatEndpoint("https://api.example/v1", "m", KEY))
