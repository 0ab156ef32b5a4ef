"""Builds the one shared Hamilton driver of a flow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hamilton import driver
from hamilton.lifecycle.base import LifecycleAdapter

from temporal_recall.service.catalog import Flow


def build_driver(flow: Flow, *, adapters: Sequence[LifecycleAdapter] = (), **config: Any) -> driver.Driver:
    """The driver of a flow; build it once and share it, it keeps the inputs of concurrent executions apart.

    Args:
        adapters: Hamilton lifecycle adapters, such as `LaneAdapter`.
        config: settings of the graph itself over those of the flow, such as `enabled_sources`.
    """
    return (
        driver.Builder()
        .with_modules(*flow.modules)
        .with_config({**flow.config, **config, "hamilton.enable_power_user_mode": True})
        .with_adapters(*adapters)
        .build()
    )
