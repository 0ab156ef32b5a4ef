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
class _Beginning:
    """How words begin: their first and second characters, and whether they may be empty or of one character."""

    first: Characters = frozenset()
    second: Characters = frozenset()
    is_empty: bool = False
    is_single: bool = False

    def __or__(self, other: _Beginning) -> _Beginning:
        """The one or the other."""
        return _Beginning(
            _either(self.first, other.first),
            _either(self.second, other.second),
            self.is_empty or other.is_empty,
            self.is_single or other.is_single,
        )

    def __add__(self, other: _Beginning) -> _Beginning:
        """The one, then the other."""
        first = _either(self.first, other.first) if self.is_empty else self.first
        second = _either(self.second, other.first) if self.is_single else self.second
        return _Beginning(
            first,
            _either(second, other.second) if self.is_empty else second,
            self.is_empty and other.is_empty,
            (self.is_single and other.is_empty) or (self.is_empty and other.is_single),
        )


_NOTHING = _Beginning(is_empty=True)
_ANYTHING = _Beginning(None, None, is_empty=True, is_single=True)


def second_characters(pattern: re.Pattern[str], starts: Iterable[str]) -> dict[str, Characters]:
    """The characters that may stand after each of those with which a pattern may begin, matched or not."""
    parsed = re._parser.parse(pattern.pattern, pattern.flags)  # type: ignore[attr-defined]
    following: dict[str, Characters] = dict.fromkeys(starts, frozenset())
    for way in _ways(list(parsed)):
        whole = way + _ANYTHING
        for start in following if whole.first is None else following.keys() & whole.first:
            following[start] = _either(following[start], whole.second)
    return following


def _ways(items: Sequence[_Item]) -> list[_Beginning]:
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


def _in_turn(items: Iterable[_Item]) -> _Beginning:
    whole = _NOTHING
    for kind, given in items:
        if not _is_assertion(kind):
            whole += _beginning(str(kind), given)
        elif str(kind) == "ASSERT" and given[0] > 0 and not whole.is_empty:  # what is looked for ahead stands there
            whole += _in_turn(given[1]) + _ANYTHING
    return whole


def _is_assertion(kind: object) -> bool:
    return str(kind) in ("ASSERT", "ASSERT_NOT", "AT")


def _beginning(kind: str, given: Any) -> _Beginning:
    match kind:
        case "LITERAL":
            return _Beginning(frozenset(chr(given)), is_single=True)
        case "IN":
            return _Beginning(_members(given), is_single=True)
        case "ANY" | "NOT_LITERAL":
            return _Beginning(None, is_single=True)
        case "BRANCH" | "SUBPATTERN" | "ATOMIC_GROUP":
            return reduce(_Beginning.__or__, map(_in_turn, _choices(kind, given)))
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return _repeated(*given)
    return _ANYTHING


def _repeated(least: int, most: int, items: Iterable[_Item]) -> _Beginning:
    """So many times; more than twice begins as twice does."""
    once = _in_turn(items)
    times = (_NOTHING, once, once + once)
    return reduce(_Beginning.__or__, times[min(least, 2) : min(most, 2) + 1])


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
