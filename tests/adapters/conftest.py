"""What the tests of adapters share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from temporal_recall.schemas.evidence import SearchContext
from temporal_recall.testing.contexts import search_context as context_of


@pytest.fixture
def search_context() -> Callable[..., SearchContext]:
    """Makes a context: of user u1, in Shanghai, over the first days of September 2026 unless said otherwise."""

    def make(
        start: str = "2026-09-01T00:00:00+08:00", end: str = "2026-09-08T00:00:00+08:00", **more: object
    ) -> SearchContext:
        return partial(context_of, now="2026-09-09T12:00:00+08:00")(start, end, **more)  # type: ignore[arg-type]

    return make
