"""What the index keeps of a timeline: the same nodes fill it from a sync, from a backfill, on any machine."""

from __future__ import annotations

import pandas as pd

from temporal_recall.dataflows.matching.telling import compared
from temporal_recall.schemas.columns import Columns
from temporal_recall.schemas.frames import COMPARED_TIMELINE, WHOLE_TIMELINE, checked
from temporal_recall.schemas.timeline_index import INDEXED_TIMELINE

_IDENTITY = ["user_id", "source_ref"]


def indexed_timeline(timeline: pd.DataFrame, evidence: pd.DataFrame) -> pd.DataFrame:
    """The rows that the index keeps (contract `INDEXED_TIMELINE`), one a record, in the order of `timeline`.

    `revision` is that of the record; `source_ref` need only be unique for each user. Empty evidence gives no rows.
    """
    revisions = evidence[[*_IDENTITY, "revision"]]
    told = compared(Columns.of(timeline, WHOLE_TIMELINE)).frame(COMPARED_TIMELINE)
    rows = told.merge(revisions, how="left", on=_IDENTITY, validate="one_to_one")
    return checked(rows[list(INDEXED_TIMELINE.dtypes)], INDEXED_TIMELINE)
