"""`import` at the command line: what it says, in words and as JSON, and how it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from typer.testing import Result

Run = Callable[..., Result]


def test_a_file_is_read_into_the_store_and_the_rest_is_told(
    run: Run, lines: Callable[..., Path], tmp_path: Path
) -> None:
    row = {"id": "1", "source": "chat", "observed_time": "2026-09-02T20:30:00+08:00", "text": "和老周吃饭"}
    path, store = lines(row, "{broken"), tmp_path / "new" / "store.db"
    first = run("import", "records", path, "--store", store)
    assert first.exit_code == 0
    assert "1 new" in first.stdout
    assert "lines.jsonl:2" in first.stdout
    again: dict[str, Any] = json.loads(run("import", "records", path, "--store", store, "--json").stdout)
    assert (again["new"], again["unchanged"], again["skipped"]) == (0, 1, {"not_json": 1})


def test_what_cannot_be_read_is_one_line_and_exit_code_2(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.db").write_bytes(b"nothing")
    for words in (("telepathy", "x.db"), ("browser", "x.db"), ("calendar", "none.ics"), ("chat", "x.db")):
        refused = run("import", words[0], tmp_path / words[1], "--store", tmp_path / "store.db")
        assert refused.exit_code == 2
        assert len(refused.stderr.strip().splitlines()) == 1
