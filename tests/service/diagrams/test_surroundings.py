"""The picture of what stands outside the flows tells of modules that exist."""

from __future__ import annotations

import importlib.util

import pytest

from temporal_recall.service.diagrams.graph import INPUTS, Box
from temporal_recall.service.diagrams.surroundings import surroundings


@pytest.mark.parametrize("box", [b for b in surroundings().boxes if b.group != INPUTS], ids=lambda box: box.name)
def test_every_box_names_a_module(box: Box) -> None:
    assert importlib.util.find_spec(f"temporal_recall.{box.type}") is not None


def test_every_arrow_joins_two_boxes() -> None:
    picture = surroundings()
    names = {box.name for box in picture.boxes}
    assert {name for arrow in picture.arrows for name in (arrow.source, arrow.target)} == names
