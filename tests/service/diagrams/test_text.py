"""The canonical text says all that a picture shows, and never varies."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from temporal_recall.service.catalog import CATALOG, Flow
from temporal_recall.service.diagrams.graph import Diagram, flow_diagram
from temporal_recall.service.diagrams.surroundings import surroundings
from temporal_recall.service.diagrams.text import canonical_text, parsed

LETTERS = """\
flow letters
  From letters to an answer.

[inputs]
letters_adapter: list[str]
  Reads the source letters.
now: str
  The instant of the question; no node reads a clock.
spelling: dict[str, int] | None
  \n\

[read]
letters_evidence: list[str] (lane)
  The letters that were read.
  <- letters_adapter
  <- now

[write]
answer: str | None (output)
  The answer.
  <- letters_evidence
  <- now
  <- words
words: list[str]
  Words made of letters.
  <- letters_evidence
  <- now
  <- spelling (optional)
"""


def test_text_of_a_flow(diagram: Diagram) -> None:
    assert canonical_text(diagram) == LETTERS


def test_the_text_is_the_whole_picture(diagram: Diagram) -> None:
    assert parsed(canonical_text(diagram)) == diagram


@pytest.mark.parametrize("row", CATALOG, ids=lambda row: row.name)
def test_the_text_of_every_flow_can_be_read_back(row: Flow) -> None:
    assert parsed(canonical_text(flow_diagram(row))) == flow_diagram(row)


def test_the_picture_drawn_by_hand_can_be_read_back() -> None:
    assert parsed(canonical_text(surroundings())) == surroundings()


def test_a_foreign_line_is_refused_by_number() -> None:
    with pytest.raises(ValueError, match="line 4 is 'what is this'"):
        parsed("flow a\n  b\n[inputs]\nwhat is this\n")


def test_the_text_does_not_depend_on_the_hash_seed() -> None:
    program = (
        "from temporal_recall.service.catalog import CATALOG;"
        "from temporal_recall.service.diagrams.graph import flow_diagram;"
        "from temporal_recall.service.diagrams.text import canonical_text;"
        "print(''.join(canonical_text(flow_diagram(flow)) for flow in CATALOG))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", program], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1
