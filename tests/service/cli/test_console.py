"""What is written to a terminal can be read there, and steers nothing."""

from __future__ import annotations

import json

import pytest
from rich.console import Console

from temporal_recall.dataflows.zh_time import parse_time
from temporal_recall.service.cli import console
from temporal_recall.service.cli.console import harmless, watched, write_json
from temporal_recall.service.cli.errors import report
from temporal_recall.service.cli.options import instant
from temporal_recall.service.cli.pages.lists import reading_page

STEERING = "\x1b]0;title\x07\x1b[31m\x9b31m\r\x7f\u202e\u2066"
MARKS = set(STEERING) - set("]0;title[31m")


def test_what_steers_becomes_a_mark_and_lines_stay() -> None:
    assert harmless(f"a{STEERING}\n\tb") == "a\ufffd]0;title\ufffd\ufffd[31m\ufffd31m" + "\ufffd" * 4 + "\n\tb"


def test_json_escapes_what_steers_and_keeps_its_value(capsys: pytest.CaptureFixture[str]) -> None:
    write_json({"text": f"明天{STEERING}\ud800"})
    write_json({"text": f"明天{STEERING}"})
    written = capsys.readouterr().out
    assert not MARKS & set(written)
    assert json.loads(written.splitlines()[1]) == {"text": f"明天{STEERING}"}


def test_an_error_is_one_harmless_line(capsys: pytest.CaptureFixture[str]) -> None:
    report(f"{STEERING}.jsonl:1: not_json\nsecond")
    written = capsys.readouterr().err
    assert not MARKS & set(written)
    assert written.count("\n") == 1


def test_a_text_that_is_parsed_is_shown_harmless() -> None:
    text = f"明天{STEERING}下午三点"
    now = instant("2026-09-03T22:00:00+08:00", "Asia/Shanghai")
    page = Console(width=100, record=True, quiet=True, force_terminal=False)
    page.print(reading_page(text, parse_time(text, now), now, False))
    assert not MARKS & set(page.export_text())


def test_a_name_of_a_file_is_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "notes", lambda: Console(quiet=True, force_terminal=True))
    assert list(watched([1, 2], "[/red]", 2)) == [1, 2]
