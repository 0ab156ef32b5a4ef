"""Blanks out spans of a text and keeps its length."""

from __future__ import annotations

from collections.abc import Iterable

BLANK = "\n"
"""No word goes over a blank, and no clause."""

PLACEHOLDER = "□"
"""Stands for quoted words: no word goes over it, but a clause does."""


def blanked(text: str, spans: Iterable[tuple[int, int]], blank: str = BLANK) -> str:
    """The text with a blank in place of each character of the spans.

    >>> blanked("昨天说明天", [(0, 2)])
    '\\n\\n说明天'
    """
    characters = list(text)
    for start, end in spans:
        characters[start:end] = blank * (end - start)
    return "".join(characters)
