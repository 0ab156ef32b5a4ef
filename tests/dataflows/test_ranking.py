"""What comes first: each factor by hand, what a question rules out, and the laws that scores keep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hamilton import driver
from hypothesis import given, settings
from hypothesis import strategies as st
from made_timelines import SOURCES, ZONE, at, made_timeline, row
from numpy.typing import NDArray

from temporal_recall.dataflows import dedupe, ranking
from temporal_recall.schemas.frames import RANKED_TIMELINE, TIMELINE
from temporal_recall.schemas.plan import ContextPlan, Filters, Output, PlanTime, Range, SearchRanges, Target
from temporal_recall.schemas.settings import DedupeSettings, RankingWeights
from temporal_recall.schemas.user import UserSnapshot
from temporal_recall.service.driver import InputTypes

DRIVER = driver.Builder().with_modules(dedupe, ranking).with_adapters(InputTypes()).build()
DAY = Range(start=at("09-10 00:00"), end=at("09-11 00:00"))
WIDE = Range(start=at("09-09 00:00"), end=at("09-12 00:00"))
NOW = at("09-12 09:00")
PLAIN = RankingWeights()
FACTORS = ("source_quality", "temporal_match", "semantic_match", "importance_match", "confidence_match")


def plan(mode: str = "OCCURRED_IN", **fields: Any) -> ContextPlan:
    return ContextPlan(temporal_mode=mode, time=PlanTime(event_range=DAY, event_wide=WIDE), time_zone=ZONE, **fields)


def ranges(mode: str = "OCCURRED_IN", **fields: Any) -> SearchRanges:
    is_told = mode in ("MENTIONED_IN", "CREATED_IN")
    spans = {"mention_core": DAY, "mention_wide": WIDE} if is_told or mode == "AMBIGUOUS" else {}
    spans |= {} if is_told else {"event_core": DAY, "event_wide": WIDE}
    return SearchRanges(axis="observed" if is_told else "event", **(spans | fields))


def ranked(*rows: dict[str, Any], asked: ContextPlan | None = None, **inputs: Any) -> pd.DataFrame:
    asked = asked or plan()
    timeline = made_timeline(*rows) if rows else TIMELINE.empty()
    values = {
        "timeline": timeline,
        "dedupe_settings": DedupeSettings(),
        "source_settings": SOURCES,
        "context_plan": asked,
        "search_ranges": ranges(asked.temporal_mode),
        "now": NOW,
        "ranking_weights": PLAIN,
        "user_snapshot": None,
    }
    return DRIVER.execute(["ranked_timeline"], inputs=values | inputs)["ranked_timeline"]


class Meanings:
    """An encoder that knows what a few texts mean."""

    def __init__(self, vector_by_text: dict[str, tuple[float, float]]) -> None:
        self.vector_by_text = vector_by_text
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        return np.array([self.vector_by_text[text] for text in texts], dtype=np.float32)


def refs(frame: pd.DataFrame) -> list[str]:
    return [ref.rsplit(":", 1)[-1] for ref in frame["source_ref"]]


class TestTemporalMatch:
    @pytest.mark.parametrize(
        ("when", "match"),
        [
            ("09-10 00:00", 1.0),
            ("09-10 23:59", 1.0),
            ("09-09 20:00", PLAIN.wide_match),
            ("09-11 00:00", PLAIN.wide_match),
        ],
    )
    def test_a_known_time_counts_by_the_range_it_lies_in(self, when: str, match: float) -> None:
        assert ranked(row("a", "跑步", when, when, status="completed"))["temporal_match"].tolist() == [match]

    @pytest.mark.parametrize("when", ["09-08 23:59", "09-12 00:00"])
    def test_a_known_time_outside_is_no_answer(self, when: str) -> None:
        assert ranked(row("a", "跑步", when, when, status="completed")).empty

    def test_what_spans_more_days_than_asked_counts_less(self) -> None:
        long = row("a", "出差", "09-01 10:00", "09-07 00:00", until="09-20 00:00", granularity="range")
        assert ranked(long, asked=plan("PLANNED_IN"))["temporal_match"].tolist() == [PLAIN.span_match]

    def test_without_a_time_the_telling_stands_in_and_fades_over_the_days_after(self) -> None:
        told = [row(f"d{day}", "跑了步", f"09-{day} 00:00", type="todo", status="completed") for day in (10, 12, 16)]
        late = ranked(*told, now=at("09-20 00:00")).set_index("source_ref")["temporal_match"]
        assert late["meinput:made:d10"] == pytest.approx(PLAIN.undated_match)
        assert late["meinput:made:d16"] == pytest.approx(
            PLAIN.undated_match * 0.5 ** (4 / PLAIN.undated_half_life_days)
        )

    @pytest.mark.parametrize("mode", ["MENTIONED_IN", "CREATED_IN"])
    def test_questions_of_telling_judge_the_time_of_telling_alone(self, mode: str) -> None:
        told = row("told", "下个月搬家", "09-10 12:00", "10-20 10:00")
        happens = row("happens", "搬家", "08-01 12:00", "09-10 10:00")
        assert refs(ranked(told, happens, asked=plan(mode))) == ["told"]

    def test_an_open_question_takes_what_happens_and_what_was_told(self) -> None:
        told = row("told", "下个月搬家", "09-10 12:00", "10-20 10:00")
        happens = row("happens", "牙医复诊", "08-01 12:00", "09-10 10:00")
        assert refs(ranked(told, happens, asked=plan("AMBIGUOUS"))) == ["happens", "told"]

    @pytest.mark.parametrize(("topics", "match"), [(("家长会",), [PLAIN.moved_match]), ((), [])])
    def test_a_matter_that_moved_away_answers_who_asks_for_it_by_name(
        self, topics: tuple[str, ...], match: list[float]
    ) -> None:
        first = row("first", "十号三点开家长会", "09-01 12:00", "09-10 15:00")
        moved = row("moved", "家长会改到十八号三点", "09-05 12:00", "09-18 15:00", is_correction=True)
        found = ranked(first, moved, asked=plan("PLANNED_IN", topics=topics))
        assert found["temporal_match"].tolist() == match

    def test_a_span_that_the_question_takes_out_is_no_answer(self) -> None:
        morning = Range(start=at("09-10 06:00"), end=at("09-10 12:00"))
        item = row("a", "跑步", "09-10 08:00", "09-10 08:00", status="completed")
        assert ranked(item, search_ranges=ranges(excluded=(morning,))).empty

    def test_a_debt_happened_when_it_was_done_and_not_when_it_was_due(self) -> None:
        owed = row(
            "a", "王姐的报价周二前发", "09-01 10:00", "09-08 00:00", type="commitment", due=True, participants=("王姐",)
        )
        done = row(
            "b",
            "王姐的报价发了",
            "09-10 14:00",
            "09-10 14:00",
            type="commitment",
            status="completed",
            participants=("王姐",),
        )
        assert refs(ranked(owed, done)) == ["a"]

    def test_a_debt_long_overdue_fades(self) -> None:
        asked = plan("DUE_IN", filters=Filters(status="unresolved"))
        horizon = Range(start=at("01-01 00:00"), end=at("12-31 00:00"))
        debts = [
            row(f"m{m}", "交" + name, f"0{m}-01 10:00", f"0{m}-05 00:00", type="todo", due=True)
            for m, name in ((3, "论文"), (9, "房租"))
        ]
        found = ranked(*debts, asked=asked, search_ranges=ranges("DUE_IN", event_core=horizon, event_wide=horizon))
        assert refs(found) == ["m9", "m3"]
        assert found["temporal_match"][1] < 0.1


class TestSemanticMatch:
    def test_the_kinds_asked_for_come_first(self) -> None:
        rows = [
            row(t, f"事情{t}", "09-10 09:00", "09-10 09:00", type=t, status="completed") for t in ("event", "mention")
        ]
        found = ranked(*rows, asked=plan(targets=(Target(type="event"),)))
        assert refs(found) == ["event", "mention"]
        assert found["recall_score"][1] < PLAIN.secondary_threshold

    @pytest.mark.parametrize(
        ("target", "first"),
        [("calendar_event", "cal"), ("schedule", "said"), ("todo", "todo")],
    )
    def test_targets_map_to_what_a_source_stated_what_is_planned_and_to_types(self, target: str, first: str) -> None:
        rows = [
            row("cal", "评审", "09-01 09:00", "09-10 09:00", source="calendar", status="completed"),
            row("said", "剪头发", "09-01 09:00", "09-10 15:00"),
            row("todo", "交房租", "09-01 09:00", "09-10 20:00", type="todo"),
        ]
        match = ranked(*rows, asked=plan("AMBIGUOUS", targets=(Target(type=target),)))  # type: ignore[arg-type]
        semantic = match.set_index("source_ref")["semantic_match"]
        assert semantic.idxmax().endswith(first)
        assert (semantic == semantic.max()).sum() == 1

    def test_without_topics_words_do_not_matter(self) -> None:
        rows = [row("a", "评审", "09-10 09:00", "09-10 09:00"), row("b", "剪头发", "09-10 10:00", "09-10 10:00")]
        assert ranked(*rows)["semantic_match"].nunique() == 1

    TEETH = row("teeth", "看牙，拔了智齿", "09-10 10:00", "09-10 10:00", status="completed")
    RUN = row("run", "跑步五公里", "09-10 07:00", "09-10 07:00", status="completed")

    @pytest.mark.parametrize("topic", ["看牙", "牙医", "dental"])
    def test_a_topic_ranks_what_names_it_or_its_kin_above_the_rest(self, topic: str) -> None:
        found = ranked(self.TEETH, self.RUN, asked=plan(topics=(topic,)))
        assert refs(found) == ["teeth", "run"]
        assert found["semantic_match"][0] > found["semantic_match"][1]

    def test_a_topic_that_is_named_outright_hides_the_rest(self) -> None:
        score = ranked(self.TEETH, self.RUN, asked=plan(topics=("看牙",)))["recall_score"]
        assert score[0] >= PLAIN.main_threshold
        assert score[1] < PLAIN.secondary_threshold

    def test_what_names_but_part_of_what_something_else_names_wholly_is_of_another_matter(self) -> None:
        whole, part = (
            row(name, text, f"09-10 {hour}:00", f"09-10 {hour}:00", status="completed", importance=1.0)
            for name, text, hour in (("whole", "跟林太汇报方案", 10), ("part", "跟老周汇报", 16))
        )
        asked = plan(topics=("汇报",), people=("林太",))
        together = ranked(whole, part, asked=asked)["recall_score"]
        assert together[0] >= PLAIN.main_threshold > together[1]
        assert ranked(part, asked=asked)["recall_score"][0] > together[1]

    @pytest.mark.parametrize(
        ("happens", "status", "is_asked_for"),
        [("09-12 10:00", "planned", True), ("09-11 10:00", "completed", True), ("09-10 08:00", "completed", False)],
    )
    def test_what_had_happened_when_it_was_told_was_not_settled_then(
        self, happens: str, status: str, is_asked_for: bool
    ) -> None:
        item = row("a", "去体检", "09-10 12:00", happens, status=status)
        target = (Target(type="event", weight=1.0),)
        match = ranked(item, asked=plan("CREATED_IN", targets=target))["semantic_match"][0]
        assert (match == 1.0) == is_asked_for

    def test_a_topic_that_nothing_names_shows_all_but_first_of_all_none(self) -> None:
        rows = [row("a", "看牙", "09-10 10:00", "09-10 10:00", status="completed", importance=1.0)]
        score = ranked(*rows, asked=plan(topics=("滑翔伞",)))["recall_score"][0]
        assert PLAIN.secondary_threshold <= score < PLAIN.main_threshold

    def test_what_means_a_topic_in_other_words_covers_it_as_a_kindred_word_would(self) -> None:
        encoder = Meanings({"潜水": (1.0, 0.0), "看牙，拔了智齿": (0.8, 0.6), "跑步五公里": (0.3, 0.954)})
        asked = plan(topics=("潜水",))
        found = ranked(self.TEETH, self.RUN, asked=asked, sentence_encoder=encoder)
        kindred = ranked(self.TEETH, self.RUN, asked=plan(topics=("牙医",)))
        assert refs(ranked(self.TEETH, self.RUN, asked=asked)) == ["run", "teeth"]
        assert refs(found) == ["teeth", "run"]
        pd.testing.assert_frame_equal(found, kindred)

    def test_a_text_too_far_in_meaning_changes_nothing(self) -> None:
        encoder = Meanings({"潜水": (1.0, 0.0), "看牙，拔了智齿": (0.39, 0.92), "跑步五公里": (-0.6, 0.8)})
        asked = plan(topics=("潜水",))
        with_encoder = ranked(self.TEETH, self.RUN, asked=asked, sentence_encoder=encoder)
        pd.testing.assert_frame_equal(with_encoder, ranked(self.TEETH, self.RUN, asked=asked))

    @pytest.mark.parametrize("asked", [plan(), plan(people=("王姐",))], ids=["nothing", "a person"])
    def test_where_no_topic_is_named_nothing_is_encoded(self, asked: ContextPlan) -> None:
        encoder = Meanings({})
        ranked(self.TEETH, self.RUN, asked=asked, sentence_encoder=encoder)
        assert encoder.asked == []

    def test_only_what_lies_in_the_time_asked_is_encoded_and_not_without_bound(self) -> None:
        encoder = Meanings(dict.fromkeys(["潜水", "早已过去", *(f"第{n}件事" for n in range(200))], (1.0, 0.0)))
        rows = [row(f"r{n}", f"第{n}件事", f"09-10 0{n % 9}:10", type="mention") for n in range(200)]
        past = row("past", "早已过去", "08-01 09:00", "08-01 09:00")
        ranked(past, *rows, asked=plan(topics=("潜水",)), sentence_encoder=encoder)
        assert 2 < len(encoder.asked) <= 129
        assert "早已过去" not in encoder.asked

    def test_an_assistants_words_repeat_and_come_last(self) -> None:
        rows = [
            row("mine", "记一下选了B方案", "09-10 11:08", type="decision"),
            row("its", "已记：选了B方案", "09-10 11:08", type="mention", role="assistant"),
        ]
        found = ranked(*rows, asked=plan("MENTIONED_IN", targets=(Target(type="mention"),)))
        assert refs(found) == ["mine", "its"]
        assert found["recall_score"][1] < PLAIN.secondary_threshold


class TestOtherFactors:
    def test_the_plan_moves_the_trust_in_a_source(self) -> None:
        rows = [
            row("a", "跑步", "09-10 07:00", "09-10 07:00"),
            row("b", "剪头发", "09-10 10:00", "09-10 10:00", source="chat"),
        ]
        by_default = ranked(*rows)["source_quality"]
        assert by_default.nunique() == 1
        moved = ranked(*rows, asked=plan(sources={"chat": 0.9, "meinput": 0.3})).set_index("source")["source_quality"]
        assert moved["chat"] > moved["meinput"] >= PLAIN.source_floor

    @pytest.mark.parametrize(
        ("column", "factor"), [("importance", "importance_match"), ("confidence", "confidence_match")]
    )
    def test_raw_importance_and_confidence_count_above_their_floor(self, column: str, factor: str) -> None:
        low, high = (
            ranked(row("a", "跑步", "09-10 07:00", "09-10 07:00", **{column: raw}))[factor][0] for raw in (0.0, 1.0)
        )
        assert (low, high) == (getattr(PLAIN, column + "_floor"), 1.0)

    def test_what_names_a_project_or_a_person_of_the_user_matters_more(self) -> None:
        rows = [
            row("a", "橘子计划评审", "09-10 07:00", "09-10 07:00"),
            row("b", "剪头发", "09-10 10:00", "09-10 10:00"),
        ]
        found = ranked(*rows, user_snapshot=UserSnapshot(active_projects=("橘子计划",)))
        assert refs(found) == ["a", "b"]
        assert found["importance_match"][0] > found["importance_match"][1]


class TestWhatAQuestionRulesOut:
    OFF = row("off", "骑车取消吧", "09-09 22:00", "09-10 07:00", status="cancelled")
    THEIRS = row("theirs", "小敏休年假", "09-01 22:00", "09-10 00:00", until="09-11 00:00", owner="other")
    OWED = row("owed", "交房租", "09-01 22:00", "09-10 00:00", until="09-11 00:00", type="todo", due=True)
    DONE = row("done", "房租交了", "09-10 09:00", "09-10 09:00", type="todo", status="completed", source="chat")
    LATER = row("later", "晚上聚餐", "09-01 22:00", "09-10 19:00")

    @pytest.mark.parametrize(
        ("mode", "hidden"),
        [
            ("OCCURRED_IN", ["off", "theirs", "owed"]),
            ("PLANNED_IN", ["off", "theirs"]),
            ("DUE_IN", ["off", "theirs"]),
            ("CREATED_IN", []),
            ("MENTIONED_IN", []),
        ],
    )
    def test_each_mode_hides_what_cannot_answer_it(self, mode: str, hidden: list[str]) -> None:
        wide = Range(start=at("09-01 00:00"), end=at("09-12 00:00"))
        spans = {"mention_core": wide} if mode in ("CREATED_IN", "MENTIONED_IN") else {}
        found = refs(ranked(self.OFF, self.THEIRS, self.OWED, asked=plan(mode), search_ranges=ranges(mode, **spans)))
        assert not set(found) & set(hidden)
        if mode == "MENTIONED_IN":
            assert set(found) == {"off", "theirs", "owed"}

    def test_whoever_is_asked_about_may_answer_and_so_may_what_was_called_off(self) -> None:
        assert refs(ranked(self.THEIRS, asked=plan("PLANNED_IN", people=("小敏",)))) == ["theirs"]
        assert refs(ranked(self.OFF, asked=plan("PLANNED_IN", topics=("骑车",)))) == ["off"]
        assert refs(ranked(self.THEIRS, asked=plan("PLANNED_IN", topics=("年假",)))) == ["theirs"]

    AROUND = row("around", "跑步", "09-09 20:00", "09-09 20:00", status="completed")
    INSIDE = row("inside", "看牙", "09-10 10:00", "09-10 10:00", status="completed")
    UNDATED = row("undated", "修好了水龙头", "09-10 21:00", type="todo", status="completed")

    @pytest.mark.parametrize(
        ("rows", "topics", "found"),
        [
            ((AROUND,), (), {"around"}),
            ((AROUND, INSIDE), (), {"inside"}),
            ((AROUND, LATER | {"status": "cancelled"}), (), {"around"}),
            ((AROUND, INSIDE), ("跑步",), {"around"}),
            ((INSIDE, UNDATED), (), {"inside", "undated"}),
        ],
    )
    def test_around_the_time_asked_is_looked_for_want_of_an_answer_inside(
        self, rows: tuple[dict[str, Any], ...], topics: tuple[str, ...], found: set[str]
    ) -> None:
        score = ranked(*rows, asked=plan(topics=topics)).set_index("source_ref")["recall_score"]
        shown = score[score >= PLAIN.secondary_threshold]
        assert {ref.rsplit(":", 1)[-1] for ref in shown.index} == found

    def test_what_was_told_around_the_time_asked_is_looked_for_likewise(self) -> None:
        before, within = (
            row(at_, "买米", f"09-{at_} 20:00", type="mention", status="mentioned") for at_ in ("09", "10")
        )
        assert refs(ranked(before, asked=plan("MENTIONED_IN"))) == ["09"]
        assert refs(ranked(before, within, asked=plan("MENTIONED_IN"))) == ["10"]

    def test_a_plan_in_doubt_is_no_arrangement_but_answers_who_asks_for_it(self) -> None:
        doubted = row("doubted", "爬山再看吧", "09-01 22:00", "09-10 09:00", status="unknown")
        assert ranked(doubted, asked=plan("PLANNED_IN")).empty
        assert refs(ranked(doubted, asked=plan("PLANNED_IN", topics=("爬山",)))) == ["doubted"]

    def test_an_appointment_is_kept_and_not_owed(self) -> None:
        told = row("told", "去银行还款", "09-01 22:00", "09-10 09:00")
        stated = row("stated", "牙医复诊", "09-01 22:00", "09-10 15:00", source="calendar", is_stated=True)
        assert refs(ranked(told, stated, asked=plan("DUE_IN"), now=at("09-09 09:00"))) == ["told"]

    def test_what_others_owe_falls_due_to_the_user_too(self) -> None:
        owed = row("owed", "陈老板的货款", "09-01 22:00", "09-10 00:00", type="commitment", due=True, owner="other")
        assert refs(ranked(owed, asked=plan("DUE_IN", topics=("货款",)))) == ["owed"]
        assert refs(ranked(owed, asked=plan("DUE_IN"))) == ["owed"]

    @pytest.mark.parametrize(
        ("now", "shown"),
        [("09-10 08:00", ["open", "done"]), ("09-06 08:00", ["open"])],
        ids=["of today", "of days ahead"],
    )
    def test_what_is_done_belongs_to_what_was_due_but_not_to_what_is_to_come(self, now: str, shown: list[str]) -> None:
        debts = [
            row("open", "寄合同", "09-01 22:00", "09-10 00:00", type="todo", due=True),
            row("done", "缴电费", "09-01 22:00", "09-10 00:00", type="todo", due=True, status="completed"),
        ]
        assert sorted(refs(ranked(*debts, asked=plan("DUE_IN"), now=at(now)))) == sorted(shown)

    def test_what_others_have_to_do_is_waited_for_but_their_events_are_their_own(self) -> None:
        duty = row("duty", "陈老板送货", "09-01 22:00", "09-10 15:00", type="todo", owner="other")
        assert refs(ranked(duty, self.THEIRS, asked=plan("PLANNED_IN"))) == ["duty"]

    def test_what_is_still_to_come_has_not_happened(self) -> None:
        assert ranked(self.LATER, now=at("09-10 12:00")).empty
        assert refs(ranked(self.LATER, now=at("09-10 22:00"))) == ["later"]

    def test_the_status_of_a_plan_is_that_of_the_moment_asked(self) -> None:
        before = ranked(self.LATER, asked=plan("PLANNED_IN"), now=at("09-10 12:00"))
        after = ranked(self.LATER, asked=plan("PLANNED_IN"), now=at("09-10 22:00"))
        assert (before["status"][0], after["status"][0]) == ("planned", "completed")

    def test_what_was_settled_is_no_longer_unresolved(self) -> None:
        asked = plan("DUE_IN", filters=Filters(status="unresolved"))
        assert refs(ranked(self.OWED, asked=asked)) == ["owed"]
        assert ranked(self.OWED, self.DONE, asked=asked).empty

    def test_importance_is_a_hard_filter_on_what_an_item_is_worth(self) -> None:
        asked = plan(filters=Filters(importance_min=0.6))
        low = row("low", "剪头发", "09-10 09:00", "09-10 09:00", importance=0.59)
        high = row("high", "看牙", "09-10 10:00", "09-10 10:00", importance=0.6)
        assert refs(ranked(low, high, asked=asked)) == ["high"]

    def test_a_plan_that_wants_no_merging_gets_every_record(self) -> None:
        twice = [row(s, "评审", "09-10 09:00", "09-10 10:00", source=s) for s in ("chat", "meinput")]
        assert len(ranked(*twice, asked=plan("AMBIGUOUS"))) == 1
        assert len(ranked(*twice, asked=plan("AMBIGUOUS", output=Output(dedupe=False)))) == 2


class TestScore:
    def test_it_is_the_product_of_the_five_factors(self) -> None:
        item = ranked(row("a", "跑步", "09-10 07:00", "09-10 07:00", importance=0.4, confidence=0.7)).iloc[0]
        product = 1.0
        for factor in FACTORS:
            product *= item[factor]
        assert item["recall_score"] == pytest.approx(product)

    def test_nothing_gives_an_empty_frame_that_keeps_the_contract(self) -> None:
        found = ranked()
        assert found.empty
        assert {name: str(found[name].dtype) for name in RANKED_TIMELINE.dtypes} == RANKED_TIMELINE.dtypes


ROWS = st.lists(
    st.builds(
        lambda n, hour, importance, confidence, type_: row(
            f"{n}",
            f"第{n}件事",
            "09-10 06:00",
            f"09-10 {hour:02}:00",
            importance=importance,
            confidence=confidence,
            type=type_,
        ),
        st.integers(0, 99),
        st.integers(0, 23),
        st.floats(0, 1),
        st.floats(0, 1),
        st.sampled_from(["event", "decision", "mention"]),
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda r: r["source_ref"],
)


class TestLaws:
    @settings(max_examples=50, deadline=None)
    @given(ROWS, st.randoms())
    def test_the_order_of_rows_does_not_matter(self, rows: list[dict[str, Any]], chance: Any) -> None:
        shuffled = [*rows]
        chance.shuffle(shuffled)
        pd.testing.assert_frame_equal(ranked(*rows), ranked(*shuffled))

    @settings(max_examples=50, deadline=None)
    @given(ROWS)
    def test_scores_lie_between_nothing_and_one_and_fall(self, rows: list[dict[str, Any]]) -> None:
        scores = ranked(*rows)["recall_score"]
        assert scores.between(0, 1).all()
        assert scores.is_monotonic_decreasing

    @settings(max_examples=50, deadline=None)
    @given(st.floats(0, 1), st.floats(0, 1), st.sampled_from(["importance", "confidence"]))
    def test_more_is_never_worth_less(self, one: float, other: float, column: str) -> None:
        low, high = sorted((one, other))
        scores = [
            ranked(row("a", "跑步", "09-10 07:00", "09-10 07:00", **{column: raw}))["recall_score"][0]
            for raw in (low, high)
        ]
        assert scores[0] <= scores[1]

    @settings(max_examples=30, deadline=None)
    @given(ROWS, st.sampled_from(["source_floor", "importance_floor", "confidence_floor"]), st.floats(0, 1))
    def test_a_higher_floor_never_lowers_a_score(self, rows: list[dict[str, Any]], name: str, floor: float) -> None:
        default = getattr(PLAIN, name)
        low, high = (PLAIN.model_copy(update={name: f}) for f in sorted((default, floor)))
        before = ranked(*rows, ranking_weights=low).set_index("source_ref")["recall_score"]
        after = ranked(*rows, ranking_weights=high).set_index("source_ref")["recall_score"]
        assert (after.reindex(before.index) >= before - 1e-12).all()
