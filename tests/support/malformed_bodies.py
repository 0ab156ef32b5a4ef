"""Request bodies with something wrong in them, at any depth; the same ones every time."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from temporal_recall.schemas.bundle import RecallRequest
from temporal_recall.service.http import examples

_JUNK = (None, True, -1, 1e400, "", "昨天" * 50, [], {}, "2026-13-45", "x" * 300, 2**70, [[[]]], {"": {}}, "\ud800")
_WHOLE = (examples.BY_PLAN, {"query": "我今天做了什么", "now": "2026-09-03T22:00:00+08:00"})


def malformed_bodies(count: int) -> Iterator[bytes]:
    """So many bodies; what is a good one by chance is spoiled again."""
    chance = random.Random(20260903)
    for _ in range(count):
        body: Any = chance.choice(_WHOLE)
        while _is_good(body):
            body = _spoiled(body, chance)
        yield json.dumps(body).encode()


def _is_good(body: Any) -> bool:
    try:
        RecallRequest.model_validate_json(json.dumps(body))
    except ValidationError:
        return False
    return True


def _spoiled(value: Any, chance: random.Random) -> Any:
    """A copy of a JSON value with something wrong in it, at any depth."""
    if isinstance(value, dict) and value and chance.random() < 0.8:
        key = chance.choice(sorted(value))
        choice = chance.random()
        if choice < 0.15:
            return {k: v for k, v in value.items() if k != key} | {chance.choice(["intent", "ünï", key + " "]): 1}
        return value | {key: _spoiled(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.7:
        position = chance.randrange(len(value))
        return [*value[:position], _spoiled(value[position], chance), *value[position + 1 :]]
    return chance.choice(_JUNK)
