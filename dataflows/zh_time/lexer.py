"""The rules as one scanner. A rule is a name, a pattern over folded text, and a production.

The patterns of all rules form one alternation, in the order of `RULES`: the first rule that matches at a place wins.
Every quantifier in a pattern is bounded and every digit run is consumed whole, so the scan is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from temporal_recall.dataflows.zh_time.tokens import Lexeme, Token

_NAMED_GROUP = re.compile(r"\(\?P<[a-z_0-9]+>")
Production = Callable[[re.Match[str]], Token | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the language: its name, what it looks like, what it means."""

    name: str
    pattern: re.Pattern[str]
    production: Production


class Rules(list[Rule]):
    """A list of rules that collects productions by decoration."""

    def __call__(self, name: str, pattern: str) -> Callable[[Production], Production]:
        """Add the decorated production under a name and a pattern."""

        def add(production: Production) -> Production:
            self.append(Rule(name, re.compile(pattern), production))
            return production

        return add


class Scanner:
    """All rules in one alternation."""

    def __init__(self, rules: Iterable[Rule], starts: Callable[[str], Iterator[int]], followers: frozenset[str]) -> None:
        """Join the rules, in order, into one scanner.

        Args:
            starts: tells the places in a text where a word may begin.
            followers: the characters that a word standing directly after another may begin with.
        """
        self.rules = tuple(rules)
        self._starts = starts
        self._followers = followers
        # An empty group at the end of each rule tells which one matched; one at its start would slow every branch.
        parts = [f"(?:{_NAMED_GROUP.sub('(?:', rule.pattern.pattern)})()" for rule in self.rules]
        self._all = re.compile("|".join(parts))

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
            while match := self._all.match(text, at):
                lexeme = self._produced(match)
                if lexeme is not None:
                    yield lexeme
                at = max(match.end(), at + 1)
                if text[at : at + 1] not in self._followers:
                    break

    def _produced(self, match: re.Match[str]) -> Lexeme | None:
        rule = self.rules[(match.lastindex or 1) - 1]
        own = match if not rule.pattern.groups else rule.pattern.match(match.string, match.start())
        try:
            token = rule.production(own) if own else None
        except (ValueError, OverflowError):  # figures that no calendar knows, such as the year 0
            return None
        return None if token is None else Lexeme(match.start(), match.end(), rule.name, token)
