"""Memory V2 over a socket: pages, filters checked again, and failures."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from temporal_recall.adapters.memory_v2 import MemoryV2Adapter
from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import RequestLimits, SearchContext
from temporal_recall.testing.contexts import issues_of, records_of
from temporal_recall.testing.faults import Fault, FaultSwitch, FaultyApp
from temporal_recall.testing.json_server import memory_app
from temporal_recall.testing.running import running

SearchContexts = Callable[..., SearchContext]


def _item(number: int, **more: Any) -> dict[str, Any]:
    base = {"memory_id": f"m{number}", "user_id": "u1", "created_at": f"2026-09-0{number}T09:00:00+08:00"}
    return {**base, "text": f"记住的第{number}件", **more}


def _rows(items: list[dict[str, Any]], context: SearchContext, token: str = "t") -> list[Any]:
    with running(memory_app(items, "t")) as url, closing(MemoryV2Adapter("memory_v2", url, token=token)) as adapter:
        return list(adapter.search(context))


def test_pages_are_read_to_the_end(search_context: SearchContexts) -> None:
    records = records_of(_rows([_item(n) for n in range(1, 8)], search_context()))
    assert [r.source_ref for r in records] == [f"memory_v2:memory:m{n}" for n in range(1, 8)]


def test_what_cannot_be_used_is_an_issue(search_context: SearchContexts) -> None:
    items = [_item(1), _item(2, text=None), _item(3, memory_id="no good!"), _item(4, time_zone="Mars/X")]
    rows = _rows(items, search_context())
    assert [i.code for i in issues_of(rows)] == ["invalid_record"] * 2
    assert [r.time_zone for r in records_of(rows)] == ["Asia/Shanghai"] * 2
    assert "no good!" not in repr(issues_of(rows))


def test_a_deleted_memory_is_gone(search_context: SearchContexts) -> None:
    assert _rows([_item(1, deleted=True)], search_context()) == []


def test_a_wrong_token_is_refused(search_context: SearchContexts) -> None:
    with pytest.raises(SourceUnavailable) as caught:
        _rows([], search_context(), token="wrong")
    assert (caught.value.reason, caught.value.is_retryable) == ("unauthenticated", False)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (Fault.HANG, "late"),
        (Fault.FLOOD, "body_too_large|late"),
        (Fault.GARBAGE, "bad_page"),
        (Fault.UNAVAILABLE, "unavailable"),
        (Fault.RESET, "connection_lost"),
    ],
)
def test_a_broken_service_is_one_error(fault: Fault, reason: str, search_context: SearchContexts) -> None:
    app = FaultyApp(memory_app([_item(1)], "t"), FaultSwitch(fault))
    with running(app) as url, closing(MemoryV2Adapter("memory_v2", url, token="t")) as adapter:
        with pytest.raises(SourceUnavailable, match=reason):
            list(adapter.search(search_context(seconds=0.5)))
        if fault is Fault.UNAVAILABLE:
            assert adapter.probe(RequestLimits()).state == "down"
