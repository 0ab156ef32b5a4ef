"""Faults of a server that can be switched on, as ASGI middleware: a test says what breaks, for how many answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]


class Fault(Enum):
    """What an answer suffers."""

    HANG = "no answer until the client goes"
    TRICKLE = "one byte at a time"
    RESET = "the connection ends inside the headers' promised length"
    CUT = "the body ends early, in good order"
    FLOOD = "a body that does not end"
    GARBAGE = "200 with a body that is no JSON"
    RATE_LIMITED = "429 with Retry-After"
    UNAVAILABLE = "503 with Retry-After"
    CURSOR_EXPIRED = "410 for an answer that carries a cursor"


@dataclass
class FaultSwitch:
    """The fault of the next `count` answers (None: of all), after letting `skip_count` through.

    `retry_after_s` is what 429 and 503 ask for; `cut_bytes` how much of a body is sent before it is cut.
    """

    fault: Fault | None = None
    count: int | None = None
    skip_count: int = 0
    retry_after_s: int = 0
    cut_bytes: int = 400

    def set(self, fault: Fault | None, count: int | None = None, skip_count: int = 0) -> None:
        """Switches a fault on, or all faults off."""
        self.fault, self.count, self.skip_count = fault, count, skip_count

    def take(self, query: bytes) -> Fault | None:
        """The fault of this answer, counted."""
        if self.fault is None or (self.fault is Fault.CURSOR_EXPIRED and b"cursor=" not in query):
            return None
        if self.skip_count:
            self.skip_count -= 1
            return None
        if self.count is not None:
            if not self.count:
                return None
            self.count -= 1
        return self.fault


class FaultyApp:
    """An ASGI application that answers as `app` does, save where the switch says otherwise."""

    def __init__(self, app: App, switch: FaultSwitch) -> None:
        self._app, self._switch = app, switch

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        fault = self._switch.take(scope.get("query_string", b"")) if scope["type"] == "http" else None
        if fault is None:
            await self._app(scope, receive, send)
        elif fault is Fault.HANG:
            await _until_client_goes(receive)
        elif fault is Fault.FLOOD:
            await _flood(receive, send)
        elif fault in (Fault.CUT, Fault.RESET, Fault.TRICKLE):
            await self._app(scope, receive, _BodyFault(fault, self._switch.cut_bytes, send))
        else:
            await _answer(fault, self._switch.retry_after_s, send)


class _BodyFault:
    """A `send` that spoils the body on its way."""

    def __init__(self, fault: Fault, cut_bytes: int, send: Send) -> None:
        self._fault, self._left, self._send = fault, cut_bytes, send
        self._is_over = False

    async def __call__(self, message: Message) -> None:
        if self._is_over:
            return
        if message["type"] == "http.response.start":
            await self._send({**message, "headers": self._headers(message)})
        elif self._fault is Fault.TRICKLE:
            await self._trickle(message)
        else:
            await self._cut(message)

    def _headers(self, message: Message) -> list[tuple[bytes, bytes]]:
        headers = [(k, v) for k, v in message.get("headers", []) if k.lower() != b"content-length"]
        return [*headers, (b"content-length", b"1000000")] if self._fault is Fault.RESET else headers

    async def _trickle(self, message: Message) -> None:
        for byte in message.get("body", b""):
            await self._send({"type": "http.response.body", "body": bytes([byte]), "more_body": True})
            await asyncio.sleep(0.005)
        if not message.get("more_body"):
            await self._send({"type": "http.response.body", "body": b""})

    async def _cut(self, message: Message) -> None:
        body = message.get("body", b"")[: self._left]
        self._left -= len(body)
        self._is_over = self._left <= 0 or not message.get("more_body")
        if self._is_over and self._fault is Fault.RESET:
            await self._send({"type": "http.response.body", "body": body, "more_body": True})
            raise ConnectionError("reset on purpose")
        await self._send({"type": "http.response.body", "body": body, "more_body": not self._is_over})


async def _until_client_goes(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _flood(receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": b'{"items": ["', "more_body": True})
    client_leaves = asyncio.ensure_future(_until_client_goes(receive))
    try:
        while not client_leaves.done():
            await send({"type": "http.response.body", "body": b"x" * 65_536, "more_body": True})
            await asyncio.sleep(0)  # a send that need not wait lets nobody else run, not even who sees the client go
    finally:
        client_leaves.cancel()


async def _answer(fault: Fault, retry_after_s: int, send: Send) -> None:
    status, code = {
        Fault.RATE_LIMITED: (429, "rate_limited"),
        Fault.UNAVAILABLE: (503, "unavailable"),
        Fault.CURSOR_EXPIRED: (410, "cursor_expired"),
    }.get(fault, (200, ""))
    problem = {"type": "about:blank", "title": code, "status": status, "code": code}
    body = json.dumps(problem).encode() if code else b"<html>\xff\xfe 502 Bad Gateway"
    headers = [(b"content-type", b"application/problem+json"), (b"retry-after", str(retry_after_s).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
