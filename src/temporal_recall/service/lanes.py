"""Runs the source lanes of a flow side by side, each source in its own thread pool, and settles them at the deadline.

A bulkhead: one source that hangs fills its own pool and nothing else. A lane that is late, broken or turned away
becomes a failed `SourceEvidence`, so that the flow goes on with what the other sources gave. A source that keeps
failing is left alone for a while (`SourceBreaker`).
"""

from __future__ import annotations

import contextvars
import logging
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeVar

from hamilton.lifecycle.base import BaseDoRemoteExecute
from hamilton.node import Node

from temporal_recall.schemas.errors import RecallCancelled
from temporal_recall.schemas.evidence import RequestLimits, SourceAdapter, SourceOutcome
from temporal_recall.schemas.frames import SourceEvidence
from temporal_recall.service.breaker import SourceBreaker

Value = TypeVar("Value")

_log = logging.getLogger(__name__)

SETTLE_GRACE_S = 0.1
"""How long after the deadline a lane may still hand over what it read; it looks at the deadline between rows itself."""


class FlowObserver(Protocol):
    """Told of every node and lane as it ends; times are in seconds of the monotonic clock."""

    def node_done(self, name: str, module: str, started: float, ended: float) -> None:
        """A node that ran where it was called."""
        ...

    def lane_done(self, outcome: SourceOutcome, started: float, ended: float) -> None:
        """A lane that was settled."""
        ...


@dataclass(frozen=True, slots=True)
class PendingLane:
    """A lane that is still reading."""

    source: str
    future: Future[SourceEvidence]
    limits: RequestLimits
    started: float

    def settled(self) -> SourceEvidence:
        """The lane's value, or a typed failure in its place once the deadline is over.

        Raises:
            RecallCancelled: the caller withdrew the request.
        """
        remaining = self.limits.remaining_s()
        try:
            return self.future.result(None if remaining is None else remaining + SETTLE_GRACE_S)
        except FutureTimeoutError:
            self.future.cancel()
            return SourceEvidence.failed(self.source, "late")
        except RecallCancelled:
            raise
        except Exception as error:  # noqa: BLE001 - a stranger's adapter may raise anything; only its own items are lost
            _log.error("source %s failed with %s", self.source, type(error).__name__)
            return SourceEvidence.failed(self.source, "adapter_error")


class LaneAdapter(BaseDoRemoteExecute):
    """Hamilton adapter: nodes tagged `lane` run in their source's pool; every other node runs where it is called.

    Args:
        threads_by_source: size of each source's pool; as many reads again may wait for a thread before further ones
            are turned away with `overloaded`. A source that is not named here answers in the caller's thread.
        observer: told of every node and lane, when given.
    """

    def __init__(self, threads_by_source: Mapping[str, int], observer: FlowObserver | None = None) -> None:
        self._pools = {name: _Pool(name, threads) for name, threads in threads_by_source.items()}
        self.breakers = {name: SourceBreaker() for name in threads_by_source}
        self.observer = observer

    def do_remote_execute(self, *, node: Node, execute_lifecycle_for_node: Callable[..., Any], **kwargs: Any) -> Any:
        """Starts a lane, or settles the lanes that a node needs and computes the node."""
        if "lane" in node.tags:
            return self._started(execute_lifecycle_for_node, kwargs)
        for name, value in kwargs.items():
            if type(value) is PendingLane:
                kwargs[name] = self._settled(value)
        if self.observer is None:
            return execute_lifecycle_for_node(**kwargs)
        started = time.monotonic()
        value = execute_lifecycle_for_node(**kwargs)
        self.observer.node_done(node.name, node.tags.get("module", ""), started, time.monotonic())
        return value

    def _started(self, execute: Callable[..., SourceEvidence], kwargs: dict[str, Any]) -> PendingLane:
        adapter: SourceAdapter = next(v for k, v in kwargs.items() if k.endswith("_adapter"))
        pool = self._pools.get(adapter.source)
        breaker = self.breakers.get(adapter.source)
        read = partial(execute, **kwargs)
        if breaker is not None and not breaker.lets_pass():
            lane = _settled(SourceEvidence.failed(adapter.source, "circuit_open"))
        elif pool is None:
            lane = _ran_here(read)
        else:
            lane = pool.submitted(read) or _settled(SourceEvidence.failed(adapter.source, "overloaded"))
        return PendingLane(adapter.source, lane, kwargs["request_limits"], time.monotonic())

    def _settled(self, lane: PendingLane) -> SourceEvidence:
        evidence = lane.settled()
        breaker = self.breakers.get(lane.source)
        if breaker is not None and evidence.outcome.failure != "circuit_open":
            breaker.record(is_success=evidence.outcome.failure is None)
        if self.observer is not None:
            self.observer.lane_done(evidence.outcome, lane.started, time.monotonic())
        return evidence

    def submitted_probe(self, source: str, probe: Callable[[], str]) -> Future[str]:
        """A short check of a source in its own pool; `overloaded` when every place is taken."""
        pool = self._pools.get(source)
        if pool is None:
            return _settled(probe())
        return pool.submitted(probe) or _settled("overloaded")

    def close(self) -> None:
        """Takes no further lanes; threads end with the reads they are in."""
        for pool in self._pools.values():
            pool.executor.shutdown(wait=False, cancel_futures=True)


class _Pool:
    """The threads of one source, and the places for reads that run or wait."""

    def __init__(self, source: str, threads: int) -> None:
        self.executor = ThreadPoolExecutor(max_workers=threads, thread_name_prefix=f"lane-{source}")
        self._places = threading.BoundedSemaphore(2 * threads)

    def submitted(self, read: Callable[[], Value]) -> Future[Value] | None:
        """The read in a thread of this source; None when every place is taken."""
        if not self._places.acquire(blocking=False):
            return None
        context = contextvars.copy_context()
        future = self.executor.submit(context.run, read)
        future.add_done_callback(lambda _: self._places.release())
        return future


def _settled(value: Value) -> Future[Value]:
    future: Future[Value] = Future()
    future.set_result(value)
    return future


def _ran_here(read: Callable[[], Value]) -> Future[Value]:
    future: Future[Value] = Future()
    try:
        future.set_result(read())
    except Exception as error:  # noqa: BLE001 - settled like a lane of its own thread
        future.set_exception(error)
    return future
