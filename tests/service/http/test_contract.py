"""The OpenAPI document is what the service does, whatever a stranger sends."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

from served_recall import NOW, Served, token

from temporal_recall.service.http import examples

PATH = "/api/v1/temporal-recall/query"


def test_every_answer_is_one_that_the_document_names(served: Served, tmp_path: Path) -> None:
    """schemathesis as a program: its pytest plugin does not run under pytest 9."""
    command = [
        str(Path(sys.executable).with_name("schemathesis")),
        *("run", f"{served.url}/api/openapi.json", "--header", f"Authorization: Bearer {token()}"),
        *("--max-examples", "3", "--seed", "1", "--generation-database", "none", "--no-color"),
        # which of two instants comes first cannot be said in JSON Schema
        *("--exclude-checks", "positive_data_acceptance"),
    ]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert run.returncode == 0, run.stdout[-4000:]


def _spoiled(value: Any, chance: random.Random) -> Any:
    """A copy of a JSON value with something wrong in it, at any depth."""
    junk = [
        None,
        True,
        -1,
        1e400,
        "",
        "昨天" * 50,
        [],
        {},
        "2026-13-45",
        "x" * 300,
        2**70,
        [[[]]],
        {"": {}},
        "\x00\ud800",
    ]
    if isinstance(value, dict) and value and chance.random() < 0.8:
        key = chance.choice(sorted(value))
        choice = chance.random()
        if choice < 0.15:
            return {k: v for k, v in value.items() if k != key} | {chance.choice(["intent", "ünï", key + " "]): 1}
        return value | {key: _spoiled(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.7:
        position = chance.randrange(len(value))
        return [*value[:position], _spoiled(value[position], chance), *value[position + 1 :]]
    return chance.choice(junk)


def test_malformed_bodies_never_break_the_service(served: Served) -> None:
    """A short form of ten thousand; `benchmarks/service.py malformed` runs them all."""
    chance = random.Random(20260903)
    client = served.client(token(), **{"Content-Type": "application/json"})
    statuses = set()
    for _ in range(150):
        body = _spoiled(chance.choice([examples.BY_PLAN, {"query": "我今天做了什么", "now": NOW}]), chance)
        answer = client.post(PATH, content=_encoded(body))
        statuses.add(answer.status_code)
        assert answer.status_code < 500, body
    assert 400 in statuses


def _encoded(body: Any) -> bytes:
    return json.dumps(body, ensure_ascii=True).encode()
