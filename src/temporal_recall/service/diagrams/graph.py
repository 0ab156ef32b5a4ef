"""A flow as a reviewer sees it: boxes grouped by module, and arrows."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from hamilton.graph_types import HamiltonNode

from temporal_recall.service.catalog import Flow
from temporal_recall.service.driver import build_driver

BoxKind = Literal["input", "node", "lane"]

INPUTS = "inputs"
"""The group of what comes in from outside."""

MEANING_BY_INPUT = {
    "answers": "The answer that was given to each question.",
    "day_start_hour": "The hour at which days begin.",
    "deduplicated_timeline": "The timeline in which each event stands once.",
    "earlier_segments": "Activity of the two weeks before.",
    "evidence": "The evidence of all sources.",
    "explain": "Whether each item tells its factors and the reason.",
    "facts": "What the person has said of the day.",
    "limit": "The most items in the answer.",
    "local_date": "The day that is told.",
    "now": "The instant of the question; no node reads a clock.",
    "owner_id": "Whose day it is.",
    "prompt_template": "The fixed words to the model.",
    "query_text": "The question in the person's words.",
    "request_limits": "The request's deadline and cancel token.",
    "segments": "What was on the person's screens.",
    "semantic_hints": "What a language model adds to a complex question.",
    "slice_rows": "The most rows of a slice of work.",
    "time_zone": "The zone in which days are counted.",
    "timeline_items": "Events of the recall timeline.",
    "user_id": "Whose records are read.",
    "user_snapshot": "What the user model knows, as a prior.",
}
"""Meanings of the inputs whose type does not tell it."""


@dataclass(frozen=True, slots=True, order=True)
class Box:
    """A node of the flow, or an input. `group` is the module; `meaning` the first line of the docstring."""

    group: str
    name: str
    type: str
    meaning: str
    kind: BoxKind = "node"
    is_output: bool = False

    @property
    def short_name(self) -> str:
        """The name inside its group: that of an inner flow's node without the flow's own."""
        return _last_word(self.name)


@dataclass(frozen=True, slots=True, order=True)
class Arrow:
    """`target` is computed from `source`, which need not be there when `is_optional`."""

    target: str
    source: str
    is_optional: bool = False


@dataclass(frozen=True, slots=True)
class Diagram:
    """A whole flow, or a picture drawn by hand. Groups stand in the flow's order, boxes and arrows sorted by name."""

    name: str
    meaning: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    is_flow: bool = True

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups in order, each once."""
        return tuple(dict.fromkeys(box.group for box in self.boxes))

    def members(self, group: str) -> tuple[Box, ...]:
        """The boxes of a group."""
        return tuple(box for box in self.boxes if box.group == group)

    def readers(self, name: str) -> tuple[str, ...]:
        """The boxes that are computed from `name`."""
        return tuple(arrow.target for arrow in self.arrows if arrow.source == name)

    def is_shortcut(self, arrow: Arrow) -> bool:
        """Whether a longer way along the arrows leads from the arrow's source to its target too."""
        seen: set[str] = set()
        ahead = [name for name in self.readers(arrow.source) if name != arrow.target]
        while ahead:
            name = ahead.pop()
            if name == arrow.target:
                return True
            if name not in seen:
                seen.add(name)
                ahead += self.readers(name)
        return False


def flow_diagram(flow: Flow) -> Diagram:
    """The diagram of a catalog row: all that its outputs need, and nothing else."""
    nodes = build_driver(flow).what_is_upstream_of(*flow.outputs)
    groups = [INPUTS, *(_last_word(module.__name__) for module in flow.modules)]
    order = {group: position for position, group in enumerate(groups)}
    boxes = sorted((_box(node, flow) for node in nodes), key=lambda box: (order.get(box.group, len(order)), box.name))
    return Diagram(flow.name, flow.meaning, tuple(boxes), tuple(sorted(_arrows(nodes))))


def _box(node: HamiltonNode, flow: Flow) -> Box:
    is_output = node.name in flow.outputs
    if node.is_external_input:
        return Box(INPUTS, node.name, type_name(node.type), _input_meaning(node), "input", is_output)
    kind: BoxKind = "lane" if "lane" in node.tags else "node"
    meaning = _first_line(node.documentation) or "Handed in by the flow around."
    return Box(_group_of(node), node.name, type_name(node.type), meaning, kind, is_output)


def _group_of(node: HamiltonNode) -> str:
    """The module of a node; for one of an inner flow, the name of that flow."""
    inner_flow, _, _ = node.name.rpartition(".")
    return inner_flow or _last_word(str(node.tags["module"]))


def _arrows(nodes: Iterable[HamiltonNode]) -> set[Arrow]:
    names = {node.name for node in nodes}
    needed = {Arrow(node.name, name) for node in nodes for name in node.required_dependencies & names}
    return needed | {Arrow(node.name, name, True) for node in nodes for name in node.optional_dependencies & names}


def _input_meaning(node: HamiltonNode) -> str:
    if node.name in MEANING_BY_INPUT:
        return MEANING_BY_INPUT[node.name]
    if node.name.endswith("_adapter"):
        return f"Reads the source {node.name.removesuffix('_adapter')}."
    known = next((t for t in (node.type, *typing.get_args(node.type)) if isinstance(t, type)), None)
    return _first_line(known.__doc__) if known and known.__module__.startswith("temporal_recall.") else ""


def type_name(annotation: Any) -> str:
    """A type as a reader would write it, without its modules.

    >>> type_name(dict[str, list[int] | None])
    'dict[str, list[int] | None]'
    """
    if annotation in (None, types.NoneType):
        return "None"
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return type_name(arguments[0])
    if origin in (typing.Union, types.UnionType):
        return " | ".join(type_name(a) for a in arguments)
    if origin is not None and arguments:
        return f"{type_name(origin)}[{', '.join(type_name(a) for a in arguments)}]"
    return str(getattr(annotation, "__name__", "…" if annotation is ... else annotation))


def _first_line(docstring: str | None) -> str:
    return (docstring or "").strip().partition("\n")[0]


def _last_word(dotted: str) -> str:
    return dotted.rpartition(".")[2]
