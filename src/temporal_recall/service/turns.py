"""Whose turn it is to compute, and for how long those who are under way will.

Sources are waited for side by side, but what comes after them is computed for two requests at a time, in their order:
the interpreter serves one thread at once, and sixteen that share it are all late.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import fmean

AT_ONCE = 2
"""One request that holds the interpreter, and one for while that is in native code."""

_RECENT_TURNS = 32


class Turns:
    """The turns of one process, and what they took lately."""

    def __init__(self) -> None:
        self._places = threading.Semaphore(AT_ONCE)
        self._lock = threading.Lock()
        self._under_way_count = self._computing_count = 0
        self._costs_s: deque[float] = deque(maxlen=_RECENT_TURNS)

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """A request that will want a turn, from its beginning until its turn is over."""
        with self._lock:
            self._under_way_count += 1
        try:
            yield
        finally:
            with self._lock:
                self._under_way_count -= 1

    @contextmanager
    def taken(self) -> Iterator[None]:
        """One turn, once there is a place for it; what a whole one took is shared by those who computed beside it."""
        with self._places:
            with self._lock:
                self._computing_count += 1
            started = time.monotonic()
            try:
                yield
                self._costs_s.append((time.monotonic() - started) / self._computing_count)
            finally:
                with self._lock:
                    self._computing_count -= 1

    def expected_s(self, request_count: int) -> float:
        """Seconds until so many requests have had their turns, if these take as long as the last ones did."""
        return request_count * fmean(tuple(self._costs_s) or (0.0,))

    def forget(self) -> None:
        """Forgets what turns took until now."""
        self._costs_s.clear()

    def still_s(self) -> float:
        """Seconds until all who are under way have had their turns."""
        return self.expected_s(self._under_way_count)
