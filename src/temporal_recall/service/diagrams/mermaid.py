"""The Mermaid twin of a diagram, for pages that draw Mermaid themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator

from temporal_recall.service.diagrams.graph import Box, Diagram
from temporal_recall.service.diagrams.looks import LOOK_BY_KIND, kind_of


def mermaid_text(diagram: Diagram) -> str:
    """The whole diagram as a Mermaid flowchart: a subgraph a module, every arrow drawn."""
    return "\n".join(_lines(diagram)) + "\n"


def _lines(diagram: Diagram) -> Iterator[str]:
    yield from ("---", f'title: "{diagram.name}: {_plain(diagram.meaning)}"', "---", "flowchart TB")
    for group in diagram.groups:
        yield f"  subgraph {group}"
        yield from (f"    {_id(box.name)}[{_label(box)}]:::{kind_of(box)}" for box in diagram.members(group))
        yield "  end"
    for arrow in diagram.arrows:
        yield f"  {_id(arrow.source)} {'-.->' if arrow.is_optional else '-->'} {_id(arrow.target)}"
    for kind, look in LOOK_BY_KIND.items():
        yield f"  classDef {kind} fill:{look.fill},stroke:{look.border},stroke-width:{look.width}px"


def _id(name: str) -> str:
    """A name as Mermaid takes it: without the dot of an inner flow."""
    return name.replace(".", "__")


def _label(box: Box) -> str:
    return f'"<b>{box.short_name}</b><br/><i>{_plain(box.type)}</i><br/>{_plain(box.meaning)}"'


def _plain(text: str) -> str:
    """`text` with the signs that Mermaid reads itself as entities."""
    return re.sub(r'["`{}<>#;]', lambda found: f"#{ord(found[0])};", text)
