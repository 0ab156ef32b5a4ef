"""Clauses: the pieces in which a message says one thing each, with their place in the text."""

from __future__ import annotations

import re

import pandas as pd

_QUOTED = re.compile(r"「[^」]*」|『[^』]*』|“[^”]*”|\"[^\"]*\"|《[^》]*》")
_MAX_READ = 1_000
"""Characters of a message that are read; what one plans stands near its beginning."""

_CLAUSE = re.compile(
    r"(?:[^\s，。！!？?；;、~～…：,:.（）()【】]|、|(?<=\d)[,:.](?=\d)|\.(?=\S)|:(?=[/\d])|(?<=[A-Za-z0-9%)])[ ](?=[\x21-\x7e])"
    r"|(?<=\d)[ ](?=[年月日号点时分周天个])|(?<=[年月日号于在从到至的将午上晚划定])[ ](?=[\d]))+[？?！!]*"
)
"""Words between stops; people put a space for a comma, save between Latin words and numbers."""


def spoken_text(text: pd.Series) -> pd.Series:
    """The words spoken by the writer: what stands in quotation marks or book title marks is blanked, length kept."""
    return pd.Series(
        [
            _blanked(t) if "「" in t or "“" in t or '"' in t or "『" in t or "《" in t else t
            for t in text.str.slice(0, _MAX_READ).tolist()
        ],
        index=text.index,
        dtype="str",
    )


def _blanked(text: str) -> str:
    return _QUOTED.sub(lambda m: "　" * len(m.group()), text)


def clauses(text: pd.Series) -> pd.DataFrame:
    """The clauses of each text, one row a clause in order of text and place.

    Columns: `record` (int64, position of the text in the series), `start` (int64, offset in the text), `text`.
    A text without words has no row.
    """
    found = [(i, m.start(), m.group()) for i, t in enumerate(text.tolist()) for m in _CLAUSE.finditer(t)]
    record, start, words = zip(*found, strict=True) if found else ((), (), ())
    return pd.DataFrame(
        {
            "record": pd.Series(record, dtype="int64"),
            "start": pd.Series(start, dtype="int64"),
            "text": pd.Series(words, dtype="str"),
        }
    )
