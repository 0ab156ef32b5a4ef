"""The lines of a file with their numbers, in flat memory: a line without end is passed over, not read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

MAX_LINE_BYTES = 1_000_000


def numbered_lines(path: Path, max_bytes: int = MAX_LINE_BYTES) -> Iterator[tuple[int, bytes | None]]:
    """Each line that is not blank, with its number from 1; None stands for one that is longer than `max_bytes`.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        number = 0
        while line := file.readline(max_bytes + 1):
            number += 1
            if len(line) <= max_bytes:
                if line.strip():
                    yield number, line
                continue
            while line and not line.endswith(b"\n"):
                line = file.readline(max_bytes)
            yield number, None
