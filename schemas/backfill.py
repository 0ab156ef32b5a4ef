"""What a backfill reads and writes: evidence and timeline as Parquet, cut into slices that one task works off.

Both lie under `bucket=<number>/month=<yyyy-mm>/`: a bucket holds the users whose id hashes to it, a month is that of
`observed_time` in UTC. All revisions of a record, its tombstone too, have one observed time and stand in one month; a
slice looks for others among the rows of its own times. So row groups of files in the order of time are looked through
about once, those of files in any order once a slice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import pandas as pd

from temporal_recall.schemas.frames import EVIDENCE, FLAG, Column

EVIDENCE_EXPORT = EVIDENCE.extended(
    "evidence_export", Column("is_deleted", FLAG, "a tombstone: the record and all its revisions are gone")
)
"""One row a revision of a record, any order; what an export of the sources holds."""


@dataclass(frozen=True, slots=True, order=True)
class EvidenceSlice:
    """Rows of one file of evidence, `row_groups` from the first to before the last, small enough for one task.

    `name` is that of the timeline file that comes of it: other evidence in its folder, or other rules, give another
    name.
    """

    folder: str
    path: str
    row_groups: tuple[int, int]
    row_count: int
    name: str


@dataclass(frozen=True, slots=True)
class SliceResult:
    """What one task did: how many records it read and how many rows it wrote."""

    name: str
    record_count: int
    row_count: int


@dataclass(frozen=True, slots=True)
class BackfillReport:
    """What a backfill did: slices worked off now and found done, records read and rows written now."""

    slice_count: int
    done_before_count: int
    record_count: int
    row_count: int


@runtime_checkable
class EvidenceLake(Protocol):
    """An export of the sources; sent to workers, so it holds addresses and no connections."""

    def slices(self, max_rows: int, version: str) -> list[EvidenceSlice]:
        """All of it in slices of at most so many rows (a row group is never cut), in the order of their names.

        Args:
            version: that of the rules that will read it; part of the slices' names.
        """
        ...

    def evidence(self, piece: EvidenceSlice) -> pd.DataFrame:
        """The standing records of a slice (contract `EVIDENCE`): of each record the highest revision that any slice
        of its folder holds, unless a tombstone ends it. By `observed_time`, then `user_id`, then `source_ref`."""
        ...


@runtime_checkable
class TimelineLake(Protocol):
    """Rows of the index as Parquet; sent to workers, so it holds addresses and no connections."""

    def finished(self) -> set[str]:
        """The names of the slices whose rows are there in full."""
        ...

    def write(self, piece: EvidenceSlice, rows: pd.DataFrame) -> None:
        """Writes the rows of a slice; they are there in full or not at all."""
        ...

    def keep_only(self, names: set[str]) -> int:
        """Removes the rows of other slices, and what broken runs left; how many files."""
        ...

    def frames(self) -> Iterator[pd.DataFrame]:
        """All rows (contract `INDEXED_TIMELINE`), a file at a time, in the order of their names."""
        ...
