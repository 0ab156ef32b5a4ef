"""The service under load, on loopback: throughput and latency, its own price, hung sources, bad bodies.

    python benchmarks/service.py load        1, 16, 64 clients; all sources well, one slow, one hung; the bare route
    python benchmarks/service.py overhead    one request against the bare route in turns, and where its time goes
    python benchmarks/service.py leak        10,000 requests with one source hung: threads, sockets and memory after
    python benchmarks/service.py malformed   10,000 malformed bodies: every answer is a 4xx

The bare route is FastAPI alone around the same functions, called one after another by hand. The server runs in a
process of its own; clients wait as `Retry-After` tells them, in `leak` a second at most. Each command ends within five
minutes and prints one JSON object. `--seconds N`: the length of a cell of `load`, of the measuring of `overhead`, and
the most that `leak` takes; `--requests N` bounds `leak` and `malformed`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import jwt
import numpy as np
from harness import report

NOW = datetime.fromisoformat("2026-09-03T22:00:00+08:00")
KEY = "a key for benchmarks, of more than thirty-two bytes"
QUESTION = {"query": "我昨天有什么重要的事？", "now": NOW.isoformat()}
PATH = "/api/v1/temporal-recall/query"
USERS = 64
CLIENTS = (1, 16, 64)


def token(user_id: str) -> str:
    claims = {"sub": user_id, "aud": "temporal-recall", "exp": int(time.time()) + 24 * 3600}
    return jwt.encode(claims, KEY, algorithm="HS256", headers={"kid": "bench"})


def build_app(kind: str) -> Any:
    """The application that is measured: sources `well`, one `slow` (0.3 s), one `hung`; or the `bare` route."""
    from temporal_recall.service.facade import RecallService
    from temporal_recall.service.http.app import create_app

    config, adapters = _sources(kind)
    if kind == "bare":
        return _bare_app(RecallService(config, adapters))

    def warm(config: Any, metrics: Any) -> RecallService:
        service = RecallService(config, adapters, observer=metrics)
        service.warm_up()
        return service

    return create_app(
        config, build_service=warm, environment={config.http.signing_keys_env: json.dumps({"bench": KEY})}
    )


def _sources(kind: str) -> tuple[Any, dict[str, Any]]:
    """Configuration and adapters; limits per user stay out of the way."""
    from temporal_recall.service.config import HttpConfig, RecallConfig, SourceConfig

    adapters = {name: _BenchSource(name) for name in ("meinput", "chat", "calendar")}
    if kind in ("slow", "hung"):
        adapters["memory_v2"] = _BenchSource("memory_v2", delay_s=0.3 if kind == "slow" else 3600)
    http = HttpConfig(rate_per_minute=1_000_000, concurrent_requests=1000)
    return RecallConfig(sources=tuple(SourceConfig(name=n) for n in adapters), http=http), adapters


def _bare_app(service: Any) -> Any:
    from fastapi import FastAPI, Response

    from temporal_recall.schemas.bundle import RecallRequest

    app, recall = FastAPI(), _by_hand(service)

    @app.post(PATH)
    async def query(body: dict[str, Any]) -> Response:
        request = RecallRequest.model_validate(body)
        bundle = await asyncio.to_thread(recall, "u0", request.query or "", request.now or NOW)
        return Response(bundle.model_dump_json(), media_type="application/json")

    return app


def _by_hand(service: Any) -> Callable[..., Any]:
    """The nodes of a recall as straight code, one call a line: no graph, no lanes, no deadline."""
    from temporal_recall.service.catalog import RECALL
    from temporal_recall.service.driver import build_driver
    from temporal_recall.service.planned import _plan

    graph = build_driver(RECALL, enabled_sources=tuple(service.adapters)).graph
    plan = _plan(graph, ("recall_bundle",), frozenset())
    steps = (*plan.reading, *plan.computing)
    given = service.flow_inputs(QUESTION["query"], now=NOW)
    known = {*given, *(step.name for step in steps)}
    lines = [
        f"    {step.name} = call_{number}({', '.join(f'{n}={n}' for n in step.reads if n in known)})"
        for number, step in enumerate(steps)
    ]
    source = "\n".join([f"def recall({', '.join(given)}):", *lines, "    return recall_bundle"])
    space: dict[str, Any] = {f"call_{number}": step.call for number, step in enumerate(steps)}
    exec(source, space)

    def run(user_id: str, query: str = QUESTION["query"], now: datetime = NOW) -> Any:
        return space["recall"](**service.flow_inputs(query, user_id=user_id, now=now))

    return run


class _BenchSource:
    """Fifty messages of every user over the last days, from memory; or an answer that comes late, or never."""

    def __init__(self, source: str, delay_s: float = 0.0) -> None:
        self.source, self._delay_s = source, delay_s

    def capabilities(self) -> Any:
        from temporal_recall.schemas.evidence import SourceCapabilities

        return SourceCapabilities(axes=frozenset({"observed", "event"}))

    def search(self, ctx: Any) -> Iterator[Any]:
        from temporal_recall.schemas.evidence import EvidenceRecord

        waited_until = time.monotonic() + self._delay_s
        while time.monotonic() < waited_until and not ctx.limits.cancel_token.is_cancelled:
            time.sleep(min(0.05, self._delay_s))
        for number in range(50):
            yield EvidenceRecord(
                source=self.source,
                source_ref=f"{self.source}:message:{number}",
                user_id=ctx.user_id,
                observed_time=NOW - timedelta(hours=number + 1),
                time_zone="Asia/Shanghai",
                text=f"明天下午{number % 5 + 1}点和张总开第{number}次会",
            )

    def close(self) -> None:
        """Nothing is held."""


@contextmanager
def served(kind: str) -> Iterator[tuple[str, int]]:
    """Address and process id of the application in a process of its own."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = [sys.executable, __file__, "serve", kind, str(port)]
    with subprocess.Popen(command, env=os.environ) as process:
        url = f"http://127.0.0.1:{port}"
        try:
            _await_server(url)
            yield url, process.pid
        finally:
            process.terminate()


def _await_server(url: str) -> None:
    for _ in range(300):
        try:
            httpx.get(f"{url}/healthz", timeout=1)
            return
        except httpx.TransportError:
            time.sleep(0.1)
    raise SystemExit("the server did not start")


@dataclass(frozen=True)
class Reply:
    """How one request ended: after how many seconds, with which status, and whether a source was missing."""

    seconds: float
    status: int
    is_partial: bool


async def _load(
    url: str, clients: int, *, requests: int = 1_000_000, seconds: float = 600, most_pause_s: float = 60
) -> list[Reply]:
    """The replies to so many clients who ask one after another, until there are enough or the time is over.

    Who is told to come back later does, after `most_pause_s` at the latest.
    """
    replies: list[Reply] = []
    ends, left = time.monotonic() + seconds, iter(range(requests))

    async def client(http: httpx.AsyncClient, number: int) -> None:
        headers = {"Authorization": f"Bearer {token(f'u{number % USERS}')}"}
        for _ in left:
            started = time.monotonic()
            try:
                answer = await http.post(PATH, json=QUESTION, headers=headers)
            except httpx.TimeoutException:
                answer = httpx.Response(504)
            except httpx.TransportError:
                answer = httpx.Response(502)
            took_s = time.monotonic() - started
            replies.append(Reply(took_s, answer.status_code, b'"partial":true' in answer.content))
            pause_s = min(most_pause_s, float(answer.headers.get("Retry-After", 0)))
            if time.monotonic() + pause_s >= ends:
                return
            await asyncio.sleep(pause_s)

    limits = httpx.Limits(max_connections=clients, keepalive_expiry=2)  # the server's is five seconds
    async with httpx.AsyncClient(base_url=url, timeout=20, limits=limits) as http:
        await asyncio.gather(*(client(http, number) for number in range(clients)))
    return replies


def _cell(url: str, clients: int, seconds: float) -> dict[str, Any]:
    """Answers a second and their latency; `refused` and `late` requests are counted apart (503 and 429, 504)."""
    started = time.monotonic()
    replies = asyncio.run(_load(url, clients, seconds=seconds))
    elapsed_s = time.monotonic() - started
    answers = [r for r in replies if r.status == 200]
    ms = np.array([r.seconds for r in answers] or [0.0]) * 1000
    return {
        "per_second": round(len(answers) / elapsed_s, 1),
        **{f"p{p}_ms": round(float(np.percentile(ms, p)), 1) for p in (50, 95, 99)},
        "slowest_ms": round(max(r.seconds for r in replies) * 1000),
        "partial_share": round(sum(r.is_partial for r in answers) / max(1, len(answers)), 3),
        "refused": sum(r.status in (429, 503) for r in replies),
        "late": sum(r.status == 504 for r in replies),
        "other": sum(r.status not in (200, 429, 503, 504) for r in replies),
    }


def load(seconds: float) -> dict[str, Any]:
    """Throughput and latency for 1, 16, 64 clients in each condition of the sources, and as a multiple of the bare."""
    table: dict[str, Any] = {}
    with served("bare") as (bare, _), served("well") as (ours, _):
        _warm_up(bare), _warm_up(ours)
        for clients in CLIENTS:
            by_hand = table[f"bare, {clients} clients"] = _cell(bare, clients, seconds)
            cell = table[f"well, {clients} clients"] = _cell(ours, clients, seconds)
            cell["times_bare"] = round(by_hand["per_second"] / max(0.1, cell["per_second"]), 2)
    with served("slow") as (url, _):
        _warm_up(url)
        for clients in CLIENTS:
            table[f"slow, {clients} clients"] = _cell(url, clients, seconds)
    with served("hung") as (url, _):
        table["hung, 64 clients, until the circuit is open"] = _cell(url, 64, 6)
        for clients in CLIENTS:
            table[f"hung, {clients} clients"] = _cell(url, clients, seconds)
    return table


def _warm_up(url: str) -> None:
    asyncio.run(_load(url, 4, requests=20))


def overhead(seconds: float) -> dict[str, Any]:
    """Median time of one client against our route and against the bare one, in turns; and where ours goes (ms).

    Half of the seconds each.
    """
    headers = {"Authorization": f"Bearer {token('u0')}"}
    taken: dict[str, list[float]] = {"ours": [], "bare": []}
    with served("well") as (ours, _), served("bare") as (bare, _), httpx.Client(headers=headers, timeout=30) as http:
        for url in (ours, bare):
            _warm_up(url)
        ends = time.monotonic() + seconds / 2
        while time.monotonic() < ends:
            for name, url in (("ours", ours), ("bare", bare)):
                started = time.perf_counter()
                http.post(url + PATH, json=QUESTION).raise_for_status()
                taken[name].append((time.perf_counter() - started) * 1000)
    medians = {f"{name}_ms": round(median(times), 2) for name, times in taken.items()}
    ratio = round(medians["ours_ms"] / medians["bare_ms"], 3)
    parts_ms = _parts(seconds / 2, medians["ours_ms"])
    return {**medians, "requests": len(taken["ours"]), "ratio": ratio, "parts_ms": parts_ms}


def _parts(seconds: float, whole_ms: float) -> dict[str, float]:
    """What each part of a request takes in this process, median; `rest` is FastAPI, the server, sockets and threads."""
    from temporal_recall.schemas.bundle import RecallRequest
    from temporal_recall.service.facade import RecallService
    from temporal_recall.service.http.auth import Authenticator, SignedTokens

    body = json.dumps(QUESTION)
    authenticator = Authenticator(SignedTokens({"bench": KEY}, audience="temporal-recall"))
    authorization, loop = f"Bearer {token('u0')}", asyncio.new_event_loop()
    with RecallService(*_sources("well")) as service:
        stages = _by_hand(service)
        bundle = stages("u0")
        parts: dict[str, Callable[[], object]] = {
            "validation": lambda: RecallRequest.model_validate_json(body),
            "auth": lambda: loop.run_until_complete(authenticator.caller(authorization)),
            "recall": lambda: service.recall(QUESTION["query"], user_id="u0", now=NOW),
            "stages": lambda: stages("u0"),
            "serialisation": bundle.model_dump_json,
        }
        taken: dict[str, list[float]] = {name: [] for name in parts}
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            for name, part in parts.items():
                started = time.perf_counter()
                part()
                taken[name].append((time.perf_counter() - started) * 1000)
    loop.close()
    ms = {name: median(times) for name, times in taken.items()}
    ms["graph and lanes"] = ms["recall"] - ms["stages"]
    ms["rest"] = whole_ms - ms["recall"] - ms["validation"] - ms["auth"] - ms["serialisation"]
    return {name: round(value, 3) for name, value in ms.items()}


def leak(requests: int, seconds: float) -> dict[str, Any]:
    """Threads, sockets and memory of the server before and after many requests with one source hung."""
    with served("hung") as (url, pid):
        asyncio.run(_load(url, 64, requests=640, seconds=15, most_pause_s=1))
        before, started = _state(pid), time.monotonic()
        replies = asyncio.run(_load(url, 64, requests=requests, seconds=seconds, most_pause_s=1))
        elapsed_s, after = time.monotonic() - started, _state(pid)
    return {
        "before": before,
        "after": after,
        "requests": len(replies),
        "seconds": round(elapsed_s),
        "per_second": round(len(replies) / elapsed_s, 1),
        "statuses": _counted(r.status for r in replies),
    }


def _counted(statuses: Iterable[int]) -> dict[str, int]:
    return {str(status): count for status, count in sorted(Counter(statuses).items())}


def _state(pid: int) -> dict[str, int]:
    time.sleep(3)  # until the server has seen the clients leave
    status = Path(f"/proc/{pid}/status").read_text()
    rss_kib = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    return {
        "threads": len(os.listdir(f"/proc/{pid}/task")),
        "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
        "rss_mib": rss_kib // 1024,
    }


def malformed(requests: int) -> dict[str, Any]:
    """How the service answers bodies with something wrong in them."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
    from malformed_bodies import malformed_bodies

    headers = {"Authorization": f"Bearer {token('u0')}", "Content-Type": "application/json"}
    bodies, statuses = malformed_bodies(requests), []

    async def client(http: httpx.AsyncClient) -> None:
        for body in bodies:
            statuses.append((await http.post(PATH, content=body)).status_code)

    async def clients(url: str) -> None:
        async with httpx.AsyncClient(base_url=url, headers=headers, timeout=30) as http:
            await asyncio.gather(*(client(http) for _ in range(8)))

    with served("well") as (url, _):
        asyncio.run(clients(url))
    return {"requests": requests, "statuses": _counted(statuses)}


def main() -> None:
    """Prints the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("load", "overhead", "leak", "malformed", "serve"))
    parser.add_argument("rest", nargs="*")
    parser.add_argument("--requests", type=int)
    parser.add_argument("--seconds", type=float)
    args = parser.parse_args()
    match args.what:
        case "serve":
            import uvicorn

            kind, port = args.rest
            uvicorn.run(build_app(kind), port=int(port), log_level="critical")
        case "load":
            report(load(args.seconds or 10))
        case "overhead":
            report(overhead(args.seconds or 30))
        case "leak":
            report(leak(args.requests or 10_000, args.seconds or 240))
        case "malformed":
            report(malformed(args.requests or 10_000))


if __name__ == "__main__":
    main()
