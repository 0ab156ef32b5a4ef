"""How good answers are: labelled questions against bundles, question by question, and in summary.

Records that tell of one event count as one; an event is found when any of its records is. Metrics are those of
`ir-measures` (extra `evaluation`), with gains of 1, 3 and 7 for grades 1 to 3.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import combinations

import numpy as np
import pandas as pd

from temporal_recall.dataflows.chance import CONFIDENCE, mean_interval, sign_flip_p_value
from temporal_recall.schemas.bundle import RecallBundle
from temporal_recall.schemas.evaluation import DuplicateLabel, LabelledQuestion
from temporal_recall.schemas.plan import Range
from temporal_recall.schemas.settings import RankingWeights

METRICS = (
    "ndcg_at_10",
    "recall_at_50",
    "main_precision",
    "main_recall",
    "has_no_forbidden",
    "is_empty_right",
    "is_mode_right",
    "is_range_right",
)
"""What is measured of each question; a metric that does not apply to a question is NaN."""

OBJECTIVE = {
    "ndcg_at_10": 1.0,
    "main_precision": 0.25,
    "main_recall": 0.25,
    "has_no_forbidden": 0.5,
    "is_empty_right": 0.5,
}
"""What an answer is worth: the weighted mean of the metrics that apply to its question."""

_WANTED_GRADE = 2


def event_by_record(duplicate_labels: list[DuplicateLabel]) -> dict[str, str]:
    """The event of each record that shares one with others, by record id."""
    return {i: label.group_id for label in duplicate_labels if label.kind == "same_event" for i in label.ids}


def event_grades(labelled_questions: list[LabelledQuestion], event_by_record: dict[str, str]) -> pd.DataFrame:
    """The grade of each event for each question: `query_id`, `doc_id`, `relevance` (the best of its records)."""
    rows = [(q.qid, event_by_record.get(i, i), g) for q in labelled_questions for i, g in q.relevant.items()]
    grades = pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"]).astype({"relevance": "int64"})
    return grades.groupby(["query_id", "doc_id"], as_index=False, sort=True)[["relevance"]].max()


def answered_items(labelled_questions: list[LabelledQuestion], answers: dict[str, RecallBundle]) -> pd.DataFrame:
    """The items that each answer shows, best first.

    Returns:
        One row per question and item: `query_id`, `source_ref`, `merged_from`, `recall_score`. A question without an
        answer has no row.
    """
    rows = [
        (question.qid, item.source_ref, item.merged_from, item.recall_score)
        for question in labelled_questions
        for item in (answers[question.qid].items if question.qid in answers else ())
    ]
    return pd.DataFrame(rows, columns=["query_id", "source_ref", "merged_from", "recall_score"])


def judged_items(
    answered_items: pd.DataFrame,
    labelled_questions: list[LabelledQuestion],
    event_by_record: dict[str, str],
    event_grades: pd.DataFrame,
) -> pd.DataFrame:
    """What the labels say of each item for its question; same rows and order.

    A forbidden record may stand as the lead of an event that belongs in the answer.

    Returns:
        `query_id`, `doc_id` (the event that the item shows), `relevance` (its grade, 0 where it has none),
        `is_forbidden`, `recall_score`.
    """
    grades = _grades_by_question(event_grades)
    must_not = {question.qid: set(question.must_not) for question in labelled_questions}
    rows = []
    for qid, ref, merged in answered_items[["query_id", "source_ref", "merged_from"]].itertuples(index=False):
        events = _events_shown(ref, merged, event_by_record)
        shown = next((event for event in events if event in grades[qid]), events[0])
        is_wanted = grades[qid].get(events[0], 0) >= _WANTED_GRADE
        is_forbidden = _record_id(ref) in must_not[qid] and not is_wanted
        rows.append((qid, shown, grades[qid].get(shown, 0), is_forbidden))
    judged = pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance", "is_forbidden"])
    return judged.astype({"relevance": "int64", "is_forbidden": "bool"}).assign(
        recall_score=answered_items["recall_score"].to_numpy(dtype="float64")
    )


def _grades_by_question(event_grades: pd.DataFrame) -> dict[str, dict[str, int]]:
    """The graded events of each question; none of any other."""
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for qid, event, grade in zip(*(event_grades[name].tolist() for name in event_grades), strict=True):
        grades[qid][event] = grade
    return grades


def _events_shown(source_ref: str, merged_from: Iterable[str], events: Mapping[str, str]) -> list[str]:
    """The events of an item's records, its lead's first."""
    records = [_record_id(source_ref), *sorted(_record_id(ref) for ref in merged_from)]
    return [events.get(record, record) for record in records]


def _record_id(source_ref: str) -> str:
    return source_ref.rsplit(":", 1)[-1]


def answered_events(judged_items: pd.DataFrame) -> pd.DataFrame:
    """The events that each answer shows, best first, each once.

    Returns:
        The rows of `judged_items` that show an event first in their answer, and `rank` (from 0).
    """
    shown = judged_items.drop_duplicates(["query_id", "doc_id"])
    return shown.assign(rank=shown.groupby("query_id").cumcount()).reset_index(drop=True)


def ranking_metrics(
    labelled_questions: list[LabelledQuestion], event_grades: pd.DataFrame, answered_events: pd.DataFrame
) -> pd.DataFrame:
    """`ndcg_at_10` and `recall_at_50` of each question that has an answer, index `qid`."""
    import ir_measures

    measures = {
        ir_measures.nDCG(gains={1: 1, 2: 3, 3: 7}) @ 10: "ndcg_at_10",
        ir_measures.R(rel=_WANTED_GRADE) @ 50: "recall_at_50",
    }
    # as mappings: a frame would be walked row by row
    run: dict[str, dict[str, float]] = defaultdict(dict)
    shown = answered_events[["query_id", "doc_id", "rank"]]
    for qid, event, rank in zip(*(shown[name].tolist() for name in shown), strict=True):
        run[qid][event] = -float(rank)
    found: dict[str, dict[str, float]] = {qid: {} for qid in _answerable(labelled_questions)}
    for measured in ir_measures.iter_calc(list(measures), _grades_by_question(event_grades), run):
        if measured.query_id in found:
            found[measured.query_id][measures[measured.measure]] = measured.value
    return pd.DataFrame.from_dict(found, orient="index", columns=list(measures.values()), dtype="float64")


def _answerable(questions: Sequence[LabelledQuestion]) -> list[str]:
    return [q.qid for q in questions if any(grade >= _WANTED_GRADE for grade in q.relevant.values())]


def tier_metrics(
    labelled_questions: list[LabelledQuestion],
    event_grades: pd.DataFrame,
    answered_events: pd.DataFrame,
    ranking_weights: RankingWeights,
) -> pd.DataFrame:
    """What the main tier holds of each question, index `qid`.

    Returns:
        `main_precision` (share of the tier that bears on the question; NaN for an empty tier), `main_recall` (share of
        what belongs in the answer that stands in it), `is_empty_right` (where nothing answers: nothing stands in it).
    """
    main = answered_events[answered_events["recall_score"].ge(ranking_weights.main_threshold)]
    is_bearing, is_wanted = (main["relevance"].ge(grade).groupby(main["query_id"]) for grade in (1, _WANTED_GRADE))
    wanted = event_grades[event_grades["relevance"].ge(_WANTED_GRADE)].groupby("query_id").size()
    qids, answerable = [q.qid for q in labelled_questions], _answerable(labelled_questions)
    return pd.DataFrame(
        {
            "main_precision": is_bearing.mean().reindex(answerable).reindex(qids),
            "main_recall": (is_wanted.sum().reindex(answerable).fillna(0) / wanted).reindex(qids),
            "is_empty_right": (~pd.Series(qids, qids).isin(main["query_id"]))
            .astype("float64")
            .drop(answerable)
            .reindex(qids),
        }
    )


def plan_metrics(labelled_questions: list[LabelledQuestion], answers: dict[str, RecallBundle]) -> pd.DataFrame:
    """Whether mode and range of each answer are right (1 or 0), index `qid`; no range is judged where none is asked."""
    rows = {
        q.qid: (_is_mode_right(q, answers.get(q.qid)), _is_range_right(q, answers.get(q.qid)))
        for q in labelled_questions
    }
    return pd.DataFrame.from_dict(rows, orient="index", columns=["is_mode_right", "is_range_right"], dtype="float64")


def _is_mode_right(question: LabelledQuestion, answer: RecallBundle | None) -> float:
    return float(answer is not None and answer.temporal_mode == question.temporal_mode)


def _is_range_right(question: LabelledQuestion, answer: RecallBundle | None) -> float:
    if question.time_range is None:
        return np.nan
    got = answer.time_range if answer is not None else None
    return float(got is not None and _same_range(got, question.time_range, question.now))


def _same_range(got: Range, want: Range, now: datetime) -> bool:
    """Equal, where a bound at `now` stands for the start of that day on the left and for its end on the right."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    starts = [midnight if bound == now else bound for bound in (got.start, want.start)]
    ends = [midnight + timedelta(days=1) if bound == now else bound for bound in (got.end, want.end)]
    return starts[0] == starts[1] and ends[0] == ends[1]


def forbidden_metrics(labelled_questions: list[LabelledQuestion], judged_items: pd.DataFrame) -> pd.DataFrame:
    """Whether each answer shows nothing that it must not (`has_no_forbidden`, 1 or 0), index `qid`."""
    wrong = set(judged_items["query_id"][judged_items["is_forbidden"]])
    clean = {q.qid: float(q.qid not in wrong) for q in labelled_questions}
    return pd.DataFrame({"has_no_forbidden": clean}, dtype="float64")


def answer_worth(
    ranking_metrics: pd.DataFrame, tier_metrics: pd.DataFrame, forbidden_metrics: pd.DataFrame
) -> pd.Series:
    """What each answer is worth (see `OBJECTIVE`), in [0, 1], index `qid`."""
    metrics, weights = forbidden_metrics.join([ranking_metrics, tier_metrics])[list(OBJECTIVE)], pd.Series(OBJECTIVE)
    worth: pd.Series = (metrics.fillna(0.0) @ weights) / (metrics.notna() @ weights)
    return worth.rename("answer_worth")


def question_metrics(
    labelled_questions: list[LabelledQuestion],
    answers: dict[str, RecallBundle],
    ranking_metrics: pd.DataFrame,
    tier_metrics: pd.DataFrame,
    plan_metrics: pd.DataFrame,
    forbidden_metrics: pd.DataFrame,
) -> pd.DataFrame:
    """All metrics of each question, index `qid` in the order of the labels.

    Returns:
        `query`, `mode` (as labelled), `kind` (`empty` where nothing answers, `untimed` without a range, `subject`
        where the plan names topics or people, else `open`), then `METRICS`.
    """
    told = [(q.qid, q.query, q.temporal_mode, _kind(q, answers.get(q.qid))) for q in labelled_questions]
    labels = pd.DataFrame(told, columns=["qid", "query", "mode", "kind"]).set_index("qid")
    return labels.join([ranking_metrics, tier_metrics, plan_metrics, forbidden_metrics])[
        ["query", "mode", "kind", *METRICS]
    ]


def _kind(question: LabelledQuestion, answer: RecallBundle | None) -> str:
    if not any(grade >= _WANTED_GRADE for grade in question.relevant.values()):
        return "empty"
    if question.time_range is None:
        return "untimed"
    return "subject" if answer is not None and (answer.plan.topics or answer.plan.people) else "open"


def duplicate_metrics(deduplicated_timeline: pd.DataFrame, duplicate_labels: list[DuplicateLabel]) -> dict[str, float]:
    """How well merging agrees with the labels, over pairs of records.

    Returns:
        `precision`, `recall` and `f1` of merged pairs (pairs of a `thread` count neither way), and
        `hard_negatives_apart` (share of the pairs that look like one event and are not); NaN where nothing is labelled.
    """
    merged = {pair for refs in deduplicated_timeline["merged_from"] for pair in _pairs(map(_record_id, refs))}
    same = [label for label in duplicate_labels if label.kind == "same_event"]
    truth = {pair for label in same if label.link == "merge" for pair in _pairs(label.ids)}
    judged = merged - {pair for label in same if label.link == "thread" for pair in _pairs(label.ids)}
    hard = {frozenset(label.pair) for label in duplicate_labels if label.kind == "hard_negative"}
    precision, recall = _share(judged & truth, judged), _share(judged & truth, truth)
    f1 = 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
    return {"precision": precision, "recall": recall, "f1": f1, "hard_negatives_apart": _share(hard - merged, hard)}


def _pairs(ids: Iterable[str]) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in combinations(sorted(set(ids)), 2)}


def _share(part: set[frozenset[str]], whole: set[frozenset[str]]) -> float:
    return len(part) / len(whole) if whole else float("nan")


def metric_changes(question_metrics: pd.DataFrame, earlier_metrics: pd.DataFrame) -> pd.DataFrame:
    """What changed between two runs over the same questions, and whether it is more than chance.

    Returns:
        One row per metric: `change` (mean of now minus before), `low`, `high` (95 % paired bootstrap), `p_value`
        (two-sided sign-flip test), `n` (questions in both), `is_significant` (p below 0.05).
    """
    rows = [(metric, *_change(question_metrics[metric], earlier_metrics[metric])) for metric in METRICS]
    changes = pd.DataFrame(rows, columns=["metric", "change", "low", "high", "p_value", "n"]).dropna(subset=["change"])
    return changes.assign(is_significant=changes["p_value"].lt(1 - CONFIDENCE)).reset_index(drop=True)


def _change(now: pd.Series, before: pd.Series) -> tuple[float, float, float, float, int]:
    differences = (now - before).dropna().to_numpy(dtype=np.float64)
    if not len(differences):
        return (np.nan, np.nan, np.nan, np.nan, 0)
    return (*mean_interval(differences), sign_flip_p_value(differences), len(differences))


def changed_questions(question_metrics: pd.DataFrame, earlier_metrics: pd.DataFrame) -> pd.DataFrame:
    """The questions whose metrics differ between two runs, worst loss first.

    Returns:
        One row per question and metric that changed: `qid`, `query`, `metric`, `before`, `now`.
    """
    long = {
        name: frame.reset_index().melt(["qid", "query"], list(METRICS), "metric", name)
        for name, frame in (("now", question_metrics), ("before", earlier_metrics))
    }
    both = long["before"].merge(long["now"].drop(columns="query"), on=["qid", "metric"])
    both = both.assign(change=both["now"] - both["before"])
    moved = both[both["change"].abs().gt(1e-9)].sort_values(["change", "qid", "metric"], kind="stable")
    return moved[["qid", "query", "metric", "before", "now"]].reset_index(drop=True)
