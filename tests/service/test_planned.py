"""The planned order gives what Hamilton's own executor gives, whatever is asked for and overridden."""

from __future__ import annotations

import sys
import threading
import types
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from hamilton import driver
from hypothesis import given, settings
from hypothesis import strategies as st

from temporal_recall.schemas.errors import RecallCancelled
from temporal_recall.schemas.evidence import RequestLimits, SourceOutcome
from temporal_recall.schemas.frames import WHOLE_TIMELINE
from temporal_recall.schemas.timeline_index import IndexReading
from temporal_recall.service.catalog import RECALL, Flow
from temporal_recall.service.driver import build_driver
from temporal_recall.service.planned import PlannedExecutor
from temporal_recall.service.turns import AT_ONCE


def base(number: int) -> int:
    """The number."""
    return number


def doubled(base: int) -> int:
    """Twice the base."""
    return base * 2


def shifted(doubled: int, base: int, offset: int = 5) -> int:
    """The double, moved by an offset that need not be given."""
    return doubled + base + offset


def told(shifted: int, doubled: int) -> str:
    """Both in words."""
    return f"{shifted} {doubled}"


NODES = (base, doubled, shifted, told)
NAMES = [node.__name__ for node in NODES]


@pytest.fixture(scope="module")
def flow() -> Flow:
    module = types.ModuleType("planned_flow")
    for node in NODES:
        copy = types.FunctionType(node.__code__, node.__globals__, node.__name__, node.__defaults__)
        copy.__annotations__, copy.__doc__, copy.__module__ = node.__annotations__, node.__doc__, module.__name__
        setattr(module, node.__name__, copy)
    sys.modules[module.__name__] = module
    return Flow("planned", "", (module,), ("told",))


@pytest.fixture(scope="module")
def planned(flow: Flow) -> driver.Driver:
    """One driver for all requests, as in a service: it remembers the kinds that it has seen."""
    return build_driver(flow)


@settings(max_examples=100, deadline=None)
@given(
    outputs=st.lists(st.sampled_from([*NAMES, "number"]), min_size=1, unique=True),
    overridden=st.dictionaries(st.sampled_from(NAMES[:3]), st.integers(0, 9)),
    offset=st.none() | st.integers(0, 9),
)
def test_it_gives_what_the_default_executor_gives(
    flow: Flow, planned: driver.Driver, outputs: list[str], overridden: dict[str, int], offset: int | None
) -> None:
    inputs: dict[str, Any] = {"number": 3} | ({} if offset is None else {"offset": offset})
    stock = driver.Builder().with_modules(*flow.modules).build()
    assert isinstance(planned.graph_executor, PlannedExecutor)
    due = stock.execute(outputs, inputs=inputs, overrides=overridden)
    for _ in range(2):
        assert planned.execute(outputs, inputs=inputs, overrides=overridden) == due


@pytest.mark.parametrize("earlier_count", [0, 1])
@pytest.mark.parametrize(
    ("asked", "missed"),
    [
        ({"final_vars": ["told"], "inputs": {}}, "number"),
        ({"final_vars": ["told"], "inputs": {"number": "3"}}, "number"),
        ({"final_vars": ["told"], "inputs": {"number": 3, "offset": "5"}}, "offset"),
        ({"final_vars": ["unheard"], "inputs": {"number": 3}}, "unheard"),
    ],
)
def test_what_is_absent_or_not_of_its_type_is_named(
    flow: Flow, asked: dict[str, Any], missed: str, earlier_count: int
) -> None:
    """Also after a request that asked for the same and brought the same by name."""
    made = build_driver(flow)
    for _ in range(earlier_count):
        for brought in ({"number": 3}, {"number": 3, "offset": 5}):
            made.execute(["told"], inputs=brought)
    with pytest.raises(ValueError, match=missed):
        made.execute(**asked)


def test_a_frame_in_the_place_of_columns_is_refused_by_name() -> None:
    frame = WHOLE_TIMELINE.empty()
    with pytest.raises(ValueError, match="timeline_columns is a DataFrame; allowed: Columns"):
        build_driver(RECALL).execute(["row_facts"], inputs={}, overrides={"timeline_columns": frame})
    with pytest.raises(TypeError, match="rows are a DataFrame; allowed: Columns"):
        IndexReading(frame, SourceOutcome("index", 0))  # type: ignore[arg-type]


def test_a_node_may_be_asked_for_by_its_function(flow: Flow) -> None:
    made, (module,) = build_driver(flow), flow.modules
    assert made.execute([module.doubled], inputs={"number": 3}) == {"doubled": 6}


def test_a_value_that_nobody_reads_any_more_is_forgotten(flow: Flow) -> None:
    seen: list[dict[str, Any]] = []

    class Watched(PlannedExecutor):
        def _run(self, steps: Any, values: dict[str, Any], limits: Any) -> None:
            super()._run(steps, values, limits)
            seen.append(values)

    made = build_driver(flow)
    made.graph_executor = Watched()
    made.execute(["told"], inputs={"number": 3})
    assert set(seen[-1]) == {"told"}


def test_nothing_is_computed_for_a_caller_who_left(flow: Flow) -> None:
    """The first node runs and the caller leaves while it does; the second one is never called."""
    limits = RequestLimits()

    class Leaving(int):
        def __mul__(self, factor: int) -> int:
            raise AssertionError("computed for nobody")

    class Watched(PlannedExecutor):
        def _run(self, steps: Any, values: dict[str, Any], limits: Any) -> None:
            def leave(**read: Any) -> Any:
                limits.cancel_token.cancel()
                return steps[0].call(**read)

            super()._run((replace(steps[0], call=leave), *steps[1:]) if steps else steps, values, limits)

    made = build_driver(flow)
    made.graph_executor = Watched()
    with pytest.raises(RecallCancelled):
        made.execute(["told"], inputs={"number": Leaving(3), "request_limits": limits})


def test_no_more_requests_compute_at_once_than_the_interpreter_can_serve(flow: Flow) -> None:
    begun, goes_on = threading.Semaphore(0), threading.Event()

    class Slow(int):
        def __mul__(self, factor: int) -> int:
            begun.release()
            goes_on.wait(20)
            return int(self) * factor

    made = build_driver(flow, adapters=())
    with ThreadPoolExecutor(8) as callers:
        asked = [callers.submit(made.execute, ["doubled"], overrides={"base": Slow(3)}, inputs={}) for _ in range(8)]
        at_once = sum(begun.acquire(timeout=5) for _ in range(AT_ONCE))
        is_one_more = begun.acquire(timeout=0.1)
        goes_on.set()
    assert (at_once, is_one_more) == (AT_ONCE, False)
    assert [answer.result() for answer in asked] == [{"doubled": 6}] * 8
