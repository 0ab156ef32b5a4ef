"""The tables of the materialised timeline, and the numbered steps by which an older store becomes a newer one.

In SQLite the rows of a user lie together in the order of time (`WITHOUT ROWID`); in PostgreSQL they are spread over
partitions by a hash of the user. Both find a record by its `source_ref` and an event by its interval. All else of a
row is packed (`packed_rows`).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from sqlalchemy.exc import DatabaseError

from temporal_recall.schemas.errors import InvalidConfig

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

PARTITION_COUNT = 16
"""Partitions of the timeline in PostgreSQL."""

TABLES = sa.MetaData()
timeline_rows = sa.Table(
    "memind_timeline",
    TABLES,
    sa.Column("user_id", sa.Text, primary_key=True),
    sa.Column("observed_time_us", sa.BigInteger, primary_key=True),
    sa.Column("source_ref", sa.Text, primary_key=True),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("revision", sa.BigInteger, nullable=False),
    sa.Column("extractor_version", sa.Text, nullable=False),
    sa.Column("event_time_us", sa.BigInteger),
    sa.Column("event_until_us", sa.BigInteger),
    sa.Column("numbers", sa.LargeBinary, nullable=False),
    sa.Column("texts", sa.LargeBinary, nullable=False),
    sqlite_with_rowid=False,
    postgresql_partition_by="HASH (user_id)",
)
tombstones = sa.Table(
    "memind_tombstones",
    TABLES,
    sa.Column("user_id", sa.Text, primary_key=True),
    sa.Column("source_ref", sa.Text, primary_key=True),
    sa.Column("revision", sa.BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
sync_states = sa.Table(
    "memind_sync_states",
    TABLES,
    sa.Column("user_id", sa.Text, primary_key=True),
    sa.Column("source", sa.Text, primary_key=True),
    sa.Column("synced_until_us", sa.BigInteger, nullable=False),
    sa.Column("since", sa.Text),
    sqlite_with_rowid=False,
)
PERSONAL_TABLES = (timeline_rows, tombstones, sync_states)
"""Every table that holds something of a user."""

_schema = sa.Table("memind_schema", TABLES, sa.Column("version", sa.Integer, primary_key=True, autoincrement=False))


def _make_tables(connection: sa.Connection) -> None:
    _make_timeline(connection)
    for table in (tombstones, sync_states):
        connection.execute(sa.schema.CreateTable(table))


def _make_timeline(connection: sa.Connection) -> None:
    connection.execute(sa.schema.CreateTable(timeline_rows))
    if connection.dialect.name == "postgresql":
        for number in range(PARTITION_COUNT):
            connection.exec_driver_sql(
                f"CREATE TABLE memind_timeline_{number} PARTITION OF memind_timeline "
                f"FOR VALUES WITH (MODULUS {PARTITION_COUNT}, REMAINDER {number})"
            )


def _find_by_record(connection: sa.Connection) -> None:
    connection.exec_driver_sql("CREATE UNIQUE INDEX memind_timeline_by_ref ON memind_timeline (user_id, source_ref)")


def _find_by_event(connection: sa.Connection) -> None:
    # the end leads: of a person's events few end after the range begins, and whether they begin before it ends
    # is read off the index itself
    connection.exec_driver_sql(
        "CREATE INDEX memind_timeline_by_event ON memind_timeline (user_id, event_until_us, event_time_us) "
        "WHERE event_until_us IS NOT NULL"
    )


def _pack_rows(connection: sa.Connection) -> None:
    # rows are derived: without a cursor the next sync writes all of them again
    connection.exec_driver_sql("DROP TABLE memind_timeline")
    connection.execute(sync_states.delete())
    _make_timeline(connection)
    _find_by_record(connection)
    _find_by_event(connection)


STEPS: tuple[Callable[[sa.Connection], None], ...] = (
    _make_tables,
    _find_by_record,
    _find_by_event,
    _pack_rows,
    _pack_rows,  # names as numbers, and what the words say as a whole
    _pack_rows,  # the times that words name, and no longer how many
)
"""Step n leads from version n - 1 to version n; a step that was released never changes."""


def migrate(engine: sa.Engine, *, steps: tuple[Callable[[sa.Connection], None], ...] = STEPS) -> None:
    """Brings the store to the newest version, all steps or none.

    Raises:
        InvalidConfig: a newer program wrote the store, or the file is no store.
    """
    try:
        # nothing is written to a store of today: who may only read opens it too, and nobody waits for a writer
        if _version(engine.execution_options(is_writer=False)) == len(steps):
            return
        with engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.exec_driver_sql("SELECT pg_advisory_xact_lock(hashtext('memind_schema'))")
            connection.execute(sa.schema.CreateTable(_schema, if_not_exists=True))
            version = connection.execute(sa.select(sa.func.max(_schema.c.version))).scalar() or 0
            if version > len(steps):
                raise InvalidConfig("index.url", f"version {version}", f"a store of version {len(steps)} or older")
            for number, step in enumerate(steps[version:], start=version + 1):
                step(connection)
                connection.execute(_schema.insert().values(version=number))
    except DatabaseError as error:
        reason = type(error.orig).__name__
        place = f"{engine.dialect.name}, {engine.url.database}"  # not the address: a password may stand in its options
        raise InvalidConfig("index.url", place, f"a store that opens ({reason})") from error


def _version(engine: sa.Engine) -> int:
    """The version of the store; 0 where there is none yet."""
    with engine.connect() as connection:
        if not sa.inspect(connection).has_table(_schema.name):
            return 0
        return connection.execute(sa.select(sa.func.max(_schema.c.version))).scalar() or 0


def microseconds(moment: datetime) -> int:
    """A moment as the tables have it: microseconds since 1970."""
    return (moment - _EPOCH) // _MICROSECOND


def moment_at(count: int) -> datetime:
    """The moment so many microseconds after 1970, in UTC."""
    return _EPOCH + count * _MICROSECOND
