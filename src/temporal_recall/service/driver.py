"""Builds the one shared Hamilton driver of a flow."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType, UnionType
from typing import Any, get_args

from hamilton import htypes
from hamilton.base import DictResult
from hamilton.common import convert_output_values
from hamilton.driver import Driver, Variable
from hamilton.lifecycle.base import BaseDoRemoteExecute, BaseDoValidateInput, LifecycleAdapter
from hamilton.node import Node

from temporal_recall.schemas.columns import Columns
from temporal_recall.service.catalog import Flow
from temporal_recall.service.lanes import LaneAdapter
from temporal_recall.service.planned import PlannedExecutor

# when a node raises, these write its inputs into the log, and those are people's words
for _name in ("hamilton.driver", "hamilton.execution.graph_functions"):
    logging.getLogger(_name).setLevel(logging.CRITICAL + 1)


def build_driver(
    flow: Flow, *, adapters: Sequence[LifecycleAdapter | BaseDoRemoteExecute] = (), **config: Any
) -> Driver:
    """The driver of a flow; build it once and share it, it keeps the inputs of concurrent executions apart.

    With no other adapter than lanes it executes as planned once, since there are no hooks to call.

    Args:
        adapters: Hamilton lifecycle adapters, such as `LaneAdapter`.
        config: settings of the graph itself over those of the flow, such as `enabled_sources`.
    """
    settings = {**flow.config, **config, "hamilton.enable_power_user_mode": True}
    lanes = [adapter for adapter in adapters if isinstance(adapter, LaneAdapter)]
    if len(lanes) == len(adapters) <= 1:
        return PlannedDriver(settings, flow.modules, *lanes)
    every: list[Any] = [InputTypes(), *adapters, DictResult()]  # Hamilton's union leaves one kind out
    return Driver(settings, *flow.modules, adapter=every)


class PlannedDriver(Driver):
    """A driver that looks only once at what a kind of request asks for and brings by name, and executes it as planned.

    Hamilton looks at each request whether all that lies upstream of its outputs is given; that takes longer than to go
    through the nodes. That the inputs are of their types is looked at each time.

    Args:
        settings: of the graph itself.
        lanes: runs and settles the source lanes; without it they run where they are called.
    """

    def __init__(
        self, settings: Mapping[str, Any], modules: Sequence[ModuleType], lanes: LaneAdapter | None = None
    ) -> None:
        self._types = InputTypes()
        adapters: list[Any] = [self._types, *([lanes] if lanes else []), DictResult()]
        super().__init__({**settings}, *modules, adapter=adapters)
        self.graph_executor = PlannedExecutor(lanes)
        self._inputs_by_kind: dict[tuple[Any, ...], tuple[Node, ...]] = {}

    def execute(
        self,
        final_vars: list[str | Callable[..., Any] | Variable],
        overrides: dict[str, Any] | None = None,
        display_graph: bool = False,
        inputs: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """The values of `final_vars` by name; `display_graph` is of Hamilton's past and draws nothing.

        Raises:
            ValueError: an output that there is not, an input that is absent or not of its type, a frame in the place of
                columns.
        """
        outputs: list[Any] = convert_output_values(final_vars, {module.__name__ for module in self.graph_modules})
        given, overridden = inputs or {}, overrides or {}
        for name, value in overridden.items():
            self._refuse_frames(name, value)
        kind = (*outputs, frozenset(given), frozenset(overridden))
        read = self._inputs_by_kind.get(kind)
        if read is None:
            read = self._inputs_by_kind.setdefault(kind, self._looked_at(outputs, given, overridden))
        if not all(self._fits(node, given[node.name]) for node in read):
            self.validate_inputs(self.graph, [self._types], read, given)
        return self.graph_executor.execute(self.graph, outputs, overridden, given, run_id="")

    def _looked_at(self, outputs: list[str], given: dict[str, Any], overridden: dict[str, Any]) -> tuple[Node, ...]:
        """The inputs that a kind of request reads of those given; raises where Hamilton would."""
        nodes, inputs = self.graph.get_upstream_nodes(outputs, given, overridden)
        self.validate_inputs(self.graph, [self._types], inputs, given, nodes)
        self.graph_executor.validate([*nodes])
        return tuple(node for node in inputs if node.name in given)

    def _refuse_frames(self, name: str, value: Any) -> None:
        node = self.graph.nodes.get(name)
        if node is not None and node.type is Columns and not isinstance(value, Columns):
            raise ValueError(
                f"{name} is a {type(value).__name__}; allowed: Columns, such as Columns.of(frame, contract)"
            )

    def _fits(self, node: Node, value: Any) -> bool:
        return value is None or self._types.do_validate_input(node_type=node.type, input_value=value)


class InputTypes(BaseDoValidateInput):
    """Checks inputs as Hamilton does, and protocols too, which it takes for generic types and refuses."""

    def do_validate_input(self, *, node_type: type, input_value: Any) -> bool:
        """Whether the value is of the input's type."""
        if isinstance(node_type, UnionType):
            return any(self.do_validate_input(node_type=t, input_value=input_value) for t in get_args(node_type))
        if node_type == Any or not isinstance(node_type, type):
            return bool(htypes.check_input_type(node_type, input_value))
        return isinstance(input_value, node_type)
