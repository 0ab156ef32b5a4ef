"""What stands outside the flows: callers, auth, deadline, lanes, stores, language models.

Written by hand, since no flow holds it; `type` names the module of each box, and a test imports every one.
"""

from __future__ import annotations

from temporal_recall.service.diagrams.graph import INPUTS, Arrow, Box, Diagram

_BOXES = (
    Box(INPUTS, "caller", "person | agent | worker", "Asks a question or hands in a plan, with a token.", "input"),
    Box("faces", "command_line", "service.cli", "Commands, batch forms, the demo."),
    Box("around_a_request", "deployment", "service.config", "One TOML file: sources, windows, weights, time limits."),
    Box("around_a_request", "service", "service.facade", "Checks the request, sets its deadline and cancel token."),
    Box(
        "around_a_request", "shared_driver", "service.driver", "One Hamilton driver, built once, shared by all threads."
    ),
    Box("around_a_request", "lanes", "service.lanes", "One thread pool a source; settled at the deadline.", "lane"),
    Box("flow", "recall_flow", "service.catalog", "The DAG: pure nodes, no clock, no network, no global."),
    Box("sources", "adapters", "adapters", "State facts only: who, when, the words."),
    Box("answer", "bundle", "schemas.bundle", "Ranked, grouped items with evidence; what failed.", is_output=True),
)

_ARROWS = (
    Arrow("command_line", "caller"),
    Arrow("service", "caller"),
    Arrow("service", "command_line"),
    Arrow("service", "deployment"),
    Arrow("shared_driver", "service"),
    Arrow("recall_flow", "shared_driver"),
    Arrow("lanes", "recall_flow"),
    Arrow("adapters", "lanes"),
    Arrow("bundle", "recall_flow"),
)


def surroundings() -> Diagram:
    """The picture of what stands outside the flows."""
    return Diagram(
        "surroundings",
        "What stands outside the flows: callers, auth, deadline, stores, language models.",
        _BOXES,
        tuple(sorted(_ARROWS)),
    )
