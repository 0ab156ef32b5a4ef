"""The command table: light to load, complete in README, each with JSON."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
import typer.main

from temporal_recall.service.cli import app

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
SERVERS = {"serve", "mcp"}
"""Commands that answer others, not the terminal."""


def test_the_table_loads_without_the_heavy_libraries() -> None:
    program = "import sys; import temporal_recall.service.cli; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    heavy = {"pandas", "numpy", "pyarrow", "hamilton", "sqlalchemy", "fastapi", "httpx", "icalendar", "graphviz"}
    assert heavy & set(done.stdout.split()) == set()


@pytest.mark.parametrize("name", [None, *COMMANDS])
def test_every_command_has_help(run: Any, name: str | None) -> None:
    result = run(*([name] if name else []), "--help")
    assert result.exit_code == 0
    assert "Usage: temporal-recall" in result.stdout


def _leaves(name: str, command: Any) -> list[tuple[str, Any]]:
    """The command itself, or those of a group."""
    inner = getattr(command, "commands", None)
    return [leaf for n, c in inner.items() for leaf in _leaves(f"{name} {n}", c)] if inner else [(name, command)]


LEAVES = [leaf for name, command in COMMANDS.items() for leaf in _leaves(name, command)]


@pytest.mark.parametrize(("name", "command"), [leaf for leaf in LEAVES if leaf[0] not in SERVERS])
def test_every_command_prints_json_when_asked(name: str, command: Any) -> None:
    assert "--json" in {option for parameter in command.params for option in parameter.opts}


@pytest.mark.parametrize(("name", "command"), LEAVES)
def test_every_option_says_what_it_is(name: str, command: Any) -> None:
    assert [p.name for p in command.params if p.name not in ("help", "as_json") and not p.help] == []


def test_without_a_command_the_help_is_shown(run: Any) -> None:
    assert "Commands" in run().stdout
