"""Every notebook runs from top to bottom in a fresh kernel."""

from __future__ import annotations

from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))


@pytest.mark.filterwarnings("default")  # Jupyter's own, on import and when the kernel starts
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path) -> None:
    nbformat = pytest.importorskip("nbformat", reason="the extra notebooks is not installed")
    nbclient = pytest.importorskip("nbclient", reason="the extra notebooks is not installed")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(path.parent)}}).execute()
