"""Every adapter of this package against the conformance kit."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from temporal_recall.adapters.activity_watch import ActivityWatchAdapter
from temporal_recall.adapters.browser_history import BrowserHistoryAdapter
from temporal_recall.adapters.calendar_ics import CalendarIcsAdapter
from temporal_recall.adapters.embedded_store import EmbeddedStore, EmbeddedStoreAdapter
from temporal_recall.adapters.meinput import MeInputAdapter
from temporal_recall.adapters.memory_v2 import MemoryV2Adapter
from temporal_recall.adapters.portal_chat import PortalChatAdapter
from temporal_recall.adapters.portal_migrations import apply_migrations
from temporal_recall.adapters.records_file import embedded_sources
from temporal_recall.schemas.evidence import EvidenceRecord, RecordIssue, SearchContext, SourceEvent
from temporal_recall.testing.conformance import AdapterConformance, ChangeFeedConformance, Seeded
from temporal_recall.testing.evidence_server import EvidenceServer, Subject, evidence_app, evidence_item
from temporal_recall.testing.evidence_store import EvidenceStore
from temporal_recall.testing.json_server import activity_watch_app, memory_app
from temporal_recall.testing.portal_database import create_portal, insert
from temporal_recall.testing.running import running

MOMENTS = [datetime(2026, 9, day, 8, 30, tzinfo=UTC) for day in range(1, 8)]
WORDS = [f"第{n}天和老周吃饭" for n in range(len(MOMENTS))]
SECRET = "口令是芝麻开门"


@pytest.fixture(scope="module")
def meinput_url() -> Iterator[str]:
    """A running evidence server with the records of both users."""
    store = EvidenceStore()
    for user in ("u1", "u2"):
        store.put(
            evidence_item(f"{user}-{n}", user, moment.isoformat(), f"{user}{words}")
            for n, (moment, words) in enumerate(zip(MOMENTS, WORDS, strict=True))
        )
    store.put([evidence_item("bad", "u1", "2026-09-02T12:00:00+00:00", SECRET, revision="new")])
    with running(evidence_app(EvidenceServer(store, {"t": Subject(None)}))) as url:
        yield url
    store.close()


class TestMeInput(AdapterConformance, ChangeFeedConformance):
    @pytest.fixture(params=["json", "ndjson"])
    def seeded(self, request: pytest.FixtureRequest, meinput_url: str) -> Iterator[Seeded]:
        adapter = MeInputAdapter("meinput", meinput_url, token="t", form=request.param, page_size=3)
        dead = MeInputAdapter("meinput", "http://127.0.0.1:9", token="t")
        yield Seeded(adapter, MOMENTS, MOMENTS, bad_row_count=1, secrets=(SECRET,), dead=dead)
        adapter.close()
        dead.close()


@pytest.fixture(scope="module")
def sqlite_portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sa.Engine]:
    """A Portal in SQLite with the records of both users."""
    engine = sa.create_engine(f"sqlite:///{tmp_path_factory.mktemp('portal') / 'portal.db'}")
    _fill_portal(engine)
    yield engine
    engine.dispose()


class TestPortalChat(AdapterConformance):
    @pytest.fixture
    def seeded(self, sqlite_portal: sa.Engine, tmp_path: Path) -> Iterator[Seeded]:
        dead = PortalChatAdapter("chat", url=f"sqlite:///{tmp_path}/none/portal.db")
        adapter = PortalChatAdapter("chat", engine=sqlite_portal)
        yield Seeded(adapter, MOMENTS, MOMENTS, bad_row_count=1, secrets=(SECRET,), dead=dead)
        dead.close()


@pytest.fixture(scope="module")
def postgres_portal(postgres_url: str) -> Iterator[sa.Engine]:
    """A Portal in PostgreSQL with the records of both users."""
    admin = sa.create_engine(postgres_url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with admin.connect() as connection:
        connection.execute(sa.text("CREATE DATABASE conformance"))
    engine = sa.create_engine(sa.make_url(postgres_url).set(database="conformance"), pool_size=8)
    _fill_portal(engine)
    yield engine
    engine.dispose()


class TestPortalChatInPostgres(AdapterConformance):
    @pytest.fixture
    def seeded(self, postgres_portal: sa.Engine) -> Seeded:
        adapter = PortalChatAdapter("chat", engine=postgres_portal)
        return Seeded(adapter, MOMENTS, MOMENTS, bad_row_count=1, secrets=(SECRET,))


def _fill_portal(engine: sa.Engine) -> None:
    create_portal(engine)
    apply_migrations(engine)
    for user in ("u1", "u2"):
        insert(engine, "h5_sessions", {"session_id": user, "user_id": user})
        for n, (moment, words) in enumerate(zip(MOMENTS, WORDS, strict=True)):
            text, created = f"{user}{words}", moment.isoformat()
            row = {"session_id": user, "author_user_id": user, "content": text, "created_at": created}
            insert(engine, "h5_messages", {"message_id": f"{user}-{n}", "content_chars": len(text), **row})
    elsewhere = {"message_id": "bad", "session_id": "u1", "content": None, "content_ref": SECRET}
    insert(engine, "h5_messages", {**elsewhere, "created_at": "2026-09-02T12:00:00+00:00"})


class TestCalendarIcs(AdapterConformance):
    @pytest.fixture(params=["UTC", "Asia/Shanghai", "America/New_York"])
    def seeded(self, request: pytest.FixtureRequest, tmp_path: Path) -> Seeded:
        for user in ("u1", "u2"):
            events = [_ics_event(f"{user}-{n}", moment, f"{user}{WORDS[n]}") for n, moment in enumerate(MOMENTS)]
            bad = [f"BEGIN:VEVENT\nUID:bad\nDTSTART:soon\nSUMMARY:{SECRET}\nEND:VEVENT"] if user == "u1" else []
            text = "\n".join(["BEGIN:VCALENDAR", *events, *bad, "END:VCALENDAR"])
            (tmp_path / f"{user}.ics").write_text(text, encoding="utf-8")
        adapter = CalendarIcsAdapter("calendar", {user: [tmp_path / f"{user}.ics"] for user in ("u1", "u2")})
        dead = CalendarIcsAdapter("calendar", {"u1": [tmp_path / "none.ics"]})
        return Seeded(
            adapter,
            MOMENTS,
            MOMENTS,
            axis="event",
            time_zone=request.param,
            bad_row_count=1,
            secrets=(SECRET,),
            dead=dead,
        )


def _ics_event(uid: str, start: datetime, title: str) -> str:
    bounds = [f"{bound:%Y%m%dT%H%M%SZ}" for bound in (start, start + timedelta(hours=1))]
    lines = (f"UID:{uid}", "DTSTAMP:20260801T000000Z", f"DTSTART:{bounds[0]}", f"DTEND:{bounds[1]}", f"SUMMARY:{title}")
    return "\n".join(["BEGIN:VEVENT", *lines, "END:VEVENT"])


class TestEmbeddedStore(AdapterConformance):
    @pytest.fixture(params=["observed", "event"])
    def seeded(self, request: pytest.FixtureRequest, tmp_path: Path) -> Seeded:
        path = tmp_path / "store.db"
        records = [_record(user, n) for user in ("u1", "u2") for n in range(len(MOMENTS))]
        with EmbeddedStore(path) as store:
            store.put(records)
        dead = EmbeddedStoreAdapter("notes", tmp_path / "none.db")
        return Seeded(EmbeddedStoreAdapter("notes", path), MOMENTS, MOMENTS, axis=request.param, dead=dead)


def _record(user_id: str, number: int) -> EvidenceRecord:
    moment = MOMENTS[number]
    return EvidenceRecord(
        source="notes",
        source_ref=f"notes:note:{user_id}-{number}",
        user_id=user_id,
        observed_time=moment,
        time_zone="Asia/Shanghai",
        text=f"{user_id}{WORDS[number]}",
        event=SourceEvent(start=moment, end=moment + timedelta(hours=1), title=WORDS[number]),
    )


class TestRecordsFile(AdapterConformance):
    @pytest.fixture(params=["observed", "event"])
    def seeded(self, request: pytest.FixtureRequest) -> Seeded:
        records = [_record(user, n) for user in ("u1", "u2") for n in range(len(MOMENTS))]
        return Seeded(embedded_sources(records)["notes"], MOMENTS, MOMENTS, axis=request.param)


class TestBrowserHistory(AdapterConformance):
    @pytest.fixture
    def seeded(self, tmp_path: Path) -> Seeded:
        for user in ("u1", "u2"):
            with closing(sqlite3.connect(tmp_path / f"{user}.db")) as database:
                database.execute("CREATE TABLE History (url, title, atime, redirect)")
                database.execute("CREATE TABLE CompletionHistory (url, title)")
                rows = [(f"{user}{WORDS[n]}", int(moment.timestamp())) for n, moment in enumerate(MOMENTS)]
                rows += [(SECRET, 0)] if user == "u1" else []
                database.executemany("INSERT INTO History VALUES ('https://example.cn', ?, ?, 0)", rows)
                database.commit()
        adapter = BrowserHistoryAdapter("browser", {user: [tmp_path / f"{user}.db"] for user in ("u1", "u2")})
        dead = BrowserHistoryAdapter("browser", {"u1": [tmp_path / "none.db"]})
        return Seeded(adapter, MOMENTS, MOMENTS, bad_row_count=1, secrets=(SECRET,), dead=dead)


@pytest.fixture(scope="module")
def memory_url() -> Iterator[str]:
    """A running Memory V2 service with the memories of both users."""
    items = [
        {"memory_id": f"{user}-{n}", "user_id": user, "created_at": moment.isoformat(), "text": f"{user}{WORDS[n]}"}
        for user in ("u1", "u2")
        for n, moment in enumerate(MOMENTS)
    ]
    bad = {"memory_id": SECRET, "user_id": "u1", "created_at": "2026-09-02T12:00:00+00:00", "text": SECRET}
    with running(memory_app([*items, bad], "t", page_size=3)) as url:
        yield url


class TestMemoryV2(AdapterConformance):
    @pytest.fixture
    def seeded(self, memory_url: str) -> Iterator[Seeded]:
        adapter = MemoryV2Adapter("memory_v2", memory_url, token="t")
        dead = MemoryV2Adapter("memory_v2", "http://127.0.0.1:9", token="t")
        yield Seeded(adapter, MOMENTS, MOMENTS, bad_row_count=1, secrets=(SECRET,), dead=dead)
        adapter.close()
        dead.close()


@pytest.fixture(scope="module")
def activity_watch_urls() -> Iterator[tuple[str, str]]:
    """Two running ActivityWatch servers, one a user."""
    with ExitStack() as stack:
        urls = []
        for user in ("u1", "u2"):
            events = [
                {
                    "timestamp": moment.isoformat(),
                    "duration": 600.0,
                    "data": {"app": "Code", "title": f"{user}{WORDS[n]}"},
                }
                for n, moment in enumerate(MOMENTS)
            ]
            bad = {"timestamp": "2026-09-02T12:00:00+00:00", "duration": SECRET, "data": {"title": SECRET}}
            bucket = {"type": "currentwindow", "events": [*events, *([bad] if user == "u1" else [])]}
            urls.append(stack.enter_context(running(activity_watch_app({"aw-watcher-window_pc": bucket}))))
        yield urls[0], urls[1]


class _PerUser:
    """The adapters of two users as one, for a source that serves a single one."""

    def __init__(self, *adapters: ActivityWatchAdapter) -> None:
        self.adapters, self.source = adapters, adapters[0].source
        self.capabilities, self.probe = adapters[0].capabilities, adapters[0].probe

    def search(self, ctx: SearchContext) -> Iterator[EvidenceRecord | RecordIssue]:
        return (row for adapter in self.adapters for row in adapter.search(ctx))

    def close(self) -> None:
        for adapter in self.adapters:
            adapter.close()


class TestActivityWatch(AdapterConformance):
    @pytest.fixture(params=["observed", "event"])
    def seeded(self, request: pytest.FixtureRequest, activity_watch_urls: tuple[str, str]) -> Iterator[Seeded]:
        pairs = zip(("u1", "u2"), activity_watch_urls, strict=True)
        adapter = _PerUser(*(ActivityWatchAdapter("activity", url, user_id=user) for user, url in pairs))
        dead = ActivityWatchAdapter("activity", "http://127.0.0.1:9", user_id="u1")
        yield Seeded(adapter, MOMENTS, MOMENTS, axis=request.param, bad_row_count=1, secrets=(SECRET,), dead=dead)
        adapter.close()
        dead.close()
