"""Sources that an index is kept in step with: one with a feed of changes, one that is read by window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import EvidenceRecord, SearchContext, SourceCapabilities
from temporal_recall.schemas.feeds import ChangeContext, Checkpoint


@dataclass
class WindowSource:
    """Holds records, and gives those inside a window on the observed axis."""

    source: str
    held: dict[str, EvidenceRecord] = field(default_factory=dict)
    cap: int | None = None

    def put(self, *records: EvidenceRecord) -> None:
        self.held |= {r.source_ref: r for r in records}

    def capabilities(self) -> SourceCapabilities:
        return SourceCapabilities(has_changes=False)

    def search(self, ctx: SearchContext) -> Iterator[EvidenceRecord]:
        inside = [
            r
            for r in sorted(self.held.values(), key=lambda r: r.observed_time)
            if ctx.window.start <= r.observed_time < ctx.window.end and r.user_id == ctx.user_id
        ]
        yield from inside[: ctx.fetch_cap]

    def close(self) -> None: ...


@dataclass
class FedSource(WindowSource):
    """Tells what changed since a checkpoint; `fails_after` breaks the feed after so many changes."""

    log: list[EvidenceRecord] = field(default_factory=list)
    reads: list[str | None] = field(default_factory=list)
    is_expired: bool = False
    fails_after: int | None = None

    def put(self, *records: EvidenceRecord) -> None:
        super().put(*(r for r in records if not r.is_deleted))
        self.log += records

    def delete(self, record: EvidenceRecord) -> None:
        self.held.pop(record.source_ref)
        self.log.append(record.model_copy(update={"is_deleted": True, "text": "", "revision": record.revision + 1}))

    def capabilities(self) -> SourceCapabilities:
        return SourceCapabilities(has_changes=True)

    def changes(self, ctx: ChangeContext) -> Iterator[EvidenceRecord | Checkpoint]:
        self.reads.append(ctx.since)
        if ctx.since and self.is_expired:
            raise SourceUnavailable(self.source, "since_expired")
        for number, change in enumerate(self.log[int(ctx.since or 0) :]):
            if number == self.fails_after:
                raise SourceUnavailable(self.source, "http_503")
            yield change
        yield Checkpoint(str(len(self.log)))
