"""How good answers are on labelled lives must not fall below what has been reached."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("ir_measures", reason="needs the extra: evaluation")

from temporal_recall.adapters.labels_file import read_persona
from temporal_recall.service.evaluating import EvaluationReport, evaluate

PERSONAS = Path(__file__).parent / "data" / "personas"

FLOORS = {
    "ndcg_at_10": 0.90,
    "recall_at_50": 0.96,
    "main_precision": 0.90,
    "main_recall": 0.89,
    "has_no_forbidden": 0.94,
    "is_empty_right": 1.0,
}
DUPLICATE_FLOORS = {"f1": 0.84, "hard_negatives_apart": 1.0}

OWN_FLOORS = {
    "bakery_changsha": (0.70, 0.42),
    "designer_guangzhou": (0.86, 0.84),
    "editor_beijing": (0.85, 0.75),
    "engineer_shenzhen": (0.81, 0.56),
    "facilities_hangzhou": (0.81, 0.72),
    "grad_singapore": (0.86, 0.87),
    "lawyer_chongqing": (0.80, 0.53),
    "lecturer_nanjing": (0.84, 0.68),
    "nurse_xian": (0.93, 0.80),
    "retired_shenyang": (0.70, 0.40),
    "sales_wuhan": (0.91, 0.89),
    "teacher_chengdu": (0.91, 0.87),
    "trader_ningbo": (0.87, 0.81),
}
"""nDCG@10 and F1 of merging on each person of our own."""

APART_FLOORS = {"bakery_changsha": 0.84, "editor_beijing": 0.93, "engineer_shenzhen": 0.97, "retired_shenyang": 0.90}
"""Share of look-alikes kept apart where it is not all."""


@pytest.fixture(scope="module")
def report(shared: Path) -> EvaluationReport:
    return evaluate([read_persona(shared / "cases" / "recall" / "pm_shanghai")])


@pytest.mark.parametrize("metric", FLOORS)
def test_answers_keep_their_floor(report: EvaluationReport, metric: str) -> None:
    assert report.question_metrics[metric].mean() >= FLOORS[metric]


@pytest.mark.parametrize("metric", DUPLICATE_FLOORS)
def test_merging_keeps_its_floor(report: EvaluationReport, metric: str) -> None:
    assert report.duplicate_metrics[metric] >= DUPLICATE_FLOORS[metric]


@pytest.mark.parametrize("name", OWN_FLOORS)
def test_a_person_of_our_own_keeps_the_floors(name: str) -> None:
    report = evaluate([read_persona(PERSONAS / name)])
    ndcg, f1 = OWN_FLOORS[name]
    assert report.question_metrics["ndcg_at_10"].mean() >= ndcg
    assert report.duplicate_metrics["f1"] >= f1
    assert report.duplicate_metrics["hard_negatives_apart"] >= APART_FLOORS.get(name, 1.0)


def test_every_person_of_our_own_has_floors() -> None:
    assert {path.parent.name for path in PERSONAS.glob("*/items.jsonl")} == set(OWN_FLOORS)
