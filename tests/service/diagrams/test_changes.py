"""What a change does to a flow, node by node."""

from __future__ import annotations

import dataclasses

import pytest

from temporal_recall.service.diagrams.changes import NOTHING, changes
from temporal_recall.service.diagrams.graph import Arrow, Box, Diagram

BEFORE = Diagram(
    "f", "", (Box("m", "a", "int", ""), Box("m", "b", "int", ""), Box("m", "c", "int", "")), (Arrow("c", "a"),)
)


def _after(boxes: tuple[Box, ...] = BEFORE.boxes, arrows: tuple[Arrow, ...] = BEFORE.arrows) -> Diagram:
    return dataclasses.replace(BEFORE, boxes=boxes, arrows=arrows)


@pytest.mark.parametrize(
    ("after", "lines"),
    [
        (_after(), []),
        (_after((*BEFORE.boxes, Box("n", "d", "str", ""))), ["+ d: str [n] <- outside"]),
        (_after(BEFORE.boxes[1:], ()), ["- a: int [m]", "~ c: no longer computed from a"]),
        (_after(arrows=(Arrow("c", "b"),)), ["~ c: now computed from b", "~ c: no longer computed from a"]),
        (_after((Box("m", "a", "str", ""), *BEFORE.boxes[1:])), ["~ a: type int -> str"]),
        (_after((Box("n", "a", "int", ""), *BEFORE.boxes[1:])), ["~ a: module m -> n"]),
        (_after((*BEFORE.boxes[:2], Box("m", "c", "int", "", is_output=True))), ["~ c: now an output"]),
        (_after((Box("m", "a", "int", "Other words."), *BEFORE.boxes[1:])), []),
    ],
)
def test_changes_of_a_flow(after: Diagram, lines: list[str]) -> None:
    assert changes(BEFORE, after) == lines


def test_a_new_flow_is_all_added_and_a_gone_one_all_removed() -> None:
    assert changes(NOTHING, BEFORE) == ["+ a: int [m] <- outside", "+ b: int [m] <- outside", "+ c: int [m] <- a"]
    assert [line[0] for line in changes(BEFORE, NOTHING)] == ["-", "-", "-"]
