"""Records file: JSON lines of any sources together, the embedded input and the import format.

One line a record: `id`, `source`, `observed_time` (ISO 8601 with offset) and `text`; further `revision`, `deleted`,
`role`, `author`, `app`, `session_id`, `time_zone`, `outcome`, and for a stated event `start`, `end`, `title`,
`attendees`, `location`, `status`. `source_ref` is `<source>:<kind>:<id>`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from temporal_recall.adapters.hygiene import faulty_fields, has_plausible_times
from temporal_recall.adapters.numbered_lines import MAX_LINE_BYTES, numbered_lines
from temporal_recall.schemas.errors import InvalidRequest
from temporal_recall.schemas.evidence import (
    EvidenceRecord,
    RecordIssue,
    SearchContext,
    SearchWindow,
    SourceCapabilities,
    SourceEvent,
)
from temporal_recall.schemas.time import zone_of

KIND_BY_SOURCE: Mapping[str, str] = {
    "meinput": "segment",
    "chat": "message",
    "calendar": "event",
    "memory_v2": "memory",
}
"""The middle part of a `source_ref`; other sources have `record`."""


def read_records(path: Path, user_id: str) -> Iterator[EvidenceRecord | RecordIssue]:
    """The records of a file in its order, lazily; a broken line is an issue that names its number.

    A line without `time_zone` takes the offset of its `observed_time`; one without `user_id` belongs to `user_id`.

    Raises:
        InvalidRequest: the file cannot be opened.
    """
    try:
        for number, line in numbered_lines(path):
            yield _record(line, f"{path.name}:{number}", user_id)
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise InvalidRequest("records", str(path), f"a readable file of JSON lines ({reason})") from error


def _record(line: bytes | None, locator: str, user_id: str) -> EvidenceRecord | RecordIssue:
    if line is None:
        return _issue("line_too_long", locator, f"allowed: {MAX_LINE_BYTES} bytes")
    try:
        row = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return _issue("not_utf8", locator, "the line is not UTF-8 text")
    except (ValueError, RecursionError):
        return _issue("not_json", locator, "the line is not a JSON object")
    if not isinstance(row, dict):
        return _issue("not_json", locator, "the line is not a JSON object")
    try:
        record = record_from_row(row, user_id)
    except ValidationError as error:
        return _issue("invalid_record", locator, faulty_fields(error))
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        detail = f"{error.args[0]} is missing" if isinstance(error, KeyError) else "a field has the wrong form"
        return _issue("invalid_record", locator, detail)
    return record if has_plausible_times(record) else _issue("date_out_of_range", locator, "allowed: 1900 to 2199")


def _issue(code: str, locator: str, detail: str) -> RecordIssue:
    return RecordIssue(source="records", code=code, locator=locator, detail=detail)


def record_from_row(row: Mapping[str, Any], user_id: str) -> EvidenceRecord:
    """One row of a records file as evidence; unknown fields are left alone.

    Raises:
        KeyError, ValueError, pydantic.ValidationError: a field is missing or has the wrong form.
    """
    if row["id"] in (None, ""):
        raise KeyError("id")
    source, observed = row["source"], datetime.fromisoformat(row["observed_time"])
    return EvidenceRecord(
        source=source,
        source_ref=f"{source}:{KIND_BY_SOURCE.get(source, 'record')}:{row['id']}",
        user_id=row.get("user_id") or user_id,
        observed_time=observed,
        time_zone=row.get("time_zone") or _offset_of(observed),
        text=row.get("text") or "",
        revision=row.get("revision", 1),
        is_deleted=row.get("deleted", False),
        role=row.get("role"),
        author=row.get("author"),
        app=row.get("app"),
        thread_id=row.get("session_id"),
        outcome=row.get("outcome", "unknown"),
        field_kind=row.get("field", "unknown"),
        event=_event(row) if row.get("start") else None,
    )


def _offset_of(observed: datetime) -> str:
    offset = observed.strftime("%z")
    return f"{offset[:3]}:{offset[3:5]}" if offset else "no offset"


def _event(row: Mapping[str, Any]) -> SourceEvent:
    return SourceEvent(
        start=_bound(row["start"]),
        end=_bound(row["end"]) if row.get("end") else None,
        title=row.get("title") or "",
        attendees=tuple(row.get("attendees") or ()),
        location=row.get("location"),
        status=row.get("status") or "confirmed",
    )


def _bound(text: str) -> datetime | date:
    return date.fromisoformat(text) if len(text) == len("2026-09-03") else datetime.fromisoformat(text)


class EmbeddedSource:
    """One source whose records lie in memory, oldest first."""

    def __init__(self, source: str, records: Iterable[EvidenceRecord]) -> None:
        self._source = source
        self._records = sorted(records, key=lambda r: (r.observed_time, r.source_ref))

    @property
    def source(self) -> str:
        return self._source

    def capabilities(self) -> SourceCapabilities:
        """Both axes, from memory."""
        return SourceCapabilities(axes=frozenset({"observed", "event"}), is_in_memory=True)

    def search(self, ctx: SearchContext) -> Iterator[EvidenceRecord | RecordIssue]:
        """The user's records inside the window, oldest first, no more than the cap."""
        inside = (r for r in self._records if r.user_id == ctx.user_id and _is_inside(r, ctx.window))
        for record in islice(inside, ctx.fetch_cap):
            ctx.limits.cancel_token.raise_if_cancelled()
            yield record

    def close(self) -> None:
        """Nothing is held."""


def _is_inside(record: EvidenceRecord, window: SearchWindow) -> bool:
    if window.axis == "observed":
        return window.start <= record.observed_time < window.end
    if record.event is None:
        return False
    start = _instant(record.event.start, record.time_zone)
    end = _instant(record.event.end, record.time_zone) if record.event.end else start
    return start < window.end and (start >= window.start or end > window.start)


def _instant(bound: datetime | date, zone_name: str) -> datetime:
    instant = bound if isinstance(bound, datetime) else datetime.combine(bound, datetime.min.time())
    return instant if instant.tzinfo else instant.replace(tzinfo=zone_of(zone_name))


def embedded_sources(records: Iterable[EvidenceRecord]) -> dict[str, EmbeddedSource]:
    """The records as one in-memory source for each source name among them, by name."""
    by_source: dict[str, list[EvidenceRecord]] = {}
    for record in records:
        by_source.setdefault(record.source, []).append(record)
    return {name: EmbeddedSource(name, rows) for name, rows in sorted(by_source.items())}
