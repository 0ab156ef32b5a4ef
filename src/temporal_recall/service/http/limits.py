"""How much one user, and all of them, may ask at once."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from temporal_recall.service.config import HttpConfig
from temporal_recall.service.facade import RecallService
from temporal_recall.service.http.problems import HttpProblem


class Shares:
    """Lets requests in by the configured limits: how often and how much at once one user may ask, and all of them.

    It runs on the event loop, so that no lock is needed.
    """

    def __init__(self, http: HttpConfig) -> None:
        self._http = http
        self._rate = RateLimitItemPerMinute(http.rate_per_minute)
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._running: Counter[str] = Counter()

    def check_places(self) -> None:
        """Whether there is a place for a further request, whoever's; costs next to nothing.

        Raises:
            HttpProblem: 503, every place is taken.
        """
        if self._running.total() >= self._http.places:
            raise _no_place(1.0)

    @contextmanager
    def admitted(self, user_id: str) -> Iterator[None]:
        """A place for one request of a user.

        Raises:
            HttpProblem: 429, the user asks too often or too much at once; 503, as `check_places`.
        """
        if not self._limiter.hit(self._rate, user_id):
            reset = self._limiter.get_window_stats(self._rate, user_id).reset_time
            raise HttpProblem(429, "rate_limited", "requests per minute", retry_after_s=reset - time.time())
        if self._running[user_id] >= self._http.concurrent_requests:
            raise HttpProblem(429, "rate_limited", "requests at once", retry_after_s=1)
        self.check_places()
        self._running[user_id] += 1
        try:
            yield
        finally:
            self._running[user_id] -= 1
            if not self._running[user_id]:
                del self._running[user_id]


class Admission(Shares):
    """Lets in whom one of the service's threads is free for and who can be answered in time.

    A request that could not end in time is refused when it comes, not once its time is over: half of its time is for
    its sources, and in the other half all who are under way must have computed. How long the last ones took says so.

    Args:
        service: gives the service once there is one.
    """

    def __init__(self, http: HttpConfig, service: Callable[[], RecallService]) -> None:
        super().__init__(http)
        self._service = service

    def check_places(self) -> None:
        """Whether a further request, whoever's, could be answered in time; costs next to nothing.

        Raises:
            HttpProblem: 503, every place is taken, or the wait is too long.
        """
        service, running = self._service(), self._running.total()
        wait_s = service.expected_s(running) if running else 0.0
        places = min(self._http.places, service.config.request_threads)
        if running >= places or wait_s >= service.config.request_time_limit_s / 2:
            raise _no_place(wait_s)


def _no_place(wait_s: float) -> HttpProblem:
    return HttpProblem(503, "source_unavailable", "every place is taken", retry_after_s=wait_s)
