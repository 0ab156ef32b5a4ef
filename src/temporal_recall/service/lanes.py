"""Runs the source lanes of a flow side by side, each source in its own thread pool, and settles them at the deadline.

A bulkhead: one source that hangs fills its own pool and nothing else. A lane that is late, broken or turned away
becomes a failed `SourceEvidence`, so that the flow goes on with what the other sources gave. A source that keeps
failing is left alone for a while (`SourceBreaker`), also by whoever waits for it at that moment; only what the source
itself did counts, never our own load.

No request waits for a source until its very deadline: what it and all others under way have to compute afterwards
(`Turns`) must fit before it too. Half of the time is the sources' in any case.
"""

from __future__ import annotations

import contextvars
import logging
import math
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, TypeVar

from hamilton.lifecycle.base import BaseDoRemoteExecute
from hamilton.node import Node

from temporal_recall.schemas.errors import RecallCancelled
from temporal_recall.schemas.evidence import LaneReading, RequestLimits, SourceAdapter, SourceOutcome
from temporal_recall.schemas.frames import SourceEvidence
from temporal_recall.service.breaker import SourceBreaker
from temporal_recall.service.turns import Turns

Value = TypeVar("Value")

_log = logging.getLogger(__name__)

SETTLE_GRACE_S = 0.1
"""How long after the deadline a lane may still hand over what it read; it looks at the deadline between rows itself."""

TRY_WAIT_S = 0.5
"""How long a request waits for the read that tries a failing source again; the read itself may take until its deadline,
and closes the circuit if it succeeds."""

GLANCE_S = 0.1
"""How often whoever waits for a lane looks whether the caller is still there."""

OUR_OWN_FAILURES = frozenset({"overloaded", "pool_exhausted"})
"""What tells of our threads and connections, and nothing of the source."""


class FlowObserver(Protocol):
    """Told of every node and lane as it ends; times are in seconds of the monotonic clock."""

    def node_done(self, name: str, module: str, started: float, ended: float) -> None:
        """A node that ran where it was called."""
        ...

    def lane_done(self, outcome: SourceOutcome, started: float, ended: float) -> None:
        """A lane that was settled."""
        ...


class Observers:
    """Several observers in the place of one, told in their order."""

    def __init__(self, *observers: FlowObserver) -> None:
        self._observers = observers

    def node_done(self, name: str, module: str, started: float, ended: float) -> None:
        """A node that ran where it was called."""
        for observer in self._observers:
            observer.node_done(name, module, started, ended)

    def lane_done(self, outcome: SourceOutcome, started: float, ended: float) -> None:
        """A lane that was settled."""
        for observer in self._observers:
            observer.lane_done(outcome, started, ended)


class PendingLane:
    """A lane that reads, or waits for a thread of its source.

    Args:
        user_id: whose records are read.
        read: reads the source.
        wait_s: how long a request waits for it at most.
        is_awaited: whether it is worth waiting for, asked again and again.
        still_s: seconds before the deadline that computing will need, asked again and again; half the time at most.
    """

    def __init__(
        self,
        source: str,
        user_id: str,
        limits: RequestLimits,
        read: Callable[[], LaneReading],
        *,
        wait_s: float = math.inf,
        is_awaited: Callable[[], bool] = lambda: True,
        still_s: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self.source, self.user_id, self._limits, self._read = source, user_id, limits, read
        self.asked, self._begun = time.monotonic(), 0.0
        self._late_from = math.inf if limits.deadline is None else limits.deadline + SETTLE_GRACE_S
        self._most_kept_s = (self._late_from - self.asked) / 2
        self._waits_until = self.asked + wait_s
        self._is_awaited, self._still_s = is_awaited, still_s
        self.is_late = self.is_judged = False
        self.future: Future[LaneReading] = Future()

    def run(self) -> LaneReading:
        """The evidence, read in a thread of the source; not for a caller who left."""
        self._begun = time.monotonic()
        self._limits.cancel_token.raise_if_cancelled()
        return self._read()

    def settled(self) -> LaneReading:
        """The lane's value, or a typed failure in its place once it has been waited for long enough.

        Raises:
            RecallCancelled: the caller withdrew the request.
        """
        return _brought(self.source, self._awaited)

    def _awaited(self) -> LaneReading:
        while not self.future.done():
            now, late_from = time.monotonic(), self._late_from - min(self._still_s(), self._most_kept_s)
            if now >= late_from:
                return self._given_up("late")
            if now >= self._waits_until or not self._is_awaited():
                return self._given_up("circuit_open")
            self._limits.cancel_token.raise_if_cancelled()
            with suppress(TimeoutError):
                self.future.exception(min(late_from - now, self._waits_until - now, GLANCE_S))
        return self.future.result()

    def silent_s(self, last_answer: float) -> float:
        """Seconds that the source had for this read, or for the reads that kept it from getting a thread."""
        return time.monotonic() - (self._begun or max(self.asked, last_answer))

    def _given_up(self, failure: str) -> LaneReading:
        self.is_late = failure == "late"
        if self._waits_until == math.inf:  # a read that tries the source goes on, and closes its circuit if it succeeds
            self.future.cancel()
        return SourceEvidence.failed(self.source, failure)


class LaneAdapter(BaseDoRemoteExecute):
    """Hamilton adapter: nodes tagged `lane` run in their source's pool; every other node runs where it is called.

    Args:
        threads_by_source: size of each source's pool; as many reads again may wait for a thread before further ones
            are turned away with `overloaded`. A source that is not named here answers in the caller's thread.
        observer: told of every node and lane, when given.
        patience_s: how long a source may be silent before its lateness counts against it; one that had less time was
            late because the request had been held up elsewhere.
        new_breaker: makes the breaker of a source.

    `turns` is where requests compute once their lanes are settled.
    """

    def __init__(
        self,
        threads_by_source: Mapping[str, int],
        observer: FlowObserver | None = None,
        *,
        patience_s: float = 0.0,
        new_breaker: Callable[[], SourceBreaker] = SourceBreaker,
    ) -> None:
        self.turns = Turns()
        self.breakers = {name: new_breaker() for name in threads_by_source}
        self._bulkheads = {
            name: _Bulkhead(name, threads, self.breakers[name], self.turns, patience_s)
            for name, threads in threads_by_source.items()
        }
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

    def _started(self, execute: Callable[..., LaneReading], kwargs: dict[str, Any]) -> PendingLane | LaneReading:
        adapter: SourceAdapter = next(v for k, v in kwargs.items() if k.endswith("_adapter"))
        read, bulkhead = partial(execute, **kwargs), self._bulkheads.get(adapter.source)
        if bulkhead is None:
            return self._read_here(adapter.source, read)
        user_id = kwargs["user_id"] if "user_id" in kwargs else kwargs["index_window"].user_id
        return bulkhead.started(user_id, kwargs["request_limits"], read)

    def _read_here(self, source: str, read: Callable[[], LaneReading]) -> LaneReading:
        asked, reading = time.monotonic(), _brought(source, read)
        if self.observer is not None:
            self.observer.lane_done(reading.outcome, asked, time.monotonic())
        return reading

    def _settled(self, lane: PendingLane) -> LaneReading:
        reading = lane.settled()
        if lane.is_late:
            self._bulkheads[lane.source].judge(lane, "late")
        if self.observer is not None:
            self.observer.lane_done(reading.outcome, lane.asked, time.monotonic())
        return reading

    def submitted_probe(self, source: str, probe: Callable[[], str]) -> Future[str]:
        """A short check of a source in its own pool; `overloaded` when every place is taken."""
        bulkhead = self._bulkheads.get(source)
        if bulkhead is None:
            return _settled(probe())
        return bulkhead.submitted(probe) or _settled("overloaded")

    def close(self) -> None:
        """Takes no further lanes; threads end with the reads they are in."""
        for bulkhead in self._bulkheads.values():
            bulkhead.close()


class _Bulkhead:
    """The threads of one source, the places for reads that run or wait, and the judgement of how they end."""

    def __init__(self, source: str, threads: int, breaker: SourceBreaker, turns: Turns, patience_s: float) -> None:
        self._source, self._breaker, self._turns, self._patience_s = source, breaker, turns, patience_s
        self._executor = ThreadPoolExecutor(max_workers=threads, thread_name_prefix=f"lane-{source}")
        self._places = threading.BoundedSemaphore(2 * threads)
        self._last_answer = 0.0

    def started(self, user_id: str, limits: RequestLimits, read: Callable[[], LaneReading]) -> PendingLane:
        """A lane that reads this source, unless it is left alone or every place is taken."""
        entry = self._breaker.entered(user_id)
        lane = self._lane(user_id, limits, read, is_try=entry == "half_open")
        reading: Future[LaneReading] | None = None if entry == "open" else self.submitted(partial(self._judged, lane))
        if reading is None:
            reason = "circuit_open" if entry == "open" else "overloaded"
            reading = _settled(SourceEvidence.failed(self._source, reason))
        lane.future = reading
        return lane

    def _lane(
        self, user_id: str, limits: RequestLimits, read: Callable[[], LaneReading], *, is_try: bool
    ) -> PendingLane:
        still_s = self._turns.still_s
        if is_try:
            return PendingLane(self._source, user_id, limits, read, wait_s=TRY_WAIT_S, still_s=still_s)
        is_awaited = partial(self._breaker.is_closed_for, user_id)
        return PendingLane(self._source, user_id, limits, read, is_awaited=is_awaited, still_s=still_s)

    def submitted(self, read: Callable[[], Value]) -> Future[Value] | None:
        """The read in a thread of this source; None when every place is taken."""
        if not self._places.acquire(blocking=False):
            return None
        context = contextvars.copy_context()
        future = self._executor.submit(context.run, read)
        future.add_done_callback(lambda _: self._places.release())
        return future

    def judge(self, lane: PendingLane, failure: str | None) -> None:
        """Tells the breaker how a read ended, once, where that says something of the source."""
        is_judged, lane.is_judged = lane.is_judged, True
        is_hurried = failure == "late" and lane.silent_s(self._last_answer) < self._patience_s
        if is_judged or is_hurried or failure in OUR_OWN_FAILURES:
            return
        self._breaker.record(lane.user_id, is_success=failure is None)
        if failure is None:
            self._last_answer = time.monotonic()

    def close(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)

    def _judged(self, lane: PendingLane) -> LaneReading:
        try:
            evidence = lane.run()
        except RecallCancelled:
            raise
        except Exception:
            self.judge(lane, "adapter_error")
            raise
        self.judge(lane, evidence.outcome.failure)
        return evidence


def _settled(value: Value) -> Future[Value]:
    future: Future[Value] = Future()
    future.set_result(value)
    return future


def _brought(source: str, read: Callable[[], LaneReading]) -> LaneReading:
    """What a read of a source gives, or a typed failure in its place; raises only for a caller who left."""
    try:
        return read()
    except RecallCancelled:
        raise
    except Exception as error:  # noqa: BLE001 - a stranger's adapter may raise anything; only its own items are lost
        _log.error("source %s failed with %s", source, type(error).__name__)
        return SourceEvidence.failed(source, "adapter_error")
