"""The flow table: every dataflow of the project, its modules, variants and outputs.

Start reading here: driver, command line, diagrams and README take their lists from this table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import ModuleType

from temporal_recall.dataflows import (
    bundle,
    dedupe,
    planning,
    query_time,
    ranking,
    recap_projection,
    retrieval,
    timeline,
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

RECAP = Flow(
    name="recap",
    meaning="From a day's activity segments to lanes per device, a digest, and the messages for a model.",
    modules=(recap_projection,),
    outputs=("recap_projection", "recap_digest", "digest_hash", "knowledge_hash", "recap_messages"),
)

CATALOG: tuple[Flow, ...] = (RECALL, RECAP)
