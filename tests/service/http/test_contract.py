"""The OpenAPI document is what the service does, whatever a stranger sends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from malformed_bodies import malformed_bodies
from served_recall import Served, token

PATH = "/api/v1/temporal-recall/query"


@pytest.mark.parametrize(
    ("phases", "examples"),
    [("examples,fuzzing", 8), pytest.param("examples,coverage,fuzzing", 150, marks=pytest.mark.slow)],
    ids=["in short", "at length"],
)
def test_every_answer_is_one_that_the_document_names(
    served: Served, tmp_path: Path, phases: str, examples: int
) -> None:
    """schemathesis as a program: its pytest plugin does not run under pytest 9."""
    command = [
        str(Path(sys.executable).with_name("schemathesis")),
        *("run", f"{served.url}/api/openapi.json", "--header", f"Authorization: Bearer {token()}"),
        *("--phases", phases, "--max-examples", str(examples)),
        *("--seed", "1", "--generation-database", "none", "--no-color"),
        # which of two instants comes first cannot be said in JSON Schema
        *("--exclude-checks", "positive_data_acceptance"),
    ]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert run.returncode == 0, run.stdout[-4000:]


def test_malformed_bodies_are_refused(served: Served) -> None:
    """A short form of ten thousand; `benchmarks/service.py malformed` sends them all."""
    client = served.client(token(), **{"Content-Type": "application/json"})
    assert {client.post(PATH, content=body).status_code for body in malformed_bodies(150)} == {400}
