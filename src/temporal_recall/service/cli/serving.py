"""`serve` and `mcp`: the service for other programs."""

from __future__ import annotations

import gc
import json
import logging
import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from temporal_recall.schemas.errors import InvalidConfig
from temporal_recall.service.cli.console import notes, screen
from temporal_recall.service.config import RecallConfig, read_config

if TYPE_CHECKING:
    from fastapi import FastAPI

    from temporal_recall.service.facade import RecallService
    from temporal_recall.service.http.metrics import RecallMetrics
    from temporal_recall.service.recap.service import RecapService

LOOPBACK = "127.0.0.1"
_DEMO_TOKEN_S = 24 * 3600

ConfigFile = Annotated[Path | None, typer.Option("--config", help="TOML file of the deployment.")]


class Transport(StrEnum):
    """How an MCP client reaches the server."""

    STDIO = "stdio"
    HTTP = "http"


def serve(
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port; the configuration's when absent.")] = None,
    config: ConfigFile = None,
    check: Annotated[bool, typer.Option("--check", help="Check the configuration and leave.")] = False,
) -> None:
    """Serve the HTTP API; without a configuration the demo persona, on loopback only, with a demo token."""
    if config is None:
        if check:
            raise InvalidConfig("--check", "no --config", "a configuration file to check")
        _serve_demo(8000 if port is None else port)
        return
    settings = read_config(config)
    app = _application(settings)
    if check:
        _check(settings)
        return
    _run(app, settings.http.host, settings.http.port if port is None else port)


def _application(settings: RecallConfig) -> FastAPI:
    from temporal_recall.service.http.app import create_app

    return create_app(settings, build_service=_lasting_service)


def _lasting_service(settings: RecallConfig, metrics: RecallMetrics) -> RecallService:
    """The configured service in a process of its own."""
    from temporal_recall.service.http.app import configured_service

    service = configured_service(settings, metrics)
    _keep_what_stands()
    return service


def _keep_what_stands() -> None:
    """Spares the process to search what it has loaded for garbage, again and again; all of that stays to the end.

    A search takes a tenth of a second, in which nobody is answered.
    """
    gc.collect()
    gc.freeze()


def _check(settings: RecallConfig) -> None:
    from temporal_recall.service.facade import RecallService

    with RecallService.configured(settings):
        names = ", ".join(s.name for s in settings.sources)
        screen().print(f"configuration is usable: sources {names}; zone {settings.time_zone}")


def _serve_demo(port: int) -> None:
    import jwt

    from temporal_recall.demo import DEMO_NOW, DEMO_QUESTION, DEMO_USER_ID
    from temporal_recall.service.facade import RecallService
    from temporal_recall.service.http.app import create_app
    from temporal_recall.service.http.auth import SignedTokens

    def demo(_: RecallConfig, metrics: RecallMetrics) -> RecallService:
        service.lanes.observer = metrics
        return service

    service, key = RecallService.demo(), secrets.token_urlsafe(32)
    audience = service.config.http.audience
    app = create_app(
        service.config,
        verify_session=SignedTokens({"demo": key}, audience=audience),
        build_service=demo,
        environment={},
    )
    claims = {"sub": DEMO_USER_ID, "aud": audience, "exp": int(time.time()) + _DEMO_TOKEN_S}
    token = jwt.encode(claims, key, algorithm="HS256", headers={"kid": "demo"})
    service.warm_up()
    _keep_what_stands()
    body = json.dumps({"query": DEMO_QUESTION, "now": DEMO_NOW.isoformat()}, ensure_ascii=False)
    notes().print(f"The demo persona answers on {LOOPBACK} only. Demo token, good for a day:", soft_wrap=True)
    typer.echo(f"TOKEN={token}")
    typer.echo(
        f"curl -s http://{LOOPBACK}:{port}/api/v1/temporal-recall/query"
        f" -H \"Authorization: Bearer $TOKEN\" -H 'Content-Type: application/json' -d '{body}'"
    )
    _run(app, LOOPBACK, port)


def mcp(
    config: ConfigFile = None,
    transport: Annotated[Transport, typer.Option(help="stdio for one local user, http for many.")] = Transport.STDIO,
    user_id: Annotated[str | None, typer.Option(help="Whose records are read, over stdio.")] = None,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port, over http.")] = 8001,
) -> None:
    """Serve recall as MCP tools; without a configuration the demo persona, over stdio."""
    from temporal_recall.demo import DEMO_USER_ID
    from temporal_recall.service.facade import LOCAL_USER, RecallService
    from temporal_recall.service.http.app import signed_tokens
    from temporal_recall.service.http.auth import Authenticator
    from temporal_recall.service.mcp import create_mcp_server

    if transport is Transport.HTTP and config is None:
        raise InvalidConfig("--config", "none", "a configuration file, since the HTTP transport needs its signing keys")
    service = RecallService.demo() if config is None else RecallService.from_config(config)
    with service, _recap_of(service.config) as recap:
        if transport is Transport.STDIO:
            known = user_id or (DEMO_USER_ID if config is None else LOCAL_USER)
            create_mcp_server(lambda: service, user_id=known, recap=recap).run("stdio")
            return
        service.warm_up()
        _keep_what_stands()
        authenticator = Authenticator(signed_tokens(service.config.http, os.environ))
        http = service.config.http
        server = create_mcp_server(
            lambda: service, authenticator=authenticator, http=http, recap=recap, url=f"http://{http.host}:{port}/mcp"
        )
        app = server.streamable_http_app(
            json_response=True, stateless_http=True, host=http.host, max_request_body_size=http.max_body_bytes
        )
        _run(app, http.host, port)


@contextmanager
def _recap_of(settings: RecallConfig) -> Iterator[Callable[[], RecapService] | None]:
    """What gives the configured Recap service, closed at the end; None where the configuration names no store."""
    from temporal_recall.service.recap.service import RecapService

    if settings.recap.store_url is None:
        yield None
        return
    recap = RecapService.configured(settings.recap)
    try:
        yield lambda: recap
    finally:
        recap.close()


def _run(app: object, host: str, port: int) -> NoReturn:
    """Serves until SIGINT or SIGTERM, answers who has asked by then, and ends the process.

    It does not wait for the threads of reads that hang, as the interpreter would.
    """
    import uvicorn

    _log_as_json()
    uvicorn.run(app, host=host, port=port, log_config=None, access_log=False, timeout_graceful_shutdown=10)  # type: ignore[arg-type]
    logging.shutdown()
    os._exit(0)


def _log_as_json() -> None:
    """One JSON object a line on stderr; what we log names routes, sources and counts, never a user's words."""
    from pythonjsonlogger.json import JsonFormatter

    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
