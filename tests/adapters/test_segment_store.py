"""The stores of segments, diaries and facts, on SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from itertools import permutations
from pathlib import Path

import pytest
from recap_days import OWNER, at, segment
from sqlalchemy import Engine, create_engine

from temporal_recall.adapters.recap_cache import RecapCache
from temporal_recall.adapters.recap_tables import METADATA, recap_engine, with_tables
from temporal_recall.adapters.segment_store import SegmentStore
from temporal_recall.dataflows.recap.windows import recap_window_of
from temporal_recall.dataflows.recap_projection import selected_segments
from temporal_recall.schemas.errors import InvalidConfig
from temporal_recall.schemas.recap import RecapFact, RecapRow

NOW = at("23:00")
WINDOW = recap_window_of("2026-07-14", "UTC")


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    if request.param == "sqlite":
        made = recap_engine(f"sqlite:///{tmp_path / 'recap.db'}")
    else:
        made = with_tables(create_engine(request.getfixturevalue("postgres_url")))
    yield made
    METADATA.drop_all(made)
    made.dispose()


@pytest.fixture
def store(engine: Engine) -> SegmentStore:
    return SegmentStore(engine)


class TestSegments:
    def test_what_goes_in_comes_out(self, store: SegmentStore) -> None:
        day = [
            segment("Code", "9:00", "9:30:00.123456", "x — “y” 早上", attributes={"n": [1, None]}, revision=7),
            segment(None, "10:00", "10:00", source="tmux"),
        ]
        assert store.ingest(day, NOW).written_count == 2
        assert sorted(store.segments(OWNER, WINDOW.start, WINDOW.end_exclusive), key=lambda s: s.start) == day

    def test_uploads_merge_the_same_in_any_order(self, engine: Engine) -> None:
        uploads = [
            segment("A", "9:00", "9:10", id="x", attributes={"n": 1}, identity_key="a"),
            segment("A", "9:00", "9:30", id="x", attributes={"n": 2}, identity_key="a"),
            segment("A", "8:50", "9:20", id="x", attributes={"n": 3}, identity_key="a"),
        ]
        for number, order in enumerate(permutations(uploads)):
            store = SegmentStore(engine)
            for upload in order:
                store.ingest([replace(upload, owner_id=f"o{number}")], NOW)
            (stored,) = store.segments(f"o{number}", WINDOW.start, WINDOW.end_exclusive)
            assert (stored.start, stored.end, stored.attributes) == (at("8:50"), at("9:30"), {"n": 2})

    def test_another_identity_is_refused_and_the_row_stays(self, store: SegmentStore) -> None:
        first = segment(None, "9:00", "9:10", id="x", source="browser", identity_key="x/p")
        store.ingest([first], NOW)
        report = store.ingest([replace(first, identity_key="x/q", end=at("9:30"))], NOW)
        assert (report.written_count, [issue.code for issue in report.issues]) == (0, ["identity_changed"])
        assert store.segments(OWNER, WINDOW.start, WINDOW.end_exclusive) == (first,)

    def test_owners_do_not_meet(self, store: SegmentStore) -> None:
        store.ingest([segment("A", "9:00", "10:00", id="x", owner_id=owner) for owner in ("ana", "bob")], NOW)
        assert [s.owner_id for s in store.segments("bob", WINDOW.start, WINDOW.end_exclusive)] == ["bob"]
        assert store.erase("bob") == 1
        assert store.segments("bob", WINDOW.start, WINDOW.end_exclusive) == ()
        assert len(store.segments("ana", WINDOW.start, WINDOW.end_exclusive)) == 1

    def test_the_window_is_that_of_the_projection(self, store: SegmentStore) -> None:
        edges = ["-24:00", "-1:00", "0:00", "1:00", "12:00"]
        spans = [(a, b) for a in edges for b in edges if at(a) <= at(b) <= at(a) + timedelta(hours=24)]
        day = [segment("A", a, b) for a, b in [*spans, ("24:00", "24:00")]]
        store.ingest(day, at("25:00"))
        found = store.segments(OWNER, WINDOW.start, WINDOW.end_exclusive)
        expected = selected_segments(day, OWNER, WINDOW)
        assert {s.id for s in found} == {s.id for s in expected}
        assert 0 < len(found) < len(day)

    def test_the_latest_end_is_clipped_and_sees_a_point_at_the_start(self, store: SegmentStore) -> None:
        assert store.latest_end(OWNER, WINDOW.start, WINDOW.end_exclusive) is None
        store.ingest([segment("A", "0:00", "0:00")], NOW)
        assert store.latest_end(OWNER, WINDOW.start, WINDOW.end_exclusive) == WINDOW.start
        store.ingest([segment("A", "23:00", "25:00")], at("25:00"))
        assert store.latest_end(OWNER, WINDOW.start, WINDOW.end_exclusive) == WINDOW.end_exclusive

    def test_only_news_is_late(self, store: SegmentStore) -> None:
        known = segment("A", "9:00", "10:00")
        store.ingest([known], at("10:00"))
        store.ingest([known], at("12:00"))
        assert store.late_count(OWNER, WINDOW.start, WINDOW.end_exclusive, at("11:00")) == 0
        store.ingest([replace(known, end=at("10:30")), segment("B", "9:00", "9:10")], at("12:00"))
        assert store.late_count(OWNER, WINDOW.start, WINDOW.end_exclusive, at("11:00")) == 2

    def test_many_batches_are_all_counted(self, store: SegmentStore) -> None:
        day = [
            segment("A", at("0:00") + timedelta(seconds=n), at("0:00") + timedelta(seconds=n + 1)) for n in range(1201)
        ]
        report = store.ingest([*day, segment("A", "9:00", "8:00")], NOW)
        assert (report.written_count, len(report.issues)) == (1201, 1)


class TestDiaries:
    row = RecapRow(
        owner_id=OWNER,
        window_key=WINDOW.key,
        kind="day",
        local_date=WINDOW.local_date,
        time_zone="UTC",
        start=WINDOW.start,
        end_exclusive=WINDOW.end_exclusive,
        narrative="You wrote. 早上",
        generated_at=NOW,
        model="m",
        prompt_hash="p",
        segment_watermark=at("9:00:00.5"),
        knowledge_hash=None,
        digest_hash="d",
        projection_version="1",
        prompt_tokens=3,
        missing_dates=(date(2026, 7, 1),),
    )

    def test_one_row_a_window_whatever_how_often_it_is_written(self, engine: Engine) -> None:
        cache = RecapCache(engine)
        assert cache.row(OWNER, WINDOW.key) is None
        cache.save(self.row, erasure_count=0)
        cache.save(replace(self.row, narrative="again", knowledge_hash="k"), erasure_count=0)
        assert cache.row(OWNER, WINDOW.key) == replace(self.row, narrative="again", knowledge_hash="k")
        assert cache.row("bob", WINDOW.key) is None

    def test_rows_of_dates(self, engine: Engine) -> None:
        cache = RecapCache(engine)
        for year in (2023, 2024, 2026):
            cache.save(replace(self.row, local_date=date(year, 7, 14), window_key=str(year)), erasure_count=0)
        cache.save(replace(self.row, local_date=date(2024, 7, 14), window_key="w", kind="week"), erasure_count=0)
        found = cache.day_rows(OWNER, [date(2024, 7, 14), date(2023, 7, 14)])
        assert [row.local_date.year for row in found] == [2023, 2024]

    def test_facts_are_replaced_and_erased(self, engine: Engine) -> None:
        cache, day = RecapCache(engine), WINDOW.local_date
        cache.save_facts(OWNER, day, [RecapFact("a")])
        cache.save_facts(OWNER, day, [RecapFact("b", "9:00", None)])
        assert cache.facts(OWNER, day) == (RecapFact("b", "9:00", None),)
        cache.save(self.row, erasure_count=0)
        cache.erase(OWNER)
        assert cache.facts(OWNER, day) == ()
        assert cache.row(OWNER, WINDOW.key) is None

    def test_what_was_begun_before_an_erasure_is_not_written_after_it(self, engine: Engine) -> None:
        cache = RecapCache(engine)
        for count in (0, 1):
            assert cache.erasure_count(OWNER) == count
            cache.erase(OWNER)
            assert not cache.save(self.row, erasure_count=count)
            assert cache.row(OWNER, WINDOW.key) is None
        assert cache.save(self.row, erasure_count=2)
        assert cache.save(replace(self.row, owner_id="bob"), erasure_count=0)


@pytest.mark.parametrize("url", ["nowhere", "oracle://x", "sqlite+nothing://"])
def test_a_database_that_cannot_be_used_is_refused_without_its_url(url: str) -> None:
    with pytest.raises(InvalidConfig, match="recap store") as caught:
        recap_engine(url)
    assert url not in str(caught.value)
