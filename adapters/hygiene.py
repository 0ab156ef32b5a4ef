"""What everything from outside goes through before it becomes a record: bounded text, plausible instants, named faults.

Nothing here ever puts a value from outside into an issue: only the names of fields and the kind of fault.
"""

from __future__ import annotations

from datetime import UTC, date, datetime

from pydantic import ValidationError

from temporal_recall.schemas.evidence import EvidenceRecord

MAX_TEXT_CHARS = 32_000
EARLIEST, LATEST = date(1900, 1, 1), date(2200, 1, 1)
"""Dates outside are taken for faults (year 1, 1601, 9999), not for facts."""


def bounded_text(text: str) -> tuple[str, bool]:
    """The text as it may be kept, and whether it was cut: at most 32,000 characters, no NUL, no lone surrogate."""
    kept = text[:MAX_TEXT_CHARS].replace("\0", "")
    if not kept.isascii():
        kept = kept.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return kept, len(text) > MAX_TEXT_CHARS


def is_plausible(moment: datetime | date) -> bool:
    """Whether a date or instant lies in the years that a person's records can be about (1900 to 2199)."""
    day = moment.date() if isinstance(moment, datetime) else moment
    return EARLIEST <= day < LATEST


def has_plausible_times(record: EvidenceRecord) -> bool:
    """Whether everything that a record says of time is plausible."""
    event = record.event
    stated = (record.observed_time, event.start, event.end) if event else (record.observed_time,)
    return all(moment is None or is_plausible(moment) for moment in stated)


def instant_of_us(microseconds: int) -> datetime | None:
    """The instant that many microseconds after 1970-01-01Z; None where it is implausible."""
    seconds, rest = divmod(microseconds, 1_000_000)
    try:
        instant = datetime.fromtimestamp(seconds, UTC).replace(microsecond=rest)
    except (OverflowError, OSError, ValueError):
        return None
    return instant if is_plausible(instant) else None


def faulty_fields(error: ValidationError) -> str:
    """The fields of a record that did not validate, each with the kind of fault: `occurred_at datetime_parsing`."""
    faults = {f"{'.'.join(str(part) for part in e['loc']) or 'record'} {e['type']}" for e in error.errors()}
    return ", ".join(sorted(faults))
