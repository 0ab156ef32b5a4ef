"""The materialised timeline: the contract of its rows, and of the store that keeps them.

The index is a view that can be built again from the sources at any time. Nothing in a row depends on `now`, a question
or a setting; `extractor_version` says which rules wrote it, `revision` which edit of the record it was read from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, runtime_checkable

import pandas as pd

from temporal_recall.schemas.columns import Columns
from temporal_recall.schemas.evidence import RequestLimits, SearchWindow, SourceOutcome
from temporal_recall.schemas.frames import COMPARED_TIMELINE, COUNT, Column

INDEXED_TIMELINE = COMPARED_TIMELINE.extended(
    "indexed_timeline", Column("revision", COUNT, "the record's edit that the row was read from, from 1")
)
"""One row a record, any order; what the index keeps."""

INDEX_SOURCE = "index"
"""The name by which lanes, answers and metrics speak of the index."""


@dataclass(frozen=True, slots=True)
class IndexWindow:
    """What is read of one user: rows observed in `observed`, and rows whose event overlaps `event`, observed by `now`.

    Ranges are half-open; None leaves that way of reading out. `row_cap` is the most rows wanted, the newest first.
    """

    user_id: str
    now: datetime
    observed: SearchWindow | None
    event: SearchWindow | None
    row_cap: int


@dataclass(frozen=True, slots=True)
class SyncState:
    """How far one source of one user is in the index.

    `since` is where its change feed goes on (None: it has none, or starts anew). Everything that the source knew at
    `synced_until` is in the index.
    """

    source: str
    synced_until: datetime
    since: str | None = None


@dataclass(frozen=True, slots=True)
class IndexReading:
    """What the index gave: rows (contract `COMPARED_TIMELINE`), how the read ended, and how far each source is in it,
    by name.

    Rows may stand in any order; those in the order of a timeline are not moved again. A reader that has its rows as a
    frame gives `Columns.of(frame, COMPARED_TIMELINE)`.
    """

    rows: Columns
    outcome: SourceOutcome
    synced_until_by_source: Mapping[str, datetime] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.rows, Columns):
            kind = type(self.rows).__name__
            raise TypeError(f"rows are a {kind}; allowed: Columns, of a frame as Columns.of(frame, COMPARED_TIMELINE)")

    @property
    def frame(self) -> pd.DataFrame:
        """The rows as a frame."""
        return self.rows.frame(COMPARED_TIMELINE)


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A record that is gone from its source with this revision; later revisions may bring it back."""

    source_ref: str
    revision: int


@dataclass(frozen=True, slots=True)
class IndexBatch:
    """What one step of a sync changes for one user, all of it or nothing.

    `rows` (contract `INDEXED_TIMELINE`) of higher revisions, or other readings of the same revision, replace what is
    stored; `gone` are records that the source no longer has, although it sent no tombstone.
    """

    user_id: str
    rows: pd.DataFrame
    tombstones: tuple[Tombstone, ...] = ()
    gone: tuple[str, ...] = ()
    state: SyncState | None = None


@dataclass(frozen=True, slots=True)
class IndexCount:
    """How many rows a write stored and removed."""

    stored: int = 0
    removed: int = 0

    def __add__(self, other: IndexCount) -> IndexCount:
        return IndexCount(self.stored + other.stored, self.removed + other.removed)


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """The index's rows of one source of one user: how many, how many of them other rules wrote, and how far it is."""

    source: str
    row_count: int
    stale_count: int
    state: SyncState | None = None


@dataclass(frozen=True, slots=True)
class StoredRow:
    """The identity of a stored row, for comparing index and source."""

    source_ref: str
    revision: int
    extractor_version: str
    observed_time: datetime


@runtime_checkable
class TimelineReader(Protocol):
    """The side of the index that recall sees; used by many threads at once."""

    @property
    def source(self) -> str: ...

    def read(self, window: IndexWindow, limits: RequestLimits) -> IndexReading:
        """The rows of one user inside the window.

        Raises:
            SourceUnavailable: the store is down, or no store.
        """
        ...


class TimelineIndex(TimelineReader, Protocol):
    """The whole index: read by recall, written by sync and bulk loads, emptied by a user's erasure."""

    @property
    def is_embedded(self) -> bool:
        """Whether it answers from a file here, without a network."""
        ...

    def write(self, batch: IndexBatch) -> IndexCount:
        """Applies a batch in one transaction; applying it again, or late, changes nothing."""
        ...

    def load(self, rows: pd.DataFrame, synced_until: datetime) -> int:
        """Takes in many users' rows at once, by the same rule as `write`; how many were stored.

        Args:
            synced_until: the instant up to which the rows hold all that their sources knew.
        """
        ...

    def stored_rows(self, user_id: str, source: str, window: SearchWindow | None = None) -> Iterable[StoredRow]:
        """What is stored of one source, in the window where one is given."""
        ...

    def differing(self, user_id: str, rows: pd.DataFrame) -> list[str]:
        """The references of those rows of a user (contract `INDEXED_TIMELINE`) that are stored in another form."""
        ...

    def states(self, user_id: str) -> dict[str, SyncState]:
        """How far each source is, by name."""
        ...

    def status(self, user_id: str, extractor_version: str) -> list[SourceStatus]:
        """Row counts of each source, stale ones told apart from those of `extractor_version`."""
        ...

    def erase(self, user_id: str) -> int:
        """Removes every trace of a user: rows, tombstones, cursors; how many rows there were."""
        ...

    def close(self) -> None:
        """Gives back connections that the index opened itself."""
        ...
