"""The application on a real socket, over sources that tests control; tokens good and bad."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache

import httpx
import jwt
from listed_sources import record

from temporal_recall.schemas.evidence import EvidenceRecord, SourceAdapter
from temporal_recall.service.config import HttpConfig, RecallConfig, SourceConfig
from temporal_recall.service.facade import RecallService
from temporal_recall.service.http.app import create_app
from temporal_recall.service.http.metrics import RecallMetrics
from temporal_recall.testing.running import running

KEYS = {"old": "an old key of more than thirty-two bytes", "new": "a new key of more than thirty-two bytes"}
WORKER_TOKEN = "worker-token-for-tests"
NOW = "2026-09-03T22:00:00+08:00"


LIFETIME_S = 86_400
"""Of a good token: tests make some of theirs when they are collected, long before the last of a whole run."""


def token(user_id: str = "u1", *, kid: str = "new", key: str | None = None, **claims: object) -> str:
    body = {"sub": user_id, "aud": "temporal-recall", "exp": int(time.time()) + LIFETIME_S} | claims
    body = {name: value for name, value in body.items() if value is not None}
    return jwt.encode(body, key or KEYS[kid], algorithm="HS256", headers={"kid": kid})


_CLAIMS = {"sub": "u1", "aud": "temporal-recall", "exp": int(time.time()) + LIFETIME_S}
BAD_TOKENS: dict[str, str | None] = {
    "none": None,
    "not a token": "abc.def",
    "expired": token(exp=int(time.time()) - 3600),
    "never expires": token(exp=None),
    "for another audience": token(aud="portal"),
    "without audience": token(aud=None),
    "of nobody": token(sub=None),
    "of an endless name": token(sub="u" * 200),
    "signed with another key": token(key="a stranger's key of more than thirty-two bytes"),
    "of a key taken out": jwt.encode(_CLAIMS, KEYS["new"], headers={"kid": "gone"}),
    "of no key id": jwt.encode(_CLAIMS, KEYS["new"]),
    "unsigned": jwt.encode(_CLAIMS, None, algorithm="none", headers={"kid": "new"}),
    "not yet good": token(nbf=int(time.time()) + 3600),
    "too long": "x" * 9000,
    "nearly the worker's": WORKER_TOKEN[:-1],
}


def life_of(user_id: str, secret: str) -> tuple[EvidenceRecord, ...]:
    """Two messages of one person; the second one holds words that nobody else may ever see."""
    return (
        record("chat", 1, "昨天下午三点和张总签了合同", "2026-09-03T09:00:00+08:00", user_id=user_id),
        record("chat", 2, f"今天下午把{secret}办好了", "2026-09-03T18:00:00+08:00", user_id=user_id),
    )


class Served:
    """An application that answers on a real socket, and a client of it for each token."""

    def __init__(self, url: str, service: RecallService, stack: ExitStack) -> None:
        self.url, self.service, self._stack = url, service, stack

    def client(self, bearer: str | None = None, **headers: str) -> httpx.Client:
        if bearer is not None:
            headers["Authorization"] = f"Bearer {bearer}"
        return self._stack.enter_context(httpx.Client(base_url=self.url, headers=headers, timeout=20))

    def ask(self, body: object, bearer: str | None = None) -> httpx.Response:
        return self.client(bearer).post("/api/v1/temporal-recall/query", json=body)


@cache
def _warm_up() -> None:
    """Once a process: the first answer takes so long that on a busy machine it would be late."""
    with RecallService.demo() as service:
        service.warm_up()


@contextmanager
def serving() -> Iterator[Callable[..., Served]]:
    """Serves an application over given adapters, with given settings of HTTP and of the whole."""
    with ExitStack() as stack:

        def start(
            *adapters: SourceAdapter, http: HttpConfig | None = None, required: tuple[str, ...] = (), **settings: object
        ) -> Served:
            sources = tuple(SourceConfig(name=a.source, required=a.source in required, threads=4) for a in adapters)
            config = RecallConfig(sources=sources, http=http or HttpConfig(rate_per_minute=100_000), **settings)
            _warm_up()
            built: list[RecallService] = []

            def build(config: RecallConfig, metrics: RecallMetrics) -> RecallService:
                built.append(RecallService(config, {a.source: a for a in adapters}, observer=metrics))
                return built[0]

            environment = {
                config.http.signing_keys_env: json.dumps(KEYS),
                config.http.worker_token_env: WORKER_TOKEN,
            }
            app = create_app(config, build_service=build, environment=environment)
            url = stack.enter_context(running(app))
            httpx.get(f"{url}/healthz", timeout=20)
            return Served(url, built[0], stack)

        yield start
