"""Files into the embedded store: one reader a kind, in flat memory, and a report of what was read, skipped and why.

Importing a file twice changes nothing the second time. A calendar file is whole by itself: what was in it before and is
not any more is removed from the store. Other files only add and change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import chain, islice
from pathlib import Path

from temporal_recall.adapters.embedded_store import EmbeddedStore, PutCount
from temporal_recall.schemas.errors import InvalidRequest, SourceUnavailable
from temporal_recall.schemas.evidence import EvidenceRecord, RecordIssue, RequestLimits, SearchContext, SearchWindow
from temporal_recall.schemas.plan import Retrieval

BATCH_ROWS = 2_000
KEPT_ISSUES = 100
"""How many issues a report keeps one by one; it counts all of them."""
CALENDAR_PAST, CALENDAR_FUTURE = timedelta(days=3650), timedelta(days=730)
"""How far around now the occurrences of a calendar are written out."""
_ALL_TIME = (datetime(1900, 1, 1, tzinfo=UTC), datetime(2200, 1, 1, tzinfo=UTC))

REPAIRS = frozenset({"guessed_encoding", "missing_view", "swapped_bounds", "unknown_zone"})
"""Codes of issues that cost nothing: what they tell of was read all the same."""

CUT = "unreadable"
"""Code of the issue that says that a file was read no further."""

Row = EvidenceRecord | RecordIssue


@dataclass(frozen=True, slots=True)
class ImportRequest:
    """What is to be imported. `user_id` owns what the file does not give to another; `now` bounds recurrences."""

    kind: str
    path: Path
    now: datetime
    user_id: str = "local"
    time_zone: str = "Asia/Shanghai"


@dataclass
class ImportReport:
    """What became of a file: rows read, and of the usable ones what was new, changed, there already, or gone.

    `skipped` counts by code what could not be used, `noted` what was used with a repair; `issues` are the first of
    both, each with its file and position.
    """

    kind: str
    file: str
    read: int = 0
    put: PutCount = field(default_factory=PutCount)
    removed: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    noted: Counter[str] = field(default_factory=Counter)
    issues: list[RecordIssue] = field(default_factory=list)

    @property
    def summary(self) -> dict[str, object]:
        """The report as plain values, for JSON."""
        return {
            "kind": self.kind,
            "file": self.file,
            "read": self.read,
            "new": self.put.new,
            "changed": self.put.changed,
            "unchanged": self.put.unchanged,
            "removed": self.removed,
            "skipped": dict(sorted(self.skipped.items())),
            "noted": dict(sorted(self.noted.items())),
            "issues": [issue.model_dump(exclude={"source"}) for issue in self.issues],
        }


def import_file(
    request: ImportRequest, store: EmbeddedStore, on_progress: Callable[[int], None] | None = None
) -> ImportReport:
    """Reads a file of a kind into the store; what it cannot use is counted and named, and the rest is kept.

    Args:
        on_progress: told how many rows were read, after each batch.

    Raises:
        InvalidRequest: no such kind, or a file that cannot be read at all; nothing was kept of it then.
    """
    report = ImportReport(request.kind, request.path.name)
    kept: set[str] = set()
    for batch in _batches(_rows(request)):
        records = [row for row in batch if isinstance(row, EvidenceRecord)]
        _count(report, batch)
        report.put += store.put(records, _origin(request))
        if request.kind == "calendar":
            kept.update(record.source_ref for record in records)
        if on_progress is not None:
            on_progress(report.read)
    if request.kind == "calendar" and CUT not in report.skipped:  # what was not read may well be there still
        report.removed = store.forget_others(request.user_id, "calendar", _origin(request), kept)
    return report


def _batches(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while batch := list(islice(rows, BATCH_ROWS)):
        yield batch


def _origin(request: ImportRequest) -> str:
    return f"{request.kind}:{request.path.name}"


def _count(report: ImportReport, batch: Iterable[Row]) -> None:
    for row in batch:
        if isinstance(row, EvidenceRecord):
            report.read += 1
        else:
            report.read += row.code not in REPAIRS
            (report.noted if row.code in REPAIRS else report.skipped)[row.code] += 1
            if len(report.issues) < KEPT_ISSUES:
                report.issues.append(row)


def _rows(request: ImportRequest) -> Iterator[Row]:
    """The rows of the file. A file that fails before its first row is refused; one that fails later is cut there."""
    if request.kind not in READERS:
        raise InvalidRequest("kind", request.kind, ", ".join(READERS))
    if not request.path.exists():
        raise InvalidRequest("path", str(request.path), "a file that is there")
    rows = READERS[request.kind](request)
    try:
        first = next(rows, None)
    except (OSError, ValueError, SourceUnavailable) as error:
        raise InvalidRequest("path", str(request.path), f"a readable {request.kind} file ({_why(error)})") from None
    return chain(() if first is None else (first,), _until_it_breaks(rows, request))


def _until_it_breaks(rows: Iterator[Row], request: ImportRequest) -> Iterator[Row]:
    try:
        yield from rows
    except (OSError, SourceUnavailable) as error:
        yield RecordIssue(source=request.kind, code=CUT, locator=request.path.name, detail=_why(error))


def _why(error: Exception) -> str:
    """The reason in words that hold nothing of the file."""
    if isinstance(error, SourceUnavailable):
        return error.reason
    return (error.strerror or "unreadable") if isinstance(error, OSError) else str(error)


def _records(request: ImportRequest) -> Iterator[Row]:
    from temporal_recall.adapters.records_file import read_records

    return read_records(request.path, request.user_id)


def _meinput(request: ImportRequest) -> Iterator[Row]:
    from temporal_recall.adapters.meinput import read_export

    return read_export(request.path, "meinput", request.user_id, request.time_zone)


def _chat(request: ImportRequest) -> Iterator[Row]:
    """What the user may see of a Portal database that is an SQLite file."""
    from sqlalchemy import URL

    from temporal_recall.adapters.portal_chat import PortalChatAdapter

    address = URL.create("sqlite", database=str(request.path))
    adapter = PortalChatAdapter("chat", url=address.render_as_string())
    try:
        yield from adapter.search(_everything(request))
    finally:
        adapter.close()


def _calendar(request: ImportRequest) -> Iterator[Row]:
    from temporal_recall.adapters.calendar_ics import CalendarIcsAdapter

    window = (request.now - CALENDAR_PAST, request.now + CALENDAR_FUTURE)
    adapter = CalendarIcsAdapter("calendar", {request.user_id: [request.path]})
    return adapter.search(_everything(request, SearchWindow("event", *window)))


def _memory(request: ImportRequest) -> Iterator[Row]:
    from temporal_recall.adapters.memory_v2 import read_memories

    return read_memories(request.path, "memory_v2", request.user_id, request.time_zone)


def _activity(request: ImportRequest) -> Iterator[Row]:
    from temporal_recall.adapters.activity import read_segments
    from temporal_recall.adapters.activity_watch import activity_records

    segments = read_segments(request.path, request.user_id)
    return activity_records(segments, "activity", request.user_id, request.time_zone)


def _browser(request: ImportRequest) -> Iterator[Row]:
    from temporal_recall.adapters.browser_history import visit_records

    return visit_records(request.path, "browser", request.user_id, request.time_zone)


def _everything(request: ImportRequest, window: SearchWindow | None = None) -> SearchContext:
    return SearchContext(
        user_id=request.user_id,
        now=request.now,
        time_zone=request.time_zone,
        window=window or SearchWindow("observed", *_ALL_TIME),
        mode="AMBIGUOUS",
        retrieval=Retrieval(source=request.kind),
        fetch_cap=2**31,
        limits=RequestLimits(),
    )


READERS: Mapping[str, Callable[[ImportRequest], Iterator[Row]]] = {
    "records": _records,
    "meinput": _meinput,
    "chat": _chat,
    "calendar": _calendar,
    "memory_v2": _memory,
    "activity": _activity,
    "browser": _browser,
}
"""How each kind of file is read."""
