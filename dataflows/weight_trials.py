"""Ranking weights tried on labelled people: each person is read and merged once, a trial costs only the ranking.

People are read, and then people × weights are tried, in tasks of their own, wherever the executor likes.
"""

from __future__ import annotations

import pandas as pd
from hamilton.htypes import Collect, Parallelizable

from temporal_recall.schemas.evaluation import Answering, LabelledPersona, SavedPersona, Weighing
from temporal_recall.schemas.settings import RankingWeights


def labelled_persona(labelled_people: list[LabelledPersona]) -> Parallelizable[LabelledPersona]:
    """One person with labels."""
    yield from labelled_people


def saved_persona(labelled_persona: LabelledPersona, answering: Answering) -> SavedPersona:
    """The person's questions as ranking meets them."""
    return answering.saved(labelled_persona)


def saved_people(saved_persona: Collect[SavedPersona]) -> list[SavedPersona]:
    """All people, in their order."""
    return list(saved_persona)


def weighing(saved_people: list[SavedPersona], tried_weights: list[RankingWeights]) -> Parallelizable[Weighing]:
    """One person, and the weights to try."""
    for saved in saved_people:
        yield Weighing(saved, tuple(tried_weights))


def persona_scores(weighing: Weighing, answering: Answering) -> pd.DataFrame:
    """The worth of each of the person's answers (columns, by qid) under each of the weights (rows)."""
    return answering.scores(weighing.saved, weighing.weights)


def trial_scores(persona_scores: Collect[pd.DataFrame]) -> pd.DataFrame:
    """The worth of all people's answers (columns, by qid) under each of the weights (rows, in their order)."""
    return pd.concat(list(persona_scores), axis=1)
