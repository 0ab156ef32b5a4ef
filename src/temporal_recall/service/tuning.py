"""Searches the ranking weights that answer labelled questions best, and refuses a gain that may be chance.

Each question is read, extracted and merged once; a trial costs only the ranking. Trials are scored on every person, so
that a person held out is judged by the weights that the others would have chosen (leave one persona out).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from hamilton.execution.executors import TaskExecutor

from temporal_recall.dataflows.chance import mean_interval, sign_flip_p_value
from temporal_recall.schemas.errors import InvalidRequest
from temporal_recall.schemas.evaluation import LabelledPersona
from temporal_recall.schemas.settings import RankingWeights
from temporal_recall.service.answering import ServiceAnswering, checked_people
from temporal_recall.service.catalog import WEIGHT_TRIALS
from temporal_recall.service.executors import Progress, Steps, build_task_driver

if TYPE_CHECKING:
    import optuna

_STUDY = "ranking-weights"
_BATCH = 10
"""Weights that are tried side by side before the search learns from them; fixed, so that workers change no result."""


@dataclass(frozen=True)
class TuningResult:
    """What a search found.

    `weights` are the best of all trials; `gain` is the mean gain of held-out persons over the weights in use, between
    `low` and `high` (95 % bootstrap over questions); `is_accepted` says whether it is more than chance. `folds` tells
    of each held-out person (index `persona`): `default`, `fitted` (the best weights for all) and `held_out` (the best
    for everybody else).
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
    people: Sequence[LabelledPersona],
    *,
    trials: int = 300,
    seed: int = 0,
    study_path: Path | None = None,
    executor: TaskExecutor | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> TuningResult:
    """The best ranking weights for labelled people, cross-validated by person.

    Args:
        trials: how many weights to try in all, the weights in use being the first.
        seed: of the search; the same seed, trials and labels give the same result, on any executor.
        study_path: an SQLite file in which the search is kept and taken up again.
        executor: where people are read and weights are tried; this process when absent (see `executor_of`).
        progress: told how many of how many steps are done: a person read, or weights tried on all people.
        settings: keys of `RecallConfig` other than `sources`.

    Raises:
        InvalidRequest: two questions share a qid, or the study is one of other questions or other weights in use.
        ModuleNotFoundError: the extra `evaluation` is not installed.
    """
    answering = ServiceAnswering(settings)
    persona_by_question = pd.Series({q.qid: who.name for who in people for q in who.questions}, name="persona")
    study = _study(study_path, seed, answering.weights, persona_by_question.index)
    steps = Steps(len(people) + trials, progress)
    flow = build_task_driver(WEIGHT_TRIALS, executor)
    inputs = {"labelled_people": checked_people(people), "answering": answering}
    saved = flow.execute(["saved_people"], inputs=inputs)
    steps.advance(len(people))

    def scored(weights: list[RankingWeights]) -> pd.DataFrame:
        scores: pd.DataFrame = flow.execute(
            ["trial_scores"], inputs={"answering": answering, "tried_weights": weights}, overrides=saved
        )["trial_scores"]
        steps.advance(len(weights))
        return scores

    return _result(_searched(study, scored, answering.weights, trials), persona_by_question, answering.weights)


def _study(study_path: Path | None, seed: int, in_use: RankingWeights, qids: pd.Index) -> optuna.Study:
    """The study that a file holds, or a new one, whose first trial is of the weights in use."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(
        storage=None if study_path is None else f"sqlite:///{study_path}",
        study_name=_STUDY,
        load_if_exists=True,
        direction="maximize",
        sampler=optuna.samplers.TPESampler(seed=seed),
    )
    done = _finished(study)
    if not done:
        study.enqueue_trial({name: getattr(in_use, name) for name in tunable_ranges()})
    elif done[0].user_attrs["weights"] != in_use.model_dump_json() or {*done[0].user_attrs["scores"]} != {*qids}:
        raise InvalidRequest("study", str(study_path), "a study of these questions and of the weights in use")
    return study


def _searched(
    study: optuna.Study,
    scored: Callable[[list[RankingWeights]], pd.DataFrame],
    in_use: RankingWeights,
    trials: int,
) -> pd.DataFrame:
    """The worth of each question (columns) under the weights of each trial (rows; index the weights as JSON)."""
    ranges, missing = tunable_ranges(), max(0, trials - len(_finished(study)))
    for size in (min(_BATCH, missing - begun) for begun in range(0, missing, _BATCH)):
        asked = [study.ask() for _ in range(size)]
        tried = [
            in_use.model_copy(update={name: trial.suggest_float(name, *span) for name, span in ranges.items()})
            for trial in asked
        ]
        scores = scored(tried)
        for trial, weights, (_, row) in zip(asked, tried, scores.iterrows(), strict=True):
            trial.set_user_attr("weights", weights.model_dump_json())
            trial.set_user_attr("scores", row.to_dict())
            study.tell(trial, float(row.mean()))
    done = _finished(study)
    return pd.DataFrame([t.user_attrs["scores"] for t in done], index=[t.user_attrs["weights"] for t in done])


def _finished(study: optuna.Study) -> list[optuna.trial.FrozenTrial]:
    """The trials that were carried to their end; a run that was broken off may have left others."""
    from optuna.trial import TrialState

    return study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))


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
