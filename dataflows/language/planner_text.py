"""Blanks out spans of a text and keeps its length."""

from __future__ import annotations

from collections.abc import Iterable

BLANK = "\n"
"""No word goes over a blank, and no clause."""


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with blanks in place of the spans.

    >>> blanked("昨天说明天", [(0, 2)])
    '\\n\\n说明天'
    """
    characters = list(text)
    for start, end in spans:
        characters[start:end] = BLANK * (end - start)
    return "".join(characters)
