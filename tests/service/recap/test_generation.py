"""One diary being written: what is saved, what is not, and what gives the lock back."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from fake_chat_server import DONE, STREAM_HEAD, Connection, Script, fake_chat_server, frame, streaming
from recap_app import WINDOW, recap_service
from recap_days import at, segment

from temporal_recall.dataflows.recap.windows import recap_window_of
from temporal_recall.schemas.recap import RecapError
from temporal_recall.service.recap.generation import RecapEvent
from temporal_recall.service.recap.locks import GenerationLocks
from temporal_recall.service.recap.service import RecapService

STORY = streaming(frame("Morning. "), frame("Evening."), DONE)


async def _all_events(service: RecapService, owner: str = "ana") -> list[RecapEvent]:
    run = service.start(owner, WINDOW)
    try:
        return [event async for event in run.events()]
    finally:
        run.abandon()


def _events(folder: Path, script: Script, **settings: Any) -> tuple[list[RecapEvent], str | None]:
    """The events of one generation, and the narrative that is cached after it."""
    with fake_chat_server(script) as server, recap_service(folder, server.base_url, **settings) as service:
        events = asyncio.run(_all_events(service))
        return events, service.read("ana", WINDOW).narrative


def _error_code(folder: Path, script: Script, **settings: Any) -> str:
    events, narrative = _events(folder, script, **settings)
    assert narrative is None
    assert [event.name for event in events if event.is_last] == ["error"]
    code: str = events[-1].data["code"]
    return code


def test_what_was_streamed_is_what_is_saved(tmp_path: Path) -> None:
    events, narrative = _events(
        tmp_path, streaming(frame(reasoning_content="hm"), frame("Morning. "), frame("E."), DONE)
    )
    assert [event.name for event in events] == ["thinking", "delta", "delta", "done"]
    joined = "".join(event.data["delta"] for event in events if event.name == "delta")
    assert joined == narrative == events[-1].data["recap"]["narrative"] == "Morning. E."


def test_the_row_tells_what_it_was_made_from(tmp_path: Path) -> None:
    with fake_chat_server(STORY) as server, recap_service(tmp_path, server.base_url) as service:
        asyncio.run(_all_events(service))
        out = service.read("ana", WINDOW)
        assert (out.generated_at, out.model, out.segment_watermark) == (at("20:00"), "m", at("10:00"))
        assert not any((out.regenerable, out.knowledge_stale, out.segment_stale, out.partial_day))
        row = service._cache.row("ana", WINDOW.key)
        assert row is not None
        assert (row.upstream_model, row.base_url_host, row.finish_reason) == ("fake-1", "127.0.0.1", "stop")


def test_only_template_and_redacted_digest_leave_the_process(tmp_path: Path) -> None:
    with fake_chat_server(STORY) as server, recap_service(tmp_path, server.base_url) as service:
        asyncio.run(_all_events(service))
        dry_run = service.project("ana", WINDOW)
    (sent,) = server.requests
    assert set(sent) == {"model", "messages", "stream"}
    assert sent["messages"] == list(dry_run.messages)
    assert sent["messages"][1]["content"] == dry_run.digest


@pytest.mark.parametrize(
    ("script", "code"),
    [
        (streaming(b""), "incomplete"),
        (streaming(frame("Morning.")), "incomplete"),
        (streaming(frame("Morning."), frame(finish="length")), "truncated"),
        (streaming(frame("Morning."), frame(finish="content_filter")), "filtered"),
        (streaming(frame("Morning."), b'data: {"error": "slot died"}\n\n'), "upstream_error"),
        (streaming(frame("Morning."), b"data: {oops\n\n"), "bad_frame"),
        (streaming(frame(reasoning_content="hm"), DONE), "no_content"),
        (lambda connection: connection.send(b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n"), "upstream_http"),
    ],
)
def test_a_failure_ends_the_stream_once_and_saves_nothing(tmp_path: Path, script: Script, code: str) -> None:
    assert _error_code(tmp_path, script) == code


def test_a_failure_leaves_the_earlier_diary_and_the_lock_free(tmp_path: Path) -> None:
    with fake_chat_server(STORY) as server, recap_service(tmp_path, server.base_url) as service:
        asyncio.run(_all_events(service))
        server.script = streaming(frame("New "), frame("text"))
        assert asyncio.run(_all_events(service))[-1].name == "error"
        assert service.read("ana", WINDOW).narrative == "Morning. Evening."
        server.script = streaming(frame("Anew."), DONE)
        asyncio.run(_all_events(service))
        assert service.read("ana", WINDOW).narrative == "Anew."


def test_silence_is_told_with_its_real_number(tmp_path: Path) -> None:
    events, _ = _events(tmp_path, lambda connection: connection.hang(), silence_s=0.15)
    assert events[-1].data == {"message": "the model server sent nothing for 0.15 s", "code": "silence_timeout"}


def test_reasoning_for_ever_ends_at_the_overall_limit(tmp_path: Path) -> None:
    def script(connection: Connection) -> None:
        connection.send(STREAM_HEAD)
        while not connection.closing.is_set():
            connection.send(frame(reasoning_content="hm"))
            time.sleep(0.02)

    assert _error_code(tmp_path, script, silence_s=5, overall_s=0.4) == "overall_timeout"


def test_heartbeats_come_while_nothing_else_does(tmp_path: Path) -> None:
    def script(connection: Connection) -> None:
        time.sleep(0.35)
        streaming(frame("Morning."), DONE)(connection)

    events, _ = _events(tmp_path, script, heartbeat_s=0.1)
    assert [event.name for event in events[:2]] == ["ping", "ping"]
    assert events[-1].name == "done"


def test_an_empty_day_asks_no_model_and_saves_nothing(tmp_path: Path) -> None:
    with fake_chat_server(STORY) as server, recap_service(tmp_path, server.base_url) as service:
        (done,) = asyncio.run(_all_events(service, owner="nobody"))
        assert (done.name, done.data["recap"]["is_empty"]) == ("done", True)
        assert server.requests == []
        assert service._cache.row("nobody", WINDOW.key) is None


class TestLeaving:
    def _hanging(self, connection: Connection) -> None:
        connection.send(STREAM_HEAD + frame("Morning. ") + frame("Evening."))
        connection.hang()

    def test_in_the_middle_closes_the_request_and_saves_nothing(self, tmp_path: Path) -> None:
        async def read_two(service: RecapService) -> None:
            run = service.start("ana", WINDOW)
            events = run.events()
            assert [(await anext(events)).name for _ in range(2)] == ["delta", "delta"]
            run.abandon()
            await asyncio.wait([run._task])
            service.start("ana", WINDOW).abandon()

        with fake_chat_server(self._hanging) as server, recap_service(tmp_path, server.base_url) as service:
            asyncio.run(read_two(service))
            assert server.ended.acquire(timeout=3)
            assert service.read("ana", WINDOW).narrative is None

    def test_after_the_last_piece_it_is_saved_all_the_same(self, tmp_path: Path) -> None:
        async def leave_before_done(service: RecapService) -> None:
            run = service.start("ana", WINDOW)
            while not run._is_whole:
                await asyncio.sleep(0)
            run.abandon()
            await asyncio.wait([run._task])

        with fake_chat_server(STORY) as server, recap_service(tmp_path, server.base_url) as service:
            asyncio.run(leave_before_done(service))
            assert service.read("ana", WINDOW).narrative == "Morning. Evening."

    def test_a_diary_of_an_owner_who_is_erased_meanwhile_is_not_kept(self, tmp_path: Path) -> None:
        whole = threading.Event()

        def script(connection: Connection) -> None:
            connection.send(STREAM_HEAD + frame("Morning. "))
            whole.wait(5)
            connection.send(frame("Evening.") + DONE)

        async def erased_in_the_middle(service: RecapService) -> list[RecapEvent]:
            events = service.start("ana", WINDOW).events()
            assert (await anext(events)).name == "delta"
            with recap_service(tmp_path, None) as elsewhere:  # another process; its collector uploads the day again
                elsewhere.erase("ana")
                elsewhere.ingest([segment("Code", "9:00", "10:00", "lanes.py", id="code")])
            whole.set()
            return [event async for event in events]

        with fake_chat_server(script) as server, recap_service(tmp_path, server.base_url) as service:
            last = asyncio.run(erased_in_the_middle(service))[-1]
            assert (last.name, last.data["code"]) == ("error", "owner_erased")
            assert service.read("ana", WINDOW).narrative is None
            assert asyncio.run(_all_events(service))[-1].name == "done"

    def test_before_the_task_began_frees_the_lock(self, tmp_path: Path) -> None:
        async def start_twice(service: RecapService) -> None:
            for _ in range(2):
                run = service.start("ana", WINDOW)
                run.abandon()
                await asyncio.wait([run._task])

        with recap_service(tmp_path, "http://127.0.0.1:9/v1") as service:
            asyncio.run(start_twice(service))


class TestLocks:
    def test_the_same_window_is_refused_and_others_run(self, tmp_path: Path) -> None:
        async def start_several(service: RecapService) -> None:
            runs = [service.start("ana", WINDOW)]
            with pytest.raises(RecapError) as caught:
                service.start("ana", recap_window_of("2026-07-14", "UTC"))
            assert caught.value.code == "generation_in_progress"
            runs += [service.start("bob", WINDOW), service.start("ana", recap_window_of("2026-07-13", "UTC"))]
            for run in runs:
                run.abandon()

        with recap_service(tmp_path, "http://127.0.0.1:9/v1") as service:
            asyncio.run(start_several(service))

    def test_a_lease_released_twice_does_not_free_a_later_holder(self) -> None:
        locks = GenerationLocks()
        first = locks.acquire("ana", "w")
        first.release()
        second = locks.acquire("ana", "w")
        first.release()
        with pytest.raises(RecapError):
            locks.acquire("ana", "w")
        second.release()
        locks.acquire("ana", "w")

    def test_without_a_model_nothing_starts(self, tmp_path: Path) -> None:
        with recap_service(tmp_path, None) as service, pytest.raises(RecapError) as caught:
            service.start("ana", WINDOW)
        assert caught.value.code == "not_configured"
