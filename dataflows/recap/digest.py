"""A projection as plain text for people and models, within a budget of characters.

    2026-07-14 Tuesday (Asia/Shanghai)

    ## Device studio-pc
    Foreground, one thing at a time:
    - 09:00-10:15 Code 1h15m
        lanes.py 50m, test_lanes.py 25m
    - 10:35-13:00 away 2h25m
    App totals: Code 1h15m
    Away in all: 2h25m
    Seen by browser (inside the times above, never to be added to them):
    - docs.python.org/3/library/zoneinfo.html 19m, 2 visits

Every foreign text stands behind a mark of ours and in quotes where it could be taken for the digest's own words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from temporal_recall.dataflows.recap.texts import WEEKDAYS, duration_text, label_text, range_text
from temporal_recall.schemas.recap import (
    NO_BREAKDOWN,
    AttentionBlock,
    AttentionLane,
    Breakdown,
    DetailLane,
    DeviceRecap,
    LaneEvent,
    RecapProjection,
    Stretch,
    TreeNode,
)

_NOTE_ROOM = 200
"""Characters kept free for the line that says what was left out."""

LineKind = Literal["frame", "row", "detail"]


@dataclass(frozen=True, slots=True)
class DigestLine:
    """A line with the breakdown that hangs on it. Frames are headings and totals; rows and details go before them."""

    kind: LineKind
    text: str
    breakdown: Breakdown = NO_BREAKDOWN
    active: timedelta = timedelta(0)


def digest_text(projection: RecapProjection) -> str:
    """The digest of a projection, at most `digest_budget_chars` long; the empty string for an empty day.

    Over the budget it drops, in this order, tails of breakdowns, detail entries from the bottom, rows by least active
    time, and at last whatever stands at the bottom; a last line says what was dropped.
    """
    if projection.is_empty:
        return ""
    return _Writer(projection).text()


class _Writer:
    """Writes the lines of one projection and fits them into its budget."""

    def __init__(self, projection: RecapProjection) -> None:
        self._projection = projection
        self._window = projection.window
        self._graphemes = projection.settings.text_graphemes
        self._budget = projection.settings.digest_budget_chars

    def text(self) -> str:
        lines = list(self._lines())
        tails = self._projection.settings.breakdown_entries
        texts = self._texts(lines, tails)
        if _size(texts) <= self._budget:
            return "\n".join(texts)
        room = self._budget - _NOTE_ROOM
        while tails > 0 and _size(texts) > room:
            tails -= 1
            texts = self._texts(lines, tails)
        return self._cut(lines, texts, room)

    def _cut(self, lines: list[DigestLine], texts: list[str], room: int) -> str:
        dropped = _Dropped(has_breakdowns=any(line.breakdown.entries for line in lines))
        details = [at for at, line in enumerate(lines) if line.kind == "detail"]
        rows = [at for at, line in enumerate(lines) if line.kind == "row"]
        frames = [at for at, line in enumerate(lines) if line.kind == "frame" and at > 0]
        least_active_first = sorted(rows, key=lambda at: (lines[at].active, -at))
        size = _size(texts)
        for at in [*reversed(details), *least_active_first, *reversed(frames)]:
            if size <= room:
                break
            size -= len(texts[at]) + 1
            texts[at] = ""
            dropped.count(lines[at].kind)
        return "\n".join([*(text for text in texts if text), dropped.note()])[: self._budget]

    def _texts(self, lines: list[DigestLine], tails: int) -> list[str]:
        return [self._line_text(line, tails) for line in lines]

    def _line_text(self, line: DigestLine, tails: int) -> str:
        below = self._breakdown_text(line.breakdown, tails)
        return f"{line.text}\n    {below}" if below else line.text

    def _lines(self) -> Iterator[DigestLine]:
        yield DigestLine("frame", self._heading())
        for device in self._projection.devices:
            yield from self._device_lines(device)
        if self._projection.events:
            yield DigestLine("frame", "\n## Known events (from other sources)")
            yield from (DigestLine("detail", self._event_text(event)) for event in self._projection.events)
        if self._projection.recurring:
            labels = ", ".join(self._label(label) for label in self._projection.recurring)
            yield DigestLine("frame", f"\nSeen on most days, background only: {labels}")

    def _heading(self) -> str:
        date, hour = self._window.local_date, self._window.day_start_hour
        begin = f", the day begins at {hour:02}:00" if hour else ""
        return f"{date.isoformat()} {WEEKDAYS[date.weekday()]} ({self._window.time_zone}{begin})"

    def _device_lines(self, device: DeviceRecap) -> Iterator[DigestLine]:
        yield DigestLine("frame", f"\n## Device {self._label(device.device_name)}")
        if device.attention is None:
            yield DigestLine("frame", "No record of the foreground.")
        else:
            yield from self._attention_lines(device.attention)
        for lane in device.details:
            yield from self._detail_lines(lane)

    def _attention_lines(self, lane: AttentionLane) -> Iterator[DigestLine]:
        yield DigestLine("frame", "Foreground, one thing at a time:")
        parts: list[AttentionBlock | Stretch] = [*lane.blocks, *lane.no_records]
        for part in sorted(parts, key=lambda part: (part.start, part.end)):
            yield self._block_line(part) if isinstance(part, AttentionBlock) else self._no_record_line(part)
        if not lane.blocks and lane.short_count:
            counted = _counted(lane.short_count, "short activity", "short activities")
            yield DigestLine("frame", f"- {counted}, total {duration_text(lane.short_active)}")
        if lane.app_totals:
            yield DigestLine("frame", f"App totals: {self._totals_text(lane)}")
        if lane.away is not None:
            yield DigestLine("frame", f"Away in all: {duration_text(lane.away)}")

    def _block_line(self, block: AttentionBlock) -> DigestLine:
        label = "away" if block.is_away else self._label(block.label)
        text = f"- {self._range(block.start, block.end)} {label} {duration_text(block.active)}"
        span = block.end - block.start
        if block.active < span * self._projection.settings.span_share:
            text += f" (within {duration_text(span)})"
        return DigestLine("row", text, block.breakdown, block.active)

    def _no_record_line(self, stretch: Stretch) -> DigestLine:
        return DigestLine("row", f"- {self._range(stretch.start, stretch.end)} no record")

    def _totals_text(self, lane: AttentionLane) -> str:
        parts = [f"{self._label(total.label)} {duration_text(total.active)}" for total in lane.app_totals]
        if lane.other_app_count:
            others = _counted(lane.other_app_count, "other", "others")
            parts.append(f"+{others}, total {duration_text(lane.other_app_active)}")
        return ", ".join(parts)

    def _detail_lines(self, lane: DetailLane) -> Iterator[DigestLine]:
        yield DigestLine("frame", f"Seen by {self._label(lane.source)} (never to be added to other times):")
        for node in lane.entries:
            visits = _counted(node.visits, "visit", "visits")
            text = f"- {self._label(node.label)} {duration_text(node.duration)}, {visits}"
            yield DigestLine("detail", text, node.breakdown)
        if lane.unlisted_count:
            yield DigestLine("frame", f"- {lane.unlisted_count} more not listed")

    def _event_text(self, event: LaneEvent) -> str:
        clock = self._range(event.start, event.end or event.start)
        return f"- {clock} {self._label(event.title)} [{self._label(event.type)}, {self._label(event.status)}]"

    def _breakdown_text(self, breakdown: Breakdown, tails: int) -> str:
        if not breakdown.entries or tails == 0:
            return ""
        parts = [self._node_text(node, tails) for node in breakdown.entries[:tails]]
        if breakdown.other_count and tails >= len(breakdown.entries):
            others = _counted(breakdown.other_count, "other", "others")
            parts.append(f"{others} {duration_text(breakdown.other_duration)}")
        return ", ".join(parts)

    def _node_text(self, node: TreeNode, tails: int) -> str:
        below = self._breakdown_text(node.breakdown, tails)
        text = f"{self._label(node.label)} {duration_text(node.duration)}"
        return f"{text} ({below})" if below else text

    def _label(self, text: str) -> str:
        return label_text(text, self._graphemes)

    def _range(self, start: datetime, end: datetime) -> str:
        return range_text(start, end, self._window)


@dataclass(slots=True)
class _Dropped:
    """How many lines were left out to fit."""

    has_breakdowns: bool
    details: int = 0
    rows: int = 0
    others: int = 0

    def count(self, kind: LineKind) -> None:
        self.details += kind == "detail"
        self.rows += kind == "row"
        self.others += kind == "frame"

    def note(self) -> str:
        parts = ["tails of breakdowns"] if self.has_breakdowns else []
        if self.details:
            parts.append(_counted(self.details, "detail entry", "detail entries"))
        if self.rows:
            parts.append(_counted(self.rows, "timeline row", "timeline rows"))
        if self.others:
            parts.append(_counted(self.others, "other line", "other lines"))
        return f"(Left out to keep this short: {', '.join(parts)}.)"


def _size(texts: list[str]) -> int:
    return sum(map(len, texts)) + len(texts)


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
