"""`dag`: the diagrams of the flows, for design reviews."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from temporal_recall.service.cli.console import screen, write_json
from temporal_recall.service.cli.errors import FAILED, report
from temporal_recall.service.cli.options import Json

Folder = Annotated[Path, typer.Option("--folder", help="Where the diagrams lie.")]
Check = Annotated[bool, typer.Option("--check", help="Compare the committed text with the code; draw nothing.")]
Diff = Annotated[str | None, typer.Option("--diff", metavar="REV", help="Say what changed since a git revision.")]


def dag(folder: Folder = Path("dag_viz"), check: Check = False, diff: Diff = None, as_json: Json = False) -> None:
    """Draw every flow of the catalog: canonical text, SVG and Mermaid.

    --check leaves with code 1 when a committed text is not that of the code.
    """
    if check and diff is not None:
        raise typer.BadParameter("give either --check or --diff")
    if check:
        _check(folder, as_json)
    elif diff is not None:
        _diff(folder, diff, as_json)
    else:
        _draw(folder, as_json)


def _draw(folder: Path, as_json: bool) -> None:
    from temporal_recall.service.diagrams.files import write_diagrams

    written = write_diagrams(folder)
    if as_json:
        write_json({"written": [str(path) for path in written]})
    else:
        screen().print(*written, sep="\n", soft_wrap=True)


def _check(folder: Path, as_json: bool) -> None:
    from temporal_recall.service.diagrams.files import stale_texts

    stale = stale_texts(folder)
    if as_json:
        write_json({"stale": stale})
    for name in stale:
        report(f"{folder / name} is not that of the code; run: temporal-recall dag")
    if stale:
        raise typer.Exit(FAILED)


def _diff(folder: Path, revision: str, as_json: bool) -> None:
    from temporal_recall.service.diagrams.files import changes_since

    changes_by_flow = changes_since(revision, folder)
    if as_json:
        write_json({"changes": changes_by_flow})
        return
    from temporal_recall.service.cli.pages.lists import changes_page

    screen().print(changes_page(changes_by_flow), soft_wrap=True)
