"""What a source may offer beside `search`: a feed of changes for syncing an index, and a word on its own state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol, runtime_checkable

from temporal_recall.schemas.evidence import EvidenceRecord, RecordIssue, RequestLimits


@dataclass(frozen=True, slots=True)
class ChangeContext:
    """All that an adapter is told of one read of changes. `since` is the last checkpoint's; None reads everything."""

    user_id: str
    now: datetime
    time_zone: str
    since: str | None
    limits: RequestLimits


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Every change up to here was given; hand `since` to the next read. It is opaque and the source's own."""

    since: str


@runtime_checkable
class ChangeFeed(Protocol):
    """A source that can tell what changed, tombstones included."""

    def changes(self, ctx: ChangeContext) -> Iterator[EvidenceRecord | RecordIssue | Checkpoint]:
        """Changed records of `ctx.user_id`, oldest change first, then one `Checkpoint`.

        A record may come more than once; the highest revision stands, and `is_deleted` removes it everywhere.

        Raises:
            SourceUnavailable: the source is down; reason `since_expired`: start again with `since=None`.
        """
        ...


@dataclass(frozen=True, slots=True)
class SourceState:
    """How a source is at the moment.

    `paused`: it answers, but captures nothing now, so that its silence is not «nothing happened». `broken`: it cannot
    be used as it is configured. `down`: it did not answer. `detail` is a short word for people.
    """

    source: str
    kind: str
    state: Literal["ready", "paused", "down", "broken"]
    detail: str = ""


@runtime_checkable
class StateProbe(Protocol):
    """A source that can tell its own state."""

    def probe(self, limits: RequestLimits) -> SourceState:
        """The state of this source, asked now; a source that is down is a value here, no error."""
        ...
