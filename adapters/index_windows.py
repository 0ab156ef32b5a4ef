"""Reading the rows of a window out of the index, the way that takes least.

The statements are SQLAlchemy's, written out once for a database; its own driver runs them. To compile, bind and wrap
takes SQLAlchemy longer than a week of rows takes SQLite.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError

from temporal_recall.adapters.index_tables import microseconds, sync_states, timeline_rows
from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import RequestLimits, SearchWindow
from temporal_recall.schemas.timeline_index import INDEX_SOURCE, IndexWindow

_table = timeline_rows.c
_KEY = (_table.user_id, _table.observed_time_us, _table.source_ref)
_events = (
    sa.select(*_KEY)
    .where(
        _table.user_id == sa.bindparam("user"),
        _table.event_until_us > sa.bindparam("event_from"),
        _table.event_time_us < sa.bindparam("event_to"),
    )
    .cte("events")
    # found in the index of events before anything else: SQLite would go through all that the user ever recorded, since
    # that lies in the order wanted, and would take each row out of the table before it looks at a condition
    .prefix_with("MATERIALIZED")
)


def _newest(told: sa.ColumnCollection[str, Any], *conditions: sa.ColumnElement[bool]) -> sa.Select[Any, Any, Any]:
    rows = sa.select(_table.source_ref, _table.numbers, _table.texts).where(*conditions)
    return rows.order_by(told.observed_time_us.desc()).limit(sa.bindparam("row_cap"))


def _is_observed(told: sa.ColumnCollection[str, Any]) -> sa.ColumnElement[bool]:
    return sa.and_(
        told.observed_time_us >= sa.bindparam("observed_from"), told.observed_time_us < sa.bindparam("observed_to")
    )


_OBSERVED = _newest(_table, _table.user_id == sa.bindparam("user"), _is_observed(_table))
_EVENT = _newest(
    _events.c,
    *(column == _events.c[column.name] for column in _KEY),
    _events.c.observed_time_us <= sa.bindparam("now"),
)
_EVENT_BESIDE = _EVENT.where(sa.not_(_is_observed(_events.c)))
_STATES = sa.select(sync_states.c.source, sync_states.c.synced_until_us).where(
    sync_states.c.user_id == sa.bindparam("user")
)


class _Statement(NamedTuple):
    """A statement in the words of a database, and the values that it brings along."""

    text: str
    values: Mapping[str, Any]

    @classmethod
    def of(cls, query: sa.Select[*tuple[Any, ...]], dialect: sa.Dialect) -> _Statement:
        compiled = query.compile(dialect=dialect)
        return cls(str(compiled), {name: value for name, value in compiled.params.items() if value is not None})

    def rows(self, cursor: Any, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        cursor.execute(self.text, {**self.values, **values})
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return found


class WindowReads:
    """The reads of windows in one database.

    Args:
        engine: lends the connections.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._is_embedded = engine.dialect.name == "sqlite"
        dialect = sqlite.dialect(paramstyle="named") if self._is_embedded else engine.dialect
        statements = (_Statement.of(query, dialect) for query in (_OBSERVED, _EVENT, _EVENT_BESIDE, _STATES))
        self._observed, self._event, self._event_beside, self._states = statements

    def read(self, window: IndexWindow, limits: RequestLimits) -> tuple[list[tuple[Any, ...]], dict[str, int]]:
        """`source_ref`, numbers and texts of the user's rows, and by source until when it was synced (microseconds).

        The rows observed in the window come first, the newest foremost, then those that only their event brings; one
        more than the cap, if there are as many.

        Raises:
            SourceUnavailable: the store is down, or does not answer in the time that is left.
        """
        rows: list[tuple[Any, ...]] = []
        with self._cursor(limits) as cursor:
            for statement, values in self._statements(window):
                rows += statement.rows(cursor, {**values, "row_cap": window.row_cap - len(rows) + 1})
            return rows, dict(self._states.rows(cursor, {"user": window.user_id}))

    def _statements(self, window: IndexWindow) -> Iterator[tuple[_Statement, dict[str, Any]]]:
        """The rows observed in the window; then those that only their event brings, which the first left out."""
        user, observed, event = {"user": window.user_id}, _bounds(window.observed), _bounds(window.event)
        if observed:
            yield self._observed, user | observed
        if event:
            statement = self._event_beside if observed else self._event
            yield statement, user | event | observed | {"now": microseconds(window.now)}

    @contextmanager
    def _cursor(self, limits: RequestLimits) -> Iterator[Any]:
        """A cursor of one transaction; what fails is told as the index's failure, without the database's words."""
        driver = self._engine.dialect.loaded_dbapi
        try:
            with self._engine.connect() as connection:
                try:
                    cursor = connection.connection.cursor()
                    for statement in self._opening(limits):
                        cursor.execute(statement)
                    yield cursor
                except driver.Error:
                    self._look_at(connection)
                    raise
        except (driver.Error, DBAPIError):
            raise SourceUnavailable(INDEX_SOURCE, "index_unavailable") from None

    def _look_at(self, connection: sa.Connection) -> None:
        """Lets SQLAlchemy see for itself whether a connection broke, so that its pool gives out no other of that time.

        Raises:
            DBAPIError: it broke, or its transaction did.
        """
        if not self._is_embedded:
            connection.exec_driver_sql("SELECT 1")

    def _opening(self, limits: RequestLimits) -> Iterator[str]:
        """What begins a transaction; PostgreSQL's driver begins it by itself."""
        remaining = limits.remaining_s()
        if self._is_embedded:
            yield "BEGIN"
        elif remaining is not None:
            yield f"SET LOCAL statement_timeout = {max(1, int(remaining * 1000))}"


def _bounds(window: SearchWindow | None) -> dict[str, int]:
    if window is None:
        return {}
    return {f"{window.axis}_from": microseconds(window.start), f"{window.axis}_to": microseconds(window.end)}
