"""How good answers are on labelled lives must not fall below what has been reached."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("ir_measures", reason="needs the extra: evaluation")

from temporal_recall.adapters.labels_file import read_persona
from temporal_recall.service.evaluating import EvaluationReport, evaluate

DATA = Path(__file__).parent / "data"

FLOORS = {
    "ndcg_at_10": 0.91,
    "recall_at_50": 0.96,
    "main_precision": 0.92,
    "main_recall": 0.89,
    "has_no_forbidden": 0.96,
    "is_empty_right": 1.0,
}
DUPLICATE_FLOORS = {"f1": 0.84, "hard_negatives_apart": 1.0}

OWN_FLOORS = {
    "designer_guangzhou": (0.87, 0.84),
    "editor_beijing": (0.86, 0.75),
    "facilities_hangzhou": (0.82, 0.72),
    "grad_singapore": (0.87, 0.87),
    "lecturer_nanjing": (0.86, 0.68),
    "nurse_xian": (0.93, 0.80),
    "sales_wuhan": (0.93, 0.89),
    "teacher_chengdu": (0.92, 0.87),
    "trader_ningbo": (0.88, 0.81),
}
"""nDCG@10 and F1 of merging on each person of our own."""

STRANGERS_FLOORS = {
    "bakery_changsha": (0.72, 0.42),
    "engineer_shenzhen": (0.82, 0.56),
    "lawyer_chongqing": (0.81, 0.53),
    "retired_shenyang": (0.73, 0.40),
}
"""The same on people with whom no weight was tuned."""

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


@pytest.mark.parametrize(
    ("folder", "floors"),
    [
        *((DATA / "personas" / name, floors) for name, floors in OWN_FLOORS.items()),
        *((DATA / "strangers" / name, floors) for name, floors in STRANGERS_FLOORS.items()),
    ],
    ids=[*OWN_FLOORS, *STRANGERS_FLOORS],
)
def test_a_person_of_our_own_keeps_the_floors(folder: Path, floors: tuple[float, float]) -> None:
    report = evaluate([read_persona(folder)])
    ndcg, f1 = floors
    assert report.question_metrics["ndcg_at_10"].mean() >= ndcg
    assert report.duplicate_metrics["f1"] >= f1
    assert report.duplicate_metrics["hard_negatives_apart"] >= APART_FLOORS.get(folder.name, 1.0)


def test_every_person_of_our_own_has_floors() -> None:
    assert {path.parent.name for path in DATA.glob("*/*/items.jsonl")} == {*OWN_FLOORS, *STRANGERS_FLOORS}
