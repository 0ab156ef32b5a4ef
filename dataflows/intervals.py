"""Ranges of time as texts: ISO 8601 intervals, `start/end`, of which an open side is `..`. A library without nodes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

import numpy as np

_OPEN = ".."


class Spanning(Protocol):
    """What lasts from one moment to another; None leaves a side open."""

    @property
    def start(self) -> datetime | None: ...

    @property
    def end(self) -> datetime | None: ...


def interval_texts(ranges: Iterable[Spanning]) -> tuple[str, ...]:
    """The ranges as ISO 8601 intervals."""
    return tuple([f"{_written(span.start)}/{_written(span.end)}" for span in ranges])


def interval_minutes(text: str) -> tuple[float, float]:
    """Where an interval begins and ends, in minutes since 1970; an open side is infinitely far.

    >>> interval_minutes("1970-01-01T08:10:00+08:00/..")
    (10.0, inf)
    """
    start, end = text.split("/")
    return _minutes(start, -np.inf), _minutes(end, np.inf)


def _written(moment: datetime | None) -> str:
    return moment.isoformat() if moment is not None else _OPEN


def _minutes(text: str, where_open: float) -> float:
    return where_open if text == _OPEN else datetime.fromisoformat(text).timestamp() / 60
