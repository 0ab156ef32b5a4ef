"""The prompt templates, packaged as files, and the hash that tells which recipe a diary was made by."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from temporal_recall.schemas.recap import WindowKind

_FILE_BY_KIND: dict[WindowKind, str] = {"day": "day.txt", "week": "roll_up.txt", "month": "roll_up.txt"}


@dataclass(frozen=True, slots=True)
class Prompt:
    """A template in one language, and the first 8 hex digits of SHA-256 over its UTF-8 text.

    The hash changes if and only if the text does; line endings of a checkout do not count.
    """

    text: str
    hash: str


@lru_cache(maxsize=32)
def prompt_of(kind: WindowKind, language: str) -> Prompt:
    """The prompt for the diary of a day, a week or a month."""
    raw = (
        resources.files("temporal_recall.service.recap")
        .joinpath("prompts", _FILE_BY_KIND[kind])
        .read_bytes()
        .decode("utf-8")
    )
    text = raw.replace("\r\n", "\n").replace("{language}", language).replace("{period}", kind)
    return Prompt(text, hashlib.sha256(text.encode()).hexdigest()[:8])
