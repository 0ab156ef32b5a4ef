"""Every adapter of this package against the conformance kit."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from temporal_recall.adapters.calendar_ics import CalendarIcsAdapter
from temporal_recall.adapters.embedded_store import EmbeddedStore, EmbeddedStoreAdapter
from temporal_recall.adapters.meinput import MeInputAdapter
from temporal_recall.adapters.portal_chat import PortalChatAdapter
from temporal_recall.adapters.portal_migrations import apply_migrations
from temporal_recall.schemas.evidence import EvidenceRecord, SourceEvent
from temporal_recall.testing.conformance import AdapterConformance, ChangeFeedConformance, Seeded
from temporal_recall.testing.evidence_server import EvidenceServer, Subject, evidence_app, evidence_item
from temporal_recall.testing.evidence_store import EvidenceStore
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
