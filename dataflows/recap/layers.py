"""Which values of a segment its lane is broken down by: the layers of each source, outermost first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from temporal_recall.schemas.recap import SYSTEM_SOURCE, Segment

LAYERS_BY_SOURCE: dict[str, tuple[str, ...]] = {
    SYSTEM_SOURCE: ("app", "title"),
    "browser": ("site", "url", "title"),
    "vscode": ("project", "file"),
}
OTHER_LAYERS = ("identity_key", "title")
"""The layers of a source that is not declared above."""
UNKNOWN = "unknown"
"""The root of a segment that has none of its values."""

_IDENTITY_LAYER_BY_SOURCE = {"browser": "url", "vscode": "file"}
_FIELD_LAYERS = ("app", "title", "identity_key")

_LEADING_COUNTER = re.compile(r"^(?:[●•*◦∙]\s*|[(\[]\s*\d[\d.,]*\+?\s*[)\]]\s*)+(?=\S)")
_FOLDER_COUNTER = re.compile(
    r"""(?<=[\w])\s*[(\[]\d[\d.,]*\+?[)\]]     # Inbox (3), 收件箱 [12]
        (?=\s*(?:$|[-–—|·•]))                   # at the end or before a separator
    """,
    re.VERBOSE,
)
_FOLDER_WORD = re.compile(
    r"""(?:inbox|unread|mail|messages?|notifications?|mentions|chats?|drafts?|spam|outbox|updates
        |posteingang|bo[iî]te\sde\sr[eé]ception|bandeja\sde\sentrada|posta\sin\sarrivo|входящие
        |收件箱|收件匣|未读|未讀|邮箱|消息|通知|草稿箱|受信トレイ|受信箱|받은편지함)\Z
    """,
    re.VERBOSE | re.IGNORECASE,
)


def layers_of(source: str) -> tuple[str, ...]:
    """The layers of a source, outermost first."""
    return LAYERS_BY_SOURCE.get(source, OTHER_LAYERS)


def layer_values(segment: Segment) -> tuple[str | None, ...]:
    """What a segment says at each layer of its source; None where it says nothing.

    Where a browser or editor sends no `url` or `file`, its identity key is that.
    """
    if segment.source == SYSTEM_SOURCE:  # most segments are, and have their layers as fields
        return segment.app, segment.title
    return tuple(_value(segment, layer) for layer in layers_of(segment.source))


def layer_path(source: str, values: Sequence[str | None]) -> tuple[str, ...]:
    """The values of a segment from the outermost layer to the innermost that it has; `unknown` alone where it has none.

    A foreground segment always begins with its app, since its lane is one of apps.
    """
    path = tuple(value for value in values if value)
    if source == SYSTEM_SOURCE and not values[0]:
        return (UNKNOWN, *path)
    return path or (UNKNOWN,)


def _value(segment: Segment, layer: str) -> str | None:
    value = getattr(segment, layer) if layer in _FIELD_LAYERS else segment.attributes.get(layer)
    if value is None and _IDENTITY_LAYER_BY_SOURCE.get(segment.source) == layer:
        value = segment.identity_key
    return value if isinstance(value, str) else None


def title_without_counter(title: str) -> str:
    """A title without what programs add to count unread things or to mark a change, so that one page is one title.

    >>> title_without_counter("(3) Inbox"), title_without_counter("Inbox (12) - ana@example.org")
    ('Inbox', 'Inbox - ana@example.org')
    >>> title_without_counter("Chapter (2) - Reader")
    'Chapter (2) - Reader'
    """
    title = _LEADING_COUNTER.sub("", title)
    if not title.isascii() or "(" in title or "[" in title:
        return _without_folder_counter(title)
    return title


def _without_folder_counter(title: str) -> str:
    counter = _FOLDER_COUNTER.search(title)
    if counter and _FOLDER_WORD.search(title[: counter.start()]):
        return title[: counter.start()] + title[counter.end() :]
    return title
