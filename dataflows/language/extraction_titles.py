"""Titles: the few words that name a matter."""

from __future__ import annotations

_MAX_TITLE = 24


def title_of(clause: str) -> str:
    """The clause without outer punctuation, at most 24 characters."""
    words = clause.strip(" ，。！!？?~～…-—#*")
    return words if len(words) <= _MAX_TITLE else words[: _MAX_TITLE - 1] + "…"
