"""The embedded store: what is put twice stands once, the newest revision wins, and a deletion stays."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from temporal_recall.adapters.embedded_store import EmbeddedStore, EmbeddedStoreAdapter, PutCount
from temporal_recall.schemas.errors import InvalidRequest, SourceUnavailable
from temporal_recall.schemas.evidence import Axis, EvidenceRecord, RequestLimits, SearchContext, SourceEvent
from temporal_recall.testing.contexts import issues_of, records_of
from temporal_recall.testing.contexts import search_context as context_of

SearchContexts = Callable[..., SearchContext]
MOMENT = datetime(2026, 9, 2, 6, 30, 0, 123456, tzinfo=UTC)


def _record(number: int = 1, **more: Any) -> EvidenceRecord:
    fields = {
        "source": "notes",
        "source_ref": f"notes:note:{number}",
        "user_id": "u1",
        "observed_time": MOMENT,
        "time_zone": "Asia/Shanghai",
        "text": "和老周吃饭",
    }
    return EvidenceRecord(**{**fields, **more})


@pytest.fixture
def store(tmp_path: Path) -> EmbeddedStore:
    return EmbeddedStore(tmp_path / "store.db")


def _read(store: EmbeddedStore, context: SearchContext) -> list[EvidenceRecord]:
    return records_of(EmbeddedStoreAdapter("notes", store.path).search(context))


class TestPut:
    def test_twice_is_once(self, store: EmbeddedStore, search_context: SearchContexts) -> None:
        records = [_record(n) for n in range(5)]
        assert store.put(records) == PutCount(new=5)
        assert store.put(records) == PutCount(unchanged=5)
        assert _read(store, search_context()) == records

    @pytest.mark.parametrize(
        ("revisions", "standing"),
        [([1, 2], "2"), ([2, 1], "2"), ([3, 1, 2], "3"), ([1, 1], "1")],
    )
    def test_the_highest_revision_stands_in_whatever_order(
        self, store: EmbeddedStore, revisions: list[int], standing: str, search_context: SearchContexts
    ) -> None:
        for revision in revisions:
            store.put([_record(text=str(revision), revision=revision)])
        assert [r.text for r in _read(store, search_context())] == [standing]

    def test_a_tombstone_stays_and_keeps_no_words(self, store: EmbeddedStore, search_context: SearchContexts) -> None:
        store.put([_record(text="秘密")])
        assert store.put([_record(text="秘密", revision=2, is_deleted=True)]) == PutCount(changed=1)
        store.put([_record(text="秘密")])
        assert _read(store, search_context()) == []
        store.close()
        assert "秘密".encode() not in store.path.read_bytes()

    def test_an_edit_may_move_a_record_in_time(self, store: EmbeddedStore, search_context: SearchContexts) -> None:
        store.put([_record()])
        moved = _record(observed_time=MOMENT + timedelta(days=1), revision=2)
        assert store.put([moved]) == PutCount(changed=1)
        assert _read(store, search_context()) == [moved]

    def test_one_ref_of_two_users_is_two_records(self, store: EmbeddedStore, search_context: SearchContexts) -> None:
        store.put([_record(), _record(user_id="u2", text="别人的")])
        assert [r.text for r in _read(store, search_context())] == ["和老周吃饭"]
        assert [r.text for r in _read(store, search_context(user_id="u2"))] == ["别人的"]

    def test_what_left_its_file_is_forgotten(self, store: EmbeddedStore, search_context: SearchContexts) -> None:
        store.put([_record(1), _record(2)], "a.ics")
        store.put([_record(3)], "b.ics")
        assert store.forget_others("u1", "notes", "a.ics", {"notes:note:2"}) == 1
        assert [r.source_ref for r in _read(store, search_context())] == ["notes:note:2", "notes:note:3"]

    def test_a_batch_that_fails_leaves_the_store_whole(
        self, store: EmbeddedStore, search_context: SearchContexts
    ) -> None:
        store.put([_record(1)])
        broken = _record(2).model_copy(update={"observed_time": None})
        with pytest.raises(TypeError):
            store.put([_record(3), broken])
        assert [r.source_ref for r in _read(store, search_context())] == ["notes:note:1"]
        assert store.counts() == {"notes": 1}


class TestRead:
    @pytest.mark.parametrize(
        "event",
        [
            SourceEvent(start=MOMENT, end=MOMENT + timedelta(hours=1), title="会", attendees=("老周", "小鹿")),
            SourceEvent(start=datetime(2026, 9, 2, 9), end=None, status="cancelled"),
            SourceEvent(start=date(2026, 9, 2), end=date(2026, 9, 4), location="杭州"),
        ],
    )
    def test_a_record_comes_back_as_it_was(
        self, store: EmbeddedStore, event: SourceEvent, search_context: SearchContexts
    ) -> None:
        record = _record(event=event, role="user", app="微信", outcome="discarded", is_truncated=True)
        store.put([record])
        for axis in ("observed", "event"):
            assert _read(store, search_context(axis=axis)) == [record]

    def test_an_event_that_reaches_into_the_window_is_found(
        self, store: EmbeddedStore, search_context: SearchContexts
    ) -> None:
        store.put([_record(event=SourceEvent(start=date(2026, 9, 1), end=date(2026, 9, 4)))])
        inside = search_context("2026-09-03T00:00:00+08:00", "2026-09-04T00:00:00+08:00", axis="event")
        after = search_context("2026-09-04T00:00:00+08:00", "2026-09-05T00:00:00+08:00", axis="event")
        assert (len(_read(store, inside)), len(_read(store, after))) == (1, 0)

    def test_a_spoilt_row_is_an_issue(self, store: EmbeddedStore, search_context: SearchContexts) -> None:
        store.put([_record(1), _record(2)])
        store.close()
        with sqlite3.connect(store.path) as database:
            database.execute("UPDATE evidence SET record = '{秘密' WHERE source_ref = 'notes:note:1'")
        database.close()
        rows = list(EmbeddedStoreAdapter("notes", store.path).search(search_context()))
        assert [i.code for i in issues_of(rows)] == ["invalid_record"]
        assert len(records_of(rows)) == 1

    @settings(max_examples=50, deadline=None)
    @given(
        spans=st.lists(st.tuples(st.integers(0, 40), st.integers(1, 3)), max_size=12),
        bounds=st.tuples(st.integers(0, 40), st.integers(0, 40)),
    )
    def test_it_finds_what_a_list_would(
        self, tmp_path_factory: pytest.TempPathFactory, spans: list[tuple[int, int]], bounds: tuple[int, int]
    ) -> None:
        records = [_spanning(n, start, length) for n, (start, length) in enumerate(spans)]
        window = (MOMENT + timedelta(hours=min(bounds)), MOMENT + timedelta(hours=max(bounds)))
        path = tmp_path_factory.mktemp("law") / "store.db"
        with EmbeddedStore(path) as store:
            store.put(records)
        axes: tuple[Axis, Axis] = ("observed", "event")
        for axis in axes:
            context = context_of(window[0].isoformat(), window[1].isoformat(), axis=axis)
            found = {r.source_ref for r in records_of(EmbeddedStoreAdapter("notes", path).search(context))}
            assert found == {r.source_ref for r in records if _overlaps(r, window, axis)}


def _spanning(number: int, start_h: int, length_h: int) -> EvidenceRecord:
    start = MOMENT + timedelta(hours=start_h)
    event = SourceEvent(start=start, end=start + timedelta(hours=length_h))
    return _record(number, observed_time=start, event=event)


def _overlaps(record: EvidenceRecord, window: tuple[datetime, datetime], axis: str) -> bool:
    if window[0] == window[1]:
        return False
    if axis == "observed":
        return window[0] <= record.observed_time < window[1]
    assert record.event is not None
    return record.event.start < window[1] and record.event.end > window[0]  # type: ignore[operator]


class TestFiles:
    def test_another_file_is_refused(self, tmp_path: Path, search_context: SearchContexts) -> None:
        text, other, newer = tmp_path / "a.txt", tmp_path / "b.db", tmp_path / "c.db"
        text.write_text("not a store, but some text that is long enough for a header of a database file " * 3)
        for path, setup in ((other, "CREATE TABLE x (y)"), (newer, "PRAGMA user_version = 99")):
            with sqlite3.connect(path) as database:
                database.execute(setup)
            database.close()
        for path in (text, other, newer, tmp_path / "no" / "folder.db"):
            with pytest.raises(InvalidRequest, match="store"):
                EmbeddedStore(path)
            adapter = EmbeddedStoreAdapter("notes", path)
            with pytest.raises(SourceUnavailable):
                list(adapter.search(search_context()))
            assert adapter.probe(RequestLimits()).state == "broken"

    def test_state_counts_the_sources_records(self, store: EmbeddedStore) -> None:
        store.put([_record(1), _record(2)])
        assert EmbeddedStoreAdapter("notes", store.path).probe(RequestLimits()).detail == "2 records"
        assert EmbeddedStoreAdapter("chat", store.path).probe(RequestLimits()).detail == "0 records"
