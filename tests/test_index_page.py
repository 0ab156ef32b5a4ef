"""The page of the index tells the truth: what it shows runs as it stands, and does what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the index needs the extra sources")

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "index.md").read_text(encoding="utf-8")
FILES = {"records.jsonl": "json", "recall.toml": "toml"}


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)


def _run(line: str, folder: Path) -> str:
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    done = subprocess.run(
        ["bash", "-c", line], cwd=folder, env=os.environ | {"PATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_commands_run_in_their_order(tmp_path: Path) -> None:
    for name, language in FILES.items():
        (tmp_path / name).write_text(_blocks(language)[0], encoding="utf-8")
    told = [_run(line, tmp_path) for block in _blocks("bash") for line in block.splitlines()]
    imported, synced, status, answer, verified, built, _ = told
    assert "2 new" in imported
    assert "stored 2" in synced
    assert "row_count 2" in status
    assert {"明天下午三点和老周评审方案", "评审通过了，周五前把合同发给老周"} <= set(answer.split())
    assert "is_right True" in verified
    assert "record_count 2" in built
    assert "loaded_count 0" in built, "the sync had them all, row for row"
