"""How much one user, and all of them, may ask at once."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from temporal_recall.service.config import HttpConfig
from temporal_recall.service.http.problems import HttpProblem


class Admission:
    """Lets requests in by the configured rate and concurrency; it runs on the event loop, so that no lock is needed."""

    def __init__(self, http: HttpConfig) -> None:
        self._http = http
        self._rate = RateLimitItemPerMinute(http.rate_per_minute)
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._running: Counter[str] = Counter()

    @contextmanager
    def admitted(self, user_id: str) -> Iterator[None]:
        """A place for one request of a user.

        Raises:
            HttpProblem: 429, the user asks too often or too much at once; 503, every place is taken.
        """
        if not self._limiter.hit(self._rate, user_id):
            reset = self._limiter.get_window_stats(self._rate, user_id).reset_time
            raise HttpProblem(429, "rate_limited", "requests per minute", retry_after_s=reset - time.time())
        if self._running[user_id] >= self._http.concurrent_requests:
            raise HttpProblem(429, "rate_limited", "requests at once", retry_after_s=1)
        if self._running.total() >= self._http.places:
            raise HttpProblem(503, "source_unavailable", "every place is taken", retry_after_s=1)
        self._running[user_id] += 1
        try:
            yield
        finally:
            self._running[user_id] -= 1
            if not self._running[user_id]:
                del self._running[user_id]
