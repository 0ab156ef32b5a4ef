"""The JSON Schemas in `schemas/`, made from the models by `python -m temporal_recall.service.json_schemas`."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import BaseModel

import temporal_recall.schemas
from temporal_recall.schemas.bundle import RecallBundle, RecallRequest, TimelineItem
from temporal_recall.schemas.evidence import EvidenceRecord, RecordIssue
from temporal_recall.schemas.hints import SemanticHints
from temporal_recall.schemas.plan import ContextPlan
from temporal_recall.schemas.recap import RecapOut
from temporal_recall.schemas.recap_settings import PrivacySettings, ProjectionSettings
from temporal_recall.schemas.settings import DedupeSettings, RankingWeights, RetrievalWindows, SourceSettings
from temporal_recall.schemas.user import UserSnapshot

MODEL_BY_NAME: dict[str, type[BaseModel]] = {
    "context-plan": ContextPlan,
    "timeline-item": TimelineItem,
    "recall-request": RecallRequest,
    "recall-response": RecallBundle,
    "evidence-record": EvidenceRecord,
    "record-issue": RecordIssue,
    "source-settings": SourceSettings,
    "retrieval-windows": RetrievalWindows,
    "dedupe-settings": DedupeSettings,
    "ranking-weights": RankingWeights,
    "user-snapshot": UserSnapshot,
    "semantic-hints": SemanticHints,
    "recap-response": RecapOut,
    "recap-projection-settings": ProjectionSettings,
    "recap-privacy-settings": PrivacySettings,
}
"""The models that cross a seam, under the names that the specification gives their schemas."""

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_texts() -> dict[str, str]:
    """The text of each schema file by its file name; ends in a newline."""
    return {
        f"{name}.schema.json": json.dumps(
            {"$schema": DIALECT, **model.model_json_schema()}, ensure_ascii=False, indent=2
        )
        + "\n"
        for name, model in MODEL_BY_NAME.items()
    }


def write_schemas(folder: Path) -> None:
    """Writes every schema file into `folder`."""
    for name, text in schema_texts().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_schemas(Path(temporal_recall.schemas.__file__).parent)
