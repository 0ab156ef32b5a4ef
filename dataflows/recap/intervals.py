"""Sums over intervals of time: unions, never additions."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

Interval = tuple[datetime, datetime]


def union_duration(intervals: Iterable[Interval]) -> timedelta:
    """The time that at least one of the intervals covers; they may come in any order.

    a  |====      |
    b  |   ===    |      7 of 10
    c  |        = |
    """
    covered = timedelta(0)
    covered_until: datetime | None = None
    for start, end in sorted(intervals):
        if covered_until is not None and start < covered_until:
            start = covered_until
        if end > start:
            covered += end - start
            covered_until = end
    return covered
