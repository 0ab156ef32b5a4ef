"""Imports go one way and by absolute names: schemas <- adapters, schemas <- dataflows, all <- service."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LAYERS = {
    "schemas": {"schemas"},
    "adapters": {"schemas", "adapters"},
    "dataflows": {"schemas", "dataflows"},
}
"""What each folder may import of ours. `src/` may import everything."""

MODULES = sorted(path for folder in (*LAYERS, "src") for path in (ROOT / folder).rglob("*.py"))
GUARDED = sorted(path for folder in LAYERS for path in (ROOT / folder).rglob("__init__.py"))


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _imported(source: str) -> Iterator[tuple[int, str]]:
    """Each import of `source` as (line, dotted name); a relative one keeps its leading dots."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def _refusal(name: str, layer: str) -> str | None:
    """Why the module `name` may not be imported in `layer`; None where it may."""
    head, *rest = name.split(".")
    if not head:
        return "is relative"
    if head in LAYERS:
        return f"makes a second copy of temporal_recall.{head}"
    if head == "temporal_recall" and layer in LAYERS and (not rest or rest[0] not in LAYERS[layer]):
        return f"is no import for {layer}"
    return None


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_imports_go_one_way(path: Path) -> None:
    layer = path.relative_to(ROOT).parts[0]
    refused = [
        f"{_name(path)}:{line}: {name} {why}"
        for line, name in _imported(path.read_text(encoding="utf-8"))
        if (why := _refusal(name, layer))
    ]
    assert refused == []


@pytest.mark.parametrize(
    ("source", "layer", "is_refused"),
    [
        ("from temporal_recall.schemas.plan import Range", "dataflows", False),
        ("import temporal_recall.schemas.plan", "adapters", False),
        ("from temporal_recall.service.driver import driver", "src", False),
        ("from temporal_recall.adapters import chat_client", "dataflows", True),
        ("from temporal_recall.dataflows import ranking", "adapters", True),
        ("from temporal_recall.dataflows.zh_time import parse_time", "schemas", True),
        ("from temporal_recall import parse_time", "dataflows", True),
        ("from .plan import Range", "schemas", True),
        ("def f():\n    import schemas.plan", "src", True),
    ],
)
def test_the_walk_sees_a_wrong_edge(source: str, layer: str, is_refused: bool) -> None:
    assert any(_refusal(name, layer) for _, name in _imported(source)) is is_refused


@pytest.mark.parametrize("init", GUARDED, ids=_name)
def test_a_top_level_folder_refuses_its_short_name(init: Path) -> None:
    """From the root of the checkout `import schemas` would otherwise make a second class of each model."""
    name = init.parent.relative_to(ROOT).as_posix().replace("/", ".")
    spec = importlib.util.spec_from_file_location(name, init)
    assert spec is not None
    assert spec.loader is not None
    with pytest.raises(ImportError, match=f"import temporal_recall.{name}, not {name}"):
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


def test_a_model_has_one_class() -> None:
    from temporal_recall.schemas.plan import ContextPlan

    assert ContextPlan.__module__ == "temporal_recall.schemas.plan"
