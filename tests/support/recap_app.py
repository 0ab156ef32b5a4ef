"""A Recap service over a file, and the HTTP application around it on a real socket."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import httpx
import uvicorn
from fastapi import FastAPI, Header
from recap_days import at, segment

from temporal_recall.adapters.chat_client import ChatClient, ChatEndpoint, ChatLimits
from temporal_recall.adapters.recap_tables import recap_engine
from temporal_recall.dataflows.recap.windows import recap_window_of
from temporal_recall.service.config import HttpConfig
from temporal_recall.service.http.problems import HttpProblem
from temporal_recall.service.http.recap import create_recap_router
from temporal_recall.service.recap.config import RecapConfig
from temporal_recall.service.recap.service import RecapService

WINDOW = recap_window_of("2026-07-14", "UTC")
QUERY = {"local_date": "2026-07-14", "time_zone": "UTC"}
EVENING = at("20:00")


class Clock:
    """A clock that tests set."""

    def __init__(self, now: datetime = EVENING) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


@contextmanager
def recap_service(
    folder: Path,
    base_url: str | None,
    *,
    clock: Callable[[], datetime] | None = None,
    silence_s: float = 5.0,
    overall_s: float = 10.0,
    **settings: Any,
) -> Iterator[RecapService]:
    """A service whose owner `ana` wrote code from nine to ten on the usual day."""
    chat = None
    if base_url is not None:
        chat = ChatClient(ChatEndpoint(base_url, "m", "sk-key-0123"), ChatLimits(silence_s, overall_s))
    engine = recap_engine(f"sqlite:///{folder / 'recap.db'}")
    service = RecapService(engine, RecapConfig(**settings), chat=chat, clock=clock or Clock())
    service.ingest([segment("Code", "9:00", "10:00", "lanes.py", id="code")])
    try:
        yield service
    finally:
        service.close()


def _user_id(x_user: Annotated[str | None, Header()] = None) -> str:
    if not x_user:
        raise HttpProblem(401, "unauthenticated")
    return x_user


@contextmanager
def served(
    service: RecapService, may_view: Callable[[str, str], bool] | None = None, **limits: int
) -> Iterator[httpx.Client]:
    """A client, signed in as ana, of the routes over this service; the server runs in a thread until the end."""
    app = FastAPI()
    app.include_router(
        create_recap_router(lambda: service, user_id=_user_id, may_view=may_view, http=HttpConfig(**limits))
    )
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=2))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        host = f"http://127.0.0.1:{listener.getsockname()[1]}"
        try:
            with httpx.Client(base_url=host, headers={"X-User": "ana"}, timeout=10, trust_env=False) as client:
                eventually(lambda: server.started)
                yield client
        finally:
            server.should_exit = True
            thread.join(5)


def events_of(response: httpx.Response) -> list[tuple[str, dict[str, Any]]]:
    """The server-sent events of a whole response, as name and data."""
    blocks = [block for block in response.text.split("\n\n") if block]
    return [_event(block) for block in blocks]


def _event(block: str) -> tuple[str, dict[str, Any]]:
    name, data = block.split("\n")
    return name.removeprefix("event: "), json.loads(data.removeprefix("data: "))


def eventually(is_so: Callable[[], object], limit_s: float = 5.0) -> None:
    """Waits until something is so; fails when it never is."""
    until = time.monotonic() + limit_s
    while not is_so():
        assert time.monotonic() < until, "it never came to be so"
        time.sleep(0.01)
