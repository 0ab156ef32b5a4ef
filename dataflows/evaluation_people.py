"""Many labelled people: each is answered and judged in a task of its own, then all questions are summed up together.

Between `labelled_persona` and `persona_metrics` the flow runs once a person, wherever the executor likes.
"""

from __future__ import annotations

import pandas as pd
from hamilton.htypes import Collect, Parallelizable

from temporal_recall.dataflows.chance import mean_interval
from temporal_recall.dataflows.evaluation import METRICS
from temporal_recall.schemas.bundle import RecallBundle
from temporal_recall.schemas.evaluation import (
    AnsweredPersona,
    Answering,
    DuplicateLabel,
    LabelledPersona,
    LabelledQuestion,
    PersonaMetrics,
)
from temporal_recall.schemas.settings import RankingWeights


def labelled_persona(labelled_people: list[LabelledPersona]) -> Parallelizable[LabelledPersona]:
    """One person with labels."""
    yield from labelled_people


def answered_persona(labelled_persona: LabelledPersona, answering: Answering) -> AnsweredPersona:
    """What the person's questions are answered with, and the timeline of all the person's records."""
    return answering.answered(labelled_persona)


def labelled_questions(labelled_persona: LabelledPersona) -> list[LabelledQuestion]:
    """The person's questions, in the order of the file."""
    return list(labelled_persona.questions)


def duplicate_labels(labelled_persona: LabelledPersona) -> list[DuplicateLabel]:
    """Which of the person's records tell of one event, and which only look so."""
    return list(labelled_persona.duplicates)


def answers(answered_persona: AnsweredPersona) -> dict[str, RecallBundle]:
    """The answer to each question, by qid."""
    return answered_persona.answers


def deduplicated_timeline(answered_persona: AnsweredPersona) -> pd.DataFrame:
    """The timeline of all the person's records in which each event stands once."""
    return answered_persona.timeline


def ranking_weights(answering: Answering) -> RankingWeights:
    """The weights that ranked the answers."""
    return answering.weights


def persona_metrics(question_metrics: pd.DataFrame, duplicate_metrics: dict[str, float]) -> PersonaMetrics:
    """How good the person's answers are."""
    return PersonaMetrics(question_metrics, duplicate_metrics)


def people_metrics(persona_metrics: Collect[PersonaMetrics]) -> list[PersonaMetrics]:
    """How good each person's answers are, in the order of the people."""
    return list(persona_metrics)


def people_question_metrics(people_metrics: list[PersonaMetrics]) -> pd.DataFrame:
    """`question_metrics` of all people, one below the other."""
    return pd.concat([metrics.question_metrics for metrics in people_metrics])


def people_summary(people_question_metrics: pd.DataFrame) -> pd.DataFrame:
    """The mean of each metric with a 95 % bootstrap interval over questions: of all, per mode and per kind.

    Returns:
        `slice` (`all`, `mode:…`, `kind:…`), `metric`, `mean`, `low`, `high`, `n` (questions to which it applies).
    """
    slices = {"all": people_question_metrics}
    slices |= {f"mode:{name}": part for name, part in people_question_metrics.groupby("mode", sort=True)}
    slices |= {f"kind:{name}": part for name, part in people_question_metrics.groupby("kind", sort=True)}
    rows = [
        (name, metric, *mean_interval(part[metric].dropna().to_numpy()), int(part[metric].count()))
        for name, part in slices.items()
        for metric in METRICS
        if part[metric].notna().any()
    ]
    return pd.DataFrame(rows, columns=["slice", "metric", "mean", "low", "high", "n"])


def people_duplicate_metrics(people_metrics: list[PersonaMetrics]) -> dict[str, float]:
    """`duplicate_metrics`, the mean over people."""
    means = pd.DataFrame([metrics.duplicate_metrics for metrics in people_metrics]).mean()
    return {str(name): float(mean) for name, mean in means.items()}
