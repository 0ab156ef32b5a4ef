"""The materialised timeline in tests: a store in each database, and rows read from plain sentences."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import sqlalchemy as sa
from listed_sources import NOW, USER_ID

from temporal_recall.schemas.evidence import EvidenceRecord, SearchWindow
from temporal_recall.schemas.timeline_index import IndexBatch, IndexWindow
from temporal_recall.service.deriving import derived_rows

A_YEAR = SearchWindow("observed", NOW - timedelta(days=365), NOW)
A_YEAR_OF_EVENTS = SearchWindow("event", NOW - timedelta(days=365), NOW + timedelta(days=365))


def window(
    observed: SearchWindow | None = A_YEAR, event: SearchWindow | None = None, *, row_cap: int = 1000
) -> IndexWindow:
    return IndexWindow(USER_ID, NOW, observed, event, row_cap)


def rows_of(*records: EvidenceRecord, **changes: Any) -> IndexBatch:
    """A batch with the rows that are derived from these records."""
    return IndexBatch(USER_ID, derived_rows(records), **changes)


def emptied(url: str) -> str:
    """The database without anything of the index."""
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        for name in ("timeline", "tombstones", "sync_states", "schema"):
            connection.exec_driver_sql(f"DROP TABLE IF EXISTS memind_{name} CASCADE")
    engine.dispose()
    return url
