"""Word lists, written as people read them: with spaces between the words."""

from __future__ import annotations


def words(listed: str) -> tuple[str, ...]:
    """The words of a list, in its order.

    >>> words("爷爷 奶奶")
    ('爷爷', '奶奶')
    """
    return tuple(listed.split())
