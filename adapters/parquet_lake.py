"""Evidence and timeline as Parquet on any file system that fsspec reaches: a folder, `s3://…`, `memory://…`."""

from __future__ import annotations

import hashlib
import re
import uuid
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import fsspec
import pandas as pd
import pyarrow as pa
from pyarrow import dataset, parquet

from temporal_recall.schemas.backfill import EVIDENCE_EXPORT, EvidenceSlice
from temporal_recall.schemas.errors import InvalidRequest
from temporal_recall.schemas.frames import EVIDENCE, INSTANT, TEXT, TEXTS, FrameContract, checked
from temporal_recall.schemas.timeline_index import INDEXED_TIMELINE

ROW_GROUP_ROWS = 20_000
"""Rows of a row group of evidence; the finest cut of a slice."""

_IDENTITY = ["user_id", "source_ref"]
_PARTIAL = ".partial-"
_LAID = re.compile(r"(?:^|/)bucket=\d+/month=\d{4}-\d{2}/[^/]+$")
"""Where a file of a lake lies; any other is somebody else's."""
_DERIVED = re.compile(r"/bucket=\d+-month=[\d-]+-\d{5,}-[0-9a-f]{12}\.parquet")
"""The name of a file of rows, whole or being written; of an evidence lake it is no file, wherever it lies."""


def bucket_of(user_id: str, bucket_count: int) -> int:
    """The bucket of a user; the same on every machine."""
    return zlib.crc32(user_id.encode()) % bucket_count


@dataclass(frozen=True, slots=True)
class ParquetEvidenceLake:
    """An export of evidence under `url`."""

    url: str

    def write(self, evidence: pd.DataFrame, name: str, *, bucket_count: int = 64) -> None:
        """Adds rows (contract `EVIDENCE_EXPORT`); the same name again replaces all that it wrote before."""
        checked(evidence, EVIDENCE_EXPORT)
        files, before = self._files()
        replaced = {path for path in before if _file_name(path) == f"{name}.parquet"}
        buckets = evidence["user_id"].map(lambda user: bucket_of(str(user), bucket_count))
        months = evidence["observed_time"].dt.strftime("%Y-%m")
        for (bucket, month), rows in evidence.groupby([buckets, months], sort=True):
            ordered = rows.sort_values(["observed_time", *_IDENTITY, "revision"], ignore_index=True)
            url = _below(self.url, f"bucket={bucket:04}/month={month}/{name}.parquet")
            replaced.discard(_write(url, ordered, EVIDENCE_EXPORT, row_group_size=ROW_GROUP_ROWS))
        for path in replaced:
            files.rm(path)

    def slices(self, max_rows: int, version: str) -> list[EvidenceSlice]:
        """As `EvidenceLake.slices`.

        Raises:
            InvalidRequest: a file is none of an export.
        """
        files, paths = self._files()
        folders = groupby(paths, key=lambda path: path.rpartition("/")[0])
        return sorted(piece for _, beside in folders for piece in _slices(files, list(beside), max_rows, version))

    def evidence(self, piece: EvidenceSlice) -> pd.DataFrame:
        """As `EvidenceLake.evidence`; of other slices it reads identities alone, and those of its own times alone."""
        files, paths = self._files(piece.folder)
        rows = _rows(files, piece)
        standing = _standing_revisions(files, paths, rows).query("__filename == @piece.path")
        kept = rows.merge(standing, on=[*_IDENTITY, "revision"]).query("not is_deleted").drop_duplicates(_IDENTITY)
        frame = kept.sort_values(["observed_time", *_IDENTITY], ignore_index=True)
        return checked(frame[list(EVIDENCE.dtypes)], EVIDENCE)

    def _files(self, folder: str = "") -> tuple[Any, list[str]]:
        files, paths = _files(_below(self.url, folder))
        return files, [path for path in paths if not _DERIVED.search(path)]


@dataclass(frozen=True, slots=True)
class ParquetTimelineLake:
    """Rows of the index under `url`."""

    url: str

    def finished(self) -> set[str]:
        """As `TimelineLake.finished`."""
        return {_file_name(path).removesuffix(".parquet") for path in self._files()[1]}

    def write(self, piece: EvidenceSlice, rows: pd.DataFrame) -> None:
        """As `TimelineLake.write`: written beside, then renamed."""
        ordered = rows.sort_values([*_IDENTITY], ignore_index=True)
        _write(_below(self.url, f"{piece.folder}/{piece.name}.parquet"), ordered, INDEXED_TIMELINE)

    def keep_only(self, names: set[str]) -> int:
        """As `TimelineLake.keep_only`; only files that a backfill wrote are touched.

        Raises:
            InvalidRequest: nothing is to be kept of what is there, as where the evidence is not found.
        """
        files, root = fsspec.core.url_to_fs(self.url)
        present = [path for path in _find(files, root) if _DERIVED.search(path)]
        if present and not names:
            raise InvalidRequest("evidence", "no record", "an export; without one the whole timeline would be removed")
        gone = [path for path in present if _file_name(path).removesuffix(".parquet") not in names]
        for path in gone:
            files.rm(path)
        return len(gone)

    def frames(self) -> Iterator[pd.DataFrame]:
        """As `TimelineLake.frames`.

        Raises:
            InvalidRequest: a file has not the columns of today's rows; a backfill writes it anew.
        """
        files, paths = self._files()
        for path in paths:
            _metadata(files, path, "timeline", INDEXED_TIMELINE)
            yield _frame(_read(files, path, None, list(INDEXED_TIMELINE.dtypes)), INDEXED_TIMELINE)

    def _files(self) -> tuple[Any, list[str]]:
        files, paths = _files(self.url)
        return files, [path for path in paths if _DERIVED.search(path)]


def erase_user(url: str, user_id: str) -> int:
    """Removes every row of a user from a lake of either kind, and what broken runs left; how many rows there were.

    A file is written again without them or, where nothing else is in it, removed. Not while a backfill writes there.

    Raises:
        InvalidRequest: there is no such folder.
    """
    files, root = fsspec.core.url_to_fs(url)
    if not files.exists(root):
        raise InvalidRequest("lake", url, "a folder of evidence or of a timeline")
    for path in (path for path in _find(files, root) if _PARTIAL in path):
        files.rm(path)
    return sum(_erase(files, path, user_id) for path in _files(url)[1])


def _erase(files: Any, path: str, user_id: str) -> int:
    is_theirs = dataset.field("user_id") == user_id
    rows = dataset.dataset([path], filesystem=files)
    count = int(rows.count_rows(filter=is_theirs))
    if count == rows.count_rows():
        files.rm(path)
    elif count:
        with files.open(path) as file, _whole(files, path) as sink:
            stored = parquet.ParquetFile(file)
            with parquet.ParquetWriter(sink, stored.schema_arrow, compression="zstd") as writer:
                for number in range(stored.num_row_groups):
                    writer.write_table(stored.read_row_group(number).filter(~is_theirs))
    return count


def _files(url: str) -> tuple[Any, list[str]]:
    """The file system, and the finished Parquet files under an address, in the order of their names."""
    files, root = fsspec.core.url_to_fs(url)
    return files, sorted(path for path in _find(files, root) if path.endswith(".parquet") and _PARTIAL not in path)


def _find(files: Any, root: str) -> list[str]:
    """The files of a lake, finished or not."""
    return [path for path in files.find(root) if _LAID.search(path)] if files.exists(root) else []


def _below(url: str, path: str) -> str:
    return f"{url.rstrip('/')}/{path}".rstrip("/")


def _slices(files: Any, paths: list[str], max_rows: int, version: str) -> Iterator[EvidenceSlice]:
    """The slices of the files of one folder. What any of them says may end what another says, so all are in a name."""
    sizes_by_path = {path: _row_group_sizes(files, path) for path in paths}
    mark = f"{version} {[(_file_name(path), files.size(path), sizes) for path, sizes in sizes_by_path.items()]}"
    for path, sizes in sizes_by_path.items():
        folder = "/".join(path.split("/")[-3:-1])
        for start, stop in _group_runs(sizes, max_rows):
            digest = hashlib.sha256(f"{mark} {_file_name(path)} {start}".encode()).hexdigest()[:12]
            name = f"{folder.replace('/', '-')}-{start:05}-{digest}"
            yield EvidenceSlice(folder, path, (start, stop), sum(sizes[start:stop]), name)


def _file_name(path: str) -> str:
    return path.rpartition("/")[2]


def _row_group_sizes(files: Any, path: str) -> list[int]:
    metadata = _metadata(files, path, "evidence", EVIDENCE_EXPORT)
    return [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)]


def _metadata(files: Any, path: str, lake: str, contract: FrameContract) -> parquet.FileMetaData:
    """What a file of a lake says of itself.

    Raises:
        InvalidRequest: it is no Parquet, or lacks a column of the contract; names it.
    """
    try:
        with files.open(path) as file:
            metadata = parquet.ParquetFile(file).metadata
    except pa.ArrowInvalid:
        raise InvalidRequest(lake, path, "a Parquet file") from None
    there = set(metadata.schema.to_arrow_schema().names)
    absent = [name for name in contract.dtypes if name not in there]
    if absent:
        raise InvalidRequest(lake, path, f"a Parquet file of {contract.name}; it has no column {absent[0]}")
    return metadata


def _group_runs(sizes: list[int], max_rows: int) -> Iterator[tuple[int, int]]:
    """Runs of neighbouring row groups that hold at most so many rows together, or one that is larger alone."""
    start = 0
    while start < len(sizes):
        stop, rows = start + 1, sizes[start]
        while stop < len(sizes) and rows + sizes[stop] <= max_rows:
            rows += sizes[stop]
            stop += 1
        yield start, stop
        start = stop


def _standing_revisions(files: Any, paths: list[str], rows: pd.DataFrame) -> pd.DataFrame:
    """The revision that stands of each record of these rows, and the last file that tells it (`__filename`).

    A record whose highest revision is a tombstone has none.

    Args:
        paths: the files of the rows' folder, where all revisions stand.
    """
    columns = [*_IDENTITY, "revision", "is_deleted", "__filename"]
    folder = dataset.dataset(paths, EVIDENCE_EXPORT.schema, filesystem=files)
    told = folder.to_table(columns=columns, filter=_is_of(rows), use_threads=False).to_pandas()
    ordered: pd.DataFrame = told.sort_values(["revision", "is_deleted", "__filename"])
    last = ordered.drop_duplicates(_IDENTITY, keep="last")
    standing: pd.DataFrame = last[~last["is_deleted"]].drop(columns="is_deleted")
    return standing


def _is_of(rows: pd.DataFrame) -> dataset.Expression:
    """Whether a row is a revision of one of these records. A row group of other times is not read for it."""
    observed = rows["observed_time"]
    first, last = (pa.scalar(instant, INSTANT) for instant in (observed.min(), observed.max()))
    is_then = (dataset.field("observed_time") >= first) & (dataset.field("observed_time") <= last)
    return is_then & dataset.field("source_ref").isin(pa.array(rows["source_ref"], TEXT))


def _rows(files: Any, piece: EvidenceSlice) -> pd.DataFrame:
    start, stop = piece.row_groups
    return _frame(_read(files, piece.path, list(range(start, stop)), list(EVIDENCE_EXPORT.dtypes)), EVIDENCE_EXPORT)


def _read(files: Any, path: str, row_groups: list[int] | None, columns: list[str]) -> pa.Table:
    with files.open(path) as file:
        stored = parquet.ParquetFile(file)
        wanted = range(stored.num_row_groups) if row_groups is None else row_groups
        return stored.read_row_groups(list(wanted), columns=columns, use_threads=False)


def _frame(table: pa.Table, contract: FrameContract) -> pd.DataFrame:
    frame: pd.DataFrame = table.to_pandas(use_threads=False)
    lists = [c.name for c in contract.columns if c.type == TEXTS]
    tuples = {name: pd.Series(list(map(tuple, frame[name])), dtype=object) for name in lists}
    read: pd.DataFrame = frame.assign(**tuples)
    return read


def _write(url: str, frame: pd.DataFrame, contract: FrameContract, **options: Any) -> str:
    """Writes a file; its path."""
    files, path = fsspec.core.url_to_fs(url)
    files.makedirs(path.rpartition("/")[0], exist_ok=True)
    table = pa.Table.from_pandas(frame[list(contract.dtypes)], contract.schema, preserve_index=False)
    with _whole(files, path) as sink:
        parquet.write_table(table, sink, compression="zstd", **options)
    return str(path)


@contextmanager
def _whole(files: Any, path: str) -> Iterator[Any]:
    """A file to write into that stands at `path` when it is there in full, and not at all before."""
    partial = f"{path}{_PARTIAL}{uuid.uuid4().hex}"
    with files.open(partial, "wb") as sink:
        yield sink
    files.mv(partial, path)
