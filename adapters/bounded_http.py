"""HTTP reads that end inside a deadline: own timeouts, a bound on the body, retries that the server asked for."""

from __future__ import annotations

import base64
import logging
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import RequestLimits

if TYPE_CHECKING:
    import httpx

# httpx writes the address of every request at INFO, and with it who asked for what
logging.getLogger("httpx").setLevel(logging.WARNING)

CONNECT_S = 1.0
READ_S = 2.0
RESERVE_S = 0.15
"""Kept back of the deadline, so that what was read can still be handed over."""
MAX_BODY_BYTES = 64 * 1024 * 1024
MAX_WAIT_S = 30.0
"""The longest wait for a server that asks for one, where there is no deadline."""
MAX_RETRY_AFTER_S = 86_400.0
_ENCODINGS = ("identity", "gzip")
"""Of these a chunk grows a thousandfold at most; of others, or of gzip in gzip, a few bytes fill the memory."""
_RETRY_COUNT = 2
_REFUSALS = {401: "unauthenticated", 403: "forbidden", 429: "rate_limited", 503: "unavailable"}


@dataclass(frozen=True, slots=True)
class HttpReply:
    """A whole answer: its status, headers (lower case) and body."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def bearer(token: str) -> str:
    """What an `Authorization` header says for a token."""
    return f"Bearer {token}"


def basic(username: str, password: str) -> str:
    """What an `Authorization` header says for a name and password."""
    return f"Basic {base64.b64encode(f'{username}:{password}'.encode()).decode()}"


class BoundedHttp:
    """Reading requests to one source. The client may be the host's; then it is not closed here.

    Whoever a request is for, nothing of another's goes with it: no cookie, no login of the client's own in the place of
    the source's, and no redirect is followed.

    Every failure is a `SourceUnavailable` of `source`, its reason a machine word; neither token nor body is in it.
    """

    def __init__(
        self, source: str, base_url: str, *, authorization: str | None = None, client: httpx.Client | None = None
    ) -> None:
        import httpx

        self._source, self._base_url = source, base_url.rstrip("/")
        self._authorization = authorization
        self._client = client or httpx.Client(follow_redirects=False, trust_env=False)
        self._is_own_client = client is None

    def close(self) -> None:
        """Closes the client, if it is our own."""
        if self._is_own_client:
            self._client.close()

    def get(
        self, path: str, params: Mapping[str, str], limits: RequestLimits, headers: Mapping[str, str] | None = None
    ) -> HttpReply:
        """The answer to a GET, whatever its status; waits and asks again where the server says when.

        Raises:
            SourceUnavailable: no whole answer in time (`late`, `connect_timeout`, `read_timeout`, `connection_lost`,
                `connect_failed`, `body_too_large`, `bad_encoding`).
            RecallCancelled: the caller withdrew.
        """
        return self.ask("GET", path, limits, params=params, headers=headers)

    def ask(
        self,
        method: str,
        path: str,
        limits: RequestLimits,
        *,
        params: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        body: bytes | None = None,
    ) -> HttpReply:
        """The answer to a request of any method; a lost connection is tried again. Raises as `get`."""
        for attempt in range(_RETRY_COUNT + 1):
            is_last = attempt == _RETRY_COUNT
            try:
                with self.open(path, params or {}, limits, headers, method=method, body=body) as (status, told, chunks):
                    reply = HttpReply(status, told, b"".join(chunks))
            except SourceUnavailable as error:
                if is_last or error.reason != "connection_lost":
                    raise
                continue
            wait_s = _retry_after_s(reply)
            if is_last or wait_s is None or not self._can_wait(wait_s, limits):
                return reply
            limits.cancel_token.wait(wait_s)
        raise AssertionError("the last attempt returns or raises")

    @contextmanager
    def open(
        self,
        path: str,
        params: Mapping[str, str],
        limits: RequestLimits,
        headers: Mapping[str, str] | None = None,
        *,
        method: str = "GET",
        body: bytes | None = None,
    ) -> Iterator[tuple[int, Mapping[str, str], Iterator[bytes]]]:
        """Status, headers and body chunks of one request, while the block runs; chunks end in an error at the deadline.

        Raises:
            SourceUnavailable: as in `get`.
            RecallCancelled: the caller withdrew.
        """
        import httpx

        limits.cancel_token.raise_if_cancelled()
        url = f"{self._base_url}{path}"
        sent = {"Accept": "application/json", "Accept-Encoding": "gzip", **self._credentials(), **(headers or {})}
        try:
            request = self._client.build_request(
                method, url, params=dict(params), headers=sent, content=body, timeout=self._timeout(limits)
            )
            request.headers.pop("Cookie", None)
            login = httpx.Auth() if self._authorization else httpx.USE_CLIENT_DEFAULT
            with closing(self._client.send(request, stream=True, auth=login, follow_redirects=False)) as response:
                yield response.status_code, response.headers, self._chunks(response, limits)
        except httpx.HTTPError as error:
            raise self._failure(error, limits) from None
        except httpx.InvalidURL:
            raise SourceUnavailable(self._source, "invalid_url", is_retryable=False) from None

    def refused(self, reply: HttpReply, code: str | None = None) -> SourceUnavailable:
        """The error that stands for an answer which is no success; `code` is the problem's own word for it."""
        reason = code or _REFUSALS.get(reply.status, f"http_{reply.status}")
        is_retryable = reply.status >= 500 or reply.status in (408, 425, 429)
        return SourceUnavailable(self._source, reason, is_retryable=is_retryable, retry_after_s=_retry_after_s(reply))

    def _credentials(self) -> dict[str, str]:
        return {"Authorization": self._authorization} if self._authorization else {}

    def _timeout(self, limits: RequestLimits) -> httpx.Timeout:
        import httpx

        left = self._time_left_s(limits)
        return httpx.Timeout(
            connect=min(CONNECT_S, left), read=min(READ_S, left), write=READ_S, pool=min(CONNECT_S, left)
        )

    def _time_left_s(self, limits: RequestLimits) -> float:
        left = time_left_s(limits)
        if left <= 0:
            raise SourceUnavailable(self._source, "late")
        return left

    def _chunks(self, response: httpx.Response, limits: RequestLimits) -> Iterator[bytes]:
        if response.headers.get("content-encoding", "identity").strip().lower() not in _ENCODINGS:
            raise SourceUnavailable(self._source, "bad_encoding", is_retryable=False)
        size = 0
        for chunk in response.iter_bytes():
            limits.cancel_token.raise_if_cancelled()
            self._time_left_s(limits)
            size += len(chunk)
            if size > MAX_BODY_BYTES:
                raise SourceUnavailable(self._source, "body_too_large", is_retryable=False)
            yield chunk

    def _can_wait(self, wait_s: float, limits: RequestLimits) -> bool:
        return wait_s < min(time_left_s(limits), MAX_WAIT_S)

    def _failure(self, error: httpx.HTTPError, limits: RequestLimits) -> SourceUnavailable:
        return SourceUnavailable(self._source, "late" if time_left_s(limits) <= 0 else _reason_of(error))


def time_left_s(limits: RequestLimits) -> float:
    """Seconds until a read must hand over what it has; infinite without a deadline."""
    remaining = limits.remaining_s()
    return float("inf") if remaining is None else remaining - RESERVE_S


def _reason_of(error: httpx.HTTPError) -> str:
    import httpx

    reasons: tuple[tuple[type[httpx.HTTPError], str], ...] = (
        (httpx.ConnectTimeout, "connect_timeout"),
        (httpx.TimeoutException, "read_timeout"),
        (httpx.ConnectError, "connect_failed"),
        (httpx.DecodingError, "bad_encoding"),
        (httpx.TransportError, "connection_lost"),
    )
    return next((reason for kind, reason in reasons if isinstance(error, kind)), "http_error")


def _retry_after_s(reply: HttpReply) -> float | None:
    """Seconds that a 429 or 503 asks us to wait, a day at most; None where it does not say, or says it unreadably."""
    text = reply.headers.get("retry-after", "")
    is_told = reply.status in (429, 503) and text.isascii() and text.isdigit()
    return min(float(text), MAX_RETRY_AFTER_S) if is_told else None
