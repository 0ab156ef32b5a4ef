"""What many people's questions come to."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from temporal_recall.dataflows.evaluation import METRICS
from temporal_recall.dataflows.evaluation_people import (
    people_duplicate_metrics,
    people_question_metrics,
    people_summary,
)
from temporal_recall.schemas.evaluation import PersonaMetrics


def metrics(qid: str, ndcg: float, f1: float) -> PersonaMetrics:
    plain = dict.fromkeys(METRICS, np.nan) | {"query": "？", "mode": "OCCURRED_IN", "kind": "open", "ndcg_at_10": ndcg}
    return PersonaMetrics(pd.DataFrame(plain, index=pd.Index([qid], name="qid")), {"f1": f1})


PEOPLE = [metrics("q0", 0.0, 0.5), *(metrics(f"q{n}", 1.0, 0.8) for n in range(1, 4))]


def test_each_slice_states_its_n_and_an_interval_around_the_mean() -> None:
    summary = people_summary(people_question_metrics(PEOPLE)).set_index("slice")
    assert summary.index.tolist() == ["all", "mode:OCCURRED_IN", "kind:open"]
    overall = summary.loc["all"]
    assert (overall["metric"], overall["n"], overall["mean"]) == ("ndcg_at_10", 4, 0.75)
    assert overall["low"] <= 0.75 <= overall["high"]


def test_merging_is_the_mean_over_people() -> None:
    assert people_duplicate_metrics(PEOPLE) == {"f1": pytest.approx(0.725)}
