"""One sync of one user's source into the index: what a run costs however little is new, and what a record adds.

    python benchmarks/sync.py [--new 5] [--repeat 200]

A user with a month of 20 mixed messages a day, in SQLite. `feed` is a source that tells what changed; `window` is one
without a feed, whose last 30 days are read and derived anew each time. Processor time of this process, in milliseconds;
`nothing new` is the floor of each.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import Any

from extraction import NOW, records
from harness import report

from temporal_recall.adapters.index_store import SqlTimelineIndex
from temporal_recall.schemas.evidence import EvidenceRecord, SearchContext, SourceCapabilities
from temporal_recall.schemas.feeds import ChangeContext, Checkpoint
from temporal_recall.service.config import IndexConfig, RecallConfig, SourceConfig
from temporal_recall.service.indexing import IndexKeeper

USER_ID = "u1"
A_DAY, DAYS = 20, 30
SECONDS_APART = 24 * 3600 // A_DAY


class WindowSource:
    """A source that is asked by window."""

    source = "meinput"
    has_changes = False

    def __init__(self) -> None:
        self.held = records(A_DAY * DAYS, seconds_apart=SECONDS_APART)

    def grow(self, count: int) -> None:
        """Records so many more."""
        self.held += records(count, start=len(self.held), seconds_apart=SECONDS_APART)

    def capabilities(self) -> SourceCapabilities:
        return SourceCapabilities(has_changes=self.has_changes)

    def search(self, ctx: SearchContext) -> Iterator[EvidenceRecord]:
        return (r for r in self.held if ctx.window.start <= r.observed_time < ctx.window.end)

    def close(self) -> None: ...


class FedSource(WindowSource):
    """A source that tells what changed since a checkpoint."""

    has_changes = True

    def changes(self, ctx: ChangeContext) -> Iterator[EvidenceRecord | Checkpoint]:
        yield from self.held[int(ctx.since or 0) :]
        yield Checkpoint(str(len(self.held)))


def main() -> None:
    """Prints the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--new", type=int, default=5)
    parser.add_argument("--repeat", type=int, default=200)
    chosen = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    try:
        figures: dict[str, Any] = {"new_records": chosen.new}
        for name, source in (("feed", FedSource()), ("window", WindowSource())):
            figures[name] = measured(f"sqlite:///{folder / name}.db", source, chosen.new, chosen.repeat)
        report(figures)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def measured(url: str, source: WindowSource, new: int, repeat: int) -> dict[str, Any]:
    """Times of syncs that find nothing new, and of syncs that find so many records, in milliseconds."""
    config = RecallConfig(sources=(SourceConfig(name=source.source),), index=IndexConfig(url=url))
    index = SqlTimelineIndex(url)
    keeper = IndexKeeper(config, {source.source: source}, index)
    keeper.sync(USER_ID, _now(source))
    figures = {"nothing new": _taken(keeper, source, 0, repeat), f"{new} new": _taken(keeper, source, new, repeat)}
    index.close()
    return figures


def _taken(keeper: IndexKeeper, source: WindowSource, new: int, repeat: int) -> dict[str, float]:
    taken = []
    for _ in range(repeat):
        source.grow(new)
        started = time.process_time()
        (done,) = keeper.sync(USER_ID, _now(source))
        taken.append((time.process_time() - started) * 1000)
        if (done.stored, done.failure) != (new, None):
            raise SystemExit(f"the sync stored {done.stored}: {done.failure}")
    return {"best": round(min(taken), 2), "median": round(median(taken), 2)}


def _now(source: WindowSource) -> Any:
    return NOW + timedelta(seconds=SECONDS_APART * len(source.held))


if __name__ == "__main__":
    main()
