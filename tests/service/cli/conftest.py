"""Runs the command line in this process, and files for it to read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from temporal_recall.service.cli import app

Run = Callable[..., Result]
Lines = Callable[..., Path]

RECORDS = [
    {"id": "1", "source": "meinput", "observed_time": "2026-09-02T20:30:00+08:00", "text": "明天下午三点和张总签合同"},
    {"id": "2", "source": "chat", "observed_time": "2026-09-03T16:10:00+08:00", "text": "合同签完了", "role": "user"},
    {
        "id": "3",
        "source": "calendar",
        "observed_time": "2026-09-01T09:00:00+08:00",
        "text": "签合同",
        "title": "签合同",
        "start": "2026-09-03T15:00:00+08:00",
        "end": "2026-09-03T16:00:00+08:00",
        "attendees": ["张总"],
    },
]


@pytest.fixture
def run() -> Run:
    """Runs the command line with the given words, and further settings of the runner."""
    return lambda *words, **extra: CliRunner().invoke(app, [str(word) for word in words], **extra)


@pytest.fixture
def lines(tmp_path: Path) -> Lines:
    """Writes rows (a text stands as it is) as a file of JSON lines."""

    def write(*rows: Any, name: str = "lines.jsonl") -> Path:
        texts = (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows)
        (tmp_path / name).write_text("\n".join(texts) + "\n", encoding="utf-8")
        return tmp_path / name

    return write


@pytest.fixture
def records(lines: Lines) -> Path:
    """A small records file of three sources."""
    return lines(*RECORDS, name="records.jsonl")
