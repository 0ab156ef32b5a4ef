"""A chat-completion server on a real socket that plays what a test tells it, and keeps what it was sent."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

Script = Callable[["Connection"], None]

STREAM_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


def frame(text: str | None = None, finish: str | None = None, **delta: Any) -> bytes:
    """One frame of a streamed answer."""
    content = {"content": text} if text is not None else {}
    choice = {"index": 0, "delta": {**content, **delta}, "finish_reason": finish}
    return f"data: {json.dumps({'model': 'fake-1', 'choices': [choice]})}\n\n".encode()


DONE = frame(finish="stop") + b"data: [DONE]\n\n"


@dataclass
class Connection:
    """One request being answered."""

    sock: socket.socket
    closing: threading.Event

    def send(self, data: bytes) -> None:
        self.sock.sendall(data)

    def reset(self) -> None:
        """Breaks the connection off with a TCP reset."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()

    def hang(self, limit_s: float = 10.0) -> None:
        """Waits until the client leaves, the server closes, or the limit passes."""
        self.sock.settimeout(0.05)
        until = time.monotonic() + limit_s
        while time.monotonic() < until and not self.closing.is_set():
            try:
                if self.sock.recv(1024) == b"":
                    return
            except TimeoutError:
                continue
            except OSError:
                return


@dataclass
class FakeChatServer:
    """Answers every request with `script`; `requests` are the parsed bodies, `heads` the raw heads."""

    script: Script
    requests: list[dict[str, Any]] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    ended: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    """Released each time a script has ended, for whatever reason."""
    closing: threading.Event = field(default_factory=threading.Event)
    base_url: str = ""

    def _serve(self, listener: socket.socket) -> None:
        while True:
            try:
                sock, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(sock,), daemon=True).start()

    def _answer(self, sock: socket.socket) -> None:
        try:
            with sock:
                head, body = _read_request(sock)
                self.heads.append(head)
                self.requests.append(json.loads(body))
                self.script(Connection(sock, self.closing))
        except OSError:
            pass
        finally:
            self.ended.release()


def _read_request(sock: socket.socket) -> tuple[str, bytes]:
    data = b""
    while b"\r\n\r\n" not in data:
        if not (part := sock.recv(65536)):
            raise OSError("the client left before its request was whole")
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(
        int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")
    )
    while len(body) < length:
        body += sock.recv(65536)
    return head.decode(), body


@contextmanager
def fake_chat_server(script: Script) -> Iterator[FakeChatServer]:
    """A server on a free loopback port, closed at the end."""
    server = FakeChatServer(script)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server.base_url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        thread = threading.Thread(target=server._serve, args=(listener,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.closing.set()
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(5)


def streaming(*chunks: bytes, gap_s: float = 0.0) -> Script:
    """A stream of these chunks, ended by closing the connection."""

    def script(connection: Connection) -> None:
        connection.send(STREAM_HEAD)
        for chunk in chunks:
            connection.send(chunk)
            if gap_s:
                time.sleep(gap_s)

    return script
