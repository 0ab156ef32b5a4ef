"""A program: `serve` over a source that answers and one that hangs; says `asked` when it is, and every file it writes.

python watched_server.py PORT
"""

from __future__ import annotations

import json
import os
import sys

from listed_sources import HungSource, ListedSource
from served_recall import KEYS, life_of

from temporal_recall.schemas.evidence import SearchContext
from temporal_recall.service.cli.serving import _run
from temporal_recall.service.config import RecallConfig, SourceConfig
from temporal_recall.service.facade import RecallService
from temporal_recall.service.http.app import create_app


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def report_writing(event: str, arguments: tuple[object, ...]) -> None:
    """An audit hook: every file that is opened to be written, made or removed."""
    is_opened_to_write = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
    if is_opened_to_write or event in ("os.mkdir", "os.rename", "os.remove"):
        say(f"wrote {arguments[0]}")


class Hung(HungSource):
    """Says when it is asked."""

    def search(self, ctx: SearchContext):  # type: ignore[no-untyped-def]
        say("asked")
        yield from super().search(ctx)


def main(port: int) -> None:
    adapters = {"chat": ListedSource("chat", *life_of("u1", "护照")), "hung": Hung("hung")}
    config = RecallConfig(
        sources=tuple(SourceConfig(name=name) for name in adapters), retrieval_time_limit_s=2, request_time_limit_s=30
    )
    app = create_app(
        config,
        build_service=lambda config, metrics: RecallService(config, adapters, observer=metrics),
        environment={config.http.signing_keys_env: json.dumps(KEYS)},
    )
    _run(app, "127.0.0.1", port)


if __name__ == "__main__":
    sys.addaudithook(report_writing)
    main(int(sys.argv[1]))
