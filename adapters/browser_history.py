"""Browser history as evidence: Chrome and its kin, Firefox (also the old one of Android), Safari and qutebrowser.

A history file is recognised by its tables. It is read from a copy, with its write-ahead log, as a running browser keeps
the file locked. Times are integers all the way; an unknown time (0) is an issue, not the year 1601.
"""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from temporal_recall.adapters.hygiene import bounded_text, instant_of_us
from temporal_recall.adapters.in_order import check_time, in_order
from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import (
    EvidenceRecord,
    RecordIssue,
    RequestLimits,
    SearchContext,
    SearchWindow,
    SourceCapabilities,
    SourceEvent,
)
from temporal_recall.schemas.feeds import SourceState

_NEWER_COLUMNS = {"visit_duration": "0", "title": "''"}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_CHROME_EPOCH_S = 11_644_473_600
"""Seconds from 1601-01-01Z to 1970."""
_SAFARI_EPOCH_S = 978_307_200
"""Seconds from 1970 to 2001-01-01Z."""
_MILLISECONDS_BELOW = 100_000_000_000_000
"""A count since 1970 below this is in milliseconds: as microseconds it would lie before April 1973."""


@dataclass(frozen=True, slots=True)
class HistoryFormat:
    """How one family of browsers keeps its visits.

    `query` gives time, url, title and duration (µs) of each visit; `us_of` turns a time into microseconds since 1970,
    `raws_of` an instant into every number that may stand for it.
    """

    browser: str
    tables: frozenset[str]
    time_column: str
    query: str
    us_of: Callable[[Any], int]
    raws_of: Callable[[int], tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class Visit:
    """One visit, as the browser keeps it. `time` is None where the browser does not know it."""

    time: datetime | None
    url: str
    title: str
    duration: timedelta


def _chrome_us(raw: int) -> int:
    return int(raw) - _CHROME_EPOCH_S * 1_000_000


def _firefox_us(raw: int) -> int:
    return int(raw) * 1000 if int(raw) < _MILLISECONDS_BELOW else int(raw)


def _safari_us(raw: float) -> int:
    return int(Decimal(repr(raw)) * 1_000_000) + _SAFARI_EPOCH_S * 1_000_000


FORMATS: tuple[HistoryFormat, ...] = (
    HistoryFormat(
        "chrome",
        frozenset({"urls", "visits"}),
        "v.visit_time",
        "SELECT v.visit_time, u.url, u.title, v.visit_duration FROM visits v JOIN urls u ON u.id = v.url",
        _chrome_us,
        lambda us: (us + _CHROME_EPOCH_S * 1_000_000,),
    ),
    HistoryFormat(
        "firefox",
        frozenset({"moz_places", "moz_historyvisits"}),
        "v.visit_date",
        "SELECT v.visit_date, p.url, p.title, 0 FROM moz_historyvisits v JOIN moz_places p ON p.id = v.place_id",
        _firefox_us,
        lambda us: (us, -(-us // 1000)),
    ),
    HistoryFormat(
        "firefox",
        frozenset({"history", "visits"}),
        "v.date",
        "SELECT v.date, h.url, h.title, 0 FROM visits v JOIN history h ON h.guid = v.history_guid",
        _firefox_us,
        lambda us: (us, -(-us // 1000)),
    ),
    HistoryFormat(
        "safari",
        frozenset({"history_items", "history_visits"}),
        "v.visit_time",
        "SELECT v.visit_time, i.url, v.title, 0 FROM history_visits v JOIN history_items i ON i.id = v.history_item",
        _safari_us,
        lambda us: ((us - _SAFARI_EPOCH_S * 1_000_000) / 1_000_000,),
    ),
    HistoryFormat(
        "qutebrowser",
        frozenset({"History"}),
        "v.atime",
        "SELECT v.atime, v.url, v.title, 0 FROM History v",
        lambda raw: int(raw) * 1_000_000,
        lambda us: (-(-us // 1_000_000),),
    ),
)


class UnknownHistory(ValueError):
    """A file that is no browser history of a known kind."""


@contextmanager
def opened_history(path: Path) -> Iterator[tuple[sqlite3.Connection, HistoryFormat]]:
    """A copy of a history file, opened, and its format.

    Raises:
        UnknownHistory: not an SQLite file, or with the tables of no known browser.
        OSError: the file cannot be read.
    """
    with tempfile.TemporaryDirectory(prefix="history-") as folder:
        copy = Path(folder) / "history.db"
        shutil.copyfile(path, copy)
        log = path.with_name(f"{path.name}-wal")
        if log.exists():
            shutil.copyfile(log, copy.with_name("history.db-wal"))
        with closing(sqlite3.connect(copy)) as database:
            database.text_factory = lambda raw: raw.decode("utf-8", "replace")
            yield database, _format_of(database)


def _format_of(database: sqlite3.Connection) -> HistoryFormat:
    try:
        rows = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    except sqlite3.DatabaseError:
        raise UnknownHistory("no SQLite file") from None
    tables = {name for (name,) in rows}
    found = next((known for known in FORMATS if known.tables <= tables), None)
    if found is None:
        raise UnknownHistory("no browser's tables")
    return replace(found, query=_with_what_there_is(found.query, database))


def _with_what_there_is(query: str, database: sqlite3.Connection) -> str:
    """The query without the columns that older versions of a browser do not have."""
    table = query.partition(" FROM ")[2].split(" ")[0]
    columns = {name for _, name, *_ in database.execute(f"PRAGMA table_info({table})")}
    for column, default in _NEWER_COLUMNS.items():
        if column not in columns:
            query = query.replace(f"v.{column}", default)
    return query


def visits(
    database: sqlite3.Connection, kept: HistoryFormat, window: tuple[datetime, datetime] | None = None
) -> Iterator[Visit]:
    """The visits of a history, oldest first; with a window those inside it, and those whose time is unknown."""
    condition, bounds = _condition(kept, window)
    for raw, url, title, duration_us in database.execute(
        f"{kept.query} WHERE {condition} ORDER BY {kept.time_column}, v.rowid",
        bounds,
    ):
        duration = timedelta(microseconds=duration_us if isinstance(duration_us, int) and duration_us > 0 else 0)
        yield Visit(_time(raw, kept), str(url or ""), str(title or ""), duration)


def _condition(kept: HistoryFormat, window: tuple[datetime, datetime] | None) -> tuple[str, list[float]]:
    """Where a visit may lie inside the window: one unit wider on each side, as some browsers keep fractions."""
    if window is None:
        return "1", []
    starts, ends = (kept.raws_of((bound - _EPOCH) // _MICROSECOND) for bound in window)
    inside = f"({kept.time_column} >= ? AND {kept.time_column} <= ?)"
    clauses = [inside] * len(starts) + [f"{kept.time_column} IS NULL", f"{kept.time_column} <= 0"]
    return " OR ".join(clauses), [
        bound for start, end in zip(starts, ends, strict=True) for bound in (start - 1, end + 1)
    ]


def _time(raw: object, kept: HistoryFormat) -> datetime | None:
    if not isinstance(raw, int | float) or raw <= 0 or raw != raw:
        return None
    try:
        return instant_of_us(kept.us_of(raw))
    except (ValueError, OverflowError, ArithmeticError):
        return None


def visit_records(
    path: Path, source: str, user_id: str, time_zone: str, window: SearchWindow | None = None
) -> Iterator[EvidenceRecord | RecordIssue]:
    """The visits of a history file as records, oldest first; one whose time is unknown is an issue.

    Raises:
        UnknownHistory, OSError: as `opened_history`.
    """
    bounds = (window.start, window.end) if window else None
    with opened_history(path) as (database, kept):
        try:
            for number, visit in enumerate(visits(database, kept, bounds), 1):
                if visit.time is None:
                    yield RecordIssue(source=source, code="unknown_time", locator=f"{path.name}: visit {number}")
                elif bounds is None or bounds[0] <= visit.time < bounds[1]:
                    yield _record(visit, visit.time, kept.browser, source, user_id, time_zone)
        except sqlite3.DatabaseError:
            yield RecordIssue(source=source, code="broken_file", locator=path.name)


def _record(visit: Visit, at: datetime, browser: str, source: str, user_id: str, time_zone: str) -> EvidenceRecord:
    text, is_cut = bounded_text(visit.title.strip() or _readable(visit.url))
    identity = hashlib.sha256(f"{at.isoformat()} {visit.url}".encode("utf-8", "replace")).hexdigest()[:24]
    return EvidenceRecord(
        source=source,
        source_ref=f"{source}:visit:{browser}-{identity}",
        user_id=user_id,
        observed_time=at,
        time_zone=time_zone,
        text=text,
        app=browser,
        field_kind="url",
        is_truncated=is_cut,
        event=SourceEvent(start=at, end=at + visit.duration if visit.duration else None, title=text[:500]),
    )


def _readable(url: str) -> str:
    """An address without what identifies a session: host and path."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url.partition("?")[0]
    return unquote(f"{parts.hostname or parts.scheme}{parts.path}").rstrip("/") or url


class BrowserHistoryAdapter:
    """The history files of some users, by user; live files may be locked and growing."""

    def __init__(self, source: str, paths_by_user: Mapping[str, Sequence[Path]]) -> None:
        self._source = source
        self._paths_by_user = {user: tuple(paths) for user, paths in paths_by_user.items()}

    @property
    def source(self) -> str:
        return self._source

    def capabilities(self) -> SourceCapabilities:
        """A visit happens when it is recorded: both axes are one."""
        return SourceCapabilities(axes=frozenset({"observed", "event"}))

    def close(self) -> None:
        """Nothing is held open."""

    def search(self, ctx: SearchContext) -> Iterator[EvidenceRecord | RecordIssue]:
        """The visits of `ctx.user_id` inside the window, oldest first.

        Raises:
            SourceUnavailable: a file is missing, unreadable or no history; or the deadline came first.
            RecallCancelled: the cancel token was set.
        """
        yield from in_order(self._rows(ctx), ctx)

    def probe(self, limits: RequestLimits) -> SourceState:
        """Whether every file is a history that can be read."""
        for paths in self._paths_by_user.values():
            for path in paths:
                try:
                    with opened_history(path):
                        pass
                except (UnknownHistory, OSError) as error:
                    return SourceState(self._source, "browser", "broken", f"{path.name}: {type(error).__name__}")
        return SourceState(self._source, "browser", "ready")

    def _rows(self, ctx: SearchContext) -> Iterator[EvidenceRecord | RecordIssue]:
        for path in self._paths_by_user.get(ctx.user_id, ()):
            check_time(self._source, ctx.limits)
            for row in self._visits(path, ctx):
                check_time(self._source, ctx.limits)
                yield row

    def _visits(self, path: Path, ctx: SearchContext) -> Iterator[EvidenceRecord | RecordIssue]:
        try:
            yield from visit_records(path, self._source, ctx.user_id, ctx.time_zone, ctx.window)
        except UnknownHistory:
            raise SourceUnavailable(self._source, "no_history", is_retryable=False) from None
        except OSError:
            raise SourceUnavailable(self._source, "missing_file", is_retryable=False) from None
