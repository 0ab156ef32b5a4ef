"""How good answers are, on lists small enough to reckon by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hamilton import driver
from hypothesis import given, settings
from hypothesis import strategies as st
from made_timelines import at

from temporal_recall.dataflows import evaluation
from temporal_recall.dataflows.chance import mean_interval, sign_flip_p_value
from temporal_recall.schemas.bundle import RecallBundle, TimelineItem
from temporal_recall.schemas.evaluation import DuplicateLabel, LabelledQuestion
from temporal_recall.schemas.plan import ContextPlan, Range
from temporal_recall.schemas.settings import RankingWeights

pytest.importorskip("ir_measures", reason="needs the extra: evaluation")

DRIVER = driver.Builder().with_modules(evaluation).build()
DAY = Range(start=at("09-10 00:00"), end=at("09-11 00:00"))
SAME = DuplicateLabel(kind="same_event", group_id="g", ids=("a1", "a2"))


def item(ref: str, score: float, *merged: str) -> TimelineItem:
    return TimelineItem(
        timeline_item_id=ref,
        source="chat",
        type="event",
        observed_time=at("09-10 12:00"),
        title=ref,
        content=ref,
        importance=0.5,
        confidence=0.9,
        recall_score=score,
        source_ref=f"chat:made:{ref}",
        merged_from=tuple(f"chat:made:{m}" for m in merged),
    )


def answer(*items: TimelineItem, mode: str = "OCCURRED_IN", time_range: Range | None = DAY) -> RecallBundle:
    return RecallBundle(
        query_type="personal_temporal_recall",
        temporal_mode=mode,  # type: ignore[arg-type]
        time_range=time_range,
        items=items,
        plan=ContextPlan(),
    )


def question(relevant: dict[str, int], must_not: tuple[str, ...] = (), **other: Any) -> LabelledQuestion:
    plain = {"qid": "q", "query": "？", "now": at("09-12 09:00"), "temporal_mode": "OCCURRED_IN", "time_range": DAY}
    return LabelledQuestion(relevant=relevant, must_not=must_not, **(plain | other))


def metrics(asked: LabelledQuestion, given_answer: RecallBundle | None) -> pd.Series:
    inputs = {
        "labelled_questions": [asked],
        "answers": {} if given_answer is None else {asked.qid: given_answer},
        "duplicate_labels": [SAME],
        "ranking_weights": RankingWeights(),
    }
    return DRIVER.execute(["question_metrics"], inputs=inputs)["question_metrics"].loc[asked.qid]


class TestQuestionMetrics:
    def test_ndcg_is_the_discounted_gain_over_the_best_possible(self) -> None:
        found = metrics(question({"x": 3, "y": 2}), answer(item("y", 0.9), item("x", 0.8)))
        ideal = 7 + 3 / math.log2(3)
        assert found["ndcg_at_10"] == pytest.approx((3 + 7 / math.log2(3)) / ideal)
        assert found["recall_at_50"] == 1.0

    def test_records_of_one_event_count_once_by_any_of_them(self) -> None:
        found = metrics(question({"a1": 3, "a2": 1}), answer(item("a2", 0.9), item("a1", 0.8)))
        assert found["ndcg_at_10"] == pytest.approx(1.0)
        by_member = metrics(question({"a1": 3}), answer(item("other", 0.9, "other", "a2")))
        assert by_member["recall_at_50"] == 1.0

    def test_the_main_tier_is_judged_by_itself(self) -> None:
        found = metrics(
            question({"x": 3, "y": 2, "z": 1}), answer(item("x", 0.9), item("n", 0.8), item("z", 0.76), item("y", 0.6))
        )
        assert found["main_precision"] == pytest.approx(2 / 3)
        assert found["main_recall"] == pytest.approx(1 / 2)

    def test_an_empty_answer_is_right_where_nothing_answers(self) -> None:
        empty = question({"z": 1})
        assert metrics(empty, answer())["is_empty_right"] == 1.0
        assert metrics(empty, answer(item("z", 0.6)))["is_empty_right"] == 1.0
        wrong = metrics(empty, answer(item("z", 0.8)))
        assert wrong["is_empty_right"] == 0.0
        assert math.isnan(wrong["ndcg_at_10"])
        assert wrong["kind"] == "empty"

    @pytest.mark.parametrize(("forbidden", "is_clean"), [("x", 0.0), ("a2", 1.0), ("unseen", 1.0)])
    def test_what_must_not_stand_there_counts_unless_its_event_belongs_there(
        self, forbidden: str, is_clean: float
    ) -> None:
        found = metrics(question({"a1": 3}, (forbidden,)), answer(item("a2", 0.9), item("x", 0.8)))
        assert found["has_no_forbidden"] == is_clean

    def test_mode_and_range_are_judged_on_their_own(self) -> None:
        found = metrics(question({"x": 3}), answer(item("x", 0.9), mode="AMBIGUOUS", time_range=None))
        assert (found["is_mode_right"], found["is_range_right"]) == (0.0, 0.0)
        untimed = metrics(question({"x": 3}, time_range=None), answer(item("x", 0.9)))
        assert math.isnan(untimed["is_range_right"])
        assert untimed["kind"] == "untimed"

    def test_an_end_at_now_is_the_end_of_that_day(self) -> None:
        until_now = Range(start=DAY.start, end=at("09-10 15:00"))
        found = metrics(question({"x": 3}, now=at("09-10 15:00")), answer(item("x", 0.9), time_range=until_now))
        assert found["is_range_right"] == 1.0

    def test_a_question_without_an_answer_is_wrong_throughout(self) -> None:
        found = metrics(question({"x": 3}), None)
        assert (
            found[["ndcg_at_10", "recall_at_50", "main_recall", "is_mode_right", "is_range_right"]].tolist()
            == [0.0] * 5
        )


class TestDuplicateMetrics:
    def test_pairs_of_a_thread_count_neither_way(self) -> None:
        labels = [
            SAME,
            DuplicateLabel(kind="same_event", link="thread", group_id="t", ids=("t1", "t2")),
            DuplicateLabel(kind="hard_negative", pair=("x", "y")),
        ]
        merged = [("c:m:a1", "c:m:a2"), ("c:m:t1", "c:m:t2"), ("c:m:x", "c:m:y"), ()]
        found = evaluation.duplicate_metrics(pd.DataFrame({"merged_from": merged}), labels)
        assert found == {"precision": 0.5, "recall": 1.0, "f1": pytest.approx(2 / 3), "hard_negatives_apart": 0.0}


def frame(values: list[float]) -> pd.DataFrame:
    index = pd.Index([f"q{n}" for n in range(len(values))], name="qid")
    plain = dict.fromkeys(evaluation.METRICS, np.nan) | {"query": "？", "mode": "OCCURRED_IN", "kind": "open"}
    return pd.DataFrame(plain, index=index).assign(ndcg_at_10=values)


class TestChange:
    def test_a_change_of_most_questions_is_significant_and_one_of_few_is_not(self) -> None:
        before = frame([0.5] * 20)
        assert evaluation.metric_changes(frame([0.7] * 20), before)["is_significant"].tolist() == [True]
        assert evaluation.metric_changes(frame([0.7] + [0.5] * 19), before)["is_significant"].tolist() == [False]

    def test_what_changed_is_listed_worst_loss_first(self) -> None:
        changed = evaluation.changed_questions(frame([0.5, 0.1, 0.9]), frame([0.5, 0.6, 0.7]))
        assert changed["qid"].tolist() == ["q1", "q2"]


class TestChance:
    @settings(max_examples=30, deadline=None)
    @given(st.lists(st.floats(-1, 1), min_size=1, max_size=30))
    def test_the_interval_lies_within_the_values(self, values: list[float]) -> None:
        mean, low, high = mean_interval(np.array(values))
        assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9
        assert mean == pytest.approx(float(np.mean(values)))

    @settings(max_examples=30, deadline=None)
    @given(st.lists(st.floats(-1, 1), min_size=1, max_size=30))
    def test_a_p_value_does_not_know_the_direction(self, values: list[float]) -> None:
        differences = np.array(values)
        assert sign_flip_p_value(differences) == pytest.approx(sign_flip_p_value(-differences), abs=0.05)

    def test_no_values_have_no_interval(self) -> None:
        assert all(math.isnan(part) for part in mean_interval(np.array([])))
