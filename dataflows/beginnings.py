"""With which two characters a pattern may match, read off the pattern itself; so most are never tried on most texts.

Too many pairs are told rather than too few: what stands before is left out, and what a pattern is not understood to
say may be anything. A pair that is not told can never match.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from typing import Any

Characters = frozenset[str] | None
"""A set of characters; None stands for any."""

_Item = tuple[Any, Any]
"""A part of a parsed pattern: its kind and what it holds."""

_LARGEST_RANGE = 1000
_REMEMBERED = 32_768
"""Pairs of characters of which it is remembered what may begin with them."""


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
    following: dict[str, Characters] = dict.fromkeys(starts, frozenset())
    for way in _beginnings(pattern):
        for start in following if way.first is None else following.keys() & way.first:
            following[start] = _either(following[start], way.second)
    return following


class Beginnings:
    """Which of many patterns may match where two characters stand.

    What a character allows is kept as a number with one bit a pattern, so that a pair is looked up in a few steps.
    """

    def __init__(self, patterns: Iterable[re.Pattern[str]]) -> None:
        """The patterns, in the order in which they are told."""
        self._by_first, self._by_second = defaultdict[str, int](int), defaultdict[str, int](int)
        self._first_of_both, self._second_of_both = defaultdict[str, int](int), defaultdict[str, int](int)
        self.anywhere: set[int] = set()
        """The numbers of the patterns that may match at any place; no pair tells of them."""
        for number, pattern in enumerate(patterns):
            for way in _beginnings(pattern):
                self._keep(way, number)
        self.of_pair = lru_cache(maxsize=_REMEMBERED)(self._of_pair)

    def possible_in(self, text: str) -> set[int]:
        """The numbers of the patterns that may match somewhere in a text."""
        return self.anywhere.union(*(self.of_pair(text[at : at + 2]) for at in range(len(text))))

    def _keep(self, way: _Beginning, number: int) -> None:
        if way.first is None and way.second is None:
            self.anywhere.add(number)
        elif way.first is None or way.second is None:
            _mark(self._by_first, way.first, number)
            _mark(self._by_second, way.second, number)
        else:
            _mark(self._first_of_both, way.first, number)
            _mark(self._second_of_both, way.second, number)

    def _of_pair(self, pair: str) -> tuple[int, ...]:
        """The numbers of the patterns that may match where these two characters stand, or the last one of a text."""
        first, second = pair[:1], pair[1:]
        bits = self._by_first.get(first, 0) | self._by_second.get(second, 0)
        bits |= self._first_of_both.get(first, 0) & self._second_of_both.get(second, 0)
        return tuple(number for number in range(bits.bit_length()) if bits >> number & 1)


def _mark(table: defaultdict[str, int], characters: Characters, number: int) -> None:
    for character in characters or ():
        table[character] |= 1 << number


def _beginnings(pattern: re.Pattern[str]) -> list[_Beginning]:
    """The ways in which what a pattern matches may begin, and what follows where it is but one character."""
    if pattern.flags & re.IGNORECASE:
        return [_ANYTHING]
    parsed = re._parser.parse(pattern.pattern, pattern.flags)  # type: ignore[attr-defined]
    return [way + _ANYTHING for way in _ways(list(parsed))]


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
