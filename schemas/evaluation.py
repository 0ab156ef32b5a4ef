"""Labelled people and their questions: what a right answer holds and must not hold, and who gives the answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

import pandas as pd
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from temporal_recall.schemas.bundle import RecallBundle
from temporal_recall.schemas.plan import Range, TemporalMode
from temporal_recall.schemas.settings import RankingWeights


class _Label(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class LabelledQuestion(_Label):
    """A question asked at `now`, with the records that answer it.

    `relevant` grades record ids from 1 (bears on it) over 2 (belongs in the answer) to 3 (is the answer); none of
    grade 2 or more means that the right answer is empty. `must_not` are ids that would be wrong: stale times, what was
    called off, other days. A record id is what follows the last colon of a `source_ref`.
    """

    qid: str
    query: str
    now: AwareDatetime
    temporal_mode: TemporalMode
    time_range: Range | None = None
    relevant: dict[str, int] = Field(default_factory=dict)
    must_not: tuple[str, ...] = ()


class DuplicateLabel(_Label):
    """Records that tell of one event (`ids`), or two that look so and do not (`pair`).

    `link` `merge` says that the records are one item; `thread` that they belong together and may be one.
    """

    kind: Literal["same_event", "hard_negative"]
    link: Literal["merge", "thread"] = "merge"
    group_id: str = ""
    ids: tuple[str, ...] = ()
    pair: tuple[str, ...] = ()


@dataclass(frozen=True)
class LabelledPersona:
    """One person's records file with its labelled questions and, where there are any, its labelled duplicates."""

    name: str
    records: Path
    questions: tuple[LabelledQuestion, ...]
    duplicates: tuple[DuplicateLabel, ...] = ()


@dataclass(frozen=True)
class AnsweredPersona:
    """What one person's questions were answered with (by qid), and the timeline of all records, each event once."""

    answers: dict[str, RecallBundle]
    timeline: pd.DataFrame


@dataclass(frozen=True)
class SavedPersona:
    """One person's questions as ranking meets them.

    `ranking_inputs` and `unweighed` are by qid: what ranking is given, and what it makes of that whatever the weights.
    `judged_candidates` are the items that all questions rank, one question's below another's, as the labels judge them
    (see the node `judged_items`).
    """

    persona: LabelledPersona
    ranking_inputs: dict[str, dict[str, Any]]
    unweighed: dict[str, dict[str, Any]]
    event_grades: pd.DataFrame
    judged_candidates: pd.DataFrame


@dataclass(frozen=True)
class Weighing:
    """A few weights to be tried on one person's questions."""

    saved: SavedPersona
    weights: tuple[RankingWeights, ...]


@dataclass(frozen=True)
class PersonaMetrics:
    """How good one person's answers are: metrics of each question, and of the merging of duplicates."""

    question_metrics: pd.DataFrame
    duplicate_metrics: dict[str, float]


@runtime_checkable
class Answering(Protocol):
    """Answers a labelled person's questions; an adapter that workers can be sent."""

    @property
    def weights(self) -> RankingWeights:
        """The weights that rank the answers."""
        ...

    def answered(self, persona: LabelledPersona) -> AnsweredPersona:
        """All questions of one person, answered from the person's records file."""
        ...

    def saved(self, persona: LabelledPersona) -> SavedPersona:
        """The same up to the ranking, which is left to `scores`."""
        ...

    def scores(self, saved: SavedPersona, weights: Sequence[RankingWeights]) -> pd.DataFrame:
        """The worth of each question's answer (columns, by qid) under each of the weights (rows, in their order)."""
        ...
