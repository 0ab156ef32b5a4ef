"""The rules as one scanner. A rule is a name, a pattern over folded text, and a production.

The patterns of all rules form one alternation, in the order of `RULES`: the first rule that matches at a place wins.
Every quantifier in a pattern is bounded and every digit run is consumed whole, so the scan is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from temporal_recall.dataflows.zh_time.tokens import Lexeme, Token

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

    def __init__(self, rules: list[Rule]) -> None:
        self.rules = tuple(rules)
        parts = [f"({re.sub(r'[(][?]P<[a-z_0-9]+>', '(?:', rule.pattern.pattern)})" for rule in rules]
        self._all = re.compile("|".join(parts))

    def lexemes(self, text: str) -> Iterator[Lexeme]:
        """The lexemes of folded text, left to right; a match whose production gives nothing is passed over."""
        for match in self._all.finditer(text):
            rule = self.rules[(match.lastindex or 1) - 1]
            own = rule.pattern.match(text, match.start())
            token = rule.production(own) if own else None
            if token is not None:
                yield Lexeme(match.start(), match.end(), rule.name, token)
