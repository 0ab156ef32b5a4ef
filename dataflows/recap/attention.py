"""The attention lane of a device: one thing at a time, in blocks, with what each block was about."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count, pairwise
from typing import NamedTuple

from temporal_recall.dataflows.recap.privacy import Reading
from temporal_recall.dataflows.recap.texts import cut_text
from temporal_recall.dataflows.recap.trees import Leaf, breakdown_of
from temporal_recall.schemas.recap import AppTotal, AttentionBlock, AttentionLane, Stretch
from temporal_recall.schemas.recap_settings import ProjectionSettings

AWAY_LABEL = "away"
_ZERO = timedelta(0)
_FAR_FUTURE = datetime.max.replace(tzinfo=UTC)
_Open = tuple[tuple[object, ...], int, "Reading"]
"""A reading that has begun and not ended: its precedence, its place in the order, and itself."""


class Piece(NamedTuple):
    """A stretch of a device's time that one reading has to itself. `root` is its app; None while nobody was there."""

    start: datetime
    end: datetime
    root: str | None
    reading: Reading


class _Block(NamedTuple):
    root: str | None
    pieces: list[Piece]

    @property
    def start(self) -> datetime:
        return self.pieces[0].start

    @property
    def end(self) -> datetime:
        return self.pieces[-1].end

    @property
    def active(self) -> timedelta:
        return sum((piece.end - piece.start for piece in self.pieces), _ZERO)


def exclusive_pieces(readings: Iterable[Reading]) -> tuple[Piece, ...]:
    """One device's foreground readings with every overlap resolved, in time order; together never above clock time.

    Away wins over foreground, a later start over an earlier one, and the earlier goes on when the later has ended:

        A     |==========|
        B     |   ===    |        A, B, A
        away  |         ===|      A is cut

    A point in time gives a piece of no length, unless nobody was there.
    """
    pieces: list[Piece] = []
    open_readings: list[_Open] = []
    order = count()
    for reading in sorted(readings, key=_start_order):
        _close_until(reading.start, open_readings, pieces)
        if reading.end > reading.start:
            heapq.heappush(open_readings, (_precedence(reading), next(order), reading))
        elif not (open_readings and open_readings[0][-1].is_away):
            pieces.append(_piece(reading, reading.start, reading.start))
    _close_until(None, open_readings, pieces)
    return tuple(pieces)


def attention_lane_of(pieces: Sequence[Piece], settings: ProjectionSettings) -> AttentionLane:
    """Rows, totals and gaps of one device's exclusive pieces."""
    gap, noise = timedelta(seconds=settings.merge_gap_s), timedelta(seconds=settings.noise_s)
    blocks = [(block, block.active) for block in _blocks(pieces, gap)]
    rows = _rejoined([block for block, active in blocks if active >= noise], gap)
    short = [active for block, active in blocks if active < noise and block.root is not None]
    away = sum((active for block, active in blocks if block.root is None), _ZERO)
    totals = _app_totals(pieces, settings)
    return AttentionLane(
        blocks=tuple(_attention_block(block, settings) for block in rows),
        no_records=_no_records(pieces, timedelta(seconds=settings.no_record_s)),
        short_count=len(short),
        short_active=sum(short, _ZERO),
        app_totals=totals[: settings.app_entries],
        other_app_count=len(totals[settings.app_entries :]),
        other_app_active=sum((total.active for total in totals[settings.app_entries :]), _ZERO),
        away=away if away >= noise else None,
    )


def _start_order(reading: Reading) -> tuple[object, ...]:
    return (reading.start, reading.end, not reading.is_away, reading.path, reading.segment_id)


def _precedence(reading: Reading) -> tuple[object, ...]:
    start, end = reading.whole
    return (not reading.is_away, _FAR_FUTURE - start, end, reading.path, reading.segment_id)


def _piece(reading: Reading, start: datetime, end: datetime) -> Piece:
    return Piece(start, end, None if reading.is_away else reading.path[0], reading)


def _close_until(until: datetime | None, open_readings: list[_Open], pieces: list[Piece]) -> None:
    """Gives the time from the last piece up to `until` to whichever open reading has precedence."""
    while open_readings:
        reading = open_readings[0][-1]
        start = max(reading.start, pieces[-1].end) if pieces else reading.start
        if start >= reading.end:
            heapq.heappop(open_readings)
            continue
        if until is not None and start >= until:
            return
        end = reading.end if until is None else min(reading.end, until)
        pieces.append(_piece(reading, start, end))


def _blocks(pieces: Iterable[Piece], gap: timedelta) -> list[_Block]:
    blocks: list[_Block] = []
    for piece in pieces:
        if blocks and blocks[-1].root == piece.root and piece.start - blocks[-1].end <= gap:
            blocks[-1].pieces.append(piece)
        else:
            blocks.append(_Block(piece.root, [piece]))
    return blocks


def _rejoined(blocks: Iterable[_Block], gap: timedelta) -> list[_Block]:
    """Neighbours of one app, joined where only noise lay between them."""
    joined: list[_Block] = []
    for block in blocks:
        if joined and joined[-1].root == block.root and block.start - joined[-1].end <= gap:
            joined[-1] = _Block(block.root, joined[-1].pieces + block.pieces)
        else:
            joined.append(block)
    return joined


def _attention_block(block: _Block, settings: ProjectionSettings) -> AttentionBlock:
    active = block.active
    if block.root is None:
        return AttentionBlock(AWAY_LABEL, True, block.start, block.end, active)
    leaves = [Leaf(p.reading.path[1:], p.reading.segment_id, (p.start, p.end)) for p in block.pieces]
    label = cut_text(block.root, settings.text_graphemes)
    return AttentionBlock(label, False, block.start, block.end, active, breakdown_of(leaves, active, settings))


def _app_totals(pieces: Iterable[Piece], settings: ProjectionSettings) -> tuple[AppTotal, ...]:
    """The foreground time of each app, longest first, ties by name. Away is no app."""
    active_by_app: dict[str, timedelta] = defaultdict(timedelta)
    for piece in pieces:
        if piece.root is not None:
            active_by_app[piece.root] += piece.end - piece.start
    ranked = sorted(active_by_app.items(), key=lambda item: (-item[1], item[0]))
    return tuple(AppTotal(cut_text(app, settings.text_graphemes), active) for app, active in ranked)


def _no_records(pieces: Sequence[Piece], shortest: timedelta) -> tuple[Stretch, ...]:
    return tuple(Stretch(a.end, b.start) for a, b in pairwise(pieces) if b.start - a.end >= shortest)
