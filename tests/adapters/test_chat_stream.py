"""The reader of chat answers: every known habit of such servers, whatever the cuts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from temporal_recall.adapters.chat_stream import AnswerReader, ChatError, ChatPiece, EventDecoder, ThinkTagSplitter

_QUIRKS_FILE = Path(__file__).resolve().parents[3] / "shared" / "cases" / "recap" / "stream_quirks.json"
QUIRKS = json.loads(_QUIRKS_FILE.read_text(encoding="utf-8")) if _QUIRKS_FILE.is_file() else []


def _answer(raw: str | bytes, chunk_size: int | None = None) -> str:
    """`done:<content>` or `error:<code>` for a whole body fed in chunks."""
    body = raw.encode() if isinstance(raw, str) else raw
    size = chunk_size or max(1, len(body))
    reader = AnswerReader()
    pieces: list[ChatPiece] = []
    try:
        for start in range(0, len(body), size):
            pieces += reader.feed(body[start : start + size])
        pieces += reader.close()
        reader.end()
    except ChatError as error:
        return f"error:{error.code}"
    return "done:" + "".join(piece.text for piece in pieces if piece.kind == "content")


def _frame(delta: dict[str, object] | None = None, finish: str | None = None, **extra: object) -> str:
    return f"data: {json.dumps({'choices': [{'index': 0, 'delta': delta, 'finish_reason': finish}], **extra})}\n\n"


def _over_lines(frame: str) -> str:
    return frame.replace("{", "{\ndata: ")


MORNING = _frame({"content": "Morning."})
STOP = _frame({}, "stop")
DONE = "data: [DONE]\n\n"


@pytest.mark.parametrize("chunk_size", [1, 7, None], ids=["1 byte", "7 bytes", "whole"])
@pytest.mark.parametrize("quirk", QUIRKS, ids=lambda quirk: quirk["name"])
def test_quirks_of_servers(quirk: dict[str, str], chunk_size: int | None) -> None:
    outcome = _answer(quirk["raw"], chunk_size)
    if quirk["outcome"] == "done":
        assert outcome == f"done:{quirk['narrative']}"
    else:  # the cases say `upstream` where our code is `upstream_error`
        assert outcome.removesuffix("_error") == quirk["outcome"]


def test_a_captured_stream_of_a_real_server_is_truncated(shared: Path) -> None:
    raw = (shared / "cases" / "recap" / "llamacpp_stream_real.sse").read_bytes()
    assert _answer(raw, 13) == "error:truncated"


@pytest.mark.parametrize("chunk_size", [1, 7, None], ids=["1 byte", "7 bytes", "whole"])
@pytest.mark.parametrize(
    ("raw", "outcome"),
    [
        pytest.param("\ufeff" + MORNING + STOP, "done:Morning.", id="byte order mark"),
        pytest.param((MORNING + STOP).replace("\n", "\r"), "done:Morning.", id="lines end in CR"),
        pytest.param((MORNING + STOP + DONE).replace("\n\n", "\n"), "done:Morning.", id="no blank lines"),
        pytest.param(MORNING + STOP.rstrip("\n"), "done:Morning.", id="last frame without its line end"),
        pytest.param(MORNING + DONE.rstrip("\n"), "done:Morning.", id="DONE without its line end"),
        pytest.param(MORNING + "data: [DONE] \n\n", "done:Morning.", id="space after DONE"),
        pytest.param(MORNING + STOP[:30], "error:incomplete", id="cut in the middle of a frame"),
        pytest.param(MORNING + "data: {oops", "error:incomplete", id="unreadable because cut"),
        pytest.param(MORNING + 'data: "text"\n\n' + STOP, "error:bad_frame", id="frame is no object"),
        pytest.param(MORNING + "data: null\n\n" + STOP, "done:Morning.", id="null frame"),
        pytest.param(_frame(None) + MORNING + STOP, "done:Morning.", id="null delta"),
        pytest.param(MORNING + _frame({}, "STOP"), "done:Morning.", id="finish reason in capitals"),
        pytest.param(MORNING + _frame({}, "abort") + DONE, "error:upstream_error", id="aborted"),
        pytest.param(MORNING + _frame({}, "MAX_TOKENS") + DONE, "error:truncated", id="other word for length"),
        pytest.param(MORNING + STOP + 'data: {"error": "late"}\n\n', "error:upstream_error", id="error after stop"),
        pytest.param(MORNING + STOP + MORNING, "done:Morning.", id="text after stop"),
        pytest.param(MORNING + _frame({"content": " Night."}, "stop"), "done:Morning. Night.", id="text with stop"),
        pytest.param(_frame({"content": "M"}, error=None) + STOP, "done:M", id="null error"),
        pytest.param('data: {"object": "error", "message": "no"}\n\n', "error:upstream_error", id="error object"),
        pytest.param('{"error": {"message": "no"}}', "error:upstream_error", id="JSON error with status 200"),
        pytest.param('{"detail": "x"}', "error:not_a_stream", id="JSON without choices"),
        pytest.param("<!doctype html>\n<p>data: x</p>\n", "error:not_a_stream", id="several lines of HTML"),
        pytest.param("event: ping\ndata: now\n\n" + MORNING + STOP, "done:Morning.", id="ping event"),
        pytest.param("retry: 3000\n\n" + MORNING + STOP, "done:Morning.", id="retry field"),
        pytest.param(MORNING.replace("M", "\u2028M\x85") + STOP, "done:M\x85orning.", id="other line separators"),
        pytest.param(MORNING.replace('"index": 0', '"index": 1') + STOP, "error:no_content", id="another choice"),
        pytest.param(STOP.replace('"index": 0', '"index": 1') + MORNING, "error:incomplete", id="another choice stops"),
        pytest.param("", "error:incomplete", id="empty body"),
        pytest.param(": ping\n\n", "error:incomplete", id="only comments"),
        pytest.param("event: error\n\n", "error:upstream_error", id="error event without data"),
        pytest.param(
            _frame({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]}) + MORNING + STOP,
            "done:Morning.",
            id="thinking part",
        ),
        pytest.param(_frame({"content": "hm</think>\n\nMorning."}) + STOP, "done:Morning.", id="opening tag missing"),
        pytest.param(MORNING + _frame({"content": "</think>x"}) + STOP, "error:upstream_error", id="late closing tag"),
        pytest.param(_frame({"content": "<think>hm"}) + STOP, "error:no_content", id="tag never closed"),
        pytest.param(
            _frame({"content": "<th"}) + _frame({"content": "ink>hm</thi"}) + _frame({"content": "nk>a < b"}) + STOP,
            "done:a < b",
            id="tags cut by frames",
        ),
        pytest.param(_frame({"content": "1 <"}) + STOP, "done:1 <", id="ends like a tag"),
        pytest.param(_over_lines(MORNING) + DONE, "done:Morning.", id="one JSON text over several data lines"),
    ],
)
def test_habits_of_servers(raw: str, outcome: str, chunk_size: int | None) -> None:
    assert _answer(raw, chunk_size) == outcome


def test_reasoning_is_thinking_and_never_content() -> None:
    reader = AnswerReader()
    pieces = list(reader.feed((_frame({"reasoning": "hm", "content": "M"}) + STOP).encode()))
    assert pieces == [ChatPiece("thinking", "hm"), ChatPiece("content", "M")]


def test_the_end_carries_model_and_token_counts() -> None:
    reader = AnswerReader()
    usage = {"prompt_tokens": 9, "completion_tokens": 4}
    list(reader.feed((MORNING + STOP + _frame({}, model="m-1", usage=usage) + DONE).encode()))
    end = reader.end()
    assert (end.model, end.prompt_tokens, end.completion_tokens) == ("m-1", 9, 4)


def test_an_endless_line_is_refused() -> None:
    decoder = EventDecoder()
    with pytest.raises(ChatError, match="longer than"):
        list(decoder.feed(b"data: " + b"x" * (5 * 1024 * 1024)))


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="<>/think a", max_size=60), st.integers(1, 9))
def test_tags_are_found_whatever_the_cuts(text: str, size: int) -> None:
    """Cutting the text changes no content, and no text is lost or made up."""

    def content(size: int) -> str | None:
        splitter = ThinkTagSplitter()
        try:
            pieces = [piece for at in range(0, len(text), size) for piece in splitter.feed(text[at : at + size])]
        except ChatError:
            return None
        return "".join(piece.text for piece in [*pieces, *splitter.close()] if piece.kind == "content")

    whole, cut = content(max(1, len(text))), content(size)
    assert cut in (whole, None)
