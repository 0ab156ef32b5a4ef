"""Search contexts for tests, and the two kinds of rows that a search gives."""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import datetime

from temporal_recall.schemas.evidence import (
    Axis,
    CancelToken,
    EvidenceRecord,
    RecordIssue,
    RequestLimits,
    SearchContext,
    SearchWindow,
)
from temporal_recall.schemas.plan import Retrieval


def search_context(
    start: str,
    end: str,
    *,
    user_id: str = "u1",
    now: str | None = None,
    axis: Axis = "observed",
    time_zone: str = "Asia/Shanghai",
    fetch_cap: int = 5000,
    seconds: float | None = None,
    keywords: tuple[str, ...] = (),
) -> SearchContext:
    """A context over the window `[start, end)` (ISO 8601 with offsets); `now` is the window's end unless given.

    `seconds` is the time until the deadline, None for none.
    """
    bounds = datetime.fromisoformat(start), datetime.fromisoformat(end)
    return SearchContext(
        user_id=user_id,
        now=datetime.fromisoformat(now or end),
        time_zone=time_zone,
        window=SearchWindow(axis, *bounds),
        mode="AMBIGUOUS",
        retrieval=Retrieval(source="tested", expanded_queries=keywords),
        fetch_cap=fetch_cap,
        limits=RequestLimits(None if seconds is None else time.monotonic() + seconds, CancelToken()),
    )


def records_of(rows: Iterable[object]) -> list[EvidenceRecord]:
    """The records among the rows of a search."""
    return [row for row in rows if isinstance(row, EvidenceRecord)]


def issues_of(rows: Iterable[object]) -> list[RecordIssue]:
    """The issues among the rows of a search."""
    return [row for row in rows if isinstance(row, RecordIssue)]
