"""Runs labelled questions through a service and reports how good the answers are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from hamilton.execution.executors import TaskExecutor

from temporal_recall.dataflows import evaluation
from temporal_recall.schemas.errors import InvalidRequest
from temporal_recall.schemas.evaluation import LabelledPersona
from temporal_recall.service.answering import ServiceAnswering, checked_people
from temporal_recall.service.catalog import EVALUATION
from temporal_recall.service.executors import Progress, Steps, build_task_driver


@dataclass(frozen=True)
class EvaluationReport:
    """How good the answers were: every question, the summary with intervals, and the merging of duplicates."""

    question_metrics: pd.DataFrame
    metric_summary: pd.DataFrame
    duplicate_metrics: dict[str, float]

    def to_json(self) -> str:
        """The report as one JSON object; `read_report` takes it back."""
        return json.dumps(
            {
                "questions": _rows(self.question_metrics.reset_index()),
                "summary": _rows(self.metric_summary),
                "duplicates": {k: v if v == v else None for k, v in self.duplicate_metrics.items()},
            },
            ensure_ascii=False,
            indent=1,
        )


def _rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [{str(name): value for name, value in row.items()} for row in rows]


def read_report(path: Path) -> EvaluationReport:
    """The report that a JSON file holds.

    Raises:
        InvalidRequest: the file is none that `EvaluationReport.to_json` wrote.
    """
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        questions = pd.DataFrame(table["questions"]).set_index("qid")
        return EvaluationReport(questions, pd.DataFrame(table["summary"]), table["duplicates"])
    except (OSError, ValueError, KeyError) as error:
        raise InvalidRequest("report", str(path), "a report that eval wrote") from error


def evaluate(
    people: Sequence[LabelledPersona],
    *,
    executor: TaskExecutor | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> EvaluationReport:
    """How good the answers to all questions of all people are.

    Args:
        executor: where people are worked off, one a task; this process when absent (see `executor_of`).
        progress: told after each person how many of how many are done.
        settings: keys of `RecallConfig` other than `sources`, such as `weights` or `time_zone`.

    Raises:
        InvalidRequest: two questions share a qid.
    """
    flow = build_task_driver(EVALUATION, executor, Steps(len(people), progress).advance)
    inputs = {"labelled_people": checked_people(people), "answering": ServiceAnswering(settings)}
    measured = flow.execute(list(EVALUATION.outputs), inputs=inputs)
    return EvaluationReport(*(measured[name] for name in EVALUATION.outputs))


def compare(report: EvaluationReport, earlier: EvaluationReport) -> tuple[pd.DataFrame, pd.DataFrame]:
    """What changed since an earlier report: per metric with its significance, and question by question."""
    now, before = report.question_metrics, earlier.question_metrics
    return evaluation.metric_changes(now, before), evaluation.changed_questions(now, before)
