"""Circuit breaker of one source: after several failures in a row the source is left alone, then tried once.

Some failures are of the source, others of what one user keeps there (a calendar that no parser can read in time). So a
user whose reads fail is left alone for that user only, and all are where one user after another fails.

Our own lines, because the libraries for it wrap one call and hold a lock or a verdict until it returns, and a hung read
never returns: here the verdict comes from whoever settles the read at the deadline.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Literal

State = Literal["closed", "open", "half_open"]

MOST_USERS = 1024
"""How many users with failing reads are known of a source; beyond, the one whose last failure is oldest is let in."""


class SourceBreaker:
    """Opens for a user after `failure_limit` of their reads in a row failed, for all after those of as many users did.

    One read at a time tries again, every `reset_s` seconds.

    Args:
        clock: monotonic seconds; tests bring their own.
    """

    def __init__(
        self, *, failure_limit: int = 5, reset_s: float = 10.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._new_circuit = partial(_Circuit, failure_limit, reset_s, clock)
        self._lock = threading.Lock()
        self._everyones = self._new_circuit()
        self._failed_in_a_row: set[str] = set()
        self._by_user: OrderedDict[str, _Circuit] = OrderedDict()

    @property
    def state(self) -> State:
        """What a user without failures meets. `closed`: reads pass. `open`: they do not. `half_open`: one may try."""
        return self._everyones.state

    def entered(self, user_id: str) -> State:
        """The state that a read of a user meets which comes now; one that meets it `half_open` is the only one to try.

        A user who is left alone tries for themselves only, and takes no one's turn to try for all.
        """
        with self._lock:
            return self._circuit_of(user_id).entered()

    def is_closed_for(self, user_id: str) -> bool:
        """Whether a read of a user would pass; unlike `entered` it takes no turn to try."""
        with self._lock:
            return self._circuit_of(user_id).state == "closed"

    def record(self, user_id: str, *, is_success: bool) -> None:
        """How a read of a user ended."""
        with self._lock:
            if is_success:
                self._by_user.pop(user_id, None)
                self._failed_in_a_row.clear()
                self._everyones.succeed()
            else:
                self._own(user_id).fail()
                if user_id not in self._failed_in_a_row and self.state == "closed":
                    self._failed_in_a_row.add(user_id)
                    self._everyones.fail()

    def _circuit_of(self, user_id: str) -> _Circuit:
        own = self._by_user.get(user_id)
        return self._everyones if own is None or own.state == "closed" else own

    def _own(self, user_id: str) -> _Circuit:
        own = self._by_user.setdefault(user_id, self._new_circuit())
        self._by_user.move_to_end(user_id)
        if len(self._by_user) > MOST_USERS:
            self._by_user.popitem(last=False)
        return own


class _Circuit:
    """Counts failures in a row, and lets one read try again every `reset_s` seconds once there are too many."""

    def __init__(self, failure_limit: int, reset_s: float, clock: Callable[[], float]) -> None:
        self._failure_limit, self._reset_s, self._clock = failure_limit, reset_s, clock
        self._failure_count = 0
        self._next_try = 0.0

    @property
    def state(self) -> State:
        if self._failure_count < self._failure_limit:
            return "closed"
        return "half_open" if self._clock() >= self._next_try else "open"

    def entered(self) -> State:
        state = self.state
        if state == "half_open":
            self._next_try = self._clock() + self._reset_s
        return state

    def fail(self) -> None:
        self._failure_count += 1
        if self._failure_count == self._failure_limit:
            self._next_try = self._clock() + self._reset_s

    def succeed(self) -> None:
        self._failure_count = 0
