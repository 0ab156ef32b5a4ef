"""The pages of `recap`: the record of a day, and a diary."""

from __future__ import annotations

from datetime import date

from rich.console import Group, RenderableType
from rich.text import Text

from temporal_recall.schemas.recap import RecapOut, RecapWindow
from temporal_recall.service.cli.console import harmless


def digest_page(digest: str, window: RecapWindow) -> RenderableType:
    """The digest as it would be sent, with its headings set off; one line for an empty day."""
    if not digest:
        return Text(f"No record of {window.local_date.isoformat()} ({window.time_zone}).", style="dim")
    lines = [Text(line, style=_style(number, line)) for number, line in enumerate(digest.split("\n"))]
    return Group(*lines)


def diary_heading(local_date: date, time_zone: str) -> Text:
    """The line above a diary."""
    return Text(f"{local_date.isoformat()} ({time_zone})", style="bold")


def diary_page(diary: RecapOut) -> RenderableType:
    """A diary under its date, with a remark where the record has moved on."""
    heading = diary_heading(diary.date, diary.time_zone)
    if diary.is_empty:
        return Group(heading, Text("Nothing was recorded.", style="dim"))
    parts: list[RenderableType] = [heading, Text(), Text(harmless(diary.narrative or ""))]
    if diary.missing_dates:
        missing = ", ".join(day.isoformat() for day in diary.missing_dates)
        parts.append(Text(f"\nwithout a diary: {missing}", style="dim"))
    if remark := _remark(diary):
        parts.append(Text(f"\n{remark}; --again writes it anew", style="dim"))
    return Group(*parts, Text())


def _style(number: int, line: str) -> str:
    if number == 0:
        return "bold"
    if line.startswith("## "):
        return "bold cyan"
    return "dim" if line.startswith("    ") else ""


def _remark(diary: RecapOut) -> str:
    if diary.partial_day or diary.segment_stale:
        return "the record has gone on since this was written"
    if diary.knowledge_stale:
        return "the facts have changed since this was written"
    return ""
