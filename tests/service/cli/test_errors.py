"""What is wrong with the input is said in one line on stderr, with exit code 2 and without a traceback."""

from __future__ import annotations

import builtins
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from temporal_recall.service.cli.app import app
from temporal_recall.service.cli.errors import BAD_INPUT, FAILED


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("frob",), "No such command 'frob'"),
        (("query", "x", "--frob"), "No such option: --frob"),
        (("query",), "give either a question or --batch"),
        (("query", "x", "--batch", "y"), "give either a question or --batch"),
        (("query", "x", "--records", "a", "--config", "b"), "give either --records or --config"),
        (("query", "x", "--limit", "0"), "--limit"),
        (("query", "x", "--limit", "many"), "--limit"),
        (("query", "   "), "query"),
        (("query", "我" * 2001), "2001 characters"),
        (("query", "x", "--records", "no/such.jsonl"), "records is 'no/such.jsonl'"),
        (("query", "x", "--records", "."), "records is '.'"),
        (("query", "x", "--config", "no/such.toml"), "config is 'no/such.toml'"),
        (("query", "x", "--now", "2026-02-30"), "now is '2026-02-30'"),
        (("query", "x", "--now", "yesterday"), "now is 'yesterday'"),
        (("query", "x", "--time-zone", "Mars/Olympus"), "time_zone is 'Mars/Olympus'"),
        (("plan", "x", "--now", "2026-13-01T00:00:00+08:00"), "now is '2026-13-01"),
        (("plan", "--batch", "no/such.jsonl"), "batch is 'no/such.jsonl'"),
        (("parse",), "give either a text or --batch"),
        (("parse", "昨天", "--time-zone", "+25:00"), "time_zone is '+25:00'"),
        (("timeline", "--records", "no/such.jsonl"), "records is 'no/such.jsonl'"),
        (("sources", "--config", "no/such.toml"), "config is 'no/such.toml'"),
        (("dag", "--check", "--diff", "HEAD"), "give either --check or --diff"),
        (("dag", "--diff", "no-such-revision"), "diff is 'no-such-revision'"),
    ],
)
def test_bad_input_gives_one_line_and_code_2(run: Any, words: tuple[str, ...], told: str) -> None:
    result = run(*words)
    errors = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
    assert result.exit_code == BAD_INPUT
    assert len(errors) == 1
    assert told in errors[0]
    assert result.stdout == ""


@pytest.mark.parametrize("words", [("--batch", "x.jsonl"), ("--records", "x.jsonl", "--batch", "q.jsonl")])
def test_a_file_that_is_no_text_is_named(run: Any, tmp_path: Path, words: tuple[str, ...]) -> None:
    for name in ("x.jsonl", "q.jsonl"):
        (tmp_path / name).write_bytes(b"\xff\xfe\x00")
    result = run("query", *(tmp_path / word if word.endswith("jsonl") else word for word in words))
    assert result.exit_code == BAD_INPUT
    assert ".jsonl" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(("line", "told"), [("", "usable record"), ("{", "records.jsonl:1: not_json")])
def test_a_file_without_a_usable_record_is_refused(run: Any, lines: Any, line: str, told: str) -> None:
    result = run("timeline", "--records", lines(line, name="records.jsonl"))
    assert result.exit_code == BAD_INPUT
    assert told in result.stderr


def test_a_missing_library_is_named_with_its_extra(run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(name: str, *rest: Any, **more: Any) -> Any:
        if name == "graphviz":
            raise ModuleNotFoundError("No module named 'graphviz'", name="graphviz")
        return real(name, *rest, **more)

    real = builtins.__import__
    monkeypatch.setattr(builtins, "__import__", refuse)
    result = run("dag", "--folder", tmp_path)
    assert result.exit_code == BAD_INPUT
    assert "pip install 'temporal-recall[viz]'" in result.stderr


def test_a_fault_of_our_own_is_not_hidden(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from temporal_recall.service.facade import RecallService

    monkeypatch.setattr(RecallService, "recall", lambda *_, **__: 1 / 0)
    assert isinstance(run("demo").exception, ZeroDivisionError)


@pytest.mark.parametrize(
    ("words", "code"), [(["parse", "昨天"], 0), (["parse", "昨天", "--frob"], BAD_INPUT), ([], 0), (["--help"], 0)]
)
def test_the_process_leaves_with_the_code(words: list[str], code: int) -> None:
    program = [sys.executable, "-c", "from temporal_recall.service.cli import main; main()", *words]
    done = subprocess.run(program, capture_output=True, text=True, check=False, encoding="utf-8")
    assert done.returncode == code
    assert "Traceback" not in done.stderr


def test_a_reader_that_has_seen_enough_is_no_error(lines: Any) -> None:
    batch = lines(*({"text": "昨天", "now": "2026-09-03T22:00:00+08:00"} for _ in range(5000)))
    program = (
        f"{sys.executable} -c 'from temporal_recall.service.cli import main; main()' parse --batch {batch} | head -1"
    )
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=False, encoding="utf-8")
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1


def test_a_closed_output_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(SystemExit) as left:
        app(["demo", "--json"])
    assert left.value.code == FAILED
    assert capsys.readouterr().err == "error: there is no standard output to write the answer to\n"
