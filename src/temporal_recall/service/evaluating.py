"""Runs labelled questions through a service and reports how good the answers are."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

import pandas as pd
from pydantic import BaseModel, ValidationError

from temporal_recall.adapters.records_file import read_records
from temporal_recall.dataflows import evaluation
from temporal_recall.schemas.bundle import RecallBundle
from temporal_recall.schemas.errors import InvalidRequest
from temporal_recall.schemas.evaluation import DuplicateLabel, LabelledQuestion
from temporal_recall.schemas.evidence import EvidenceRecord
from temporal_recall.service.catalog import EVALUATION
from temporal_recall.service.driver import build_driver
from temporal_recall.service.facade import LOCAL_USER, RecallService

Label = TypeVar("Label", bound=BaseModel)
Progress = Callable[[int, int], None]
"""Told how many of how many steps are done."""


@dataclass(frozen=True)
class LabelledPersona:
    """One person's records file with its labelled questions and, where there are any, its labelled duplicates."""

    name: str
    records: Path
    questions: tuple[LabelledQuestion, ...]
    duplicates: tuple[DuplicateLabel, ...] = ()

    @classmethod
    def from_files(cls, records: Path, queries: Path, duplicates: Path | None = None) -> Self:
        """The persona of a records file and its label files (JSON lines).

        Raises:
            InvalidRequest: a file cannot be read, or a line is no label; names file and line.
        """
        questions = tuple(_labels(queries, LabelledQuestion))
        return cls(
            records.parent.name, records, questions, tuple(_labels(duplicates, DuplicateLabel)) if duplicates else ()
        )

    @classmethod
    def from_folder(cls, folder: Path) -> Self:
        """The persona of a folder: `items.jsonl`, `queries.jsonl`, `gold_duplicates.jsonl`; raises as `from_files`."""
        return cls.from_files(folder / "items.jsonl", folder / "queries.jsonl", folder / "gold_duplicates.jsonl")


def _labels(path: Path, label: type[Label]) -> Iterator[Label]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InvalidRequest("labels", str(path), "a readable file of JSON lines") from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield label.model_validate_json(line)
            except ValidationError as error:
                raise InvalidRequest("labels", f"{path.name}:{number}", f"one {label.__name__} a line") from error


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
    personas: Sequence[LabelledPersona], progress: Progress | None = None, **settings: Any
) -> EvaluationReport:
    """How good the answers to all questions of all personas are.

    Args:
        progress: told after each question.
        settings: keys of `RecallConfig` other than `sources`, such as `weights` or `time_zone`.
    """
    steps = Steps(sum(len(p.questions) for p in personas), progress)
    parts = [_measured(persona, settings, steps) for persona in personas]
    metrics = pd.concat([part["question_metrics"] for part in parts])
    summary = build_driver(EVALUATION).execute(["metric_summary"], overrides={"question_metrics": metrics})
    means = pd.DataFrame([part["duplicate_metrics"] for part in parts]).mean()
    merges = {str(name): float(mean) for name, mean in means.items()}
    return EvaluationReport(metrics, summary["metric_summary"], merges)


@dataclass
class Steps:
    """Counts what is done and tells it."""

    total: int
    progress: Progress | None
    done: int = 0

    def advance(self) -> None:
        self.done += 1
        if self.progress is not None:
            self.progress(self.done, self.total)


def _measured(persona: LabelledPersona, settings: dict[str, Any], steps: Steps) -> dict[str, Any]:
    service = RecallService.from_records(persona.records, **settings)
    answers: dict[str, RecallBundle] = {}
    for question in persona.questions:
        answers[question.qid] = service.recall(question.query, now=question.now)
        steps.advance()
    inputs = {
        "labelled_questions": list(persona.questions),
        "duplicate_labels": list(persona.duplicates),
        "answers": answers,
        "ranking_weights": service.config.weights,
        "deduplicated_timeline": service.timeline(_records(persona.records)),
    }
    service.close()
    measured: dict[str, Any] = build_driver(EVALUATION).execute(
        ["question_metrics", "duplicate_metrics"], inputs=inputs
    )
    return measured


def _records(path: Path) -> list[EvidenceRecord]:
    return [row for row in read_records(path, LOCAL_USER) if isinstance(row, EvidenceRecord)]


def compare(report: EvaluationReport, earlier: EvaluationReport) -> tuple[pd.DataFrame, pd.DataFrame]:
    """What changed since an earlier report: per metric with its significance, and question by question."""
    now, before = report.question_metrics, earlier.question_metrics
    return evaluation.metric_changes(now, before), evaluation.changed_questions(now, before)
