"""A flow as boxes and arrows."""

from __future__ import annotations

from typing import Annotated, Any

import pandas as pd
import pytest

from temporal_recall.schemas.plan import Share
from temporal_recall.service.catalog import CATALOG
from temporal_recall.service.diagrams.graph import INPUTS, Arrow, Box, Diagram, flow_diagram, type_name


def test_boxes_are_grouped_by_module_in_the_flows_order(diagram: Diagram) -> None:
    assert diagram.groups == (INPUTS, "read", "write")
    assert [box.name for box in diagram.members("write")] == ["answer", "words"]


def test_a_box_tells_type_and_first_line_of_the_docstring(diagram: Diagram) -> None:
    assert diagram.members("read") == (
        Box("read", "letters_evidence", "list[str]", "The letters that were read.", "lane"),
    )


def test_inputs_and_outputs_are_marked(diagram: Diagram) -> None:
    assert {box.name for box in diagram.boxes if box.kind == "input"} == {"letters_adapter", "now", "spelling"}
    assert [box.name for box in diagram.boxes if box.is_output] == ["answer"]


def test_an_arrow_from_what_need_not_be_there_says_so(diagram: Diagram) -> None:
    assert Arrow("words", "spelling", is_optional=True) in diagram.arrows
    assert Arrow("words", "now") in diagram.arrows


@pytest.mark.parametrize(
    ("target", "source", "is_shortcut"),
    [("answer", "letters_evidence", True), ("answer", "words", False), ("answer", "now", True)],
)
def test_a_shortcut_repeats_a_longer_way(diagram: Diagram, target: str, source: str, is_shortcut: bool) -> None:
    assert diagram.is_shortcut(Arrow(target, source)) is is_shortcut


@pytest.mark.parametrize(
    ("annotation", "name"),
    [
        (int, "int"),
        (pd.DataFrame, "DataFrame"),
        (dict[str, list[pd.Series]], "dict[str, list[Series]]"),
        (tuple[str, ...], "tuple[str, …]"),
        (str | None, "str | None"),
        (Annotated[float, "share"], "float"),
        (Share | None, "float | None"),
        (Any, "Any"),
        (None, "None"),
    ],
)
def test_a_type_reads_as_one_would_write_it(annotation: Any, name: str) -> None:
    assert type_name(annotation) == name


@pytest.mark.parametrize("row", CATALOG, ids=lambda row: row.name)
def test_every_box_of_every_flow_has_a_meaning(row: Any) -> None:
    assert [box.name for box in flow_diagram(row).boxes if not box.meaning] == []
