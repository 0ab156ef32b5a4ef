"""What resolving speaks of: a reading in civil time, and the circumstances of speaking."""

from __future__ import annotations

from datetime import datetime, tzinfo
from typing import NamedTuple

from temporal_recall.dataflows.zh_time.calendar import Window
from temporal_recall.dataflows.zh_time.tokens import Now
from temporal_recall.schemas.time import Grain, Kind, Tense


class Reading(NamedTuple):
    """A placed node in civil time; a side that is None is open. `zone` is set where the words name one."""

    start: datetime | None
    end: datetime | None
    wide_start: datetime | None
    wide_end: datetime | None
    grain: Grain
    kind: Kind = "range"
    alternatives: tuple[Window, ...] = ()
    excluded: tuple[Window, ...] = ()
    zone: str = ""

    @classmethod
    def exact(cls, window: Window, grain: Grain) -> Reading:
        """The reading of a window, with nothing beside it."""
        return cls(*window, grain)


class Speaking(NamedTuple):
    """When and in which zone a text was said, and in which tense a clause of it is.

    `brief`: the leading reading alone is asked for, without its wide bounds and alternatives.
    """

    moment: datetime
    zone: tzinfo
    tense: Tense | None = None
    brief: bool = False

    @property
    def now(self) -> Now:
        """The civil circumstances alone."""
        return Now(self.moment, self.tense, self.brief)
