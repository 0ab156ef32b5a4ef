"""Circuit breaker of one source: after several failures in a row the source is left alone, then tried once.

Our own forty lines, because the libraries for it wrap one call and hold a lock or a verdict until it returns, and a
hung read never returns: here the verdict comes from whoever settles the read at the deadline.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Literal

State = Literal["closed", "open", "half_open"]


class SourceBreaker:
    """Opens after `failure_limit` failures in a row and lets one read try again every `reset_s` seconds.

    Args:
        clock: monotonic seconds; tests bring their own.
    """

    def __init__(
        self, *, failure_limit: int = 5, reset_s: float = 10.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._failure_limit, self._reset_s, self._clock = failure_limit, reset_s, clock
        self._lock = threading.Lock()
        self._failure_count = 0
        self._next_try = 0.0

    @property
    def state(self) -> State:
        """`closed`: reads pass. `open`: they do not. `half_open`: the next one may try."""
        if self._failure_count < self._failure_limit:
            return "closed"
        return "half_open" if self._clock() >= self._next_try else "open"

    def entered(self) -> State:
        """The state that a read meets which comes now; the one that meets it `half_open` is the only one to try."""
        with self._lock:
            state = self.state
            if state == "half_open":
                self._next_try = self._clock() + self._reset_s
            return state

    def record(self, *, is_success: bool) -> None:
        """How a read ended."""
        with self._lock:
            self._failure_count = 0 if is_success else self._failure_count + 1
            if self._failure_count == self._failure_limit:
                self._next_try = self._clock() + self._reset_s
