"""OpenTelemetry spans name nodes and sources, and never carry a word of anyone."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from listed_sources import DownSource, ListedSource
from served_recall import life_of

from temporal_recall.service.config import RecallConfig, SourceConfig
from temporal_recall.service.facade import RecallService

pytest.importorskip("opentelemetry.sdk", reason="opentelemetry-sdk is not installed")

from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from temporal_recall.service.http.app import configured_service
from temporal_recall.service.http.metrics import RecallMetrics
from temporal_recall.service.telemetry import SpanObserver

NOW = datetime.fromisoformat("2026-09-03T22:00:00+08:00")


def test_nodes_and_sources_become_spans() -> None:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    observer = SpanObserver(provider.get_tracer("test"))
    adapters = {"chat": ListedSource("chat", *life_of("u1", "护照")), "meinput": DownSource("meinput")}
    config = RecallConfig(sources=tuple(SourceConfig(name=name) for name in adapters))
    with RecallService(config, adapters, observer=observer) as service:
        service.recall("我今天做了什么", user_id="u1", now=NOW)
    spans = {span.name: span for span in exporter.get_finished_spans()}
    assert {"node timeline", "node recall_bundle", "source chat", "source meinput"} <= set(spans)
    assert spans["source chat"].attributes["recall.record_count"] == 2
    assert spans["source meinput"].attributes["recall.failure"] == "http_503"
    assert all(span.start_time <= span.end_time for span in spans.values())
    assert "护照" not in "".join(span.to_json() for span in spans.values())


def test_a_deployment_that_asks_for_spans_has_them_beside_the_metrics(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    source = SourceConfig(name="records", kind="embedded", options={"path": str(tmp_path / "store.db")})
    metrics = RecallMetrics()
    with configured_service(RecallConfig(sources=(source,), telemetry=True), metrics):
        """it has answered once, to be warm"""
    assert "node recall_bundle" in {span.name for span in exporter.get_finished_spans()}
    assert 'stage="bundle"' in metrics.text().decode()
