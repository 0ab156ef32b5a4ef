"""`dag`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


def test_pictures_are_written(run: Any, tmp_path: Path) -> None:
    pytest.importorskip("graphviz", reason="drawing needs the extra viz")
    written = json.loads(run("dag", "--folder", tmp_path / "pictures", "--json").stdout)["written"]
    assert {Path(path).name for path in written} >= {"recall.txt", "recall.svg", "recall.mmd", "surroundings.svg"}
    assert run("dag", "--check", "--folder", tmp_path / "pictures").exit_code == 0


def test_a_stale_text_gives_code_1_and_its_name(run: Any, tmp_path: Path) -> None:
    (tmp_path / "gone.txt").write_text("")
    result = run("dag", "--check", "--folder", tmp_path)
    assert result.exit_code == 1
    assert f"{tmp_path / 'gone.txt'} is not that of the code" in result.stderr


def test_changes_since_a_revision_are_told(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from temporal_recall.service.diagrams import files

    monkeypatch.setattr(files, "changes_since", lambda *_: {"recall": ["+ a: int [m] <- b", "- c: int [m]"]})
    assert json.loads(run("dag", "--diff", "HEAD", "--json").stdout) == {
        "changes": {"recall": ["+ a: int [m] <- b", "- c: int [m]"]}
    }
    assert "+ a: int [m] <- b" in run("dag", "--diff", "HEAD").stdout


def test_no_change_is_said(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from temporal_recall.service.diagrams import files

    monkeypatch.setattr(files, "changes_since", lambda *_: {})
    assert "no flow has changed" in run("dag", "--diff", "HEAD").stdout
