"""What the graph itself costs: the same small functions called by hand, by stock Hamilton, and by our driver.

    python benchmarks/flow_cost.py [--repeat N]

25 nodes of which four are source lanes that read from memory, and the same with every lane in a pool of its own. The
cost a node is what a run takes beyond the functions by hand, in microseconds.
"""

from __future__ import annotations

import argparse
import sys
import types
from collections.abc import Callable
from typing import Any

from hamilton import driver
from hamilton.function_modifiers import tag
from harness import report, summary_us, times_us

from temporal_recall.schemas.evidence import RequestLimits, SourceOutcome
from temporal_recall.schemas.frames import EVIDENCE, SourceEvidence
from temporal_recall.service.catalog import Flow
from temporal_recall.service.driver import InputTypes, build_driver
from temporal_recall.service.lanes import LaneAdapter

LANE_COUNT, NODE_COUNT = 4, 25
EMPTY = EVIDENCE.empty()


class Adapter:
    """A source that has nothing."""

    def __init__(self, source: str) -> None:
        self.source = source


def flow_module() -> types.ModuleType:
    """A module of lanes, a node that collects them, and a chain of nodes with two inputs each."""
    module = types.ModuleType("small_flow")
    sys.modules[module.__name__] = module
    for number in range(LANE_COUNT):
        _add(module, _lane(number))
    _add(module, _collected())
    for number in range(NODE_COUNT - LANE_COUNT - 1):
        _add(module, _step(number))
    return module


def _add(module: types.ModuleType, function: Callable[..., Any]) -> None:
    function.__module__ = module.__name__
    setattr(module, function.__name__, function)


def _named(name: str, parameters: dict[str, type], returns: type, body: Callable[..., Any]) -> Callable[..., Any]:
    """A function with these parameters, as if it were written out."""
    arguments = ", ".join(parameters)
    space: dict[str, Any] = {"body": body}
    exec(f"def {name}({arguments}):\n    return body({arguments})", space)
    function: Callable[..., Any] = space[name]
    function.__annotations__ = {**parameters, "return": returns}
    return function


def _lane(number: int) -> Callable[..., Any]:
    parameters = {f"source{number}_adapter": Adapter, "user_id": str, "request_limits": RequestLimits}
    outcome = SourceEvidence(EMPTY, SourceOutcome(f"source{number}"))
    made = _named(f"source{number}_evidence", parameters, SourceEvidence, lambda adapter, user_id, limits: outcome)
    return tag(lane="true")(made)


def _collected() -> Callable[..., Any]:
    lanes = {f"source{number}_evidence": SourceEvidence for number in range(LANE_COUNT)}
    return _named("step_0", lanes, int, lambda *lanes: len(lanes))


def _step(number: int) -> Callable[..., Any]:
    before = {f"step_{number}": int} | ({f"step_{number - 1}": int} if number else {"seed": int})
    return _named(f"step_{number + 1}", before, int, lambda a, b: a + b & 255)


def by_hand(module: types.ModuleType, inputs: dict[str, Any]) -> Callable[[], int]:
    """The same calls, written out."""
    lanes = [getattr(module, f"source{number}_evidence") for number in range(LANE_COUNT)]
    adapters = [inputs[f"source{number}_adapter"] for number in range(LANE_COUNT)]
    user_id, limits, first = inputs["user_id"], inputs["request_limits"], module.step_0
    steps = [getattr(module, f"step_{number}") for number in range(1, NODE_COUNT - LANE_COUNT)]

    def run() -> int:
        value = first(*(lane(adapter, user_id, limits) for lane, adapter in zip(lanes, adapters, strict=True)))
        before = inputs["seed"]
        for step in steps:
            value, before = step(value, before), value
        return int(value)

    return run


def main() -> None:
    """Prints the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=2000)
    repeat = parser.parse_args().repeat
    module = flow_module()
    names = [f"source{number}" for number in range(LANE_COUNT)]
    inputs = {
        **{f"{n}_adapter": Adapter(n) for n in names},
        "user_id": "u1",
        "request_limits": RequestLimits(),
        "seed": 1,
    }
    output = f"step_{NODE_COUNT - LANE_COUNT - 1}"
    flow = Flow("small", "", (module,), (output,))
    drivers = {
        "stock": driver.Builder().with_modules(module).with_adapters(InputTypes()).build(),
        "ours": build_driver(flow, adapters=(LaneAdapter({}),)),
        "ours_pooled": build_driver(flow, adapters=(LaneAdapter(dict.fromkeys(names, 2)),)),
    }
    runs = {name: (lambda made=made: made.execute([output], inputs=inputs)) for name, made in drivers.items()}
    taken = {name: summary_us(times_us(run, repeat=repeat)) for name, run in runs.items()}
    hand = summary_us(times_us(by_hand(module, inputs), repeat=repeat))
    a_node = {f"{name}_us_a_node": round((t["best"] - hand["best"]) / NODE_COUNT, 2) for name, t in taken.items()}
    report({"nodes": NODE_COUNT, "by_hand_us": hand, **{f"{n}_us": t for n, t in taken.items()}, **a_node})


if __name__ == "__main__":
    main()
