"""The recall routes, to mount in any FastAPI application."""

# annotations are left as objects here: FastAPI reads them, and some are made inside a function
import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Body, Depends, Request, Response, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, ConfigDict, Field

from temporal_recall.schemas.bundle import RecallBundle, RecallRequest
from temporal_recall.schemas.errors import RecallCancelled, RecallTimeout
from temporal_recall.schemas.evidence import RequestLimits, UserId
from temporal_recall.schemas.plan import ContextPlan, Instant, TemporalMode
from temporal_recall.service.config import HttpConfig
from temporal_recall.service.facade import MAX_LIMIT, MAX_QUERY_CHARS, RecallService
from temporal_recall.service.http import examples
from temporal_recall.service.http.auth import Authenticator, Caller
from temporal_recall.service.http.limits import Admission
from temporal_recall.service.http.metrics import RecallMetrics
from temporal_recall.service.http.problems import guarded_route, problem_schema

Answer = TypeVar("Answer")

PLANNED_SOURCES = ("calendar", "memory_v2", "email", "browser", "tasks")
"""Sources of the specification's road map; `info` names those that this deployment has not enabled."""

PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"description": meaning, "content": {"application/problem+json": {"schema": problem_schema()}}}
    for status, meaning in {
        400: "a field is not allowed: `invalid_plan` or `invalid_request`",
        401: "no valid token",
        403: "the body names another user",
        408: "the body did not come in time",
        413: "the body is too large",
        429: "too many requests",
        503: "a required source is unavailable, or every place is taken",
        504: "a required source was late",
    }.items()
}


class PlanRequest(BaseModel):
    """A question to plan. `user_id` is for workers; `now` defaults to the service's clock."""

    model_config = ConfigDict(extra="forbid")

    query: Annotated[str, Field(min_length=1, max_length=MAX_QUERY_CHARS)]
    user_id: UserId | None = None
    now: Instant | None = None


class RecallInfo(BaseModel):
    """What this deployment can do."""

    schema_version: Literal[1] = 1
    supported_sources: tuple[str, ...]
    planned_sources: tuple[str, ...]
    temporal_modes: tuple[TemporalMode, ...] = (
        "OCCURRED_IN",
        "MENTIONED_IN",
        "PLANNED_IN",
        "CREATED_IN",
        "DUE_IN",
        "AMBIGUOUS",
    )
    default_limit: int = 50
    max_limit: int = MAX_LIMIT


def create_router(
    service: Callable[[], RecallService],
    *,
    authenticator: Authenticator,
    http: HttpConfig | None = None,
    metrics: RecallMetrics | None = None,
) -> APIRouter:
    """The API document's routes under `/api`.

    Args:
        service: gives the application's one service when a request comes; the host's lifespan builds it.
        authenticator: says who is asking.
        http: limits of bodies and per user.
        metrics: counts the answers, when given.
    """
    http = http or HttpConfig()
    admission = Admission(http, service)
    guarded = guarded_route(http.max_body_bytes, admission.check_places)
    router = APIRouter(prefix="/api", route_class=guarded, tags=["temporal recall"])
    bearer = HTTPBearer(auto_error=False, scheme_name="bearer", description="session token, or the worker's")

    async def caller(request: Request, _: Annotated[HTTPAuthorizationCredentials | None, Security(bearer)]) -> Caller:
        return await authenticator.caller(request.headers.get("authorization"))

    @router.post(
        "/v1/temporal-recall/query",
        response_model=RecallBundle,
        responses={200: {"content": {"application/json": {"example": examples.RESPONSE}}}, **PROBLEMS},
        summary="What happened in a time range",
    )
    async def query(
        request: Request,
        caller: Annotated[Caller, Depends(caller)],
        body: Annotated[
            RecallRequest,
            Body(
                openapi_examples={
                    "plan": {"summary": "with a Context Plan", "value": examples.BY_PLAN},
                    "query": {"summary": "with the user's words", "value": examples.BY_QUERY},
                }
            ),
        ],
    ) -> Response:
        """The ranked, grouped timeline that answers a plan or a query, with its evidence."""
        user_id = caller.subject(body.user_id)
        with admission.admitted(user_id):
            recall = service()
            limits = RequestLimits(time.monotonic() + recall.config.retrieval_time_limit_s)
            answer = recall.arecall(
                body.plan or body.query or "",
                user_id=user_id,
                now=body.now,
                limit=body.limit,
                explain=body.explain,
                trace=body.trace,
                allow_partial=body.allow_partial,
                limits=limits,
            )
            bundle = await _in_time(answer, request, limits, recall.config.request_time_limit_s)
            if metrics is not None:
                metrics.answered(bundle, recall.config.weights)
            return _json(bundle)

    @router.get(
        "/v1/temporal-recall/info",
        responses={s: PROBLEMS[s] for s in (401, 503)},
        summary="What this deployment can do",
    )
    async def info(caller: Annotated[Caller, Depends(caller)]) -> RecallInfo:
        """Enabled and planned sources, modes and limits."""
        names = tuple(s.name for s in service().config.sources)
        return RecallInfo(supported_sources=names, planned_sources=tuple(s for s in PLANNED_SOURCES if s not in names))

    @router.post(
        "/v1/context-planner/plan",
        response_model=ContextPlan,
        responses={200: {"content": {"application/json": {"example": examples.PLAN}}}, **PROBLEMS},
        summary="Which context a question needs",
    )
    async def plan(
        request: Request,
        caller: Annotated[Caller, Depends(caller)],
        body: Annotated[
            PlanRequest, Body(openapi_examples={"query": {"value": {"query": "我昨天说过今天要做什么？"}}})
        ],
    ) -> Response:
        """The Context Plan of a question; nothing is retrieved."""
        with admission.admitted(caller.subject(body.user_id)):
            recall = service()
            limits = RequestLimits(time.monotonic() + recall.config.request_time_limit_s)
            answer = recall.aplan(body.query, now=body.now)
            return _json(await _in_time(answer, request, limits, recall.config.request_time_limit_s))

    return router


def _json(answer: BaseModel) -> Response:
    return Response(
        answer.model_dump_json(), media_type="application/json", headers={"Cache-Control": "private, no-store"}
    )


async def _in_time(work: Awaitable[Answer], request: Request, limits: RequestLimits, time_limit_s: float) -> Answer:
    """The work's value, unless the caller leaves or the time limit passes first; then its reads are cancelled.

    Raises:
        RecallCancelled: the caller left.
        RecallTimeout: the limit passed.
    """
    answer = asyncio.ensure_future(work)
    departure = asyncio.ensure_future(_departure(request))
    try:
        await asyncio.wait({answer, departure}, timeout=time_limit_s, return_when=asyncio.FIRST_COMPLETED)
        if answer.done():
            return answer.result()
        if departure.done():
            raise RecallCancelled("the caller left")
        raise RecallTimeout(("the whole request",))
    finally:
        departure.cancel()
        if not answer.done():
            limits.cancel_token.cancel()
            answer.cancel()


async def _departure(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
