"""Answers labelled people with a service, whole or up to the ranking; what a worker of an evaluation holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pandas as pd
from hamilton import driver

from temporal_recall.adapters.records_file import read_records
from temporal_recall.dataflows import bundle, evaluation, ranking
from temporal_recall.schemas.bundle import RecallBundle
from temporal_recall.schemas.errors import InvalidRequest
from temporal_recall.schemas.evaluation import AnsweredPersona, LabelledPersona, SavedPersona
from temporal_recall.schemas.evidence import EvidenceRecord
from temporal_recall.schemas.settings import RankingWeights
from temporal_recall.service.catalog import Flow
from temporal_recall.service.driver import build_driver
from temporal_recall.service.facade import LOCAL_USER, RecallService

OBJECTIVE = {
    "ndcg_at_10": 1.0,
    "main_precision": 0.25,
    "main_recall": 0.25,
    "has_no_forbidden": 0.5,
    "is_empty_right": 0.5,
}
"""What a question is worth: the weighted mean of the metrics that apply to it."""

_BEFORE_RANKING = ("context_plan", "search_ranges", "source_outcomes")
_WEIGHED_BY_NOTHING = ("candidate_timeline", "current_status", "is_wanted", "topic_similarity")
"""What ranking works out itself, but the same under any weights."""
_RANKING_ALONE = Flow(
    name="ranking_alone",
    meaning="The recall flow from the ranking on.",
    modules=(ranking, bundle),
    outputs=("recall_bundle",),
)
_FROM_OUTSIDE = ("now", "time_zone", "source_settings", "user_snapshot", "limit", "explain")


@dataclass(frozen=True)
class ServiceAnswering:
    """Answers from a service over each person's records file, which every worker must be able to read.

    Args:
        settings: keys of `RecallConfig` other than `sources`, such as `weights` or `time_zone`.
    """

    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def weights(self) -> RankingWeights:
        """The weights that rank the answers."""
        weights: RankingWeights = self.settings.get("weights", RankingWeights())
        return weights

    def answered(self, persona: LabelledPersona) -> AnsweredPersona:
        """All questions of one person, answered from the person's records file."""
        with RecallService.from_records(persona.records, **self.settings) as service:
            answers = {q.qid: service.recall(q.query, now=q.now) for q in persona.questions}
            records = [row for row in read_records(persona.records, LOCAL_USER) if isinstance(row, EvidenceRecord)]
            return AnsweredPersona(answers, service.timeline(records))

    def saved(self, persona: LabelledPersona) -> SavedPersona:
        """The same up to the ranking."""
        with RecallService.from_records(persona.records, **self.settings) as service:
            inputs = {q.qid: service.flow_inputs(q.query, now=q.now) for q in persona.questions}
            saved = {
                qid: {
                    **service.driver.execute([*_BEFORE_RANKING, *_WEIGHED_BY_NOTHING], inputs=given),
                    **{name: given[name] for name in _FROM_OUTSIDE},
                }
                for qid, given in inputs.items()
            }
        return SavedPersona(persona, saved)

    def scores(self, saved: SavedPersona, weights: Sequence[RankingWeights]) -> pd.DataFrame:
        """The worth of each question's answer (columns, by qid) under each of the weights (rows, in their order)."""
        return pd.DataFrame([_worth(saved, tried) for tried in weights]).reset_index(drop=True)


def _worth(saved: SavedPersona, weights: RankingWeights) -> pd.Series:
    """The worth of each question's answer, by qid: the mean by `OBJECTIVE` of the metrics that apply to it."""
    inputs = {
        "labelled_questions": list(saved.persona.questions),
        "answers": {qid: _ranked(given, weights) for qid, given in saved.ranking_inputs.items()},
        "duplicate_labels": list(saved.persona.duplicates),
        "ranking_weights": weights,
    }
    metrics = _judge().execute(["question_metrics"], inputs=inputs)["question_metrics"][list(OBJECTIVE)]
    worth = pd.Series(OBJECTIVE)
    share: pd.Series = (metrics.fillna(0.0) @ worth) / (metrics.notna() @ worth)
    return share


def _ranked(given: Mapping[str, Any], weights: RankingWeights) -> RecallBundle:
    inputs = {name: value for name, value in given.items() if name not in _WEIGHED_BY_NOTHING}
    answer: RecallBundle = _ranker().execute(
        ["recall_bundle"],
        inputs={**inputs, "ranking_weights": weights},
        overrides={name: given[name] for name in _WEIGHED_BY_NOTHING},
    )["recall_bundle"]
    return answer


def checked_people(people: Sequence[LabelledPersona]) -> list[LabelledPersona]:
    """The people, each question of whom has a name of its own.

    Raises:
        InvalidRequest: two questions share a qid.
    """
    times = Counter(question.qid for persona in people for question in persona.questions)
    for qid, count in times.items():
        if count > 1:
            raise InvalidRequest("qid", qid, "one question, among all people")
    return list(people)


@cache
def _ranker() -> driver.Driver:
    return build_driver(_RANKING_ALONE)


@cache
def _judge() -> driver.Driver:
    return driver.Builder().with_modules(evaluation).build()
