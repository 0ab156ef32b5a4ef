"""What a source hands over, and the contract of the adapter that reads it.

A record states facts of the source only: who, when observed, the text, and what the source itself knows of an event.
Nothing is read out of the text before the `timeline` node.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Annotated, Literal, Protocol, runtime_checkable

from pydantic import AfterValidator, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field

from temporal_recall.schemas.errors import RecallCancelled
from temporal_recall.schemas.plan import Retrieval, TemporalMode
from temporal_recall.schemas.time import zone_of

SOURCE_NAME = r"^[a-z][a-z0-9_]{0,31}$"
Axis = Literal["observed", "event"]


def _known_zone(name: str) -> str:
    zone_of(name)
    return name


ZoneName = Annotated[str, AfterValidator(_known_zone)]
"""An IANA zone id (`Asia/Shanghai`) or a fixed offset (`+08:00`)."""


def well_formed(text: str) -> str:
    """The text with `�` for each lone surrogate or NUL, which not every store or answer holds; as long as before."""
    if "\0" in text:
        text = text.replace("\0", "\ufffd")
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


Words = Annotated[str, BeforeValidator(lambda value: well_formed(value) if isinstance(value, str) else value)]
"""Text from outside, made well-formed."""


MAX_USER_ID_CHARS = 128
_USER_ID = r"^[^\x00]+$"

UserId = Annotated[str, Field(min_length=1, max_length=MAX_USER_ID_CHARS, pattern=_USER_ID)]
"""Whose records they are: any word that every store can hold, hence without NUL."""


def is_user_id(text: str) -> bool:
    """Whether a text can be the id of a user (`UserId`)."""
    return 1 <= len(text) <= MAX_USER_ID_CHARS and "\0" not in text and text == well_formed(text)


Revision = Annotated[int, Field(ge=1, le=2**63 - 1)]
"""The number of a record's version, as far as frames and stores count."""


class SourceEvent(BaseModel):
    """What a source itself states of an event; `start` and `end` are half-open.

    A `date` is an all-day bound, a naive `datetime` floats (it takes the record's zone), an aware one stands.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    start: datetime | date
    end: datetime | date | None = None
    title: Words = ""
    attendees: tuple[Words, ...] = ()
    location: Words | None = None
    status: Literal["confirmed", "tentative", "cancelled"] = "confirmed"


class EvidenceRecord(BaseModel):
    """One record of a source, as the source knows it.

    `source_ref` is `<source>:<kind>:<id>`, unique and the same at every read. `time_zone` is the zone in which the
    words were written; the adapter puts the user's zone there when the source keeps none. `outcome` `discarded` means
    typed and deleted unsent: weak evidence. `is_deleted` marks a tombstone: the record and all copies of it must go.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str = Field(pattern=SOURCE_NAME)
    source_ref: Words = Field(min_length=3, max_length=512)
    user_id: UserId
    observed_time: AwareDatetime
    time_zone: ZoneName
    text: Words = Field(max_length=32_000)
    revision: Revision = 1
    role: Literal["user", "assistant"] | None = None
    author: Words | None = None
    """Who wrote it, where that is someone other than the user."""
    app: Words | None = None
    thread_id: Words | None = None
    outcome: Literal["kept", "sent", "discarded", "unknown"] = "unknown"
    field_kind: Literal["message", "search", "url", "document", "form", "code", "unknown"] = "unknown"
    is_truncated: bool = False
    is_deleted: bool = False
    event: SourceEvent | None = None


class RecordIssue(BaseModel):
    """A row that could not be used, as a value: the read goes on, and the issue ends in the answer's stats.

    `locator` says where (file and line, row id, page); it and `detail` never hold the record's text.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    source: str
    code: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    locator: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class SourceOutcome:
    """How one source's read ended.

    `failure` is None for a full answer, else a short machine word: `late`, `adapter_error`, or the reason of its
    `SourceUnavailable`. Records read before the failure are kept and counted.
    """

    source: str
    record_count: int = 0
    failure: str | None = None
    is_retryable: bool = True
    retry_after_s: float | None = None
    is_capped: bool = False
    issues: tuple[RecordIssue, ...] = ()


class LaneReading(Protocol):
    """What one lane brings: at least how its read ended."""

    @property
    def outcome(self) -> SourceOutcome: ...


@dataclass(frozen=True, slots=True)
class SearchWindow:
    """What a source is to read: the half-open range `[start, end)` of aware instants on one axis."""

    axis: Axis
    start: datetime
    end: datetime


class CancelToken:
    """Set once by the caller who no longer wants the answer; adapters look at it between rows and pages."""

    __slots__ = ("_event",)

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        self._event.set()

    @property
    def is_cancelled(self) -> bool:
        return self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """Waits that long, or until the caller withdraws; whether they did."""
        return self._event.wait(seconds)

    def raise_if_cancelled(self) -> None:
        """Raises:
        RecallCancelled: the caller withdrew.
        """
        if self._event.is_set():
            raise RecallCancelled("the request was withdrawn")


@dataclass(frozen=True, slots=True)
class RequestLimits:
    """How long a request may take: `deadline` in monotonic seconds (None: no limit), and its cancel token."""

    deadline: float | None = None
    cancel_token: CancelToken = field(default_factory=CancelToken)

    def remaining_s(self) -> float | None:
        """Seconds left, never below zero; None without a deadline."""
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())


@dataclass(frozen=True, slots=True)
class SearchContext:
    """All that an adapter is told of one search. It uses no other clock than `now`, save the deadline's.

    `mode` and `retrieval` are for information: every enabled source is asked in every mode, and keywords never narrow.
    `fetch_cap` is the most records it may yield: the first ones.
    """

    user_id: str
    now: datetime
    time_zone: str
    window: SearchWindow
    mode: TemporalMode
    retrieval: Retrieval
    fetch_cap: int
    limits: RequestLimits


@dataclass(frozen=True, slots=True)
class SourceCapabilities:
    """What a source can do: the axes it can be searched on, whether it uses the network or has a change feed.

    `is_in_memory`: it answers from memory alone, so that a thread of its own would only cost time.
    """

    axes: frozenset[Axis] = frozenset({"observed"})
    uses_network: bool = False
    has_changes: bool = False
    is_in_memory: bool = False


@runtime_checkable
class SourceAdapter(Protocol):
    """One source of one deployment. `search` runs in the source's own threads, several at once."""

    @property
    def source(self) -> str: ...

    def capabilities(self) -> SourceCapabilities:
        """What this source can do; pure and quick."""
        ...

    def search(self, ctx: SearchContext) -> Iterator[EvidenceRecord | RecordIssue]:
        """The records of `ctx.user_id` inside `ctx.window`, lazily, oldest first; bad rows as `RecordIssue`.

        Raises:
            SourceUnavailable: the whole source is down.
            RecallCancelled: the cancel token was set.
        """
        ...

    def close(self) -> None:
        """Gives back what the adapter opened itself."""
        ...
