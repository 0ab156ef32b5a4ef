"""Portal chat, in SQLite and in a real PostgreSQL: what is seen, in what order, and that nobody sees another's rows."""

from __future__ import annotations

import random
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from temporal_recall.adapters.portal_chat import READER_ROLE, PortalChatAdapter
from temporal_recall.adapters.portal_migrations import applied_version, apply_migrations, migrations, newest_version
from temporal_recall.schemas.errors import InvalidConfig, RecallCancelled, SourceUnavailable
from temporal_recall.schemas.evidence import RequestLimits, SearchContext
from temporal_recall.testing.contexts import issues_of, records_of
from temporal_recall.testing.portal_database import create_portal, insert

SearchContexts = Callable[..., SearchContext]
DIALECTS = ("sqlite", "postgresql")


@pytest.fixture(scope="module", params=DIALECTS)
def empty_engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[sa.Engine]:
    """A Portal database with the views, for all tests of the module."""
    engine = _new_engine(request.param, request, tmp_path_factory.mktemp("portal"))
    create_portal(engine)
    apply_migrations(engine)
    yield engine
    engine.dispose()


@pytest.fixture
def engine(empty_engine: sa.Engine) -> sa.Engine:
    """The same database without a row."""
    with empty_engine.begin() as connection:
        for table in ("h5_messages", "h5_agent_runs", "h5_session_members", "h5_sessions"):
            connection.execute(sa.text(f"DELETE FROM {table}"))
    return empty_engine


def _new_engine(dialect: str, request: pytest.FixtureRequest, folder: Path) -> sa.Engine:
    if dialect == "sqlite":
        return sa.create_engine(f"sqlite:///{folder / 'portal.db'}")
    url = request.getfixturevalue("postgres_url")
    name = f"portal_{uuid.uuid4().hex}"
    with sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool).connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    return sa.create_engine(sa.make_url(url).set(database=name), poolclass=sa.NullPool)


def _message(
    message_id: str, text: str | None = "话", session: str = "mine", author: str | None = "u1", **more: object
):
    length = {"content": text, "content_chars": len(text or "")}
    return {"message_id": message_id, "session_id": session, "author_user_id": author, **length, **more}


def _seen(engine: sa.Engine, context: SearchContext) -> dict[str, str]:
    """The text of each record that the context's user sees, by the last part of its ref."""
    records = records_of(PortalChatAdapter("chat", engine=engine).search(context))
    return {record.source_ref.removeprefix("chat:"): record.text for record in records}


class TestVisibility:
    def test_only_what_was_said_and_stands(self, engine: sa.Engine, search_context: SearchContexts) -> None:
        insert(engine, "h5_sessions", {"session_id": "mine", "user_id": "u1"})
        gone = "2026-09-03T00:00:00+00:00"
        insert(
            engine,
            "h5_messages",
            _message("asked", "明天下午三点和张总签合同"),
            _message("answered", "好的，已记下。", author=None, role="assistant"),
            _message("system", role="system", author=None),
            _message("developer", role="developer", author=None),
            _message("tool", role="tool", kind="tool_result", author=None),
            _message("call", role="assistant", kind="tool_call", author=None),
            _message("thought", role="assistant", kind="reasoning", author=None),
            _message("hidden", visibility="hidden"),
            _message("withdrawn", deleted_at=gone),
            _message("left-branch", on_active_path=False),
        )
        assert _seen(engine, search_context()) == {
            "message:asked": "明天下午三点和张总签合同",
            "message:answered": "好的，已记下。",
        }

    def test_a_deleted_or_system_session_is_gone_whole(self, engine: sa.Engine, search_context: SearchContexts) -> None:
        insert(
            engine,
            "h5_sessions",
            {"session_id": "gone", "user_id": "u1", "deleted_at": "2026-09-03T00:00:00+00:00"},
            {"session_id": "sys", "user_id": "u1", "visibility": "system"},
        )
        insert(engine, "h5_messages", _message("a", session="gone"), _message("b", session="sys"))
        insert(engine, "h5_agent_runs", {"run_id": "r", "session_id": "gone", "user_id": "u1", "goal": "订票"})
        assert _seen(engine, search_context()) == {}

    def test_a_member_sees_what_was_said_while_a_member(
        self, engine: sa.Engine, search_context: SearchContexts
    ) -> None:
        insert(engine, "h5_sessions", {"session_id": "room", "user_id": "u2", "visibility": "shared"})
        span = {"joined_at": "2026-09-02T06:20:00+00:00", "left_at": "2026-09-02T06:40:00+00:00"}
        insert(engine, "h5_session_members", {"session_id": "room", "user_id": "u1", **span})
        minutes = {"before": "06:19:59", "joining": "06:20:00", "during": "06:30:00", "leaving": "06:40:00"}
        for message_id, clock in minutes.items():
            at = f"2026-09-02T{clock}+00:00"
            insert(engine, "h5_messages", _message(message_id, session="room", author="u2", created_at=at))
        assert list(_seen(engine, search_context())) == ["message:joining", "message:during"]
        assert len(_seen(engine, search_context(user_id="u2"))) == 4

    def test_a_session_made_private_again_shuts_its_members_out(
        self, engine: sa.Engine, search_context: SearchContexts
    ) -> None:
        insert(engine, "h5_sessions", {"session_id": "room", "user_id": "u2", "visibility": "private"})
        insert(engine, "h5_session_members", {"session_id": "room", "user_id": "u1"})
        insert(engine, "h5_messages", _message("m", session="room", author="u2"))
        assert _seen(engine, search_context()) == {}

    def test_the_author_is_named_where_it_is_another(self, engine: sa.Engine, search_context: SearchContexts) -> None:
        insert(engine, "h5_sessions", {"session_id": "room", "user_id": "u2", "visibility": "shared"})
        insert(engine, "h5_session_members", {"session_id": "room", "user_id": "u1"})
        insert(engine, "h5_messages", _message("theirs", session="room", author="u2"), _message("own", session="room"))
        records = records_of(PortalChatAdapter("chat", engine=engine).search(search_context()))
        assert {r.source_ref: r.author for r in records} == {"chat:message:theirs": "u2", "chat:message:own": None}


class TestIsolation:
    """Two users with everything of everything; each must see the half that is theirs."""

    @pytest.fixture
    def crowded(self, engine: sa.Engine) -> sa.Engine:
        for owner, visibility in product(("u1", "u2"), ("private", "shared", "system")):
            session = f"{owner}-{visibility}"
            insert(engine, "h5_sessions", {"session_id": session, "user_id": owner, "visibility": visibility})
            insert(engine, "h5_messages", _message(f"m-{session}", f"secret of {owner}", session, owner))
            run = {"run_id": f"r-{session}", "session_id": session, "user_id": owner, "goal": f"secret of {owner}"}
            insert(engine, "h5_agent_runs", run)
        return engine

    @pytest.mark.parametrize("user_id", ["u1", "u2"])
    def test_each_sees_their_own_only(self, crowded: sa.Engine, user_id: str, search_context: SearchContexts) -> None:
        seen = _seen(crowded, search_context(user_id=user_id))
        assert len(seen) == 4
        assert set(seen.values()) == {f"secret of {user_id}"}

    @pytest.mark.parametrize(
        "user_id",
        ["u3", "", "U1", "u1 ", " u1", "u%", "u_", "*", "u1' OR '1'='1", "u1'; SELECT 1 --", "u1\u200b", "NULL", "ｕ1"],
    )
    def test_no_other_name_opens_anything(
        self, crowded: sa.Engine, user_id: str, search_context: SearchContexts
    ) -> None:
        assert _seen(crowded, search_context(user_id=user_id)) == {}

    def test_a_run_in_anothers_session_is_its_starters(
        self, crowded: sa.Engine, search_context: SearchContexts
    ) -> None:
        run = {"run_id": "guest", "session_id": "u2-shared", "user_id": "u1", "goal": "secret of u1"}
        insert(crowded, "h5_agent_runs", run)
        assert "run:guest" in _seen(crowded, search_context())
        assert "run:guest" not in _seen(crowded, search_context(user_id="u2"))

    def test_one_engine_serves_both_in_turns(self, crowded: sa.Engine, search_context: SearchContexts) -> None:
        adapter = PortalChatAdapter("chat", engine=crowded)
        for user_id in ("u1", "u2", "u1", "nobody", "u2"):
            texts = {r.text for r in records_of(adapter.search(search_context(user_id=user_id)))}
            assert texts <= {f"secret of {user_id}"}


class TestOracle:
    """A crowd of users, sessions and messages by chance, against the rules said once more in plain Python."""

    USERS = ("u1", "u2", "u3", "u4", "u5")

    @pytest.mark.parametrize("seed", [1, 2, 3])
    def test_everyone_sees_exactly_what_the_rules_say(
        self, engine: sa.Engine, seed: int, search_context: SearchContexts
    ) -> None:
        chance = random.Random(seed)
        sessions = {f"s{n}": self._session(chance, f"s{n}") for n in range(12)}
        members = [self._membership(chance, s, u) for s in sessions for u in self.USERS if chance.random() < 0.4]
        messages = [self._message(chance, n, chance.choice(list(sessions))) for n in range(150)]
        insert(engine, "h5_sessions", *sessions.values())
        insert(engine, "h5_session_members", *members)
        insert(engine, "h5_messages", *messages)
        for user in self.USERS:
            seen = {ref.removeprefix("message:") for ref in _seen(engine, search_context(user_id=user))}
            ruled = {m["message_id"] for m in messages if _may_see(user, m, sessions[m["session_id"]], members)}
            assert seen == ruled

    def _session(self, chance: random.Random, name: str) -> dict[str, Any]:
        visibility = chance.choice(["private", "shared", "shared", "system"])
        deleted = _at(0) if chance.random() < 0.1 else None
        return {
            "session_id": name,
            "user_id": chance.choice(self.USERS),
            "visibility": visibility,
            "deleted_at": deleted,
        }

    def _membership(self, chance: random.Random, session: str, user: str) -> dict[str, Any]:
        joined = chance.randrange(60)
        left = _at(joined + chance.randrange(1, 40)) if chance.random() < 0.5 else None
        return {"session_id": session, "user_id": user, "joined_at": _at(joined), "left_at": left}

    def _message(self, chance: random.Random, number: int, session: str) -> dict[str, Any]:
        author = chance.choice([*self.USERS, None])
        return _message(
            f"m{number}",
            session=session,
            author=author,
            created_at=_at(chance.randrange(80)),
            role=chance.choice(["user", "user", "assistant", "system", "tool"]),
            kind=chance.choice(["text", "text", "text", "reasoning"]),
            visibility=chance.choice(["visible", "visible", "hidden"]),
            on_active_path=chance.random() < 0.9,
            deleted_at=_at(90) if chance.random() < 0.1 else None,
        )


def _at(minute: int) -> str:
    return (datetime(2026, 9, 2, 6, tzinfo=UTC) + timedelta(minutes=minute)).isoformat()


def _may_see(user: str, message: dict[str, Any], session: dict[str, Any], members: list[dict[str, Any]]) -> bool:
    is_said = message["role"] in ("user", "assistant") and message["kind"] == "text"
    stands = message["visibility"] == "visible" and message["on_active_path"] and message["deleted_at"] is None
    is_open = session["deleted_at"] is None and session["visibility"] != "system"
    is_there = session["visibility"] == "shared" and any(
        m["session_id"] == session["session_id"]
        and m["user_id"] == user
        and m["joined_at"] <= message["created_at"]
        and (m["left_at"] is None or message["created_at"] < m["left_at"])
        for m in members
    )
    return is_said and stands and is_open and (session["user_id"] == user or is_there)


@pytest.mark.parametrize("empty_engine", ["postgresql"], indirect=True)
class TestRowLevelSecurity:
    """PostgreSQL alone: what the reader's role can do, were a query to forget its WHERE."""

    @pytest.fixture
    def secured(self, engine: sa.Engine) -> sa.Engine:
        for owner in ("u1", "u2"):
            insert(engine, "h5_sessions", {"session_id": owner, "user_id": owner, "visibility": "shared"})
            insert(engine, "h5_messages", _message(f"m-{owner}", session=owner, author=owner))
            insert(engine, "h5_agent_runs", {"run_id": owner, "session_id": owner, "user_id": owner, "goal": "做"})
        return engine

    def _as_reader(self, engine: sa.Engine, viewer: str | None, query: str) -> list[str]:
        with engine.connect() as connection:
            if viewer is not None:
                setting = sa.text("SELECT set_config('temporal_recall.viewer', :viewer, true)")
                connection.execute(setting, {"viewer": viewer})
            connection.execute(sa.text(f"SET LOCAL ROLE {READER_ROLE}"))
            return list(connection.execute(sa.text(query)).scalars())

    @pytest.mark.parametrize("view", ["recall_messages_v1", "recall_runs_v1"])
    def test_a_query_without_where_gives_the_viewer_alone(self, secured: sa.Engine, view: str) -> None:
        query = f"SELECT DISTINCT viewer_id FROM {view}"
        assert self._as_reader(secured, "u1", query) == ["u1"]
        assert self._as_reader(secured, "u2", query) == ["u2"]
        assert self._as_reader(secured, None, query) == []
        assert self._as_reader(secured, "", query) == []

    @pytest.mark.parametrize("table", ["h5_sessions", "h5_session_members", "h5_messages", "h5_agent_runs"])
    def test_the_role_cannot_read_a_table(self, secured: sa.Engine, table: str) -> None:
        with pytest.raises(sa.exc.ProgrammingError, match="permission denied"):
            self._as_reader(secured, "u1", f"SELECT session_id FROM {table}")

    def test_the_role_cannot_write(self, secured: sa.Engine) -> None:
        with pytest.raises(sa.exc.DBAPIError, match="cannot delete"):
            self._as_reader(secured, "u1", "DELETE FROM recall_messages_v1 RETURNING message_id")

    def test_the_portals_own_roles_see_the_tables_as_before(self, secured: sa.Engine) -> None:
        with secured.connect() as connection:
            connection.execute(sa.text("CREATE ROLE portal_app"))
            connection.execute(sa.text("GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA public TO portal_app"))
            connection.execute(sa.text("SET LOCAL ROLE portal_app"))
            assert connection.execute(sa.text("SELECT count(*) FROM h5_messages")).scalar_one() == 2
            connection.execute(sa.text("INSERT INTO h5_session_members VALUES ('u1', 'u9', now(), NULL)"))
            connection.rollback()

    def test_the_viewer_does_not_outlive_the_transaction(
        self, secured: sa.Engine, search_context: SearchContexts
    ) -> None:
        pooled = sa.create_engine(secured.url, pool_size=1, max_overflow=0, isolation_level="AUTOCOMMIT")
        assert set(_seen(pooled, search_context())) == {"message:m-u1", "run:u1"}
        with pooled.connect() as connection:
            assert not connection.execute(sa.text("SELECT current_setting('temporal_recall.viewer', true)")).scalar()
            assert connection.execute(sa.text("SELECT current_user")).scalar() == secured.url.username
        pooled.dispose()

    def test_a_login_without_the_role_is_refused(self, secured: sa.Engine, search_context: SearchContexts) -> None:
        with secured.begin() as connection:
            connection.execute(sa.text("DROP ROLE IF EXISTS stranger"))
            connection.execute(sa.text("CREATE ROLE stranger LOGIN"))
        stranger = sa.create_engine(secured.url.set(username="stranger"), poolclass=sa.NullPool)
        with pytest.raises(SourceUnavailable, match="missing_role"):
            _seen(stranger, search_context())


class TestContent:
    def test_an_edit_keeps_its_first_time_and_has_the_newest_words(
        self, engine: sa.Engine, search_context: SearchContexts
    ) -> None:
        insert(engine, "h5_sessions", {"session_id": "mine", "user_id": "u1"})
        edit = {"revision": 3, "edited_at": "2026-09-05T00:00:00+00:00", "updated_at": "2026-09-05T00:00:00+00:00"}
        insert(engine, "h5_messages", _message("m", "改到四点", **edit))
        (record,) = records_of(PortalChatAdapter("chat", engine=engine).search(search_context()))
        assert (record.revision, record.text) == (3, "改到四点")
        assert record.observed_time.isoformat() == "2026-09-02T06:00:00+00:00"

    def test_huge_content_is_cut_and_says_so(self, engine: sa.Engine, search_context: SearchContexts) -> None:
        insert(engine, "h5_sessions", {"session_id": "mine", "user_id": "u1"})
        insert(engine, "h5_messages", _message("huge", "长" * 5000))
        insert(engine, "h5_messages", _message("elsewhere", None, content_chars=10**7, content_ref="s3"))
        rows = list(PortalChatAdapter("chat", engine=engine).search(search_context()))
        (record,) = records_of(rows)
        assert (len(record.text), record.is_truncated) == (4000, True)
        assert [(i.code, i.locator) for i in issues_of(rows)] == [("no_text", "message elsewhere")]

    def test_equal_times_keep_their_order(self, engine: sa.Engine, search_context: SearchContexts) -> None:
        insert(engine, "h5_sessions", {"session_id": "mine", "user_id": "u1"})
        insert(engine, "h5_messages", *(_message(name) for name in ["zebra", "apple", "mango"]))
        assert list(_seen(engine, search_context())) == ["message:zebra", "message:apple", "message:mango"]

    @pytest.mark.parametrize(
        ("zone", "right"), [("America/New_York", "America/New_York"), ("Nowhere/X", "Asia/Shanghai")]
    )
    def test_zone_is_the_sessions(
        self, engine: sa.Engine, zone: str, right: str, search_context: SearchContexts
    ) -> None:
        insert(engine, "h5_sessions", {"session_id": "mine", "user_id": "u1", "user_tz": zone})
        insert(engine, "h5_messages", _message("m"))
        assert records_of(PortalChatAdapter("chat", engine=engine).search(search_context()))[0].time_zone == right


class TestRuns:
    def test_goal_status_and_times(self, engine: sa.Engine, search_context: SearchContexts) -> None:
        insert(engine, "h5_sessions", {"session_id": "mine", "user_id": "u1"})
        times = {"started_at": "2026-09-02T06:01:00+00:00", "finished_at": "2026-09-02T06:09:00+00:00"}
        base = {"session_id": "mine", "user_id": "u1"}
        insert(
            engine,
            "h5_agent_runs",
            {"run_id": "done", "goal": "查去北京的高铁", **base, **times},
            {"run_id": "stopped", "goal": "写周报", "status": "cancelled", **base, **times},
            {"run_id": "waiting", "goal": "订会议室", "status": "queued", **base},
            {"run_id": "nightly", "goal": "每天的摘要", "trigger": "schedule", **base, **times},
            {"run_id": "own", "goal": "清理", "trigger": "system", **base, **times},
            {"run_id": "blank", "goal": None, **base, **times},
        )
        records = {
            r.source_ref.removeprefix("chat:run:"): r
            for r in records_of(PortalChatAdapter("chat", engine=engine).search(search_context()))
        }
        assert set(records) == {"done", "stopped", "waiting", "nightly"}
        done = records["done"].event
        assert done is not None
        assert done.end is not None
        assert [str(done.start)[11:16], str(done.end)[11:16]] == ["06:01", "06:09"]
        assert (done.title, done.status) == ("查去北京的高铁", "confirmed")
        assert records["stopped"].event is not None
        assert records["stopped"].event.status == "cancelled"
        assert records["waiting"].event is None
        assert (records["done"].role, records["nightly"].role) == ("user", "assistant")


class TestReading:
    def test_window_is_half_open_whatever_its_offset(self, engine: sa.Engine, search_context: SearchContexts) -> None:
        insert(engine, "h5_sessions", {"session_id": "mine", "user_id": "u1"})
        for clock in ("05:59:59.999999", "06:00:00", "06:59:59.999999", "07:00:00"):
            insert(engine, "h5_messages", _message(clock, created_at=f"2026-09-02T{clock}+00:00"))
        for start, end in [
            ("2026-09-02T06:00:00+00:00", "2026-09-02T07:00:00+00:00"),
            ("2026-09-02T14:00:00+08:00", "2026-09-02T00:00:00-07:00"),
        ]:
            assert list(_seen(engine, search_context(start, end))) == ["message:06:00:00", "message:06:59:59.999999"]

    def test_cap_and_early_stop(self, engine: sa.Engine, search_context: SearchContexts) -> None:
        insert(engine, "h5_sessions", {"session_id": "mine", "user_id": "u1"})
        insert(engine, "h5_messages", *(_message(f"m{n:02}") for n in range(20)))
        assert list(_seen(engine, search_context(fetch_cap=3))) == ["message:m00", "message:m01", "message:m02"]
        rows = PortalChatAdapter("chat", engine=engine).search(search_context())
        next(rows)
        rows.close()  # type: ignore[attr-defined]
        assert len(_seen(engine, search_context())) == 20

    def test_cancel_and_deadline_end_it(self, engine: sa.Engine, search_context: SearchContexts) -> None:
        insert(engine, "h5_sessions", {"session_id": "mine", "user_id": "u1"})
        insert(engine, "h5_messages", _message("m1"), _message("m2"))
        adapter = PortalChatAdapter("chat", engine=engine)
        with pytest.raises(SourceUnavailable, match="late"):
            list(adapter.search(search_context(seconds=0.0)))
        context = search_context()
        rows = adapter.search(context)
        next(rows)
        context.limits.cancel_token.cancel()
        with pytest.raises(RecallCancelled):
            next(rows)

    def test_a_database_that_is_not_there(self, tmp_path: Path, search_context: SearchContexts) -> None:
        for url in (
            f"sqlite:///{tmp_path}/none/portal.db",
            "postgresql+psycopg://u:hunter2@127.0.0.1:9/portal",
        ):
            adapter = PortalChatAdapter("chat", url=url)
            with pytest.raises(SourceUnavailable) as caught:
                list(adapter.search(search_context(seconds=2)))
            assert "hunter2" not in str(caught.value)
            assert adapter.probe(RequestLimits()).state == "down"
            adapter.close()


class TestMigrations:
    @pytest.mark.parametrize("dialect", DIALECTS)
    def test_they_bring_the_views_once(self, dialect: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
        engine = _new_engine(dialect, request, tmp_path)
        create_portal(engine)
        assert apply_migrations(engine) == sorted(migrations(dialect))
        assert apply_migrations(engine) == []
        with engine.connect() as connection:
            assert applied_version(connection) == newest_version(dialect)
        engine.dispose()

    def test_old_views_are_refused_and_new_ones_too(self, tmp_path: Path, search_context: SearchContexts) -> None:
        engine = sa.create_engine(f"sqlite:///{tmp_path / 'portal.db'}")
        create_portal(engine)
        with pytest.raises(SourceUnavailable, match="missing_view"):
            _seen(engine, search_context())
        _set_version(engine, 1)
        with pytest.raises(SourceUnavailable, match="views_outdated"):
            _seen(engine, search_context())
        _set_version(engine, 99)
        with pytest.raises(InvalidConfig, match="99"):
            apply_migrations(engine)
        engine.dispose()

    def test_other_databases_are_refused(self) -> None:
        with pytest.raises(InvalidConfig, match="sqlite or postgresql"):
            migrations("oracle")


def _set_version(engine: sa.Engine, version: int) -> None:
    with engine.begin() as connection:
        connection.execute(sa.text("DROP VIEW IF EXISTS recall_views_version"))
        connection.execute(sa.text(f"CREATE VIEW recall_views_version AS SELECT {version} AS version"))


class TestContract:
    """The schema and rows beside the contract, with only the view that it ships."""

    def test_sqlite_seed_rows(self, shared: Path, tmp_path: Path, search_context: SearchContexts) -> None:
        import sqlite3

        path = tmp_path / "portal.db"
        with sqlite3.connect(path) as database:
            for name in ("portal_schema.sqlite.sql", "seed_rows.sql"):
                database.executescript((shared / "contracts" / name).read_text(encoding="utf-8"))
        database.close()
        engine = sa.create_engine(f"sqlite:///{path}")
        assert list(_seen(engine, search_context())) == ["message:m9", "message:m1", "message:m4"]
        rows = list(PortalChatAdapter("chat", engine=engine).search(search_context()))
        assert [(i.code, i.locator) for i in issues_of(rows)] == [("missing_view", "recall_runs_v1")]
        apply_migrations(engine)
        assert issues_of(PortalChatAdapter("chat", engine=engine).search(search_context())) == []
        engine.dispose()

    def test_postgres_seed_rows(
        self, shared: Path, request: pytest.FixtureRequest, tmp_path: Path, search_context: SearchContexts
    ) -> None:
        engine = _new_engine("postgresql", request, tmp_path)
        with engine.begin() as connection:
            connection.execution_options(no_parameters=True)
            for name in ("portal_schema.postgres.sql", "seed_rows.sql"):
                connection.exec_driver_sql((shared / "contracts" / name).read_text(encoding="utf-8"))
        apply_migrations(engine)
        assert list(_seen(engine, search_context())) == ["message:m9", "message:m1", "message:m4"]
        assert list(_seen(engine, search_context(user_id="u2"))) == ["message:m8", "message:m9", "message:m7"]
        engine.dispose()
