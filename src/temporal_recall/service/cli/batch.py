"""Batch forms: one JSON object a line in, one out; a line that cannot be answered is reported and the rest goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import typer

from temporal_recall.schemas.errors import InvalidRequest
from temporal_recall.service.cli.console import watched, write_json
from temporal_recall.service.cli.errors import BAD_INPUT, report

Row = Mapping[str, Any]


def answer_lines(path: Path, answer: Callable[[Row, str], object]) -> None:
    """Writes what `answer` makes of each line (the object and its name, `line-N` where it has none).

    Raises:
        InvalidRequest: the file cannot be read.
        typer.Exit: code 2 after the last line, where some line could not be answered.
    """
    lines = [(number, line) for number, line in enumerate(_lines(path), start=1) if line.strip()]
    has_failed = False
    for number, line in watched(lines, path.name, len(lines)):
        try:
            row = _row(line)
            write_json(answer(row, str(row.get("qid") or row.get("id") or f"line-{number}")))
        except InvalidRequest as error:
            report(f"{path.name}:{number}: {error}")
            has_failed = True
    if has_failed:
        raise typer.Exit(BAD_INPUT)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise InvalidRequest("batch", str(path), f"a readable file of JSON lines ({reason})") from error


def _row(line: str) -> Row:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidRequest("line", f"{len(line)} characters", "a JSON object") from error
    if not isinstance(row, dict):
        raise InvalidRequest("line", type(row).__name__, "a JSON object")
    return row


def text_of(row: Row, *keys: str) -> str:
    """The text under the first of `keys` that the row has.

    Raises:
        InvalidRequest: none is there, or it is no text.
    """
    value = next((row[key] for key in keys if row.get(key) is not None), None)
    if not isinstance(value, str):
        raise InvalidRequest(keys[0], type(value).__name__, "a text")
    return value


def zone_in(row: Row) -> str | None:
    """The name of the zone in which a row's question was asked; None where the row names none.

    Raises:
        InvalidRequest: it is no text.
    """
    return None if row.get("time_zone") is None else text_of(row, "time_zone")
