"""The index ends the same however often, late or out of order it is written; a user's erasure leaves no byte."""

from __future__ import annotations

import dataclasses
import sqlite3
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from functools import cache
from pathlib import Path

import pandas as pd
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from index_rows import A_YEAR, A_YEAR_OF_EVENTS, emptied, window
from listed_sources import NOW, USER_ID, record

from temporal_recall.adapters.index_store import SqlTimelineIndex
from temporal_recall.adapters.index_tables import STEPS, migrate
from temporal_recall.schemas.errors import InvalidConfig, SourceUnavailable
from temporal_recall.schemas.evidence import EvidenceRecord, RequestLimits, SearchWindow
from temporal_recall.schemas.frames import COMPARED_TIMELINE, checked
from temporal_recall.schemas.timeline_index import IndexBatch, SyncState, TimelineIndex, Tombstone
from temporal_recall.service.deriving import EXTRACTOR_VERSION, derived_rows

SIGNING = record("chat", 1, "明天下午三点和张总在国贸签合同", "2026-09-02T09:00:00+08:00", role="user")
LUNCH = record("meinput", 2, '午饭吃面\n"加辣", 真香', "2026-09-02T12:30:00+08:00")
TRIP = record("chat", 3, "十月一号去成都玩", "2026-07-01T20:00:00+08:00", role="user")
RECORDS = (SIGNING, LUNCH, TRIP)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'index.db'}"
    return emptied(request.getfixturevalue("postgres_url"))


@pytest.fixture
def index(url: str) -> Iterator[TimelineIndex]:
    index = SqlTimelineIndex(url)
    yield index
    index.close()


def batch(*records: EvidenceRecord, user_id: str = USER_ID, **changes: object) -> IndexBatch:
    return IndexBatch(user_id, derived_rows(records), **changes)  # type: ignore[arg-type]


def edited(record: EvidenceRecord, text: str, revision: int) -> EvidenceRecord:
    return record.model_copy(update={"text": text, "revision": revision})


def texts(index: TimelineIndex) -> dict[str, str]:
    frame = index.read(window(), RequestLimits()).frame
    return dict(zip(frame["source_ref"], frame["content"], strict=True))


class TestReading:
    def test_what_was_written_comes_back_as_it_was_in_the_order_of_time(self, index: TimelineIndex) -> None:
        rows = derived_rows(RECORDS)
        index.write(IndexBatch(USER_ID, rows))
        read = checked(index.read(window(), RequestLimits()).frame, COMPARED_TIMELINE)
        in_order = rows.sort_values(["event_time", "observed_time"], ignore_index=True)
        pd.testing.assert_frame_equal(read, in_order.drop(columns="revision"))

    def test_an_empty_index_gives_an_empty_frame(self, index: TimelineIndex) -> None:
        reading = index.read(window(event=A_YEAR_OF_EVENTS), RequestLimits())
        assert checked(reading.frame, COMPARED_TIMELINE).empty
        assert reading.synced_until_by_source == {}

    def test_windows_are_half_open(self, index: TimelineIndex) -> None:
        index.write(batch(*RECORDS))
        until_lunch = SearchWindow("observed", SIGNING.observed_time, LUNCH.observed_time)
        assert list(index.read(window(until_lunch), RequestLimits()).frame["source_ref"]) == [SIGNING.source_ref]

    @pytest.mark.parametrize(
        ("start", "end", "is_found"),
        [
            pytest.param("2026-10-01T00:00:00+08:00", "2026-10-02T00:00:00+08:00", True, id="its day"),
            pytest.param("2026-10-02T00:00:00+08:00", "2026-10-03T00:00:00+08:00", False, id="the day after"),
            pytest.param("2026-09-30T00:00:00+08:00", "2026-10-01T00:00:00+08:00", False, id="the day before"),
        ],
    )
    def test_an_event_is_found_by_its_time_whenever_it_was_told(
        self, index: TimelineIndex, start: str, end: str, is_found: bool
    ) -> None:
        index.write(batch(*RECORDS))
        event = SearchWindow("event", pd.Timestamp(start).to_pydatetime(), pd.Timestamp(end).to_pydatetime())
        today = SearchWindow("observed", NOW - timedelta(days=1), NOW)
        found = index.read(window(today, event), RequestLimits()).frame["source_ref"]
        assert (TRIP.source_ref in set(found)) is is_found

    def test_a_row_found_both_ways_comes_once(self, index: TimelineIndex) -> None:
        index.write(batch(*RECORDS))
        assert len(index.read(window(A_YEAR, A_YEAR_OF_EVENTS), RequestLimits()).frame) == len(RECORDS)

    def test_the_newest_rows_stand_under_a_cap_and_it_is_told(self, index: TimelineIndex) -> None:
        index.write(batch(*RECORDS))
        reading = index.read(window(row_cap=2), RequestLimits())
        assert set(reading.frame["source_ref"]) == {LUNCH.source_ref, SIGNING.source_ref}
        assert reading.outcome.is_capped
        assert not index.read(window(row_cap=3), RequestLimits()).outcome.is_capped

    def test_another_user_sees_nothing(self, index: TimelineIndex) -> None:
        index.write(batch(*RECORDS))
        stranger = dataclasses.replace(window(A_YEAR, A_YEAR_OF_EVENTS), user_id="u2")
        assert index.read(stranger, RequestLimits()).frame.empty

    def test_a_store_that_broke_is_an_unavailable_source(self, index: TimelineIndex, url: str) -> None:
        engine = sa.create_engine(url)
        with engine.begin() as connection:
            connection.exec_driver_sql("DROP TABLE memind_timeline")
        engine.dispose()
        with pytest.raises(SourceUnavailable) as error:
            index.read(window(), RequestLimits())
        assert error.value.reason == "index_unavailable"

    def test_a_server_that_came_back_is_read_again_by_all(self, postgres_url: str) -> None:
        index = SqlTimelineIndex(f"{emptied(postgres_url)}&application_name=ended")
        index.write(batch(*RECORDS))
        with ThreadPoolExecutor(4) as threads:  # so that several connections lie in the pool
            list(threads.map(lambda _: index.read(window(), RequestLimits()), range(64)))
        admin = sa.create_engine(postgres_url)
        with admin.begin() as connection:
            connection.exec_driver_sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ended'"
            )
        admin.dispose()
        with pytest.raises(SourceUnavailable, match="index_unavailable"):
            index.read(window(), RequestLimits())
        assert [len(index.read(window(), RequestLimits()).rows) for _ in range(8)] == [3] * 8
        index.close()


class TestWriting:
    def test_again_changes_nothing(self, index: TimelineIndex) -> None:
        index.write(batch(*RECORDS))
        before = texts(index)
        assert index.write(batch(*RECORDS)).stored == 0
        assert texts(index) == before

    def test_a_later_revision_stands_and_an_earlier_one_that_comes_late_does_not(self, index: TimelineIndex) -> None:
        index.write(batch(edited(LUNCH, "午饭吃饭", 3)))
        index.write(batch(edited(LUNCH, "午饭喝粥", 2)))
        assert texts(index)[LUNCH.source_ref] == "午饭吃饭"

    def test_a_later_revision_may_have_another_time(self, index: TimelineIndex) -> None:
        index.write(batch(LUNCH))
        moved = LUNCH.model_copy(update={"observed_time": NOW - timedelta(hours=1), "revision": 2})
        index.write(batch(moved))
        read = index.read(window(), RequestLimits()).frame
        assert list(read["observed_time"]) == [pd.Timestamp(moved.observed_time)]

    def test_a_tombstone_removes_at_once_and_keeps_earlier_revisions_out(self, index: TimelineIndex) -> None:
        index.write(batch(*RECORDS))
        assert index.write(batch(tombstones=(Tombstone(LUNCH.source_ref, 2),))).removed == 1
        index.write(batch(LUNCH))
        index.load(derived_rows([LUNCH]), NOW)
        assert LUNCH.source_ref not in texts(index)
        index.write(batch(edited(LUNCH, "午饭吃面", 3)))
        assert LUNCH.source_ref in texts(index)

    def test_rows_of_other_rules_are_replaced_by_the_same_revision(self, index: TimelineIndex) -> None:
        old = derived_rows(RECORDS).assign(extractor_version="0", type="mention")
        index.write(IndexBatch(USER_ID, old))
        assert [(s.row_count, s.stale_count) for s in index.status(USER_ID, EXTRACTOR_VERSION)] == [(2, 2), (1, 1)]
        assert index.write(batch(SIGNING)).stored == 1
        assert [(s.row_count, s.stale_count) for s in index.status(USER_ID, EXTRACTOR_VERSION)] == [(2, 1), (1, 1)]

    def test_what_is_gone_is_removed(self, index: TimelineIndex) -> None:
        index.write(batch(*RECORDS))
        assert index.write(batch(gone=(TRIP.source_ref, "chat:message:unknown"))).removed == 1
        assert set(texts(index)) == {SIGNING.source_ref, LUNCH.source_ref}

    def test_how_far_a_source_is_is_kept_with_the_rows(self, index: TimelineIndex) -> None:
        state = SyncState("chat", NOW, "c-17")
        index.write(batch(SIGNING, state=state))
        assert index.states(USER_ID) == {"chat": state}
        assert index.read(window(), RequestLimits()).synced_until_by_source == {"chat": NOW}

    def test_a_batch_that_fails_leaves_nothing(self, index: TimelineIndex) -> None:
        broken = derived_rows(RECORDS).drop(columns="title")
        with pytest.raises(Exception, match="title"):
            index.write(IndexBatch(USER_ID, broken, (Tombstone("chat:message:9", 1),), state=SyncState("chat", NOW)))
        assert index.states(USER_ID) == {}

    def test_stored_rows_tell_identities_in_the_order_of_time(self, index: TimelineIndex) -> None:
        index.write(batch(*RECORDS))
        stored = list(index.stored_rows(USER_ID, "chat"))
        assert [(s.source_ref, s.revision) for s in stored] == [(TRIP.source_ref, 1), (SIGNING.source_ref, 1)]

    @pytest.mark.parametrize(
        "changes",
        [
            {"text": "后天下午三点和张总签合同"},
            {"revision": 2},
            {"observed_time": pd.Timestamp("2026-09-02T09:01+08:00")},
        ],
        ids=lambda changes: next(iter(changes)),
    )
    def test_a_row_that_is_stored_in_another_form_is_told(
        self, index: TimelineIndex, changes: dict[str, object]
    ) -> None:
        index.write(batch(SIGNING, LUNCH))
        index.write(batch(SIGNING.model_copy(update=changes)))
        assert index.differing(USER_ID, derived_rows(RECORDS)) == [SIGNING.source_ref]
        assert index.differing("another", derived_rows(RECORDS)) == []


class TestLoading:
    def test_many_users_at_once_as_written_one_by_one(self, index: TimelineIndex) -> None:
        other = [r.model_copy(update={"user_id": "u2"}) for r in RECORDS]
        rows = pd.concat([derived_rows(RECORDS), derived_rows(other)], ignore_index=True)
        assert index.load(rows, NOW) == 6
        assert index.load(rows, NOW) == 0
        assert texts(index) == {r.source_ref: r.text for r in RECORDS}
        assert index.states("u2").keys() == {"chat", "meinput"}

    def test_the_highest_of_several_revisions_stands(self, index: TimelineIndex) -> None:
        both = [derived_rows([LUNCH]), derived_rows([edited(LUNCH, "午饭喝粥", 2)])]
        index.load(pd.concat(both, ignore_index=True), NOW)
        assert texts(index) == {LUNCH.source_ref: "午饭喝粥"}

    def test_how_far_a_sync_has_come_is_left_alone(self, index: TimelineIndex) -> None:
        index.write(batch(state=SyncState("chat", NOW, "c-17")))
        index.load(derived_rows(RECORDS), NOW - timedelta(days=1))
        assert index.states(USER_ID)["chat"] == SyncState("chat", NOW, "c-17")


@cache
def _write(told: EvidenceRecord, revision: int, gone: bool) -> IndexBatch:
    """What writes a revision of a record, or its tombstone; read out of the text once."""
    if gone:
        return batch(tombstones=(Tombstone(told.source_ref, revision),))
    return batch(edited(told, f"第{revision}版", revision))


WRITES = st.lists(st.tuples(st.sampled_from(RECORDS), st.integers(1, 3), st.booleans()), min_size=1, max_size=8)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(writes=WRITES, order=st.randoms(use_true_random=False))
def test_the_order_of_writes_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, writes: list[tuple[EvidenceRecord, int, bool]], order: object
) -> None:
    """A revision is either a text or a tombstone, never both: the last of each revision is taken."""
    index = SqlTimelineIndex(f"sqlite:///{tmp_path_factory.mktemp('order') / 'index.db'}")
    by_revision = {(told.source_ref, revision): (told, revision, gone) for told, revision, gone in writes}
    steps = list(by_revision.values())
    shuffled = [*steps, *steps[:2]]
    order.shuffle(shuffled)  # type: ignore[attr-defined]
    ends = []
    for steps_in_order in (steps, shuffled):
        for told, revision, gone in steps_in_order:
            index.write(_write(told, revision, gone))
        ends.append(texts(index))
        index.erase(USER_ID)
    index.close()
    assert ends[0] == ends[1]


class TestErasure:
    MARK = "绝密暗号九五二七"

    def secret(self, user_id: str) -> EvidenceRecord:
        return record("chat", 7, f"{self.MARK}，明天见", "2026-09-03T09:00:00+08:00").model_copy(
            update={"user_id": user_id, "source_ref": f"chat:message:{user_id}-secret"}
        )

    def filled(self, index: TimelineIndex) -> None:
        for user_id in ("erased-user", "kept-user"):
            state = SyncState("chat", NOW, f"cursor-of-{user_id}")
            buried = (Tombstone(f"chat:message:{user_id}-buried", 1),)
            index.write(IndexBatch(user_id, derived_rows([self.secret(user_id)]), buried, state=state))

    def test_no_table_has_a_row_of_the_user_and_the_others_keep_theirs(self, index: TimelineIndex, url: str) -> None:
        self.filled(index)
        assert index.erase("erased-user") == 1
        assert index.states("erased-user") == {}
        engine = sa.create_engine(url)
        with engine.connect() as connection:
            tables = sa.inspect(connection).get_table_names()
            held = {name: str(connection.exec_driver_sql(f'SELECT * FROM "{name}"').all()) for name in tables}
        engine.dispose()
        assert not [name for name, rows in held.items() if "erased-user" in rows]
        assert len([name for name, rows in held.items() if "kept-user" in rows]) >= 3

    def test_no_byte_of_the_user_is_left_in_the_files(self, tmp_path: Path) -> None:
        index = SqlTimelineIndex(f"sqlite:///{tmp_path / 'index.db'}")
        self.filled(index)
        assert self.bytes_with(tmp_path, b"erased-user")
        index.erase("erased-user")
        assert not self.bytes_with(tmp_path, b"erased-user")
        assert self.bytes_with(tmp_path, b"kept-user")
        index.erase("kept-user")
        assert not self.bytes_with(tmp_path, self.MARK.encode())
        index.close()

    def test_an_erasure_that_a_reader_holds_up_says_so(self, tmp_path: Path) -> None:
        index = SqlTimelineIndex(f"sqlite:///{tmp_path / 'index.db'}")
        self.filled(index)
        impatient = sa.event.listens_for(index._engine, "begin")
        impatient(lambda connection: connection.exec_driver_sql("PRAGMA busy_timeout = 1"))
        with closing(sqlite3.connect(tmp_path / "index.db")) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM memind_timeline").fetchone()
            with pytest.raises(SourceUnavailable, match="erase_unfinished"):
                index.erase("erased-user")
        assert index.erase("erased-user") == 0
        assert not self.bytes_with(tmp_path, b"erased-user")
        index.close()

    def bytes_with(self, folder: Path, mark: bytes) -> list[str]:
        return [path.name for path in folder.iterdir() if mark in path.read_bytes()]


def test_a_batch_writes_its_own_user_alone(index: TimelineIndex) -> None:
    with pytest.raises(ValueError, match="own user"):
        index.write(batch(SIGNING, user_id="u2"))
    assert texts(index) == {}


def test_an_error_of_the_database_tells_nothing_of_the_rows(index: TimelineIndex, url: str) -> None:
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        for name in ("timeline", "tombstones", "sync_states"):
            connection.exec_driver_sql(f"DROP TABLE memind_{name}")
    engine.dispose()
    for work in (lambda: index.write(batch(SIGNING)), lambda: index.erase("u1"), lambda: index.states("u1")):
        with pytest.raises(SourceUnavailable, match="index_unavailable") as caught:
            work()
        assert "合同" not in "".join(traceback.format_exception(caught.value))


class TestSchema:
    @pytest.mark.parametrize("version", range(len(STEPS)))
    def test_an_older_store_becomes_a_newer_one_with_its_rows(self, url: str, version: int) -> None:
        old = sa.create_engine(url)
        migrate(old, steps=STEPS[:version])
        old.dispose()
        index = SqlTimelineIndex(url)
        index.write(batch(*RECORDS))
        again = SqlTimelineIndex(url)
        assert len(texts(again)) == 3
        for opened in (index, again):
            opened.close()

    def test_rows_that_were_not_packed_are_to_be_read_anew(self, url: str) -> None:
        old = sa.create_engine(url)
        migrate(old, steps=STEPS[:3])
        with old.begin() as connection:
            connection.exec_driver_sql(f"INSERT INTO memind_sync_states VALUES ('{USER_ID}', 'chat', 0, 'c-17')")
            connection.exec_driver_sql(f"INSERT INTO memind_tombstones VALUES ('{USER_ID}', '{LUNCH.source_ref}', 1)")
        old.dispose()
        index = SqlTimelineIndex(url)
        assert index.states(USER_ID) == {}
        index.write(batch(*RECORDS))
        assert set(texts(index)) == {SIGNING.source_ref, TRIP.source_ref}
        index.close()

    def test_who_may_only_read_opens_a_store_of_today(self, postgres_url: str) -> None:
        url = emptied(postgres_url)
        SqlTimelineIndex(url).close()
        reader = SqlTimelineIndex(f"{url}&options=-c%20default_transaction_read_only%3Don")
        assert texts(reader) == {}
        reader.close()

    def test_a_store_of_today_opens_while_another_writes(self, tmp_path: Path) -> None:
        url = f"sqlite:///{tmp_path / 'index.db'}"
        SqlTimelineIndex(url).close()
        with closing(sqlite3.connect(tmp_path / "index.db")) as writer:
            writer.execute("BEGIN IMMEDIATE")
            index = SqlTimelineIndex(url)
            assert texts(index) == {}
            index.close()

    @pytest.mark.parametrize(
        "address",
        [
            "postgresql+psycopg://a@127.0.0.1:1/x?password=secret",
            "postgresql+psycopg//a:secret@127.0.0.1/x",
            "postgresql+psycopg://a:secret@127.0.0.1:notaport/x",
            "postgresql+psycopg://a:half@secret@127.0.0.1:1/x",
        ],
    )
    def test_an_address_that_does_not_work_tells_no_password(self, address: str) -> None:
        with pytest.raises(InvalidConfig) as caught:
            SqlTimelineIndex(address)
        assert "secret" not in "".join(traceback.format_exception_only(caught.value))

    def test_a_newer_store_is_refused(self, url: str) -> None:
        newer = sa.create_engine(url)
        migrate(newer, steps=(*STEPS, lambda connection: None))
        newer.dispose()
        with pytest.raises(InvalidConfig, match=f"version {len(STEPS) + 1}"):
            SqlTimelineIndex(url)

    def test_a_file_that_is_no_store_is_refused_and_left_as_it_is(self, tmp_path: Path) -> None:
        path = tmp_path / "notes.txt"
        path.write_text("no database at all, but long enough to be read as a header of one" * 20, encoding="utf-8")
        before = path.read_bytes()
        with pytest.raises(InvalidConfig, match=r"index\.url"):
            SqlTimelineIndex(f"sqlite:///{path}")
        assert path.read_bytes() == before

    @pytest.mark.parametrize("address", ["mysql://h/d", "no address", "oracle://h"])
    def test_another_database_is_refused(self, address: str) -> None:
        with pytest.raises(InvalidConfig, match=r"index\.url"):
            SqlTimelineIndex(address)
