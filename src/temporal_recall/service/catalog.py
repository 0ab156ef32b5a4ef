"""The flow table: every dataflow of the project, its modules, variants and outputs.

Start reading here: driver, command line, diagrams and README take their lists from this table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import ModuleType

from temporal_recall.dataflows import (
    backfill,
    bundle,
    dedupe,
    evaluation,
    evaluation_people,
    index_reading,
    index_rows,
    planning,
    query_time,
    ranking,
    recap_projection,
    retrieval,
    timeline,
    weight_trials,
)

DEFAULT_SOURCES = ("meinput", "chat", "calendar", "memory_v2")
"""The sources that the committed diagrams show."""


@dataclass(frozen=True)
class Flow:
    """One dataflow: what it answers, the modules whose functions are its nodes, its outputs, and its configuration."""

    name: str
    meaning: str
    modules: tuple[ModuleType, ...]
    outputs: tuple[str, ...]
    config: Mapping[str, object] = field(default_factory=dict)


RECALL = Flow(
    name="recall",
    meaning="From a question and a person's sources to a ranked, grouped timeline with evidence.",
    modules=(query_time, planning, retrieval, timeline, dedupe, ranking, bundle),
    outputs=("recall_bundle", "source_outcomes"),
    config={"enabled_sources": DEFAULT_SOURCES},
)

_FROM_INDEX = (query_time, planning, retrieval, index_reading, dedupe, ranking, bundle)

RECALL_INDEX = Flow(
    name="recall_index",
    meaning="The same answer from the materialised timeline alone.",
    modules=_FROM_INDEX,
    outputs=RECALL.outputs,
    config={**RECALL.config, "timeline_from": "index"},
)

RECALL_INDEX_AND_LIVE = Flow(
    name="recall_index_and_live",
    meaning="The same answer from the materialised timeline, and live from what the sources recorded since.",
    modules=_FROM_INDEX,
    outputs=RECALL.outputs,
    config={**RECALL.config, "timeline_from": "index_and_live"},
)

RECALL_BY_MODE: Mapping[str, Flow] = {"live": RECALL, "index": RECALL_INDEX, "index_and_live": RECALL_INDEX_AND_LIVE}
"""The variants of the recall flow by the configuration's `index.mode`."""

INDEXING = Flow(
    name="indexing",
    meaning="From evidence to the rows that the materialised timeline keeps.",
    modules=(timeline, index_rows),
    outputs=("indexed_timeline",),
)

BACKFILL = Flow(
    name="backfill",
    meaning="From an export of many users' evidence to the rows of their timelines, slice by slice on any executor.",
    modules=(backfill, timeline, index_rows),
    outputs=("backfill_report",),
)

RECAP = Flow(
    name="recap",
    meaning="From a day's activity segments to lanes per device, a digest, and the messages for a model.",
    modules=(recap_projection,),
    outputs=("recap_projection", "recap_digest", "digest_hash", "knowledge_hash", "recap_messages"),
)

EVALUATION = Flow(
    name="evaluation",
    meaning="From labelled people to how good the answers are, person by person on any executor, and in summary.",
    modules=(evaluation_people, evaluation),
    outputs=("people_question_metrics", "people_summary", "people_duplicate_metrics"),
)

WEIGHT_TRIALS = Flow(
    name="weight_trials",
    meaning="From labelled people and weights to try to what each answer is worth under each, on any executor.",
    modules=(weight_trials,),
    outputs=("trial_scores",),
)

CATALOG: tuple[Flow, ...] = (
    RECALL,
    RECALL_INDEX,
    RECALL_INDEX_AND_LIVE,
    INDEXING,
    BACKFILL,
    RECAP,
    EVALUATION,
    WEIGHT_TRIALS,
)
