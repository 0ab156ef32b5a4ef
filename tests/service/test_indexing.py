"""The index follows its sources, whatever happens on the way; what a user erased stays in no table."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import index_child
import pytest
import sqlalchemy as sa
from fed_sources import FedSource, WindowSource
from index_rows import emptied, window
from listed_sources import NOW, USER_ID, record

from temporal_recall.adapters.index_store import SqlTimelineIndex
from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import EvidenceRecord, RecordIssue, RequestLimits
from temporal_recall.schemas.timeline_index import IndexBatch, SyncState, TimelineIndex
from temporal_recall.service import indexing
from temporal_recall.service.config import IndexConfig, RecallConfig, SourceConfig
from temporal_recall.service.deriving import EXTRACTOR_VERSION, derived_rows
from temporal_recall.service.indexing import IndexKeeper

HOUR = timedelta(hours=1)
CALL = record("chat", 1, "明天下午三点给王姐回电话", "2026-09-02T09:00:00+08:00", role="user")
MAIL = record("chat", 2, "周五前把合同发出去", "2026-09-02T10:00:00+08:00", role="user")
NOTE = record("meinput", 3, "午饭吃面", "2026-09-02T12:30:00+08:00")
OLD_NOTE = record("meinput", 4, "去年的旧笔记", "2025-09-02T12:30:00+08:00")


class Kept:
    """An index, its keeper, and the two kinds of sources that it follows."""

    def __init__(self, folder: Path) -> None:
        self.chat, self.meinput = FedSource("chat"), WindowSource("meinput")
        self.index: TimelineIndex = SqlTimelineIndex(f"sqlite:///{folder / 'index.db'}")
        config = RecallConfig(
            sources=(SourceConfig(name="chat"), SourceConfig(name="meinput")),
            index=IndexConfig(url="sqlite://", resync_days=30),
        )
        self.keeper = IndexKeeper(config, {"chat": self.chat, "meinput": self.meinput}, self.index)

    def sync(self, *, hours_later: int = 0) -> dict[str, tuple[int, int, str | None]]:
        done = self.keeper.sync(USER_ID, NOW + hours_later * HOUR)
        return {s.source: (s.stored, s.removed, s.failure) for s in done}

    def texts(self) -> set[str]:
        return set(self.index.read(window(row_cap=10_000), RequestLimits()).frame["content"])


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Kept]:
    kept = Kept(tmp_path)
    kept.chat.put(CALL, MAIL)
    kept.meinput.put(NOTE, OLD_NOTE)
    yield kept
    kept.index.close()


def edited(record: EvidenceRecord, text: str) -> EvidenceRecord:
    return record.model_copy(update={"text": text, "revision": record.revision + 1})


class TestFeed:
    def test_the_first_sync_takes_all_and_the_second_nothing(self, kept: Kept) -> None:
        assert kept.sync()["chat"] == (2, 0, None)
        assert kept.sync(hours_later=1)["chat"] == (0, 0, None)
        assert kept.chat.reads == [None, "2"]

    def test_an_edit_and_a_deletion_arrive_with_the_next_sync(self, kept: Kept) -> None:
        kept.sync()
        kept.chat.put(edited(CALL, "明天下午四点给王姐回电话"))
        kept.chat.delete(MAIL)
        assert kept.sync(hours_later=1)["chat"] == (1, 1, None)
        assert {CALL.text, MAIL.text}.isdisjoint(kept.texts())

    def test_a_deletion_before_the_first_sync_leaves_nothing(self, kept: Kept) -> None:
        kept.chat.delete(MAIL)
        kept.sync()
        assert MAIL.text not in kept.texts()

    def test_a_feed_that_forgot_the_checkpoint_is_read_anew_and_what_it_lost_is_gone(self, kept: Kept) -> None:
        kept.sync()
        kept.chat.log = [CALL]
        kept.chat.is_expired = True
        assert kept.sync(hours_later=1)["chat"] == (0, 1, None)
        assert kept.chat.reads == [None, "2", None]
        assert CALL.text in kept.texts()

    def test_a_feed_that_breaks_keeps_what_it_gave_and_goes_on_from_the_same_checkpoint(
        self, kept: Kept, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(indexing, "BATCH_RECORDS", 1)
        kept.chat.fails_after = 1
        assert kept.sync()["chat"] == (1, 0, "http_503")
        kept.chat.fails_after = None
        assert kept.sync(hours_later=1)["chat"] == (1, 0, None)
        assert kept.chat.reads == [None, None]

    def test_a_feed_without_a_checkpoint_at_its_end_is_no_whole_feed(self, kept: Kept) -> None:
        kept.sync()
        kept.chat.changes = lambda ctx: iter(())  # type: ignore[method-assign]
        assert kept.sync(hours_later=1)["chat"] == (0, 0, "no_checkpoint")
        assert {CALL.text, MAIL.text} <= kept.texts()

    def test_what_is_stored_in_step_is_not_looked_through_for_what_is_new(
        self, kept: Kept, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        kept.sync()
        looked_through: list[str] = []
        monkeypatch.setattr(kept.index, "stored_rows", lambda _, source, *window: looked_through.append(source) or [])
        kept.chat.put(edited(CALL, "下午四点给王姐回电话"))
        assert kept.sync(hours_later=1)["chat"] == (1, 0, None)
        assert "chat" not in looked_through


class TestWindows:
    def test_the_first_sync_reads_the_whole_history(self, kept: Kept) -> None:
        assert kept.sync()["meinput"] == (2, 0, None)

    def test_later_ones_read_the_last_weeks_again(self, kept: Kept) -> None:
        kept.sync()
        kept.meinput.put(edited(NOTE, "午饭喝粥"), edited(OLD_NOTE, "不再读到"))
        assert kept.sync(hours_later=1)["meinput"] == (1, 0, None)

    def test_what_a_window_no_longer_holds_is_gone(self, kept: Kept) -> None:
        kept.sync()
        kept.meinput.held.clear()
        assert kept.sync(hours_later=1)["meinput"] == (0, 1, None)
        assert NOTE.text not in kept.texts()

    def test_a_full_read_comes_in_halves_until_nothing_is_cut(
        self, kept: Kept, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(indexing, "FETCH_CAP", 3)
        many = [record("meinput", n, f"第{n}件事", f"2026-09-01T{n:02}:00:00+08:00") for n in range(10, 20)]
        kept.meinput.put(*many)
        assert kept.sync()["meinput"] == (12, 0, None)

    def test_a_row_that_every_slice_tells_counts_once(self, kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
        found = kept.meinput.search
        told = (RecordIssue(source="meinput", code="bad_row", locator="a:7"),)
        monkeypatch.setattr(kept.meinput, "search", lambda ctx: iter((*told, *found(ctx))))
        (_, done) = kept.keeper.sync(USER_ID, NOW)
        assert done.issue_counts == {"bad_row": 1}

    def test_records_of_strangers_are_counted_and_left_out(self, kept: Kept) -> None:
        kept.meinput.put(NOTE.model_copy(update={"source": "other", "source_ref": "other:x:1"}))
        (_, done) = kept.keeper.sync(USER_ID, NOW)
        assert (done.stored, done.issue_counts) == (2, {"foreign_record": 1})


class TestOtherRules:
    """A better parser re-derives exactly what is stale."""

    def stale(self, kept: Kept, *records: EvidenceRecord) -> None:
        rows = derived_rows(records).assign(extractor_version="0", type="decision")
        kept.index.write(IndexBatch(USER_ID, rows))

    def test_exactly_the_stale_rows_of_a_feed_are_read_again(self, kept: Kept) -> None:
        self.stale(kept, MAIL)
        kept.index.write(IndexBatch(USER_ID, derived_rows([CALL]), state=SyncState("chat", NOW, "2")))
        assert kept.sync()["chat"] == (1, 0, None)
        assert all(s.stale_count == 0 for s in kept.keeper.status(USER_ID))

    def test_a_source_without_a_feed_is_read_from_its_beginning(self, kept: Kept) -> None:
        self.stale(kept, OLD_NOTE)
        kept.index.write(IndexBatch(USER_ID, derived_rows([NOTE]), state=SyncState("meinput", NOW)))
        assert kept.sync()["meinput"] == (1, 0, None)

    def test_status_tells_them(self, kept: Kept) -> None:
        self.stale(kept, CALL)
        (status,) = kept.keeper.status(USER_ID)
        assert (status.source, status.row_count, status.stale_count) == ("chat", 1, 1)
        assert EXTRACTOR_VERSION != "0"


class TestVerify:
    def test_an_index_in_step_is_right(self, kept: Kept) -> None:
        kept.sync()
        assert all(check.is_right for check in kept.keeper.verify(USER_ID, NOW))

    def test_a_record_that_came_back_after_its_deletion_is_held(self, kept: Kept) -> None:
        kept.sync()
        kept.chat.delete(CALL)
        kept.chat.put(CALL.model_copy(update={"revision": CALL.revision + 2}))
        kept.sync(hours_later=1)
        assert all(check.is_right for check in kept.keeper.verify(USER_ID, NOW + HOUR))

    def test_it_names_what_differs(self, kept: Kept) -> None:
        kept.sync()
        kept.chat.put(edited(CALL, "改了"))
        kept.meinput.held.pop(OLD_NOTE.source_ref)
        kept.index.write(IndexBatch(USER_ID, derived_rows([]), gone=(NOTE.source_ref,)))
        chat, meinput = kept.keeper.verify(USER_ID, NOW)
        assert (chat.outdated, chat.missing, chat.left_over) == ((CALL.source_ref,), (), ())
        assert (meinput.outdated, meinput.missing, meinput.left_over) == (
            (),
            (NOTE.source_ref,),
            (OLD_NOTE.source_ref,),
        )

    def test_a_row_of_the_right_revision_and_other_words_is_named(self, kept: Kept) -> None:
        kept.sync()
        kept.index.write(IndexBatch(USER_ID, derived_rows([CALL.model_copy(update={"text": "别的话"})])))
        assert [check.outdated for check in kept.keeper.verify(USER_ID, NOW)] == [(CALL.source_ref,), ()]

    def test_a_row_of_other_rules_is_named(self, kept: Kept) -> None:
        kept.sync()
        kept.index.write(IndexBatch(USER_ID, derived_rows([NOTE]).assign(extractor_version="0")))
        assert [check.outdated for check in kept.keeper.verify(USER_ID, NOW)] == [(), (NOTE.source_ref,)]

    def test_a_source_that_breaks_in_any_way_costs_only_its_own_rows(self, kept: Kept) -> None:
        def broken(ctx: object) -> Iterator[EvidenceRecord]:
            raise ValueError("words of someone")
            yield

        kept.chat.changes = broken  # type: ignore[method-assign]
        assert kept.sync() == {"chat": (0, 0, "adapter_error"), "meinput": (2, 0, None)}

    def test_a_source_that_is_down_is_not_right(self, kept: Kept) -> None:
        def down(ctx: object) -> Iterator[EvidenceRecord]:
            raise SourceUnavailable("meinput", "http_503")
            yield

        kept.meinput.search = down  # type: ignore[method-assign]
        assert kept.keeper.verify(USER_ID, NOW)[1].failure == "http_503"
        assert kept.sync()["meinput"] == (0, 0, "http_503")


def test_an_erased_user_starts_from_nothing(kept: Kept) -> None:
    kept.sync()
    assert kept.keeper.erase(USER_ID) == 4
    assert kept.keeper.status(USER_ID) == []
    kept.sync(hours_later=1)
    assert kept.chat.reads == [None, None]


PERSONA = Path(__file__).resolve().parents[1] / "data" / "personas" / "nurse_xian" / "items.jsonl"


def content(index: TimelineIndex) -> list[tuple[object, ...]]:
    rows = [(s.source, row) for s in index.status("killed", "") for row in index.stored_rows("killed", s.source)]
    states = index.states("killed")
    index.close()
    return [*rows, *sorted((name, s.since, s.synced_until) for name, s in states.items())]


@dataclass(frozen=True)
class WholeSync:
    """What a sync that nobody disturbs leaves, and how many statements it takes."""

    content: list[tuple[object, ...]]
    statement_count: int


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> WholeSync:
    statements: list[object] = []
    note = sa.event.listens_for(sa.Engine, "before_cursor_execute")(lambda *told: statements.append(told[2]))
    index = SqlTimelineIndex(f"sqlite:///{tmp_path_factory.mktemp('whole') / 'index.db'}")
    index_child.synced(index, index_child.sources(PERSONA))
    sa.event.remove(sa.Engine, "before_cursor_execute", note)
    return WholeSync(content(index), len(statements))


DICE = random.Random(9)
POINTS = [DICE.random() for _ in range(4)]
MORE_POINTS = [pytest.param(DICE.random(), marks=pytest.mark.slow) for _ in range(20)]
"""At what share of its statements a process dies."""


class TestKilled:
    """A process that is killed at any statement leaves a store that the next run completes."""

    @pytest.mark.parametrize("point", [*POINTS[1:], *MORE_POINTS])
    def test_in_sqlite(self, tmp_path: Path, undisturbed: WholeSync, point: float) -> None:
        self.killed_and_completed(f"sqlite:///{tmp_path / 'index.db'}", undisturbed, point)

    def test_in_postgresql(self, postgres_url: str, undisturbed: WholeSync) -> None:
        self.killed_and_completed(emptied(postgres_url), undisturbed, POINTS[0])

    def killed_and_completed(self, url: str, undisturbed: WholeSync, point: float) -> None:
        statement = 1 + int(point * undisturbed.statement_count)
        command = [sys.executable, index_child.__file__, url, str(PERSONA), str(statement)]
        died = subprocess.run(command, check=False, capture_output=True, timeout=120)
        assert died.returncode == -signal.SIGKILL, died.stderr.decode()
        index = SqlTimelineIndex(url)
        adapters = index_child.sources(PERSONA)
        assert all(s.failure is None for s in index_child.synced(index, adapters))
        assert content(index) == undisturbed.content
