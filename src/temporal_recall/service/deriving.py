"""Derives rows of the index from records: the nodes of the recall flow's timeline, on one shared driver."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import pandas as pd
from hamilton.driver import Driver

from temporal_recall.dataflows.evidence_frame import evidence_frame
from temporal_recall.dataflows.timeline import EXTRACTOR_VERSION
from temporal_recall.schemas.evidence import EvidenceRecord
from temporal_recall.schemas.timeline_index import INDEXED_TIMELINE
from temporal_recall.service.catalog import INDEXING
from temporal_recall.service.driver import build_driver

__all__ = ["EXTRACTOR_VERSION", "derived_rows"]


@cache
def _driver() -> Driver:
    return build_driver(INDEXING)


def derived_rows(records: Iterable[EvidenceRecord]) -> pd.DataFrame:
    """The rows of one user's records (contract `INDEXED_TIMELINE`); of several revisions the highest stands."""
    evidence, (name,) = evidence_frame(records), INDEXING.outputs
    if evidence.empty:  # a sync that finds nothing new is the usual one
        return INDEXED_TIMELINE.empty()
    rows: pd.DataFrame = _driver().execute([name], inputs={"evidence": evidence})[name]
    return rows
