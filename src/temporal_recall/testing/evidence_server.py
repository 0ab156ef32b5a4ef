"""A small MeInput evidence server by the contract: FastAPI over SQLite. For demo, tests and load tests.

store = EvidenceStore()
store.put([evidence_item("e1", "u1", "2026-09-02T14:30:00+08:00", "明天下午三点和张总签合同")])
with running(evidence_app(store, {"secret": Subject("u1")})) as url: ...
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse

from temporal_recall.testing.evidence_store import EvidenceFilter, EvidenceStore, StoredItem, epoch_us
from temporal_recall.testing.faults import FaultSwitch, FaultyApp

if TYPE_CHECKING:
    from temporal_recall.testing.faults import App

MAX_LIMIT = 1000
AS_OF_LAG = timedelta(seconds=5)
CURSOR_LIFE = timedelta(hours=24)
SINCE_LIFE = timedelta(days=30)
_PAGE_HEADERS = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Accept"}
_WINDOW_PARAMETERS = ("occurred_from", "occurred_to", "order", "q")
_KNOWN_PARAMETERS = frozenset(
    {"user_id", "type", "since", "app", "include_deleted", "limit", "cursor", *_WINDOW_PARAMETERS}
)


@dataclass(frozen=True, slots=True)
class Subject:
    """Whom a token stands for: one user, or a worker (None) who names the user in each request."""

    user_id: str | None


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """What the server tells in `info`, and the longest window that it answers (None: any)."""

    max_window_days: int | None = None
    is_paused: bool = False


class Problem(Exception):
    """An RFC 9457 answer. `detail` never carries evidence text."""

    def __init__(self, status: int, code: str, detail: str = "", headers: Mapping[str, str] | None = None) -> None:
        self.status, self.code, self.detail, self.headers = status, code, detail, dict(headers or {})
        super().__init__(code)


@dataclass(frozen=True)
class _Read:
    """One export request, checked. `place` is where the page begins (order of time), `change_no` (order of change)."""

    wanted: EvidenceFilter
    limit: int
    as_of: datetime
    is_change_read: bool = False
    is_newest_first: bool = False
    place: tuple[int, str] | None = None
    change_no: int = 0


@dataclass(frozen=True)
class _Page:
    items: list[StoredItem]
    has_more: bool
    next_cursor: str | None
    next_since: str | None
    as_of: str


@dataclass
class EvidenceServer:
    """The contract's two routes. `clock` tells the server's now; `secret` signs its cursors."""

    store: EvidenceStore
    subjects: Mapping[str, Subject]
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    limits: ServerLimits = ServerLimits()
    secret: bytes = b"evidence"
    request_count: int = field(default=0, init=False)
    not_modified_count: int = field(default=0, init=False)

    def info(self, request: Request) -> Response:
        """What this server can do."""
        self._subject(request)
        return JSONResponse(
            {
                "schema_version": 1,
                "types": ["expression_segment"],
                "filters": ["app", "q", "include_deleted", "since"],
                "formats": ["application/json", "application/x-ndjson"],
                "max_limit": MAX_LIMIT,
                "max_window_days": self.limits.max_window_days,
                "retention_days": None,
                "paused": self.limits.is_paused,
            }
        )

    def export(self, request: Request) -> Response:
        """A page of evidence, as JSON or NDJSON."""
        self.request_count += 1
        form = _form(request.headers.get("accept", "*/*"))
        user_id = self._user_id(request)
        read = self._read(request, user_id)
        page = self._page(read, _fingerprint(request, user_id))
        headers = {
            "Cache-Control": "private, no-cache",
            "Vary": "Authorization, Accept",
            "X-Request-Id": uuid.uuid4().hex,
        }
        if form == "application/x-ndjson":
            lines = self._stream(page, read, _fingerprint(request, user_id))
            return StreamingResponse(lines, media_type=form, headers=headers)
        body = json.dumps(_page_body(page), ensure_ascii=False).encode()
        headers["ETag"] = f'"{hashlib.sha256(user_id.encode() + body).hexdigest()[:32]}"'
        if request.headers.get("if-none-match") == headers["ETag"]:
            self.not_modified_count += 1
            return Response(status_code=304, headers=headers)
        return Response(body, media_type=form, headers=headers)

    def _subject(self, request: Request) -> Subject:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        subject = self.subjects.get(token)
        if scheme.lower() != "bearer" or subject is None:
            raise Problem(401, "unauthenticated", headers={"WWW-Authenticate": "Bearer"})
        return subject

    def _user_id(self, request: Request) -> str:
        subject, named = self._subject(request), request.query_params.get("user_id")
        if subject.user_id is None and not named:
            raise Problem(400, "invalid_parameter", "a worker token needs user_id")
        if subject.user_id is not None and named not in (None, subject.user_id):
            raise Problem(403, "forbidden", "user_id is not the token's")
        return subject.user_id or str(named)

    def _read(self, request: Request, user_id: str) -> _Read:
        query = request.query_params
        if unknown := set(query) - _KNOWN_PARAMETERS:
            raise Problem(400, "invalid_parameter", f"unknown: {', '.join(sorted(unknown))}")
        since = query.get("since")
        if since is not None and (clash := [name for name in _WINDOW_PARAMETERS if name in query]):
            raise Problem(400, "invalid_parameter", f"since excludes {', '.join(clash)}")
        state = self._opened(query.get("cursor"), _fingerprint(request, user_id), "cursor")
        as_of = datetime.fromisoformat(state["as_of"]) if state else self._as_of(user_id)
        wanted = self._filter(request, user_id, as_of, has_deleted=since is not None)
        limit = _limit(query.get("limit", "200"))
        if since is not None:
            start = state["no"] if state else self._opened(since, user_id, "since")["no"]
            return _Read(wanted, limit, as_of, is_change_read=True, change_no=start)
        place = (state["us"], state["id"]) if state else None
        return _Read(wanted, limit, as_of, is_newest_first=_is_newest_first(query.get("order", "asc")), place=place)

    def _as_of(self, user_id: str) -> datetime:
        """The snapshot: the user's last change that is 5 s old, so that an unchanged page keeps its bytes."""
        until = self.clock() - AS_OF_LAG
        newest = self.store.last_update_us(user_id, epoch_us(until))
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=newest or 0)

    def _filter(self, request: Request, user_id: str, as_of: datetime, *, has_deleted: bool) -> EvidenceFilter:
        query = request.query_params
        start, end = (_instant(query.get(name), name) for name in ("occurred_from", "occurred_to"))
        if start and end and not start < end:
            raise Problem(400, "invalid_range", "occurred_from is not before occurred_to")
        days = self.limits.max_window_days
        if days is not None and start and end and end - start > timedelta(days=days):
            raise Problem(400, "range_too_large", f"at most {days} days")
        return EvidenceFilter(
            user_id=user_id,
            from_us=epoch_us(start) if start else None,
            to_us=epoch_us(end) if end else None,
            types=_names(query.get("type")),
            apps=_names(query.get("app")),
            words=tuple(query.getlist("q")),
            has_deleted=has_deleted or _flag(query.get("include_deleted", "false")),
            recorded_until_us=epoch_us(as_of),
        )

    def _page(self, read: _Read, fingerprint: str) -> _Page:
        if read.is_change_read:
            found = self.store.changes(read.wanted, read.change_no, epoch_us(read.as_of), read.limit + 1)
        else:
            found = self.store.page(read.wanted, read.place, read.limit + 1, is_newest_first=read.is_newest_first)
        items, has_more = found[: read.limit], len(found) > read.limit
        cursor = self._cursor(items[-1], read, fingerprint) if has_more else None
        since = None if has_more else self._since(read)
        return _Page(items, has_more, cursor, since, read.as_of.isoformat().replace("+00:00", "Z"))

    def _since(self, read: _Read) -> str:
        user_id = read.wanted.user_id
        last = self.store.last_change_no(user_id, epoch_us(read.as_of))
        return self._sealed({"no": last, "made": self._hour()}, user_id)

    def _cursor(self, last: StoredItem, read: _Read, fingerprint: str) -> str:
        place = {"no": last.change_no} if read.is_change_read else {"us": last.occurred_us, "id": last.evidence_id}
        # the instant of the snapshot, not of now, so that the same page has the same bytes
        return self._sealed({**place, "as_of": read.as_of.isoformat(), "made": self._hour()}, fingerprint)

    def _hour(self) -> str:
        return self.clock().replace(minute=0, second=0, microsecond=0).isoformat()

    def _stream(self, page: _Page, read: _Read, fingerprint: str) -> Iterator[str]:
        for stored in page.items:
            cursor = self._cursor(stored, read, fingerprint)
            yield json.dumps({"kind": "item", "item": stored.item, "cursor": cursor}, ensure_ascii=False) + "\n"
        end = {"kind": "end", "count": len(page.items), "has_more": page.has_more, "next_cursor": page.next_cursor}
        yield json.dumps({**end, "next_since": page.next_since, "as_of": page.as_of}) + "\n"

    def _sealed(self, state: Mapping[str, Any], bound_to: str) -> str:
        payload = json.dumps(state, separators=(",", ":")).encode()
        return base64.urlsafe_b64encode(self._seal(payload, bound_to) + payload).decode().rstrip("=")

    def _opened(self, token: str | None, bound_to: str, name: str) -> dict[str, Any]:
        """The state in a token of ours; empty without one."""
        if token is None:
            return {}
        try:
            raw = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
        except (binascii.Error, ValueError):
            raw = b""
        seal, payload = raw[:16], raw[16:]
        if not hmac.compare_digest(seal, self._seal(payload, bound_to)):
            raise Problem(400, "invalid_cursor", f"{name} is not of this subject and these filters")
        state: dict[str, Any] = json.loads(payload)
        life = CURSOR_LIFE if name == "cursor" else SINCE_LIFE
        if self.clock() - datetime.fromisoformat(state["made"]) > life + timedelta(hours=1):
            raise Problem(410, f"{name}_expired")
        return state

    def _seal(self, payload: bytes, bound_to: str) -> bytes:
        return hmac.digest(self.secret, bound_to.encode() + b"\0" + payload, "sha256")[:16]


def evidence_app(server: EvidenceServer, switch: FaultSwitch | None = None) -> App:
    """The ASGI application of a server; `switch` makes its answers fail on demand."""
    app = FastAPI(title="MeInput evidence export", openapi_url=None)
    app.get("/v1/evidence/info")(server.info)
    app.get("/v1/evidence/export")(server.export)
    app.exception_handler(Problem)(_problem_answer)
    return FaultyApp(app, switch or FaultSwitch())


def evidence_item(evidence_id: str, user_id: str, occurred_at: str, text: str, **more: Any) -> dict[str, Any]:
    """An item of the contract's `Evidence` schema with everything required filled in; `more` overrides."""
    recorded = datetime.fromisoformat(occurred_at).astimezone(UTC).isoformat()
    return {
        "evidence_id": evidence_id,
        "user_id": user_id,
        "type": "expression_segment",
        "occurred_at": occurred_at,
        "recorded_at": recorded,
        "updated_at": recorded,
        "revision": 1,
        "deleted": False,
        "text": text,
        "text_chars": len(text),
        **more,
    }


def _problem_answer(request: Request, problem: Exception) -> JSONResponse:
    assert isinstance(problem, Problem)
    body = {"type": "about:blank", "title": problem.code.replace("_", " "), "status": problem.status}
    return JSONResponse(
        {**body, "code": problem.code, "detail": problem.detail, "request_id": uuid.uuid4().hex},
        status_code=problem.status,
        headers=problem.headers,
        media_type="application/problem+json",
    )


def _page_body(page: _Page) -> dict[str, Any]:
    rest = {"has_more": page.has_more, "next_cursor": page.next_cursor, "next_since": page.next_since}
    return {"items": [stored.item for stored in page.items], **rest, "as_of": page.as_of}


def _fingerprint(request: Request, user_id: str) -> str:
    """Subject and filters of a request in one line: what a cursor is bound to (`limit` may change)."""
    filters = sorted((k, v) for k, v in request.query_params.multi_items() if k not in ("cursor", "limit", "user_id"))
    return json.dumps([user_id, filters])


def _form(accept: str) -> str:
    kinds = {part.split(";")[0].strip() for part in accept.split(",")}
    for form in ("application/x-ndjson", "application/json"):
        if form in kinds:
            return form
    if kinds & {"*/*", "application/*"}:
        return "application/json"
    raise Problem(406, "not_acceptable")


def _instant(text: str | None, name: str) -> datetime | None:
    if text is None:
        return None
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        raise Problem(400, "invalid_parameter", f"{name} is no RFC 3339 date-time") from None
    if instant.tzinfo is None:
        raise Problem(400, "invalid_parameter", f"{name} has no offset")
    return instant


def _limit(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MAX_LIMIT:
        raise Problem(400, "invalid_parameter", f"limit is 1 to {MAX_LIMIT}")
    return int(text)


def _flag(text: str) -> bool:
    if text not in ("true", "false"):
        raise Problem(400, "invalid_parameter", "include_deleted is true or false")
    return text == "true"


def _is_newest_first(text: str) -> bool:
    if text not in ("asc", "desc"):
        raise Problem(400, "invalid_parameter", "order is asc or desc")
    return text == "desc"


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(name for name in (text or "").split(",") if name)
