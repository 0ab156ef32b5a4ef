"""What no client of good will sends, byte by byte over a real socket: refused in a line, and the next one is served."""

from __future__ import annotations

import gzip
import json
import re
import socket
from contextlib import ExitStack, suppress
from urllib.parse import urlsplit

import pytest
from served_recall import NOW, Served, token

PATH = "/api/v1/temporal-recall/query"
QUESTION = json.dumps({"query": "我今天做了什么", "now": NOW}).encode()
CLOSE = "Connection: close\r\n"


def connected(served: Served) -> socket.socket:
    address = urlsplit(served.url)
    return socket.create_connection((address.hostname, address.port), timeout=30)


def exchanged(served: Served, sent: bytes) -> bytes:
    """All that comes back until the server closes the connection."""
    with connected(served) as connection:
        connection.sendall(sent)
        return connection.makefile("rb").read()


def posted(body: bytes = QUESTION, *, headers: str = "", version: str = "1.1", length: object = None) -> bytes:
    head = (
        f"POST {PATH} HTTP/{version}\r\nHost: x\r\nAuthorization: Bearer {token()}\r\n"
        f"Content-Type: application/json\r\n{headers}"
    )
    length_line = "" if length == "" else f"Content-Length: {len(body) if length is None else length}\r\n"
    return f"{head}{length_line}\r\n".encode() + body


def statuses(answer: bytes) -> list[int]:
    """The statuses of all answers of a connection, in their order."""
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", answer)]


REFUSED = {
    "a compressed body": (posted(gzip.compress(QUESTION), headers=f"Content-Encoding: gzip\r\n{CLOSE}"), 400),
    "a bomb": (posted(gzip.compress(bytes(10_000_000)), headers=f"Content-Encoding: gzip\r\n{CLOSE}"), 400),
    "a thousand headers": (posted(b"", headers="".join(f"X-{n}: y\r\n" for n in range(1000)) + CLOSE), 400),
    "two lengths": (posted(headers=f"Content-Length: 3\r\n{CLOSE}"), 400),
    "a length below nothing": (posted(length=-1, headers=CLOSE), 400),
    "a length beyond counting": (posted(length=10**18, headers=CLOSE), 413),
    "a length and chunks": (posted(b"0\r\n\r\n", length=5, headers=f"Transfer-Encoding: chunked\r\n{CLOSE}"), 400),
    "a chunk of no size": (posted(b"zz\r\n", length="", headers=f"Transfer-Encoding: chunked\r\n{CLOSE}"), 400),
    "a NUL in a header": (posted(headers=f"X: a\0b\r\n{CLOSE}"), 400),
    "a NUL in the path": (b"GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    "a path that is not ASCII": ("GET /我 HTTP/1.1\r\nHost: x\r\n\r\n".encode(), 400),
    "no host": (b"GET /healthz HTTP/1.1\r\n\r\n", 400),
    "another protocol": (b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1" + bytes(100), 400),
    "an upgrade": (posted(b"", headers="Connection: Upgrade\r\nUpgrade: websocket\r\nConnection: close\r\n"), 400),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_it_is_refused_and_the_next_one_is_served(served: Served, kind: str) -> None:
    sent, status = REFUSED[kind]
    answer = exchanged(served, sent)
    assert statuses(answer) == [status]
    assert "护照".encode() not in answer
    assert served.client().get("/healthz").status_code == 200


@pytest.mark.parametrize("line", [b"GET /" + b"a" * 200_000, b"GET / HTTP/1.1\r\nX: " + b"a" * 200_000])
def test_an_endless_head_is_cut_off(served: Served, line: bytes) -> None:
    """The connection ends while the client still sends; what the server said may be lost with it."""
    with suppress(ConnectionResetError, BrokenPipeError):
        assert statuses(exchanged(served, line)) in ([400], [])
    assert served.client().get("/healthz").status_code == 200


def test_pipelined_requests_are_answered_in_their_order(served: Served) -> None:
    assert statuses(exchanged(served, posted() + posted(b"[]") + posted(headers=CLOSE))) == [200, 400, 200]


def test_old_and_careful_clients_are_served(served: Served) -> None:
    assert statuses(exchanged(served, posted(version="1.0"))) == [200]
    assert statuses(exchanged(served, posted(headers=f"Expect: 100-continue\r\n{CLOSE}"))) == [100, 200]


def test_many_who_never_end_their_heads_or_bodies_keep_nobody_waiting(served: Served) -> None:
    with ExitStack() as connections:
        for number in range(100):
            connection = connections.enter_context(connected(served))
            connection.sendall(posted(b"{", length=100) if number % 2 else b"GET /healthz HTTP/1.1\r\nX-Slow: ")
        assert served.ask(json.loads(QUESTION), token()).status_code == 200
