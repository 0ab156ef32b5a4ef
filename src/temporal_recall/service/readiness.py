"""Whether the sources of a service can be reached right now."""

from __future__ import annotations

import time
from concurrent.futures import Future, wait
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import Axis, RequestLimits, SearchContext, SearchWindow, SourceAdapter
from temporal_recall.schemas.feeds import StateProbe
from temporal_recall.schemas.plan import Retrieval
from temporal_recall.service.facade import RecallService

PROBE_USER = "temporal-recall-probe"
"""Nobody: an adapter gives an unknown user nothing, so that a probe reads no one's records."""


@dataclass(frozen=True, slots=True)
class CheckedSource:
    """One source as it is now: its own state, `late` where it did not say, and its breaker's state in `circuit`."""

    source: str
    is_required: bool
    state: str
    circuit: str

    @property
    def is_usable(self) -> bool:
        """Whether the next read is likely to be answered."""
        return self.state in ("ready", "paused") and self.circuit == "closed"


def checked_sources(service: RecallService, *, time_limit_s: float = 1.0) -> list[CheckedSource]:
    """Every enabled source, in the configuration's order: asked for its state, or else for one instant of nobody.

    The probes run side by side in the sources' own pools, so that a hung source holds no thread of anyone else.
    """
    limits = RequestLimits(time.monotonic() + time_limit_s)
    probes: dict[str, Future[str]] = {
        name: service.lanes.submitted_probe(adapter.source, lambda a=adapter: _probed(a, limits))  # type: ignore[misc]
        for name, adapter in service.adapters.items()
    }
    wait(probes.values(), timeout=time_limit_s)
    return [
        CheckedSource(
            source=s.name,
            is_required=s.required,
            state=probes[s.name].result() if probes[s.name].done() else "late",
            circuit=service.lanes.breakers[s.name].state if s.name in service.lanes.breakers else "closed",
        )
        for s in service.config.sources
    ]


def _probed(adapter: SourceAdapter, limits: RequestLimits) -> str:
    try:
        if isinstance(adapter, StateProbe):
            return adapter.probe(limits).state
        next(iter(adapter.search(_nobodys_instant(adapter, limits))), None)
    except SourceUnavailable:
        return "down"
    except Exception:  # noqa: BLE001 - a stranger's adapter may raise anything
        return "broken"
    return "ready"


def _nobodys_instant(adapter: SourceAdapter, limits: RequestLimits) -> SearchContext:
    now = datetime.now(UTC)
    axis: Axis = "observed" if "observed" in adapter.capabilities().axes else "event"
    return SearchContext(
        user_id=PROBE_USER,
        now=now,
        time_zone="UTC",
        window=SearchWindow(axis, now - timedelta(seconds=1), now),
        mode="AMBIGUOUS",
        retrieval=Retrieval(source=adapter.source),
        fetch_cap=1,
        limits=limits,
    )
