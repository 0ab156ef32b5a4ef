"""A source that keeps failing is left alone, and tried again once in a while: for one user, or for all."""

from __future__ import annotations

import pytest

from temporal_recall.service.breaker import MOST_USERS, SourceBreaker

ANA, BO, CAI, DAN = "ana", "bo", "cai", "dan"


class Clock:
    """Seconds that the test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> SourceBreaker:
    return SourceBreaker(failure_limit=3, reset_s=10, clock=clock)


def fail(breaker: SourceBreaker, *users: str) -> None:
    for user in users:
        breaker.record(user, is_success=False)


class TestOneUser:
    """What a user keeps in a source may make every read of theirs fail; that is nobody else's matter."""

    def test_failures_in_a_row_open_it_for_that_user_alone(self, breaker: SourceBreaker) -> None:
        fail(breaker, *[ANA] * 100)
        assert (breaker.entered(ANA), breaker.entered(BO), breaker.state) == ("open", "closed", "closed")

    def test_whether_it_is_open_can_be_asked_without_taking_the_turn_to_try(
        self, breaker: SourceBreaker, clock: Clock
    ) -> None:
        assert breaker.is_closed_for(ANA)
        fail(breaker, *[ANA] * 3)
        clock.now += 10
        assert [breaker.is_closed_for(user) for user in (ANA, BO)] == [False, True]
        assert breaker.entered(ANA) == "half_open"

    def test_a_success_between_keeps_it_closed(self, breaker: SourceBreaker) -> None:
        for is_success in (False, False, True, False, False):
            breaker.record(ANA, is_success=is_success)
        assert breaker.entered(ANA) == "closed"

    def test_another_users_success_says_nothing_of_it(self, breaker: SourceBreaker) -> None:
        fail(breaker, ANA, ANA)
        breaker.record(BO, is_success=True)
        fail(breaker, ANA)
        assert breaker.entered(ANA) == "open"

    def test_after_a_while_one_read_may_try(self, breaker: SourceBreaker, clock: Clock) -> None:
        fail(breaker, *[ANA] * 3)
        clock.now += 10
        assert [breaker.entered(ANA) for _ in range(3)] == ["half_open", "open", "open"]

    def test_a_try_that_succeeds_closes_it_and_one_that_fails_does_not(
        self, breaker: SourceBreaker, clock: Clock
    ) -> None:
        fail(breaker, *[ANA] * 3)
        for is_success, then in ((False, "open"), (True, "closed")):
            clock.now += 10
            breaker.entered(ANA)
            breaker.record(ANA, is_success=is_success)
            assert breaker.entered(ANA) == then

    def test_no_more_users_are_known_than_memory_is_meant_for(self, breaker: SourceBreaker) -> None:
        for number in range(MOST_USERS + 1):
            fail(breaker, *[f"user {number}"] * 3)
            breaker.record("of good luck", is_success=True)
        assert breaker.entered("user 0") == "closed"
        assert breaker.entered("user 1") == "open"


class TestEveryone:
    """Reads of one user after another that fail are the source's own failures."""

    def test_as_many_users_in_a_row_open_it_for_all(self, breaker: SourceBreaker) -> None:
        fail(breaker, ANA, BO, CAI)
        assert (breaker.state, breaker.entered(DAN)) == ("open", "open")

    def test_one_success_between_keeps_it_closed(self, breaker: SourceBreaker) -> None:
        fail(breaker, ANA, BO)
        breaker.record(DAN, is_success=True)
        fail(breaker, CAI)
        assert breaker.entered(DAN) == "closed"

    def test_one_read_at_a_time_tries_again_and_its_success_opens_the_way(
        self, breaker: SourceBreaker, clock: Clock
    ) -> None:
        fail(breaker, ANA, BO, CAI)
        clock.now += 10
        assert (breaker.state, breaker.entered(DAN), breaker.entered(ANA)) == ("half_open", "half_open", "open")
        breaker.record(DAN, is_success=True)
        assert [breaker.entered(user) for user in (ANA, BO, CAI, DAN)] == ["closed"] * 4

    def test_a_try_that_fails_leaves_it_open(self, breaker: SourceBreaker, clock: Clock) -> None:
        fail(breaker, ANA, BO, CAI)
        clock.now += 10
        breaker.entered(DAN)
        fail(breaker, DAN)
        assert breaker.entered(BO) == "open"

    def test_a_user_who_always_fails_takes_no_ones_turn_to_try(self, breaker: SourceBreaker, clock: Clock) -> None:
        fail(breaker, *[ANA] * 3, BO, CAI)
        clock.now += 10
        assert (breaker.entered(ANA), breaker.entered(DAN)) == ("half_open", "half_open")
