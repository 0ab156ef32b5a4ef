"""What each of the main choices is worth: all labelled questions with it and without it, by paired bootstrap.

    python benchmarks/ablation.py [--persona FOLDER …] [--json]

Each question is read, extracted and merged once; then a node is overridden, or weights are set, that take one choice
away. Worth is the mean of a metric with the choice minus that without it, with its 95 % interval over questions.
"""

from __future__ import annotations

import argparse
import json
import os
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from hamilton import driver
from harness import surroundings

from temporal_recall import RecallService
from temporal_recall.adapters.labels_file import read_persona
from temporal_recall.adapters.sentence_encoder import UniversalSentenceEncoders
from temporal_recall.dataflows import evaluation
from temporal_recall.schemas.bundle import RecallBundle
from temporal_recall.schemas.evaluation import LabelledPersona
from temporal_recall.schemas.evidence import RequestLimits
from temporal_recall.schemas.settings import RankingWeights

PERSONAS = Path(__file__).resolve().parents[1] / "tests" / "data" / "personas"
METRICS = ("ndcg_at_10", "recall_at_50", "main_precision", "has_no_forbidden")
PLANNED = ("context_plan", "search_ranges", "source_outcomes", "timeline_columns")
MERGED = "deduplicated_columns"
SAVED = (*PLANNED, MERGED, "correction_pairs", "kind_match", "recall_bundle")
WHOLE = "everything"

Values = dict[str, Any]


@dataclass(frozen=True)
class Change:
    """What one variant gives to the flow in the place of its own."""

    inputs: Values = field(default_factory=dict)
    overrides: Values = field(default_factory=dict)


def weighed(**weights: float) -> Callable[[Values], Change]:
    """The variant with other weights."""
    return lambda _: Change(inputs={"ranking_weights": RankingWeights(**weights)})


def without_corrections(values: Values) -> Change:
    """What was moved or called off is joined only where it is alike anyway."""
    none = values["correction_pairs"].at(np.empty(0, dtype="int64"))
    return Change(overrides={MERGED: None, "correction_pairs": none})


def without_merging(values: Values) -> Change:
    """Each record is an item."""
    each_alone = np.arange(len(values["timeline_columns"]))
    return Change(overrides={MERGED: None, "duplicate_groups": each_alone})


def without_targets(values: Values) -> Change:
    """Every kind of item counts as asked for."""
    kind_match = values["kind_match"]
    return Change(overrides={"kind_match": np.ones(len(kind_match))})


def without_importance_filter(values: Values) -> Change:
    """「重要」 takes nothing away."""
    plan = values["context_plan"]
    filters = plan.filters.model_copy(update={"importance_min": None})
    return Change(overrides={"context_plan": plan.model_copy(update={"filters": filters})})


WITHOUT: dict[str, Callable[[Values], Change]] = {
    "soft time matching": weighed(
        wide_match=0.0,
        span_match=1.0,
        moved_match=0.0,
        told_match=1.0,
        undated_match=1.0,
        undated_half_life_days=0.001,
        overdue_half_life_days=365.0,
    ),
    "corrections": without_corrections,
    "merging": without_merging,
    "targets": without_targets,
    "importance filter": without_importance_filter,
    "importance factor": weighed(importance_floor=1.0),
}
"""Each choice, and what takes it away. Time is then matched hard: 1 in the core range, by telling where undated."""

WITH_EMBEDDINGS = {
    "embeddings": RankingWeights(),
    "embeddings, reaching far": RankingWeights(similarity_low=0.1, similarity_high=0.4),
}
"""Not in the default: their worth is that of adding them, with the calibration in use and with one that reaches far."""


def main() -> None:
    """Prints the figures, one a line or as one JSON object."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--persona", type=Path, nargs="+", default=sorted(p for p in PERSONAS.iterdir() if p.is_dir()))
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    figures = measured([read_persona(folder) for folder in chosen.persona])
    print(
        json.dumps(figures, ensure_ascii=False)
        if chosen.json
        else "\n".join(f"{name}: {figure}" for name, figure in figures.items())
    )


def measured(people: list[LabelledPersona]) -> dict[str, Any]:
    """The worth of each choice by metric, and the means of the whole."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        parts = list(pool.map(judged, people))
    metrics = {name: pd.concat([part[name] for part in parts]) for name in parts[0]}
    whole = metrics.pop(WHOLE)
    return {
        "people": len(people),
        "questions": len(whole),
        WHOLE: {metric: round(float(whole[metric].mean()), 3) for metric in METRICS},
        **{name: worth(*((m, whole) if name in WITH_EMBEDDINGS else (whole, m))) for name, m in metrics.items()},
        "surroundings": surroundings(),
    }


def judged(persona: LabelledPersona) -> dict[str, pd.DataFrame]:
    """The metrics of each question of one person, by variant."""
    answers: dict[str, dict[str, RecallBundle]] = defaultdict(dict)
    with RecallService.from_records(persona.records) as service:
        encoder = UniversalSentenceEncoders().for_request(persona.name, RequestLimits())
        for question in persona.questions:
            inputs = service.flow_inputs(question.query, now=question.now)
            values = service.driver.execute([*SAVED], inputs=inputs)
            answers[WHOLE][question.qid] = values["recall_bundle"]
            for name, change_of in WITHOUT.items():
                answers[name][question.qid] = answered(service, inputs, values, change_of(values))
            for name, weights in WITH_EMBEDDINGS.items():
                change = Change(inputs={"ranking_weights": weights, "sentence_encoder": encoder})
                answers[name][question.qid] = answered(service, inputs, values, change)
    judge = driver.Builder().with_modules(evaluation).build()
    told = {
        "labelled_questions": list(persona.questions),
        "duplicate_labels": list(persona.duplicates),
        "ranking_weights": RankingWeights(),
    }
    return {
        name: judge.execute(["question_metrics"], inputs={**told, "answers": given})["question_metrics"]
        for name, given in answers.items()
    }


def answered(service: RecallService, inputs: Values, values: Values, change: Change) -> RecallBundle:
    """The answer of a variant, from what comes before that which it changes; None stands for what it works out anew."""
    saved = {name: values[name] for name in (*PLANNED, MERGED)} | change.overrides
    overrides = {name: value for name, value in saved.items() if value is not None}
    bundle: RecallBundle = service.driver.execute(
        ["recall_bundle"], inputs={**inputs, **change.inputs}, overrides=overrides
    )["recall_bundle"]
    return bundle


def worth(having: pd.DataFrame, lacking: pd.DataFrame) -> dict[str, str]:
    """By metric: the mean gain, its interval, and over how many questions."""
    changes = evaluation.metric_changes(having, lacking).set_index("metric").loc[list(METRICS)]
    return {
        str(row.Index): f"{row.change:+.3f} ({row.low:+.3f} – {row.high:+.3f}), n {row.n}"
        for row in changes.itertuples()
    }


if __name__ == "__main__":
    main()
