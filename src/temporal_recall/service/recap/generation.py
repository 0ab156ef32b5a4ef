"""One diary being written: its events as they come, and how it ends when the reader leaves."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Literal

from temporal_recall.adapters.chat_client import ChatClient, ChatEnd, ChatError
from temporal_recall.schemas.recap import RecapError, RecapOut
from temporal_recall.service.recap.locks import Lease
from temporal_recall.service.recap.material import Material

_log = logging.getLogger(__name__)

EventName = Literal["delta", "thinking", "done", "error", "ping"]


@dataclass(frozen=True, slots=True)
class RecapEvent:
    """One event of a generation, by the names and fields that clients know.

    `delta` {delta}, `thinking` {thinking}, `ping` {}; and once, last, either `done` {recap} or `error` {code, message}.
    """

    name: EventName
    data: dict[str, Any] = field(default_factory=dict)

    @property
    def is_last(self) -> bool:
        return self.name in ("done", "error")


@dataclass(frozen=True, slots=True)
class WholeText:
    """A text that is whole, what it was written from, and how the model ended."""

    text: str
    material: Material
    end: ChatEnd


@dataclass(frozen=True, slots=True)
class GenerationSteps:
    """What a generation does beside talking to the model: make its material, save a whole diary, say what is there."""

    material: Callable[[], Awaitable[Material]]
    save: Callable[[WholeText], Awaitable[RecapOut]]
    empty: Callable[[], RecapOut]


class GenerationRun:
    """A generation under way on the running event loop.

    The model's stream is read by a task of its own, so that a slow reader does not slow it down. When the reader leaves
    (`abandon`), the request to the model is closed and nothing is written, unless the text was whole already: then it
    is paid for, and saved. The lease goes back when the task ends, also when it never began.
    """

    def __init__(self, chat: ChatClient, steps: GenerationSteps, lease: Lease, heartbeat_s: float) -> None:
        self._chat, self._steps, self._heartbeat_s = chat, steps, heartbeat_s
        self._events: asyncio.Queue[RecapEvent] = asyncio.Queue()
        self._is_whole = False
        self._task = asyncio.get_running_loop().create_task(self._write())
        self._task.add_done_callback(lambda _: lease.release())

    def abandon(self) -> None:
        """Ends the generation, unless the whole text is there and only its writing is left. Harmless at any time."""
        if not self._is_whole:
            self._task.cancel()

    async def events(self) -> AsyncIterator[RecapEvent]:
        """The events as they come, with a `ping` at every heartbeat from the start; ends with `done` or `error`."""
        loop = asyncio.get_running_loop()
        ping_at = loop.time() + self._heartbeat_s
        coming = loop.create_task(self._events.get())
        try:
            while True:
                await asyncio.wait({coming}, timeout=max(0.0, ping_at - loop.time()))
                if loop.time() >= ping_at:
                    ping_at += self._heartbeat_s
                    yield RecapEvent("ping")
                if coming.done():
                    event = coming.result()
                    yield event
                    if event.is_last:
                        return
                    coming = loop.create_task(self._events.get())
        finally:
            coming.cancel()

    async def _write(self) -> None:
        try:
            last = await self._written()
        except (ChatError, RecapError) as error:
            last = RecapEvent("error", {"message": error.message, "code": error.code})
        except Exception as error:  # noqa: BLE001 - the stream has begun, so this too must end it with an event
            _log.error("recap generation failed", extra={"error_type": type(error).__name__})
            last = RecapEvent("error", {"message": "the diary could not be written", "code": "internal_error"})
        self._events.put_nowait(last)

    async def _written(self) -> RecapEvent:
        material = await self._steps.material()
        if material.is_empty:
            return _done(self._steps.empty())
        pieces: list[str] = []
        async with aclosing(self._chat.stream(material.messages)) as answer:
            async for event in answer:
                if isinstance(event, ChatEnd):
                    self._is_whole = True
                    return _done(await self._steps.save(WholeText("".join(pieces), material, event)))
                if event.kind == "content":
                    pieces.append(event.text)
                    self._events.put_nowait(RecapEvent("delta", {"delta": event.text}))
                else:
                    self._events.put_nowait(RecapEvent("thinking", {"thinking": event.text}))
        raise ChatError("incomplete", "the model server closed the stream before the text was whole")


def _done(recap: RecapOut) -> RecapEvent:
    return RecapEvent("done", {"recap": recap.model_dump(mode="json")})
