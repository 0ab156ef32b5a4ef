"""What the index keeps of a timeline: the same nodes fill it from a sync, from a backfill, on any machine."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from temporal_recall.dataflows.matching.telling import compared
from temporal_recall.schemas.columns import Columns
from temporal_recall.schemas.frames import COMPARED_TIMELINE, WHOLE_TIMELINE, checked
from temporal_recall.schemas.timeline_index import INDEXED_TIMELINE


def indexed_timeline(timeline: pd.DataFrame, evidence: pd.DataFrame) -> pd.DataFrame:
    """The rows that the index keeps (contract `INDEXED_TIMELINE`), one a record, in the order of `timeline`.

    `revision` is that of the record; `source_ref` need only be unique for each user. Empty evidence gives no rows.
    """
    revision_by_record = dict(zip(_records(evidence), evidence["revision"].tolist(), strict=True))
    told = compared(Columns.of(timeline, WHOLE_TIMELINE)).frame(COMPARED_TIMELINE)
    revisions = np.array([revision_by_record[record] for record in _records(told)], dtype="int64")
    rows = told.assign(revision=revisions)
    return checked(rows[list(INDEXED_TIMELINE.dtypes)], INDEXED_TIMELINE)


def _records(frame: pd.DataFrame) -> Iterator[tuple[str, str]]:
    """Which record each row is of."""
    return zip(frame["user_id"].tolist(), frame["source_ref"].tolist(), strict=True)
