"""Colours and borders that the pictures share."""

from __future__ import annotations

from dataclasses import dataclass

from temporal_recall.service.diagrams.graph import Box

INK, FAINT, LINE, PALE, READS = "#1f2933", "#616e7c", "#52606d", "#cbd2d9", "#8d5b00"
"""Text; lesser text; arrows; frames; what a node reads without an arrow."""

GROUP_FILLS = ("#f6f7e8", "#eef4ff", "#f3f0ff", "#e9f7f4", "#fdf1ea", "#fbeef4", "#eef1f4")


@dataclass(frozen=True, slots=True)
class Look:
    """How a kind of box is drawn (`width` of the border in points), and what the legend says of it."""

    fill: str
    border: str
    width: int
    meaning: str


LOOK_BY_KIND = {
    "input": Look("#fff8e1", "#b7791f", 1, "comes in from outside"),
    "node": Look("#ffffff", "#7b8794", 1, "a value: name, type, meaning, what it reads beside its arrows"),
    "lane": Look("#dbe9ff", "#2563a8", 2, "a source lane: runs in the threads of its source"),
    "output": Look("#e3f5ec", "#0b6e4f", 3, "what the flow gives back"),
}


def kind_of(box: Box) -> str:
    """The key of a box in `LOOK_BY_KIND`."""
    return "output" if box.is_output else box.kind


def look(box: Box) -> Look:
    """How a box is drawn."""
    return LOOK_BY_KIND[kind_of(box)]
