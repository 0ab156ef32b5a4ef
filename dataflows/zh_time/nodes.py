"""What composed words mean, before anyone asks when they were said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from temporal_recall.dataflows.zh_time.tokens import Amount, Every, Predicate, Rank


@dataclass(frozen=True, slots=True)
class Phrase:
    """Predicates from coarse to fine that intersect.

    `zone` is the zone that the words name; `days_off` asks for a feast's days off (国庆期间); `about` says 左右.
    """

    predicates: tuple[Predicate, ...]
    zone: str = ""
    days_off: bool = False
    about: bool = False

    @property
    def rank(self) -> Rank:
        """The rank of the coarsest predicate."""
        return self.predicates[0].rank

    @property
    def weak(self) -> bool:
        """Whether every word of the phrase needs company."""
        return all(p.weak for p in self.predicates)


@dataclass(frozen=True, slots=True)
class Between:
    """From one phrase to another, both included."""

    left: Phrase
    right: Phrase


@dataclass(frozen=True, slots=True)
class Laid:
    """A length of time laid before or after a phrase, or before or after now; `way` says how."""

    amounts: tuple[Amount, ...]
    way: str
    anchor: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Bounded:
    """A node of which one side is open, or clipped at now; `way` says which."""

    node: Phrase | Between | Laid
    way: str


@dataclass(frozen=True, slots=True)
class Except:
    """A node without another."""

    node: Phrase | Between | Laid | Bounded
    without: Phrase | Between | Laid


@dataclass(frozen=True, slots=True)
class Length:
    """A length of time that stands alone."""

    amounts: tuple[Amount, ...]


@dataclass(frozen=True, slots=True)
class Recurring:
    """Something that recurs: every so many units, narrowed by a phrase or a span."""

    every: Every
    inner: Phrase | Between | None


Placeable = Phrase | Between | Laid | Bounded | Except
"""A node that has a place in time."""

Node = Placeable | Length | Recurring


class Expression(NamedTuple):
    """A node where it stands in the text, with the rules that made it."""

    node: Node
    start: int
    end: int
    rules: tuple[str, ...]
    stated: Mapping[str, int | str]
    """The calendar fields that the words say."""
