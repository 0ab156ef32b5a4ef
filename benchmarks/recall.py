"""One whole recall over 1,000 candidates, live with extraction and from the index: milliseconds, and where they go.

    python benchmarks/recall.py [--candidates 1000] [--repeat 30]

A person's year of mixed messages in memory and in a SQLite index; the question reaches about as many records as asked
for. `slowest_nodes_ms` are the nodes that take the most of one recall from the index.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from extraction import message
from harness import report, summary_us, times_us

from temporal_recall import RecallService
from temporal_recall.adapters.index_store import SqlTimelineIndex
from temporal_recall.adapters.records_file import embedded_sources
from temporal_recall.schemas.evidence import EvidenceRecord, SourceOutcome
from temporal_recall.service.config import IndexConfig, RecallConfig, SourceConfig
from temporal_recall.service.indexing import IndexKeeper

NOW = datetime(2026, 9, 1, 2, tzinfo=UTC)
QUESTION, REACH_DAYS = "我上周做了什么", 38
MODES = ("live", "index", "index_and_live")


class NodeTimes:
    """Adds up how long each node takes."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)

    def node_done(self, name: str, module: str, started: float, ended: float) -> None:
        self.seconds[name] += ended - started

    def lane_done(self, outcome: SourceOutcome, started: float, ended: float) -> None:
        self.seconds[f"lane {outcome.source}"] += ended - started


def main() -> None:
    """Prints the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--candidates", type=int, default=1000)
    parser.add_argument("--repeat", type=int, default=30)
    chosen = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    try:
        report(measured(f"sqlite:///{folder / 'index.db'}", chosen.candidates, chosen.repeat))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def person(candidates: int) -> list[EvidenceRecord]:
    """A year of messages, so dense that the question reaches so many."""
    gap = timedelta(days=REACH_DAYS) / candidates
    return [
        EvidenceRecord(
            source="meinput",
            source_ref=f"meinput:segment:{number}",
            user_id="local",
            observed_time=NOW - gap * number,
            time_zone="Asia/Shanghai",
            text=message(number),
        )
        for number in range(int(timedelta(days=365) / gap))
    ]


def measured(url: str, candidates: int, repeat: int) -> dict[str, Any]:
    """Times of each variant, in milliseconds."""
    adapters = embedded_sources(iter(person(candidates)))
    figures: dict[str, Any] = {}
    for mode in MODES:
        index = SqlTimelineIndex(url)
        config = RecallConfig(
            sources=(SourceConfig(name="meinput"),), index=IndexConfig.model_validate({"url": url, "mode": mode})
        )
        if mode == "live":
            IndexKeeper(config, adapters, index).sync("local", NOW)
        times = NodeTimes()
        with RecallService(config, adapters, index=index) as service:
            taken = times_us(lambda: service.recall(QUESTION, now=NOW), repeat=repeat)
            service.lanes.observer = times
            bundle = service.recall(QUESTION, now=NOW)
        figures[mode] = {name: round(us / 1000, 1) for name, us in summary_us(taken).items()}
        figures[mode] |= {"raw_count": bundle.stats.raw_count, "returned": bundle.stats.returned_count}
        slowest = sorted(times.seconds.items(), key=lambda item: -item[1])[:8]
        figures[mode]["slowest_nodes_ms"] = {name: round(s * 1000, 1) for name, s in slowest}
    return figures


if __name__ == "__main__":
    main()
