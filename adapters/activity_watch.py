"""Activity as evidence: what was in the foreground, which page or file was open, told by ActivityWatch.

`activity_records` turns the segments of an export into records; `ActivityWatchAdapter` asks a running server for them.
Away and private windows become no record.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from temporal_recall.adapters.activity import export_segments
from temporal_recall.adapters.bounded_http import BoundedHttp
from temporal_recall.adapters.hygiene import bounded_text, is_plausible
from temporal_recall.adapters.in_order import in_order
from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import (
    EvidenceRecord,
    RecordIssue,
    RequestLimits,
    SearchContext,
    SourceCapabilities,
    SourceEvent,
)
from temporal_recall.schemas.feeds import SourceState
from temporal_recall.schemas.recap import Segment

if TYPE_CHECKING:
    import httpx

_LONGEST_EVENT = timedelta(hours=24)
_EVENTS_PATH = "/api/0/buckets/{bucket}/events"


def activity_records(
    segments: Iterable[Segment | RecordIssue], source: str, user_id: str, time_zone: str
) -> Iterator[EvidenceRecord | RecordIssue]:
    """The segments as records of `user_id`, in their order; issues pass, under the source's name."""
    for segment in segments:
        if isinstance(segment, RecordIssue):
            yield segment.model_copy(update={"source": source})
        elif segment.end < segment.start:
            yield RecordIssue(source=source, code="ends_before_start", locator=f"segment {segment.id}")
        elif not is_plausible(segment.start) or segment.end - segment.start > _LONGEST_EVENT:
            yield RecordIssue(source=source, code="date_out_of_range", locator=f"segment {segment.id}")
        elif not segment.is_away and segment.attributes.get("incognito") is not True:
            yield _record(segment, source, user_id, time_zone)


def _record(segment: Segment, source: str, user_id: str, time_zone: str) -> EvidenceRecord:
    title, is_cut = bounded_text(segment.title or segment.app or segment.identity_key)
    end = segment.end if segment.end > segment.start else None
    return EvidenceRecord(
        source=source,
        source_ref=f"{source}:segment:{segment.id}",
        user_id=user_id,
        observed_time=segment.start,
        time_zone=time_zone,
        text=title,
        app=segment.app or segment.source,
        field_kind="document",
        is_truncated=is_cut,
        event=SourceEvent(start=segment.start, end=end, title=title[:500]),
    )


class ActivityWatchAdapter:
    """The ActivityWatch server of one user (others have nothing there)."""

    def __init__(self, source: str, base_url: str, *, user_id: str, client: httpx.Client | None = None) -> None:
        self._source, self._user_id = source, user_id
        self._http = BoundedHttp(source, base_url, client=client)

    @property
    def source(self) -> str:
        return self._source

    def capabilities(self) -> SourceCapabilities:
        """Read on either axis, as an activity is recorded while it happens; over the network."""
        return SourceCapabilities(axes=frozenset({"observed", "event"}), uses_network=True)

    def close(self) -> None:
        """Closes the HTTP client, if the adapter made it."""
        self._http.close()

    def search(self, ctx: SearchContext) -> Iterator[EvidenceRecord | RecordIssue]:
        """What the user did inside the window, oldest first; on the event axis also what began before and reached in.

        Raises:
            SourceUnavailable: the server is down or late.
            RecallCancelled: the cancel token was set.
        """
        yield from in_order(self._rows(ctx), ctx)

    def probe(self, limits: RequestLimits) -> SourceState:
        """Whether the server answers."""
        try:
            self._json("/api/0/info", {}, limits)
        except SourceUnavailable as error:
            return SourceState(self._source, "activitywatch", "down", error.reason)
        return SourceState(self._source, "activitywatch", "ready")

    def _rows(self, ctx: SearchContext) -> Iterator[EvidenceRecord | RecordIssue]:
        if ctx.user_id != self._user_id:
            return
        segments = export_segments(self._export(ctx), ctx.user_id)
        for row in activity_records(segments, self._source, ctx.user_id, ctx.time_zone):
            if isinstance(row, RecordIssue) or _is_inside(row, ctx):
                yield row

    def _export(self, ctx: SearchContext) -> dict[str, Any]:
        """The buckets with their events around the window, in the form of an export."""
        buckets = self._json("/api/0/buckets/", {}, ctx.limits)
        if not isinstance(buckets, dict):
            raise SourceUnavailable(self._source, "bad_page")
        start, end = ctx.window.start - _LONGEST_EVENT, ctx.window.end
        window = {"start": _iso(start), "end": _iso(end), "limit": "-1"}
        read = {}
        for name, bucket in sorted(buckets.items()):
            if isinstance(bucket, dict):
                events = self._json(_EVENTS_PATH.format(bucket=quote(name, safe="")), window, ctx.limits)
                read[name] = {**bucket, "events": events}
        return {"buckets": read}

    def _json(self, path: str, params: dict[str, str], limits: RequestLimits) -> Any:
        reply = self._http.get(path, params, limits)
        if reply.status != 200:
            raise self._http.refused(reply)
        try:
            return json.loads(reply.body)
        except (ValueError, RecursionError):
            raise SourceUnavailable(self._source, "bad_page") from None


def _is_inside(record: EvidenceRecord, ctx: SearchContext) -> bool:
    start, window = record.observed_time, ctx.window
    if window.start <= start < window.end:
        return True
    end = record.event.end if record.event else None
    return window.axis == "event" and start < window.start and isinstance(end, datetime) and end > window.start


def _iso(instant: datetime) -> str:
    return instant.astimezone(UTC).isoformat()
