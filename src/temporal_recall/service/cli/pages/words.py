"""Small pieces that the pages share: days, spans, bars."""

from __future__ import annotations

import re
from datetime import datetime, time, timedelta

from rich.bar import Bar
from rich.table import Table

from temporal_recall.schemas.bundle import TimelineItem
from temporal_recall.schemas.plan import Range
from temporal_recall.schemas.time import TimeRange

_UNSEEN = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+")
"""White space, control characters (a record could steer the terminal with them) and marks that turn the reading."""

_MIDNIGHT = time()
_DAY = timedelta(days=1)


def seen(words: str) -> str:
    """A record's words on one line, without what a terminal would obey."""
    return _UNSEEN.sub(" ", words).strip()


def grid(*widths: int | None) -> Table:
    """A table without lines, one column a width (None: what is left)."""
    table = Table.grid(padding=(0, 2), expand=True)
    for width in widths:
        table.add_column(width=width, ratio=None if width else 1, no_wrap=bool(width), overflow="fold")
    return table


def bar(share: float, width: int = 12, colour: str = "cyan") -> Bar:
    """A share of 1 as a bar."""
    return Bar(1.0, 0.0, share, width=width, color=colour, bgcolor="grey23")


def span(range_: Range | TimeRange | None) -> str:
    """A half-open range as a person reads it: whole days by their first and last day."""
    if range_ is None:
        return "any time"
    start, end = range_.start, range_.end
    if start is None or end is None:
        return f"from {moment(start)}" if start else f"until {moment(end)}"
    if start.time() == end.time() == _MIDNIGHT:
        last = end - _DAY
        return day(start) if last.date() <= start.date() else f"{day(start)} – {day(last)}"
    return f"{moment(start)} – {f'{end:%H:%M}' if end.date() == start.date() else moment(end)}"


def day(instant: datetime) -> str:
    """The day of an instant."""
    return f"{instant:%Y-%m-%d %a}"


def moment(instant: datetime | None) -> str:
    """A day and a time of day; empty for None."""
    return f"{instant:%Y-%m-%d %a %H:%M}" if instant else ""


def happening(item: TimelineItem) -> str:
    """When an item happens, as exactly as it is known; when it was told, where that is all that is known."""
    start, end = item.event_time, item.event_end
    if start is None:
        return f"told {item.observed_time:%m-%d %H:%M}"
    if item.granularity in ("day", "range"):
        last = end - _DAY if end else start
        return f"{start:%m-%d %a}" if last.date() <= start.date() else f"{start:%m-%d} – {last:%m-%d}"
    until = f"–{end:%H:%M}" if end and end > start and end.date() == start.date() else ""
    return f"{start:%m-%d %a %H:%M}{until}"
