"""What a request to a source carries: the source's own login and nothing of anyone else's."""

from __future__ import annotations

import gzip
import logging
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager

import httpx
import pytest

from temporal_recall.adapters.bounded_http import MAX_BODY_BYTES, MAX_RETRY_AFTER_S, BoundedHttp, basic, bearer
from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import RequestLimits
from temporal_recall.testing.running import running

Headers = list[tuple[bytes, bytes]]


@contextmanager
def _server(status: int, *told: tuple[bytes, bytes], body: bytes = b"{}") -> Iterator[tuple[str, list[dict[str, str]]]]:
    """A server that always answers the same, and the headers of what it was asked, by their names."""
    asked: list[dict[str, str]] = []

    async def app(scope, receive, send):  # type: ignore[no-untyped-def]
        asked.append({name.decode(): value.decode() for name, value in scope["headers"]})
        await send({"type": "http.response.start", "status": status, "headers": list(told)})
        await send({"type": "http.response.body", "body": body})

    with running(app) as url:
        yield url, asked


@pytest.mark.parametrize("is_hosts_client", [False, True])
def test_a_cookie_given_to_one_user_is_not_sent_for_another(is_hosts_client: bool) -> None:
    with (
        _server(200, (b"set-cookie", b"session=of-the-first; Path=/")) as (url, asked),
        httpx.Client(trust_env=False) as host,
        closing(BoundedHttp("s", url, authorization=bearer("t"), client=host if is_hosts_client else None)) as http,
    ):
        for user in ("u1", "u2"):
            http.get("/search", {"user_id": user}, RequestLimits())
    assert len(asked) == 2
    assert not any("cookie" in headers for headers in asked)


def test_each_account_keeps_its_login_in_a_client_that_has_one_of_its_own() -> None:
    with _server(200) as (url, asked), httpx.Client(auth=("host", "word"), trust_env=False) as host:
        for user in ("u1", "u2"):
            BoundedHttp("s", url, authorization=basic(user, "pw"), client=host).get("/", {}, RequestLimits())
    assert [headers["authorization"] for headers in asked] == [basic("u1", "pw"), basic("u2", "pw")]


def test_no_redirect_is_followed_though_the_client_would() -> None:
    with _server(200) as (elsewhere, asked_elsewhere):
        location = (b"location", f"{elsewhere}/taken".encode())
        with _server(302, location) as (url, _), httpx.Client(follow_redirects=True, trust_env=False) as host:
            reply = BoundedHttp("s", url, authorization=bearer("t"), client=host).get("/", {}, RequestLimits())
    assert (reply.status, asked_elsewhere) == (302, [])


def test_no_log_line_says_who_asked(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with _server(200) as (url, asked), closing(BoundedHttp("s", url, authorization=bearer("secret-token"))) as http:
        http.get("/", {"user_id": "somebody"}, RequestLimits())
    assert asked
    assert "somebody" not in caplog.text
    assert "secret-token" not in caplog.text


@pytest.mark.parametrize(("told", "seconds"), [(b"7", 7.0), (b"9" * 400, MAX_RETRY_AFTER_S), (b"-1", None)])
def test_a_server_may_ask_for_a_wait_of_a_day_at_most(told: bytes, seconds: float | None) -> None:
    with _server(429, (b"retry-after", told)) as (url, _), closing(BoundedHttp("s", url)) as http:
        reply = http.get("/", {}, RequestLimits(time.monotonic() + 5))
        assert http.refused(reply).retry_after_s == seconds


ONE_MIB_OF_NOTHING = gzip.compress(bytes(1024 * 1024), mtime=0)


@pytest.mark.parametrize(
    ("encoding", "body", "reason"),
    [
        (b"gzip", gzip.compress(bytes(MAX_BODY_BYTES + 1), mtime=0), "body_too_large"),
        (b"gzip, gzip", gzip.compress(ONE_MIB_OF_NOTHING, mtime=0), "bad_encoding"),
        (b"br", b"", "bad_encoding"),
        (b"gzip", b"no gzip", "bad_encoding"),
    ],
)
def test_a_few_bytes_that_unfold_without_end_are_not_unfolded(encoding: bytes, body: bytes, reason: str) -> None:
    with (
        _server(200, (b"content-encoding", encoding), body=body) as (url, _),
        closing(BoundedHttp("s", url)) as http,
        pytest.raises(SourceUnavailable, match=reason),
    ):
        http.get("/", {}, RequestLimits())


def test_a_compressed_answer_is_read() -> None:
    told = (b"content-encoding", b"gzip")
    with _server(200, told, body=ONE_MIB_OF_NOTHING) as (url, _), closing(BoundedHttp("s", url)) as http:
        assert len(http.get("/", {}, RequestLimits()).body) == 1024 * 1024
