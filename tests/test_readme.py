"""README tells the truth: its set-up is two commands, its examples run, and it names all that there is."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.main

from temporal_recall.adapters.registry import adapter_kinds
from temporal_recall.service.catalog import CATALOG
from temporal_recall.service.cli import app
from temporal_recall.service.config import read_config

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.DOTALL | re.MULTILINE)


def _calls() -> list[list[str]]:
    """The words after `temporal-recall` of every such line in a bash block, without comments."""
    lines = (line for block in _blocks("bash") for line in block.splitlines())
    calls = (shlex.split(line, comments=True) for line in lines)
    return [words[1:] for words in calls if words and words[0].endswith("temporal-recall")]


def test_the_set_up_is_the_two_commands_at_the_top() -> None:
    assert _blocks("bash")[0].splitlines() == ["python3 -m venv .venv", ".venv/bin/pip install -e '.[dev]'"]
    assert README.index("```bash") < 100


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_row(name: str) -> None:
    assert f"\n| `{name}` |" in README


@pytest.mark.parametrize("name", [flow.name for flow in CATALOG])
def test_every_flow_has_its_row(name: str) -> None:
    assert f"\n| `{name}` |" in README
    assert f"(dag_viz/{name}.svg)" in README


def test_no_row_is_left_over() -> None:
    rows = set(re.findall(r"^\| `([\w-]+)` \|", README, flags=re.MULTILINE))
    assert rows == {*COMMANDS, *(flow.name for flow in CATALOG)}


@pytest.mark.parametrize("words", _calls(), ids=" ".join)
def test_every_shown_call_has_known_options(words: list[str]) -> None:
    command = COMMANDS[words[0]]
    known = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= known


@pytest.mark.parametrize("block", _blocks("python"))
def test_every_python_example_runs(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out


@pytest.fixture(scope="module")
def demo_server() -> Iterator[tuple[int, str]]:
    """Port and token of `temporal-recall serve`, as a process of its own."""
    pytest.importorskip("uvicorn", reason="serving needs the extra service")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = "from temporal_recall.service.cli import main; main()"
    server = subprocess.Popen(
        [sys.executable, "-u", "-c", program, "serve", "--port", str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert server.stdout is not None
    assert server.stderr is not None
    with server:
        token = server.stdout.readline().strip().removeprefix("TOKEN=")
        assert any("Uvicorn running" in line for line in iter(server.stderr.readline, ""))
        yield port, token
        server.terminate()
        server.communicate()


def _curl_lines() -> list[str]:
    return [f"curl {call}" for block in _blocks("sh") for call in block.split("curl ")[1:]]


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.parametrize("line", _curl_lines())
def test_every_curl_line_is_answered(demo_server: tuple[int, str], line: str) -> None:
    port, token = demo_server
    call = line.replace("curl -s", "curl -s --fail-with-body").replace(":8000/", f":{port}/")
    done = subprocess.run(
        ["bash", "-c", call], env=os.environ | {"TOKEN": token}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert json.loads(done.stdout)


def test_the_configuration_shown_is_a_right_one(tmp_path: Path) -> None:
    (tmp_path / "weights.json").write_text("{}")
    (tmp_path / "recall.toml").write_text(_blocks("toml")[0], encoding="utf-8")
    config = read_config(tmp_path / "recall.toml")
    kinds = {kind.name for kind in adapter_kinds()}
    assert {source.kind or source.name for source in config.sources} <= kinds


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(((?!https?:)[^)#]+)\)", README))))
def test_every_link_leads_somewhere(target: str) -> None:
    assert (ROOT / target).exists()
