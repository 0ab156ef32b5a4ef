"""Where the command line writes: answers to stdout, everything else to stderr."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from pydantic import BaseModel
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn, track

Row = TypeVar("Row")

_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What a terminal would obey, and marks that turn the reading; line breaks and tabs are neither."""


def harmless(words: str) -> str:
    """Words from outside with `�` for each character that could steer a terminal; as long as before."""
    return _STEERING.sub("\ufffd", words)


def screen() -> Console:
    """The console of answers; plain text where stdout is no terminal."""
    return Console(highlight=False)


def notes() -> Console:
    """The console of remarks and progress."""
    return Console(stderr=True, highlight=False)


def write_json(value: object) -> None:
    """Writes `value` as one line of JSON; what is no valid Unicode or could steer a terminal stands escaped."""
    try:
        line = json.dumps(value, ensure_ascii=False, default=_plain)
        line.encode()
    except UnicodeEncodeError:
        line = json.dumps(value, default=_plain)
    line = _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", line)
    sys.stdout.write(f"{line}\n")


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    raise TypeError(f"{type(value).__name__} has no JSON form")


def watched(rows: Iterable[Row], what: str, total: int) -> Iterable[Row]:
    """`rows`, with a progress bar on stderr where that is a terminal."""
    console = notes()
    return track(
        rows, escape(harmless(what)), total=total, console=console, disable=not console.is_terminal, transient=True
    )


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr where that is a terminal; what is yielded is told how many of how many are done."""
    console = notes()
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
