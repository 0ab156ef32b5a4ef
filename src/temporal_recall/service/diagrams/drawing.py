"""Draws a diagram: its DOT graph, and the SVG of that without any system package.

Arrows are left for the main flow. An input that several nodes read, and a value that a node reads beside what was made
of it, are written into the node instead.
"""

from __future__ import annotations

import html
import shutil
import sysconfig
import textwrap
from collections.abc import Iterator
from pathlib import Path

from temporal_recall.service.diagrams.graph import INPUTS, Arrow, Box, Diagram
from temporal_recall.service.diagrams.looks import (
    FAINT,
    GROUP_FILLS,
    INK,
    LINE,
    LOOK_BY_KIND,
    PALE,
    READS,
    Look,
    kind_of,
    look,
)

WIDELY_READ = 2
"""An input that more nodes than this read is written into them."""

FONT = "Helvetica"
FONT_STACK = "Helvetica,Arial,'Liberation Sans',Arimo,sans-serif"
LINE_WIDTH = 46
"""Characters of a line of meaning in a box."""


def written_inputs(diagram: Diagram) -> tuple[Box, ...]:
    """The inputs that are written into the nodes that read them."""
    return tuple(box for box in diagram.members(INPUTS) if len(diagram.readers(box.name)) > WIDELY_READ)


def written_arrows(diagram: Diagram) -> frozenset[Arrow]:
    """The arrows that are written into their target: of widely read inputs, and shortcuts."""
    inputs = {box.name for box in written_inputs(diagram)}
    return frozenset(a for a in diagram.arrows if a.source in inputs or diagram.is_shortcut(a))


def dot_text(diagram: Diagram) -> str:
    """The DOT graph of a diagram: a cluster a module, lanes side by side, inputs and outputs marked, a legend.

    Raises:
        ImportError: the extra `viz` is not installed.
    """
    import graphviz

    written = written_arrows(diagram)
    graph = graphviz.Digraph(diagram.name, graph_attr=_graph_style(diagram), node_attr=_node_style())
    graph.node("legend", _legend(diagram))
    absent = {box.name for box in written_inputs(diagram)}
    for position, group in enumerate(diagram.groups):
        name = group if group == INPUTS else f"cluster_{group}"
        cluster = graphviz.Digraph(name, graph_attr=_cluster_style(group, position))
        for box in diagram.members(group):
            if box.name not in absent:
                cluster.node(box.name, _label(box, [a.source for a in written if a.target == box.name]))
        graph.subgraph(cluster)
    for arrow in diagram.arrows:
        if arrow not in written:
            graph.edge(arrow.source, arrow.target, **_edge_style(arrow))
    return str(graph.source)


def svg_text(dot: str) -> str:
    """The SVG of a DOT graph, drawn by the engine that the extra `viz` brings.

    Raises:
        ImportError: the extra `viz` is not installed.
    """
    import graphviz
    from graphviz.backend import dot_command

    engine = shutil.which("graphviz-pure", path=sysconfig.get_path("scripts")) or shutil.which("graphviz-pure")
    if engine is None:
        raise ModuleNotFoundError("drawing needs graphviz-pure", name="graphviz_pure")
    dot_command.DOT_BINARY = Path(engine)
    svg = graphviz.pipe("dot", "svg", dot.encode(), quiet=True).decode()
    return str(svg).replace(f'font-family="{FONT}"', f'font-family="{FONT_STACK}"')


def _graph_style(diagram: Diagram) -> dict[str, str]:
    title = f'<FONT POINT-SIZE="24" COLOR="{INK}"><B>{html.escape(diagram.name)}</B></FONT>'
    meaning = f'<FONT POINT-SIZE="14" COLOR="{FAINT}">{html.escape(diagram.meaning)}</FONT>'
    return {
        "label": f"<{title}<BR/>{meaning}<BR/> >",
        "labelloc": "t",
        "rankdir": "TB",
        "newrank": "true" if diagram.is_flow else "false",  # every arrow of a flow leads down, across its modules
        "fontname": FONT,
        "bgcolor": "white",
        "pad": "0.4",
        "nodesep": "0.25",
        "ranksep": "0.35",
    }


def _node_style() -> dict[str, str]:
    return {"shape": "plain", "fontname": FONT, "fontsize": "12", "fontcolor": INK}


def _edge_style(arrow: Arrow) -> dict[str, str]:
    return {
        "color": LINE,
        "style": "dashed" if arrow.is_optional else "solid",
        "arrowsize": "0.6",
    }


def _cluster_style(group: str, position: int) -> dict[str, str]:
    return {
        "label": f'<<FONT POINT-SIZE="15" COLOR="{FAINT}"><B>{html.escape(group)}</B></FONT>>',
        "labeljust": "l",
        "style": "rounded,filled",
        "color": PALE,
        "fillcolor": GROUP_FILLS[position % len(GROUP_FILLS)],
        "margin": "14",
        "fontname": FONT,
    }


def _label(box: Box, reads: list[str]) -> str:
    reads = sorted(name.removeprefix(f"{box.group}.") for name in reads)
    rows = [
        f"<B>{html.escape(box.short_name)}</B>",
        *_small(textwrap.shorten(box.type, LINE_WIDTH, placeholder=" ..."), FAINT, italic=True),
        *_small(box.meaning, INK),
        *_small(f"reads {', '.join(reads)}" if reads else "", READS),
    ]
    style = _cell_style(look(box))
    return f'<<TABLE {style} CELLBORDER="0" CELLPADDING="6"><TR><TD>{"<BR/>".join(rows)}</TD></TR></TABLE>>'


def _cell_style(look: Look) -> str:
    return f'BORDER="{look.width}" STYLE="ROUNDED" BGCOLOR="{look.fill}" COLOR="{look.border}"'


def _small(text: str, colour: str, *, italic: bool = False) -> Iterator[str]:
    for line in textwrap.wrap(text, LINE_WIDTH, break_long_words=False):
        escaped = html.escape(line)
        yield f'<FONT POINT-SIZE="10" COLOR="{colour}">{f"<I>{escaped}</I>" if italic else escaped}</FONT>'


def _legend(diagram: Diagram) -> str:
    """What the signs in this picture mean; a sign that is not in it is left out."""
    shown = {kind_of(box) for box in diagram.boxes}
    rows = ['<TR><TD COLSPAN="2" ALIGN="LEFT"><B>Legend</B></TD></TR>']
    for kind in (k for k in LOOK_BY_KIND if k in shown):
        rows.append(_legend_row(f"<TD {_cell_style(LOOK_BY_KIND[kind])}>{kind}</TD>", LOOK_BY_KIND[kind].meaning))
    if any(arrow.is_optional for arrow in diagram.arrows):
        rows.append(_legend_row(_key("dashed"), "need not be there"))
    if written_arrows(diagram):
        meaning = "a value without an arrow of its own: an input, or one from further up"
        rows.append(_legend_row(_key("reads", READS), meaning))
    for box in written_inputs(diagram):
        rows.append(_legend_row(_key(box.name, READS), f"{box.type}: {box.meaning}"))
    return f'<<TABLE BORDER="1" COLOR="{PALE}" CELLBORDER="0" CELLSPACING="3" CELLPADDING="3">{"".join(rows)}</TABLE>>'


def _legend_row(cell: str, meaning: str) -> str:
    return f'<TR>{cell}<TD ALIGN="LEFT"><FONT POINT-SIZE="10">{html.escape(meaning)}</FONT></TD></TR>'


def _key(word: str, colour: str = INK) -> str:
    return f'<TD ALIGN="LEFT"><FONT POINT-SIZE="10" COLOR="{colour}">{word}</FONT></TD>'
