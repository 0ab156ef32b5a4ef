"""Prometheus metrics of one application. Labels are names of ours alone: routes, sources, stages, codes, tiers."""

from __future__ import annotations

from collections.abc import Sequence

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from temporal_recall.schemas.bundle import RecallBundle
from temporal_recall.schemas.evidence import SourceOutcome
from temporal_recall.schemas.settings import RankingWeights

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class RecallMetrics:
    """Counts and times; a `FlowObserver` for what happens inside the flow."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._requests = Counter("recall_requests", "answered requests", ("route", "status"), registry=self.registry)
        self._request_s = Histogram(
            "recall_request_seconds", "time of a request", ("route",), buckets=_SECONDS, registry=self.registry
        )
        self._source_s = Histogram(
            "recall_source_seconds", "time of a source's lane", ("source",), buckets=_SECONDS, registry=self.registry
        )
        self._source_records = Counter(
            "recall_source_records", "records that a source gave", ("source",), registry=self.registry
        )
        self._source_issues = Counter(
            "recall_source_issues", "rows that could not be used", ("source", "code"), registry=self.registry
        )
        self._source_failures = Counter(
            "recall_source_failures", "failed reads of a source", ("source", "code"), registry=self.registry
        )
        self._stage_s = Histogram(
            "recall_stage_seconds",
            "time of one node, by its module",
            ("stage",),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._items = Counter("recall_items", "items sent, by tier", ("tier",), registry=self.registry)
        self._partial = Counter("recall_partial_answers", "answers that lack a source", registry=self.registry)

    def node_done(self, name: str, module: str, started: float, ended: float) -> None:
        """One node's time under its module's name."""
        self._stage_s.labels(module.rpartition(".")[2] or "input").observe(ended - started)

    def lane_done(self, outcome: SourceOutcome, started: float, ended: float) -> None:
        """One source's read."""
        self._source_s.labels(outcome.source).observe(ended - started)
        self._source_records.labels(outcome.source).inc(outcome.record_count)
        for issue in outcome.issues:
            self._source_issues.labels(outcome.source, issue.code).inc()
        if outcome.failure is not None:
            self._source_failures.labels(outcome.source, outcome.failure).inc()

    def answered(self, bundle: RecallBundle, weights: RankingWeights) -> None:
        """One answer that was sent."""
        for tier, count in _tier_counts([i.recall_score for i in bundle.items], weights).items():
            self._items.labels(tier).inc(count)
        if bundle.stats.partial:
            self._partial.inc()

    def request_done(self, route: str, status: int, seconds: float) -> None:
        """One request, by the route's template (never by the path that was sent)."""
        self._requests.labels(route, str(status)).inc()
        self._request_s.labels(route).observe(seconds)

    def text(self) -> bytes:
        """The exposition that Prometheus scrapes."""
        return generate_latest(self.registry)


def _tier_counts(scores: Sequence[float], weights: RankingWeights) -> dict[str, int]:
    main = sum(score >= weights.main_threshold for score in scores)
    return {"main": main, "secondary": len(scores) - main}
