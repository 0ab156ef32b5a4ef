"""A Portal chat database for tests and demo: its tables in SQLite or PostgreSQL, and rows with everything filled in."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

_AT = "2026-09-02T06:00:00+00:00"


class Instant(sa.types.TypeDecorator[datetime]):
    """An aware instant: `timestamptz`, and in SQLite text in one fixed form, so that its order is that of time."""

    impl = sa.Text
    cache_ok = True

    def load_dialect_impl(self, dialect: sa.Dialect) -> sa.types.TypeEngine[Any]:
        return dialect.type_descriptor(sa.Text() if dialect.name == "sqlite" else sa.TIMESTAMP(timezone=True))

    def process_bind_param(self, value: Any, dialect: sa.Dialect) -> Any:
        if value is None:
            return None
        instant = datetime.fromisoformat(value) if isinstance(value, str) else value
        utc = instant.astimezone(UTC)
        return f"{utc:%Y-%m-%dT%H:%M:%S.%fZ}" if dialect.name == "sqlite" else utc


PORTAL = sa.MetaData()


def _text(name: str, **more: Any) -> sa.Column[str]:
    return sa.Column(name, sa.Text, **more)


def _at(name: str, **more: Any) -> sa.Column[datetime]:
    return sa.Column(name, Instant, **more)


sa.Table(
    "h5_sessions",
    PORTAL,
    _text("session_id", primary_key=True),
    _text("tenant_id", nullable=False),
    _text("user_id", nullable=False),
    _text("title"),
    _text("visibility", nullable=False),
    _text("user_tz"),
    _at("created_at", nullable=False),
    _at("updated_at", nullable=False),
    _at("deleted_at"),
)
sa.Table(
    "h5_session_members",
    PORTAL,
    _text("session_id", primary_key=True),
    _text("user_id", primary_key=True),
    _at("joined_at", nullable=False),
    _at("left_at"),
)
sa.Table(
    "h5_agent_runs",
    PORTAL,
    _text("run_id", primary_key=True),
    _text("session_id", nullable=False),
    _text("user_id", nullable=False),
    _text("trigger", nullable=False),
    _text("status", nullable=False),
    _text("goal"),
    _text("result_summary"),
    _at("started_at"),
    _at("finished_at"),
    _at("created_at", nullable=False),
    _at("updated_at", nullable=False),
    _at("deleted_at"),
)
sa.Table(
    "h5_messages",
    PORTAL,
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
    _text("message_id", unique=True, nullable=False),
    _text("session_id", nullable=False),
    _text("run_id"),
    _text("parent_id"),
    sa.Column("on_active_path", sa.Boolean, nullable=False),
    _text("author_user_id"),
    _text("role", nullable=False),
    _text("kind", nullable=False),
    _text("visibility", nullable=False),
    _text("content"),
    sa.Column("content_chars", sa.Integer, nullable=False),
    _text("content_ref"),
    sa.Column("revision", sa.Integer, nullable=False),
    _at("created_at", nullable=False),
    _at("edited_at"),
    _at("deleted_at"),
    _at("updated_at", nullable=False),
)

_DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    "h5_sessions": {"tenant_id": "t", "visibility": "private", "created_at": _AT, "updated_at": _AT},
    "h5_session_members": {"joined_at": _AT},
    "h5_agent_runs": {"trigger": "user", "status": "succeeded", "created_at": _AT, "updated_at": _AT},
    "h5_messages": {
        "on_active_path": True,
        "role": "user",
        "kind": "text",
        "visibility": "visible",
        "content_chars": 0,
        "revision": 1,
        "created_at": _AT,
        "updated_at": _AT,
    },
}


def create_portal(engine: sa.Engine) -> None:
    """Makes the Portal's tables, empty; the recall views are the migrations' matter."""
    PORTAL.create_all(engine)


def insert(engine: sa.Engine, table: str, *rows: Mapping[str, Any]) -> None:
    """Puts rows into a table of the Portal, what they leave out filled in; instants are ISO 8601 with an offset."""
    filled = [{**_DEFAULTS[table], **row} for row in rows]
    with engine.begin() as connection:
        for row in filled:
            connection.execute(PORTAL.tables[table].insert().values(row))
