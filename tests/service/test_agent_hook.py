"""The agent hook: recall only where the plan requires it, and adapters for OpenAI-style conversations."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from temporal_recall import RecallService
from temporal_recall.demo import DEMO_NOW, DEMO_USER_ID
from temporal_recall.schemas.plan import ContextNeeds, ContextPlan
from temporal_recall.service.agent_hook import RECALL_TOOL, recall_context, tool_answer, with_recall

QUESTION = "我昨天有什么重要的事？"
MEMORY_QUESTION = "我们上次定的方案是什么"
EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "agent_hook.py"

asked = partial(recall_context, user_id=DEMO_USER_ID, now=DEMO_NOW)


@pytest.fixture(scope="module")
def demo() -> Iterator[RecallService]:
    with RecallService.demo() as service:
        yield service


class TestRecallContext:
    def test_a_question_of_ones_own_past_is_recalled(self, demo: RecallService) -> None:
        context = asked(demo, QUESTION)
        assert context is not None
        assert context.bundle.items
        assert context.bundle.items[0].source_ref in context.prompt

    @pytest.mark.parametrize("question", ["明天天气怎么样", "帮我写一首诗", "早上好", MEMORY_QUESTION])
    def test_what_requires_no_recall_gives_nothing(self, demo: RecallService, question: str) -> None:
        assert asked(demo, question) is None

    def test_optional_recall_only_when_asked(self, demo: RecallService) -> None:
        assert asked(demo, MEMORY_QUESTION, include_optional=True) is not None

    def test_chat_stays_without_recall_even_when_optional_is_wanted(self, demo: RecallService) -> None:
        assert asked(demo, "早上好", include_optional=True) is None

    def test_a_question_and_its_plan_give_the_same_block(self, demo: RecallService) -> None:
        plan = demo.plan(QUESTION, now=DEMO_NOW)
        by_question, by_plan = asked(demo, QUESTION), asked(demo, plan.model_dump(mode="json"))
        assert by_question is not None
        assert by_plan is not None
        assert by_question.block == by_plan.block

    def test_a_plan_that_says_skip_gives_nothing(self, demo: RecallService) -> None:
        assert asked(demo, ContextPlan(context_needs=ContextNeeds(temporal_recall="SKIP"))) is None

    def test_another_user_gets_nothing_of_this_one(self, demo: RecallService) -> None:
        context = asked(demo, QUESTION, user_id="someone-else")
        assert context is not None
        assert not context.bundle.items
        assert "No record was found" in context.prompt


class TestMessages:
    def test_the_block_stands_before_the_last_message(self, demo: RecallService) -> None:
        context = asked(demo, QUESTION)
        messages = [{"role": "system", "content": "be kind"}, {"role": "user", "content": QUESTION}]
        assert context is not None
        assert with_recall(messages, context) == [
            messages[0],
            {"role": "system", "content": context.prompt},
            messages[1],
        ]
        assert len(messages) == 2

    def test_without_a_context_the_conversation_stays_as_it_is(self) -> None:
        messages = [{"role": "user", "content": "早上好"}]
        assert with_recall(messages, None) == messages


def _call(arguments: str, name: str = RECALL_TOOL["function"]["name"]) -> dict[str, Any]:
    return {"id": "call-7", "type": "function", "function": {"name": name, "arguments": arguments}}


class TestTool:
    answered = staticmethod(partial(tool_answer, user_id=DEMO_USER_ID, now=DEMO_NOW))

    def test_a_call_is_answered_with_the_block(self, demo: RecallService) -> None:
        message = self.answered(demo, _call(json.dumps({"query": QUESTION})))
        context = asked(demo, QUESTION)
        assert context is not None
        assert message == {"role": "tool", "tool_call_id": "call-7", "content": context.prompt}

    def test_a_call_for_something_else_is_told_so(self, demo: RecallService) -> None:
        assert "needs no recall" in self.answered(demo, _call('{"query": "明天天气怎么样"}'))["content"]

    @pytest.mark.parametrize(
        "call",
        [
            _call("not json"),
            _call("{}"),
            _call("[]"),
            _call('{"query": 3}'),
            _call('{"query": "  "}'),
            _call('{"query": "x"}', name="other_tool"),
            _call("[" * 100_000),
            {"id": "call-7", "function": "recall_timeline"},
            {"id": "call-7", "function": ["recall_timeline"]},
            {},
        ],
        ids=lambda call: str(call)[:60],
    )
    def test_a_call_that_cannot_be_served_is_answered_with_a_code(self, demo: RecallService, call: Any) -> None:
        assert json.loads(self.answered(demo, call)["content"]) == {"error": "invalid_request"}

    def test_the_schema_names_what_a_call_must_hold(self) -> None:
        parameters = RECALL_TOOL["function"]["parameters"]
        assert parameters["required"] == list(parameters["properties"]) == ["query"]


def test_the_example_runs_against_its_stand_in_model() -> None:
    run = subprocess.run([sys.executable, str(EXAMPLE)], capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr
    assert "items of evidence" in run.stdout
    assert "I need no records for that." in run.stdout
