"""The Context Planner as a whole: labelled questions, floors on the shared cases, and laws of every plan."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hamilton import driver
from hypothesis import given, settings
from hypothesis import strategies as st
from utterances import NOW, ZONE, Span, Utterance, utterances

from temporal_recall.dataflows import planning, query_time
from temporal_recall.dataflows.language.planner_mode import MODE_RULES, TENSE_RULES
from temporal_recall.dataflows.language.planner_need import NEED_RULES
from temporal_recall.dataflows.language.planner_traps import TRAPS
from temporal_recall.schemas.hints import SemanticHints
from temporal_recall.schemas.plan import ContextPlan, Filters, Range
from temporal_recall.schemas.settings import SourceSetting, SourceSettings
from temporal_recall.schemas.user import UserSnapshot

SOURCES = ("meinput", "chat", "calendar", "memory_v2")
KIND_BY_QUERY_TYPE = {"personal_temporal_recall": "recall", "memory": "memory", "mixed": "mixed", "chat": "chat"}
LABELLED = utterances()
TIMED = [u for u in LABELLED if set(u.kinds) & {"recall", "mixed"}]

_DRIVER = driver.Builder().with_modules(query_time, planning).build()


def _executed(question: str, outputs: list[str], **more: Any) -> dict[str, Any]:
    inputs: dict[str, Any] = {
        "query_text": question,
        "now": NOW,
        "time_zone": "Asia/Shanghai",
        "source_settings": SourceSettings(sources=tuple(SourceSetting(name=name) for name in SOURCES)),
        "user_snapshot": None,
        "semantic_hints": None,
    }
    return _DRIVER.execute(outputs, inputs=inputs | more)


def _plan(question: str, **more: Any) -> ContextPlan:
    plan: ContextPlan = _executed(question, ["context_plan"], **more)["context_plan"]
    return plan


def _span(found: Range | None) -> Span | None:
    return None if found is None else (found.start, found.end)


def _is_recalled(plan: ContextPlan) -> bool:
    return plan.context_needs.temporal_recall == "REQUIRED"


@pytest.mark.parametrize("utterance", LABELLED, ids=[u.text for u in LABELLED])
def test_a_question_asks_for_the_context_that_it_needs(utterance: Utterance) -> None:
    assert KIND_BY_QUERY_TYPE[_plan(utterance.text).query_type] in utterance.kinds


@pytest.mark.parametrize("utterance", TIMED, ids=[u.text for u in TIMED])
def test_a_question_about_a_time_is_read_right(utterance: Utterance) -> None:
    plan = _plan(utterance.text)
    if not _is_recalled(plan):
        pytest.skip("fair readers differ on whether this recalls")
    if utterance.modes:
        assert plan.temporal_mode in utterance.modes
    if utterance.mention:
        assert _span(plan.time.mention_range) in utterance.mention
    if utterance.event:
        assert _span(plan.time.event_range) in utterance.event
    assert (plan.filters.importance_min is not None) == ("important" in utterance.marks)
    assert plan.filters.status == next((m for m in ("unresolved", "cancelled") if m in utterance.marks), None)
    assert set(utterance.people) <= set(plan.people)


@pytest.mark.parametrize("utterance", [u for u in TIMED if u.topic], ids=lambda u: u.text)
def test_a_question_names_its_subject(utterance: Utterance) -> None:
    assert utterance.topic in _plan(utterance.text).topics


@pytest.mark.parametrize("utterance", [u for u in TIMED if u.top_source], ids=lambda u: u.text)
def test_a_strong_word_weighs_its_source_above_all_others(utterance: Utterance) -> None:
    assert next(iter(_plan(utterance.text).sources)) == utterance.top_source


@pytest.mark.parametrize("utterance", [u for u in TIMED if u.marks & {"summary", "day"}], ids=lambda u: u.text)
def test_a_question_shapes_its_answer(utterance: Utterance) -> None:
    plan = _plan(utterance.text)
    assert (plan.operation == "retrieve_and_summarize") >= ("summary" in utterance.marks)
    assert (plan.output.group_by == "day") == ("day" in utterance.marks)


@pytest.fixture(scope="module")
def traces() -> list[Mapping[str, Sequence[str]]]:
    """The rules that fired, by slot, a question each."""
    return [_executed(u.text, ["plan_trace"])["plan_trace"] for u in LABELLED]


class TestCorpus:
    def test_a_third_of_the_questions_need_no_recall(self) -> None:
        assert len(LABELLED) >= 250
        assert sum(u.kinds == ("chat",) for u in LABELLED) >= len(LABELLED) / 3

    def test_no_question_stands_twice(self) -> None:
        texts = [u.text for u in LABELLED]
        assert len(set(texts)) == len(texts)

    def test_no_question_is_one_of_the_shared_cases(self, shared: Path) -> None:
        assert not {case["query"] for case in _cases(shared)} & {u.text for u in LABELLED}

    @pytest.mark.parametrize(
        ("slot", "names"),
        [
            ("need", [rule.name for rule in NEED_RULES] + [trap.family.name for trap in TRAPS]),
            ("mode", [rule.name for rule in MODE_RULES]),
            ("tense", [rule.name for rule in TENSE_RULES]),
        ],
    )
    def test_every_rule_is_hit_by_some_question(
        self, slot: str, names: list[str], traces: list[Mapping[str, Sequence[str]]]
    ) -> None:
        fired = {name for trace in traces for name in trace[slot]}
        assert set(names) - fired == set()


@pytest.fixture(scope="module")
def figures(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    cases = shared / "cases" / "planner"
    answers = tmp_path_factory.mktemp("planner") / "answers.jsonl"
    with answers.open("w", encoding="utf-8") as file:
        for case in _cases(shared):
            now = datetime.fromisoformat(case["now"])
            zone = "Asia/Shanghai" if now.utcoffset() == timedelta(hours=8) else now.isoformat()[-6:]
            plan = _plan(case["query"], now=now, time_zone=zone).model_dump(mode="json")
            file.write(json.dumps({"id": case["id"], "plan": plan}) + "\n")
    figures, _ = _scorer(shared)(cases, answers)
    return figures


class TestSharedCases:
    """Floors on the labelled cases beside the checkout, by the scorer that is kept there."""

    @pytest.mark.parametrize(
        ("slot", "floor"),
        [
            ("trigger", 0.98),
            ("no_false_trigger", 0.98),
            ("context_needs", 0.95),
            ("temporal_mode", 0.94),
            ("mention_range", 0.95),
            ("event_range", 0.95),
            ("top_sources", 0.90),
            ("importance", 1.0),
            ("status", 1.0),
        ],
    )
    def test_reaches_its_floor(self, figures: dict[str, float], slot: str, floor: float) -> None:
        assert figures[slot] >= floor


def _cases(shared: Path) -> list[dict[str, Any]]:
    lines = (shared / "cases" / "planner" / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _scorer(shared: Path) -> Callable[[Path, Path], tuple[dict[str, float], Iterator[str]]]:
    spec = importlib.util.spec_from_file_location("shared_score", shared / "tools" / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    score: Callable[[Path, Path], tuple[dict[str, float], Iterator[str]]] = module.score_planner
    return score


WORDS = st.sampled_from(
    [
        *(
            "我",
            "昨天",
            "上周",
            "下周三之前",
            "明天",
            "说过",
            "要",
            "交",
            "什么",
            "重要的",
            "事",
            "没做",
            "「",
            "」",
            "之前",
            "定的",
            "了吗",
            "？",
        ),
        *(
            "what did",
            " i ",
            "say",
            "last week",
            "，",
            "张总",
            "答应",
            "从",
            "到",
            "除了",
            "公元前300年",
            "9999年",
            "00:00",
            "\n",
        ),
    ]
)
QUESTIONS = st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=12).map("".join))
INSTANTS = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(ZONE))


class TestLaws:
    @settings(max_examples=200, deadline=None)
    @given(QUESTIONS, INSTANTS)
    def test_any_text_gives_a_plan_that_survives_json(self, question: str, now: datetime) -> None:
        plan = _plan(question, now=now)
        assert ContextPlan.model_validate_json(plan.model_dump_json()) == plan

    @settings(max_examples=100, deadline=None)
    @given(QUESTIONS, INSTANTS)
    def test_ranges_are_concrete_and_wide_contains_core(self, question: str, now: datetime) -> None:
        time = _plan(question, now=now).time
        for core, wide in ((time.mention_range, time.mention_wide), (time.event_range, time.event_wide)):
            assert (core is None) == (wide is None)
            if core is not None and wide is not None:
                assert wide.start <= core.start < core.end <= wide.end

    @settings(max_examples=100, deadline=None)
    @given(QUESTIONS, INSTANTS)
    def test_every_enabled_source_is_asked_or_none(self, question: str, now: datetime) -> None:
        plan = _plan(question, now=now)
        asked = set(SOURCES) if plan.context_needs.temporal_recall != "SKIP" else set()
        assert set(plan.sources) == {r.source for r in plan.retrievals} == asked

    @settings(max_examples=100, deadline=None)
    @given(QUESTIONS)
    def test_the_question_itself_is_never_all_that_is_searched(self, question: str) -> None:
        assert all(set(r.expanded_queries) - {question.strip()} for r in _plan(question).retrievals)

    @settings(max_examples=50, deadline=None)
    @given(QUESTIONS, INSTANTS)
    def test_the_same_question_gives_the_same_bytes(self, question: str, now: datetime) -> None:
        assert _plan(question, now=now).model_dump_json() == _plan(question, now=now).model_dump_json()

    @pytest.mark.parametrize("utterance", TIMED[::7], ids=lambda u: u.text)
    def test_a_week_later_the_answer_has_moved_a_week(self, utterance: Utterance) -> None:
        here, later = _plan(utterance.text), _plan(utterance.text, now=NOW + timedelta(days=7))
        assert (here.query_type, here.temporal_mode) == (later.query_type, later.temporal_mode)


class TestCrowds:
    """A question may name more than a plan holds."""

    NAMES = "王李张刘陈杨黄赵周吴徐孙马胡朱郭何罗高林郑梁谢唐许冯宋韩邓彭曹曾田萧"

    @pytest.mark.parametrize(
        "question",
        [
            "上周" + "、".join(f"{name}总" for name in NAMES) + "说了什么",
            "我上周说过" + "".join(f"「话题{n}」" for n in range(80)) + "吗",
        ],
    )
    def test_a_plan_takes_what_it_can_hold(self, question: str) -> None:
        snapshot = UserSnapshot(active_projects=tuple(f"话题{n}" for n in range(60)), people=tuple(self.NAMES))
        plan = _plan(question, user_snapshot=snapshot)
        assert _is_recalled(plan)
        assert plan.people or plan.topics


class TestWhoseMatterItIs:
    @pytest.mark.parametrize("name", ["", "墨墨", "阿杰", "陈一诺", "欧阳锋", "林太", "老秦", "孩子他爸"])
    @pytest.mark.parametrize("question", ["这周末几点到", "昨天补得咋样", "明天还过来不", "上周来过没有"])
    def test_no_name_decides_whether_to_recall(self, name: str, question: str) -> None:
        assert _is_recalled(_plan(name + question))

    @pytest.mark.parametrize("public", ["皇马", "股市", "电影院", "俄罗斯", "地铁"])
    def test_a_word_of_the_world_does(self, public: str) -> None:
        assert not _is_recalled(_plan(public + "这周末几点开"))


class TestNoRecall:
    def test_a_plan_always_exists_and_says_skip(self) -> None:
        plan = _plan("早上好")
        assert plan.query_type == "chat"
        assert plan.context_needs.model_dump() == {
            "user_snapshot": "REQUIRED",
            "temporal_recall": "SKIP",
            "memory_retrieval": "SKIP",
        }
        assert plan.time.mention_range is plan.time.event_range is None
        assert plan.temporal_mode == "AMBIGUOUS"
        assert plan.retrievals == ()

    @pytest.mark.parametrize("text", ["", " ", "？", "\ud800", "「」", "a" * 2000])
    def test_what_asks_nothing_needs_nothing(self, text: str) -> None:
        assert _plan(text).query_type == "chat"


class TestRanges:
    @pytest.mark.parametrize(
        ("question", "now", "event"),
        [
            ("这周五之前要交什么", "2026-10-14T10:30", ("2026-10-14T10:30", "2026-10-17T00:00")),
            ("9月15日之前发生了什么", "2026-10-14T10:30", ("2026-08-16T00:00", "2026-09-15T00:00")),
            ("10月20日之后我有什么安排", "2026-10-14T10:30", ("2026-10-21T00:00", "2026-11-20T00:00")),
            ("下午三点我有什么事", "2026-10-14T10:30", ("2026-10-14T15:00", "2026-10-14T15:30")),
        ],
    )
    def test_open_ends_close(self, question: str, now: str, event: tuple[str, str]) -> None:
        plan = _plan(question, now=datetime.fromisoformat(now).replace(tzinfo=ZONE))
        start, end = (datetime.fromisoformat(bound).replace(tzinfo=ZONE) for bound in event)
        assert _span(plan.time.event_range) == (start, end)

    def test_an_open_past_is_searched_much_further_than_it_is_stated(self) -> None:
        time = _plan("9月15日之前发生了什么").time
        assert time.event_wide is not None
        assert time.event_wide.start <= datetime(2025, 9, 16, tzinfo=ZONE)

    def test_today_said_after_midnight_takes_in_the_night_before(self) -> None:
        plan = _plan("今天我都干了什么", now=datetime(2026, 10, 15, 0, 40, tzinfo=ZONE))
        assert _span(plan.time.event_range) == (
            datetime(2026, 10, 14, tzinfo=ZONE),
            datetime(2026, 10, 16, tzinfo=ZONE),
        )

    @pytest.mark.parametrize(
        ("question", "mention", "event"),
        [
            ("上周三我说周末要去哪", 7, 10),
            ("昨天说过今天要干嘛", 13, 14),
        ],
    )
    def test_what_was_told_is_read_from_the_telling(self, question: str, mention: int, event: int) -> None:
        time = _plan(question).time
        assert time.mention_range is not None
        assert time.event_range is not None
        assert (time.mention_range.start.day, time.event_range.start.day) == (mention, event)

    def test_a_deadline_and_the_day_of_the_promise_fill_both_ranges(self) -> None:
        plan = _plan("上周答应这周五之前交的还有哪些没交")
        assert plan.temporal_mode == "DUE_IN"
        assert _span(plan.time.mention_range) == (
            datetime(2026, 10, 5, tzinfo=ZONE),
            datetime(2026, 10, 12, tzinfo=ZONE),
        )
        assert _span(plan.time.event_range) == (NOW, datetime(2026, 10, 17, tzinfo=ZONE))

    def test_a_quoted_time_is_no_time_of_the_question(self) -> None:
        plan = _plan("我什么时候跟你说过「下周去」")
        assert plan.time.mention_range is None
        assert plan.topics == ("下周去",)

    def test_what_is_waved_off_scopes_nothing(self) -> None:
        time = _plan("先别管下周，上周我都做了啥").time
        assert time.event_range is not None
        assert time.event_range.start == datetime(2026, 10, 5, tzinfo=ZONE)

    def test_a_spoken_correction_wins(self) -> None:
        time = _plan("昨天，不对，前天我见了谁").time
        assert time.event_range is not None
        assert time.event_range.start == datetime(2026, 10, 12, tzinfo=ZONE)

    def test_days_are_counted_in_the_zone_of_the_question(self) -> None:
        now = datetime.fromisoformat("2026-10-14T20:00:00+00:00")
        time = _plan("我今天做了什么", now=now, time_zone="America/New_York").time
        assert time.event_range is not None
        assert time.event_range.start == datetime.fromisoformat("2026-10-14T04:00:00+00:00")


class TestSnapshot:
    SNAPSHOT = UserSnapshot(active_projects=("Blue Whale", "报表重构"), people=("欧阳修远",))

    def test_a_project_that_is_named_leads_the_topics(self) -> None:
        assert _plan("上周 blue whale 有什么进展", user_snapshot=self.SNAPSHOT).topics[0] == "Blue Whale"

    def test_a_project_that_is_not_named_stays_out(self) -> None:
        assert "报表重构" not in _plan("上周有什么进展", user_snapshot=self.SNAPSHOT).topics

    def test_a_person_of_the_snapshot_is_known_by_name(self) -> None:
        assert _plan("上周欧阳修远说了什么", user_snapshot=self.SNAPSHOT).people == ("欧阳修远",)


class TestHints:
    QUESTION = "上周答应这周要交的东西"

    def test_hints_add_to_every_slot_that_they_may_touch(self) -> None:
        hints = SemanticHints(
            targets={"event": 0.7},
            sources={"calendar": 0.99},
            expanded_queries=("交付",),
            topics=("合同",),
            people=("老周",),
            filters=Filters(importance_min=0.5),
        )
        plan = _plan(self.QUESTION, semantic_hints=hints)
        assert {t.type: t.weight for t in plan.targets}["event"] == 0.7
        assert next(iter(plan.sources)) == "calendar"
        assert all({"交付", "合同", "老周"} <= set(r.expanded_queries) for r in plan.retrievals)
        assert ("合同" in plan.topics, "老周" in plan.people, plan.filters.importance_min) == (True, True, 0.5)

    def test_hints_touch_no_time_and_take_no_source_or_filter_away(self) -> None:
        plain = _plan("还有哪些没做完")
        hints = SemanticHints(sources=dict.fromkeys(SOURCES, 0.0), filters=Filters(status="completed"))
        assert _plan("还有哪些没做完", semantic_hints=hints) == plain

    def test_hints_turn_no_chat_into_recall(self) -> None:
        assert _plan("早上好", semantic_hints=SemanticHints(topics=("x",))) == _plan("早上好")

    def test_many_hints_still_give_a_valid_plan(self) -> None:
        hints = SemanticHints(
            expanded_queries=tuple(f"q{n}" for n in range(32)), topics=tuple(f"t{n}" for n in range(16))
        )
        plan = _plan(self.QUESTION, semantic_hints=hints)
        assert ContextPlan.model_validate(plan.model_dump()) == plan


class TestTrace:
    def test_names_the_rules_that_fired(self) -> None:
        trace = _executed("昨天我说了什么重要的事", ["plan_trace"])["plan_trace"]
        assert (trace["need"], trace["mode"], trace["scope"]) == (("time_and_person",), ("told",), ("昨天",))
        assert {"say_verb", "important"} <= set(trace["words"])

    def test_names_the_trap(self) -> None:
        assert _executed("明天会下雨吗", ["plan_trace"])["plan_trace"]["need"] == ("trapped", "weather")


class TestReported:
    """Whole kinds of fault that users of comparable software reported, in the planner's own terms."""

    @pytest.mark.parametrize(
        ("question", "month"),
        [("我们六月聊过哪些供应商", 6), ("咱们三月定了什么", 3), ("what did we talk about in May", 5)],
    )
    def test_a_common_word_hides_no_month(self, question: str, month: int) -> None:
        time = _plan(question).time
        assert time.mention_range is not None
        assert time.mention_range.start == datetime(2026, month, 1, tzinfo=ZONE)

    @pytest.mark.parametrize(
        "question", ["8080 端口那个服务后来怎么处理的", "工单 20251 最后怎么解决的", "5G 套餐当初选的哪家"]
    )
    def test_a_bare_number_is_no_time(self, question: str) -> None:
        plan = _plan(question)
        assert (plan.query_type, plan.time.mention_range, plan.time.event_range) == ("memory", None, None)

    @pytest.mark.parametrize(
        ("question", "first"), [("上周末我去了哪", 3), ("这周末我去了哪", 10), ("下周末我去哪", 17)]
    )
    def test_weekends_asked_on_a_sunday(self, question: str, first: int) -> None:
        time = _plan(question, now=datetime(2026, 10, 11, 15, tzinfo=ZONE)).time
        assert time.event_range is not None
        assert time.event_range.start == datetime(2026, 10, first, tzinfo=ZONE)

    @pytest.mark.parametrize(("question", "days"), [("三天前说了什么", 1), ("前三天说了什么", 3)])
    def test_a_day_some_days_ago_is_no_range_of_days(self, question: str, days: int) -> None:
        time = _plan(question).time
        assert time.mention_range is not None
        assert time.mention_range.end - time.mention_range.start == timedelta(days=days)

    @pytest.mark.parametrize("question", ["高明天使轮的事", "我喜欢喝什么茶", "江今天成叫什么"])
    def test_a_name_or_a_taste_holds_no_time(self, question: str) -> None:
        time = _plan(question).time
        assert time.mention_range is time.event_range is None

    @pytest.mark.parametrize("question", ["今晚那几件事先后顺序是怎样的", "昨天的事按什么顺序发生的"])
    def test_the_order_of_a_set_is_no_subject_of_its_own(self, question: str) -> None:
        plan = _plan(question, now=datetime(2026, 10, 14, 23, 30, tzinfo=ZONE))
        assert plan.topics == ()
        assert plan.output.timeline

    def test_lately_is_reckoned_from_the_instant_of_the_question(self) -> None:
        now = datetime(2025, 1, 15, 12, tzinfo=ZONE)
        time = _plan("最近做了什么", now=now).time
        assert time.event_range is not None
        assert time.event_range.start > datetime(2024, 12, 25, tzinfo=ZONE)
        assert time.event_range.end == now
