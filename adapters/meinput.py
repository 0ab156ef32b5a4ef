"""MeInput: what a user committed through the input method, read over the evidence export contract.

The contract gives pages or NDJSON under opaque cursors, delivered at least once, with revisions and tombstones.
Every filter that the server was asked for is checked again here.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from temporal_recall.adapters.bounded_http import BoundedHttp, HttpReply, bearer
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
from temporal_recall.schemas.feeds import ChangeContext, Checkpoint, SourceState
from temporal_recall.schemas.time import zone_of

if TYPE_CHECKING:
    import httpx

EXPORT_PATH = "/v1/evidence/export"
INFO_PATH = "/v1/evidence/info"
SEGMENT_TYPE = "expression_segment"
_RESUME_COUNT = 2
_CACHED_PAGES = 64
_MAX_LINE_BYTES = 1024 * 1024

FieldKind = Literal["message", "search", "url", "document", "form", "code", "unknown"]
Outcome = Literal["kept", "sent", "discarded", "unknown"]
_KNOWN_FIELDS, _KNOWN_OUTCOMES = frozenset(get_args(FieldKind)), frozenset(get_args(Outcome))


class _Lenient(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class AppInfo(_Lenient):
    """The application in which the words were typed."""

    id: str
    name: str | None = None


class EvidenceItem(_Lenient):
    """One item of the export; unknown fields are ignored, unknown words of an enumeration read as `unknown`."""

    evidence_id: str = Field(pattern=r"^[A-Za-z0-9._~-]{1,128}$")
    user_id: str
    type: str
    occurred_at: AwareDatetime
    time_zone: str | None = None
    clock: str = "device"
    revision: Revision
    deleted: bool
    text: str | None = None
    text_truncated: bool = False
    app: AppInfo | None = None
    field: Annotated[FieldKind, BeforeValidator(lambda v: v if v in _KNOWN_FIELDS else "unknown")] = "unknown"
    outcome: Annotated[Outcome, BeforeValidator(lambda v: v if v in _KNOWN_OUTCOMES else "unknown")] = "unknown"
    session_id: str | None = None


@dataclass(frozen=True, slots=True)
class _Tail:
    """How a page ended: where to go on, and what to hand to the next read of changes."""

    next_cursor: str | None
    next_since: str | None


_Row = EvidenceItem | RecordIssue
_PageRows = Generator[_Row, None, _Tail]
_Params = dict[str, str]


class MeInputAdapter:
    """The evidence export of one MeInput server. `form` is how pages are asked for: one JSON body, or NDJSON lines."""

    def __init__(
        self,
        source: str,
        base_url: str,
        *,
        token: str,
        client: httpx.Client | None = None,
        form: Literal["json", "ndjson"] = "json",
        page_size: int = 500,
    ) -> None:
        self._source, self._form, self._page_size = source, form, page_size
        self._http = BoundedHttp(source, base_url, authorization=bearer(token), client=client)
        self._pages = _PageCache(_CACHED_PAGES)

    @property
    def source(self) -> str:
        return self._source

    def capabilities(self) -> SourceCapabilities:
        """Read on the observed axis, over the network, with a feed of changes."""
        return SourceCapabilities(uses_network=True, has_changes=True)

    def close(self) -> None:
        """Closes the HTTP client, if the adapter made it."""
        self._http.close()

    def search(self, ctx: SearchContext) -> Iterator[EvidenceRecord | RecordIssue]:
        """The segments that `ctx.user_id` committed inside the window, oldest first, each at its newest revision.

        Paging stops shortly before the deadline; what was read until then is given before the error is raised. Where
        there is nothing, and the user has paused capture, an issue says that silence is not «nothing happened».

        Raises:
            SourceUnavailable: the export is down, refuses us, was cut, or is late.
            RecallCancelled: the cancel token was set.
        """
        if not ctx.user_id:
            return
        reading = _Reading(ctx)
        failure: SourceUnavailable | None = None
        try:
            for row in self._window_rows(ctx):
                reading.take(row)
                if reading.is_full:
                    break
        except SourceUnavailable as error:
            failure = error
        for found in reading.rows(self._source):
            ctx.limits.cancel_token.raise_if_cancelled()
            yield found
        if failure:
            raise failure
        if reading.is_empty and self.probe(ctx.limits).state == "paused":
            yield RecordIssue(source=self._source, code="capture_paused", locator="info")

    def changes(self, ctx: ChangeContext) -> Iterator[EvidenceRecord | RecordIssue | Checkpoint]:
        """What changed since the last checkpoint, tombstones included; without one, everything there is.

        Raises:
            SourceUnavailable: as in `search`; reason `since_expired`: start again with `since=None`.
            RecallCancelled: the cancel token was set.
        """
        params = {"since": ctx.since} if ctx.since else {"include_deleted": "true"}
        tail: _Tail | None = None
        for row in self._all_rows(ctx.user_id, params, ctx.limits):
            if isinstance(row, _Tail):
                tail = row
                continue
            if isinstance(row, EvidenceItem) and row.deleted:
                self._pages.drop(row.evidence_id)
            yield from _change(row, ctx.user_id, ctx.time_zone, self._source)
        if tail and tail.next_since:
            yield Checkpoint(tail.next_since)

    def probe(self, limits: RequestLimits) -> SourceState:
        """Whether the server answers, and whether the user has paused capture."""
        try:
            reply = self._http.get(INFO_PATH, {}, limits)
            if reply.status != 200:
                raise self._refused(reply)
            info = self._json_object(reply.body)
        except SourceUnavailable as error:
            return SourceState(self._source, "meinput", "down" if error.is_retryable else "broken", error.reason)
        return SourceState(self._source, "meinput", "paused" if info.get("paused") else "ready")

    def _window_rows(self, ctx: SearchContext) -> Iterator[_Row]:
        """The rows of the window, which is asked for in parts where the server answers no window as long as it."""
        window = (ctx.window.start, ctx.window.end)
        try:
            yield from self._part_rows(ctx, *window)
        except SourceUnavailable as error:
            if error.reason != "range_too_large":
                raise
            for part in _parts(*window, self._longest_window(ctx.limits)):
                yield from self._part_rows(ctx, *part)

    def _part_rows(self, ctx: SearchContext, start: datetime, end: datetime) -> Iterator[_Row]:
        window = {"occurred_from": _rfc3339(start), "occurred_to": _rfc3339(end)}
        rows = self._all_rows(ctx.user_id, {"type": SEGMENT_TYPE, **window}, ctx.limits)
        return (row for row in rows if not isinstance(row, _Tail))

    def _longest_window(self, limits: RequestLimits) -> timedelta:
        reply = self._http.get(INFO_PATH, {}, limits)
        days = self._json_object(reply.body).get("max_window_days") if reply.status == 200 else None
        if not isinstance(days, int) or days < 1:
            raise SourceUnavailable(self._source, "range_too_large", is_retryable=False)
        return timedelta(days=days)

    def _all_rows(self, user_id: str, filters: _Params, limits: RequestLimits) -> Iterator[_Row | _Tail]:
        """Rows of all pages, then the tail of the last; starts over once where the cursor expired under way."""
        params = {"user_id": user_id, "limit": str(self._page_size), **filters}
        try:
            yield from self._pages_from_start(params, limits)
        except SourceUnavailable as error:
            if error.reason != "cursor_expired":
                raise
            yield from self._pages_from_start(params, limits)

    def _pages_from_start(self, params: _Params, limits: RequestLimits) -> Iterator[_Row | _Tail]:
        page = self._stream_page if self._form == "ndjson" else self._json_page
        seen, cursor = set[str](), None
        while True:
            tail = yield from page({**params, "cursor": cursor} if cursor else params, limits)
            if tail.next_cursor is None:
                yield tail
                return
            if tail.next_cursor in seen:
                raise SourceUnavailable(self._source, "cursor_loop", is_retryable=False)
            seen.add(tail.next_cursor)
            cursor = tail.next_cursor

    def _json_page(self, params: _Params, limits: RequestLimits) -> _PageRows:
        page = self._json_object(self._page_body(params, limits))
        items = page.get("items")
        if not isinstance(items, list):
            raise SourceUnavailable(self._source, "bad_page")
        yield from (_item(raw, f"item {n}", self._source) for n, raw in enumerate(items, 1))
        return self._tail(page)

    def _page_body(self, params: _Params, limits: RequestLimits) -> bytes:
        """The bytes of a page; an unchanged page that is still here is not sent again (ETag)."""
        key = tuple(sorted(params.items()))
        known = self._pages.get(key)
        reply = self._http.get(EXPORT_PATH, params, limits, {"If-None-Match": known.etag} if known else {})
        if reply.status == 304 and known:
            return known.body
        if reply.status != 200:
            raise self._refused(reply)
        if etag := reply.headers.get("etag"):
            self._pages.put(key, _CachedPage(etag, reply.body))
        return reply.body

    def _stream_page(self, params: _Params, limits: RequestLimits) -> _PageRows:
        """A page as NDJSON; a stream that was cut goes on after the last item that told where."""
        for attempt in range(_RESUME_COUNT + 1):
            try:
                return (yield from self._stream_once(params, limits))
            except _CutStream as cut:
                if attempt == _RESUME_COUNT:
                    break
                params = {**params, "cursor": cut.cursor} if cut.cursor else params
        raise SourceUnavailable(self._source, "stream_cut")

    def _stream_once(self, params: _Params, limits: RequestLimits) -> _PageRows:
        cursor: str | None = None
        accept = {"Accept": "application/x-ndjson"}
        try:
            with self._http.open(EXPORT_PATH, params, limits, accept) as (status, headers, chunks):
                if status != 200:
                    raise self._refused(HttpReply(status, headers, b"".join(chunks)))
                for number, line in enumerate(self._lines(chunks), 1):
                    entry = _stream_entry(line)
                    if entry.get("kind") == "end":
                        return self._tail(entry)
                    if entry.get("kind") == "error":
                        raise SourceUnavailable(self._source, _problem_code(entry.get("problem")) or "stream_error")
                    cursor = entry.get("cursor") or cursor
                    if "item" in entry:
                        yield _item(entry["item"], f"line {number}", self._source)
        except SourceUnavailable as error:
            if error.reason != "connection_lost":
                raise
        raise _CutStream(cursor)

    def _lines(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """The lines of a body; the last counts only with its line end, as a cut may fall anywhere."""
        rest = b""
        for chunk in chunks:
            *lines, rest = (rest + chunk).split(b"\n")
            if len(rest) > _MAX_LINE_BYTES:
                raise SourceUnavailable(self._source, "line_too_long", is_retryable=False)
            yield from (line for line in lines if line.strip())

    def _refused(self, reply: HttpReply) -> SourceUnavailable:
        try:
            code = _problem_code(json.loads(reply.body))
        except (ValueError, RecursionError):
            code = None
        return self._http.refused(reply, code)

    def _json_object(self, body: bytes) -> dict[str, Any]:
        try:
            value = json.loads(body)
        except (ValueError, RecursionError):
            raise SourceUnavailable(self._source, "bad_page") from None
        if not isinstance(value, dict):
            raise SourceUnavailable(self._source, "bad_page")
        return value

    def _tail(self, page: Mapping[str, Any]) -> _Tail:
        cursor, since = page.get("next_cursor"), page.get("next_since")
        if bool(page.get("has_more")) != isinstance(cursor, str):
            raise SourceUnavailable(self._source, "bad_page")
        return _Tail(cursor if isinstance(cursor, str) else None, since if isinstance(since, str) else None)


def read_export(path: Path, source: str, user_id: str, time_zone: str) -> Iterator[EvidenceRecord | RecordIssue]:
    """The segments of an export that was saved: NDJSON as the server streams it, or one item a line.

    A stream without its last line was cut: what it has is given, and then an issue.

    Raises:
        OSError: the file cannot be read.
    """
    is_stream, is_whole = False, False
    for number, line in numbered_lines(path):
        locator = f"{path.name}:{number}"
        entry = _stream_entry(line) if line is not None else {}
        is_stream, is_whole = is_stream or "kind" in entry, is_whole or entry.get("kind") == "end"
        if entry.get("kind") not in ("end", "error"):
            row = _item(entry.get("item", entry), locator, source)
            yield from _change(row, user_id, time_zone, source)
    if is_stream and not is_whole:
        yield RecordIssue(source=source, code="stream_cut", locator=path.name, detail="there is no last line")


class _CutStream(Exception):  # an inner signal, never seen outside
    def __init__(self, cursor: str | None) -> None:
        self.cursor = cursor
        super().__init__("the stream ended without its last line")


@dataclass(frozen=True, slots=True)
class _CachedPage:
    etag: str
    body: bytes


class _PageCache:
    """The newest pages by request, to be confirmed by their ETag before each use."""

    def __init__(self, size: int) -> None:
        self._size, self._lock = size, Lock()
        self._pages: OrderedDict[tuple[tuple[str, str], ...], _CachedPage] = OrderedDict()

    def get(self, key: tuple[tuple[str, str], ...]) -> _CachedPage | None:
        with self._lock:
            return self._pages.get(key)

    def put(self, key: tuple[tuple[str, str], ...], page: _CachedPage) -> None:
        with self._lock:
            self._pages[key] = page
            self._pages.move_to_end(key)
            while len(self._pages) > self._size:
                self._pages.popitem(last=False)

    def drop(self, evidence_id: str) -> None:
        """Forgets every page in which the item stands."""
        needle = json.dumps(evidence_id).encode()
        with self._lock:
            for key in [k for k, page in self._pages.items() if needle in page.body]:
                del self._pages[key]


class _Reading:
    """What one search has read so far: the newest revision of each item, and the issues."""

    def __init__(self, ctx: SearchContext) -> None:
        self._ctx = ctx
        self._items: dict[str, EvidenceItem] = {}
        self._issues: list[RecordIssue] = []

    @property
    def is_full(self) -> bool:
        return len(self._items) >= self._ctx.fetch_cap

    @property
    def is_empty(self) -> bool:
        return not self._items and not self._issues

    def take(self, row: _Row) -> None:
        if isinstance(row, RecordIssue):
            self._issues.append(row)
            return
        known = self._items.get(row.evidence_id)
        if row.type == SEGMENT_TYPE and (known is None or row.revision > known.revision):
            self._items[row.evidence_id] = row

    def rows(self, source: str) -> Iterator[EvidenceRecord | RecordIssue]:
        yield from self._issues
        window = self._ctx.window
        for item in sorted(self._items.values(), key=lambda i: (i.occurred_at, i.evidence_id)):
            if not item.deleted and window.start <= item.occurred_at < window.end:
                yield _record(item, source, self._ctx.user_id, self._ctx.time_zone)


def _change(row: _Row, user_id: str, time_zone: str, source: str) -> Iterator[EvidenceRecord | RecordIssue]:
    if isinstance(row, RecordIssue):
        yield row
    elif row.type == SEGMENT_TYPE:
        yield _record(row, source, user_id, time_zone)


def _record(item: EvidenceItem, source: str, user_id: str, user_zone: str) -> EvidenceRecord | RecordIssue:
    if code := _refusal(item, user_id):
        return RecordIssue(source=source, code=code, locator=f"evidence {item.evidence_id}")
    text, is_cut = bounded_text(item.text or "")
    return EvidenceRecord(
        source=source,
        source_ref=f"{source}:segment:{item.evidence_id}",
        user_id=user_id,
        observed_time=item.occurred_at,
        time_zone=_zone_name(item, user_zone),
        text=text,
        revision=item.revision,
        app=(item.app.name or item.app.id) if item.app else None,
        thread_id=item.session_id,
        outcome=item.outcome,
        field_kind=item.field,
        is_truncated=item.text_truncated or is_cut,
        is_deleted=item.deleted,
    )


def _refusal(item: EvidenceItem, user_id: str) -> str | None:
    """The code of what keeps an item from being a record of the user; None for one that may be."""
    if item.user_id != user_id:
        return "foreign_user"
    if not is_plausible(item.occurred_at):
        return "date_out_of_range"
    return "text_withheld" if item.text is None and not item.deleted else None


def _zone_name(item: EvidenceItem, user_zone: str) -> str:
    """The zone of the device: as named, else the user's where its offset agrees or the clock was replaced."""
    if item.time_zone:
        try:
            zone_of(item.time_zone)
        except ValueError:
            pass
        else:
            return item.time_zone
    offset = item.occurred_at.utcoffset() or timedelta()
    is_unknown = item.clock == "server" or not offset
    if is_unknown or item.occurred_at.astimezone(zone_of(user_zone)).utcoffset() == offset:
        return user_zone
    return item.occurred_at.isoformat()[-6:]


def _item(raw: object, locator: str, source: str) -> _Row:
    try:
        return EvidenceItem.model_validate(raw)
    except ValidationError as error:
        return RecordIssue(source=source, code="invalid_record", locator=locator, detail=faulty_fields(error))


def _problem_code(problem: object) -> str | None:
    code = problem.get("code") if isinstance(problem, dict) else None
    return code if isinstance(code, str) and code.isascii() and code.isidentifier() and len(code) < 40 else None


def _stream_entry(line: bytes) -> dict[str, Any]:
    """One line of a stream; a line that is no object stands for an item that cannot be read."""
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        entry = None
    return entry if isinstance(entry, dict) else {"kind": "item", "item": None}


def _parts(start: datetime, end: datetime, longest: timedelta) -> Iterator[tuple[datetime, datetime]]:
    while start < end:
        yield start, min(start + longest, end)
        start += longest


def _rfc3339(instant: datetime) -> str:
    return instant.astimezone(UTC).isoformat().replace("+00:00", "Z")
