"""The rows of a source that gives them in its own order, as the adapter contract wants them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime

from temporal_recall.adapters.bounded_http import time_left_s
from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import EvidenceRecord, RecordIssue, RequestLimits, SearchContext
from temporal_recall.schemas.time import zone_of


def in_order(
    rows: Iterable[EvidenceRecord | RecordIssue], ctx: SearchContext
) -> Iterator[EvidenceRecord | RecordIssue]:
    """Issues as they come, then each record once, at its highest revision: oldest first on the window's axis, capped.

    What was read before the source failed is given before the failure is raised.

    Raises:
        SourceUnavailable: as raised by `rows`.
        RecallCancelled: the cancel token was set.
    """
    records: dict[str, EvidenceRecord] = {}
    failure: SourceUnavailable | None = None
    try:
        for row in rows:
            if isinstance(row, RecordIssue):
                yield row
            elif row.source_ref not in records or row.revision > records[row.source_ref].revision:
                records[row.source_ref] = row
    except SourceUnavailable as error:
        failure = error
    for record in sorted(records.values(), key=lambda r: (_moment(r, ctx), r.source_ref))[: ctx.fetch_cap]:
        ctx.limits.cancel_token.raise_if_cancelled()
        yield record
    if failure is not None:
        raise failure


def check_time(source: str, limits: RequestLimits) -> None:
    """To be called between two pieces of work.

    Raises:
        SourceUnavailable: there is no time left (`late`).
        RecallCancelled: the cancel token was set.
    """
    limits.cancel_token.raise_if_cancelled()
    if time_left_s(limits) <= 0:
        raise SourceUnavailable(source, "late")


def as_instant(bound: datetime | date, zone_name: str) -> datetime:
    """A stated bound as an aware instant: a date begins at its local midnight, a floating time takes the zone."""
    instant = bound if isinstance(bound, datetime) else datetime(bound.year, bound.month, bound.day)  # noqa: DTZ001
    return instant if instant.tzinfo else instant.replace(tzinfo=zone_of(zone_name))


def _moment(record: EvidenceRecord, ctx: SearchContext) -> datetime:
    if ctx.window.axis == "event" and record.event is not None:
        return as_instant(record.event.start, ctx.time_zone)
    return record.observed_time
