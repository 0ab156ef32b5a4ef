"""Portal chat: what a viewer may see of sessions and agent runs, read from two views of the Portal's database.

Only `recall_messages_v1` and `recall_runs_v1` are read, never a table. The viewer is a bound parameter; in PostgreSQL
row-level security and a role that sees only the views stand behind it (see `portal_migrations`).
"""

from __future__ import annotations

import heapq
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from temporal_recall.adapters.bounded_http import time_left_s
from temporal_recall.adapters.hygiene import bounded_text, is_plausible
from temporal_recall.adapters.portal_migrations import applied_version, newest_version
from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import (
    EvidenceRecord,
    RecordIssue,
    RequestLimits,
    SearchContext,
    SourceCapabilities,
    SourceEvent,
)
from temporal_recall.schemas.feeds import SourceState
from temporal_recall.schemas.time import zone_of

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, Row, Select

READER_ROLE = "temporal_recall_reader"
_MESSAGE_COLUMNS = (
    "viewer_id message_id session_id role author_user_id revision content truncated observed_at seq user_tz"
)
_RUN_COLUMNS = "viewer_id run_id session_id trigger status goal truncated observed_at started_at finished_at user_tz"
_BATCH_ROWS = 500
_EVENT_STATUS: dict[str, Literal["confirmed", "tentative", "cancelled"]] = {
    "queued": "tentative",
    "running": "confirmed",
    "succeeded": "confirmed",
    "failed": "confirmed",
    "cancelled": "cancelled",
}


class PortalChatAdapter:
    """The chat of one Portal database. An injected engine stays the host's; one made here from `url` is closed."""

    def __init__(self, source: str, *, engine: Engine | None = None, url: str | None = None) -> None:
        self._source = source
        self._engine = engine if engine is not None else _own_engine(url)
        self._is_own_engine = engine is None
        self._is_checked = self._has_runs = False

    @property
    def source(self) -> str:
        return self._source

    def capabilities(self) -> SourceCapabilities:
        """Read on the observed axis; over the network, save where the database is a file."""
        return SourceCapabilities(uses_network=self._engine.dialect.name != "sqlite")

    def close(self) -> None:
        """Closes the engine, if the adapter made it."""
        if self._is_own_engine:
            self._engine.dispose()

    def search(self, ctx: SearchContext) -> Iterator[EvidenceRecord | RecordIssue]:
        """Messages and run goals that `ctx.user_id` may see, created inside the window, oldest first.

        An edited message keeps the time at which it was first sent, and has the text of its newest revision.

        Raises:
            SourceUnavailable: the database is down, busy past the deadline, or without our views.
            RecallCancelled: the cancel token was set.
        """
        with (
            self._reading(ctx.user_id, ctx.limits) as connection,
            closing(self._messages(connection, ctx)) as messages,
        ):
            rows = heapq.merge(self._runs(connection, ctx), messages, key=lambda row: row[0])
            for count, (_, row) in enumerate(rows):
                ctx.limits.cancel_token.raise_if_cancelled()
                if count >= ctx.fetch_cap:
                    return
                if time_left_s(ctx.limits) <= 0:
                    raise SourceUnavailable(self._source, "late")
                yield row

    def probe(self, limits: RequestLimits) -> SourceState:
        """Whether the database answers and has the views that this release reads."""
        try:
            with self._reading("", limits):
                return SourceState(self._source, "chat", "ready")
        except SourceUnavailable as error:
            return SourceState(self._source, "chat", "down" if error.is_retryable else "broken", error.reason)

    @contextmanager
    def _reading(self, viewer: str, limits: RequestLimits) -> Iterator[Connection]:
        """A read-only transaction that can see `viewer`'s rows alone and ends by the deadline."""
        from sqlalchemy.exc import ProgrammingError, SQLAlchemyError
        from sqlalchemy.exc import TimeoutError as PoolTimeout

        limits.cancel_token.raise_if_cancelled()
        if time_left_s(limits) <= 0:
            raise SourceUnavailable(self._source, "late")
        try:
            with self._transaction() as connection:
                self._check(connection)
                with _guarded(connection, viewer, limits):
                    yield connection
        except PoolTimeout:
            raise SourceUnavailable(self._source, "pool_exhausted") from None
        except ProgrammingError:
            raise SourceUnavailable(self._source, "views_outdated", is_retryable=False) from None
        except SQLAlchemyError:
            limits.cancel_token.raise_if_cancelled()
            reason = "late" if time_left_s(limits) <= 0 else "database_error"
            raise SourceUnavailable(self._source, reason) from None

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        with self._engine.connect() as connection:
            if self._engine.dialect.name != "sqlite":  # an engine in AUTOCOMMIT would lose the viewer
                connection.execution_options(isolation_level="READ COMMITTED")
            with connection.begin():
                yield connection

    def _check(self, connection: Connection) -> None:
        """Once per adapter: the views are there, not older than this release, and the reader role with them."""
        from sqlalchemy import inspect, text

        if self._is_checked:
            return
        if self._engine.dialect.name == "postgresql":
            query = "SELECT count(*) FROM pg_roles WHERE rolname = :role AND pg_has_role(rolname, 'member')"
            if not connection.execute(text(query), {"role": READER_ROLE}).scalar_one():
                raise SourceUnavailable(self._source, "missing_role", is_retryable=False)
        version = applied_version(connection)
        if 0 < version < newest_version(self._engine.dialect.name):
            raise SourceUnavailable(self._source, "views_outdated", is_retryable=False)
        views = inspect(connection).get_view_names()
        if "recall_messages_v1" not in views:
            raise SourceUnavailable(self._source, "missing_view", is_retryable=False)
        self._has_runs = "recall_runs_v1" in views
        self._is_checked = True

    def _messages(self, connection: Connection, ctx: SearchContext) -> Generator[_Timed, None, None]:
        query = _window_query(connection, "recall_messages_v1", _MESSAGE_COLUMNS, ctx, "seq")
        with connection.execute(query, execution_options={"yield_per": _BATCH_ROWS}) as rows:
            for row in rows:
                yield _timed(row, self._message(row, ctx))

    def _runs(self, connection: Connection, ctx: SearchContext) -> Iterator[_Timed]:
        if not self._has_runs:
            missing = RecordIssue(source=self._source, code="missing_view", locator="recall_runs_v1")
            yield datetime.min.replace(tzinfo=UTC), missing
            return
        query = _window_query(connection, "recall_runs_v1", _RUN_COLUMNS, ctx, "run_id")
        for row in connection.execute(query).all():
            yield _timed(row, self._run(row, ctx))

    def _message(self, row: Row[Any], ctx: SearchContext) -> EvidenceRecord | RecordIssue:
        observed = _instant(row.observed_at)
        if observed is None or row.content is None or row.viewer_id != ctx.user_id:
            return self._issue(row, observed, row.content, f"message {row.message_id}")
        text, is_cut = bounded_text(row.content)
        return EvidenceRecord(
            source=self._source,
            source_ref=f"{self._source}:message:{row.message_id}",
            user_id=ctx.user_id,
            observed_time=observed,
            time_zone=_zone_name(row.user_tz, ctx.time_zone),
            text=text,
            revision=row.revision,
            role=row.role,
            author=row.author_user_id if row.author_user_id != ctx.user_id else None,
            thread_id=row.session_id,
            outcome="sent",
            field_kind="message",
            is_truncated=bool(row.truncated) or is_cut,
        )

    def _run(self, row: Row[Any], ctx: SearchContext) -> EvidenceRecord | RecordIssue:
        """A run's goal. What a schedule started is not the user's words; it counts as said by the assistant."""
        observed = _instant(row.observed_at)
        if observed is None or row.viewer_id != ctx.user_id:
            return self._issue(row, observed, row.goal, f"run {row.run_id}")
        text, is_cut = bounded_text(row.goal)
        return EvidenceRecord(
            source=self._source,
            source_ref=f"{self._source}:run:{row.run_id}",
            user_id=ctx.user_id,
            observed_time=observed,
            time_zone=_zone_name(row.user_tz, ctx.time_zone),
            text=text,
            role="user" if row.trigger == "user" else "assistant",
            thread_id=row.session_id,
            outcome="sent",
            field_kind="message",
            is_truncated=bool(row.truncated) or is_cut,
            event=_run_event(row, text),
        )

    def _issue(self, row: Row[Any], observed: datetime | None, text: str | None, locator: str) -> RecordIssue:
        code = "no_text" if text is None else "foreign_user"
        return RecordIssue(source=self._source, code=code if observed else "date_out_of_range", locator=locator)


_Timed = tuple[datetime, EvidenceRecord | RecordIssue]


def _own_engine(url: str | None) -> Engine:
    from sqlalchemy import create_engine, make_url

    if url is None:
        raise ValueError("give an engine or a url")
    is_file = make_url(url).get_backend_name() == "sqlite"
    connect = {"timeout": 1.0} if is_file else {"connect_timeout": 1}
    return create_engine(url, hide_parameters=True, pool_pre_ping=not is_file, pool_timeout=2, connect_args=connect)


@contextmanager
def _guarded(connection: Connection, viewer: str, limits: RequestLimits) -> Iterator[None]:
    """While the block runs: a bound on its time, and in PostgreSQL on its role, its viewer and its right to write."""
    if connection.dialect.name != "sqlite":
        _restrict(connection, viewer, limits)
        yield
        return
    driver: Any = connection.connection.driver_connection
    driver.set_progress_handler(lambda: int(time_left_s(limits) <= 0 or limits.cancel_token.is_cancelled), 10_000)
    try:
        yield
    finally:
        driver.set_progress_handler(None, 0)


def _restrict(connection: Connection, viewer: str, limits: RequestLimits) -> None:
    from sqlalchemy import text

    connection.execute(text("SET TRANSACTION READ ONLY"))
    settings = {"temporal_recall.viewer": viewer}
    if limits.deadline is not None:
        settings["statement_timeout"] = f"{max(1, int(time_left_s(limits) * 1000))}ms"
    for name, value in settings.items():
        connection.execute(text("SELECT set_config(:name, :value, true)"), {"name": name, "value": value})
    connection.execute(text(f"SET LOCAL ROLE {READER_ROLE}"))


def _window_query(connection: Connection, view: str, columns: str, ctx: SearchContext, tie: str) -> Select[Any]:
    from sqlalchemy import column, select, table

    rows = table(view, *(column(name) for name in columns.split()))
    start, end = (_bound(connection, instant) for instant in (ctx.window.start, ctx.window.end))
    return (
        select(rows)
        .where(rows.c.viewer_id == ctx.user_id, rows.c.observed_at >= start, rows.c.observed_at < end)
        .order_by(rows.c.observed_at, rows.c[tie])
        .limit(ctx.fetch_cap)
    )


def _bound(connection: Connection, instant: datetime) -> datetime | str:
    """An instant as the database keeps it; SQLite has text in one fixed form, so that its order is that of time."""
    utc = instant.astimezone(UTC)
    return f"{utc:%Y-%m-%dT%H:%M:%S.%fZ}" if connection.dialect.name == "sqlite" else utc


def _timed(row: Row[Any], record: EvidenceRecord | RecordIssue) -> _Timed:
    return _instant(row.observed_at) or datetime.min.replace(tzinfo=UTC), record


def _instant(value: datetime | str | None) -> datetime | None:
    try:
        instant = datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        return None
    return instant if instant is not None and instant.tzinfo and is_plausible(instant) else None


def _zone_name(session_zone: str | None, user_zone: str) -> str:
    try:
        zone_of(session_zone or user_zone)
    except ValueError:
        return user_zone
    return session_zone or user_zone


def _run_event(row: Row[Any], title: str) -> SourceEvent | None:
    """When the run itself took place; None for one that has not begun."""
    start, end = _instant(row.started_at), _instant(row.finished_at)
    if start is None:
        return None
    status = _EVENT_STATUS.get(row.status, "tentative")
    return SourceEvent(start=start, end=end if end and end > start else None, title=title, status=status)
