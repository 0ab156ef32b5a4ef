"""Recap's routes on a real socket: the stream, refusals before it, leaving it, facts, uploads, other viewers."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import ClassVar
from urllib.parse import urlsplit

import httpx
import pytest
from fake_chat_server import DONE, STREAM_HEAD, Connection, FakeChatServer, fake_chat_server, frame, streaming
from recap_app import QUERY, WINDOW, events_of, eventually, recap_service, served
from recap_days import at, page

from temporal_recall.service.recap.service import RecapService

STORY = streaming(frame("Morning.\nAt work. "), frame("Evening."), DONE)
GENERATE = "/api/v1/recaps/daily/generate"
DAILY = "/api/v1/recaps/daily"


@pytest.fixture
def model() -> Iterator[FakeChatServer]:
    with fake_chat_server(STORY) as server:
        yield server


@pytest.fixture
def service(tmp_path: Path, model: FakeChatServer) -> Iterator[RecapService]:
    with recap_service(tmp_path, model.base_url) as made:
        yield made


@pytest.fixture
def client(service: RecapService) -> Iterator[httpx.Client]:
    with served(service) as made:
        yield made


def _hang(connection: Connection) -> None:
    connection.send(STREAM_HEAD + frame("Morning. "))
    connection.hang()


class TestStream:
    def test_it_ends_with_done_and_what_was_streamed(self, client: httpx.Client) -> None:
        response = client.post(GENERATE, params=QUERY)
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        assert response.headers["x-accel-buffering"] == "no"
        assert "no-cache" in response.headers["cache-control"]
        events = events_of(response)
        assert [name for name, _ in events] == ["delta", "delta", "done"]
        assert events[-1][1]["recap"]["narrative"] == "".join(data["delta"] for _, data in events[:-1])

    def test_then_it_is_read_without_a_call(self, client: httpx.Client, model: FakeChatServer) -> None:
        client.post(GENERATE, params=QUERY)
        recap = client.get(DAILY, params=QUERY).json()
        assert recap["narrative"] == "Morning.\nAt work. Evening."
        assert recap["generated_at"] == "2026-07-14T20:00:00Z"
        assert (recap["start"], recap["end_exclusive"]) == ("2026-07-14T00:00:00Z", "2026-07-15T00:00:00Z")
        assert len(model.requests) == 1

    def test_a_failure_is_one_error_event(self, client: httpx.Client, model: FakeChatServer) -> None:
        model.script = streaming(frame("Morning."), frame(finish="length"))
        assert [name for name, _ in events_of(client.post(GENERATE, params=QUERY))] == ["delta", "error"]
        assert client.get(DAILY, params=QUERY).json()["narrative"] is None

    def test_the_blocking_form(self, client: httpx.Client, model: FakeChatServer) -> None:
        response = client.post(GENERATE, params=QUERY, headers={"Accept": "application/json"})
        assert (response.status_code, response.json()["narrative"]) == (200, "Morning.\nAt work. Evening.")
        model.script = streaming(frame("Morning."))
        failed = client.post(GENERATE, params=QUERY, headers={"Accept": "application/json"})
        assert (failed.status_code, failed.json()["code"]) == (502, "incomplete")
        assert client.get(DAILY, params=QUERY).json()["narrative"] == "Morning.\nAt work. Evening."

    def test_an_empty_day(self, client: httpx.Client, model: FakeChatServer) -> None:
        events = events_of(client.post(GENERATE, params={**QUERY, "local_date": "2026-07-01"}))
        assert [(name, data["recap"]["is_empty"]) for name, data in events] == [("done", True)]
        assert model.requests == []

    def test_a_week(self, client: httpx.Client) -> None:
        client.post(GENERATE, params=QUERY)
        events = events_of(client.post(GENERATE, params={**QUERY, "kind": "week"}))
        assert events[-1][1]["recap"]["missing_dates"] == ["2026-07-13"]


@pytest.mark.parametrize("path", [DAILY, GENERATE, f"{DAILY}/projection", f"{DAILY}/facts"])
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"local_date": "2026-7-4"}, "invalid_local_date"),
        ({"local_date": ""}, "invalid_local_date"),
        ({"time_zone": "Mars/Base"}, "unknown_time_zone"),
        ({"local_date": "2011-12-30", "time_zone": "Pacific/Apia"}, "nonexistent_civil_date"),
        ({"start": "2026-07-13T16:00:00Z"}, "calendar_rules_mismatch"),
        ({"end_exclusive": "2026-07-15T00:00:00"}, "calendar_rules_mismatch"),
        ({"start": "noon"}, "calendar_rules_mismatch"),
        ({"version": "2"}, "unsupported_window_version"),
        ({"kind": "year"}, "unsupported_window_version"),
        ({"day_start_hour": "9"}, "invalid_day_start_hour"),
    ],
)
def test_a_window_that_is_none_is_refused_before_any_stream(
    client: httpx.Client, path: str, change: dict[str, str], code: str
) -> None:
    method = "POST" if path == GENERATE else "GET"
    response = client.request(method, path, params={**QUERY, **change})
    assert (response.status_code, response.json()["code"]) == (422, code)


def test_instants_that_agree_pass(client: httpx.Client) -> None:
    agreed = {"start": "2026-07-14T08:00:00+08:00", "end_exclusive": "2026-07-15T00:00:00Z"}
    assert client.get(DAILY, params={**QUERY, **agreed}).status_code == 200


def test_nobody_is_let_in_without_a_name(client: httpx.Client) -> None:
    for method, path in [("GET", DAILY), ("POST", GENERATE), ("GET", f"{DAILY}/projection")]:
        assert client.request(method, path, params=QUERY, headers={"X-User": ""}).status_code == 401


def test_another_user_sees_nothing_of_the_day(client: httpx.Client) -> None:
    client.post(GENERATE, params=QUERY)
    other = {"X-User": "bob"}
    assert client.get(DAILY, params=QUERY, headers=other).json()["is_empty"]
    assert client.get(f"{DAILY}/projection", params=QUERY, headers=other).json()["devices"] == []


def test_without_a_model_503_comes_before_the_stream(tmp_path: Path) -> None:
    with recap_service(tmp_path, None) as service, served(service) as client:
        response = client.post(GENERATE, params=QUERY)
        assert (response.status_code, response.json()["code"]) == (503, "not_configured")
        assert client.get(f"{DAILY}/projection", params=QUERY).status_code == 200


class TestLock:
    def test_a_second_generation_gets_409_and_the_first_goes_on(
        self, client: httpx.Client, model: FakeChatServer
    ) -> None:
        model.script = _hang
        with client.stream("POST", GENERATE, params=QUERY) as first:
            lines = first.iter_lines()  # kept: dropping it would close the connection
            assert next(lines) == "event: delta"
            second = client.post(GENERATE, params={**QUERY, "start": "2026-07-14T02:00:00+02:00"})
            assert (second.status_code, second.json()["code"]) == (409, "generation_in_progress")
            waiting = client.post(GENERATE, params=QUERY, headers={"Accept": "application/json"})
            assert waiting.status_code == 409

    def test_a_client_that_leaves_closes_the_request_and_frees_the_lock(
        self, client: httpx.Client, model: FakeChatServer, service: RecapService
    ) -> None:
        model.script = _hang
        with client.stream("POST", GENERATE, params=QUERY) as first:
            lines = first.iter_lines()  # kept: dropping it would close the connection
            assert next(lines) == "event: delta"
        assert model.ended.acquire(timeout=3)
        model.script = STORY
        eventually(lambda: client.post(GENERATE, params=QUERY).status_code == 200)
        assert service.read("ana", WINDOW).narrative == "Morning.\nAt work. Evening."

    @pytest.mark.parametrize("accept", ["text/event-stream", "application/json"])
    def test_a_client_that_resets_before_the_answer_frees_the_lock(
        self, client: httpx.Client, model: FakeChatServer, accept: str
    ) -> None:
        model.script = lambda connection: connection.hang()
        host = urlsplit(str(client.base_url))
        fields = f"Host: x\r\nX-User: ana\r\nAccept: {accept}\r\nContent-Length: 0\r\n\r\n"
        request = f"POST {GENERATE}?local_date=2026-07-14&time_zone=UTC HTTP/1.1\r\n{fields}"
        with socket.create_connection((host.hostname, host.port)) as connection:
            connection.sendall(request.encode())
        model.script = STORY
        eventually(lambda: client.post(GENERATE, params=QUERY).status_code == 200)

    def test_a_client_of_the_blocking_form_that_leaves_frees_the_lock(
        self, client: httpx.Client, model: FakeChatServer
    ) -> None:
        model.script = lambda connection: connection.hang()
        with pytest.raises(httpx.ReadTimeout):
            client.post(GENERATE, params=QUERY, headers={"Accept": "application/json"}, timeout=0.3)
        assert model.ended.acquire(timeout=3)
        model.script = STORY
        eventually(lambda: client.post(GENERATE, params=QUERY).status_code == 200)

    def test_two_days_are_written_side_by_side(
        self, client: httpx.Client, model: FakeChatServer, service: RecapService
    ) -> None:
        model.script = _hang
        with client.stream("POST", GENERATE, params=QUERY) as first:
            lines = first.iter_lines()  # kept: dropping it would close the connection
            assert next(lines) == "event: delta"
            model.script = STORY
            service.ingest([page("https://x.example", "-15:00", "-14:00")])
            other = client.post(GENERATE, params={**QUERY, "local_date": "2026-07-13"})
            assert events_of(other)[-1][0] == "done"


class TestLimits:
    OTHER_DAY: ClassVar = {**QUERY, "local_date": "2026-07-13"}

    def test_a_user_who_asks_too_often_waits_and_no_one_else(self, service: RecapService) -> None:
        with served(service, rate_per_minute=2) as client:
            answers = [client.get(DAILY, params=QUERY) for _ in range(3)]
            assert [answer.status_code for answer in answers] == [200, 200, 429]
            assert int(answers[2].headers["Retry-After"]) >= 1
            assert client.get(DAILY, params=QUERY, headers={"X-User": "bob"}).status_code == 200

    @pytest.mark.parametrize(
        ("limits", "for_ana", "for_bob"),
        [({"concurrent_requests": 1}, 429, 200), ({"places": 1}, 503, 503)],
        ids=["a user's own", "everyone's"],
    )
    def test_a_diary_that_is_being_written_holds_its_place(
        self, service: RecapService, model: FakeChatServer, limits: dict[str, int], for_ana: int, for_bob: int
    ) -> None:
        model.script = _hang
        with served(service, **limits) as client:
            with client.stream("POST", GENERATE, params=QUERY) as first:
                lines = first.iter_lines()  # kept: dropping it would close the connection
                assert next(lines) == "event: delta"
                assert client.post(GENERATE, params=self.OTHER_DAY).status_code == for_ana
                assert client.get(DAILY, params=QUERY, headers={"X-User": "bob"}).status_code == for_bob
            eventually(lambda: client.get(DAILY, params=QUERY).status_code == 200)


class TestProjection:
    def test_it_is_what_a_model_would_be_sent(self, client: httpx.Client, model: FakeChatServer) -> None:
        dry_run = client.get(f"{DAILY}/projection", params=QUERY).json()
        client.post(GENERATE, params=QUERY)
        assert dry_run["messages"] == model.requests[0]["messages"]
        assert dry_run["messages"][1]["content"] == dry_run["digest"]
        assert dry_run["devices"][0]["attention"]["blocks"][0]["label"] == "Code"
        assert dry_run["segment_watermark"] == "2026-07-14T10:00:00Z"

    def test_nothing_private_leaves(self, client: httpx.Client, model: FakeChatServer, service: RecapService) -> None:
        secret = "https://ana:pw1@bank.example/t?session=tok2#frag3"
        private = page("https://clinic.example/r", "11:00", "11:30", "Results4", attributes={"incognito": True})
        service.ingest([page(secret, "10:00", "10:30", "Transfer"), private])
        client.post(GENERATE, params=QUERY)
        sent = json.dumps(model.requests)
        assert "bank.example/t 30m" in sent
        assert not any(word in sent for word in ("pw1", "tok2", "frag3", "clinic", "Results4", "sk-key"))
        assert not any("Results4" in head for head in model.heads)


def test_facts_are_kept_checked_and_used(client: httpx.Client, model: FakeChatServer) -> None:
    facts = {
        "facts": [{"text": "met Bo", "start": "12:00", "end": "13:00"}, {"text": "rain", "start": None, "end": None}]
    }
    assert client.put(f"{DAILY}/facts", params=QUERY, json=facts).json() == facts
    assert client.get(f"{DAILY}/facts", params=QUERY).json() == facts
    client.post(GENERATE, params=QUERY)
    assert "- 12:00-13:00 met Bo\n- rain" in model.requests[0]["messages"][1]["content"]
    for wrong in ({"text": ""}, {"text": "x", "start": "25:00"}, {"text": "x", "mood": 3}):
        assert client.put(f"{DAILY}/facts", params=QUERY, json={"facts": [wrong]}).status_code == 400


def test_earlier_years(client: httpx.Client, service: RecapService) -> None:
    service.ingest([page("https://x.example", at("9:00", "2025-07-14"), at("10:00", "2025-07-14"))])
    client.post(GENERATE, params={**QUERY, "local_date": "2025-07-14"})
    found = client.get("/api/v1/recaps/on-this-day", params={"month_day": "07-14", "time_zone": "UTC"}).json()
    assert [recap["date"] for recap in found] == ["2025-07-14"]
    refused = client.get("/api/v1/recaps/on-this-day", params={"month_day": "02-30", "time_zone": "UTC"})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_local_date")


ROW = {"id": "u1", "source": "system", "app": "Maps", "start": "2026-07-14T18:00:00Z", "end": "2026-07-14T19:00:00Z"}


class TestUpload:
    def _upload(self, client: httpx.Client, *rows: dict[str, object]) -> httpx.Response:
        return client.post("/api/v1/recaps/segments", json={"segments": list(rows)})

    def test_good_rows_are_written_and_others_counted(self, client: httpx.Client) -> None:
        future = {**ROW, "id": "u2", "start": "2026-07-14T19:00:00Z", "end": "2026-07-15T18:00:00Z"}
        report = self._upload(client, ROW, future, {**ROW, "id": "u3", "start": None}).json()
        assert report == {"written_count": 1, "refused": {"ends_in_future": 1, "invalid_timestamp": 1}}
        assert "Maps 1h00m" in client.get(f"{DAILY}/projection", params=QUERY).json()["digest"]

    def test_an_instant_without_offset_is_refused(self, client: httpx.Client) -> None:
        response = self._upload(client, {**ROW, "start": "2026-07-14T18:00:00"})
        assert (response.status_code, response.json()["code"]) == (422, "naive_timestamp")

    @pytest.mark.parametrize(
        "odd",
        [
            {"id": "\ud800"},
            {"device_id": "\ud800"},
            {"device_name": "\ud800"},
            {"identity_key": "\ud800"},
            {"attributes": {"\ud800": ["\ud800"]}},
            {"revision": 10**30},
        ],
        ids=lambda odd: next(iter(odd)),
    )
    def test_what_no_store_can_hold_costs_no_other_row(self, client: httpx.Client, odd: dict[str, object]) -> None:
        body = json.dumps({"segments": [{**ROW, "id": "odd", **odd}, ROW]})
        response = client.post("/api/v1/recaps/segments", content=body, headers={"Content-Type": "application/json"})
        report = response.json()
        assert response.status_code == 200
        assert report["written_count"] + sum(report["refused"].values()) == 2

    def test_another_owner_is_refused(self, client: httpx.Client) -> None:
        assert self._upload(client, {**ROW, "owner_id": "bob"}).status_code == 403


def test_other_viewers_see_cached_diaries_where_the_host_allows(service: RecapService) -> None:
    with served(service, may_view=lambda viewer, owner: viewer == "bob") as client:
        path = "/api/v1/recaps/of/ana/daily"
        assert client.get(path, params=QUERY, headers={"X-User": "bob"}).status_code == 404
        client.post(GENERATE, params=QUERY)
        assert client.get(path, params=QUERY, headers={"X-User": "bob"}).json()["narrative"].startswith("Morning.")
        assert client.get(path, params=QUERY, headers={"X-User": "eve"}).status_code == 404


def test_other_viewers_have_no_route_unless_the_host_gives_one(client: httpx.Client) -> None:
    assert client.get("/api/v1/recaps/of/ana/daily", params=QUERY).status_code == 404


def test_many_readers_at_once(client: httpx.Client) -> None:
    client.post(GENERATE, params=QUERY)
    with ThreadPoolExecutor(8) as readers:
        answers = [readers.submit(client.get, f"{DAILY}/projection", params=QUERY) for _ in range(16)]
    assert len({answer.result().json()["digest_hash"] for answer in answers}) == 1
