"""How good answers are on a labelled life must not fall below what has been reached."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("ir_measures", reason="needs the extra: evaluation")

from temporal_recall.adapters.labels_file import read_persona
from temporal_recall.service.evaluating import EvaluationReport, evaluate

FLOORS = {
    "ndcg_at_10": 0.88,
    "recall_at_50": 0.93,
    "main_precision": 0.86,
    "main_recall": 0.80,
    "has_no_forbidden": 0.93,
    "is_empty_right": 1.0,
}
DUPLICATE_FLOORS = {"f1": 0.77, "hard_negatives_apart": 1.0}


@pytest.fixture(scope="module")
def report(shared: Path) -> EvaluationReport:
    return evaluate([read_persona(shared / "cases" / "recall" / "pm_shanghai")])


@pytest.mark.parametrize("metric", FLOORS)
def test_answers_keep_their_floor(report: EvaluationReport, metric: str) -> None:
    assert report.question_metrics[metric].mean() >= FLOORS[metric]


@pytest.mark.parametrize("metric", DUPLICATE_FLOORS)
def test_merging_keeps_its_floor(report: EvaluationReport, metric: str) -> None:
    assert report.duplicate_metrics[metric] >= DUPLICATE_FLOORS[metric]
