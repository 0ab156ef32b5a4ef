"""The whole application, for who has none to mount the router in."""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from temporal_recall import __version__
from temporal_recall.schemas.errors import InvalidConfig
from temporal_recall.service.config import HttpConfig, RecallConfig
from temporal_recall.service.facade import RecallService
from temporal_recall.service.http.auth import Authenticator, SessionVerifier, SignedTokens
from temporal_recall.service.http.metrics import RecallMetrics
from temporal_recall.service.http.ops import create_ops_router
from temporal_recall.service.http.problems import problem_response, request_id_of
from temporal_recall.service.http.recap import create_recap_router, signed_in_user
from temporal_recall.service.http.routes import create_router
from temporal_recall.service.lanes import FlowObserver, Observers
from temporal_recall.service.recap.service import RecapService

_log = logging.getLogger("temporal_recall.requests")

ServiceFactory = Callable[[RecallConfig, RecallMetrics], RecallService]


def configured_service(config: RecallConfig, metrics: RecallMetrics) -> RecallService:
    """The service that a configuration describes, watched by the application's metrics, ready to answer.

    Raises:
        InvalidConfig: as `RecallService.configured`; `telemetry` without its extra.
    """
    service = RecallService.configured(config, observer=_observer(config, metrics))
    service.warm_up()
    return service


def _observer(config: RecallConfig, metrics: RecallMetrics) -> FlowObserver:
    if not config.telemetry:
        return metrics
    try:
        from temporal_recall.service.telemetry import SpanObserver
    except ModuleNotFoundError as error:
        raise InvalidConfig("telemetry", True, f"with temporal-recall[telemetry] ({error.name})") from error
    return Observers(metrics, SpanObserver())


def create_app(
    config: RecallConfig,
    *,
    verify_session: SessionVerifier | None = None,
    build_service: ServiceFactory = configured_service,
    environment: Mapping[str, str] | None = None,
) -> FastAPI:
    """The application: the API under `/api`, `/healthz`, `/readyz`, `/metrics` and the OpenAPI page.

    Its lifespan builds the one service and closes it.

    Args:
        verify_session: says which user a session token names; signed tokens by the configuration when absent.
        build_service: makes the service; tests bring their own.
        environment: where the secrets are read from; the process's when absent.

    Raises:
        InvalidConfig: a secret that the configuration names is absent or not of its form.
    """
    environment = os.environ if environment is None else environment
    authenticator = Authenticator(
        verify_session or signed_tokens(config.http, environment), environment.get(config.http.worker_token_env)
    )
    metrics = RecallMetrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.recall = build_service(config, metrics)
        app.state.recap = _recap_service(config, environment)
        try:
            yield
        finally:
            app.state.recall.close()
            if app.state.recap is not None:
                app.state.recap.close()

    app = FastAPI(
        title="Temporal Recall",
        version=__version__,
        summary="What happened in a time range, from a person's own sources, with evidence.",
        lifespan=lifespan,
        docs_url="/api/docs",
        redoc_url=None,
        openapi_url="/api/openapi.json",
        swagger_ui_oauth2_redirect_url=None,
        redirect_slashes=False,  # the address would be built from the Host that the caller sent
    )

    def service() -> RecallService:
        recall: RecallService = app.state.recall
        return recall

    app.include_router(create_router(service, authenticator=authenticator, http=config.http, metrics=metrics))
    if config.recap.store_url is not None:
        recap_user = signed_in_user(authenticator)
        app.include_router(create_recap_router(lambda: app.state.recap, user_id=recap_user, http=config.http))
    app.include_router(create_ops_router(service, metrics))
    for kind in (404, 405, Exception):
        app.add_exception_handler(kind, _problem)
    app.add_middleware(RequestLog, metrics=metrics)
    return app


def _recap_service(config: RecallConfig, environment: Mapping[str, str]) -> RecapService | None:
    return None if config.recap.store_url is None else RecapService.configured(config.recap, environment)


async def _problem(request: Request, error: Exception) -> Response:
    return problem_response(error, request)


def signed_tokens(http: HttpConfig, environment: Mapping[str, str]) -> SignedTokens:
    """The verifier over the keys in the variable that the configuration names.

    Raises:
        InvalidConfig: the variable is absent, is no JSON object of key id and key, or has a key of another algorithm.
    """
    allowed = f'a JSON object of key id and key in the environment variable {http.signing_keys_env}: {{"2026-11": "…"}}'
    try:
        keys = json.loads(environment[http.signing_keys_env])
    except (KeyError, ValueError) as error:
        raise InvalidConfig("http.signing_keys_env", http.signing_keys_env, allowed) from error
    if not isinstance(keys, dict) or not keys or not all(isinstance(k, str) and k for k in keys.values()):
        raise InvalidConfig("http.signing_keys_env", http.signing_keys_env, allowed)
    try:
        return SignedTokens(keys, algorithm=http.algorithm, audience=http.audience, issuer=http.issuer)
    except ValueError as error:
        raise InvalidConfig("http.signing_keys_env", http.signing_keys_env, f"{allowed}; {error}") from None


class RequestLog:
    """ASGI middleware: one log line and one count a request, with the route's template and never the sent path."""

    def __init__(self, app: ASGIApp, metrics: RecallMetrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, status = time.monotonic(), 500

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, watched)
        finally:
            route = getattr(scope.get("route"), "path", "unmatched")
            seconds = time.monotonic() - started
            self._metrics.request_done(route, status, seconds)
            _log.info(
                "request",
                extra={
                    "route": route,
                    "status": status,
                    "elapsed_ms": round(seconds * 1000),
                    "request_id": request_id_of(Request(scope)),
                },
            )
