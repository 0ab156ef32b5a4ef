"""Keeps the materialised timeline in step with the sources, takes a user out of it, and checks it against them.

A source with a feed of changes is followed by it; any other is read again by window. Every step writes its rows and how
far it came in one transaction, so that a run that ends anywhere leaves what the next run goes on from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import TypeGuard, TypeVar

from temporal_recall.schemas.errors import SourceUnavailable, TemporalRecallError
from temporal_recall.schemas.evidence import (
    Axis,
    EvidenceRecord,
    RecordIssue,
    RequestLimits,
    SearchContext,
    SearchWindow,
    SourceAdapter,
)
from temporal_recall.schemas.feeds import ChangeContext, ChangeFeed, Checkpoint
from temporal_recall.schemas.plan import Retrieval
from temporal_recall.schemas.timeline_index import (
    IndexBatch,
    IndexCount,
    SourceStatus,
    SyncState,
    TimelineIndex,
    Tombstone,
)
from temporal_recall.service.config import IndexConfig, RecallConfig
from temporal_recall.service.deriving import EXTRACTOR_VERSION, derived_rows

BATCH_RECORDS = 2000
"""Records that one transaction takes in."""

SLICE = timedelta(days=92)
"""How much of a source's time is read at once where it has no feed."""

FETCH_CAP = 100_000
"""Records asked for in one read; a slice that brings as many is read again in halves."""

_INSTANT = timedelta(microseconds=1)

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class SourceSync:
    """What a sync did for one source. `failure` is None, or a short machine word; what was written until then stands.

    `issue_counts` are the rows that could not be used, by code.
    """

    source: str
    stored: int = 0
    removed: int = 0
    issue_counts: Mapping[str, int] = field(default_factory=dict)
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class SourceCheck:
    """How the index differs from one source: records that it lacks, keeps in vain, or keeps in another form.

    Another form is that of an earlier edit, of other rules, or of a store that was written to by others.
    """

    source: str
    row_count: int
    missing: tuple[str, ...] = ()
    left_over: tuple[str, ...] = ()
    outdated: tuple[str, ...] = ()
    failure: str | None = None

    @property
    def is_right(self) -> bool:
        return not (self.failure or self.missing or self.left_over or self.outdated)


class IndexKeeper:
    """The writer of one deployment's index.

    Args:
        config: the deployment's settings; `index` says how far a source without a feed is read.
        adapters: one adapter a source, by name.
        index: the store.
    """

    def __init__(self, config: RecallConfig, adapters: Mapping[str, SourceAdapter], index: TimelineIndex) -> None:
        self._config, self._adapters, self._index = config, dict(adapters), index
        self._horizon = config.index or IndexConfig(url="sqlite://")

    def sync(self, user_id: str, now: datetime, limits: RequestLimits | None = None) -> list[SourceSync]:
        """Brings one user's rows in step with every source, in the order of the configuration.

        A source that fails costs only its own rows. Running it again, or after a crash, changes nothing more.
        """
        return [self._synced(reader) for reader in self._readers(user_id, now, limits)]

    def status(self, user_id: str) -> list[SourceStatus]:
        """What the index holds of a user, by source; stale rows are those of another extractor version."""
        return self._index.status(user_id, EXTRACTOR_VERSION)

    def verify(self, user_id: str, now: datetime, limits: RequestLimits | None = None) -> list[SourceCheck]:
        """Compares the user's rows with what is read anew from all that the sources hold; changes nothing.

        What a source recorded since its last sync is no difference.
        """
        return [self._checked(reader) for reader in self._readers(user_id, now, limits)]

    def erase(self, user_id: str) -> int:
        """Removes every trace of a user from the index: rows, tombstones, cursors; how many rows there were."""
        return self._index.erase(user_id)

    def _readers(self, user_id: str, now: datetime, limits: RequestLimits | None) -> Iterator[SourceReader]:
        for setting in self._config.source_settings().sources:
            yield SourceReader(
                adapter=self._adapters[setting.name],
                axis=setting.axis,
                user_id=user_id,
                now=now,
                time_zone=self._config.time_zone,
                limits=limits or RequestLimits(),
            )

    def _synced(self, reader: SourceReader) -> SourceSync:
        count, failure = IndexCount(), None
        try:
            for batch in self._steps(reader):
                count += self._index.write(batch)
        except SourceUnavailable as error:
            failure = error.reason
        return SourceSync(reader.source, count.stored, count.removed, reader.issue_counts, failure)

    def _steps(self, reader: SourceReader) -> Iterator[IndexBatch]:
        """What one sync writes, in order: the rows of other rules anew, what changed, and how far it came."""
        held = self._status(reader)
        if isinstance(reader.adapter, ChangeFeed):
            if held.stale_count:
                yield from self._rederived(reader)
            yield from self._followed(reader, held.state.since if held.state else None)
        else:
            yield from self._reread(reader, None if held.stale_count else held.state)

    def _status(self, reader: SourceReader) -> SourceStatus:
        by_source = {status.source: status for status in self.status(reader.user_id)}
        return by_source.get(reader.source, SourceStatus(reader.source, 0, 0))

    def _rederived(self, reader: SourceReader) -> Iterator[IndexBatch]:
        """The rows that other rules wrote, read again; exactly those."""
        stored = self._index.stored_rows(reader.user_id, reader.source)
        stale = [row for row in stored if row.extractor_version != EXTRACTOR_VERSION]
        refs, first, last = {row.source_ref for row in stale}, stale[0].observed_time, stale[-1].observed_time
        for _, records in reader.slices(SearchWindow("observed", first, last + _INSTANT)):
            yield _batch(reader.user_id, [r for r in records if r.source_ref in refs])

    def _followed(self, reader: SourceReader, since: str | None) -> Iterator[IndexBatch]:
        """What the feed tells since a checkpoint; from the start where the source no longer knows it."""
        try:
            yield from self._fed(reader, since)
        except SourceUnavailable as error:
            if error.reason != "since_expired" or since is None:
                raise
            yield from self._fed(reader, None)

    def _fed(self, reader: SourceReader, since: str | None) -> Iterator[IndexBatch]:
        seen: set[str] = set()
        checkpoint: list[Checkpoint] = []
        for records in _chunks(reader.changes(since, checkpoint)):
            seen |= {r.source_ref for r in records}
            yield _batch(reader.user_id, records)
        if not checkpoint:
            raise SourceUnavailable(reader.source, "no_checkpoint")
        stored = () if since else self._index.stored_rows(reader.user_id, reader.source)
        gone = tuple(row.source_ref for row in stored if row.source_ref not in seen)
        state = SyncState(reader.source, reader.now, checkpoint[-1].since)
        yield _batch(reader.user_id, (), gone=gone, state=state)

    def _reread(self, reader: SourceReader, state: SyncState | None) -> Iterator[IndexBatch]:
        """What the source holds in its windows; what it held there before and holds no more is gone."""
        for window, records in reader.slices(self._window(reader, state)):
            seen = {r.source_ref for r in records}
            stored = self._index.stored_rows(reader.user_id, reader.source, window)
            yield _batch(reader.user_id, records, gone=tuple(r.source_ref for r in stored if r.source_ref not in seen))
        yield _batch(reader.user_id, (), state=SyncState(reader.source, reader.now))

    def _window(self, reader: SourceReader, state: SyncState | None) -> SearchWindow:
        since = state.synced_until if state else reader.now
        start = since - timedelta(days=self._horizon.resync_days if state else self._horizon.history_days)
        ahead = timedelta(days=self._horizon.future_days) if reader.axis == "event" else _INSTANT
        return SearchWindow(reader.axis, start, reader.now + ahead)

    def _checked(self, reader: SourceReader) -> SourceCheck:
        state = self._index.states(reader.user_id).get(reader.source)
        stored = {row.source_ref for row in self._index.stored_rows(reader.user_id, reader.source)}
        try:
            held = self._held(reader, state)
        except SourceUnavailable as error:
            return SourceCheck(reader.source, len(stored), failure=error.reason)
        return SourceCheck(
            reader.source,
            len(stored),
            missing=tuple(sorted(held.keys() - stored)),
            left_over=tuple(sorted(stored - held.keys())),
            outdated=tuple(sorted(self._differing(reader.user_id, held.values()))),
        )

    def _held(self, reader: SourceReader, state: SyncState | None) -> dict[str, EvidenceRecord]:
        """Every record that the source held at the last sync, by reference; a deleted one is none."""
        synced_until = state.synced_until if state else reader.now
        if isinstance(reader.adapter, ChangeFeed):
            told = list(reader.changes(None, []))
        else:
            told = [record for _, records in reader.slices(self._window(reader, None)) for record in records]
        last = {r.source_ref: r for r in sorted(told, key=lambda r: (r.revision, r.is_deleted))}
        return {r.source_ref: r for r in last.values() if not r.is_deleted and r.observed_time <= synced_until}

    def _differing(self, user_id: str, records: Iterable[EvidenceRecord]) -> Iterator[str]:
        for some in _chunks(records):
            yield from self._index.differing(user_id, derived_rows(some))


def _batch(
    user_id: str, records: Sequence[EvidenceRecord], *, gone: tuple[str, ...] = (), state: SyncState | None = None
) -> IndexBatch:
    buried = tuple(Tombstone(r.source_ref, r.revision) for r in records if r.is_deleted)
    return IndexBatch(user_id, derived_rows(records), buried, gone, state)


def _chunks(records: Iterable[EvidenceRecord]) -> Iterator[list[EvidenceRecord]]:
    rest = iter(records)
    while chunk := list(islice(rest, BATCH_RECORDS)):
        yield chunk


@dataclass
class SourceReader:
    """One source read for one user; rows that cannot be used are counted in `issue_counts`.

    A source may tell the same row in every slice; it counts once.
    """

    adapter: SourceAdapter
    axis: Axis
    user_id: str
    now: datetime
    time_zone: str
    limits: RequestLimits
    issue_counts: dict[str, int] = field(default_factory=dict)
    _told: set[RecordIssue] = field(default_factory=set)

    @property
    def source(self) -> str:
        return self.adapter.source

    def changes(self, since: str | None, checkpoint: list[Checkpoint]) -> Iterator[EvidenceRecord]:
        """The records of the change feed; its checkpoint is put into `checkpoint` at the end."""
        context = ChangeContext(self.user_id, self.now, self.time_zone, since, self.limits)
        for row in self._guarded(self.adapter.changes(context)):  # type: ignore[attr-defined]
            if isinstance(row, Checkpoint):
                checkpoint.append(row)
            elif self._is_usable(row):
                yield row

    def slices(self, window: SearchWindow) -> Iterator[tuple[SearchWindow, list[EvidenceRecord]]]:
        """The records inside a window, slice by slice; one with too many records comes in halves."""
        start = window.start
        while start < window.end:
            end = min(start + SLICE, window.end)
            yield from self._slice(SearchWindow(window.axis, start, end))
            start = end

    def _slice(self, window: SearchWindow) -> Iterator[tuple[SearchWindow, list[EvidenceRecord]]]:
        records = list(self._found(window))
        half = (window.end - window.start) / 2
        if len(records) < FETCH_CAP or half < _INSTANT:
            yield window, records
            return
        for start, end in ((window.start, window.start + half), (window.start + half, window.end)):
            yield from self._slice(SearchWindow(window.axis, start, end))

    def _found(self, window: SearchWindow) -> Iterator[EvidenceRecord]:
        context = SearchContext(
            user_id=self.user_id,
            now=self.now,
            time_zone=self.time_zone,
            window=window,
            mode="AMBIGUOUS",
            retrieval=Retrieval(source=self.source),
            fetch_cap=FETCH_CAP,
            limits=self.limits,
        )
        return (row for row in self._guarded(self.adapter.search(context)) if self._is_usable(row))

    def _guarded(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows of a stranger's adapter, which may raise anything: then only its own rows are lost."""
        try:
            yield from rows
        except TemporalRecallError:
            raise
        except Exception:  # noqa: BLE001 - its words may be anyone's, so they are not told
            raise SourceUnavailable(self.source, "adapter_error") from None

    def _is_usable(self, row: EvidenceRecord | RecordIssue) -> TypeGuard[EvidenceRecord]:
        """Whether it is a record of this user and source; anything else is counted."""
        if isinstance(row, RecordIssue):
            if row in self._told:
                return False
            self._told.add(row)
            code = row.code
        elif row.user_id != self.user_id or row.source != self.source:
            code = "foreign_record"
        else:
            return True
        self.issue_counts[code] = self.issue_counts.get(code, 0) + 1
        return False
