"""What a chat-completion server sends back, read from bytes that may be cut anywhere.

Pure: no socket and no clock. `AnswerReader` takes the chunks of a response body as they come and gives the pieces of
the answer; it knows the habits of OpenAI-compatible servers (keep-alive comments, reasoning fields, inline think tags,
null choices, errors inside a 200 stream, one JSON body instead of a stream).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from temporal_recall.schemas.errors import TemporalRecallError

FRAME_LIMIT_BYTES = 4 * 1024 * 1024
"""A single line longer than this is no chat frame, and a whole answer that is no stream is no longer either."""

ChatErrorCode = Literal[
    "upstream_http",
    "upstream_error",
    "incomplete",
    "truncated",
    "filtered",
    "no_content",
    "bad_frame",
    "not_a_stream",
    "silence_timeout",
    "overall_timeout",
    "not_configured",
]


class ChatError(TemporalRecallError):
    """A chat completion that gave no whole answer. `code` is stable; the message is for people and holds no key."""

    def __init__(self, code: ChatErrorCode, message: str) -> None:
        super().__init__(message)
        self.code: ChatErrorCode = code
        self.message = message


class ChatMessage(TypedDict):
    """One message of a conversation: `role` is `system`, `user` or `assistant`."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class ChatPiece:
    """A piece of text as it arrived: of the answer itself (`content`) or of the model's reasoning (`thinking`)."""

    kind: Literal["content", "thinking"]
    text: str


@dataclass(frozen=True, slots=True)
class ChatEnd:
    """How a whole answer ended: the model as the server names it, and token counts where it sends them."""

    finish_reason: str | None
    model: str | None
    prompt_tokens: int | None
    completion_tokens: int | None


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """One server-sent event: its name (None where none was given) and its data lines."""

    name: str | None
    data_lines: tuple[str, ...]


class EventDecoder:
    """Server-sent events out of bytes cut anywhere, also inside a character or a line end.

    Lines end in LF, CR or CRLF. Comments and unknown fields make no event; the latter are kept in `stray_lines`,
    since a body made of nothing else is no event stream.
    """

    def __init__(self) -> None:
        self.stray_lines: list[str] = []
        self.has_data = False
        self._stray_size = 0
        self._line = bytearray()
        self._is_after_cr = False
        self._name: str | None = None
        self._data_lines: list[str] = []

    def feed(self, chunk: bytes) -> Iterator[StreamEvent]:
        """The events that `chunk` completes, in order."""
        for part in re.split(rb"(\r\n|\r|\n)", chunk):
            if part in (b"\r\n", b"\r", b"\n"):
                yield from self._line_end(part)
            elif part:
                self._is_after_cr = False
                self._line += part
                self._refuse_endless_line()

    def close(self) -> Iterator[StreamEvent]:
        """The last event, where the body ended without its blank line; a data line cut off in its middle is dropped."""
        last_line = self._line.decode("utf-8", errors="replace")
        self._line.clear()
        if last_line and not _is_cut_off(last_line):
            self._take(last_line)
        yield from self._dispatched()

    def _line_end(self, mark: bytes) -> Iterator[StreamEvent]:
        is_second_half = mark == b"\n" and self._is_after_cr
        self._is_after_cr = mark == b"\r"
        if is_second_half:
            return
        line = self._line.decode("utf-8", errors="replace").removeprefix("\ufeff")
        self._line.clear()
        if line:
            self._take(line)
        else:
            yield from self._dispatched()

    def _take(self, line: str) -> None:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self.has_data = True
            self._data_lines.append(value)
        elif field == "event":
            self._name = value.strip() or None
        elif field not in ("", "id", "retry"):
            self.stray_lines.append(line)
            self._stray_size += len(line)
            if self._stray_size > FRAME_LIMIT_BYTES:
                raise ChatError("not_a_stream", "the model server answered at length with something that is no stream")

    def _dispatched(self) -> Iterator[StreamEvent]:
        event = StreamEvent(self._name, tuple(self._data_lines))
        self._name = None
        self._data_lines = []
        if event.data_lines or event.name:
            yield event

    def _refuse_endless_line(self) -> None:
        if len(self._line) > FRAME_LIMIT_BYTES:
            raise ChatError("bad_frame", f"the model server sent a line longer than {FRAME_LIMIT_BYTES} bytes")


def _is_cut_off(line: str) -> bool:
    field, _, value = line.partition(":")
    return field == "data" and value.strip() != "[DONE]" and not _is_json(value)


_THINK_TAG = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_OPEN_TAG_START = re.compile(r"<[/a-z]{0,10}\Z", re.IGNORECASE)


class ThinkTagSplitter:
    """Answer text with inline think tags, told apart into content and thinking, whatever the cuts.

    White space before the first visible character of the content is dropped, since it belongs to the tags.
    """

    def __init__(self) -> None:
        self.has_content = False
        self._is_thinking = False
        self._held = ""

    def feed(self, text: str) -> Iterator[ChatPiece]:
        """The pieces of `text`; a tail that may be the start of a tag is held until more comes."""
        text = self._held + text
        self._held = ""
        position = 0
        for tag in _THINK_TAG.finditer(text):
            yield from self._before_tag(text[position : tag.start()], is_closing=bool(tag[1]))
            position = tag.end()
        rest = text[position:]
        if tail := _OPEN_TAG_START.search(rest):
            self._held = rest[tail.start() :]
            rest = rest[: tail.start()]
        yield from self._piece(rest)

    def close(self) -> Iterator[ChatPiece]:
        """The held tail, which turned out to be text."""
        held, self._held = self._held, ""
        yield from self._piece(held)

    def _before_tag(self, text: str, *, is_closing: bool) -> Iterator[ChatPiece]:
        # Some chat templates put the opening tag into the prompt, so that only the closing one is sent.
        if is_closing and not self._is_thinking:
            if self.has_content:
                raise ChatError("upstream_error", "the model's reasoning ended in the middle of its answer")
            self._is_thinking = True
        yield from self._piece(text)
        self._is_thinking = not is_closing

    def _piece(self, text: str) -> Iterator[ChatPiece]:
        if self._is_thinking:
            if text:
                yield ChatPiece("thinking", text)
            return
        if not self.has_content:
            text = text.lstrip()
        if text:
            self.has_content = True
            yield ChatPiece("content", text)


_FAILURE_BY_FINISH_REASON: dict[str, tuple[ChatErrorCode, str]] = {
    "length": ("truncated", "the model reached its length limit before the text was whole"),
    "max_tokens": ("truncated", "the model reached its length limit before the text was whole"),
    "content_filter": ("filtered", "the model server's content filter stopped the text"),
    "safety": ("filtered", "the model server's content filter stopped the text"),
    "tool_calls": ("no_content", "the model asked for a tool instead of writing"),
    "function_call": ("no_content", "the model asked for a tool instead of writing"),
}
_SIGNS_OF_LIFE = ("ping", "heartbeat", "keepalive", "keep-alive")
"""Names of events that only keep the connection open."""
_REASONING_FIELDS = ("reasoning_content", "reasoning", "thinking")


class AnswerReader:
    """A chat-completion response body, streamed or whole, read chunk by chunk.

    `feed` gives the pieces that a chunk completes and raises `ChatError` at once where the server reports a failure;
    `end` closes the answer. An answer is whole when a terminal sign came (`finish_reason` "stop" or `[DONE]`) and its
    content is not blank. What follows `[DONE]` does not count.
    """

    def __init__(self) -> None:
        self.is_done = False
        self.has_stopped = False
        self._decoder = EventDecoder()
        self._splitter = ThinkTagSplitter()
        self._finish_reason: str | None = None
        self._model: str | None = None
        self._usage: dict[str, Any] = {}

    def feed(self, chunk: bytes) -> Iterator[ChatPiece]:
        """The pieces that `chunk` completes.

        Raises:
            ChatError: the server reported an error, stopped early, or sent a frame that cannot be read.
        """
        for event in self._decoder.feed(chunk):
            yield from self._event_pieces(event)

    def close(self) -> Iterator[ChatPiece]:
        """The pieces that only the end of the body completes: a last frame without its blank line, a whole JSON body.

        Raises:
            ChatError: as `feed`; also `not_a_stream` where the body is neither an event stream nor a chat answer.
        """
        for event in self._decoder.close():
            yield from self._event_pieces(event)
        if not self._decoder.has_data and self._decoder.stray_lines:
            yield from self._whole_body_pieces("\n".join(self._decoder.stray_lines))
        yield from self._splitter.close()

    def end(self) -> ChatEnd:
        """How the answer ended, once `close` has been read.

        Raises:
            ChatError: `incomplete` without a terminal sign, `no_content` where only blanks or reasoning came.
        """
        if not (self.is_done or self.has_stopped):
            raise ChatError("incomplete", "the model server closed the stream before the text was whole")
        if not self._splitter.has_content:
            raise ChatError("no_content", "the model ended without writing any text")
        return ChatEnd(
            self._finish_reason,
            self._model,
            _whole_number(self._usage.get("prompt_tokens")),
            _whole_number(self._usage.get("completion_tokens")),
        )

    def _event_pieces(self, event: StreamEvent) -> Iterator[ChatPiece]:
        if event.name == "error":
            raise _upstream_error(" ".join(event.data_lines))
        if event.name in _SIGNS_OF_LIFE:
            return
        for frame in _frames(event.data_lines):
            if self.is_done:
                return
            if frame == "[DONE]":
                self.is_done = True
            else:
                yield from self._frame_pieces(_parsed(frame))

    def _frame_pieces(self, frame: dict[str, Any]) -> Iterator[ChatPiece]:
        _refuse_error(frame)
        self._model = _text_or_none(frame.get("model")) or self._model
        if isinstance(usage := frame.get("usage"), dict):
            self._usage = usage
        for choice in frame.get("choices") or ():
            if isinstance(choice, dict) and choice.get("index", 0) in (0, None):
                yield from self._choice_pieces(choice)

    def _choice_pieces(self, choice: dict[str, Any]) -> Iterator[ChatPiece]:
        message = choice.get("delta") or choice.get("message") or {}
        if not self.has_stopped and isinstance(message, dict):
            yield from self._message_pieces(message)
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason.strip():
            self._finish(reason.strip())

    def _message_pieces(self, message: dict[str, Any]) -> Iterator[ChatPiece]:
        reasoning = next((text for name in _REASONING_FIELDS if (text := _text_of(message.get(name)))), "")
        if reasoning:
            yield ChatPiece("thinking", reasoning)
        content = message.get("content")
        for part in content if isinstance(content, list) else [content]:
            if isinstance(part, dict) and part.get("type") in ("thinking", "reasoning"):
                yield ChatPiece("thinking", _text_of(part))
            elif text := _text_of(part):
                yield from self._splitter.feed(text)

    def _finish(self, reason: str) -> None:
        if reason.casefold() == "stop":
            self.has_stopped = True
            self._finish_reason = "stop"
            return
        if failure := _FAILURE_BY_FINISH_REASON.get(reason.casefold()):
            raise ChatError(*failure)
        raise ChatError("upstream_error", f"the model stopped with finish_reason {reason[:40]!r}")

    def _whole_body_pieces(self, body: str) -> Iterator[ChatPiece]:
        try:
            answer = json.loads(body)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise ChatError("not_a_stream", "the model server answered with something that is no chat completion")
        _refuse_error(answer)
        if not answer.get("choices"):
            raise ChatError("not_a_stream", "the model server answered with JSON that holds no choices")
        yield from self._frame_pieces(answer)


def _frames(data_lines: tuple[str, ...]) -> list[str]:
    """The frames of one event: its data as one text, or line by line where a server leaves the blank lines out."""
    lines = [line.strip() for line in data_lines]
    lines = [line for line in lines if line and not line.startswith(":")]
    if len(lines) > 1 and _is_json(joined := "\n".join(lines)):
        return [joined]
    return lines


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _parsed(frame: str) -> dict[str, Any]:
    try:
        value = json.loads(frame)
    except (ValueError, RecursionError):
        raise ChatError("bad_frame", "the model server sent a frame that is not JSON") from None
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ChatError("bad_frame", "the model server sent a frame that is no JSON object")
    return value


def _refuse_error(frame: dict[str, Any]) -> None:
    if error := frame.get("error"):
        raise _upstream_error(error)
    if frame.get("object") == "error" or frame.get("type") == "error":
        raise _upstream_error(frame)


def _upstream_error(error: object) -> ChatError:
    text = _text_of(error) or (error.get("message") if isinstance(error, dict) else None) or "no reason given"
    return ChatError("upstream_error", f"the model server reported an error: {str(text)[:500]}")


def _text_of(value: object) -> str:
    """The text of a content value: a string, a part with `text` or `thinking`, or a list of such parts.

    JSON may hold half of a surrogate pair, which is no text; it becomes U+FFFD.
    """
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return "".join(_text_of(part) for part in value)
    if isinstance(value, dict):
        return _text_of(value.get("text") or value.get("thinking"))
    return ""


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _whole_number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
