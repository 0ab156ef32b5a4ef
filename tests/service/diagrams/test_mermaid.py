"""The Mermaid twin."""

from __future__ import annotations

from dataclasses import replace

from temporal_recall.service.diagrams.graph import Box, Diagram
from temporal_recall.service.diagrams.mermaid import mermaid_text


def test_every_box_and_arrow_stands_in_it(diagram: Diagram) -> None:
    text = mermaid_text(diagram)
    for box in diagram.boxes:
        assert f"    {box.name}[" in text
    assert "  subgraph read" in text
    assert "  letters_evidence --> words" in text
    assert "  spelling -.-> words" in text
    assert (
        'letters_evidence["<b>letters_evidence</b><br/><i>list[str]</i><br/>The letters that were read."]:::lane'
        in text
    )


def test_mermaids_own_signs_are_escaped(diagram: Diagram) -> None:
    odd = replace(diagram, boxes=(Box("read", "a", "int", 'says "x" <b>'),), arrows=())
    assert "says #34;x#34; #60;b#62;" in mermaid_text(odd)
