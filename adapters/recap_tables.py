"""The tables of Recap and the engine that holds them: SQLite by default, PostgreSQL for a shared deployment.

Instants are whole microseconds since 1970-01-01Z, so that both databases compare them exactly.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, Column, Engine, Index, Integer, MetaData, String, Table, Text, create_engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import StaticPool

from temporal_recall.schemas.errors import InvalidConfig

METADATA = MetaData()

SEGMENTS = Table(
    "recap_segments",
    METADATA,
    Column("owner_id", String(200), primary_key=True),
    Column("id", String(200), primary_key=True),
    Column("device_id", String(200), nullable=False),
    Column("source", String(100), nullable=False),
    Column("identity_key", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("start_us", BigInteger, nullable=False),
    Column("end_us", BigInteger, nullable=False),
    Column("length_us", BigInteger, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("written_end_us", BigInteger, nullable=False),
    Column("received_us", BigInteger, nullable=False),
    Index("recap_segments_by_start", "owner_id", "start_us"),
    Index("recap_segments_by_length", "owner_id", "length_us"),
)

ROWS = Table(
    "recap_rows",
    METADATA,
    Column("owner_id", String(200), primary_key=True),
    Column("window_key", String(80), primary_key=True),
    Column("kind", String(10), nullable=False),
    Column("local_date", String(10), nullable=False),
    Column("time_zone", String(60), nullable=False),
    Column("start", BigInteger, nullable=False),
    Column("end_exclusive", BigInteger, nullable=False),
    Column("narrative", Text, nullable=False),
    Column("generated_at", BigInteger, nullable=False),
    Column("model", String(200), nullable=False),
    Column("prompt_hash", String(16), nullable=False),
    Column("segment_watermark", BigInteger, nullable=False),
    Column("knowledge_hash", String(64)),
    Column("digest_hash", String(64), nullable=False),
    Column("projection_version", String(40), nullable=False),
    Column("base_url_host", String(255), nullable=False),
    Column("upstream_model", String(200)),
    Column("finish_reason", String(40)),
    Column("prompt_tokens", Integer),
    Column("completion_tokens", Integer),
    Column("missing_dates", Text, nullable=False),
    Index("recap_rows_by_date", "owner_id", "kind", "local_date"),
)
"""The fields of `RecapRow`, by their names."""

FACTS = Table(
    "recap_facts",
    METADATA,
    Column("owner_id", String(200), primary_key=True),
    Column("local_date", String(10), primary_key=True),
    Column("facts", Text, nullable=False),
)

ERASURES = Table(
    "recap_erasures",
    METADATA,
    Column("owner_hash", String(64), primary_key=True),
    Column("erasure_count", BigInteger, nullable=False),
)
"""How often each owner was erased: what was begun before an erasure must not be written after it."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_INSERT_BY_DIALECT = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def recap_engine(url: str) -> Engine:
    """An engine of SQLite (`sqlite:///recap.db`, `sqlite://` in memory) or PostgreSQL, with the tables made.

    Raises:
        InvalidConfig: the URL names no database that can be used.
    """
    try:
        is_in_memory = make_url(url).get_backend_name() == "sqlite" and make_url(url).database in (None, "", ":memory:")
        one_connection = {"poolclass": StaticPool, "connect_args": {"check_same_thread": False}}
        options: dict[str, Any] = one_connection if is_in_memory else {}
        engine = create_engine(url, hide_parameters=True, **options)
    except (ArgumentError, ImportError, ValueError) as error:
        allowed = f"a database URL such as sqlite:///recap.db ({type(error).__name__})"
        raise InvalidConfig("recap store", "(hidden)", allowed) from None
    if engine.dialect.name == "sqlite" and not is_in_memory:
        event.listen(engine, "connect", _prepare_sqlite)
    return with_tables(engine)


def with_tables(engine: Engine) -> Engine:
    """The engine, once the tables are there; also for one that the host injects.

    Raises:
        InvalidConfig: neither SQLite nor PostgreSQL.
    """
    if engine.dialect.name not in _INSERT_BY_DIALECT:
        raise InvalidConfig("recap store", engine.dialect.name, "sqlite or postgresql")
    METADATA.create_all(engine)
    return engine


def upsert(engine: Engine, table: Table) -> Any:
    """An INSERT of the engine's dialect, which knows ON CONFLICT."""
    return _INSERT_BY_DIALECT[engine.dialect.name](table)


def emptied_log(engine: Engine) -> bool:
    """Empties SQLite's log, so that what was deleted is in no file; whether no reader kept it from that."""
    if engine.dialect.name != "sqlite":
        return True
    with engine.connect() as connection:
        is_busy: int = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").scalar_one()
    return not is_busy


def microseconds_of(instant: datetime) -> int:
    """An aware instant as whole microseconds since 1970-01-01Z."""
    return (instant - _EPOCH) // _MICROSECOND


def instant_of(microseconds: int) -> datetime:
    """The UTC instant that many microseconds after 1970-01-01Z."""
    return _EPOCH + timedelta(microseconds=microseconds)


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # Readers and the one writer do not wait for each other.
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA busy_timeout=5000")
    connection.execute("PRAGMA secure_delete=ON")  # what is deleted leaves the file too
