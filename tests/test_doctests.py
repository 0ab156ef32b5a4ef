"""The examples in docstrings hold. Modules are walked by their true names, which `--doctest-modules` would not do."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from collections.abc import Iterator

import pytest

PACKAGES = ("schemas", "adapters", "dataflows", "service")
"""A walk begins at a sub-package: from the root it does not see the mapped ones of an editable install."""


def _modules() -> Iterator[str]:
    for package in PACKAGES:
        name = f"temporal_recall.{package}"
        yield name
        yield from (m.name for m in pkgutil.walk_packages(importlib.import_module(name).__path__, f"{name}."))


@pytest.mark.parametrize("name", [m for m in _modules() if not m.endswith("__main__")])
def test_examples_hold(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0


def test_every_package_is_walked() -> None:
    names = set(_modules())
    assert {"temporal_recall.schemas.plan", "temporal_recall.dataflows.zh_time"} <= names
