"""A process that fills an index and is killed, as by a power cut, at its n-th statement.

python index_child.py URL RECORDS_FILE STATEMENT_NUMBER
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from fed_sources import FedSource, WindowSource

from temporal_recall.adapters.index_store import SqlTimelineIndex
from temporal_recall.adapters.records_file import read_records
from temporal_recall.schemas.evidence import EvidenceRecord
from temporal_recall.schemas.timeline_index import TimelineIndex
from temporal_recall.service import indexing
from temporal_recall.service.config import IndexConfig, RecallConfig, SourceConfig
from temporal_recall.service.indexing import IndexKeeper, SourceSync

USER_ID = "killed"
NOW = datetime.fromisoformat("2026-12-31T22:00:00+08:00")


def sources(records: Path) -> Mapping[str, WindowSource]:
    """Chat comes by a feed, everything else by window; what was said of one day is deleted again."""
    rows = [r for r in read_records(records, USER_ID) if isinstance(r, EvidenceRecord)]
    by_name: dict[str, WindowSource] = {}
    for row in rows:
        kind: Any = FedSource if row.source == "chat" else WindowSource
        by_name.setdefault(row.source, kind(row.source)).put(row)
    chat = by_name["chat"]
    assert isinstance(chat, FedSource)
    for row in [*chat.held.values()][:5]:
        chat.delete(row)
    return by_name


def synced(index: TimelineIndex, adapters: Mapping[str, WindowSource]) -> list[SourceSync]:
    """One sync, in small transactions."""
    indexing.BATCH_RECORDS = 60
    config = RecallConfig(sources=tuple(SourceConfig(name=n) for n in adapters), index=IndexConfig(url="sqlite://"))
    return IndexKeeper(config, adapters, index).sync(USER_ID, NOW)


def _kill_at(statement_number: int) -> None:
    count = 0

    def counted(*_: Any) -> None:
        nonlocal count
        count += 1
        if count == statement_number:
            os.kill(os.getpid(), signal.SIGKILL)

    sa.event.listen(sa.Engine, "before_cursor_execute", counted)


if __name__ == "__main__":
    _kill_at(int(sys.argv[3]))
    synced(SqlTimelineIndex(sys.argv[1]), sources(Path(sys.argv[2])))
