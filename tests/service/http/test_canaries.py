"""Words of a user, their id and tokens leave the service in answers to that user alone.

Each has a canary: a word that stands nowhere else. They are sent in every place that a caller can write in, and looked
for in all that the service tells anyone else: logs, metrics, spans, and the bodies of errors.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator

import httpx
import pytest
from listed_sources import DownSource, ListedSource, record
from served_recall import KEYS, NOW, WORKER_TOKEN, token

from temporal_recall.schemas.evidence import RecordIssue
from temporal_recall.service.config import RecallConfig, SourceConfig
from temporal_recall.service.facade import RecallService
from temporal_recall.service.http.app import create_app
from temporal_recall.service.http.metrics import RecallMetrics
from temporal_recall.service.lanes import Observers
from temporal_recall.testing.running import running

pytest.importorskip("opentelemetry.sdk", reason="opentelemetry-sdk is not installed")

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from temporal_recall.service.telemetry import SpanObserver

USER = "canary-user"
SAID, ASKED, SENT, BROKEN = "金丝雀档案", "金丝雀问题", "canary-sent", "canary-broken"
TOKEN = token(USER)
CANARIES = (USER, SAID, ASKED, SENT, BROKEN, TOKEN, TOKEN.rpartition(".")[2], WORKER_TOKEN)
RECALL, PLAN = "/api/v1/temporal-recall/query", "/api/v1/context-planner/plan"
QUESTION = {"query": f"我今天把{ASKED}办了吗", "now": NOW}
GOOD = [
    (RECALL, QUESTION),
    (RECALL, QUESTION | {"explain": True, "trace": True, "allow_partial": True}),
    (RECALL, QUESTION | {"user_id": USER}),
    (PLAN, QUESTION),
]
BAD = [
    (RECALL, QUESTION | {"now": SENT}),
    (RECALL, QUESTION | {"limit": SENT}),
    (RECALL, QUESTION | {"explain": SENT}),
    (RECALL, QUESTION | {"user_id": f"{SENT}\0"}),
    (RECALL, QUESTION | {"user_id": SENT}),
    (RECALL, {"query": ASKED * 1000}),
    (RECALL, {"query": [ASKED]}),
    (RECALL, {"plan": SENT}),
    (RECALL, {"plan": {"temporal_mode": SENT}}),
    (RECALL, {"plan": {"time_zone": SENT}}),
    (RECALL, {"plan": {"targets": [{"type": SENT}]}}),
    (RECALL, {"plan": {"topics": [{"words": SENT}], "people": SENT}}),
    (RECALL, {"plan": {"time": {"event_range": {"start": SENT, "end": SENT}}}}),
    (RECALL, SENT),
    (RECALL, [QUESTION]),
    (PLAN, QUESTION | {"now": SENT}),
    (PLAN, {"query": ""} | {"user_id": SENT}),
]


class Told:
    """What the service said to others than the user: spans, and what the test adds."""

    def __init__(self, client: httpx.Client, spans: InMemorySpanExporter) -> None:
        self.client, self._spans = client, spans

    def all(self, caplog: pytest.LogCaptureFixture) -> str:
        """Metrics, spans and logs until now; of a log record every field."""
        logged = [f"{vars(line)}{line.getMessage()}{line.exc_text}" for line in caplog.records if _is_ours(line)]
        spans = [span.to_json() for span in self._spans.get_finished_spans()]
        assert logged
        assert spans
        return "\n".join([self.client.get("/metrics").text, self.client.get("/readyz").text, *spans, *logged])


def _is_ours(line: logging.LogRecord) -> bool:
    """Not what the test's own client and its server write at DEBUG."""
    return not line.name.startswith(("httpcore", "httpx", "asyncio"))


@pytest.fixture
def told() -> Iterator[Told]:
    """A service whose sources hold canaries, break with them, and send issues that name them."""
    spans, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    chat = ListedSource(
        "chat",
        record("chat", 1, f"今天下午把{SAID}办好了", "2026-09-03T18:00:00+08:00", user_id=USER),
        record("chat", 2, f"{SAID}是别人的", "2026-09-03T18:00:00+08:00", user_id="someone else"),
        RecordIssue(source="chat", code="bad_row", locator="row 7", detail=BROKEN),
    )
    adapters = {"chat": chat, "memory_v2": DownSource("memory_v2", ValueError(f"{BROKEN} {SAID}"))}
    config = RecallConfig(sources=tuple(SourceConfig(name=name) for name in adapters))

    def build(config: RecallConfig, metrics: RecallMetrics) -> RecallService:
        observer = Observers(metrics, SpanObserver(provider.get_tracer("test")))
        return RecallService(config, adapters, observer=observer)

    environment = {config.http.signing_keys_env: json.dumps(KEYS), config.http.worker_token_env: WORKER_TOKEN}
    app = create_app(config, build_service=build, environment=environment)
    with running(app) as url, httpx.Client(base_url=url, timeout=20) as client:
        yield Told(client, spans)


def _post(told: Told, path: str, body: object, bearer: str = TOKEN) -> httpx.Response:
    return told.client.post(path, json=body, headers={"Authorization": f"Bearer {bearer}"})


def test_what_is_answered_is_told_to_no_one_else(told: Told, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    answers = [_post(told, path, body) for path, body in GOOD]
    answers.append(_post(told, RECALL, QUESTION | {"user_id": USER}, WORKER_TOKEN))
    assert [answer.status_code for answer in answers] == [200] * len(answers)
    assert SAID in answers[0].text
    everything = told.all(caplog)
    assert [canary for canary in CANARIES if canary in everything] == []


def test_what_is_refused_is_told_to_no_one(told: Told, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    _post(told, *GOOD[0])
    refused = [_post(told, path, body) for path, body in BAD]
    refused += [_post(told, RECALL, QUESTION, bearer) for bearer in (f"{TOKEN}x", f"{SENT}.{SENT}.{SENT}", SENT)]
    plain = {"Authorization": f"Bearer {TOKEN}", "X-Request-Id": f"{SENT} {SENT}", "User-Agent": SENT, "Cookie": SENT}
    json_body = plain | {"Content-Type": "application/json"}
    refused += [
        told.client.post(RECALL, content=f'{{"query": "{ASKED}'.encode(), headers=json_body),
        told.client.post(RECALL, content=f'"{ASKED}"'.encode(), headers=plain | {"Content-Type": SENT}),
        told.client.post(RECALL, content=f"{SENT * 40_000}".encode(), headers=json_body),
        told.client.post(f"{RECALL}/{SENT}", json=QUESTION, headers=plain),
        told.client.get(f"{RECALL}?{SENT}={ASKED}", headers=plain),
        told.client.get(f"/{ASKED}?token={TOKEN}", headers=plain),
        told.client.request(SENT.upper(), RECALL, headers=plain),
    ]
    statuses = [answer.status_code for answer in refused]
    assert all(400 <= status < 500 for status in statuses), statuses
    everything = "\n".join([told.all(caplog), *(answer.text + str(answer.headers) for answer in refused)])
    assert [canary for canary in (*CANARIES, SENT.upper()) if canary in everything] == []
