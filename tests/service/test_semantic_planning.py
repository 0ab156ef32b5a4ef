"""When the semantic planner is asked, and that it never stands in the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from temporal_recall import RecallService
from temporal_recall.adapters.records_file import embedded_sources, read_records
from temporal_recall.demo import DEMO_NOW, records_path
from temporal_recall.schemas.errors import InvalidConfig, SemanticPlannerFailed
from temporal_recall.schemas.evidence import EvidenceRecord
from temporal_recall.schemas.hints import SemanticHints
from temporal_recall.schemas.plan import ContextPlan
from temporal_recall.service.config import RecallConfig, SemanticPlannerConfig, SourceConfig
from temporal_recall.service.semantic_planning import complexity, configured_planner

COMPLEX = "上周答应这周要交的东西"
SIMPLE = "我昨天做了什么"


@dataclass
class FakePlanner:
    """Gives the same hints to every question, or fails; keeps what it was asked."""

    answer: SemanticHints | SemanticPlannerFailed
    asked: list[str] = field(default_factory=list)
    timeouts_s: list[float] = field(default_factory=list)

    def hints(self, query_text: str, *, timeout_s: float) -> SemanticHints:
        self.asked.append(query_text)
        self.timeouts_s.append(timeout_s)
        if isinstance(self.answer, SemanticPlannerFailed):
            raise self.answer
        return self.answer


@pytest.fixture(scope="module")
def plain() -> Iterator[RecallService]:
    with RecallService.demo() as service:
        yield service


def _service(planner: FakePlanner) -> RecallService:
    rows = [row for row in read_records(records_path(), "demo-user") if isinstance(row, EvidenceRecord)]
    adapters = embedded_sources(rows)
    config = RecallConfig(sources=tuple(SourceConfig(name=name) for name in adapters))
    return RecallService(config, adapters, semantic_planner=planner)


class TestComplexity:
    @pytest.mark.parametrize(
        ("question", "reason"),
        [
            (COMPLEX, "several_times"),
            ("答应客户的事还有哪些没做", "unfinished_promise"),
            ("这个月的开销和当初定的预算差多少", "time_and_decision"),
            ("上周日历上的会我跟你聊过哪些", "across_sources"),
            (SIMPLE, None),
            ("明天有什么安排", None),
            ("昨天有什么重要的事", None),
            ("我们上次定的方案是什么", None),
            ("明天天气怎么样", None),
        ],
    )
    def test_names_what_makes_a_question_complex(self, plain: RecallService, question: str, reason: str | None) -> None:
        assert complexity(plain.plan(question, now=DEMO_NOW)) == reason


class TestAsking:
    def test_a_complex_question_takes_the_hints(self) -> None:
        planner = FakePlanner(SemanticHints(topics=("合同",)))
        with _service(planner) as service:
            plan = service.plan(COMPLEX, now=DEMO_NOW)
        assert "合同" in plan.topics
        assert planner.asked == [COMPLEX]

    def test_a_simple_question_is_not_passed_on(self) -> None:
        planner = FakePlanner(SemanticHints(topics=("合同",)))
        with _service(planner) as service:
            service.plan(SIMPLE, now=DEMO_NOW)
        assert planner.asked == []

    def test_a_failure_leaves_the_plan_of_the_rules_and_stands_in_the_trace(self, plain: RecallService) -> None:
        with _service(FakePlanner(SemanticPlannerFailed("silence_timeout"))) as service:
            plan = service.plan(COMPLEX, now=DEMO_NOW)
            trace = service.recall(COMPLEX, now=DEMO_NOW, user_id="demo-user", trace=True).trace
        assert plan == plain.plan(COMPLEX, now=DEMO_NOW)
        assert trace is not None
        assert trace.rules["semantic"] == ("several_times", "silence_timeout")

    def test_the_planner_gets_a_second_and_a_half_at_most(self) -> None:
        planner = FakePlanner(SemanticHints())
        with _service(planner) as service:
            service.recall(COMPLEX, now=DEMO_NOW, user_id="demo-user")
        assert 0 < planner.timeouts_s[0] <= 1.5

    def test_hints_cannot_touch_time_or_take_a_source_away(self, plain: RecallService) -> None:
        hints = SemanticHints(sources={"chat": 0.0, "unknown_source": 1.0}, targets={"mention": 0.0})
        with _service(FakePlanner(hints)) as service:
            plan = service.plan(COMPLEX, now=DEMO_NOW)
        by_rules: ContextPlan = plain.plan(COMPLEX, now=DEMO_NOW)
        assert plan.time == by_rules.time
        assert plan.sources == by_rules.sources


class TestConfiguration:
    def test_there_is_no_semantic_planner_by_default(self) -> None:
        assert RecallConfig(sources=(SourceConfig(name="chat"),)).semantic_planner is None
        assert configured_planner(None) is None

    def test_the_key_comes_from_the_environment(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("MY_PLANNER_KEY", "not ascii: 键")
        config = SemanticPlannerConfig(base_url="http://localhost:1/v1", model="m", api_key_env="MY_PLANNER_KEY")
        with pytest.raises(InvalidConfig, match="api_key"):
            configured_planner(config)

    def test_an_address_that_is_none_is_refused(self) -> None:
        with pytest.raises(InvalidConfig, match="base_url"):
            configured_planner(SemanticPlannerConfig(base_url="nowhere", model="m"))
