"""The rules as one scanner. A rule is a name, what it begins with, a pattern over folded text, and a production.

At a place in the text only the rules that may begin with its character are tried, in the order of `RULES`: the first
that matches wins. Every quantifier in a pattern is bounded and every run of figures is consumed whole, so the scan is
linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from temporal_recall.dataflows.zh_time.tokens import Lexeme, Token

Production = Callable[[re.Match[str]], Token | None]
_NAMED_GROUP = re.compile(r"\(\?P<[a-z_0-9]+>")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the language: its name, the characters it begins with, what it looks like, what it means."""

    name: str
    starts: frozenset[str]
    pattern: re.Pattern[str]
    production: Production


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


@dataclass(frozen=True, slots=True)
class _Branch:
    """The rules that may begin with one character, joined into one alternation."""

    rules: tuple[Rule, ...]
    pattern: re.Pattern[str]

    @classmethod
    def of(cls, rules: tuple[Rule, ...]) -> _Branch:
        """Join rules into one alternation, in their order."""
        # An empty group at the end of each rule tells which one matched; one at its start would slow every branch.
        parts = (f"(?:{_NAMED_GROUP.sub('(?:', rule.pattern.pattern)})()" for rule in rules)
        return cls(rules, re.compile("|".join(parts)))

    def lexeme(self, text: str, at: int) -> tuple[Lexeme | None, int]:
        """What stands at a place, and where it ends; the place itself where no rule matches."""
        match = self.pattern.match(text, at)
        if match is None:
            return None, at
        rule = self.rules[(match.lastindex or 1) - 1]
        own = rule.pattern.match(text, at) if rule.pattern.groups else match
        try:
            token = rule.production(own) if own else None
        except (ValueError, OverflowError):  # figures that no calendar knows, such as the year 0
            token = None
        return (None if token is None else Lexeme(at, match.end(), rule.name, token)), match.end()


class Scanner:
    """All rules, reached by the character they begin with."""

    def __init__(self, rules: Iterable[Rule], starts: Callable[[str], Iterator[int]]) -> None:
        """Join the rules, in order; `starts` tells the places in a text where a word may begin."""
        self.rules = tuple(rules)
        self._starts = starts
        self._of_character: dict[str, _Branch | None] = {}
        self._of_rules: dict[tuple[Rule, ...], _Branch] = {}

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
            while at < len(text) and (branch := self._branch(text[at])) is not None:
                lexeme, end = branch.lexeme(text, at)
                if lexeme is not None:
                    yield lexeme
                if end == at:
                    break
                at = end

    def _branch(self, character: str) -> _Branch | None:
        """The rules for a character; joined on first use, since joining takes longer than scanning."""
        if character not in self._of_character:
            rules = tuple(rule for rule in self.rules if character in rule.starts)
            if rules and rules not in self._of_rules:
                self._of_rules[rules] = _Branch.of(rules)
            self._of_character[character] = self._of_rules[rules] if rules else None
        return self._of_character[character]
