"""Routes for whoever runs the service: alive, ready, metrics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from temporal_recall.service.facade import RecallService
from temporal_recall.service.http.metrics import RecallMetrics
from temporal_recall.service.readiness import checked_sources


class SourceReadiness(BaseModel):
    """One source: `ready`, `paused`, `down`, `broken` or `late`; `circuit` is its breaker's state."""

    source: str
    required: bool
    state: str
    circuit: str


class Readiness(BaseModel):
    """`ready` when every required source can be reached and its circuit is closed."""

    status: Literal["ready", "not_ready"]
    sources: list[SourceReadiness]


def create_ops_router(service: Callable[[], RecallService], metrics: RecallMetrics) -> APIRouter:
    """`/healthz`, `/readyz` and `/metrics`; none of them shows anyone's records."""
    router = APIRouter(tags=["operation"])

    @router.get("/healthz", summary="The process is alive")
    async def healthz() -> dict[str, str]:
        return {"status": "alive"}

    @router.get("/readyz", summary="The sources can be reached", responses={503: {"model": Readiness}})
    async def readyz(response: Response) -> Readiness:
        checked = await run_in_threadpool(checked_sources, service())
        is_ready = all(s.is_usable for s in checked if s.is_required)
        sources = [
            SourceReadiness(source=s.source, required=s.is_required, state=s.state, circuit=s.circuit) for s in checked
        ]
        response.status_code = 200 if is_ready else 503
        return Readiness(status="ready" if is_ready else "not_ready", sources=sources)

    @router.get("/metrics", summary="Prometheus metrics", response_class=Response)
    async def prometheus() -> Response:
        return Response(metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")

    return router
