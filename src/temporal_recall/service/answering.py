"""Answers labelled people with a service, whole or up to the ranking; what a worker of an evaluation holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from hamilton import driver

from temporal_recall.adapters.records_file import read_records
from temporal_recall.dataflows import evaluation, ranking
from temporal_recall.dataflows.columns import Reals
from temporal_recall.dataflows.runs import Positions
from temporal_recall.schemas.errors import InvalidRequest
from temporal_recall.schemas.evaluation import AnsweredPersona, LabelledPersona, SavedPersona
from temporal_recall.schemas.evidence import EvidenceRecord
from temporal_recall.schemas.settings import RankingWeights
from temporal_recall.service.catalog import Flow
from temporal_recall.service.driver import build_driver
from temporal_recall.service.facade import LOCAL_USER, RecallService

_RANKING = Flow(
    name="ranking",
    meaning="The recall flow's ranking alone.",
    modules=(ranking,),
    outputs=("answer_places", "recall_score"),
)
_RANKING_INPUTS = ("context_plan", "search_ranges", "now", "source_settings", "user_snapshot", "limit")


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
        """The same up to the ranking, and of the ranking what weights do not reach."""
        given, unweighed = {}, {}
        with RecallService.from_records(persona.records, **self.settings) as service:
            for question in persona.questions:
                inputs = service.flow_inputs(question.query, now=question.now)
                values = service.driver.execute([*_unweighed(), "context_plan", "search_ranges"], inputs=inputs)
                given[question.qid] = {name: {**inputs, **values}[name] for name in _RANKING_INPUTS}
                unweighed[question.qid] = {name: values[name] for name in _unweighed()}
        judged = _judge().execute(
            ["event_grades", "judged_items"],
            inputs={"labelled_questions": list(persona.questions), "duplicate_labels": list(persona.duplicates)},
            overrides={"answered_items": _all_candidates(unweighed)},
        )
        return SavedPersona(persona, given, unweighed, judged["event_grades"], judged["judged_items"])

    def scores(self, saved: SavedPersona, weights: Sequence[RankingWeights]) -> pd.DataFrame:
        """The worth of each question's answer (columns, by qid) under each of the weights (rows, in their order)."""
        return pd.DataFrame([_worth(saved, tried) for tried in weights]).reset_index(drop=True)


def _all_candidates(unweighed: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """The items that each question ranks, as if the answer showed them all (see the node `answered_items`)."""
    told = ["source_ref", "merged_from"]
    parts = [values["candidate_timeline"][told].assign(query_id=qid) for qid, values in unweighed.items()]
    shown: pd.DataFrame = pd.concat(parts, ignore_index=True)
    return shown.assign(recall_score=np.nan)


def _worth(saved: SavedPersona, weights: RankingWeights) -> pd.Series:
    """The worth of each question's answer, by qid."""
    places, scores, above = [], [], 0
    for qid, given in saved.ranking_inputs.items():
        at, score = _shown(given, saved.unweighed[qid], weights)
        places.append(above + at)
        scores.append(score[at])
        above += len(score)
    shown = saved.judged_candidates.take(np.concatenate(places)).assign(recall_score=np.concatenate(scores))
    worth: pd.Series = _judge().execute(
        ["answer_worth"],
        inputs={"labelled_questions": list(saved.persona.questions), "ranking_weights": weights},
        overrides={"event_grades": saved.event_grades, "judged_items": shown},
    )["answer_worth"]
    return worth


def _shown(given: Mapping[str, Any], unweighed: Mapping[str, Any], weights: RankingWeights) -> tuple[Positions, Reals]:
    """Where among a question's candidates the items stand that its answer shows, best first, and the score of each."""
    inputs = {**given, "ranking_weights": weights}
    ranked = _ranker().execute(list(_RANKING.outputs), inputs=inputs, overrides=dict(unweighed))
    places, score = ranked["answer_places"], ranked["recall_score"]
    return places[score[places] >= weights.secondary_threshold][: given["limit"]], score


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
    return build_driver(_RANKING)


@cache
def _unweighed() -> tuple[str, ...]:
    """The values of ranking that weights do not reach, and what texts mean, which is too dear to find out anew.

    Weights choose but which texts are encoded where there are very many.
    """
    weighed = {node.name for node in _ranker().what_is_downstream_of("ranking_weights")}
    values = [node.name for node in _ranker().list_available_variables() if not node.is_external_input]
    return (*(name for name in values if name not in weighed), "topic_similarity")


@cache
def _judge() -> driver.Driver:
    return driver.Builder().with_modules(evaluation).build()
