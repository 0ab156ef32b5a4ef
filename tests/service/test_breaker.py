"""A source that keeps failing is left alone, and tried again once in a while."""

from __future__ import annotations

from temporal_recall.service.breaker import SourceBreaker


class Clock:
    """Seconds that the test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def opened(clock: Clock) -> SourceBreaker:
    breaker = SourceBreaker(failure_limit=3, reset_s=10, clock=clock)
    for _ in range(3):
        breaker.record(is_success=False)
    return breaker


def test_failures_in_a_row_open_it() -> None:
    breaker = opened(Clock())
    assert breaker.entered() == "open"


def test_a_success_between_keeps_it_closed() -> None:
    breaker = SourceBreaker(failure_limit=3, clock=Clock())
    for is_success in (False, False, True, False, False):
        breaker.record(is_success=is_success)
    assert breaker.entered() == "closed"


def test_after_a_while_one_read_may_try() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now += 10
    assert breaker.state == "half_open"
    assert [breaker.entered() for _ in range(3)] == ["half_open", "open", "open"]


def test_a_try_that_succeeds_closes_it_and_one_that_fails_does_not() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now += 10
    breaker.entered()
    breaker.record(is_success=False)
    assert breaker.entered() == "open"
    clock.now += 10
    breaker.entered()
    breaker.record(is_success=True)
    assert breaker.state == "closed"
