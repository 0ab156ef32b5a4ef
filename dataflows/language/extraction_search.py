"""Search in a column: which texts hold a pattern."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc


def holds(text: pd.Series, pattern: str) -> pd.Series:
    """Whether each text holds the pattern (RE2 syntax), bool on the index of `text`.

    Arrow is asked directly: `Series.str.contains` parses every pattern anew in Python, milliseconds each, which a
    request over a few records would pay seventy times.
    """
    search = pc.match_substring_regex  # pyright: ignore[reportAttributeAccessIssue] - made when the module loads
    found = search(pa.array(text, type=pa.large_string()), pattern)
    return pd.Series(found.to_numpy(zero_copy_only=False), index=text.index, dtype=bool)
