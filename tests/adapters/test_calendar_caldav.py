"""CalDAV against a real server (Radicale) on a socket: discovery, windows, accounts, and what goes wrong."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from wsgiref.simple_server import WSGIRequestHandler, make_server

import httpx
import pytest

from temporal_recall.adapters.calendar_caldav import CalDavAccount, CalendarCalDavAdapter
from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import RequestLimits, SearchContext
from temporal_recall.testing.contexts import issues_of, records_of
from temporal_recall.testing.running import running

radicale = pytest.importorskip("radicale", reason="radicale is not installed")

SearchContexts = Callable[..., SearchContext]
SERIES = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:test
BEGIN:VEVENT
UID:stand-up
DTSTAMP:20260801T000000Z
CREATED:20260901T010000Z
DTSTART;TZID=Asia/Shanghai:20260831T100000
DTEND;TZID=Asia/Shanghai:20260831T103000
RRULE:FREQ=WEEKLY;COUNT=4
SUMMARY:周会
END:VEVENT
END:VCALENDAR
"""
HOLIDAY = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:test
BEGIN:VEVENT
UID:holiday
DTSTAMP:20260801T000000Z
DTSTART;VALUE=DATE:20260907
SUMMARY:调休
END:VEVENT
END:VCALENDAR
"""
TASK = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:test
BEGIN:VTODO
UID:report
DTSTAMP:20260801T000000Z
DUE:20260903T100000Z
SUMMARY:交报告
END:VTODO
END:VCALENDAR
"""


class _QuietHandler(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def caldav_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Radicale server with a calendar each of two users, and the same objects in u1's."""
    folder = tmp_path_factory.mktemp("radicale")
    users = folder / "users"
    users.write_text("u1:one\nu2:two\n", encoding="utf-8")
    configuration = radicale.config.load()
    configuration.update(
        {
            "auth": {"type": "htpasswd", "htpasswd_filename": str(users), "htpasswd_encryption": "plain", "delay": "0"},
            "storage": {"filesystem_folder": str(folder / "store")},
            "logging": {"level": "critical"},
        },
        "test",
        privileged=True,
    )
    server = make_server("127.0.0.1", 0, radicale.app.Application(configuration), handler_class=_QuietHandler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}"
    _fill(url, "u1", "one", {"a": SERIES, "b": HOLIDAY, "c": TASK})
    _fill(url, "u2", "two", {"a": HOLIDAY.replace("调休", "u2 的假")})
    yield url
    server.shutdown()
    server.server_close()
    thread.join()


def _fill(url: str, user: str, password: str, objects: dict[str, str]) -> None:
    with httpx.Client(base_url=url, auth=(user, password)) as client:
        client.request("MKCALENDAR", f"/{user}/work/").raise_for_status()
        for name, text in objects.items():
            client.put(f"/{user}/work/{name}.ics", content=text.replace("\n", "\r\n")).raise_for_status()


@pytest.fixture
def adapter(caldav_url: str) -> Iterator[CalendarCalDavAdapter]:
    accounts = {user: CalDavAccount(caldav_url, user, word) for user, word in (("u1", "one"), ("u2", "two"))}
    adapter = CalendarCalDavAdapter("calendar", accounts)
    yield adapter
    adapter.close()


def test_series_all_day_and_tasks_are_read_and_expanded_here(
    adapter: CalendarCalDavAdapter, search_context: SearchContexts
) -> None:
    rows = list(adapter.search(search_context(axis="event")))
    assert issues_of(rows) == []
    assert [r.source_ref for r in records_of(rows)] == [
        "calendar:todo:report",
        "calendar:event:holiday",
        "calendar:event:stand-up/20260907T020000Z",
    ]


def test_what_was_entered_inside_the_window(adapter: CalendarCalDavAdapter, search_context: SearchContexts) -> None:
    records = records_of(adapter.search(search_context(axis="observed")))
    assert [r.source_ref for r in records] == ["calendar:event:stand-up/20260831T020000Z"]


def test_each_account_is_its_users(adapter: CalendarCalDavAdapter, search_context: SearchContexts) -> None:
    window = {"axis": "event"}
    assert [r.text for r in records_of(adapter.search(search_context(user_id="u2", **window)))] == ["u2 的假"]
    assert list(adapter.search(search_context(user_id="u3", **window))) == []


@pytest.mark.parametrize("path", ["/", "/u1/", "/u1/work/"])
def test_any_address_of_the_account_will_do(caldav_url: str, path: str, search_context: SearchContexts) -> None:
    adapter = CalendarCalDavAdapter("calendar", {"u1": CalDavAccount(caldav_url + path, "u1", "one")})
    assert len(records_of(adapter.search(search_context(axis="event")))) == 3
    assert adapter.probe(RequestLimits()).detail == "1 calendars"
    adapter.close()


def test_a_wrong_password_is_told_without_it(caldav_url: str, search_context: SearchContexts) -> None:
    adapter = CalendarCalDavAdapter("calendar", {"u1": CalDavAccount(caldav_url, "u1", "hunter2")})
    with pytest.raises(SourceUnavailable) as caught:
        list(adapter.search(search_context(axis="event")))
    assert (caught.value.reason, caught.value.is_retryable) == ("unauthenticated", False)
    assert "hunter2" not in str(caught.value)
    assert adapter.probe(RequestLimits()).state == "broken"
    adapter.close()


BOMB = b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><l>&b;</l>'
ELSEWHERE = b"""<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response><d:href>/</d:href>
<c:calendar-home-set><d:href>http://elsewhere.example/home/</d:href></c:calendar-home-set></d:response></d:multistatus>"""


@pytest.mark.parametrize(("body", "reason"), [(b"<nothing", "bad_page"), (BOMB, "bad_page"), (b"", "bad_page")])
def test_answers_that_are_no_answer(body: bytes, reason: str, search_context: SearchContexts) -> None:
    with running(_server(body, [])) as url:
        adapter = CalendarCalDavAdapter("calendar", {"u1": CalDavAccount(url, "u1", "one")})
        with pytest.raises(SourceUnavailable, match=reason):
            list(adapter.search(search_context(axis="event", seconds=2)))
        adapter.close()


def test_credentials_never_follow_an_address_to_another_host(search_context: SearchContexts) -> None:
    asked: list[str] = []
    with running(_server(ELSEWHERE, asked)) as url:
        adapter = CalendarCalDavAdapter("calendar", {"u1": CalDavAccount(url, "u1", "one")})
        assert list(adapter.search(search_context(axis="event", seconds=2))) == []
        adapter.close()
    assert asked == ["/", "/home/"]


def _server(body: bytes, asked: list[str]):  # type: ignore[no-untyped-def]
    async def app(scope, receive, send):  # type: ignore[no-untyped-def]
        asked.append(scope["path"])
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 207, "headers": []})
        await send({"type": "http.response.body", "body": body})

    return app


def test_nobody_listening_is_a_failure(search_context: SearchContexts, tmp_path: Path) -> None:
    adapter = CalendarCalDavAdapter("calendar", {"u1": CalDavAccount("http://127.0.0.1:9", "u1", "one")})
    with pytest.raises(SourceUnavailable, match="connect_failed"):
        list(adapter.search(search_context(axis="event", seconds=2)))
    adapter.close()
