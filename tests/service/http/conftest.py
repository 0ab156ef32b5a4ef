"""The application on a real socket."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from listed_sources import ListedSource
from served_recall import Served, life_of, serving


@pytest.fixture
def serve() -> Iterator[Callable[..., Served]]:
    """Serves an application over given adapters, with given settings."""
    with serving() as start:
        yield start


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    """One application for all, over one chat in which u1 and u2 have each their own life; a busy machine is in time."""
    lives = ListedSource("chat", *life_of("u1", "护照"), *life_of("u2", "离婚"))
    with serving() as start:
        yield start(lives, request_time_limit_s=60, retrieval_time_limit_s=50)
