"""What recurs: its RFC 5545 rule and its next occurrences."""

from __future__ import annotations

from itertools import islice

from temporal_recall.dataflows.zh_time.calendar import DAY, Window, exact, midnight, shifted, unit_window
from temporal_recall.dataflows.zh_time.grammar import Between, Phrase, Recurring
from temporal_recall.dataflows.zh_time.resolve import Speaking, narrowed
from temporal_recall.dataflows.zh_time.tokens import Predicate, Rank

_FREQUENCIES = {
    "second": "SECONDLY",
    "minute": "MINUTELY",
    "hour": "HOURLY",
    "day": "DAILY",
    "week": "WEEKLY",
    "month": "MONTHLY",
    "year": "YEARLY",
}
_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_SCOPES = {"week": "WEEKLY", "month": "MONTHLY", "year": "YEARLY", "day": "DAILY"}


def recurrence_rule(node: Recurring) -> str | None:
    """The RRULE value of a recurrence; None where RFC 5545 cannot say it."""
    return None


def recurrences(node: Recurring, speaking: Speaking, count: int = 3) -> tuple[Window, ...]:
    """The next occurrences, soonest first."""
    return ()
