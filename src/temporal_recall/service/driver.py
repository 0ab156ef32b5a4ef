"""Builds the one shared Hamilton driver of a flow."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from types import UnionType
from typing import Any, get_args

from hamilton import driver, htypes
from hamilton.lifecycle.base import BaseDoRemoteExecute, BaseDoValidateInput, LifecycleAdapter

from temporal_recall.service.catalog import Flow
from temporal_recall.service.lanes import LaneAdapter
from temporal_recall.service.planned import PlannedExecutor

# when a node raises, these write its inputs into the log, and those are people's words
for _name in ("hamilton.driver", "hamilton.execution.graph_functions"):
    logging.getLogger(_name).setLevel(logging.CRITICAL + 1)


def build_driver(
    flow: Flow, *, adapters: Sequence[LifecycleAdapter | BaseDoRemoteExecute] = (), **config: Any
) -> driver.Driver:
    """The driver of a flow; build it once and share it, it keeps the inputs of concurrent executions apart.

    With no other adapter than lanes it executes in a planned order, since there are no hooks to call.

    Args:
        adapters: Hamilton lifecycle adapters, such as `LaneAdapter`.
        config: settings of the graph itself over those of the flow, such as `enabled_sources`.
    """
    built = (
        driver.Builder()
        .with_modules(*flow.modules)
        .with_config({**flow.config, **config, "hamilton.enable_power_user_mode": True})
        .with_adapters(InputTypes(), *adapters)  # type: ignore[arg-type]  # Hamilton's union leaves one kind out
        .build()
    )
    lanes = [adapter for adapter in adapters if isinstance(adapter, LaneAdapter)]
    if len(lanes) == len(adapters) <= 1:
        built.graph_executor = PlannedExecutor(*lanes)
    return built


class InputTypes(BaseDoValidateInput):
    """Checks inputs as Hamilton does, and protocols too, which it takes for generic types and refuses."""

    def do_validate_input(self, *, node_type: type, input_value: Any) -> bool:
        """Whether the value is of the input's type."""
        if getattr(node_type, "_is_protocol", False):
            return isinstance(input_value, node_type)
        if isinstance(node_type, UnionType):
            return any(self.do_validate_input(node_type=t, input_value=input_value) for t in get_args(node_type))
        return bool(htypes.check_input_type(node_type, input_value))
