"""Labelled people from their files: records, questions and duplicates as JSON lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from temporal_recall.schemas.errors import InvalidRequest
from temporal_recall.schemas.evaluation import DuplicateLabel, LabelledPersona, LabelledQuestion

Label = TypeVar("Label", bound=BaseModel)


def read_persona(folder: Path) -> LabelledPersona:
    """The person of a folder: `items.jsonl`, `queries.jsonl`, `gold_duplicates.jsonl`; raises as `persona_of`."""
    return persona_of(folder / "items.jsonl", folder / "queries.jsonl", folder / "gold_duplicates.jsonl")


def persona_of(records: Path, queries: Path, duplicates: Path | None = None) -> LabelledPersona:
    """The person of a records file and its label files, named after the records' folder.

    Raises:
        InvalidRequest: a label file cannot be read, or a line is no label; names file and line.
    """
    return LabelledPersona(
        name=records.parent.name,
        records=records,
        questions=tuple(_labels(queries, LabelledQuestion)),
        duplicates=tuple(_labels(duplicates, DuplicateLabel)) if duplicates else (),
    )


def _labels(path: Path, label: type[Label]) -> Iterator[Label]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidRequest("labels", str(path), "a readable file of JSON lines") from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield label.model_validate_json(line)
            except ValidationError as error:
                raise InvalidRequest("labels", f"{path.name}:{number}", f"one {label.__name__} a line") from error
