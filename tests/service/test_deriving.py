"""Rows of the index: other rules write another version."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from listed_sources import USER_ID

from temporal_recall.adapters.records_file import read_records
from temporal_recall.schemas.evidence import EvidenceRecord
from temporal_recall.service.deriving import EXTRACTOR_VERSION, derived_rows

DATA = Path(__file__).resolve().parents[1] / "data"
WRITTEN = DATA / "derived_rows.json"
"""The version of the rules, and the fingerprint of what they write of the labelled people's records."""


def fingerprint() -> str:
    digest = hashlib.sha256()
    for path in sorted(DATA.glob("*/*/items.jsonl")):
        records = [row for row in read_records(path, USER_ID) if isinstance(row, EvidenceRecord)]
        rows = derived_rows(records).drop(columns="extractor_version")
        told = rows.to_json(orient="records", lines=True, date_format="iso", date_unit="us", double_precision=6)
        digest.update(told.encode())
    return digest.hexdigest()


def test_rules_that_write_other_rows_have_another_version() -> None:
    """Else an index keeps what the old rules wrote, and says that it is in step.

    Where this fails, raise `EXTRACTOR_VERSION` if it is that of a release, and write what is found into the file.
    """
    found = {"extractor_version": EXTRACTOR_VERSION, "sha256": fingerprint()}
    assert found == json.loads(WRITTEN.read_text(encoding="utf-8"))


def test_no_records_give_no_rows() -> None:
    assert derived_rows(()).empty
