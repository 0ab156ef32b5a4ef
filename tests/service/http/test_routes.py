"""The API document's routes: what they answer, how they refuse, and that they stay on time."""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Callable
from urllib.parse import urlsplit

import httpx
import pytest
from listed_sources import DownSource, HungSource, ListedSource
from served_recall import NOW, Served, life_of, token

from temporal_recall.schemas.bundle import RecallBundle
from temporal_recall.schemas.plan import ContextPlan
from temporal_recall.service.config import HttpConfig
from temporal_recall.service.http import examples, problems

QUESTION = {"query": "我今天做了什么", "now": NOW}


@pytest.fixture
def hung() -> HungSource:
    source = HungSource("meinput")
    yield source
    source.release.set()


def _plan_over(start: str, end: str) -> dict[str, object]:
    return {"plan": {"time": {"event_range": {"start": f"{start}T00:00:00Z", "end": f"{end}T00:00:00Z"}}}}


class TestQuery:
    def test_a_question_is_answered_with_evidence(self, served: Served) -> None:
        bundle = RecallBundle.model_validate(served.ask(QUESTION, token()).json())
        assert [i.source_ref for i in bundle.items]
        assert bundle.stats.elapsed_ms is not None

    def test_a_plan_gives_the_same_answer_as_its_question(self, served: Served) -> None:
        by_query = served.ask(QUESTION, token()).json()
        by_plan = served.ask({"plan": by_query["plan"], "now": NOW}, token()).json()
        by_query["stats"]["elapsed_ms"] = by_plan["stats"]["elapsed_ms"] = None
        assert by_plan == by_query

    def test_explain_and_trace_come_on_request(self, served: Served) -> None:
        plain = served.ask(QUESTION, token()).json()
        full = served.ask(QUESTION | {"explain": True, "trace": True}, token()).json()
        assert plain["items"][0]["explanation"] is None
        assert full["items"][0]["explanation"]["temporal_match"] > 0
        assert full["trace"]["now"] == NOW
        assert set(full["trace"]["windows"]) == {"chat"}
        assert plain["trace"] is None

    @pytest.mark.parametrize("body", [examples.BY_PLAN, examples.BY_QUERY | {"user_id": "u1"}])
    def test_the_document_s_requests_are_answered(self, served: Served, body: dict[str, object]) -> None:
        assert served.ask(body, token()).status_code == 200

    def test_chat_is_answered_with_nothing(self, served: Served) -> None:
        answer = served.ask({"query": "帮我翻译一下 hello world", "now": NOW}, token()).json()
        assert (answer["items"], answer["stats"]["skipped"]) == ([], True)

    @pytest.mark.parametrize(
        ("body", "code", "path"),
        [
            ({}, "invalid_request", ""),
            ({"query": "昨天", "plan": {}}, "invalid_request", ""),
            ({"query": ""}, "invalid_request", "query"),
            ({"query": "天" * 2001}, "invalid_request", "query"),
            ({"query": "昨天", "limit": 0}, "invalid_request", "limit"),
            ({"query": "昨天", "limit": 201}, "invalid_request", "limit"),
            ({"query": "昨天", "limit": "many"}, "invalid_request", "limit"),
            ({"query": "昨天", "now": "2026-09-03T22:00:00"}, "invalid_request", "now"),
            ({"query": "昨天", "now": "0001-01-01T00:00:00Z"}, "invalid_request", "now"),
            ({"query": "昨天", "colour": "red"}, "invalid_request", "colour"),
            ({"plan": {"temporal_mode": "SOMETIME"}}, "invalid_plan", "plan.temporal_mode"),
            ({"plan": {"intent": "query_schedule"}}, "invalid_plan", "plan.intent"),
            (_plan_over("2000-01-01", "2026-01-01"), "invalid_plan", "plan.time.event_range"),
            (_plan_over("2026-01-02", "2026-01-01"), "invalid_plan", "plan.time.event_range"),
            ({"plan": {"sources": {"chat": 7}}}, "invalid_plan", "plan.sources.chat"),
            ([1, 2], "invalid_request", ""),
        ],
    )
    def test_a_bad_body_is_refused_by_field(self, served: Served, body: object, code: str, path: str) -> None:
        answer = served.ask(body, token())
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (400, code)
        assert answer.headers["content-type"] == "application/problem+json"
        assert any(e["path"].startswith(path) for e in problem["errors"])
        assert problem["request_id"] == answer.headers["X-Request-Id"]

    @pytest.mark.parametrize("content", [b"{", b"\xff\xfe", b"null", b"[" * 50_000, b'{"query": 1e999}', b""])
    def test_what_is_not_json_is_refused(self, served: Served, content: bytes) -> None:
        client = served.client(token(), **{"Content-Type": "application/json"})
        answer = client.post("/api/v1/temporal-recall/query", content=content)
        assert answer.status_code == 400
        assert answer.json()["code"] == "invalid_request"

    @pytest.mark.parametrize("declares_length", [True, False])
    def test_a_large_body_is_refused(self, served: Served, declares_length: bool) -> None:
        body = json.dumps({"query": "昨天", "now": "x" * 400_000}).encode()
        content = body if declares_length else iter([body[:1000], body[1000:]])
        client = served.client(token(), **{"Content-Type": "application/json"})
        answer = client.post("/api/v1/temporal-recall/query", content=content)
        assert (answer.status_code, answer.json()["code"]) == (413, "payload_too_large")

    def test_a_body_that_does_not_come_is_given_up(self, served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(problems, "MAX_BODY_S", 0.0)
        address = urlsplit(served.url)
        head = (
            "POST /api/v1/temporal-recall/query HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
            f"Authorization: Bearer {token()}\r\n"
            "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
        )
        with socket.create_connection((address.hostname, address.port), timeout=20) as connection:
            connection.sendall(head.encode())
            answer = connection.makefile("rb").read()
        assert answer.startswith(b"HTTP/1.1 408")
        assert b'"code":"request_timeout"' in answer

    def test_no_address_is_built_from_the_host_that_the_caller_names(self, served: Served) -> None:
        elsewhere = served.client(token(), Host="elsewhere.example")
        response = elsewhere.get("/api/v1/temporal-recall/info/")
        assert (response.status_code, response.json()["code"]) == (404, "not_found")
        assert "location" not in response.headers

    def test_the_caller_s_request_id_comes_back_if_it_is_plain(self, served: Served) -> None:
        for offered, is_kept in (("abc-123", True), ("a b", False), ("x" * 65, False)):
            answer = served.client(token(), **{"X-Request-Id": offered}).post(
                "/api/v1/temporal-recall/query", json=QUESTION
            )
            assert (answer.headers["X-Request-Id"] == offered) is is_kept


class TestSources:
    def test_an_optional_source_that_is_down_makes_the_answer_partial(self, serve: Callable[..., Served]) -> None:
        served = serve(ListedSource("chat", *life_of("u1", "护照")), DownSource("meinput"))
        answer = served.ask(QUESTION, token()).json()
        assert answer["stats"]["partial"]
        assert answer["stats"]["sources_failed"] == [{"source": "meinput", "code": "http_503"}]
        assert "护照" in str(answer["items"])

    def test_a_required_source_that_is_down_is_503(self, serve: Callable[..., Served]) -> None:
        served = serve(ListedSource("chat", *life_of("u1", "护照")), DownSource("meinput"), required=("meinput",))
        answer = served.ask(QUESTION, token())
        assert (answer.status_code, answer.json()["code"]) == (503, "source_unavailable")
        assert answer.headers["Retry-After"] == "3"
        assert served.ask(QUESTION | {"allow_partial": True}, token()).status_code == 200

    def test_a_required_source_that_hangs_is_504(self, serve: Callable[..., Served], hung: HungSource) -> None:
        served = serve(ListedSource("chat"), hung, required=("meinput",), retrieval_time_limit_s=0.2)
        answer = served.ask(QUESTION, token())
        assert (answer.status_code, answer.json()["code"]) == (504, "recall_timeout")
        assert "Retry-After" in answer.headers

    def test_an_optional_source_that_hangs_costs_only_its_items(
        self, serve: Callable[..., Served], hung: HungSource
    ) -> None:
        served = serve(ListedSource("chat", *life_of("u1", "护照")), hung, retrieval_time_limit_s=0.2)
        answer = served.ask(QUESTION, token())
        assert answer.json()["stats"]["sources_failed"] == [{"source": "meinput", "code": "late"}]
        assert "护照" in answer.text

    def test_a_client_that_leaves_withdraws_its_reads(self, serve: Callable[..., Served]) -> None:
        polite = HungSource("meinput", is_polite=True)
        served = serve(polite)
        client = served.client(token())
        with pytest.raises(httpx.ReadTimeout):
            client.post("/api/v1/temporal-recall/query", json=QUESTION, timeout=0.3)
        assert polite.withdrawn.wait(3)


class TestLimits:
    def test_a_user_who_asks_too_often_waits(self, serve: Callable[..., Served]) -> None:
        served = serve(ListedSource("chat"), http=HttpConfig(rate_per_minute=3))
        statuses = [served.ask(QUESTION, token()).status_code for _ in range(4)]
        assert statuses == [200, 200, 200, 429]
        assert 1 <= int(served.ask(QUESTION, token()).headers["Retry-After"]) <= 60
        assert served.ask(QUESTION, token("u2")).status_code == 200


class TestPlan:
    def test_a_question_is_planned(self, served: Served) -> None:
        answer = served.client(token()).post(
            "/api/v1/context-planner/plan", json={"query": "我昨天说过今天要做什么？", "now": NOW}
        )
        plan = ContextPlan.model_validate(answer.json())
        assert plan.temporal_mode == "MENTIONED_IN"

    def test_info_says_what_is_on(self, served: Served) -> None:
        info = served.client(token()).get("/api/v1/temporal-recall/info").json()
        assert info["supported_sources"] == ["chat"]
        assert info["max_limit"] == 200
        assert len(info["temporal_modes"]) == 6


class TestOperation:
    def test_alive_ready_and_measured(self, serve: Callable[..., Served]) -> None:
        served = serve(ListedSource("chat", *life_of("u1", "护照")))
        served.ask(QUESTION, token())
        client = served.client()
        assert client.get("/healthz").json() == {"status": "alive"}
        assert client.get("/readyz").json()["sources"][0]["state"] == "ready"
        text = client.get("/metrics").text
        assert 'recall_source_records_total{source="chat"} 2.0' in text
        assert 'recall_requests_total{route="/api/v1/temporal-recall/query",status="200"} 1.0' in text
        assert 'stage="ranking"' in text
        assert "u1" not in text
        assert "护照" not in text

    def test_a_required_source_that_is_down_is_not_ready(self, serve: Callable[..., Served]) -> None:
        served = serve(ListedSource("chat"), DownSource("meinput"), required=("meinput",))
        answer = served.client().get("/readyz")
        assert (answer.status_code, answer.json()["status"]) == (503, "not_ready")
        assert [s["state"] for s in answer.json()["sources"]] == ["ready", "down"]

    def test_an_open_circuit_shows(self, serve: Callable[..., Served]) -> None:
        served = serve(ListedSource("chat"), DownSource("meinput"))
        for number in range(6):
            last = served.ask(QUESTION, token(f"u{number}")).json()
        assert last["stats"]["sources_failed"] == [{"source": "meinput", "code": "circuit_open"}]
        assert served.client().get("/readyz").json()["sources"][1]["circuit"] == "open"

    def test_an_unknown_path_is_a_problem_and_no_metric_label(self, served: Served) -> None:
        answer = served.client().get("/api/v1/我的秘密")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
        assert "秘密" not in served.client().get("/metrics").text

    def test_logs_hold_no_words_of_anyone(self, served: Served, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.DEBUG)
        served.ask(QUESTION, token())
        served.ask({"query": "我把护照放哪了", "limit": "护照"}, token())
        assert "护照" not in caplog.text
        assert token() not in caplog.text
