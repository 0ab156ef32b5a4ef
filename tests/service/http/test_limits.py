"""Who is let in, who waits, and who is told to come back later."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from listed_sources import HungSource, ListedSource
from served_recall import NOW, Served, life_of, token

from temporal_recall.service.config import HttpConfig, RecallConfig, SourceConfig
from temporal_recall.service.facade import RecallService
from temporal_recall.service.http.limits import Admission
from temporal_recall.service.http.problems import HttpProblem

PATIENT = {"retrieval_time_limit_s": 50, "request_time_limit_s": 60}
QUESTION = {"query": "我今天做了什么", "now": NOW}


def admission(*, threads: int = 2, computing_s: float = 0.0, **http: int) -> Admission:
    """The admission of a service in which every request computes so long."""

    class Service(RecallService):
        def expected_s(self, request_count: int) -> float:
            return request_count * computing_s

    config = RecallConfig(sources=(SourceConfig(name="chat"),), request_threads=threads)
    service = Service(config, {"chat": ListedSource("chat")})
    return Admission(HttpConfig(**http), lambda: service)


def refusal(admission: Admission, user_id: str) -> tuple[int, float | None]:
    """Status and wait of a refused request."""
    with pytest.raises(HttpProblem) as refused, admission.admitted(user_id):
        """not reached"""
    return refused.value.status, refused.value.retry_after_s


class TestPlaces:
    def test_one_user_takes_no_more_than_their_own(self) -> None:
        limits = admission(concurrent_requests=1)
        with limits.admitted("u1"), limits.admitted("u2"):
            assert refusal(limits, "u1") == (429, 1)
        with limits.admitted("u1"):
            """the place is free again"""

    def test_all_users_take_no_more_than_there_are(self) -> None:
        limits = admission(places=2)
        with limits.admitted("u1"), limits.admitted("u2"):
            assert refusal(limits, "u3")[0] == 503
        limits.check_places()

    def test_nobody_is_let_in_for_whom_there_is_no_thread(self) -> None:
        limits = admission(threads=2)
        with limits.admitted("u1"), limits.admitted("u2"):
            assert refusal(limits, "u3")[0] == 503

    def test_nobody_is_let_in_who_would_wait_too_long_for_the_processor(self) -> None:
        limits = admission(threads=16, computing_s=1.0)
        with ExitStack() as running:
            for number in range(3):
                running.enter_context(limits.admitted(f"u{number}"))
            assert refusal(limits, "u9") == (503, 3.0)

    def test_slow_requests_keep_nobody_from_an_idle_service(self) -> None:
        limits = admission(computing_s=60.0)
        with limits.admitted("u1"):
            assert refusal(limits, "u2")[0] == 503
        limits.check_places()


@pytest.fixture
def hung() -> Iterator[HungSource]:
    source = HungSource("meinput")
    yield source
    source.release.set()


def test_a_full_service_says_so_before_it_reads_a_token_or_a_body(
    serve: Callable[..., Served], hung: HungSource
) -> None:
    served = serve(hung, http=HttpConfig(places=1), **PATIENT)
    with ThreadPoolExecutor(1) as callers:
        held = callers.submit(served.ask, QUESTION, token())
        hung.started.wait(20)
        answer = served.ask("no JSON object", "no token")
        hung.release.set()
    assert held.result().status_code == 200
    assert (answer.status_code, answer.json()["code"]) == (503, "source_unavailable")
    assert int(answer.headers["Retry-After"]) >= 1


def test_once_the_circuit_is_open_nobody_waits_for_the_source(serve: Callable[..., Served], hung: HungSource) -> None:
    """A short form of `benchmarks/service.py load`."""
    chat = ListedSource("chat", *life_of("u1", "护照"))
    served = serve(chat, hung, http=HttpConfig(concurrent_requests=50), **PATIENT)
    for number in range(5):
        served.service.lanes.breakers["meinput"].record(f"u{number}", is_success=False)
    with ThreadPoolExecutor(8) as callers:
        answers = [answer.json() for answer in callers.map(lambda _: served.ask(QUESTION, token()), range(8))]
    assert [a["stats"]["sources_failed"] for a in answers] == [[{"source": "meinput", "code": "circuit_open"}]] * 8
    assert all(a["stats"]["raw_count"] == 2 for a in answers)
