"""Adapters for tests: sources that answer, hang, break or count how often they are asked."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import datetime

from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import EvidenceRecord, RecordIssue, SearchContext, SourceCapabilities

NOW = datetime.fromisoformat("2026-09-03T22:00:00+08:00")
USER_ID = "u1"


def record(source: str, number: int, text: str, observed: str, **fields: object) -> EvidenceRecord:
    given = {
        "source": source,
        "source_ref": f"{source}:message:{number}",
        "user_id": USER_ID,
        "observed_time": datetime.fromisoformat(observed),
        "time_zone": "Asia/Shanghai",
        "text": text,
    }
    return EvidenceRecord.model_validate(given | fields)


class ListedSource:
    """Yields the records of whoever asks; does its work in the lane's own thread."""

    def __init__(self, source: str, *rows: EvidenceRecord | RecordIssue, is_in_memory: bool = False) -> None:
        self.source, self.rows = source, rows
        self._is_in_memory = is_in_memory
        self.search_count = 0
        self.is_closed = False

    def capabilities(self) -> SourceCapabilities:
        return SourceCapabilities(axes=frozenset({"observed", "event"}), is_in_memory=self._is_in_memory)

    def search(self, ctx: SearchContext) -> Iterator[EvidenceRecord | RecordIssue]:
        self.search_count += 1
        yield from (r for r in self.rows if isinstance(r, RecordIssue) or r.user_id == ctx.user_id)

    def close(self) -> None:
        self.is_closed = True


class DownSource(ListedSource):
    """A source that refuses, with what it was told to say."""

    def __init__(self, source: str, error: Exception | None = None) -> None:
        super().__init__(source)
        self._error = error or SourceUnavailable(source, "http_503", retry_after_s=3)

    def search(self, ctx: SearchContext) -> Iterator[EvidenceRecord | RecordIssue]:
        self.search_count += 1
        raise self._error
        yield


class HungSource(ListedSource):
    """A source that answers only once `release` is set, or, being polite, once the request is withdrawn."""

    def __init__(self, source: str, *, is_polite: bool = False) -> None:
        super().__init__(source)
        self.release = threading.Event()
        self.started = threading.Event()
        self.withdrawn = threading.Event()
        self._is_polite = is_polite

    def search(self, ctx: SearchContext) -> Iterator[EvidenceRecord | RecordIssue]:
        self.search_count += 1
        self.started.set()
        while not self.release.wait(0.01):
            if self._is_polite and ctx.limits.cancel_token.is_cancelled:
                self.withdrawn.set()
                ctx.limits.cancel_token.raise_if_cancelled()
        yield from ()
