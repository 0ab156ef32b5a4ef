"""A wheel holds what the tree holds, and an editable install follows the tree."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from temporal_recall.service.cli.errors import extra_of

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = {"src/temporal_recall": "temporal_recall"} | {
    folder: f"temporal_recall/{folder}" for folder in ("schemas", "adapters", "dataflows")
}
"""Where each folder of the tree lies in the wheel."""

IGNORED = shutil.ignore_patterns("__pycache__", "*.egg-info", "build", ".DS_Store")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a build needs of the tree, copied, so that building leaves nothing behind in the checkout."""
    folder = tmp_path_factory.mktemp("copy")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=IGNORED)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    return folder


def _built(copy: Path, kind: str, out: Path) -> zipfile.ZipFile:
    """The wheel (`build_wheel` or `build_editable`) that the build backend makes of `copy`, without any network."""
    out.mkdir()
    program = f"from setuptools.build_meta import {kind}; {kind}({str(out)!r})"
    subprocess.run([sys.executable, "-c", program], cwd=copy, check=True, capture_output=True, text=True)
    return zipfile.ZipFile(next(out.glob("*.whl")))


def test_the_wheel_holds_the_tree(copy: Path, tmp_path: Path) -> None:
    """Every file of the four folders is in the wheel under `temporal_recall`, and nothing else is."""
    tree = {
        f"{target}/{path.relative_to(copy / folder).as_posix()}"
        for folder, target in FOLDERS.items()
        for path in (copy / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with _built(copy, "build_wheel", tmp_path / "wheel") as wheel:
        packed = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert packed == tree


def test_an_editable_install_follows_the_tree(copy: Path, tmp_path: Path) -> None:
    """Modules come from the checkout under their true names, and so does a file that is added later."""
    (copy / "src/temporal_recall/__init__.py").write_text("")  # the map alone is tested, without dependencies
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "env"], check=True)
    python = tmp_path / "env/bin/python"
    site_packages = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True, capture_output=True, text=True,
    ).stdout.strip()  # fmt: skip
    with _built(copy, "build_editable", tmp_path / "editable") as wheel:
        wheel.extractall(site_packages)
    added = copy / "dataflows/added_later.py"
    added.write_text("WORD = 'new'\n")
    program = "from temporal_recall.dataflows import added_later as m; print(m.__name__, m.WORD, m.__file__)"
    found = subprocess.run([python, "-c", program], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert found.stdout.split() == ["temporal_recall.dataflows.added_later", "new", str(added)]


def _imported_libraries() -> set[str]:
    """The top-level names of all that the source imports and is neither Python's nor ours."""
    names: set[str] = set()
    for path in (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names.add((node.module or "").partition(".")[0])
    return names - sys.stdlib_module_names - {"temporal_recall"}


COMES_WITH = {"anyio": "httpx", "starlette": "fastapi", "pydantic_core": "pydantic"}
"""Libraries that are part of what another one offers."""


def _core_requirements() -> set[str]:
    requirements = (r for r in importlib.metadata.requires("temporal-recall") or () if "extra ==" not in r)
    return {_normal(re.split(r"[^\w.-]", r)[0]) for r in requirements}


def _normal(distribution: str) -> str:
    return re.sub(r"[-_.]+", "-", distribution).lower()


def test_every_library_that_the_source_imports_is_declared() -> None:
    """In the core's dependencies, or in an extra that the command line can name."""
    distributions = importlib.metadata.packages_distributions()
    core = _core_requirements()
    names = {COMES_WITH.get(name, name) for name in _imported_libraries()}
    undeclared = {
        name for name in names if not extra_of(name) and not core & {*map(_normal, distributions.get(name, [name]))}
    }
    assert undeclared == set()


def test_type_checkers_see_the_same_package() -> None:
    """`.typing` has a link for every part of the package, and each leads to the folder that is packed."""
    parts = {path.name: path for path in (ROOT / "src/temporal_recall").iterdir() if path.name != "__pycache__"}
    parts |= {folder: ROOT / folder for folder in FOLDERS if "/" not in folder}
    links = {path.name: path.resolve() for path in (ROOT / ".typing/temporal_recall").iterdir()}
    assert links == parts
