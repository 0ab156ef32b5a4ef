"""The picture: what is drawn as an arrow, what is written into a box, and that it is an SVG."""

from __future__ import annotations

import shutil
from xml.etree import ElementTree

import pytest

from temporal_recall.service.diagrams import drawing
from temporal_recall.service.diagrams.graph import Arrow, Diagram

pytest.importorskip("graphviz", reason="drawing needs the extra viz")


def test_widely_read_inputs_and_shortcuts_are_written_into_the_boxes(diagram: Diagram) -> None:
    assert [box.name for box in drawing.written_inputs(diagram)] == ["now"]
    assert drawing.written_arrows(diagram) == {
        Arrow("letters_evidence", "now"),
        Arrow("words", "now"),
        Arrow("answer", "now"),
        Arrow("answer", "letters_evidence"),
    }


def test_every_box_is_in_the_picture(diagram: Diagram) -> None:
    svg = drawing.svg_text(drawing.dot_text(diagram))
    words = {text.strip() for text in ElementTree.fromstring(svg).itertext()}
    assert {"letters", "read", "write", "letters_evidence", "words", "answer", "letters_adapter", "Legend"} <= words
    assert "reads letters_evidence, now" in words


def test_signs_of_markup_in_a_meaning_are_only_text(diagram: Diagram) -> None:
    from dataclasses import replace

    odd = replace(diagram, meaning='a < b & "c" > d')
    words = [text.strip() for text in ElementTree.fromstring(drawing.svg_text(drawing.dot_text(odd))).itertext()]
    assert 'a < b & "c" > d' in words


def test_without_the_engine_the_error_names_it(diagram: Diagram, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    with pytest.raises(ModuleNotFoundError, match="graphviz-pure"):
        drawing.svg_text("digraph {}")
