"""OpenTelemetry spans of nodes and source lanes; an opt-in, by `telemetry = true` and the extra of that name."""

from __future__ import annotations

import time

from opentelemetry import trace

from temporal_recall.schemas.evidence import SourceOutcome


class SpanObserver:
    """A `FlowObserver` that writes one span a node and one a lane, below whatever span is current.

    Attributes are names and counts; no span ever carries a record's text.
    """

    def __init__(self, tracer: trace.Tracer | None = None) -> None:
        self._tracer = tracer or trace.get_tracer("temporal_recall")

    def node_done(self, name: str, module: str, started: float, ended: float) -> None:
        """One node."""
        span = self._tracer.start_span(f"node {name}", start_time=_wall_ns(started))
        span.set_attribute("recall.module", module)
        span.end(_wall_ns(ended))

    def lane_done(self, outcome: SourceOutcome, started: float, ended: float) -> None:
        """One source's read."""
        span = self._tracer.start_span(f"source {outcome.source}", start_time=_wall_ns(started))
        span.set_attribute("recall.record_count", outcome.record_count)
        if outcome.failure is not None:
            span.set_attribute("recall.failure", outcome.failure)
            span.set_status(trace.StatusCode.ERROR)
        span.end(_wall_ns(ended))


def _wall_ns(moment: float) -> int:
    """Nanoseconds since 1970 of a moment on the monotonic clock."""
    return time.time_ns() - int((time.monotonic() - moment) * 1e9)
