"""Lines with their numbers; one that is too long is passed over in flat memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from temporal_recall.adapters.numbered_lines import numbered_lines


@pytest.mark.parametrize(
    ("raw", "lines"),
    [
        (b"", []),
        (b"a\nb", [(1, b"a\n"), (2, b"b")]),
        (b"\n \na\r\n", [(3, b"a\r\n")]),
        (b"x" * 10 + b"\nb\n", [(1, None), (2, b"b\n")]),
        (b"x" * 50, [(1, None)]),
        (b"x" * 7 + b"\n", [(1, b"x" * 7 + b"\n")]),
        (b"x" * 8 + b"\n", [(1, None)]),
        (b"x" * 16 + b"\n" + b"y" * 20 + b"\nz", [(1, None), (2, None), (3, b"z")]),
    ],
)
def test_lines(tmp_path: Path, raw: bytes, lines: list[tuple[int, bytes | None]]) -> None:
    path = tmp_path / "lines"
    path.write_bytes(raw)
    assert list(numbered_lines(path, max_bytes=8)) == lines
