"""The embedded store: evidence of any sources in one SQLite file, filled by imports and read as sources.

Rows lie clustered by user, source and time, so that a window of one user's source is one stretch of the file.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from temporal_recall.adapters.bounded_http import time_left_s
from temporal_recall.schemas.errors import InvalidRequest, SourceUnavailable
from temporal_recall.schemas.evidence import (
    EvidenceRecord,
    RecordIssue,
    RequestLimits,
    SearchContext,
    SourceCapabilities,
)
from temporal_recall.schemas.feeds import SourceState
from temporal_recall.schemas.time import zone_of

SCHEMA_VERSION = 1
_SCHEMA = f"""
CREATE TABLE evidence (
  user_id TEXT NOT NULL, source TEXT NOT NULL, observed_us INTEGER NOT NULL, source_ref TEXT NOT NULL,
  revision INTEGER NOT NULL, is_deleted INTEGER NOT NULL, event_start_us INTEGER, event_end_us INTEGER,
  origin TEXT NOT NULL, record TEXT NOT NULL,
  PRIMARY KEY (user_id, source, observed_us, source_ref)) WITHOUT ROWID;
CREATE UNIQUE INDEX evidence_by_ref ON evidence (user_id, source_ref);
CREATE INDEX evidence_by_event ON evidence (user_id, source, event_start_us) WHERE event_start_us IS NOT NULL;
PRAGMA user_version = {SCHEMA_VERSION};
"""
_UPSERT = """
INSERT INTO evidence VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (user_id, source_ref) DO UPDATE SET
  source = excluded.source, observed_us = excluded.observed_us, revision = excluded.revision,
  is_deleted = excluded.is_deleted, event_start_us = excluded.event_start_us, event_end_us = excluded.event_end_us,
  origin = excluded.origin, record = excluded.record
WHERE excluded.revision > revision
   OR (excluded.revision = revision AND excluded.is_deleted >= is_deleted AND excluded.record <> record)
"""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class PutCount:
    """What became of records that were put: rows that are new, that changed, and that stood already."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0

    def __add__(self, other: PutCount) -> PutCount:
        return PutCount(self.new + other.new, self.changed + other.changed, self.unchanged + other.unchanged)


class EmbeddedStore:
    """A store file, made where there is none; for writing, one process at a time.

    Raises:
        InvalidRequest: the path cannot be opened, is no store, or is one of a newer release.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._db = sqlite3.connect(path, timeout=5.0)
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            has_tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] > 0
        except sqlite3.Error:
            raise InvalidRequest("store", str(path), "a file that can be opened as a store") from None
        if version not in (0, SCHEMA_VERSION) or (version == 0 and has_tables):
            self._db.close()
            raise InvalidRequest("store", str(path), f"a store of version {SCHEMA_VERSION}; this is {version}")
        self._db.execute("PRAGMA secure_delete = ON")  # what is deleted leaves the file too
        self._db.execute("PRAGMA cache_size = -32768")  # KiB; a second import of a large file looks everything up
        if version == 0:
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.executescript(_SCHEMA)

    def close(self) -> None:
        self._db.close()

    def __enter__(self) -> EmbeddedStore:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def put(self, records: Iterable[EvidenceRecord], origin: str = "") -> PutCount:
        """Keeps records in one transaction; the highest revision of each stands, and a tombstone of it most of all."""
        rows = {(r.user_id, r.source_ref): _row(r, origin) for r in sorted(records, key=lambda r: r.revision)}
        with self._db:
            known = sum(self._knows(user_id, source_ref) for user_id, source_ref in rows)
            before = self._db.total_changes
            self._db.executemany(_UPSERT, rows.values())
            written = self._db.total_changes - before
        new = len(rows) - known
        return PutCount(new, written - new, known - (written - new))

    def forget_others(self, user_id: str, source: str, origin: str, kept: set[str]) -> int:
        """Removes what came from `origin` before and is not in it any more; how many."""
        query = "SELECT source_ref FROM evidence WHERE user_id = ? AND source = ? AND origin = ?"
        stored = self._db.execute(query, (user_id, source, origin)).fetchall()
        gone = [(user_id, ref) for (ref,) in stored if ref not in kept]
        with self._db:
            self._db.executemany("DELETE FROM evidence WHERE user_id = ? AND source_ref = ?", gone)
        return len(gone)

    def counts(self) -> dict[str, int]:
        """How many standing records each source has, by name."""
        query = "SELECT source, count(*) FROM evidence WHERE is_deleted = 0 GROUP BY source ORDER BY source"
        return dict(self._db.execute(query).fetchall())

    def _knows(self, user_id: str, source_ref: str) -> bool:
        query = "SELECT 1 FROM evidence WHERE user_id = ? AND source_ref = ?"
        return self._db.execute(query, (user_id, source_ref)).fetchone() is not None


class EmbeddedStoreAdapter:
    """One source of a store file, for reading; each search has a connection of its own."""

    def __init__(self, source: str, path: Path) -> None:
        self._source, self._path = source, path

    @property
    def source(self) -> str:
        return self._source

    def capabilities(self) -> SourceCapabilities:
        """Read on either axis, from a file."""
        return SourceCapabilities(axes=frozenset({"observed", "event"}))

    def close(self) -> None:
        """Nothing is held open."""

    def search(self, ctx: SearchContext) -> Iterator[EvidenceRecord | RecordIssue]:
        """The user's records of this source inside the window, oldest first on its axis.

        Raises:
            SourceUnavailable: the file is not there, or is no store; or the deadline came first.
            RecallCancelled: the cancel token was set.
        """
        ctx.limits.cancel_token.raise_if_cancelled()
        with self._opened() as database:
            for number, (text,) in enumerate(database.execute(*self._query(ctx))):
                ctx.limits.cancel_token.raise_if_cancelled()
                self._check_time(ctx.limits)
                yield self._record(text, number)

    def probe(self, limits: RequestLimits) -> SourceState:
        """Whether the store is there, and how many records of this source it has."""
        try:
            with self._opened() as database:
                query = "SELECT count(*) FROM evidence WHERE source = ? AND is_deleted = 0"
                (count,) = database.execute(query, (self._source,)).fetchone()
        except SourceUnavailable as error:
            return SourceState(self._source, "embedded", "broken", error.reason)
        return SourceState(self._source, "embedded", "ready", f"{count} records")

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=ro", uri=True)) as database:
                (version,) = database.execute("PRAGMA user_version").fetchone()
                if version != SCHEMA_VERSION:
                    raise SourceUnavailable(self._source, "store_version", is_retryable=False)
                yield database
        except sqlite3.OperationalError:
            raise SourceUnavailable(self._source, "store_unavailable") from None
        except sqlite3.DatabaseError:
            raise SourceUnavailable(self._source, "no_store", is_retryable=False) from None

    def _query(self, ctx: SearchContext) -> tuple[str, tuple[Any, ...]]:
        start, end = _us(ctx.window.start), _us(ctx.window.end)
        inside, bounds, order = "observed_us >= ? AND observed_us < ?", (start, end), "observed_us"
        if ctx.window.axis == "event":
            inside = "event_start_us < ? AND (event_start_us >= ? OR event_end_us > ?)"
            bounds, order = (end, start, start), "event_start_us"  # type: ignore[assignment]
        query = (
            "SELECT record FROM evidence WHERE user_id = ? AND source = ? AND is_deleted = 0 "  # noqa: S608
            f"AND {inside} ORDER BY {order}, source_ref LIMIT ?"
        )
        return query, (ctx.user_id, self._source, *bounds, ctx.fetch_cap)

    def _record(self, text: str, number: int) -> EvidenceRecord | RecordIssue:
        try:
            return _decoded(text)
        except (ValueError, KeyError, TypeError, ValidationError):
            return RecordIssue(source=self._source, code="invalid_record", locator=f"store row {number}")

    def _check_time(self, limits: RequestLimits) -> None:
        if time_left_s(limits) <= 0:
            raise SourceUnavailable(self._source, "late")


def is_store(path: Path) -> bool:
    """Whether a file is an SQLite file, and so no records file but perhaps a store."""
    try:
        with path.open("rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError:
        return False


def store_adapters(path: Path) -> dict[str, EmbeddedStoreAdapter]:
    """One adapter for each source that a store holds, by name.

    Raises:
        InvalidRequest: the path is no store, or has no record.
    """
    with EmbeddedStore(path) as store:
        sources = store.counts()
    if not sources:
        raise InvalidRequest("store", str(path), "a store that `temporal-recall import` has filled")
    return {source: EmbeddedStoreAdapter(source, path) for source in sources}


def _row(record: EvidenceRecord, origin: str) -> tuple[Any, ...]:
    start = end = None
    if record.event is not None:
        start = _us(_instant(record.event.start, record.time_zone))
        end = start if record.event.end is None else _us(_instant(record.event.end, record.time_zone))
    identity = (record.user_id, record.source, _us(record.observed_time), record.source_ref)
    return (*identity, record.revision, record.is_deleted, start, end, origin, _encoded(record))


def _encoded(record: EvidenceRecord) -> str:
    """The record as JSON, without what has its default; a tombstone keeps no text."""
    kept = record if not record.is_deleted else record.model_copy(update={"text": "", "event": None})
    return kept.model_dump_json(exclude_defaults=True)


def _decoded(text: str) -> EvidenceRecord:
    row = json.loads(text)
    event = row.get("event")
    for name in ("start", "end"):
        if event and event.get(name):
            event[name] = _bound(event[name])
    return EvidenceRecord.model_validate(row)


def _bound(text: str) -> datetime | date:
    return datetime.fromisoformat(text) if "T" in text else date.fromisoformat(text)


def _instant(bound: datetime | date, zone_name: str) -> datetime:
    instant = bound if isinstance(bound, datetime) else datetime.combine(bound, time())
    return instant if instant.tzinfo else instant.replace(tzinfo=zone_of(zone_name))


def _us(instant: datetime) -> int:
    return (instant - _EPOCH) // _MICROSECOND
