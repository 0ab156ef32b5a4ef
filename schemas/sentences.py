"""Sentence embeddings: what ranking may ask of an encoder, and who gives it one for a request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from temporal_recall.schemas.evidence import RequestLimits


@runtime_checkable
class SentenceEncoder(Protocol):
    """Turns texts into vectors whose product says how near they are in meaning."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit row per text, in their order; all rows are zero where the time ran out."""
        ...


@runtime_checkable
class SentenceEncoders(Protocol):
    """Gives each request an encoder that keeps to the request's limits and remembers nothing of other users."""

    def for_request(self, user_id: str, limits: RequestLimits) -> SentenceEncoder:
        """The encoder of one request."""
        ...
