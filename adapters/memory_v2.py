"""Memory V2: a time-bounded search over HTTP. Its records carry a low weight; they are summaries, not sources.

The contract is small (`docs/memory-v2.openapi.yaml`): `GET /v1/memories/search` with `user_id`, `observed_from`
(inclusive), `observed_to` (exclusive), `limit` and `cursor` gives `{"items": […], "next_cursor": …}`, oldest first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from temporal_recall.adapters.bounded_http import BoundedHttp, bearer
from temporal_recall.adapters.hygiene import bounded_text, faulty_fields, is_plausible
from temporal_recall.adapters.numbered_lines import numbered_lines
from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import (
    EvidenceRecord,
    RecordIssue,
    RequestLimits,
    Revision,
    SearchContext,
    SourceCapabilities,
)
from temporal_recall.schemas.feeds import SourceState
from temporal_recall.schemas.time import zone_of

if TYPE_CHECKING:
    import httpx

SEARCH_PATH = "/v1/memories/search"
_PAGE_SIZE = 500


class MemoryItem(BaseModel):
    """One memory; unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    memory_id: str = Field(pattern=r"^[A-Za-z0-9._~-]{1,128}$")
    user_id: str
    created_at: AwareDatetime
    text: str
    time_zone: str | None = None
    revision: Revision = 1
    deleted: bool = False


class MemoryV2Adapter:
    """The memory service of one deployment."""

    def __init__(self, source: str, base_url: str, *, token: str, client: httpx.Client | None = None) -> None:
        self._source = source
        self._http = BoundedHttp(source, base_url, authorization=bearer(token), client=client)

    @property
    def source(self) -> str:
        return self._source

    def capabilities(self) -> SourceCapabilities:
        """Read on the observed axis (when a memory was made), over the network."""
        return SourceCapabilities(uses_network=True)

    def close(self) -> None:
        """Closes the HTTP client, if the adapter made it."""
        self._http.close()

    def search(self, ctx: SearchContext) -> Iterator[EvidenceRecord | RecordIssue]:
        """The memories of `ctx.user_id` made inside the window, oldest first; page by page.

        Raises:
            SourceUnavailable: the service is down, refuses us or is late.
            RecallCancelled: the cancel token was set.
        """
        given: set[str] = set()
        for raw, locator in self._items(ctx) if ctx.user_id else ():
            ctx.limits.cancel_token.raise_if_cancelled()
            row = _row(raw, locator, self._source, ctx)
            if isinstance(row, RecordIssue):
                yield row
            elif row is not None and row.source_ref not in given:
                given.add(row.source_ref)
                yield row
                if len(given) >= ctx.fetch_cap:
                    return

    def probe(self, limits: RequestLimits) -> SourceState:
        """Whether the service answers."""
        try:
            reply = self._http.get("/healthz", {}, limits)
            if reply.status != 200:
                raise self._http.refused(reply)
        except SourceUnavailable as error:
            return SourceState(self._source, "memory_v2", "down", error.reason)
        return SourceState(self._source, "memory_v2", "ready")

    def _items(self, ctx: SearchContext) -> Iterator[tuple[object, str]]:
        start, end = (_iso(bound) for bound in (ctx.window.start, ctx.window.end))
        window = {"user_id": ctx.user_id, "observed_from": start, "observed_to": end, "limit": str(_PAGE_SIZE)}
        cursors: set[str] = set()
        cursor: str | None = None
        while True:
            page = self._page({**window, "cursor": cursor} if cursor else window, ctx.limits)
            for number, raw in enumerate(page["items"], 1):
                yield raw, f"page {len(cursors) + 1} item {number}"
            cursor = page.get("next_cursor")
            if cursor is None:
                return
            if not isinstance(cursor, str) or cursor in cursors:
                raise SourceUnavailable(self._source, "cursor_loop", is_retryable=False)
            cursors.add(cursor)

    def _page(self, params: dict[str, str], limits: RequestLimits) -> dict[str, Any]:
        reply = self._http.get(SEARCH_PATH, params, limits)
        if reply.status != 200:
            raise self._http.refused(reply)
        try:
            page = json.loads(reply.body)
        except (ValueError, RecursionError):
            page = None
        if not isinstance(page, dict) or not isinstance(page.get("items"), list):
            raise SourceUnavailable(self._source, "bad_page")
        return page


def read_memories(path: Path, source: str, user_id: str, time_zone: str) -> Iterator[EvidenceRecord | RecordIssue]:
    """The memories of a file with one item of the contract a line.

    Raises:
        OSError: the file cannot be read.
    """
    for number, line in numbered_lines(path):
        try:
            raw = json.loads(line or b"")
        except (ValueError, RecursionError):
            raw = None
        yield memory_record(raw, f"{path.name}:{number}", source, user_id, time_zone)


def _row(raw: object, locator: str, source: str, ctx: SearchContext) -> EvidenceRecord | RecordIssue | None:
    """The record of an item; None for one that was not asked for; every filter is checked again here."""
    row = memory_record(raw, locator, source, ctx.user_id, ctx.time_zone)
    if isinstance(row, RecordIssue):
        return row
    is_asked_for = ctx.window.start <= row.observed_time < ctx.window.end and not row.is_deleted
    return row if is_asked_for else None


def memory_record(raw: object, locator: str, source: str, user_id: str, time_zone: str) -> EvidenceRecord | RecordIssue:
    """One item of the contract as a record of `user_id`, or the issue that keeps it from being one."""
    try:
        item = MemoryItem.model_validate(raw)
    except ValidationError as error:
        return RecordIssue(source=source, code="invalid_record", locator=locator, detail=faulty_fields(error))
    if item.user_id != user_id:
        return RecordIssue(source=source, code="foreign_user", locator=locator)
    if not is_plausible(item.created_at):
        return RecordIssue(source=source, code="date_out_of_range", locator=locator)
    text, is_cut = bounded_text(item.text)
    return EvidenceRecord(
        source=source,
        source_ref=f"{source}:memory:{item.memory_id}",
        user_id=user_id,
        observed_time=item.created_at,
        time_zone=_zone_name(item.time_zone, time_zone),
        text=text,
        revision=item.revision,
        is_truncated=is_cut,
        is_deleted=item.deleted,
    )


def _zone_name(stated: str | None, user_zone: str) -> str:
    try:
        zone_of(stated or user_zone)
    except ValueError:
        return user_zone
    return stated or user_zone


def _iso(instant: datetime) -> str:
    return instant.astimezone(UTC).isoformat()
