"""Search in texts: which of them hold a pattern.

A column is searched by Arrow (RE2 syntax), asked directly: `Series.str.contains` parses every pattern anew in Python,
milliseconds each, which a request over a few records would pay seventy times. Many patterns are searched together by
`PatternSet` (Python's syntax).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from temporal_recall.dataflows.beginnings import Beginnings


def holds(text: pd.Series, pattern: str) -> pd.Series:
    """Whether each text holds the pattern, bool on the index of `text`."""
    search = pc.match_substring_regex  # pyright: ignore[reportAttributeAccessIssue] - made when the module loads
    found = search(pa.array(text, type=pa.large_string()), pattern).to_numpy(zero_copy_only=False)
    return pd.Series(found, index=text.index, dtype=bool)


class PatternSet:
    """Patterns that are looked for together, once in each text.

    At each place only those are tried that may begin with its two characters. What texts hold is remembered: the
    records of a question come again with the next one.
    """

    _REMEMBERED = 20_000

    def __init__(self, patterns: Sequence[str]) -> None:
        """The patterns, in the order in which what is found is told."""
        self._sources = tuple(patterns)
        self._known: dict[str, bytes] = {}

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        """Made when the first text is searched, since it takes a tenth of a second."""
        return tuple(re.compile(source, re.ASCII) for source in self._sources)

    @cached_property
    def _beginnings(self) -> Beginnings:
        return Beginnings(self._patterns)

    def found_in(self, texts: Sequence[str]) -> np.ndarray:
        """Whether each text holds each pattern: bool, one row a pattern and one column a text."""
        known = self._known
        known.update((text, self._held_by(text)) for text in dict.fromkeys(texts) if text not in known)
        if len(known) > self._REMEMBERED:
            self._known = {}
        found = np.frombuffer(b"".join([known[text] for text in texts]), dtype=bool)
        return np.ascontiguousarray(found.reshape(len(texts), len(self._sources)).T)

    def _held_by(self, text: str) -> bytes:
        """Which patterns a text holds, a byte a pattern."""
        of_pair, patterns = self._beginnings.of_pair, self._patterns
        held = bytearray(len(patterns))
        for at in range(len(text)):
            for number in of_pair(text[at : at + 2]):
                if not held[number] and patterns[number].match(text, at):
                    held[number] = True
        for number in self._beginnings.anywhere:
            held[number] = patterns[number].search(text) is not None
        return bytes(held)
