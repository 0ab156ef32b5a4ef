"""Labelled questions through a whole service, and weights tuned on them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

pytest.importorskip("ir_measures", reason="needs the extra: evaluation")
pytest.importorskip("optuna", reason="needs the extra: evaluation")

from temporal_recall.adapters.labels_file import persona_of, read_persona
from temporal_recall.dataflows.evaluation import OBJECTIVE
from temporal_recall.schemas.errors import InvalidRequest
from temporal_recall.schemas.settings import RankingWeights
from temporal_recall.service.answering import ServiceAnswering
from temporal_recall.service.evaluating import compare, evaluate, read_report
from temporal_recall.service.executors import executor_of
from temporal_recall.service.tuning import tunable_ranges, tune, write_weights

RECORDS = [
    {
        "id": "c1",
        "source": "calendar",
        "observed_time": "2026-09-01T09:00:00+08:00",
        "text": "需求评审",
        "title": "需求评审",
        "start": "2026-09-10T15:00:00+08:00",
        "end": "2026-09-10T16:00:00+08:00",
        "attendees": ["老周"],
        "location": "会议室",
        "status": "confirmed",
    },
    {
        "id": "m1",
        "source": "meinput",
        "observed_time": "2026-09-09T10:00:00+08:00",
        "text": "明天下午三点需求评审，老周也来",
    },
    {"id": "m2", "source": "meinput", "observed_time": "2026-09-10T12:20:00+08:00", "text": "哈哈哈哈"},
    {"id": "m3", "source": "meinput", "observed_time": "2026-09-09T20:00:00+08:00", "text": "周报我周五下班前发给李总"},
]
QUESTIONS = [
    {
        "qid": "q1",
        "query": "明天有什么安排",
        "now": "2026-09-09T21:00:00+08:00",
        "temporal_mode": "PLANNED_IN",
        "time_range": {"start": "2026-09-10T00:00:00+08:00", "end": "2026-09-11T00:00:00+08:00"},
        "relevant": {"c1": 3, "m1": 3},
        "must_not": ["m3"],
        "note": "x",
    },
    {
        "qid": "q2",
        "query": "这周五要交什么",
        "now": "2026-09-10T09:00:00+08:00",
        "temporal_mode": "DUE_IN",
        "time_range": {"start": "2026-09-11T00:00:00+08:00", "end": "2026-09-12T00:00:00+08:00"},
        "relevant": {"m3": 3},
        "must_not": ["c1"],
    },
    {
        "qid": "q3",
        "query": "后天有什么安排",
        "now": "2026-09-10T09:00:00+08:00",
        "temporal_mode": "PLANNED_IN",
        "time_range": {"start": "2026-09-12T00:00:00+08:00", "end": "2026-09-13T00:00:00+08:00"},
        "relevant": {},
        "must_not": ["c1"],
    },
]
DUPLICATES = [{"kind": "same_event", "link": "merge", "group_id": "g", "ids": ["c1", "m1"]}]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, rows in {"items": RECORDS, "queries": QUESTIONS, "gold_duplicates": DUPLICATES}.items():
        lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        (tmp_path / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


class TestEvaluate:
    def test_every_question_is_asked(self, folder: Path) -> None:
        told: list[tuple[int, int]] = []
        report = evaluate([read_persona(folder)], progress=lambda done, total: told.append((done, total)))
        assert told == [(1, 1)]
        assert report.question_metrics.index.tolist() == ["q1", "q2", "q3"]
        assert report.question_metrics["ndcg_at_10"].iloc[:2].tolist() == [1.0, 1.0]
        assert report.question_metrics["is_empty_right"].iloc[2] == 1.0
        assert report.duplicate_metrics["f1"] == 1.0

    def test_a_report_is_read_back_as_it_was(self, folder: Path) -> None:
        report = evaluate([read_persona(folder)])
        (folder / "report.json").write_text(report.to_json(), encoding="utf-8")
        changes, questions = compare(report, read_report(folder / "report.json"))
        assert not changes["is_significant"].any()
        assert questions.empty

    def test_a_broken_label_is_named_by_its_line(self, folder: Path) -> None:
        (folder / "queries.jsonl").write_text('{"qid": "q1"}\n', encoding="utf-8")
        with pytest.raises(InvalidRequest, match=r"queries\.jsonl:1"):
            read_persona(folder)

    def test_a_missing_file_is_named(self, folder: Path) -> None:
        with pytest.raises(InvalidRequest, match=r"none\.jsonl"):
            persona_of(folder / "items.jsonl", folder / "none.jsonl")

    def test_two_questions_of_one_name_are_refused(self, folder: Path) -> None:
        with pytest.raises(InvalidRequest, match="'q1'"):
            evaluate([read_persona(folder)] * 2)


class TestTune:
    def test_a_gain_inside_the_noise_is_refused(self, folder: Path) -> None:
        in_use = RankingWeights(source_floor=0.9)
        result = tune([read_persona(folder)], trials=4, weights=in_use)
        assert not result.is_accepted
        assert result.weights == in_use
        assert len(result.trials) == 4

    def test_the_same_seed_gives_the_same_search(self, folder: Path) -> None:
        personas = [read_persona(folder)]
        one, other = (tune(personas, trials=4, seed=7).trials for _ in range(2))
        assert one.equals(other)

    def test_a_trial_is_worth_what_the_answers_under_its_weights_are(self, folder: Path) -> None:
        weights = RankingWeights(topic_floor=0.2, main_threshold=0.7)
        persona, answering = read_persona(folder), ServiceAnswering()
        tried = answering.scores(answering.saved(persona), [weights]).iloc[0]
        metrics = evaluate([persona], weights=weights).question_metrics[list(OBJECTIVE)]
        worth = pd.Series(OBJECTIVE)
        told = (metrics.fillna(0.0) @ worth) / (metrics.notna() @ worth)
        assert tried.to_dict() == pytest.approx(told.to_dict())

    def test_a_search_is_taken_up_where_it_stopped(self, folder: Path) -> None:
        personas = [read_persona(folder)]
        tune(personas, trials=2, study_path=folder / "study.db")
        assert len(tune(personas, trials=3, study_path=folder / "study.db").trials) == 3

    def test_a_study_of_other_weights_in_use_or_of_other_questions_is_refused(self, folder: Path) -> None:
        person, study = read_persona(folder), folder / "study.db"
        tune([person], trials=2, study_path=study)
        with pytest.raises(InvalidRequest, match="study"):
            tune([person], trials=3, study_path=study, weights=RankingWeights(source_floor=0.9))
        with pytest.raises(InvalidRequest, match="study"):
            tune([replace(person, questions=person.questions[:2])], trials=3, study_path=study)

    def test_the_weights_file_is_the_one_that_a_configuration_names(self, folder: Path) -> None:
        weights = RankingWeights(topic_floor=0.2)
        write_weights(weights, folder / "weights.json")
        assert RankingWeights.model_validate_json((folder / "weights.json").read_text(encoding="utf-8")) == weights

    def test_every_declared_range_holds_the_default(self) -> None:
        ranges = tunable_ranges()
        assert ranges
        for name, (low, high) in ranges.items():
            assert low <= RankingWeights.model_fields[name].default <= high, name


@pytest.mark.filterwarnings("default")
def test_workers_find_what_one_process_finds(folder: Path) -> None:
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    person = read_persona(folder)
    asked = tuple(question.model_copy(update={"qid": f"again-{question.qid}"}) for question in person.questions)
    people = [person, replace(person, name="again", questions=asked)]
    here, tuned_here = evaluate(people), tune(people, trials=3, seed=1)
    with executor_of("dask", workers=2) as executor:
        there, tuned_there = evaluate(people, executor=executor), tune(people, trials=3, seed=1, executor=executor)
    assert there.to_json() == here.to_json()
    assert tuned_there.trials.equals(tuned_here.trials)
