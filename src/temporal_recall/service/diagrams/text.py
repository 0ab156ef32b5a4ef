"""The canonical text of a diagram: what is committed, compared in CI and reviewed line by line.

flow recall
  From a question to an answer.

[inputs]
now: datetime
  The instant of the question.

[ranking]
ranked_columns: Columns (output)
  Items, best first.
  <- deduplicated_columns
  <- user_snapshot (optional)
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from temporal_recall.service.diagrams.graph import INPUTS, Arrow, Box, BoxKind, Diagram

_HEAD = re.compile(r"(?P<name>[\w.]+): (?P<type>.*?)(?: \((?P<marks>(?:lane|output)(?:, output)?)\))?")


def canonical_text(diagram: Diagram) -> str:
    """The text of a diagram; the same bytes for the same flow, whatever the hash seed."""
    return "\n".join(_lines(diagram)) + "\n"


def _lines(diagram: Diagram) -> Iterator[str]:
    yield f"{'flow' if diagram.is_flow else 'picture'} {diagram.name}"
    yield f"  {diagram.meaning}"
    for group in diagram.groups:
        yield from ("", f"[{group}]")
        for box in diagram.members(group):
            marks = ["lane"] * (box.kind == "lane") + ["output"] * box.is_output
            yield f"{box.name}: {box.type}" + (f" ({', '.join(marks)})" if marks else "")
            yield f"  {box.meaning}"
            for arrow in diagram.arrows:
                if arrow.target == box.name:
                    yield f"  <- {arrow.source}{' (optional)' * arrow.is_optional}"


def parsed(text: str) -> Diagram:
    """The diagram that a canonical text describes.

    Raises:
        ValueError: a line is none of the format (names it).
    """
    head, meaning, *rest = text.splitlines()
    boxes: list[Box] = []
    arrows: list[Arrow] = []
    group = ""
    heads = iter(enumerate(rest, start=3))
    for number, line in heads:
        if not line:
            continue
        if line.startswith("["):
            group = line[1:-1]
        elif line.startswith("  <- "):
            source, _, is_optional = line.removeprefix("  <- ").partition(" ")
            arrows.append(Arrow(boxes[-1].name, source, bool(is_optional)))
        elif found := _HEAD.fullmatch(line):
            boxes.append(_box(group, found, next(heads)[1].strip()))
        else:
            raise ValueError(f"line {number} is {line!r}; allowed: [group], name: type, <- name")
    kind, _, name = head.partition(" ")
    return Diagram(name, meaning.strip(), tuple(boxes), tuple(sorted(arrows)), is_flow=kind == "flow")


def _box(group: str, head: re.Match[str], meaning: str) -> Box:
    marks = (head["marks"] or "").split(", ")
    kind: BoxKind = "lane" if "lane" in marks else "input" if group == INPUTS else "node"
    return Box(group, head["name"], head["type"], meaning, kind, "output" in marks)
