"""Messages read into the timeline, for tests: one call from words to rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cache
from typing import Any

import pandas as pd
from hamilton import base, driver

from temporal_recall.dataflows import timeline
from temporal_recall.dataflows.evidence_frame import evidence_frame
from temporal_recall.schemas.evidence import EvidenceRecord

OBSERVED = "2026-09-16T10:00:00+08:00"
"""A Wednesday morning."""
ZONE = "Asia/Shanghai"


@cache
def _flow() -> driver.Driver:
    adapter = base.SimplePythonGraphAdapter(base.DictResult())
    return driver.Builder().with_modules(timeline).with_adapters(adapter).build()


def record_of(text: str, number: int = 0, **fields: Any) -> EvidenceRecord:
    """A message typed on Wednesday 16 September 2026 at ten in Shanghai, save for the fields given."""
    known = {
        "source": "meinput",
        "source_ref": f"meinput:segment:{number:05d}",
        "user_id": "u1",
        "observed_time": datetime.fromisoformat(OBSERVED),
        "time_zone": ZONE,
        "text": text,
        "app": "wechat",
    }
    return EvidenceRecord.model_validate(known | fields)


def timeline_of(evidence: pd.DataFrame) -> pd.DataFrame:
    """The timeline of an evidence frame."""
    frame: pd.DataFrame = _flow().execute(["timeline"], inputs={"evidence": evidence})["timeline"]
    return frame


def rows_of(records: Iterable[EvidenceRecord]) -> dict[str, Mapping[str, Any]]:
    """The timeline's rows by the last part of their `source_ref`."""
    rows = timeline_of(evidence_frame(records)).to_dict("records")
    return {row["source_ref"].rsplit(":", 1)[-1]: row for row in rows}


def read(text: str, **fields: Any) -> Mapping[str, Any]:
    """The row that one message becomes."""
    (row,) = rows_of([record_of(text, **fields)]).values()
    return row


def local(moment: pd.Timestamp | None, zone: str = ZONE) -> str | None:
    """An instant as month, day, hour and minute of a zone; None for none."""
    return None if moment is None or pd.isna(moment) else moment.tz_convert(zone).strftime("%m-%d %H:%M")
