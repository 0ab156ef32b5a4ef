"""A configured service over sources as they are in the world: HTTP, a chat database, calendar files, a store."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from temporal_recall.adapters.embedded_store import EmbeddedStore
from temporal_recall.adapters.portal_migrations import apply_migrations
from temporal_recall.schemas.bundle import RecallBundle
from temporal_recall.schemas.errors import RecallTimeout, SourceUnavailable
from temporal_recall.service.facade import RecallService
from temporal_recall.service.importing import ImportRequest, import_file
from temporal_recall.testing.evidence_server import EvidenceServer, Subject, evidence_app, evidence_item
from temporal_recall.testing.evidence_store import EvidenceStore
from temporal_recall.testing.faults import Fault, FaultSwitch
from temporal_recall.testing.portal_database import create_portal, insert
from temporal_recall.testing.running import running

NOW = datetime.fromisoformat("2026-09-03T21:00:00+08:00")
QUESTION = "我昨天有什么重要的事？"
CALENDAR = """BEGIN:VCALENDAR
BEGIN:VEVENT
UID:review
DTSTAMP:20260820T000000Z
DTSTART;TZID=China Standard Time:20260902T150000
DTEND;TZID=China Standard Time:20260902T160000
SUMMARY:季度评审
END:VEVENT
END:VCALENDAR
"""


class World:
    """The sources of one user, and the configuration that names them."""

    def __init__(self, folder: Path, meinput_url: str, switch: FaultSwitch) -> None:
        self.folder, self.meinput_url, self.switch = folder, meinput_url, switch

    def service(self, *, is_meinput_required: bool = False, patience_s: float = 2.0) -> RecallService:
        """By default it waits longer than a well source takes on a busy machine; the HTTP client gives up before it."""
        config = self.folder / "recall.toml"
        config.write_text(
            f"""
            retrieval_time_limit_s = {patience_s}
            [[sources]]
            name = "meinput"
            required = {str(is_meinput_required).lower()}
            options = {{ base_url = "{self.meinput_url}", token_env = "WORLD_TOKEN" }}
            [[sources]]
            name = "chat"
            options = {{ url = "sqlite:///{self.folder / "portal.db"}" }}
            [[sources]]
            name = "calendar"
            options = {{ paths = {{ u1 = "{self.folder / "u1.ics"}" }} }}
            [[sources]]
            name = "browser"
            kind = "embedded"
            options = {{ path = "{self.folder / "store.db"}" }}
            """,
            encoding="utf-8",
        )
        return RecallService.from_config(config)


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """As a server is before it listens: the first answer of a process would be late."""
    with RecallService.demo() as service:
        service.warm_up()


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    monkeypatch.setenv("WORLD_TOKEN", "t")
    switch, store = FaultSwitch(), EvidenceStore()
    store.put([evidence_item("e1", "u1", "2026-09-01T20:30:00+08:00", "明天上午十点和张总签合同")])
    store.put([evidence_item("e2", "u2", "2026-09-01T20:30:00+08:00", "明天上午九点去医院复查")])
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'portal.db'}")
    create_portal(engine)
    apply_migrations(engine)
    insert(engine, "h5_sessions", {"session_id": "s", "user_id": "u1", "user_tz": "Asia/Shanghai"})
    said = {"session_id": "s", "author_user_id": "u1", "created_at": "2026-09-02T22:00:00+08:00"}
    insert(engine, "h5_messages", {"message_id": "m1", "content": "今天下午五点面试了小林，决定录用他", **said})
    engine.dispose()
    (tmp_path / "u1.ics").write_text(CALENDAR, encoding="utf-8")
    _fill_store(tmp_path)
    with ExitStack() as stack:
        url = stack.enter_context(running(evidence_app(EvidenceServer(store, {"t": Subject(None)}), switch)))
        yield World(tmp_path, url, switch)
        switch.set(None)
    store.close()


def _fill_store(folder: Path) -> None:
    history = folder / "history.db"
    with closing(sqlite3.connect(history)) as database:
        database.execute("CREATE TABLE History (url, title, atime, redirect)")
        database.execute("CREATE TABLE CompletionHistory (url, title)")
        at = int(datetime.fromisoformat("2026-09-02T11:00:00+08:00").timestamp())
        database.execute("INSERT INTO History VALUES ('https://a.cn', '合同法释义', ?, 0)", (at,))
        database.commit()
    with EmbeddedStore(folder / "store.db") as store:
        import_file(ImportRequest("browser", history, NOW, user_id="u1"), store)


def _answer(service: RecallService, user_id: str = "u1", **more: Any) -> RecallBundle:
    try:
        return service.recall(QUESTION, user_id=user_id, now=NOW, time_zone="Asia/Shanghai", **more)
    finally:
        service.close()


def test_every_source_adds_its_part(world: World) -> None:
    bundle = _answer(world.service())
    assert {"meinput", "chat", "calendar"} <= {item.source for item in bundle.items}
    assert bundle.stats.sources_failed == ()
    assert not bundle.stats.partial
    assert bundle.stats.raw_count == 4


def test_another_user_has_another_answer(world: World) -> None:
    told = _answer(world.service(), "u2").model_dump_json()
    assert "医院" in told
    assert not any(words in told for words in ("签合同", "小林", "季度评审", "合同法"))


@pytest.mark.parametrize("fault", [Fault.HANG, Fault.TRICKLE, Fault.UNAVAILABLE, Fault.GARBAGE, Fault.RESET])
def test_a_source_that_fails_costs_only_its_own_items(world: World, fault: Fault) -> None:
    world.switch.set(fault)
    bundle = _answer(world.service())
    assert {"chat", "calendar"} <= {item.source for item in bundle.items}
    assert [failure.source for failure in bundle.stats.sources_failed] == ["meinput"]
    assert bundle.stats.partial


@pytest.mark.parametrize(("fault", "error"), [(Fault.UNAVAILABLE, SourceUnavailable), (Fault.HANG, RecallTimeout)])
def test_a_required_source_that_fails_is_the_answers_failure(
    world: World, fault: Fault, error: type[Exception]
) -> None:
    world.switch.set(fault)
    with pytest.raises(error):
        _answer(world.service(is_meinput_required=True, patience_s=0.5))
