"""The rules as one scanner. A rule is a name, what it begins with, a pattern over folded text, and a production.

At a place in the text only the rules that may begin with its two characters are tried, in the order of `RULES`: the
first that matches wins. Every quantifier in a pattern is bounded and every run of figures is consumed whole, so the
scan is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import Any

from temporal_recall.dataflows.beginnings import Characters, second_characters
from temporal_recall.dataflows.zh_time.tokens import Lexeme, Token

Matching = Callable[[str, int], re.Match[str] | None]
Production = Callable[[re.Match[str]], Token | None]
_REMEMBERED = 1024
"""Phrasings of one rule whose meaning is remembered."""


@dataclass(frozen=True)
class Rule:
    """One rule of the language: its name, the characters it begins with, what it looks like, what it means."""

    name: str
    starts: frozenset[str]
    pattern: re.Pattern[str]
    production: Production
    _meanings: dict[str | tuple[str | None, ...], Token | None] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def following(self) -> dict[str, Characters]:
        """The characters that may stand after each of those it begins with."""
        return second_characters(self.pattern, self.starts)

    @cached_property
    def _groups(self) -> range:
        """The numbers of the groups of the pattern, the whole match first."""
        return range(self.pattern.groups + 1)

    def token(self, match: re.Match[str]) -> Token | None:
        """What matched words mean; the same words give the same token, unless what stands around them counts too."""
        words = match.group(*self._groups)
        if words in self._meanings:
            return self._meanings[words]
        seen = _Seen(match)
        try:
            token = self.production(seen)  # type: ignore[arg-type]
        except (ValueError, OverflowError):  # figures that no calendar knows, such as the year 0
            token = None
        if not seen.around:
            if len(self._meanings) >= _REMEMBERED:
                self._meanings.clear()
            self._meanings[words] = token
        return token


class _Seen:
    """A match as a production sees it: it knows whether more than the matched words was looked at."""

    __slots__ = ("_match", "around")

    def __init__(self, match: re.Match[str]) -> None:
        self._match = match
        self.around = False

    def __getitem__(self, group: str | int) -> str | Any:
        return self._match[group]

    def __getattr__(self, name: str) -> Any:
        self.around = True
        return getattr(self._match, name)


class Rules(list[Rule]):
    """A list of rules that collects productions by decoration."""

    def __call__(self, name: str, starts: str, pattern: str) -> Callable[[Production], Production]:
        """Add the decorated production under a name, the characters it begins with, and a pattern."""

        def add(production: Production) -> Production:
            self.append(Rule(name, frozenset(starts), re.compile(pattern), production))
            return production

        return add


def first_characters(words: Iterable[str]) -> str:
    """The characters that words begin with."""
    return "".join(dict.fromkeys(word[0] for word in words))


class Scanner:
    """All rules, reached by the two characters they begin with."""

    def __init__(self, rules: Iterable[Rule], starts: Callable[[str], Iterable[int]]) -> None:
        """The rules, in order; `starts` tells the places in a text where a word may begin."""
        self.rules = tuple(rules)
        self._starts = starts
        self._starting = frozenset().union(*(rule.starts for rule in self.rules))
        self._rules_of = lru_cache(maxsize=16384)(self._rules_of_pair)
        self._rules_from = cache(self._rules_from_character)

    def lexemes(self, text: str) -> Iterator[Lexeme]:
        """The lexemes of folded text, left to right.

        Scanning begins where a time word may begin and goes on as long as one word follows the other. A match whose
        production gives nothing is passed over.
        """
        at = 0
        for start in self._starts(text):
            if start < at:
                continue
            at = start
            while (found := self.match(text, at)) is not None:
                rule, match = found
                token = rule.token(match)
                if token is not None:
                    yield Lexeme(at, match.end(), rule.name, token)
                if match.end() == at:
                    break
                at = match.end()

    def match(self, text: str, at: int) -> tuple[Rule, re.Match[str]] | None:
        """The first rule that matches at a place, and what it matches there."""
        for rule, matching in self._rules_of(text[at : at + 2]):
            match = matching(text, at)
            if match is not None:
                return rule, match
        return None

    def _rules_of_pair(self, pair: str) -> tuple[tuple[Rule, Matching], ...]:
        """The rules that may match where these two characters stand, or the last one of a text."""
        first, second = pair[:1], pair[1:]
        return tuple(
            (rule, rule.pattern.match)
            for rule, following in (self._rules_from(first) if first in self._starting else ())
            if following is None or not second or second in following
        )

    def _rules_from_character(self, first: str) -> tuple[tuple[Rule, Characters], ...]:
        return tuple((rule, rule.following[first]) for rule in self.rules if first in rule.starts)
