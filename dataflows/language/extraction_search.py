"""Search in a column: which texts hold a pattern (RE2 syntax).

Arrow is asked directly: `Series.str.contains` parses every pattern anew in Python, milliseconds each, which a request
over a few records would pay seventy times.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc


def holds(text: pd.Series, pattern: str) -> pd.Series:
    """Whether each text holds the pattern, bool on the index of `text`."""
    return pd.Series(_search(pa.array(text, type=pa.large_string()), pattern), index=text.index, dtype=bool)


def _search(texts: pa.Array, pattern: str) -> np.ndarray:
    search = pc.match_substring_regex  # pyright: ignore[reportAttributeAccessIssue] - made when the module loads
    found: np.ndarray = search(texts, pattern).to_numpy(zero_copy_only=False)
    return found


class PatternSet:
    """Patterns that are looked for together, once in each text.

    What texts hold is remembered: RE2 makes its automata anew for every search, which takes longer than to search the
    records of a question, and the same records come again with the next one.
    """

    _REMEMBERED = 20_000

    def __init__(self, patterns: Sequence[str]) -> None:
        """The patterns, in the order in which what is found is told."""
        self._patterns = tuple(patterns)
        self._known: dict[str, bytes] = {}

    def found_in(self, texts: Sequence[str]) -> np.ndarray:
        """Whether each text holds each pattern: bool, one row a pattern and one column a text."""
        known = self._known
        unknown = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(unknown, self._searched(unknown), strict=True))
        if len(known) > self._REMEMBERED:
            self._known = {}
        found = np.frombuffer(b"".join([known[text] for text in texts]), dtype=bool)
        return np.ascontiguousarray(found.reshape(len(texts), len(self._patterns)).T)

    def _searched(self, texts: list[str]) -> list[bytes]:
        """What each text holds, a byte a pattern."""
        if not texts:
            return []
        column = pa.array(texts, type=pa.large_string())
        rows = np.column_stack([_search(column, pattern) for pattern in self._patterns]).tobytes()
        return [rows[at : at + len(self._patterns)] for at in range(0, len(rows), len(self._patterns))]
