"""From an export of many users' evidence to rows of the index, slice by slice, on one machine or on many.

Between `evidence_slice` and `finished_slice` the flow runs once a slice, wherever the executor likes. A slice is
written in full or not at all, so a run that was broken off, and a task that ran twice, leave the same files.
"""

from __future__ import annotations

import pandas as pd
from hamilton.htypes import Collect, Parallelizable

from temporal_recall.dataflows.timeline import EXTRACTOR_VERSION
from temporal_recall.schemas.backfill import (
    BackfillReport,
    EvidenceLake,
    EvidenceSlice,
    SliceResult,
    TimelineLake,
)


def evidence_slices(evidence_lake: EvidenceLake, slice_rows: int) -> list[EvidenceSlice]:
    """All evidence in slices of at most `slice_rows` rows, in the order of buckets and months."""
    return evidence_lake.slices(slice_rows, EXTRACTOR_VERSION)


def pending_slices(evidence_slices: list[EvidenceSlice], timeline_lake: TimelineLake) -> list[EvidenceSlice]:
    """The slices whose rows are not there yet, the largest first, so that the last tasks are short."""
    finished = timeline_lake.finished()
    pending = [piece for piece in evidence_slices if piece.name not in finished]
    return sorted(pending, key=lambda piece: (-piece.row_count, piece.name))


def evidence_slice(pending_slices: list[EvidenceSlice]) -> Parallelizable[EvidenceSlice]:
    """One slice that is to be worked off."""
    yield from pending_slices


def evidence(evidence_slice: EvidenceSlice, evidence_lake: EvidenceLake) -> pd.DataFrame:
    """The standing records of one slice (contract `EVIDENCE`), of many users."""
    return evidence_lake.evidence(evidence_slice)


def finished_slice(
    indexed_timeline: pd.DataFrame, evidence: pd.DataFrame, evidence_slice: EvidenceSlice, timeline_lake: TimelineLake
) -> SliceResult:
    """One slice whose rows are written: how many records, how many rows."""
    timeline_lake.write(evidence_slice, indexed_timeline)
    return SliceResult(evidence_slice.name, len(evidence), len(indexed_timeline))


def finished_slices(finished_slice: Collect[SliceResult]) -> list[SliceResult]:
    """The slices that this run worked off, by name."""
    return sorted(finished_slice, key=lambda result: result.name)


def backfill_report(
    finished_slices: list[SliceResult], evidence_slices: list[EvidenceSlice], timeline_lake: TimelineLake
) -> BackfillReport:
    """What the run did; rows of evidence or of rules that are no more are removed."""
    timeline_lake.keep_only({piece.name for piece in evidence_slices})
    return BackfillReport(
        slice_count=len(finished_slices),
        done_before_count=len(evidence_slices) - len(finished_slices),
        record_count=sum(result.record_count for result in finished_slices),
        row_count=sum(result.row_count for result in finished_slices),
    )
