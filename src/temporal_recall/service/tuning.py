"""Searches the ranking weights that answer labelled questions best, and refuses a gain that may be chance.

Each question is read, extracted and merged once; a trial costs only the ranking. Trials are scored on every person, so
that a person held out is judged by the weights that the others would have chosen (leave one persona out).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from hamilton import driver

from temporal_recall.dataflows import bundle, ranking
from temporal_recall.dataflows.chance import mean_interval, sign_flip_p_value
from temporal_recall.schemas.settings import RankingWeights
from temporal_recall.service.catalog import EVALUATION
from temporal_recall.service.driver import build_driver
from temporal_recall.service.evaluating import LabelledPersona, Progress, Steps
from temporal_recall.service.facade import RecallService

OBJECTIVE = {
    "ndcg_at_10": 1.0,
    "main_precision": 0.25,
    "main_recall": 0.25,
    "has_no_forbidden": 0.5,
    "is_empty_right": 0.5,
}
"""What a question is worth: the weighted mean of the metrics that apply to it."""

_SAVED = ("context_plan", "search_ranges", "unmerged_timeline", "deduplicated_timeline")
_FROM_OUTSIDE = ("now", "time_zone", "source_settings", "user_snapshot", "limit", "explain")
_LIMIT = 50
_STUDY = "ranking-weights"


@dataclass(frozen=True)
class SavedQuestion:
    """One question as ranking meets it: what ranking takes from the nodes before it and from outside."""

    persona: str
    qid: str
    inputs: dict[str, Any]


@dataclass(frozen=True)
class TuningResult:
    """What a search found.

    `weights` are the best of all trials; `gain` is the mean gain of held-out persons over the weights in use, between
    `low` and `high` (95 % bootstrap over questions); `is_accepted` says whether it is more than chance. `folds` tells
    of each held-out person: `default`, `fitted` (weights chosen with him) and `held_out` (chosen without him).
    """

    weights: RankingWeights
    gain: float
    low: float
    high: float
    p_value: float
    is_accepted: bool
    folds: pd.DataFrame
    trials: pd.DataFrame


def tunable_ranges() -> dict[str, tuple[float, float]]:
    """The weights that may be tuned, with the declared range of each (see the fields of `RankingWeights`)."""
    declared = {name: field.json_schema_extra for name, field in RankingWeights.model_fields.items()}
    ranges: dict[str, Any] = {
        name: extra.get("tuned_between") for name, extra in declared.items() if isinstance(extra, dict)
    }
    return {name: (low, high) for name, (low, high) in ranges.items()}


def tune(
    personas: Sequence[LabelledPersona],
    *,
    trials: int = 300,
    seed: int = 0,
    study_path: Path | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> TuningResult:
    """The best ranking weights for labelled persons, cross-validated by person.

    Args:
        trials: how many weights to try in all, the weights in use being the first.
        seed: of the search; the same seed, trials and labels give the same result.
        study_path: an SQLite file in which the search is kept and taken up again.
        progress: told after each question read and after each trial.
        settings: keys of `RecallConfig` other than `sources`.

    Raises:
        ModuleNotFoundError: the extra `evaluation` is not installed.
    """
    in_use = settings.get("weights", RankingWeights())
    steps = Steps(sum(len(p.questions) for p in personas) + trials, progress)
    saved = [question for persona in personas for question in _saved_questions(persona, settings, steps)]
    bench = _Bench(personas, saved)
    scores = _searched(bench, in_use, trials, seed, study_path, steps)
    return _result(scores, bench.persona_by_question, in_use)


def _saved_questions(persona: LabelledPersona, settings: dict[str, Any], steps: Steps) -> Iterator[SavedQuestion]:
    service = RecallService.from_records(persona.records, **settings)
    for question in persona.questions:
        inputs = service.flow_inputs(question.query, now=question.now, limit=_LIMIT)
        values = service.driver.execute([*_SAVED, "source_outcomes"], inputs=inputs)
        yield SavedQuestion(persona.name, question.qid, {**values, **{name: inputs[name] for name in _FROM_OUTSIDE}})
        steps.advance()
    service.close()


@dataclass
class _Bench:
    """Ranks every saved question with given weights and scores the answers."""

    personas: Sequence[LabelledPersona]
    saved: Sequence[SavedQuestion]
    ranker: driver.Driver = field(init=False)
    judge: driver.Driver = field(init=False)

    def __post_init__(self) -> None:
        self.ranker = driver.Builder().with_modules(ranking, bundle).build()
        self.judge = build_driver(EVALUATION)

    @property
    def persona_by_question(self) -> pd.Series:
        return pd.Series({question.qid: question.persona for question in self.saved})

    def scores(self, weights: RankingWeights) -> pd.Series:
        """The worth of each question's answer, by qid."""
        answers = {question.qid: self._answer(question, weights) for question in self.saved}
        inputs = {
            "labelled_questions": [q for p in self.personas for q in p.questions],
            "duplicate_labels": [d for p in self.personas for d in p.duplicates],
            "answers": answers,
            "ranking_weights": weights,
        }
        metrics = self.judge.execute(["question_metrics"], inputs=inputs)["question_metrics"]
        worth = pd.Series(OBJECTIVE)
        applies = metrics[list(OBJECTIVE)].notna()
        share: pd.Series = (metrics[list(OBJECTIVE)].fillna(0.0) @ worth) / (applies @ worth)
        return share

    def _answer(self, question: SavedQuestion, weights: RankingWeights) -> Any:
        inputs = {**question.inputs, "ranking_weights": weights}
        return self.ranker.execute(["recall_bundle"], inputs=inputs)["recall_bundle"]


def _searched(
    bench: _Bench, in_use: RankingWeights, trials: int, seed: int, study_path: Path | None, steps: Steps
) -> pd.DataFrame:
    """The worth of each question (columns) under the weights of each trial (rows; index the weights as JSON)."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    ranges = tunable_ranges()
    storage = None if study_path is None else f"sqlite:///{study_path}"
    study = optuna.create_study(
        storage=storage,
        study_name=_STUDY,
        load_if_exists=True,
        direction="maximize",
        sampler=optuna.samplers.TPESampler(seed=seed),
    )
    missing = max(0, trials - len(study.trials))
    if not study.trials:
        study.enqueue_trial({name: getattr(in_use, name) for name in ranges})

    def objective(trial: optuna.Trial) -> float:
        tried = {name: trial.suggest_float(name, low, high) for name, (low, high) in ranges.items()}
        weights = in_use.model_copy(update=tried)
        scores = bench.scores(weights)
        trial.set_user_attr("weights", weights.model_dump_json())
        trial.set_user_attr("scores", scores.to_dict())
        steps.advance()
        return float(scores.mean())

    study.optimize(objective, n_trials=missing)
    done = [t for t in study.trials if "scores" in t.user_attrs]
    return pd.DataFrame([t.user_attrs["scores"] for t in done], index=[t.user_attrs["weights"] for t in done])


def _result(scores: pd.DataFrame, persona_by_question: pd.Series, in_use: RankingWeights) -> TuningResult:
    """Judges the search: the first row of `scores` is that of the weights in use."""
    default = scores.iloc[0]
    held_out = _held_out_scores(scores, persona_by_question)
    best = int(scores.mean(axis=1).to_numpy().argmax())
    differences = (held_out - default).to_numpy(dtype=np.float64)
    gain, low, high = mean_interval(differences)
    folds = pd.DataFrame({"default": default, "fitted": scores.iloc[best], "held_out": held_out})
    is_accepted = low > 0
    return TuningResult(
        weights=RankingWeights.model_validate_json(str(scores.index[best])) if is_accepted else in_use,
        gain=gain,
        low=low,
        high=high,
        p_value=sign_flip_p_value(differences),
        is_accepted=is_accepted,
        folds=folds.groupby(persona_by_question).mean(),
        trials=scores.mean(axis=1).rename("score").rename_axis("weights").reset_index(),
    )


def _held_out_scores(scores: pd.DataFrame, persona_by_question: pd.Series) -> pd.Series:
    """The worth of each question under the weights that are best for everybody else."""
    parts = []
    for persona in persona_by_question.unique():
        own = persona_by_question.index[persona_by_question == persona]
        others = scores.drop(columns=own)
        chosen = int(others.mean(axis=1).to_numpy().argmax()) if len(others.columns) else 0
        parts.append(scores.iloc[chosen][own])
    held_out: pd.Series = pd.concat(parts).reindex(scores.columns)
    return held_out


def write_weights(weights: RankingWeights, path: Path) -> None:
    """Writes the weights file that a configuration names as `weights_file`."""
    path.write_text(weights.model_dump_json(indent=2) + "\n", encoding="utf-8")
