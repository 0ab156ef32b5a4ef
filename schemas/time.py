"""Time as the project speaks of it: half-open ranges, expressions found in text, and the scope of a question.

Plain frozen dataclasses, not pydantic models: the parser makes them by the hundred thousand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Literal
from zoneinfo import ZoneInfo

_FIXED_OFFSET = re.compile(r"(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?", re.ASCII)

Tense = Literal["past", "plan"]
"""`past`: the verb tells what happened. `plan`: it tells what is to come or is due."""

Kind = Literal["range", "instant", "duration", "recurrence"]
"""A range or day has a start and an end; an instant ends one grain after its start; the last two have no place in time.
"""

Grain = Literal["second", "minute", "hour", "part_of_day", "day", "weekend", "week", "month", "quarter", "year"]


@dataclass(frozen=True, slots=True)
class TimeRange:
    """A half-open range `[start, end)` of aware instants; `None` on one side leaves that side open.

    Raises:
        ValueError: a bound is naive, both are open, or `start` is not before `end`.
    """

    start: datetime | None
    end: datetime | None

    def __post_init__(self) -> None:
        start, end = self.start, self.end
        if start is None and end is None:
            raise ValueError("a range is open on one side at most; both are open")
        if start is not None and start.tzinfo is None:
            raise ValueError(f"start is {start.isoformat()}; a range takes aware instants only")
        if end is not None and end.tzinfo is None:
            raise ValueError(f"end is {end.isoformat()}; a range takes aware instants only")
        if start is not None and end is not None and not start < end:
            raise ValueError(f"start {start.isoformat()} is not before end {end.isoformat()}")


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """One time expression as it stands in a text.

    `core` is the leading reading and `wide` the hull of what a reasonable speaker may have meant; both are None for a
    duration or a recurrence. `stated` holds the calendar fields that the words say (`{"month": 8}`), `implied` those
    that the reading added. `alternatives` are rival readings that the hull does not swallow; `excluded` are spans
    inside `core` that the words take out again. `rules` names the rules that fired, in order.
    """

    text: str
    span: tuple[int, int]
    kind: Kind
    core: TimeRange | None
    wide: TimeRange | None
    grain: Grain | None
    stated: dict[str, int | str] = field(default_factory=dict)
    implied: dict[str, int | str] = field(default_factory=dict)
    alternatives: tuple[TimeRange, ...] = ()
    excluded: tuple[TimeRange, ...] = ()
    duration: timedelta | None = None
    recurrence: str | None = None
    """An RFC 5545 RRULE value (`FREQ=WEEKLY;BYDAY=TU,TH`), for a recurrence only."""
    next: tuple[TimeRange, ...] = ()
    """The next occurrences of a recurrence, soonest first."""
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TimeScope:
    """The range that scopes a whole text: the leading expression's reading, beside every expression found.

    `core`, `wide`, `grain`, `span`, `alternatives` and `excluded` are those of the leading expression.
    """

    kind: Kind
    core: TimeRange | None
    wide: TimeRange | None
    grain: Grain | None
    span: tuple[int, int]
    alternatives: tuple[TimeRange, ...] = ()
    excluded: tuple[TimeRange, ...] = ()
    expressions: tuple[TimeExpression, ...] = ()


@lru_cache(maxsize=512)
def zone_of(name: str) -> tzinfo:
    """The zone that a name stands for: an IANA id (`Asia/Shanghai`), `Z`, or a fixed offset (`+08:00`, `UTC+8`).

    Raises:
        ValueError: the name is neither.
    """
    offset = _FIXED_OFFSET.fullmatch(name)
    try:
        if offset:
            size = timedelta(hours=int(offset[2]), minutes=int(offset[3] or 0))
            return timezone(-size if offset[1] == "-" else size)
        return ZoneInfo("UTC" if name == "Z" else name)
    except (ValueError, KeyError, OSError) as error:
        message = f"time zone {name!r} is neither an IANA id such as Asia/Shanghai nor an offset such as +08:00"
        raise ValueError(message) from error
