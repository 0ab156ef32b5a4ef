"""An ASGI application behind a real socket, for as long as a block runs."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from temporal_recall.testing.faults import App


@contextmanager
def running(app: App) -> Iterator[str]:
    """The address (`http://127.0.0.1:PORT`) at which `app` answers until the block ends.

    Raises:
        RuntimeError: the server did not end within half a minute after that.
    """
    import uvicorn

    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, log_level="critical", lifespan="auto", timeout_graceful_shutdown=1, ws="none")
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True, name="test-server")
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=30)
        if thread.is_alive():
            raise RuntimeError("the server still runs half a minute after its end; something holds its event loop")
        listener.close()
