"""The committed JSON Schemas are those of the models, and the specification's own examples validate against them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from temporal_recall.service.json_schemas import MODEL_BY_NAME, schema_texts, write_schemas

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"

SUBSTITUTIONS = {
    "start": "2026-09-01T00:00:00+08:00",
    "end": "2026-09-08T00:00:00+08:00",
    "timeline_item_id": "8a6e0804-2bd0-5672-b79d-d97027f9071a",
}
"""What stands in the place of the documents' `...`, by key. A choice `"a | b"` takes its first value."""


def test_committed_schemas_are_those_of_the_models() -> None:
    """`python -m temporal_recall.service.json_schemas` writes them anew."""
    committed = {path.name: path.read_text(encoding="utf-8") for path in SCHEMAS.glob("*.schema.json")}
    assert committed == schema_texts()


def test_schemas_are_written(tmp_path: Path) -> None:
    write_schemas(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == set(schema_texts())


@pytest.mark.parametrize("name", MODEL_BY_NAME)
def test_each_schema_is_one(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(schema_texts()[f"{name}.schema.json"]))


def _examples(document: Path) -> Iterator[Any]:
    """The JSON blocks of a document, with its shorthands filled in."""
    for block in re.findall(r"```json\n(.*?)```", document.read_text(encoding="utf-8"), flags=re.DOTALL):
        yield _filled(json.loads(re.sub(r"\{ \"\.\.\..*?\" \}", "{}", block)))


def _filled(value: Any, key: str = "") -> Any:
    match value:
        case dict():
            return {k: _filled(v, k) for k, v in value.items()}
        case list():
            return [_filled(v, key) for v in value]
        case "...":
            return SUBSTITUTIONS[key]
        case str():
            return value.split(" | ")[0]
    return value


EXAMPLES = [
    ("000_*.txt", 0, "context-plan"),
    ("000_*.txt", 1, "timeline-item"),
    ("004_*.txt", 0, "recall-request"),
    ("004_*.txt", 1, "recall-request"),
    ("004_*.txt", 2, "recall-response"),
]


@pytest.mark.parametrize(("document", "position", "name"), EXAMPLES)
def test_the_documents_examples_validate(shared: Path, document: str, position: int, name: str) -> None:
    (path,) = (shared / "spec").glob(document)
    example = list(_examples(path))[position]
    jsonschema.validate(example, json.loads(schema_texts()[f"{name}.schema.json"]))
    MODEL_BY_NAME[name].model_validate(example)


def test_no_example_is_forgotten(shared: Path) -> None:
    """All but the answer of `info`, which is the HTTP face's own."""
    found = sum(len(list(_examples(path))) for path in (shared / "spec").glob("*.txt"))
    assert found == len(EXAMPLES) + 1
