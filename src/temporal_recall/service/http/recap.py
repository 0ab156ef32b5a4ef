"""Recap's routes: the cached diary, its generation as a stream, the projection for agents, facts and uploads."""

# annotations are left as objects here: FastAPI reads them, and some are made inside a function
import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.types import Receive, Scope, Send

from temporal_recall.adapters.activity import UnreadableRow, segment_of_row
from temporal_recall.dataflows.recap.windows import recap_window_of, require_agreement
from temporal_recall.schemas.evidence import MAX_USER_ID_CHARS, RecordIssue, is_user_id
from temporal_recall.schemas.recap import (
    WINDOW_VERSION,
    RecapError,
    RecapFact,
    RecapOut,
    RecapWindow,
    RecapWindowError,
    Segment,
    WindowKind,
)
from temporal_recall.service.config import HttpConfig
from temporal_recall.service.http.auth import Authenticator
from temporal_recall.service.http.limits import Shares
from temporal_recall.service.http.problems import HttpProblem, guarded_route, problem_response
from temporal_recall.service.recap.generation import GenerationRun, RecapEvent
from temporal_recall.service.recap.service import RecapService

STREAM_HEADERS = {"Cache-Control": "no-cache, no-store", "X-Accel-Buffering": "no"}
PRIVATE_HEADERS = {"Cache-Control": "private, no-store"}
MAX_UPLOAD_BYTES = 4 * 1024 * 1024

_STATUS_BY_CODE = {"generation_in_progress": 409, "not_configured": 503, "not_found": 404}


class Fact(BaseModel):
    """A fact or correction for one day; `start` and `end` are clock times of that day."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[str, Field(min_length=1, max_length=1000)]
    start: Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")] | None = None
    end: Annotated[str, Field(pattern=r"^([01]\d|2[0-4]):[0-5]\d$")] | None = None


class Facts(BaseModel):
    """All facts of one day; writing them replaces what was there."""

    model_config = ConfigDict(extra="forbid")

    facts: Annotated[list[Fact], Field(max_length=100)]


class Upload(BaseModel):
    """Segments of the caller's own devices, each with the fields of RECAP's data model."""

    model_config = ConfigDict(extra="forbid")

    segments: Annotated[list[dict[str, Any]], Field(max_length=5000)]


class UploadReport(BaseModel):
    """How many activities were written, and how many segments were refused, by reason."""

    written_count: int
    refused: dict[str, int]


def _window(
    local_date: Annotated[str, Query(description="yyyy-MM-dd, required")] = "",
    time_zone: Annotated[str, Query(description="IANA id, required")] = "",
    start: Annotated[str | None, Query(description="if sent, must be what this server computes")] = None,
    end_exclusive: Annotated[str | None, Query(description="if sent, must be what this server computes")] = None,
    version: int = WINDOW_VERSION,
    kind: str = "day",
    day_start_hour: int = 0,
) -> RecapWindow:
    """The window of a request, recomputed here from date and zone.

    Raises:
        HttpProblem: 422 with the code of what is wrong.
    """
    try:
        window = recap_window_of(
            local_date, time_zone, kind=_kind(kind), day_start_hour=day_start_hour, version=version
        )
        require_agreement(window, _instant("start", start), _instant("end_exclusive", end_exclusive))
    except RecapWindowError as error:
        raise _problem(error) from error
    return window


def _kind(kind: str) -> WindowKind:
    match kind:
        case "day" | "week" | "month":
            return kind
    raise RecapWindowError("unsupported_window_version", f"kind is {kind[:20]!r}; allowed: day, week, month")


def _instant(name: str, text: str | None) -> datetime | None:
    try:
        return None if text is None else datetime.fromisoformat(text.replace(" ", "+"))
    except ValueError:
        raise RecapWindowError("calendar_rules_mismatch", f"{name} is no ISO 8601 instant") from None


AskedWindow = Annotated[RecapWindow, Depends(_window)]


def create_recap_router(
    recap: Callable[[], RecapService],
    *,
    user_id: Callable[..., Any],
    may_view: Callable[[str, str], bool] | None = None,
    http: HttpConfig | None = None,
    max_body_bytes: int = MAX_UPLOAD_BYTES,
) -> APIRouter:
    """Recap's routes under `/api/v1`.

    Args:
        recap: gives the application's one service when a request comes.
        user_id: a FastAPI dependency that gives the caller's user id, or raises.
        may_view: whether a viewer may read the cached diaries of an owner; without it nobody but the owner may.
        http: limits per user and of all; a diary takes its place until it is written.
        max_body_bytes: limit of request bodies.
    """
    shares = Shares(http or HttpConfig())
    guarded = guarded_route(max_body_bytes, shares.check_places)
    router = APIRouter(prefix="/api/v1", route_class=guarded, tags=["recap"])
    user_id = _admitted(user_id, shares)
    _add_diaries(router, recap, user_id)
    _add_generation(router, recap, user_id)
    _add_records(router, recap, user_id)
    _add_facts(router, recap, user_id)
    if may_view is not None:
        _add_public_diary(router, recap, user_id, may_view)
    return router


def _add_diaries(router: APIRouter, recap: Callable[[], RecapService], user_id: Callable[..., Any]) -> None:
    @router.get("/recaps/daily", summary="The cached diary of a day, week or month")
    def daily(owner_id: Annotated[str, Depends(user_id)], asked: AskedWindow) -> RecapOut:
        """What was written, or that nothing was; asks no model and writes nothing."""
        return recap().read(owner_id, asked)

    @router.get("/recaps/on-this-day", summary="The same date in earlier years")
    def on_this_day(
        owner_id: Annotated[str, Depends(user_id)],
        month_day: Annotated[str, Query(description="MM-dd")] = "",
        time_zone: str = "",
        years: int = 10,
    ) -> list[RecapOut]:
        """Cached diaries of one civil date, latest year first."""
        try:
            return list(recap().on_this_day(owner_id, month_day, time_zone, years))
        except RecapWindowError as error:
            raise _problem(error) from error


def _add_generation(router: APIRouter, recap: Callable[[], RecapService], user_id: Callable[..., Any]) -> None:
    @router.post(
        "/recaps/daily/generate",
        summary="Write the diary",
        response_class=StreamingResponse,
        responses={
            200: {"content": {"text/event-stream": {}, "application/json": {}}},
            409: {"description": "this diary is being written already"},
            422: {"description": "there is no such window"},
            502: {"description": "the model failed (blocking form only)"},
            503: {"description": "no model is configured"},
        },
    )
    async def generate(request: Request, owner_id: Annotated[str, Depends(user_id)], asked: AskedWindow) -> Response:
        """Streams `delta`, `thinking` and `ping`, then one `done` or `error`. Asked for JSON, it waits instead."""
        service = recap()
        if _wants_json(request):
            return WholeGeneration(lambda: service.start(owner_id, asked))
        return StreamedGeneration(lambda: service.start(owner_id, asked))


def _add_records(router: APIRouter, recap: Callable[[], RecapService], user_id: Callable[..., Any]) -> None:
    @router.get("/recaps/daily/projection", summary="What would be sent to a model, and the structure it is made of")
    def projection(owner_id: Annotated[str, Depends(user_id)], asked: AskedWindow) -> JSONResponse:
        """The redacted projection, the digest, and the exact messages; asks no model."""
        if asked.kind != "day":
            raise HttpProblem(422, "unsupported_window_version", f"kind is {asked.kind}; a projection is of a day")
        dry_run = recap().project(owner_id, asked)
        body = dry_run.as_json() | {"messages": list(dry_run.messages)}
        return JSONResponse(body, headers=PRIVATE_HEADERS)

    @router.post("/recaps/segments", summary="Upload activity segments")
    def upload(owner_id: Annotated[str, Depends(user_id)], body: Upload) -> UploadReport:
        """Takes segments of the caller's devices by the rules of ingest; refused ones are counted, never repaired."""
        report = recap().ingest(_segments(body.segments, owner_id), is_live=True)
        refused = Counter(issue.code for issue in report.issues)
        return UploadReport(written_count=report.written_count, refused=dict(refused))


def _add_facts(router: APIRouter, recap: Callable[[], RecapService], user_id: Callable[..., Any]) -> None:
    @router.get("/recaps/daily/facts", summary="What the user confirmed for a day")
    def facts(owner_id: Annotated[str, Depends(user_id)], asked: AskedWindow) -> Facts:
        """The facts of a day."""
        known = recap().facts(owner_id, asked.local_date)
        return Facts(facts=[Fact(**asdict(fact)) for fact in known])

    @router.put("/recaps/daily/facts", summary="Confirm or correct what happened on a day")
    def save_facts(owner_id: Annotated[str, Depends(user_id)], asked: AskedWindow, body: Facts) -> Facts:
        """Replaces the facts of a day; a diary written before is marked, and written anew only when asked for."""
        facts = [RecapFact(fact.text, fact.start, fact.end) for fact in body.facts]
        recap().save_facts(owner_id, asked.local_date, facts)
        return body


def _add_public_diary(
    router: APIRouter,
    recap: Callable[[], RecapService],
    user_id: Callable[..., Any],
    may_view: Callable[[str, str], bool],
) -> None:
    @router.get("/recaps/of/{owner_id}/daily", summary="Someone else's cached diary")
    def public(owner_id: str, viewer_id: Annotated[str, Depends(user_id)], asked: AskedWindow) -> RecapOut:
        """What was written, without hints; 404 where nothing was, or where the caller may not see it."""
        found = recap().read_public(owner_id, asked) if may_view(viewer_id, owner_id) else None
        if found is None:
            raise HttpProblem(404, "not_found", "there is no diary to see")
        return found


def _admitted(user_id: Callable[..., Any], shares: Shares) -> Callable[..., AsyncIterator[str]]:
    """The dependency `user_id`, which holds a place for the caller until the answer is sent."""

    async def admitted(caller_id: Annotated[str, Depends(user_id)]) -> AsyncIterator[str]:
        with shares.admitted(caller_id):
            yield caller_id

    return admitted


def signed_in_user(authenticator: Authenticator) -> Callable[[Request], Awaitable[str]]:
    """The dependency `user_id` over the service's own auth; a worker names the user in the query (`user_id`)."""

    async def user_id(request: Request) -> str:
        caller = await authenticator.caller(request.headers.get("authorization"))
        named = request.query_params.getlist("user_id")
        if len(named) > 1 or not all(map(is_user_id, named)):
            raise HttpProblem(
                400, "invalid_request", f"once, 1 to {MAX_USER_ID_CHARS} characters, no NUL", path="user_id"
            )
        return caller.subject(named[0] if named else None)

    return user_id


def _problem(error: RecapError) -> HttpProblem:
    return HttpProblem(_STATUS_BY_CODE.get(error.code, 422), error.code, error.message)


def _wants_json(request: Request) -> bool:
    accepted = request.headers.get("accept", "")
    return "application/json" in accepted and "text/event-stream" not in accepted


def _segments(rows: Sequence[dict[str, Any]], owner_id: str) -> list[Segment | RecordIssue]:
    """The rows as segments of the caller, whoever they claim to be of.

    Raises:
        HttpProblem: 422, a row has an instant without an offset; 403, a row names another owner.
    """
    segments: list[Segment | RecordIssue] = []
    for number, row in enumerate(rows):
        if row.get("owner_id", owner_id) != owner_id:
            raise HttpProblem(403, "forbidden", "owner_id is not the token's")
        try:
            segments.append(segment_of_row(row, owner_id))
        except UnreadableRow as error:
            if error.code == "naive_timestamp":
                raise HttpProblem(422, error.code, error.detail, path=f"segments.{number}") from error
            segments.append(RecordIssue(source="activity", code=error.code, locator=str(number), detail=error.detail))
    return segments


class StreamedGeneration(StreamingResponse):
    """The answer that writes a diary while it is sent.

    The lock is taken here and not in the route, so that no answer that is never sent can keep it.
    """

    def __init__(self, start: Callable[[], GenerationRun]) -> None:
        self._start = start
        self._run: GenerationRun | None = None
        super().__init__(self._frames(), media_type="text/event-stream", headers=STREAM_HEADERS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the events as they come; a client that leaves ends the generation."""
        try:
            self._run = self._start()
        except RecapError as error:
            await problem_response(_problem(error), Request(scope))(scope, receive, send)
            return
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._run.abandon()

    async def _frames(self) -> AsyncIterator[bytes]:
        if self._run is not None:
            async for event in self._run.events():
                yield _frame(event)


class WholeGeneration(Response):
    """The answer that waits for the whole diary: 200 with it, or 502 with the code and message of what failed."""

    def __init__(self, start: Callable[[], GenerationRun]) -> None:
        super().__init__()
        self._start = start

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends one JSON object; a client that leaves ends the generation."""
        try:
            run = self._start()
        except RecapError as error:
            await problem_response(_problem(error), Request(scope))(scope, receive, send)
            return
        last = asyncio.ensure_future(_last_event(run))
        departure = asyncio.ensure_future(_departure(receive))
        try:
            await asyncio.wait({last, departure}, return_when=asyncio.FIRST_COMPLETED)
            if last.done():
                await _answer_of(last.result())(scope, receive, send)
        finally:
            run.abandon()
            last.cancel()
            departure.cancel()


def _answer_of(event: RecapEvent) -> Response:
    if event.name == "done":
        return JSONResponse(event.data["recap"], headers=PRIVATE_HEADERS)
    return JSONResponse(event.data, 502, headers=PRIVATE_HEADERS)


async def _last_event(run: GenerationRun) -> RecapEvent:
    return [event async for event in run.events() if event.is_last][-1]


async def _departure(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _frame(event: RecapEvent) -> bytes:
    """One server-sent event; its data is one line of JSON."""
    return f"event: {event.name}\ndata: {json.dumps(event.data, ensure_ascii=False)}\n\n".encode()
