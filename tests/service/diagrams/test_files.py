"""The committed diagrams: written, found stale, compared with a revision."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from temporal_recall.schemas.errors import InvalidRequest
from temporal_recall.service.catalog import CATALOG, Flow
from temporal_recall.service.diagrams import files

ROOT = Path(__file__).resolve().parents[3]


def test_the_committed_texts_are_those_of_the_code() -> None:
    """`temporal-recall dag` writes them anew."""
    assert files.stale_texts(ROOT / "dag_viz") == []


@pytest.mark.parametrize("name", [*(flow.name for flow in CATALOG), "surroundings"])
@pytest.mark.parametrize("suffix", ["txt", "svg", "mmd"])
def test_every_flow_has_its_pictures(name: str, suffix: str) -> None:
    assert (ROOT / "dag_viz" / f"{name}.{suffix}").is_file()


@pytest.fixture
def one_flow(flow: Flow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "CATALOG", (flow,))


@pytest.fixture
def folder(tmp_path: Path, one_flow: None) -> Path:
    pytest.importorskip("graphviz", reason="drawing needs the extra viz")
    files.write_diagrams(tmp_path / "dag_viz")
    return tmp_path / "dag_viz"


def test_writing_replaces_what_is_there(folder: Path) -> None:
    (folder / "gone.svg").write_text("")
    (folder / "README.md").write_text("stays")
    written = files.write_diagrams(folder)
    assert {path.name for path in folder.iterdir()} == {path.name for path in written} | {"README.md"}
    assert files.stale_texts(folder) == []


def test_a_changed_a_missing_and_a_left_over_text_are_stale(folder: Path) -> None:
    (folder / "letters.txt").write_text("flow letters\n  Other.\n")
    (folder / "surroundings.txt").unlink()
    (folder / "gone.txt").write_text("")
    assert files.stale_texts(folder) == ["gone.txt", "letters.txt", "surroundings.txt"]


def _git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def test_changes_are_told_against_the_texts_of_a_revision(folder: Path) -> None:
    text = (folder / "letters.txt").read_text().replace("  <- letters_adapter\n", "")
    (folder / "letters.txt").write_text(text)
    for arguments in (["init"], ["add", "."], ["commit", "-m", "before"]):
        _git(folder.parent, *arguments)
    assert files.changes_since("HEAD", folder) == {"letters": ["~ letters_evidence: now computed from letters_adapter"]}


@pytest.mark.parametrize("revision", ["no-such-revision", "--output=x"])
def test_an_unknown_revision_is_refused(folder: Path, revision: str) -> None:
    _git(folder.parent, "init")
    with pytest.raises(InvalidRequest, match="allowed: a git revision"):
        files.changes_since(revision, folder)
