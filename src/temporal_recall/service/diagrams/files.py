"""The committed diagrams: writing them, telling which are stale, and what changed since a revision."""

from __future__ import annotations

import subprocess
from pathlib import Path

from temporal_recall.schemas.errors import InvalidRequest
from temporal_recall.service.catalog import CATALOG
from temporal_recall.service.diagrams.changes import NOTHING, changes
from temporal_recall.service.diagrams.drawing import dot_text, svg_text
from temporal_recall.service.diagrams.graph import Diagram, flow_diagram
from temporal_recall.service.diagrams.mermaid import mermaid_text
from temporal_recall.service.diagrams.surroundings import surroundings
from temporal_recall.service.diagrams.text import canonical_text, parsed


def diagrams() -> tuple[Diagram, ...]:
    """Every diagram of the project: one a catalog row, and one of what stands outside the flows."""
    return (*(flow_diagram(flow) for flow in CATALOG), surroundings())


def write_diagrams(folder: Path) -> list[Path]:
    """Writes text, SVG and Mermaid of every diagram into `folder` and removes those of flows that are gone.

    Raises:
        ImportError: the extra `viz` is not installed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    content_by_name: dict[str, str] = {}
    for diagram in diagrams():
        text = canonical_text(diagram)
        drawn = parsed(text)
        content_by_name[f"{diagram.name}.txt"] = text
        content_by_name[f"{diagram.name}.mmd"] = mermaid_text(drawn)
        content_by_name[f"{diagram.name}.svg"] = svg_text(dot_text(drawn))
    for name, content in content_by_name.items():
        (folder / name).write_text(content, encoding="utf-8")
    for path in folder.iterdir():
        if path.suffix in (".txt", ".mmd", ".svg") and path.name not in content_by_name:
            path.unlink()
    return [folder / name for name in content_by_name]


def stale_texts(folder: Path) -> list[str]:
    """The names of the texts in `folder` that are not those of the code: changed, missing or left over."""
    due = {f"{diagram.name}.txt": canonical_text(diagram) for diagram in diagrams()}
    there = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.txt")}
    return sorted(name for name in due.keys() | there.keys() if due.get(name) != there.get(name))


def changes_since(revision: str, folder: Path) -> dict[str, list[str]]:
    """What the code changes in each flow against the texts that were committed at `revision`; unchanged flows absent.

    Raises:
        InvalidRequest: there is no such revision, or `folder` lies in no git checkout.
    """
    after = {diagram.name: diagram for diagram in diagrams()}
    before = {text.name: text for text in _texts_at(revision, folder)}
    changed = {
        name: changes(before.get(name, NOTHING), after.get(name, NOTHING))
        for name in sorted(before.keys() | after.keys())
    }
    return {name: lines for name, lines in changed.items() if lines}


def _texts_at(revision: str, folder: Path) -> list[Diagram]:
    names = _git(revision, folder, "ls-tree", "--name-only", "--end-of-options", revision).splitlines()
    texts = [
        _git(revision, folder, "show", "--end-of-options", f"{revision}:./{n}") for n in names if n.endswith(".txt")
    ]
    return [parsed(text) for text in texts]


def _git(revision: str, folder: Path, *arguments: str) -> str:
    call = ["git", *arguments]
    try:
        done = subprocess.run(call, cwd=folder, check=True, capture_output=True, encoding="utf-8")  # noqa: S603 - git, no shell
    except (OSError, subprocess.CalledProcessError) as error:
        raise InvalidRequest("diff", revision, f"a git revision that has {folder.name}/") from error
    return done.stdout
