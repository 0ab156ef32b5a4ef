"""A backfill leaves the same files on any executor, however often it is broken off: those of a sync."""

from __future__ import annotations

import gc
import os
import signal
from pathlib import Path
from typing import Any, ClassVar

import pandas as pd
import pytest
from lake import START, export, person
from listed_sources import NOW
from pyarrow.dataset import Expression, dataset

from temporal_recall.adapters.index_store import SqlTimelineIndex
from temporal_recall.adapters.parquet_lake import ParquetEvidenceLake, ParquetTimelineLake, erase_user
from temporal_recall.schemas.backfill import EvidenceSlice
from temporal_recall.schemas.errors import InvalidRequest
from temporal_recall.schemas.evidence import EvidenceRecord
from temporal_recall.schemas.timeline_index import INDEXED_TIMELINE
from temporal_recall.service.backfilling import backfill, load
from temporal_recall.service.deriving import derived_rows
from temporal_recall.service.executors import executor_of

ANNE, BO, CARL = (person(name, count) for name, count in (("anne", 120), ("bo", 40), ("carl", 3)))
SLICE_ROWS = 30


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> ParquetEvidenceLake:
    lake = ParquetEvidenceLake(str(tmp_path_factory.mktemp("evidence")))
    lake.write(export(ANNE, BO, CARL), "part-0", bucket_count=4)
    return lake


def content(lake: ParquetTimelineLake) -> pd.DataFrame:
    rows = pd.concat(lake.frames(), ignore_index=True)
    return rows.sort_values(["user_id", "source_ref"], ignore_index=True)


def files(lake: ParquetTimelineLake) -> dict[str, bytes]:
    root = Path(lake.url)
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module")
def whole(exported: ParquetEvidenceLake, tmp_path_factory: pytest.TempPathFactory) -> ParquetTimelineLake:
    lake = ParquetTimelineLake(str(tmp_path_factory.mktemp("timeline")))
    backfill(exported, lake, slice_rows=SLICE_ROWS)
    return lake


def edited(record: EvidenceRecord, **changes: object) -> EvidenceRecord:
    return record.model_copy(update={"revision": record.revision + 1, **changes})


class TestRows:
    def test_they_are_those_of_a_sync(self, whole: ParquetTimelineLake) -> None:
        due = pd.concat([derived_rows(p) for p in (ANNE, BO, CARL)], ignore_index=True)
        due = due.sort_values(["user_id", "source_ref"], ignore_index=True)
        pd.testing.assert_frame_equal(content(whole), due)

    def test_of_several_revisions_the_highest_stands_whatever_file_it_is_in(self, tmp_path: Path) -> None:
        lake, rows = ParquetEvidenceLake(f"{tmp_path}/e"), ParquetTimelineLake(f"{tmp_path}/t")
        lake.write(export([edited(CARL[0], text="改到明天下午四点")]), "later")
        lake.write(export(CARL), "earlier")
        backfill(lake, rows)
        assert len(content(rows)) == 3
        assert "改到明天下午四点" in set(content(rows)["content"])

    def test_a_revision_that_two_files_tell_stands_once(self, tmp_path: Path) -> None:
        lake, rows = ParquetEvidenceLake(f"{tmp_path}/e"), ParquetTimelineLake(f"{tmp_path}/t")
        lake.write(export(CARL), "monday")
        lake.write(export([r.model_copy(update={"text": "今天好累"}) for r in CARL[:2]]), "tuesday")
        assert backfill(lake, rows).record_count == len(CARL)
        assert list(content(rows)["content"])[:2] == ["今天好累"] * 2

    def test_a_tombstone_ends_its_record(self, tmp_path: Path) -> None:
        lake, rows = ParquetEvidenceLake(f"{tmp_path}/e"), ParquetTimelineLake(f"{tmp_path}/t")
        lake.write(export(CARL), "records")
        lake.write(export([edited(CARL[0], text="")], is_deleted=True), "tombstones")
        backfill(lake, rows)
        assert set(content(rows)["source_ref"]) == {r.source_ref for r in CARL[1:]}

    def test_revisions_stand_whatever_slices_hold_them(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("temporal_recall.adapters.parquet_lake.ROW_GROUP_ROWS", 10)
        lake, rows = ParquetEvidenceLake(f"{tmp_path}/e"), ParquetTimelineLake(f"{tmp_path}/t")
        lake.write(export(ANNE, BO), "records", bucket_count=1)
        lake.write(export([edited(r, text="改到明天下午四点") for r in ANNE[::2]]), "edits", bucket_count=1)
        lake.write(export([edited(r, text="") for r in ANNE[1::5]], is_deleted=True), "tombstones", bucket_count=1)
        backfill(lake, rows, slice_rows=10)
        revisions = content(rows).query("user_id == 'anne'").set_index("source_ref")["revision"]
        ended = set(range(1, len(ANNE), 5))
        due = {r.source_ref: 2 - number % 2 for number, r in enumerate(ANNE) if number not in ended}
        assert revisions.to_dict() == due
        assert len(content(rows).query("user_id == 'bo'")) == len(BO)

    def test_no_evidence_gives_no_rows(self, tmp_path: Path) -> None:
        report = backfill(ParquetEvidenceLake(f"{tmp_path}/none"), ParquetTimelineLake(f"{tmp_path}/t"))
        assert (report.slice_count, report.row_count) == (0, 0)

    def test_any_file_system_will_do(self) -> None:
        lake, rows = ParquetEvidenceLake("memory://backfill/e"), ParquetTimelineLake("memory://backfill/t")
        lake.write(export(CARL), "part-0")
        assert backfill(lake, rows).row_count == len(content(rows)) == 3


class TestSlices:
    def test_one_user_with_many_records_is_cut(
        self, exported: ParquetEvidenceLake, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr("temporal_recall.adapters.parquet_lake.ROW_GROUP_ROWS", 5)
        lake = ParquetEvidenceLake(f"{tmp_path}/e")
        lake.write(export(ANNE), "part-0")
        pieces = lake.slices(10, "1")
        assert max(piece.row_count for piece in pieces) == 10
        assert sum(piece.row_count for piece in pieces) == len(ANNE)

    def test_other_rules_give_other_names(self, exported: ParquetEvidenceLake) -> None:
        names = [{p.name for p in exported.slices(SLICE_ROWS, version)} for version in ("1", "2")]
        assert names[0].isdisjoint(names[1])


class Counted:
    """A dataset that counts the rows of the row groups that it reads."""

    row_count: ClassVar[int] = 0

    def __init__(self, *args: Any, **options: Any) -> None:
        self._dataset = dataset(*args, **options)

    def to_table(self, *, filter: Expression, **options: Any) -> Any:
        groups = [g for file in self._dataset.get_fragments() for g in file.subset(filter).row_groups]
        Counted.row_count += sum(group.num_rows for group in groups)
        return self._dataset.to_table(filter=filter, **options)


@pytest.mark.parametrize("record_count", [500, 1000, 2000])
def test_of_one_user_with_many_records_each_identity_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record_count: int
) -> None:
    monkeypatch.setattr("temporal_recall.adapters.parquet_lake.ROW_GROUP_ROWS", 20)
    monkeypatch.setattr("temporal_recall.adapters.parquet_lake.dataset.dataset", Counted)
    monkeypatch.setattr(Counted, "row_count", 0)
    evidence = export(person("anne", record_count))
    within_a_month = evidence.assign(observed_time=pd.date_range(START, periods=record_count, freq="min", unit="us"))
    lake = ParquetEvidenceLake(str(tmp_path))
    for number, start in enumerate(range(0, record_count, 250)):
        lake.write(within_a_month.iloc[start : start + 250], f"part-{number}")
    pieces = lake.slices(20, "1")
    assert sum(len(lake.evidence(piece)) for piece in pieces) == record_count
    assert len(pieces) >= record_count / 20
    assert Counted.row_count == record_count


class Breaks(ParquetTimelineLake):
    """Breaks in the midst of the third slice that it writes."""

    writes = 0

    def write(self, piece: EvidenceSlice, rows: pd.DataFrame) -> None:
        Breaks.writes += 1
        if Breaks.writes == 3:
            left_over = Path(self.url) / piece.folder / f"{piece.name}.parquet.partial-1"
            left_over.parent.mkdir(parents=True, exist_ok=True)
            left_over.write_bytes(b"half a file")
            raise OSError("no space left")
        super().write(piece, rows)


class NotesCollection(ParquetTimelineLake):
    """Notes whether cycles in memory are looked for while a slice is worked off."""

    is_collecting: ClassVar[list[bool]] = []

    def write(self, piece: EvidenceSlice, rows: pd.DataFrame) -> None:
        self.is_collecting.append(gc.isenabled())
        super().write(piece, rows)


def test_cycles_in_memory_are_looked_for_between_slices_alone(exported: ParquetEvidenceLake, tmp_path: Path) -> None:
    lake = NotesCollection(str(tmp_path))
    backfill(exported, lake, slice_rows=SLICE_ROWS, progress=lambda *_: lake.is_collecting.append(gc.isenabled()))
    assert set(lake.is_collecting[::2]) == {False}
    assert set(lake.is_collecting[1::2]) == {True}


def test_who_does_not_look_for_them_finds_it_so_again(exported: ParquetEvidenceLake, tmp_path: Path) -> None:
    gc.disable()
    try:
        backfill(exported, ParquetTimelineLake(str(tmp_path)), slice_rows=SLICE_ROWS)
        assert not gc.isenabled()
    finally:
        gc.enable()


class TestRerun:
    def test_again_does_nothing(self, exported: ParquetEvidenceLake, whole: ParquetTimelineLake) -> None:
        before = files(whole)
        report = backfill(exported, whole, slice_rows=SLICE_ROWS)
        assert (report.slice_count, report.done_before_count) == (0, len(before))
        assert files(whole) == before

    def test_a_run_that_broke_goes_on_where_it_was(
        self, exported: ParquetEvidenceLake, whole: ParquetTimelineLake, tmp_path: Path
    ) -> None:
        with pytest.raises(OSError, match="no space"):
            backfill(exported, Breaks(str(tmp_path)), slice_rows=SLICE_ROWS)
        report = backfill(exported, ParquetTimelineLake(str(tmp_path)), slice_rows=SLICE_ROWS)
        assert gc.isenabled()
        assert report.done_before_count == 2
        assert files(ParquetTimelineLake(str(tmp_path))) == files(whole)

    def test_what_is_told_later_ends_what_was_derived_before(self, tmp_path: Path) -> None:
        lake, rows = ParquetEvidenceLake(f"{tmp_path}/e"), ParquetTimelineLake(f"{tmp_path}/t")
        lake.write(export(CARL), "part-0")
        backfill(lake, rows)
        lake.write(export([edited(CARL[0], text="改到明天下午四点")]), "part-1")
        lake.write(export([edited(CARL[1], text="")], is_deleted=True), "part-2")
        backfill(lake, rows)
        revisions = content(rows).set_index("source_ref")["revision"].to_dict()
        assert revisions == {CARL[0].source_ref: 2, CARL[2].source_ref: 1}

    def test_rows_of_evidence_that_is_no_more_go(self, tmp_path: Path) -> None:
        lake, rows = ParquetEvidenceLake(f"{tmp_path}/e"), ParquetTimelineLake(f"{tmp_path}/t")
        lake.write(export(CARL), "part-0")
        backfill(lake, rows)
        lake.write(export(CARL[:1]), "part-0")
        backfill(lake, rows)
        assert len(content(rows)) == 1

    def test_an_address_may_end_in_a_slash(self, tmp_path: Path) -> None:
        lake, rows = ParquetEvidenceLake(f"{tmp_path}/e/"), ParquetTimelineLake(f"{tmp_path}/t/")
        lake.write(export(CARL), "part-0")
        assert backfill(lake, rows).row_count == len(CARL)
        assert len(content(rows)) == len(CARL)

    @pytest.mark.parametrize("out", ["", "/t"], ids=["the same folder", "a folder in it"])
    def test_neither_lake_touches_or_reads_what_is_not_its_own(self, tmp_path: Path, out: str) -> None:
        lake, rows = ParquetEvidenceLake(f"{tmp_path}"), ParquetTimelineLake(f"{tmp_path}{out}")
        lake.write(export(CARL), "part-0")
        (tmp_path / "mine.parquet").write_bytes(b"mine")
        for _ in range(2):
            backfill(lake, rows)
            assert len(content(rows)) == len(CARL)
        assert (tmp_path / "mine.parquet").read_bytes() == b"mine"

    def test_evidence_that_is_not_found_empties_no_timeline(self, tmp_path: Path) -> None:
        lake, rows = ParquetEvidenceLake(f"{tmp_path}/e"), ParquetTimelineLake(f"{tmp_path}/t")
        lake.write(export(CARL), "part-0")
        backfill(lake, rows)
        with pytest.raises(InvalidRequest, match="the whole timeline would be removed"):
            backfill(ParquetEvidenceLake(f"{tmp_path}/typo"), rows)
        assert len(content(rows)) == len(CARL)

    def test_progress_is_told_slice_by_slice(self, exported: ParquetEvidenceLake, tmp_path: Path) -> None:
        told: list[tuple[int, int]] = []
        lake = ParquetTimelineLake(str(tmp_path))
        report = backfill(exported, lake, progress=lambda *done: told.append(done))
        assert told == [(number, report.slice_count) for number in range(1, report.slice_count + 1)]


class TestErasure:
    @pytest.fixture
    def lakes(self, tmp_path: Path) -> tuple[ParquetEvidenceLake, ParquetTimelineLake]:
        evidence, timeline = ParquetEvidenceLake(f"{tmp_path}/e"), ParquetTimelineLake(f"{tmp_path}/t")
        evidence.write(export(ANNE, BO), "both", bucket_count=1)
        evidence.write(export([edited(r, text="绝密") for r in BO]), "edits", bucket_count=1)
        backfill(evidence, timeline, slice_rows=SLICE_ROWS)
        return evidence, timeline

    def test_no_lake_has_a_row_of_the_user_and_the_others_keep_theirs(
        self, lakes: tuple[ParquetEvidenceLake, ParquetTimelineLake]
    ) -> None:
        evidence, timeline = lakes
        whole = next(Path(timeline.url).rglob("*.parquet"))
        whole.with_name(f"{whole.name}.partial-1").write_bytes(b"bo")
        assert [erase_user(lake.url, "bo") for lake in lakes] == [2 * len(BO), len(BO)]
        assert set(content(timeline)["user_id"]) == {"anne"}
        held = [pd.read_parquet(path, partitioning=None) for path in Path(evidence.url).rglob("*.parquet")]
        assert set(pd.concat(held)["user_id"]) == {"anne"}
        assert not list(Path(timeline.url).rglob("*.partial-*"))
        assert [erase_user(lake.url, "bo") for lake in lakes] == [0, 0]

    def test_a_lake_that_is_not_there_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(InvalidRequest, match="typo"):
            erase_user(f"{tmp_path}/typo", "bo")

    def test_a_build_after_it_brings_nobody_back(self, lakes: tuple[ParquetEvidenceLake, ParquetTimelineLake]) -> None:
        evidence, timeline = lakes
        before = content(timeline).query("user_id == 'anne'").reset_index(drop=True)
        for lake in lakes:
            erase_user(lake.url, "bo")
        backfill(evidence, timeline, slice_rows=SLICE_ROWS)
        pd.testing.assert_frame_equal(content(timeline), before)


class TestDask:
    @pytest.mark.filterwarnings("default")
    def test_two_workers_one_of_them_killed_leave_the_same_files(
        self, exported: ParquetEvidenceLake, whole: ParquetTimelineLake, tmp_path: Path
    ) -> None:
        distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
        killed: list[int] = []

        def kill_one(*_: int) -> None:
            if not killed:
                killed.append(min(distributed.default_client().run(os.getpid).values()))
                os.kill(killed[0], signal.SIGKILL)

        lake = ParquetTimelineLake(str(tmp_path / "t"))
        with executor_of("dask", address=None, workers=2) as executor:
            backfill(exported, lake, executor=executor, slice_rows=SLICE_ROWS, progress=kill_one)
        assert killed
        assert files(lake) == files(whole)

    def test_without_the_extra_it_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(__import__("sys").modules, "distributed", None)
        with (
            pytest.raises(InvalidRequest, match=r"temporal-recall\[dask\]"),
            executor_of("dask", address=None, workers=1),
        ):
            pass


@pytest.mark.parametrize("times", [1, 2])
def test_loaded_rows_are_those_of_the_files(whole: ParquetTimelineLake, tmp_path: Path, times: int) -> None:
    index = SqlTimelineIndex(f"sqlite:///{tmp_path / 'index.db'}")
    stored = [load(whole, index, NOW) for _ in range(times)]
    assert stored == [163, 0][:times]
    assert {s.source: s.row_count for s in index.status("anne", "1")} == {"chat": 120}
    assert list(content(whole).dtypes.astype(str)) == list(INDEXED_TIMELINE.dtypes.values())
    index.close()


@pytest.mark.parametrize("foreign", [b"no Parquet at all", None], ids=["other bytes", "other columns"])
def test_a_file_that_is_none_of_an_export_is_named_before_anything_is_derived(
    tmp_path: Path, foreign: bytes | None
) -> None:
    lake, timeline = ParquetEvidenceLake(str(tmp_path / "in")), ParquetTimelineLake(str(tmp_path / "out"))
    lake.write(export(CARL), "part-0", bucket_count=1)
    path = next((tmp_path / "in").rglob("*.parquet")).with_name("foreign.parquet")
    if foreign is None:
        pd.DataFrame({"user_id": ["carl"], "words": ["x"]}).to_parquet(path)
    else:
        path.write_bytes(foreign)
    with pytest.raises(InvalidRequest, match=r"foreign\.parquet"):
        backfill(lake, timeline)
    assert not list(timeline.frames())


def test_rows_of_an_older_release_are_named_and_a_backfill_writes_them_anew(tmp_path: Path) -> None:
    lake, timeline = ParquetEvidenceLake(str(tmp_path / "in")), ParquetTimelineLake(str(tmp_path / "out"))
    lake.write(export(CARL), "part-0", bucket_count=1)
    backfill(lake, timeline)
    today = content(timeline)
    old = next((tmp_path / "out").rglob("*.parquet"))
    older = old.rename(old.with_name(f"{old.stem[:-12]}{'0' * 12}.parquet"))
    pd.read_parquet(older).drop(columns="grams").to_parquet(older)
    with pytest.raises(InvalidRequest, match=r"0{12}\.parquet.*no column grams"):
        list(timeline.frames())
    backfill(lake, timeline)
    pd.testing.assert_frame_equal(content(timeline), today)
