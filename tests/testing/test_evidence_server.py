"""The evidence server against its contract: what it refuses, what its cursors are bound to, what its pages say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from temporal_recall.testing.evidence_server import (
    EvidenceServer,
    ServerLimits,
    Subject,
    evidence_app,
    evidence_item,
)
from temporal_recall.testing.evidence_store import EvidenceStore
from temporal_recall.testing.running import running

NOW = datetime(2026, 9, 9, 4, tzinfo=UTC)
EXPORT = "/v1/evidence/export"
WINDOW = {"occurred_from": "2026-09-01T00:00:00+08:00", "occurred_to": "2026-09-08T00:00:00+08:00"}


class Site:
    """A running server, its clock, and a client that speaks as u1 unless told otherwise."""

    def __init__(self, server: EvidenceServer, client: httpx.Client) -> None:
        self.server, self.client = server, client
        self.now = NOW
        server.clock = lambda: self.now

    def get(self, token: str = "of-u1", headers: dict[str, str] | None = None, **params: Any) -> httpx.Response:
        sent = {"Authorization": f"Bearer {token}", **(headers or {})}
        return self.client.get(EXPORT, params=params, headers=sent)

    def pages(self, **params: Any) -> list[dict[str, Any]]:
        pages = [self.get(**params).json()]
        while pages[-1]["has_more"]:
            pages.append(self.get(**params, cursor=pages[-1]["next_cursor"]).json())
        return pages


@pytest.fixture(scope="module")
def url_and_server() -> Iterator[tuple[str, EvidenceServer]]:
    server = EvidenceServer(EvidenceStore(), {"of-u1": Subject("u1"), "of-u2": Subject("u2"), "worker": Subject(None)})
    with running(evidence_app(server)) as url:
        yield url, server


@pytest.fixture
def site(url_and_server: tuple[str, EvidenceServer]) -> Iterator[Site]:
    url, server = url_and_server
    server.store, server.limits = EvidenceStore(), ServerLimits()
    rows = [evidence_item(f"e{n}", "u1", f"2026-09-0{n}T09:00:00+08:00", f"第{n}天ＡＢＣ") for n in range(1, 8)]
    server.store.put([*rows, evidence_item("x", "u2", "2026-09-02T09:00:00+08:00", "别人的")])
    with httpx.Client(base_url=url) as client:
        yield Site(server, client)
    server.store.close()


def _ids(pages: list[dict[str, Any]]) -> list[str]:
    return [item["evidence_id"] for page in pages for item in page["items"]]


class TestRefusals:
    @pytest.mark.parametrize(
        ("params", "code"),
        [
            ({"occurred_from": "2026-09-01T00:00:00"}, "invalid_parameter"),
            ({"occurred_from": "yesterday"}, "invalid_parameter"),
            ({"occurred_from": WINDOW["occurred_to"], "occurred_to": WINDOW["occurred_from"]}, "invalid_range"),
            ({"occurred_from": WINDOW["occurred_to"], "occurred_to": WINDOW["occurred_to"]}, "invalid_range"),
            ({"limit": "0"}, "invalid_parameter"),
            ({"limit": "1001"}, "invalid_parameter"),
            ({"order": "sideways"}, "invalid_parameter"),
            ({"include_deleted": "perhaps"}, "invalid_parameter"),
            ({"page": "2"}, "invalid_parameter"),
            ({"cursor": "forged"}, "invalid_cursor"),
            ({"since": "forged"}, "invalid_cursor"),
            ({"since": "x", **WINDOW}, "invalid_parameter"),
            ({"since": "x", "q": "a"}, "invalid_parameter"),
        ],
    )
    def test_a_bad_parameter_is_a_problem(self, site: Site, params: dict[str, str], code: str) -> None:
        reply = site.get(**params)
        assert (reply.status_code, reply.json()["code"]) == (400, code)
        assert reply.headers["content-type"] == "application/problem+json"
        assert reply.json()["status"] == 400

    def test_tokens(self, site: Site) -> None:
        assert site.get(token="none").json()["code"] == "unauthenticated"
        assert site.client.get(EXPORT).status_code == 401
        assert site.get(user_id="u2").json()["code"] == "forbidden"
        assert site.get(user_id="u1").status_code == 200
        assert site.get(token="worker").status_code == 400
        assert _ids([site.get(token="worker", user_id="u2").json()]) == ["x"]

    def test_forms(self, site: Site) -> None:
        assert site.get(headers={"Accept": "text/html"}).json()["code"] == "not_acceptable"
        for accept in ("application/json", "*/*", "application/json;q=0.9, text/html"):
            assert site.get(headers={"Accept": accept}).status_code == 200

    def test_too_long_a_window(self, site: Site) -> None:
        site.server.limits = ServerLimits(max_window_days=3)
        assert site.get(**WINDOW).json()["code"] == "range_too_large"


class TestPages:
    @pytest.mark.parametrize("limit", [1, 2, 7, 100])
    def test_whatever_their_size_they_hold_the_same(self, site: Site, limit: int) -> None:
        pages = site.pages(**WINDOW, limit=limit)
        assert _ids(pages) == [f"e{n}" for n in range(1, 8)]
        assert all((page["next_cursor"] is None) == (not page["has_more"]) for page in pages)
        assert [bool(page["next_since"]) for page in pages] == [False] * (len(pages) - 1) + [True]

    def test_newest_first(self, site: Site) -> None:
        assert _ids(site.pages(**WINDOW, limit=3, order="desc")) == [f"e{n}" for n in range(7, 0, -1)]

    def test_equal_times_are_ordered_by_id(self, site: Site) -> None:
        at = "2026-09-05T09:00:00+08:00"
        site.server.store.put([evidence_item(f"same-{n}", "u1", at, "同时") for n in (3, 1, 2)])
        found = _ids(site.pages(occurred_from=at, occurred_to="2026-09-05T09:00:01+08:00", limit=1))
        assert found == ["e5", "same-1", "same-2", "same-3"]

    def test_a_cursor_belongs_to_its_subject_and_filters(self, site: Site) -> None:
        cursor = site.get(**WINDOW, limit=2).json()["next_cursor"]
        assert site.get(**WINDOW, limit=5, cursor=cursor).status_code == 200
        assert site.get(**WINDOW, limit=2, cursor=cursor, order="desc").json()["code"] == "invalid_cursor"
        assert site.get(limit=2, cursor=cursor).json()["code"] == "invalid_cursor"
        assert site.get(token="of-u2", **WINDOW, limit=2, cursor=cursor).json()["code"] == "invalid_cursor"

    def test_a_cursor_lives_a_day(self, site: Site) -> None:
        cursor = site.get(**WINDOW, limit=2).json()["next_cursor"]
        site.now += timedelta(hours=23)
        assert site.get(**WINDOW, limit=2, cursor=cursor).status_code == 200
        site.now += timedelta(hours=4)
        reply = site.get(**WINDOW, limit=2, cursor=cursor)
        assert (reply.status_code, reply.json()["code"]) == (410, "cursor_expired")

    def test_the_last_five_seconds_wait(self, site: Site) -> None:
        recorded = (NOW - timedelta(seconds=3)).isoformat()
        site.server.store.put([evidence_item("late", "u1", recorded, "刚说的")])
        assert "late" not in _ids(site.pages())
        site.now += timedelta(seconds=3)
        assert "late" in _ids(site.pages())

    def test_filters(self, site: Site) -> None:
        more = {"app": {"id": "com.wx"}, "type": "expression_segment"}
        site.server.store.put([evidence_item("w", "u1", "2026-09-02T10:00:00+08:00", "微信里说的", **more)])
        site.server.store.put([evidence_item("t", "u1", "2026-09-02T11:00:00+08:00", "别的", type="sticker")])
        assert _ids(site.pages(app="com.wx,com.other")) == ["w"]
        assert _ids(site.pages(type="sticker")) == ["t"]
        assert _ids(site.pages(q="微信")) == ["w"]
        assert len(_ids(site.pages(q="abc"))) == 7, "compared after NFKC and case folding"

    def test_an_unchanged_page_keeps_its_tag(self, site: Site) -> None:
        first = site.get(**WINDOW)
        assert first.headers["cache-control"] == "private, no-cache"
        assert first.headers["vary"] == "Authorization, Accept"
        tag = {"If-None-Match": first.headers["etag"]}
        assert site.get(headers=tag, **WINDOW).status_code == 304
        site.now += timedelta(minutes=10)
        assert site.get(headers=tag, **WINDOW).status_code == 304
        site.server.store.delete("u1", "e3", NOW)
        assert site.get(headers=tag, **WINDOW).status_code == 200


class TestChanges:
    def test_each_change_once_in_order(self, site: Site) -> None:
        since = site.pages(limit=3)[-1]["next_since"]
        at = (NOW - timedelta(minutes=1)).isoformat()
        edited = evidence_item("e6", "u1", "2026-09-06T09:00:00+08:00", "改", revision=2, updated_at=at)
        site.server.store.put([edited])
        site.server.store.delete("u1", "e2", NOW - timedelta(seconds=30))
        pages = site.pages(since=since, limit=1)
        assert [(i["evidence_id"], i["deleted"], i["text"]) for page in pages for i in page["items"]] == [
            ("e6", False, "改"),
            ("e2", True, None),
        ]
        assert _ids(site.pages(since=pages[-1]["next_since"])) == []

    def test_tombstones_in_a_window_on_request_alone(self, site: Site) -> None:
        site.server.store.delete("u1", "e2", NOW - timedelta(minutes=1))
        assert "e2" not in _ids(site.pages(**WINDOW))
        (page,) = site.pages(**WINDOW, include_deleted="true")
        gone = next(item for item in page["items"] if item["evidence_id"] == "e2")
        assert (gone["text"], gone["revision"], bool(gone["deleted_at"])) == (None, 2, True)


class TestStream:
    def test_lines_end_with_an_end_and_each_says_where_to_go_on(self, site: Site) -> None:
        headers = {"Accept": "application/x-ndjson"}
        lines = [json.loads(line) for line in site.get(headers=headers, **WINDOW, limit=3).text.splitlines()]
        assert [line["kind"] for line in lines] == ["item"] * 3 + ["end"]
        assert (lines[-1]["count"], lines[-1]["has_more"]) == (3, True)
        rest = site.get(**WINDOW, cursor=lines[1]["cursor"]).json()
        assert _ids([rest]) == ["e3", "e4", "e5", "e6", "e7"]


def test_info_says_what_the_server_can_do(site: Site) -> None:
    site.server.limits = ServerLimits(max_window_days=90, is_paused=True)
    reply = site.client.get("/v1/evidence/info", headers={"Authorization": "Bearer of-u1"})
    info = reply.json()
    assert (info["schema_version"], info["max_limit"], info["max_window_days"], info["paused"]) == (1, 1000, 90, True)
    assert site.client.get("/v1/evidence/info").status_code == 401
