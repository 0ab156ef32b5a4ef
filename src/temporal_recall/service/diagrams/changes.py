"""What a change does to a flow: the nodes that it adds, removes and rewires."""

from __future__ import annotations

from collections.abc import Iterator

from temporal_recall.service.diagrams.graph import Box, Diagram

NOTHING = Diagram("", "", (), ())
"""The diagram of a flow that is not there."""


def changes(before: Diagram, after: Diagram) -> list[str]:
    """One line a change, by node: `+` added, `-` removed, `~` another type, module or wiring; empty when equal."""
    old, new = _by_name(before), _by_name(after)
    lines: list[str] = []
    for name in sorted(old.keys() | new.keys()):
        if name not in old:
            lines.append(f"+ {_described(new[name])} <- {', '.join(_sources(after, name)) or 'outside'}")
        elif name not in new:
            lines.append(f"- {_described(old[name])}")
        else:
            lines += _moves(old[name], new[name])
            lines += _rewiring(name, _sources(before, name), _sources(after, name))
    return lines


def _by_name(diagram: Diagram) -> dict[str, Box]:
    return {box.name: box for box in diagram.boxes}


def _sources(diagram: Diagram, name: str) -> list[str]:
    return [arrow.source for arrow in diagram.arrows if arrow.target == name]


def _described(box: Box) -> str:
    return f"{box.name}: {box.type} [{box.group}]"


def _moves(old: Box, new: Box) -> Iterator[str]:
    if old.type != new.type:
        yield f"~ {new.name}: type {old.type} -> {new.type}"
    if old.group != new.group:
        yield f"~ {new.name}: module {old.group} -> {new.group}"
    if old.is_output != new.is_output:
        yield f"~ {new.name}: {'now' if new.is_output else 'no longer'} an output"


def _rewiring(name: str, old: list[str], new: list[str]) -> Iterator[str]:
    yield from (f"~ {name}: now computed from {source}" for source in new if source not in old)
    yield from (f"~ {name}: no longer computed from {source}" for source in old if source not in new)
