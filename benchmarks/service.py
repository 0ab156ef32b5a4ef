"""The service under load, on loopback: throughput and latency, its own price, hung sources, bad bodies.

    python benchmarks/service.py load        1, 16, 64 clients; all sources well, one slow, one hung
    python benchmarks/service.py overhead    one request against a bare FastAPI route that calls the same by hand
    python benchmarks/service.py leak        10,000 requests with one source hung: threads, sockets and memory after
    python benchmarks/service.py malformed   10,000 malformed bodies: every answer is a 4xx

The server runs in a process of its own; each command prints one JSON object. `--requests N` makes it shorter.
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
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import jwt
import numpy as np

NOW = datetime.fromisoformat("2026-09-03T22:00:00+08:00")
KEY = "a key for benchmarks, of more than thirty-two bytes"
QUESTION = {"query": "我昨天有什么重要的事？", "now": NOW.isoformat()}
PATH = "/api/v1/temporal-recall/query"
USERS = 64


def token(user_id: str) -> str:
    claims = {"sub": user_id, "aud": "temporal-recall", "exp": int(time.time()) + 24 * 3600}
    return jwt.encode(claims, KEY, algorithm="HS256", headers={"kid": "bench"})


def build_app(kind: str) -> Any:
    """The application that is measured: sources `well`, one `slow` (0.3 s), one `hung`; or the `bare` route."""
    from temporal_recall.schemas.bundle import RecallRequest
    from temporal_recall.service.config import HttpConfig, RecallConfig, SourceConfig
    from temporal_recall.service.facade import RecallService
    from temporal_recall.service.http.app import create_app

    adapters = {name: _BenchSource(name) for name in ("meinput", "chat", "calendar")}
    if kind in ("slow", "hung"):
        adapters["memory_v2"] = _BenchSource("memory_v2", delay_s=0.3 if kind == "slow" else 3600)
    http = HttpConfig(rate_per_minute=1_000_000, concurrent_requests=1000)
    config = RecallConfig(sources=tuple(SourceConfig(name=n) for n in adapters), http=http)
    if kind == "bare":
        from fastapi import FastAPI, Response

        service = RecallService(config, adapters)
        bare = FastAPI()

        @bare.post(PATH)
        async def query(body: dict[str, Any]) -> Response:
            request = RecallRequest.model_validate(body)
            bundle = await asyncio.to_thread(service.recall, request.query or "", user_id="u0", now=request.now)
            return Response(bundle.model_dump_json(), media_type="application/json")

        return bare
    environment = {config.http.signing_keys_env: json.dumps({"bench": KEY})}
    return create_app(
        config,
        build_service=lambda config, metrics: RecallService(config, adapters, observer=metrics),
        environment=environment,
    )


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


async def _load(url: str, clients: int, requests: int) -> list[tuple[float, int]]:
    """Seconds and status of each request of so many clients, each asking one after another."""
    taken: list[tuple[float, int]] = []
    left = iter(range(requests))

    async def client(number: int) -> None:
        headers = {"Authorization": f"Bearer {token(f'u{number % USERS}')}"}
        async with httpx.AsyncClient(base_url=url, headers=headers, timeout=30) as http:
            for _ in left:
                started = time.perf_counter()
                answer = await http.post(PATH, json=QUESTION)
                taken.append((time.perf_counter() - started, answer.status_code))

    await asyncio.gather(*(client(number) for number in range(clients)))
    return taken


def _figures(taken: list[tuple[float, int]], elapsed_s: float) -> dict[str, Any]:
    ms = np.array([seconds for seconds, _ in taken]) * 1000
    statuses = [status for _, status in taken]
    return {
        "requests": len(taken),
        "per_second": round(len(taken) / elapsed_s, 1),
        **{f"p{p}_ms": round(float(np.percentile(ms, p)), 1) for p in (50, 95, 99)},
        "statuses": {str(s): statuses.count(s) for s in sorted(set(statuses))},
    }


def load(requests: int) -> dict[str, Any]:
    """Throughput and latency for 1, 16 and 64 clients in each condition of the sources."""
    table: dict[str, Any] = {}
    for kind in ("well", "slow", "hung"):
        with served(kind) as (url, _):
            for clients in (1, 16, 64):
                asyncio.run(_load(url, clients, clients))
                started = time.perf_counter()
                taken = asyncio.run(_load(url, clients, max(clients * 4, requests)))
                table[f"{kind}, {clients} clients"] = _figures(taken, time.perf_counter() - started)
    return table


def overhead(requests: int) -> dict[str, Any]:
    """Median time of one client against our route and against the bare one, request by request in turns."""
    headers = {"Authorization": f"Bearer {token('u0')}"}
    taken: dict[str, list[float]] = {"ours": [], "bare": []}
    with served("well") as (ours, _), served("bare") as (bare, _), httpx.Client(headers=headers, timeout=30) as http:
        for turn in range(requests + 5):
            for name, url in (("ours", ours), ("bare", bare)):
                started = time.perf_counter()
                http.post(url + PATH, json=QUESTION).raise_for_status()
                if turn >= 5:  # warm by then
                    taken[name].append((time.perf_counter() - started) * 1000)
    medians = {f"{name}_ms": round(median(times), 2) for name, times in taken.items()}
    return medians | {"ratio": round(medians["ours_ms"] / medians["bare_ms"], 3)}


def leak(requests: int) -> dict[str, Any]:
    """Threads, sockets and memory of the server before and after many requests with one source hung."""
    with served("hung") as (url, pid):
        asyncio.run(_load(url, 64, 256))
        before = _state(pid)
        taken = asyncio.run(_load(url, 64, requests))
        after = _state(pid)
    return {"before": before, "after": after, "statuses": _figures(taken, 1)["statuses"]}


def _state(pid: int) -> dict[str, int]:
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
    with served("well") as (url, _), httpx.Client(base_url=url, headers=headers, timeout=30) as client:
        statuses = [client.post(PATH, content=body).status_code for body in malformed_bodies(requests)]
    return {"requests": requests, "statuses": {str(s): statuses.count(s) for s in sorted(set(statuses))}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("load", "overhead", "leak", "malformed", "serve"))
    parser.add_argument("rest", nargs="*")
    parser.add_argument("--requests", type=int)
    args = parser.parse_args()
    if args.what == "serve":
        import uvicorn

        kind, port = args.rest
        uvicorn.run(build_app(kind), port=int(port), log_level="critical")
        return
    usual = {"load": 200, "overhead": 200, "leak": 10_000, "malformed": 10_000}
    run = {"load": load, "overhead": overhead, "leak": leak, "malformed": malformed}[args.what]
    print(json.dumps(run(args.requests or usual[args.what]), ensure_ascii=False, indent=2))


if __name__ == "__main__":
    main()
