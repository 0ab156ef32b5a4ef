"""Fixtures that every test may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

os.environ.setdefault("HAMILTON_TELEMETRY_ENABLED", "false")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The read-only folder of labelled cases and contracts beside the checkout."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("the labelled cases of ../shared are not beside this checkout")
    return folder
