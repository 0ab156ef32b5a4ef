"""Reads the project's own labelled questions: `tests/data/planner/utterances.txt` says how a line is built."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

FILE = Path(__file__).resolve().parents[1] / "data" / "planner" / "utterances.txt"
ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 10, 14, 10, 30, tzinfo=ZONE)

Span = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True)
class Utterance:
    """One question and its label; a range of None says null, an empty tuple says that any will do."""

    text: str
    kinds: tuple[str, ...]
    group: str
    modes: tuple[str, ...] = ()
    mention: tuple[Span | None, ...] = ()
    event: tuple[Span | None, ...] = ()
    marks: frozenset[str] = frozenset()
    people: tuple[str, ...] = ()
    topic: str | None = None
    top_source: str | None = None


def utterances() -> list[Utterance]:
    """Every labelled question, in the file's order."""
    found: list[Utterance] = []
    group = ""
    for line in FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            group = line[3:]
        elif line and not line.startswith("#"):
            found.append(_utterance(group, [cell.strip() for cell in line.split(" |")]))
    return found


def _utterance(group: str, cells: list[str]) -> Utterance:
    text, kind, mode, mention, event, more = [*cells, *[""] * (6 - len(cells))]
    marks = [mark.strip() for mark in more.split(";") if mark.strip()]
    named = dict(mark.split("=") for mark in marks if "=" in mark)
    return Utterance(
        text=text,
        kinds=tuple(kind.split(",")),
        group=group,
        modes=tuple(mode.split(",")) if mode not in ("", "-") else (),
        mention=_spans(mention),
        event=_spans(event),
        marks=frozenset(mark for mark in marks if "=" not in mark),
        people=tuple(named["people"].split(",")) if "people" in named else (),
        topic=named.get("topic"),
        top_source=named.get("top"),
    )


def _spans(cell: str) -> tuple[Span | None, ...]:
    if cell in ("", "*"):
        return ()
    return (None,) if cell == "-" else tuple(_span(part) for part in cell.split(","))


def _span(text: str) -> Span:
    first, _, last = text.partition("/")
    start = _instant(first)
    return start, _instant(last) if last else start + timedelta(days=1)


def _instant(text: str) -> datetime:
    if text == "now":
        return NOW
    dated = text if text[:4].isdigit() else f"2026-{text}"
    day, _, clock = dated.partition("T")
    return datetime.fromisoformat(f"{day}T{clock if ':' in clock else (clock or '00') + ':00'}").replace(tzinfo=ZONE)
