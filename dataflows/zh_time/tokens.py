"""What a rule makes of the words it matches. The main token is a predicate over the calendar.

A `Predicate` says where in the calendar something lies: 八月 is "the month whose number is 8" and holds once in every
year; 去年 stands still, one year before now. Two predicates side by side intersect: the finer is looked for inside the
coarser. `rank` orders them from coarse to fine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from typing import Literal, NamedTuple

from temporal_recall.dataflows.zh_time.calendar import Unit, Window
from temporal_recall.schemas.time import Grain, Tense

Finder = Callable[[Window], Iterable[Window]]
Placer = Callable[["Now"], Window | None]
Fields = Mapping[str, int | str]


class Rank(IntEnum):
    """How fine a predicate is; in one phrase the finer stands inside the coarser."""

    ERA = 0
    DECADE = 1
    YEAR = 2
    HALF = 3
    QUARTER = 4
    MONTH = 5
    THIRD = 6
    WEEK = 7
    DAY = 8
    PART = 9
    CLOCK = 10


class Now(NamedTuple):
    """The civil time of speaking, the tense that the clause is read in, and whether its leading reading is enough."""

    moment: datetime
    tense: Tense | None = None
    brief: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Predicate:
    """A property of calendar spans; one is like no other, for nobody can tell whether two find the same.

    `find` yields the spans inside a window that have it, in order. One of two more says where to look when nothing
    coarser is said: `place` gives the one span that it names seen from now; `scope` is the unit in which it recurs.
    `steps` is the unit by which a span that contradicts the tense may move. `weak` words need company. `forward` ones
    (holidays) mean the next to come when no tense is told.
    """

    rank: Rank
    grain: Grain
    find: Finder | None = None
    place: Placer | None = None
    scope: Unit | None = None
    steps: Unit | None = None
    stated: Fields = field(default_factory=dict)
    weak: bool = False
    forward: bool = False
    nearest: bool = False
    """Without a tense it is the nearest one, not that of the present unit: 3号, 寒假."""
    wall: bool = False
    """「国庆前」 ends where it begins, unlike 「周五前」, which takes Friday in."""
    loose: bool = False
    """A bare weekday: its wide range takes in the last and the next one."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the day: core and wide hours, and how its clock counts."""

    name: str
    hours: tuple[float, float]
    wide_hours: tuple[float, float]
    clock: Literal["small", "morning", "noon", "afternoon", "evening", "night"]
    weak: bool = False


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock time. `half_day` tells whether am or pm is known; `weak` forms (8点) need company."""

    hour: int
    minute: int = 0
    second: int = 0
    grain: Literal["hour", "minute", "second"] = "hour"
    known: bool = False
    weak: bool = False
    hours: int = 1
    """How many hours the words leave open: two for 七八点."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A length of time: counts per unit; `vague` where the words name no number (几天)."""

    counts: tuple[tuple[Unit, float], ...]
    vague: bool = False
    upper: float | None = None
    nights: int | None = None


@dataclass(frozen=True, slots=True)
class Reach:
    """A word that lays a length of time before or after now: 最近, 前, 未来, 上, 下, 过."""

    side: Literal["past", "future"]
    way: Literal["recent", "whole", "before", "point", "coming"]


@dataclass(frozen=True, slots=True)
class Offset:
    """A word after a length: 前 后 内 以来."""

    way: Literal["ago", "later", "within", "ordinal"]


@dataclass(frozen=True, slots=True)
class Bound:
    """A word that opens one side of a span: 之前 之后 起 至今."""

    way: Literal["before", "until", "after", "from", "begin", "since", "eve"]
    """`begin` (开始) opens a span after a day; after a clock time it is the verb."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A word that is nothing alone: links, prepositions, calendars, zones, look-alikes."""

    kind: Literal[
        "to", "and", "from", "since", "by", "lunar", "plain", "zone", "about", "during", "except", "number", "dead"
    ]
    value: str = ""


@dataclass(frozen=True, slots=True)
class Every:
    """每 and its kin: a recurrence of what follows, every `interval` units; `unit` where the word says it."""

    interval: float = 1
    unit: Unit | None = None
    days: tuple[str, ...] = ()


Token = Predicate | Part | Clock | Amount | Reach | Offset | Bound | Mark | Every


class Lexeme(NamedTuple):
    """A token where it stands in the text, with the rule that made it."""

    start: int
    end: int
    rule: str
    token: Token
