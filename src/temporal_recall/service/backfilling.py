"""Runs the backfill flow: in this process, or on Dask workers; then loads the rows into an index."""

from __future__ import annotations

from datetime import datetime

from hamilton.execution.executors import TaskExecutor

from temporal_recall.schemas.backfill import BackfillReport, EvidenceLake, TimelineLake
from temporal_recall.schemas.timeline_index import TimelineIndex
from temporal_recall.service.catalog import BACKFILL
from temporal_recall.service.executors import Progress, Steps, build_task_driver

SLICE_ROWS = 20_000
"""Records that one task works off; what bounds a worker's memory."""


def backfill(
    evidence_lake: EvidenceLake,
    timeline_lake: TimelineLake,
    *,
    executor: TaskExecutor | None = None,
    slice_rows: int = SLICE_ROWS,
    progress: Progress | None = None,
) -> BackfillReport:
    """Derives the rows of all evidence that have not been derived yet.

    Args:
        executor: where slices are worked off; this process when absent (see `executor_of`).
        progress: told after each slice how many of how many are done.
    """
    steps = Steps(0, progress)
    flow, (name,) = build_task_driver(BACKFILL, executor, steps.advance), BACKFILL.outputs
    inputs = {"evidence_lake": evidence_lake, "timeline_lake": timeline_lake, "slice_rows": slice_rows}
    cut = flow.execute(["evidence_slices", "pending_slices"], inputs=inputs)
    steps.total = len(cut["pending_slices"])
    report: BackfillReport = flow.execute([name], inputs=inputs, overrides=cut)[name]
    return report


def load(
    timeline_lake: TimelineLake, index: TimelineIndex, synced_until: datetime, *, progress: Progress | None = None
) -> int:
    """Takes all rows into an index, a file a transaction; doing it again changes nothing. How many were stored.

    Args:
        synced_until: when the evidence was exported.
        progress: told after each file how many of how many are done.
    """
    stored, steps = 0, Steps(len(timeline_lake.finished()), progress)
    for rows in timeline_lake.frames():
        stored += index.load(rows, synced_until)
        steps.advance()
    return stored
