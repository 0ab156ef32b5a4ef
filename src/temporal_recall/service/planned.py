"""Executes a flow in an order that is worked out once, instead of looking for it again at every request.

Hamilton's own executor walks the graph depth first each time, and at every node looks at all readers of its inputs to
see what it may forget. The order and what may be forgotten depend only on the outputs and overrides asked for.

Between two nodes it looks whether the caller still wants the answer (`request_limits`, where a flow has it), so that
nothing is computed for nobody. What comes after the last source is computed in the request's turn (`Turns`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from hamilton.driver import DefaultGraphExecutor, GraphExecutor
from hamilton.graph import FunctionGraph
from hamilton.node import DependencyType, Node

from temporal_recall.schemas.evidence import RequestLimits
from temporal_recall.service.lanes import LaneAdapter
from temporal_recall.service.turns import Turns


@dataclass(frozen=True, slots=True)
class Step:
    """One node's turn: what it reads, whether it starts or settles a lane, and which values nobody reads after it."""

    node: Node
    name: str
    call: Callable[..., Any]
    reads: tuple[str, ...]
    is_at_lanes: bool
    forgets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps of one kind of request until its last lane is settled and after it, and the inputs that it needs."""

    required: tuple[str, ...]
    optional: tuple[str, ...]
    reading: tuple[Step, ...]
    computing: tuple[Step, ...]


class PlannedExecutor(GraphExecutor):
    """Hamilton executor for flows without `Parallelizable`; gives what the default one gives, in the same order.

    Args:
        lanes: runs and settles the source lanes; without it they run where they are called.
    """

    def __init__(self, lanes: LaneAdapter | None = None) -> None:
        self._lanes = lanes
        self._plans: dict[tuple[tuple[str, ...], frozenset[str]], Plan] = {}
        self._stock = DefaultGraphExecutor()
        self._turns = Turns() if lanes is None else lanes.turns

    def validate(self, nodes_to_execute: list[Node]) -> None:
        """As the default executor: no `Parallelizable`."""
        self._stock.validate(nodes_to_execute)

    def execute(
        self,
        fg: FunctionGraph,
        final_vars: list[Any],
        overrides: dict[str, Any],
        inputs: dict[str, Any],
        run_id: str,
    ) -> dict[str, Any]:
        """The values of `final_vars`, by name.

        Raises:
            RecallCancelled: the cancel token of the input `request_limits` was set.
        """
        key = (tuple(final_vars), frozenset(overrides))
        plan = self._plans.get(key) or self._plans.setdefault(key, _plan(fg, *key))
        given = {**fg.config, **inputs}
        values: dict[str, Any] = dict(overrides)
        for name in plan.required:
            if name not in given:
                raise NotImplementedError(f"{name} was expected to be passed in but was not.")
            values[name] = given[name]
        values |= {name: given[name] for name in plan.optional if name in given}
        limits = inputs.get("request_limits")
        with self._turns.under_way():
            self._run(plan.reading, values, limits)
            with self._turns.taken():
                self._run(plan.computing, values, limits)
        return {name: values.get(name, inputs.get(name)) for name in final_vars}

    def _run(self, steps: tuple[Step, ...], values: dict[str, Any], limits: RequestLimits | None) -> None:
        lanes = self._lanes
        is_observed = lanes is not None and lanes.observer is not None
        for step in steps:
            if limits is not None:
                limits.cancel_token.raise_if_cancelled()
            read = {name: values[name] for name in step.reads if name in values}
            if lanes is not None and (is_observed or step.is_at_lanes):
                value = lanes.do_remote_execute(node=step.node, execute_lifecycle_for_node=step.call, **read)
            else:
                value = step.call(**read)
            values[step.name] = value
            for name in step.forgets:
                values.pop(name, None)


def _plan(graph: FunctionGraph, outputs: tuple[str, ...], overridden: frozenset[str]) -> Plan:
    wanted = [graph.nodes[name] for name in outputs if name in graph.nodes]
    order = list(_in_order(wanted, overridden))
    computed = [node for node in order if not node.user_defined]
    required = {d.name for node in computed for d in node.dependencies if _is_required(node, d)}
    inputs = [node.name for node in order if node.user_defined]
    last_reader = {d.name: node.name for node in computed for d in node.dependencies}
    forgotten: dict[str, list[str]] = {}
    for name, reader in last_reader.items():
        if name not in outputs:
            forgotten.setdefault(reader, []).append(name)
    steps = tuple(_step(node, tuple(forgotten.get(node.name, ()))) for node in computed)
    settled = max((number for number, step in enumerate(steps, 1) if step.is_at_lanes), default=0)
    return Plan(
        required=tuple(name for name in inputs if name in required),
        optional=tuple(name for name in inputs if name not in required),
        reading=steps[:settled],
        computing=steps[settled:],
    )


def _in_order(wanted: list[Node], overridden: frozenset[str]) -> Iterator[Node]:
    """The nodes and inputs to go through, depth first, each once, as the default executor would."""
    seen = set(overridden)

    def visited(node: Node) -> Iterator[Node]:
        if node.name in seen:
            return
        seen.add(node.name)
        for dependency in node.dependencies:
            yield from visited(dependency)
        yield node

    for node in wanted:
        yield from visited(node)


def _is_required(node: Node, dependency: Node) -> bool:
    return node.input_types[dependency.name][1] == DependencyType.REQUIRED


def _step(node: Node, forgets: tuple[str, ...]) -> Step:
    reads = tuple(dependency.name for dependency in node.dependencies)
    is_at_lanes = "lane" in node.tags or any("lane" in dependency.tags for dependency in node.dependencies)
    return Step(node, node.name, node.callable, reads, is_at_lanes, forgets)
