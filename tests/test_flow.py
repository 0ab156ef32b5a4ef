"""The whole recall flow: RFC section 14, one answer for a question and its plan, nodes that change nothing, threads."""

from __future__ import annotations

import copy
import io
import tokenize
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hamilton.lifecycle import NodeExecutionHook
from listed_sources import ListedSource, record

from temporal_recall import RecallService
from temporal_recall.demo import DEMO_NOW, DEMO_TIME_ZONE, DEMO_USER_ID
from temporal_recall.schemas.bundle import RecallBundle
from temporal_recall.schemas.columns import Columns
from temporal_recall.schemas.frames import SourceEvidence
from temporal_recall.service.catalog import CATALOG, RECALL
from temporal_recall.service.driver import build_driver

NOW = datetime.fromisoformat("2026-09-03T22:00:00+08:00")
QUESTIONS = (
    "我昨天有什么重要的事？",
    "我昨天做了什么",
    "我今天有什么安排",
    "我上周说过要做什么",
    "这周五之前要交什么",
    "我上周定了哪些事",
    "还有哪些没做完",
    "帮我写一首诗",
)


@pytest.fixture(scope="module")
def demo() -> Iterator[RecallService]:
    with RecallService.demo() as service:
        yield service


def asked(service: RecallService, question: Any) -> RecallBundle:
    bundle = service.recall(question, user_id=DEMO_USER_ID, now=DEMO_NOW, explain=True)
    return bundle.model_copy(update={"stats": bundle.stats.model_copy(update={"elapsed_ms": None})})


class TestAcceptance:
    """RFC section 14."""

    def test_an_open_question_gives_both_groups_and_not_nothing(self, demo: RecallService) -> None:
        bundle = asked(demo, "我昨天有什么重要的事？")
        assert [g.label for g in bundle.groups] == ["occurred_in_range", "mentioned_or_planned"]
        assert bundle.groups[0].items
        assert all(g.items for g in bundle.groups)

    def test_a_question_for_typed_words_finds_them_in_meinput(self) -> None:
        sources = [
            ListedSource("meinput", record("meinput", 1, "MeInput 验证上屏", "2026-09-02T14:30:00+08:00")),
            ListedSource("chat", record("chat", 2, "晚上吃火锅吗", "2026-09-02T15:00:00+08:00")),
        ]
        with RecallService.over({s.source: s for s in sources}) as service:
            bundle = service.recall("我这周输入过什么关于 MeInput 的？", user_id="u1", now=NOW)
        assert max(bundle.plan.sources, key=bundle.plan.sources.__getitem__) == "meinput"
        assert bundle.items[0].source_ref == "meinput:message:1"

    def test_one_event_told_in_two_sources_is_one_item(self) -> None:
        sources = [
            ListedSource("meinput", record("meinput", 1, "明天下午三点和张总签合同", "2026-09-03T09:00:00+08:00")),
            ListedSource(
                "chat", record("chat", 2, "记一下明天下午三点跟张总签合同", "2026-09-03T09:05:00+08:00", role="user")
            ),
        ]
        with RecallService.over({s.source: s for s in sources}) as service:
            bundle = service.recall("我明天有什么安排", user_id="u1", now=NOW)
        assert len(bundle.items) == 1
        assert set(bundle.items[0].merged_from) == {"meinput:message:1", "chat:message:2"}

    @pytest.mark.parametrize(
        ("question", "is_found"),
        [
            pytest.param("我昨天说过要做什么", True, id="it was said yesterday"),
            pytest.param("我昨天做了什么", False, id="it did not happen yesterday"),
            pytest.param("我后天有什么安排", True, id="it is planned for the day after tomorrow"),
            pytest.param("我明天有什么安排", False, id="it is not planned for tomorrow"),
        ],
    )
    def test_event_time_and_observed_time_are_told_apart(self, question: str, is_found: bool) -> None:
        said = record("chat", 1, "周六上午十点去医院体检", "2026-09-02T20:00:00+08:00", role="user")
        with RecallService.over({"chat": ListedSource("chat", said)}) as service:
            bundle = service.recall(question, user_id="u1", now=NOW)
        assert bool(bundle.items) is is_found

    def test_no_source_is_read_where_no_recall_is_needed(self) -> None:
        source = ListedSource("chat", record("chat", 1, "昨天写了一首诗", "2026-09-03T20:00:00+08:00"))
        with RecallService.over({"chat": source}) as service:
            bundle = service.recall("帮我写一首关于秋天的诗", user_id="u1", now=NOW)
        assert (bundle.items, bundle.stats.skipped, source.search_count) == ((), True, 0)


class TestOneAnswer:
    @pytest.mark.parametrize("question", QUESTIONS)
    def test_a_question_and_its_plan_give_the_same_bundle(self, demo: RecallService, question: str) -> None:
        plan = demo.plan(question, now=DEMO_NOW)
        expected = asked(demo, question)
        assert expected.plan == plan
        assert asked(demo, plan) == expected
        assert asked(demo, plan.model_dump(mode="json")) == expected

    @pytest.mark.parametrize("question", QUESTIONS)
    def test_the_same_question_gives_the_same_bytes(self, demo: RecallService, question: str) -> None:
        assert asked(demo, question).model_dump_json() == asked(demo, question).model_dump_json()

    def test_sixteen_threads_get_what_one_gets(self, demo: RecallService) -> None:
        expected = {question: asked(demo, question) for question in QUESTIONS}
        with ThreadPoolExecutor(16) as threads:
            answers = list(threads.map(lambda q: (q, asked(demo, q)), (QUESTIONS * 32)[:32]))
        assert all(answer == expected[question] for question, answer in answers)

    def test_records_of_the_future_do_not_exist(self) -> None:
        later = record("chat", 1, "刚签完合同", "2026-09-03T22:00:01+08:00")
        with RecallService.over({"chat": ListedSource("chat", later)}) as service:
            assert service.recall("我今天做了什么", user_id="u1", now=NOW).stats.raw_count == 0


class _Unchanged(NodeExecutionHook):
    """Compares the inputs of every node before and after it runs."""

    def __init__(self) -> None:
        self.checked: set[str] = set()
        self._before: dict[str, dict[str, Any]] = {}

    def run_before_node_execution(self, *, node_name: str, node_kwargs: dict[str, Any], **_: Any) -> None:
        self._before[node_name] = copy.deepcopy(_comparable(node_kwargs))

    def run_after_node_execution(self, *, node_name: str, node_kwargs: dict[str, Any], **_: Any) -> None:
        for name, before in self._before[node_name].items():
            assert _same(before, node_kwargs[name]), f"{node_name} changed its input {name}"
        self.checked.add(node_name)


def _comparable(kwargs: dict[str, Any]) -> dict[str, Any]:
    kinds = pd.DataFrame | pd.Series | Columns | dict | list | tuple
    return {name: value for name, value in kwargs.items() if isinstance(value, kinds)}


def _same(before: Any, after: Any) -> bool:
    if isinstance(before, pd.DataFrame | pd.Series):
        return before.equals(after)
    if isinstance(before, Columns):
        return before.names == after.names and all(_same(before[name], after[name]) for name in before.names)
    if isinstance(before, pa.Array):
        return bool(before.equals(after))
    if isinstance(before, SourceEvidence):
        return before.frame.equals(after.frame) and before.outcome == after.outcome
    if isinstance(before, list | tuple):
        return len(before) == len(after) and all(map(_same, before, after))
    if isinstance(before, np.ndarray):
        return before.dtype == after.dtype and before.tobytes() == after.tobytes()
    if isinstance(before, pd.Categorical):
        return before.equals(after)
    return bool(before == after)


class TestNodes:
    @pytest.mark.parametrize("question", QUESTIONS)
    def test_no_node_changes_its_inputs(self, demo: RecallService, question: str) -> None:
        hook = _Unchanged()
        names = tuple(s.name for s in demo.config.sources)
        driver = build_driver(RECALL, adapters=(hook,), enabled_sources=names)
        inputs = demo.flow_inputs(question, user_id=DEMO_USER_ID, now=DEMO_NOW, time_zone=DEMO_TIME_ZONE)
        driver.execute(list(RECALL.outputs), inputs=inputs)
        assert {"timeline", "deduplicated_columns", "ranked_columns", "recall_bundle"} <= hook.checked

    @pytest.mark.parametrize("flow", CATALOG, ids=lambda flow: flow.name)
    def test_every_flow_of_the_catalog_builds(self, flow: Any) -> None:
        driver = build_driver(flow)
        nodes = {v.name for v in driver.list_available_variables()}
        assert set(flow.outputs) <= nodes

    def test_every_node_says_what_it_is(self) -> None:
        for flow in CATALOG:
            for variable in build_driver(flow).list_available_variables():
                is_own = not variable.is_external_input and "." not in variable.name  # with a dot: an inner flow
                assert not is_own or variable.documentation, f"{flow.name}: {variable.name}"


def test_nothing_is_named_an_intent() -> None:
    """RFC section 13: the planner decides which context is needed, not which intent a sentence has."""
    for path in _own_sources():
        for token in tokenize.tokenize(io.BytesIO(path.read_bytes()).readline):
            assert token.type != tokenize.NAME or "intent" not in token.string.lower(), f"{path.name}:{token.start[0]}"


def _own_sources() -> Iterator[Path]:
    for name in ("schemas", "adapters", "dataflows", "service"):
        package = __import__(f"temporal_recall.{name}", fromlist=["_"])
        yield from Path(package.__path__[0]).rglob("*.py")
