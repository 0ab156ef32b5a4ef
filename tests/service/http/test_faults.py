"""A source that fails in every way a server can, over real sockets: the answer is right, partial and on time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from listed_sources import HungSource, ListedSource
from served_recall import NOW, Served, life_of, token

from temporal_recall.adapters.meinput import MeInputAdapter
from temporal_recall.testing.evidence_server import EvidenceServer, Subject, evidence_app, evidence_item
from temporal_recall.testing.evidence_store import EvidenceStore
from temporal_recall.testing.faults import Fault, FaultSwitch
from temporal_recall.testing.running import running

QUESTION = {"query": "我今天做了什么", "now": NOW}
LIMIT_S = 1.5


@pytest.fixture(scope="module")
def switch() -> FaultSwitch:
    return FaultSwitch()


@pytest.fixture(scope="module")
def evidence(switch: FaultSwitch) -> Iterator[str]:
    """An evidence server with nine segments of u1, whose answers the switch spoils."""
    store = EvidenceStore()
    store.put(
        evidence_item(f"e{n}", "u1", f"2026-09-03T{9 + n:02d}:00:00+08:00", f"跟第{n}个客户开完会了") for n in range(9)
    )
    with running(evidence_app(EvidenceServer(store, {"worker": Subject(None)}), switch)) as url:
        yield url


@pytest.fixture
def answered(
    serve: Callable[..., Served], evidence: str, switch: FaultSwitch
) -> Iterator[Callable[[Fault | None], dict[str, Any]]]:
    """Asks a service of chat and MeInput once, while MeInput suffers a fault from its n-th page on."""

    def ask(fault: Fault | None, skip_count: int = 0) -> dict[str, Any]:
        meinput = MeInputAdapter("meinput", evidence, token="worker", page_size=3)
        served = serve(ListedSource("chat", *life_of("u1", "护照")), meinput, retrieval_time_limit_s=LIMIT_S)
        switch.set(fault, skip_count=skip_count)
        answer = served.ask(QUESTION, token())
        assert answer.status_code == 200, "not in time, or not partial as promised"
        body: dict[str, Any] = answer.json()
        return body

    yield ask
    switch.set(None)


def test_without_a_fault_everything_is_there(answered: Callable[..., dict[str, Any]]) -> None:
    body = answered(None)
    assert (body["stats"]["raw_count"], body["stats"]["partial"]) == (11, False)


@pytest.mark.parametrize("fault", [f for f in Fault if f is not Fault.CURSOR_EXPIRED], ids=lambda f: f.name.lower())
def test_a_source_that_fails_at_once_costs_only_its_own(answered: Callable[..., dict[str, Any]], fault: Fault) -> None:
    body = answered(fault)
    assert (body["stats"]["raw_count"], body["stats"]["partial"]) == (2, True)
    assert [f["source"] for f in body["stats"]["sources_failed"]] == ["meinput"]
    assert "护照" in str(body["items"])


@pytest.mark.parametrize(
    "fault", [Fault.RESET, Fault.FLOOD, Fault.GARBAGE, Fault.UNAVAILABLE], ids=lambda f: f.name.lower()
)
def test_a_source_that_fails_at_its_third_page_keeps_the_first_two(
    answered: Callable[..., dict[str, Any]], fault: Fault
) -> None:
    body = answered(fault, skip_count=2)
    assert (body["stats"]["raw_count"], body["stats"]["partial"]) == (8, True)


def test_many_who_come_at_once_while_a_source_begins_to_hang_are_answered_without_it(
    serve: Callable[..., Served],
) -> None:
    """More of them than the circuit needs to open, and nobody before them: `benchmarks/service.py load` asks for 64."""
    hung, users = HungSource("meinput"), [f"u{number}" for number in range(20)]
    chat = ListedSource("chat", *(row for user in users for row in life_of(user, "护照")), is_in_memory=True)
    served = serve(chat, hung, retrieval_time_limit_s=LIMIT_S, request_time_limit_s=30)
    try:
        with ThreadPoolExecutor(len(users)) as callers:
            answers = list(callers.map(lambda user: served.ask(QUESTION, token(user)), users))
        assert [answer.status_code for answer in answers] == [200] * len(users)
        assert {answer.json()["stats"]["raw_count"] for answer in answers} == {2}
        codes = {failed["code"] for answer in answers for failed in answer.json()["stats"]["sources_failed"]}
        assert codes <= {"late", "circuit_open", "overloaded"}
        assert served.service.lanes.breakers["meinput"].state == "open"
    finally:
        hung.release.set()


def test_a_hung_source_leaves_no_thread_behind(serve: Callable[..., Served]) -> None:
    """A short form of ten thousand requests; `benchmarks/service.py leak` asks them all."""
    hung = HungSource("meinput")
    served = serve(ListedSource("chat", *life_of("u1", "护照")), hung, retrieval_time_limit_s=0.5)
    try:
        for _ in range(6):
            served.ask(QUESTION, token())
        threads = threading.active_count()
        for _ in range(10):
            assert served.ask(QUESTION, token()).json()["stats"]["raw_count"] == 2
        assert threading.active_count() <= threads + 2, (
            "the executor may still grow by one, and the client's connections"
        )
        assert hung.search_count <= 5
    finally:
        hung.release.set()
