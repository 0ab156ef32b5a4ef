"""The project's one chat client: plain HTTP to an OpenAI-compatible `/chat/completions`, no provider SDK.

    client = ChatClient(ChatEndpoint(base_url="https://api.example/v1", model="m", api_key=key))
    answer = client.complete(messages, time_limit_s=1.5)          # blocking, one whole answer
    async for event in client.stream(messages): ...               # pieces as they come, then one ChatEnd

Both raise `ChatError` (code and message) and nothing else for whatever the server or the network does. The key is in no
message.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx
from anyio.from_thread import start_blocking_portal

from temporal_recall.adapters.chat_stream import AnswerReader, ChatEnd, ChatError, ChatMessage, ChatPiece
from temporal_recall.schemas.errors import InvalidConfig

__all__ = ["ChatAnswer", "ChatClient", "ChatEnd", "ChatEndpoint", "ChatError", "ChatLimits", "ChatMessage", "ChatPiece"]

T = TypeVar("T")

_ERROR_BODY_CHARS = 500
_ERROR_BODY_BYTES = 64 * 1024
_AFTER_STOP_S = 1.0
"""How long token counts are waited for once the model has said that it stopped."""


@dataclass(frozen=True, slots=True)
class ChatEndpoint:
    """Where answers come from. `api_key` may be None, since local servers need none; it is never shown.

    `reasoning_effort`: "low", "high" and "max" are sent as they are, "none" turns thinking off, anything else sends
    nothing.

    Raises:
        InvalidConfig: `base_url` is no http(s) URL, `model` is blank, or the key cannot stand in a header.
    """

    base_url: str
    model: str
    api_key: str | None = field(default=None, repr=False)
    reasoning_effort: str | None = None

    def __post_init__(self) -> None:
        parts = urlsplit(self.base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            shown = f"{parts.scheme}://{parts.hostname or ''}"  # the rest may hold a password
            raise InvalidConfig("base_url", shown, "an http:// or https:// URL with a host")
        if not self.model.strip():
            raise InvalidConfig("model", self.model, "the name of a model")
        if self.api_key is not None and not (self.api_key.isascii() and self.api_key.isprintable()):
            raise InvalidConfig("api_key", "(hidden)", "printable ASCII characters only")

    @property
    def host(self) -> str:
        """The host alone, without user, port or path; fit for logs and stored rows."""
        return urlsplit(self.base_url).hostname or ""


@dataclass(frozen=True, slots=True)
class ChatLimits:
    """Time limits in seconds. Silence is reset by anything that the server sends, comments and reasoning included."""

    silence_s: float = 60.0
    overall_s: float = 600.0
    connect_s: float = 10.0


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """A whole answer: its text without reasoning, and how it ended."""

    text: str
    end: ChatEnd


class ChatClient:
    """A client of one endpoint. Safe to share: each answer has its own connection, closed when the answer ends.

    `http` is an `httpx.AsyncClient` of the host's, for streaming on the host's event loop; it is not closed here.
    """

    def __init__(
        self, endpoint: ChatEndpoint, limits: ChatLimits | None = None, *, http: httpx.AsyncClient | None = None
    ) -> None:
        self.endpoint = endpoint
        self.limits = limits or ChatLimits()
        self._http = http

    async def stream(self, messages: Sequence[ChatMessage]) -> AsyncGenerator[ChatPiece | ChatEnd]:
        """The pieces of an answer as they come, then one `ChatEnd`.

        Closing the generator, or cancelling the task that reads it, closes the request to the server.

        Raises:
            ChatError: no whole answer came; what was yielded before is to be thrown away.
        """
        async with aclosing(self._events(self._body(messages, stream=True), self.limits, self._http)) as events:
            async for event in events:
                yield event

    def complete(
        self, messages: Sequence[ChatMessage], *, time_limit_s: float, json_object: bool = False
    ) -> ChatAnswer:
        """One whole answer, waited for. May be called from any thread, also one that runs an event loop.

        Args:
            time_limit_s: seconds for all of it, connecting included.
            json_object: ask the server for a JSON object (`response_format`).

        Raises:
            ChatError: no whole answer came within the limit.
        """
        with start_blocking_portal() as portal:
            return portal.call(partial(self.acomplete, messages, time_limit_s=time_limit_s, json_object=json_object))

    async def acomplete(
        self, messages: Sequence[ChatMessage], *, time_limit_s: float, json_object: bool = False
    ) -> ChatAnswer:
        """As `complete`, for callers on an event loop."""
        body = self._body(messages, stream=False)
        if json_object:
            body["response_format"] = {"type": "json_object"}
        limits = ChatLimits(time_limit_s, time_limit_s, min(time_limit_s, self.limits.connect_s))
        text: list[str] = []
        async with aclosing(self._events(body, limits, None)) as events:
            async for event in events:
                if isinstance(event, ChatEnd):
                    return ChatAnswer("".join(text), event)
                if event.kind == "content":
                    text.append(event.text)
        raise ChatError("incomplete", "the model server closed the answer before it was whole")

    def _body(self, messages: Sequence[ChatMessage], *, stream: bool) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.endpoint.model, "messages": list(messages), "stream": stream}
        if self.endpoint.reasoning_effort in ("low", "high", "max"):
            body["reasoning_effort"] = self.endpoint.reasoning_effort
        elif self.endpoint.reasoning_effort == "none":
            body["thinking"] = {"type": "disabled"}
        return body

    async def _events(
        self, body: dict[str, Any], limits: ChatLimits, http: httpx.AsyncClient | None
    ) -> AsyncGenerator[ChatPiece | ChatEnd]:
        deadline = _Deadline(limits)
        reader = AnswerReader()
        try:
            async with AsyncExitStack() as stack:
                client = http if http is not None else await stack.enter_async_context(httpx.AsyncClient())
                response = await deadline.kept(client.send(self._request(client, body, limits), stream=True))
                stack.push_async_callback(response.aclose)
                if not response.is_success:
                    raise await self._http_error(response, deadline)
                async for chunk in _chunks(response, reader, deadline):
                    for piece in reader.feed(chunk):
                        yield piece
                for piece in reader.close():
                    yield piece
                yield reader.end()
        except ChatError as error:
            raise ChatError(error.code, self._scrubbed(error.message)) from None
        except httpx.HTTPError as error:
            reason = f"the model server {self.endpoint.host} could not be used: {type(error).__name__}"
            raise ChatError("upstream_error", self._scrubbed(reason)) from None

    def _request(self, http: httpx.AsyncClient, body: dict[str, Any], limits: ChatLimits) -> httpx.Request:
        headers = {"Accept": "text/event-stream, application/json"}
        if self.endpoint.api_key:
            headers["Authorization"] = f"Bearer {self.endpoint.api_key}"
        url = self.endpoint.base_url.rstrip("/") + "/chat/completions"
        # Reads are timed by `_Deadline`, which tells silence from a run that is too long.
        timeout = httpx.Timeout(None, connect=limits.connect_s)
        return http.build_request("POST", url, json=body, headers=headers, timeout=timeout)

    async def _http_error(self, response: httpx.Response, deadline: _Deadline) -> ChatError:
        body = bytearray()
        chunks = response.aiter_bytes()
        try:
            while len(body) < _ERROR_BODY_BYTES and (chunk := await deadline.kept(anext(chunks, None))):
                body += chunk
        except (ChatError, httpx.HTTPError):
            body += b" (cut off)"
        # Scrub before cutting, or half a key could stay at the cut.
        text = self._scrubbed(body.decode("utf-8", errors="replace"))[:_ERROR_BODY_CHARS]
        return ChatError("upstream_http", f"the model server answered {response.status_code}: {text}")

    def _scrubbed(self, text: str) -> str:
        return text.replace(self.endpoint.api_key, "***") if self.endpoint.api_key else text


class _Deadline:
    """The two time limits of one answer, counted from its making."""

    def __init__(self, limits: ChatLimits) -> None:
        self._limits = limits
        self._overall_at = asyncio.get_running_loop().time() + limits.overall_s

    async def kept(self, step: Awaitable[T], limit_s: float | None = None) -> T:
        """The result of `step`, which may take as long as the limits leave.

        Raises:
            ChatError: `overall_timeout` before `silence_timeout` where both have passed.
        """
        left_s = self._overall_at - asyncio.get_running_loop().time()
        silence_s = self._limits.silence_s if limit_s is None else limit_s
        try:
            async with asyncio.timeout(max(0.0, min(silence_s, left_s))):
                return await step
        except TimeoutError:
            if left_s <= silence_s:
                limit = f"the text was not whole after {self._limits.overall_s:g} s"
                raise ChatError("overall_timeout", limit) from None
            raise ChatError("silence_timeout", f"the model server sent nothing for {silence_s:g} s") from None


async def _chunks(response: httpx.Response, reader: AnswerReader, deadline: _Deadline) -> AsyncIterator[bytes]:
    """The body's chunks until it ends, breaks off, or `[DONE]` came; `reader.end` judges whether that was the whole."""
    body = response.aiter_bytes()
    while not reader.is_done:
        try:
            chunk = await deadline.kept(anext(body, None), _AFTER_STOP_S if reader.has_stopped else None)
        except httpx.HTTPError:
            return
        except ChatError:
            if reader.has_stopped:
                return
            raise
        if chunk is None:
            return
        yield chunk
