"""With which two characters a pattern may match, read off the pattern itself.

Too many pairs are told rather than too few: what stands before is left out, and what a pattern is not understood to
say may be anything. A pair that is not told can never match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

Characters = frozenset[str] | None
"""A set of characters; None stands for any."""

_Item = tuple[Any, Any]
"""A part of a parsed pattern: its kind and what it holds."""

_LARGEST_RANGE = 1000


@dataclass(frozen=True, slots=True)
class Beginning:
    """How words begin: their first and second characters, and whether they may be empty or of one character."""

    first: Characters = frozenset()
    second: Characters = frozenset()
    is_empty: bool = False
    is_single: bool = False

    def allows(self, pair: str) -> bool:
        """Whether words may begin with two characters, or with the last one of a text."""
        return _holds(self.first, pair[:1]) and (len(pair) < 2 or _holds(self.second, pair[1]))

    def __or__(self, other: Beginning) -> Beginning:
        """The one or the other."""
        return Beginning(
            _either(self.first, other.first),
            _either(self.second, other.second),
            self.is_empty or other.is_empty,
            self.is_single or other.is_single,
        )

    def __add__(self, other: Beginning) -> Beginning:
        """The one, then the other."""
        first = _either(self.first, other.first) if self.is_empty else self.first
        second = _either(self.second, other.first) if self.is_single else self.second
        return Beginning(
            first,
            _either(second, other.second) if self.is_empty else second,
            self.is_empty and other.is_empty,
            (self.is_single and other.is_empty) or (self.is_empty and other.is_single),
        )


_NOTHING = Beginning(is_empty=True)
_ANYTHING = Beginning(None, None, is_empty=True, is_single=True)


def beginnings(pattern: re.Pattern[str]) -> tuple[Beginning, ...]:
    """How texts begin that a pattern matches: in one of these ways."""
    parsed = re._parser.parse(pattern.pattern, pattern.flags)  # type: ignore[attr-defined]
    return tuple(beginning + _ANYTHING for beginning in _ways(list(parsed)))


def _ways(items: Sequence[_Item]) -> list[Beginning]:
    """The beginnings of parts that follow one another; what begins with a choice begins in as many ways."""
    head = next((at for at, (kind, _) in enumerate(items) if not _is_assertion(kind)), len(items))
    choices = _choices(*items[head]) if head < len(items) else []
    if not choices:
        return [_in_turn(items)]
    rest = _in_turn(items[head + 1 :])
    return [way + rest for choice in choices for way in _ways(list(choice))]


def _choices(kind: object, given: Any) -> Sequence[Iterable[_Item]]:
    """What may stand in the place of a choice or group; nothing for any other part."""
    match str(kind):
        case "BRANCH":
            return given[1]  # type: ignore[no-any-return]
        case "SUBPATTERN":
            return [given[-1]]
        case "ATOMIC_GROUP":
            return [given]
    return []


def _in_turn(items: Iterable[_Item]) -> Beginning:
    whole = _NOTHING
    for kind, given in items:
        if not _is_assertion(kind):
            whole += _beginning(str(kind), given)
        elif str(kind) == "ASSERT" and given[0] > 0 and not whole.is_empty:  # what is looked for ahead stands there
            whole += _in_turn(given[1]) + _ANYTHING
    return whole


def _is_assertion(kind: object) -> bool:
    return str(kind) in ("ASSERT", "ASSERT_NOT", "AT")


def _beginning(kind: str, given: Any) -> Beginning:
    match kind:
        case "LITERAL":
            return Beginning(frozenset(chr(given)), is_single=True)
        case "IN":
            return Beginning(_members(given), is_single=True)
        case "ANY" | "NOT_LITERAL":
            return Beginning(None, is_single=True)
        case "BRANCH" | "SUBPATTERN" | "ATOMIC_GROUP":
            return reduce(Beginning.__or__, map(_in_turn, _choices(kind, given)))
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return _repeated(*given)
    return _ANYTHING


def _repeated(least: int, most: int, items: Iterable[_Item]) -> Beginning:
    """So many times; more than twice begins as twice does."""
    once = _in_turn(items)
    times = (_NOTHING, once, once + once)
    return reduce(Beginning.__or__, times[min(least, 2) : min(most, 2) + 1])


def _members(items: Iterable[_Item]) -> Characters:
    """The characters of a class; any where it is told by what it leaves out, or too large to list."""
    found: set[str] = set()
    for kind, given in items:
        if str(kind) == "LITERAL":
            found.add(chr(given))
        elif str(kind) == "RANGE" and given[1] - given[0] < _LARGEST_RANGE:
            found.update(map(chr, range(given[0], given[1] + 1)))
        else:
            return None
    return frozenset(found)


def _either(one: Characters, other: Characters) -> Characters:
    return None if one is None or other is None else one | other


def _holds(characters: Characters, character: str) -> bool:
    return characters is None or character in characters
