"""Runs the source lanes of a flow side by side, each source in its own thread pool, and settles them at the deadline.

A bulkhead: one source that hangs fills its own pool and nothing else. A lane that is late, broken or turned away
becomes a failed `SourceEvidence`, so that the flow goes on with what the other sources gave.
"""

from __future__ import annotations

import contextvars
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from typing import Any

from hamilton.lifecycle.base import BaseDoRemoteExecute
from hamilton.node import Node

from temporal_recall.schemas.errors import RecallCancelled
from temporal_recall.schemas.evidence import RequestLimits, SourceAdapter
from temporal_recall.schemas.frames import SourceEvidence

_log = logging.getLogger(__name__)

SETTLE_GRACE_S = 0.1
"""How long after the deadline a lane may still hand over what it read; it looks at the deadline between rows itself."""


@dataclass(frozen=True, slots=True)
class PendingLane:
    """A lane that is still reading."""

    source: str
    future: Future[SourceEvidence]
    limits: RequestLimits

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
            are turned away with `overloaded`.
    """

    def __init__(self, threads_by_source: dict[str, int]) -> None:
        self._pools = {name: _Pool(name, threads) for name, threads in threads_by_source.items()}

    def do_remote_execute(
        self, *, node: Node, execute_lifecycle_for_node: Callable[..., Any], **kwargs: Any
    ) -> SourceEvidence | PendingLane | Any:
        """Starts a lane, or settles the lanes that a node needs and computes the node."""
        if "lane" in node.tags:
            return self._started(execute_lifecycle_for_node, kwargs)
        for name, value in kwargs.items():
            if type(value) is PendingLane:
                kwargs[name] = value.settled()
        return execute_lifecycle_for_node(**kwargs)

    def _started(self, execute: Callable[..., SourceEvidence], kwargs: dict[str, Any]) -> SourceEvidence | PendingLane:
        adapter: SourceAdapter = next(v for k, v in kwargs.items() if k.endswith("_adapter"))
        limits: RequestLimits = kwargs["request_limits"]
        pool = self._pools.get(adapter.source)
        if pool is None:  # answers from memory
            lane: Future[SourceEvidence] = Future()
            try:
                lane.set_result(execute(**kwargs))
            except Exception as error:  # noqa: BLE001 - settled like a lane of its own thread
                lane.set_exception(error)
            return PendingLane(adapter.source, lane, limits)
        future = pool.submitted(execute, kwargs)
        if future is None:
            return SourceEvidence.failed(adapter.source, "overloaded")
        return PendingLane(adapter.source, future, limits)

    def close(self) -> None:
        """Takes no further lanes; threads end with the reads they are in."""
        for pool in self._pools.values():
            pool.executor.shutdown(wait=False, cancel_futures=True)


class _Pool:
    """The threads of one source, and the places for reads that run or wait."""

    def __init__(self, source: str, threads: int) -> None:
        self.executor = ThreadPoolExecutor(max_workers=threads, thread_name_prefix=f"lane-{source}")
        self._places = threading.BoundedSemaphore(2 * threads)

    def submitted(
        self, execute: Callable[..., SourceEvidence], kwargs: dict[str, Any]
    ) -> Future[SourceEvidence] | None:
        if not self._places.acquire(blocking=False):
            return None
        context = contextvars.copy_context()
        future = self.executor.submit(context.run, lambda: execute(**kwargs))
        future.add_done_callback(lambda _: self._places.release())
        return future
