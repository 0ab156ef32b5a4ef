"""How Recap writes clock times, durations and other people's texts. Depends on no locale."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import regex

from temporal_recall.dataflows.recap.windows import recap_zone
from temporal_recall.schemas.recap import RecapWindow

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

_GRAPHEME = regex.compile(r"\X")
_UNSEEN = re.compile(
    "[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e01ef]"
)
"""What is in a text and not on the page: marks that turn the reading, spaces of no width, tags that spell hidden words.
Joiners stay, since scripts and emoji need them."""
_REMEMBERED_LENGTH = 256
_LIKE_A_ROW = re.compile(
    r"""^\s*[-*•#>]            # begins like a row or a heading
      | \d{1,2}:\d{2}          # a clock time
      | \b\d+\s?h\d*m?\b       # a duration
      | \b\d+\s?m(in)?\b
      | <\s?1m
      | [,"]                   # separates entries, or quotes
    """,
    re.VERBOSE,
)


def duration_text(duration: timedelta) -> str:
    """A duration in whole minutes, cut, never rounded up: `<1m`, `59m`, `1h00m`."""
    minutes = duration // timedelta(minutes=1)
    if minutes < 1:
        return "<1m"
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h{minutes:02}m" if hours else f"{minutes}m"


def range_text(start: datetime, end: datetime, window: RecapWindow) -> str:
    """A stretch by the clock of the zone: `09:00-10:15`, at the end `23:00-24:00`, for a point in time `09:00`.

    Inside an hour that the clock shows twice each side carries its offset (`01:10-04:00 to 01:40-05:00`); on the
    next calendar date, which a day that begins at 4 has, `(next day)` follows.
    """
    zone = recap_zone(window.time_zone)
    local_start, local_end = start.astimezone(zone), end.astimezone(zone)
    first, last = _clock_text(local_start), _clock_text(local_end)
    is_at_midnight_end = end == window.end_exclusive and window.day_start_hour == 0
    if is_at_midnight_end:
        last = "24:00"
    if _is_repeated(local_start, zone) or (_is_repeated(local_end, zone) and not is_at_midnight_end):
        text = f"{first}{_offset_text(local_start)} to {last}{_offset_text(local_end)}"
    else:
        text = first if start == end else f"{first}-{last}"
    return text + _next_day_mark(local_start.date(), local_end.date(), window.local_date, is_at_midnight_end)


def _next_day_mark(start: date, end: date, local_date: date, is_at_midnight_end: bool) -> str:
    if start > local_date and not is_at_midnight_end:
        return " (next day)"
    if end > local_date and not is_at_midnight_end:
        return " (ends next day)"
    return ""


def _is_repeated(local: datetime, zone: ZoneInfo) -> bool:
    wall = local.replace(tzinfo=zone)
    return wall.replace(fold=0).utcoffset() != wall.replace(fold=1).utcoffset()


def _clock_text(local: datetime) -> str:
    return f"{local.hour:02}:{local.minute:02}"


def _offset_text(local: datetime) -> str:
    return local.isoformat(timespec="minutes")[16:]


def clean_text(text: str) -> str:
    """A foreign text on one line: control characters and line breaks become spaces, runs of spaces one; what cannot be
    seen is left out."""
    return _remembered(text) if len(text) <= _REMEMBERED_LENGTH else _cleaned(text)


def _cleaned(text: str) -> str:
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    spaced = "".join(" " if unicodedata.category(char) in ("Cc", "Zl", "Zp", "Cs", "Co") else char for char in text)
    return " ".join(_UNSEEN.sub("", spaced).split())


_remembered = lru_cache(maxsize=65_536)(_cleaned)
"""`_cleaned` of short texts: a day shows the same names over and over, and long ones would fill the memory."""


def cut_text(text: str, graphemes: int) -> str:
    """A text of at most so many user-perceived characters; a longer one ends in an ellipsis, no character is halved."""
    if len(text) <= graphemes:
        return text
    whole = _GRAPHEME.findall(text, endpos=64 * graphemes)
    if len(whole) <= graphemes and len(text) <= 64 * graphemes:
        return text
    return "".join(whole[: graphemes - 1]).rstrip() + "…"


def label_text(text: str, graphemes: int) -> str:
    """A foreign text as the digest writes it: on one line, cut, in quotes where it looks like words of the digest."""
    text = cut_text(clean_text(text), graphemes)
    if _LIKE_A_ROW.search(text):
        return '"' + text.replace('"', "'") + '"'
    return text
