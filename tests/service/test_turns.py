"""Two requests compute at a time, and what turns took says how long those under way will."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from temporal_recall.service import turns
from temporal_recall.service.turns import Turns


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The instant that turns see, to be set."""
    now = [100.0]
    monkeypatch.setattr(turns, "time", SimpleNamespace(monotonic=lambda: now[0]))  # and nobody else's clock
    return now


def test_nothing_is_expected_before_the_first_turn() -> None:
    assert Turns().expected_s(9) == 0.0


def test_requests_are_expected_to_take_as_long_as_the_last_ones(clock: list[float]) -> None:
    made = Turns()
    for took_s in (1.0, 3.0):
        with made.taken():
            clock[0] += took_s
    assert made.expected_s(10) == 20.0
    made.forget()
    assert made.expected_s(10) == 0.0


def test_two_who_compute_side_by_side_share_the_time(clock: list[float]) -> None:
    made = Turns()
    with made.taken():
        with made.taken():
            clock[0] += 2.0
        made.forget()
        with made.taken():
            clock[0] += 2.0
        assert made.expected_s(1) == 1.0


def test_a_turn_that_was_broken_off_says_nothing(clock: list[float]) -> None:
    made = Turns()
    with pytest.raises(ZeroDivisionError), made.taken():
        raise ZeroDivisionError
    assert made.expected_s(1) == 0.0
    with made.taken(), made.taken():
        """both places are free again"""


def test_those_under_way_say_how_long_everyone_will_still_compute(clock: list[float]) -> None:
    made = Turns()
    with made.taken():
        clock[0] += 2.0
    with made.under_way(), made.under_way(), made.under_way():
        assert made.still_s() == 6.0
    assert made.still_s() == 0.0
