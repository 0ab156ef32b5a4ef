"""The materialised timeline in SQLite (embedded) or PostgreSQL (shared), through SQLAlchemy.

A row is replaced by a higher revision of its record, or by another reading of the same revision; a tombstone removes
it and keeps lower revisions out. So writes may be repeated, late or out of order, and the store ends the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import pandas as pd
import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DBAPIError

from temporal_recall.adapters.index_rows import STORED_NAMES, Row, table_rows
from temporal_recall.adapters.index_tables import (
    PERSONAL_TABLES,
    microseconds,
    migrate,
    moment_at,
    sync_states,
    timeline_rows,
    tombstones,
)
from temporal_recall.adapters.index_windows import WindowReads
from temporal_recall.adapters.packed_rows import unpacked
from temporal_recall.schemas.errors import InvalidConfig, SourceUnavailable
from temporal_recall.schemas.evidence import RequestLimits, SearchWindow, SourceOutcome
from temporal_recall.schemas.timeline_index import (
    INDEX_SOURCE,
    IndexBatch,
    IndexCount,
    IndexReading,
    IndexWindow,
    SourceStatus,
    StoredRow,
    SyncState,
    Tombstone,
)

_REFS_A_QUERY = 500
_REF = STORED_NAMES.index("source_ref")
_INTO = f"INSERT INTO memind_timeline ({', '.join(STORED_NAMES)})"
_INSERTS: Mapping[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


@contextmanager
def _told_as_unavailable() -> Iterator[None]:
    """While the block runs, an error of the database is one of the index; its words name what was being written."""
    try:
        yield
    except DBAPIError:
        raise SourceUnavailable(INDEX_SOURCE, "index_unavailable") from None


class SqlTimelineIndex:
    """The index in a database that SQLAlchemy reaches; made, or brought to the newest schema, when it is opened.

    Args:
        url: a SQLAlchemy address, `sqlite:///file.db` or `postgresql+psycopg://…`.

    Raises:
        InvalidConfig: the address is of another database, or the store cannot be opened.
    """

    source = INDEX_SOURCE

    def __init__(self, url: str) -> None:
        self._engine = _engine(url)
        self._writer = self._engine.execution_options(is_writer=True)
        self._windows = WindowReads(self._engine)
        try:
            migrate(self._writer)
        except InvalidConfig:
            self._engine.dispose()
            raise

    @property
    def is_embedded(self) -> bool:
        return self._engine.dialect.name == "sqlite"

    def read(self, window: IndexWindow, limits: RequestLimits) -> IndexReading:
        """As `TimelineReader.read`, rows in the order of a timeline.

        Where there are more than the cap, those observed in the window count before those found by event.
        """
        rows, synced_until = self._windows.read(window, limits)
        columns = unpacked(window.user_id, rows[: window.row_cap])
        outcome = SourceOutcome(INDEX_SOURCE, len(columns), is_capped=len(rows) > window.row_cap)
        return IndexReading(columns, outcome, {name: moment_at(us) for name, us in synced_until.items()})

    @_told_as_unavailable()
    def write(self, batch: IndexBatch) -> IndexCount:
        """As `TimelineIndex.write`.

        Raises:
            SourceUnavailable: the store is down.
            ValueError: a row of the batch is another user's.
        """
        if not batch.rows["user_id"].eq(batch.user_id).all():
            raise ValueError("a batch has rows of its own user alone")
        with self._writer.begin() as connection:
            self._lock(connection, batch.user_id)
            removed = _bury(connection, batch.user_id, batch.tombstones)
            removed += _delete(connection, batch.user_id, batch.gone)
            rows = _without_buried(connection, batch.user_id, batch.rows)
            stored = self._upsert(connection, table_rows(rows))
            if batch.state is not None:
                self._set_state(connection, batch.user_id, batch.state)
        return IndexCount(stored, removed)

    @_told_as_unavailable()
    def load(self, rows: pd.DataFrame, synced_until: datetime) -> int:
        """As `TimelineIndex.load`; PostgreSQL takes the rows by COPY."""
        with self._writer.begin() as connection:
            for user_id, name in rows[["user_id", "source"]].drop_duplicates().itertuples(index=False):
                self._set_state(connection, user_id, SyncState(name, synced_until), is_first=True)
            if not self.is_embedded:
                return _copy(connection, table_rows(rows))
            kept = [_without_buried(connection, str(user_id), some) for user_id, some in rows.groupby("user_id")]
            return sum(self._upsert(connection, table_rows(some)) for some in kept)

    @_told_as_unavailable()
    def stored_rows(self, user_id: str, source: str, window: SearchWindow | None = None) -> Iterable[StoredRow]:
        """As `TimelineIndex.stored_rows`, in the order of time."""
        table = timeline_rows.c
        columns = (table.source_ref, table.revision, table.extractor_version, table.observed_time_us)
        query = sa.select(*columns).where(table.user_id == user_id, table.source == source)
        if window is not None:
            query = query.where(*_inside(window))
        with self._engine.connect() as connection:
            rows = connection.execute(query.order_by(table.observed_time_us, table.source_ref)).all()
        return [StoredRow(ref, revision, version, moment_at(us)) for ref, revision, version, us in rows]

    @_told_as_unavailable()
    def differing(self, user_id: str, rows: pd.DataFrame) -> list[str]:
        """As `TimelineIndex.differing`, in the order of the rows; every column of the table is compared."""
        given = {row[_REF]: row for row in table_rows(rows)}
        with self._engine.connect() as connection:
            stored = {row[_REF]: tuple(row) for row in _whole_rows(connection, user_id, tuple(given))}
        return [ref for ref, row in given.items() if stored.get(ref, row) != row]

    @_told_as_unavailable()
    def states(self, user_id: str) -> dict[str, SyncState]:
        """As `TimelineIndex.states`."""
        with self._engine.connect() as connection:
            return _states(connection, user_id)

    @_told_as_unavailable()
    def status(self, user_id: str, extractor_version: str) -> list[SourceStatus]:
        """As `TimelineIndex.status`, by source name."""
        table = timeline_rows.c
        stale = sa.func.sum(sa.case((table.extractor_version != extractor_version, 1), else_=0))
        query = sa.select(table.source, sa.func.count(), stale).where(table.user_id == user_id).group_by(table.source)
        with self._engine.connect() as connection:
            counts = {source: (rows, int(old)) for source, rows, old in connection.execute(query)}
            states = _states(connection, user_id)
        names = sorted({*counts, *states})
        return [SourceStatus(name, *counts.get(name, (0, 0)), states.get(name)) for name in names]

    @_told_as_unavailable()
    def erase(self, user_id: str) -> int:
        """As `TimelineIndex.erase`. SQLite overwrites what it deletes and empties its log, so that no byte is left;
        PostgreSQL vacuums the tables, and its write-ahead log goes when the server recycles it.

        Raises:
            SourceUnavailable: `erase_unfinished`, the rows are gone but a reader kept the log from being emptied; erase
                again.
        """
        with self._writer.begin() as connection:
            self._lock(connection, user_id)
            deleted = [connection.execute(t.delete().where(t.c.user_id == user_id)).rowcount for t in PERSONAL_TABLES]
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            if self.is_embedded:
                (is_busy, *_) = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
                if is_busy:
                    raise SourceUnavailable(INDEX_SOURCE, "erase_unfinished")
            else:
                connection.exec_driver_sql(f"VACUUM {', '.join(t.name for t in PERSONAL_TABLES)}")
        return deleted[0]

    def close(self) -> None:
        """Closes the connections."""
        self._engine.dispose()

    def _lock(self, connection: sa.Connection, user_id: str) -> None:
        """One writer a user; SQLite has one writer in all."""
        if not self.is_embedded:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(user_id, 0))))

    def _upsert(self, connection: sa.Connection, rows: list[Row]) -> int:
        if not rows:
            return 0
        return max(0, connection.exec_driver_sql(_UPSERT[connection.dialect.name], rows).rowcount)

    def _set_state(self, connection: sa.Connection, user_id: str, state: SyncState, *, is_first: bool = False) -> None:
        """Keeps how far a source is; `is_first` leaves alone what a sync has kept."""
        key, values = ["user_id", "source"], {"synced_until_us": microseconds(state.synced_until), "since": state.since}
        insert = _INSERTS[connection.dialect.name](sync_states).values(user_id=user_id, source=state.source, **values)
        if is_first:
            connection.execute(insert.on_conflict_do_nothing(index_elements=key))
        else:
            connection.execute(insert.on_conflict_do_update(index_elements=key, set_=values))


def _replace(differs: str) -> str:
    """A higher revision replaces what is stored, and so does another reading of the same revision."""
    changed = [name for name in STORED_NAMES if name not in ("user_id", "source_ref", "revision")]
    new, old = (", ".join(f"{table}.{name}" for name in changed) for table in ("excluded", "memind_timeline"))
    return (
        f"ON CONFLICT (user_id, source_ref) DO UPDATE SET revision = excluded.revision, "
        f"{', '.join(f'{name} = excluded.{name}' for name in changed)} "
        "WHERE excluded.revision > memind_timeline.revision "
        f"OR (excluded.revision = memind_timeline.revision AND ({new}) {differs} ({old}))"
    )


_UPSERT = {
    "sqlite": f"{_INTO} VALUES ({', '.join('?' * len(STORED_NAMES))}) {_replace('IS NOT')}",
    "postgresql": f"{_INTO} VALUES ({', '.join(['%s'] * len(STORED_NAMES))}) {_replace('IS DISTINCT FROM')}",
}


def _engine(url: str) -> sa.Engine:
    try:
        engine = sa.create_engine(url, hide_parameters=True)
    except (ArgumentError, ModuleNotFoundError, ValueError):  # whose words may hold the password
        raise InvalidConfig(
            "index.url", _safe(url), "sqlite:///file.db or postgresql+psycopg://… with the extra"
        ) from None
    if engine.dialect.name not in _INSERTS:
        raise InvalidConfig("index.url", engine.dialect.name, "a SQLite or PostgreSQL address")
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
    return engine


def _safe(url: str) -> str:
    """What may be said of an address: its database, and nothing where that cannot be told from a password."""
    name, mark, _ = url.partition("://")
    return name if mark else "no address"


def _prepare_sqlite(connection: Any, _: object) -> None:
    connection.isolation_level = None
    for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "secure_delete = ON", "busy_timeout = 10000"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: sa.Connection) -> None:
    is_writer = connection.get_execution_options().get("is_writer", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writer else "BEGIN")


def _inside(window: SearchWindow) -> tuple[sa.ColumnElement[bool], ...]:
    table, start, end = timeline_rows.c, microseconds(window.start), microseconds(window.end)
    if window.axis == "observed":
        return (table.observed_time_us >= start, table.observed_time_us < end)
    return (table.event_until_us > start, table.event_time_us < end)


def _states(connection: sa.Connection, user_id: str) -> dict[str, SyncState]:
    table = sync_states.c
    query = sa.select(table.source, table.synced_until_us, table.since).where(table.user_id == user_id)
    return {source: SyncState(source, moment_at(us), since) for source, us, since in connection.execute(query)}


def _bury(connection: sa.Connection, user_id: str, buried: tuple[Tombstone, ...]) -> int:
    """Keeps tombstones, and removes the rows that they end; how many rows."""
    if not buried:
        return 0
    insert = _INSERTS[connection.dialect.name](tombstones)
    is_later = insert.excluded.revision > tombstones.c.revision
    insert = insert.on_conflict_do_update(
        index_elements=["user_id", "source_ref"], set_={"revision": insert.excluded.revision}, where=is_later
    )
    rows = [{"user_id": user_id, "source_ref": t.source_ref, "revision": t.revision} for t in buried]
    connection.execute(insert, rows)
    table = timeline_rows.c
    is_ended = [
        table.user_id == user_id,
        table.source_ref == sa.bindparam("ref"),
        table.revision <= sa.bindparam("last"),
    ]
    ends = [{"ref": t.source_ref, "last": t.revision} for t in buried]
    return max(0, connection.execute(timeline_rows.delete().where(*is_ended), ends).rowcount)


def _delete(connection: sa.Connection, user_id: str, refs: tuple[str, ...]) -> int:
    table = timeline_rows.c
    query = timeline_rows.delete().where(table.user_id == user_id)
    return sum(connection.execute(query.where(table.source_ref.in_(some))).rowcount for some in _chunks(refs))


def _without_buried(connection: sa.Connection, user_id: str, rows: pd.DataFrame) -> pd.DataFrame:
    """The rows whose revision no tombstone has reached."""
    table = tombstones.c
    query = sa.select(table.source_ref, table.revision).where(table.user_id == user_id)
    last: dict[str, int] = {}
    for refs in _chunks(tuple(rows["source_ref"])):
        last |= dict(connection.execute(query.where(table.source_ref.in_(refs))).all())
    return rows[rows["revision"].gt(rows["source_ref"].map(last).fillna(0))] if last else rows


def _whole_rows(connection: sa.Connection, user_id: str, refs: tuple[str, ...]) -> Iterator[sa.Row[Any]]:
    table = timeline_rows.c
    query = sa.select(*(table[name] for name in STORED_NAMES)).where(table.user_id == user_id)
    for some in _chunks(refs):
        yield from connection.execute(query.where(table.source_ref.in_(some)))


def _chunks(refs: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    for start in range(0, len(refs), _REFS_A_QUERY):
        yield refs[start : start + _REFS_A_QUERY]


def _copy(connection: sa.Connection, rows: list[Row]) -> int:
    """COPY into a table of this transaction, and from there by the rule of every write."""
    connection.exec_driver_sql("CREATE TEMP TABLE loaded (LIKE memind_timeline) ON COMMIT DROP")
    cursor: Any = connection.connection.cursor()
    with cursor, cursor.copy(f"COPY loaded ({', '.join(STORED_NAMES)}) FROM STDIN") as sink:
        for row in rows:
            sink.write_row(row)
    return connection.exec_driver_sql(_TAKE_LOADED).rowcount


_TAKE_LOADED = f"""
{_INTO}
SELECT DISTINCT ON (loaded.user_id, loaded.source_ref)
  {", ".join(f"loaded.{name}" for name in STORED_NAMES)}
FROM loaded LEFT JOIN memind_tombstones USING (user_id, source_ref)
WHERE memind_tombstones.revision IS NULL OR loaded.revision > memind_tombstones.revision
ORDER BY loaded.user_id, loaded.source_ref, loaded.revision DESC
{_replace("IS DISTINCT FROM")}
"""  # noqa: S608 - names of columns only
