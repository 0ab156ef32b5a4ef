"""Whether the sources of a service can be reached right now."""

from __future__ import annotations

import time
from concurrent.futures import Future, wait
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import RequestLimits, SearchContext, SearchWindow, SourceAdapter
from temporal_recall.schemas.plan import Retrieval
from temporal_recall.service.facade import RecallService

PROBE_USER = "temporal-recall-probe"
"""Nobody: an adapter gives an unknown user nothing, so that a probe reads no one's records."""


@dataclass(frozen=True, slots=True)
class SourceState:
    """One source: `reachable`, or a short machine word for what is wrong; `circuit` is its breaker's state."""

    source: str
    is_required: bool
    state: str
    circuit: str


def source_states(service: RecallService, *, time_limit_s: float = 1.0) -> list[SourceState]:
    """The state of every enabled source, in the configuration's order: each is asked for one instant of nobody.

    The probes run side by side in the sources' own pools, so that a hung source holds no thread of anyone else.
    """
    limits = RequestLimits(time.monotonic() + time_limit_s)
    probes: dict[str, Future[str]] = {
        name: service.lanes.submitted_probe(adapter.source, lambda a=adapter: _probed(a, limits))  # type: ignore[misc]
        for name, adapter in service.adapters.items()
    }
    wait(probes.values(), timeout=time_limit_s)
    return [
        SourceState(
            source=s.name,
            is_required=s.required,
            state=probes[s.name].result() if probes[s.name].done() else "late",
            circuit=service.lanes.breakers[s.name].state if s.name in service.lanes.breakers else "closed",
        )
        for s in service.config.sources
    ]


def _probed(adapter: SourceAdapter, limits: RequestLimits) -> str:
    now = datetime.now(UTC)
    axis = "observed" if "observed" in adapter.capabilities().axes else "event"
    context = SearchContext(
        user_id=PROBE_USER,
        now=now,
        time_zone="UTC",
        window=SearchWindow(axis, now - timedelta(seconds=1), now),
        mode="AMBIGUOUS",
        retrieval=Retrieval(source=adapter.source),
        fetch_cap=1,
        limits=limits,
    )
    try:
        next(iter(adapter.search(context)), None)
    except SourceUnavailable as error:
        return error.reason
    except Exception:  # noqa: BLE001 - a stranger's adapter may raise anything
        return "adapter_error"
    return "reachable"
