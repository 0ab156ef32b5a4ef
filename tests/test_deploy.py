"""The container file and the compose example: no root, nothing written, and commands and keys that exist."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from temporal_recall.service.cli import app
from temporal_recall.service.config import read_config

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"


@pytest.fixture
def instructions() -> list[tuple[str, str]]:
    """Each instruction of the last stage of the container file and its arguments."""
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    last_stage = text[text.rindex("FROM ") :].replace("\\\n", " ")
    lines = [line for line in last_stage.splitlines() if line and not line.startswith("#")]
    return [(name, arguments) for name, _, arguments in (line.partition(" ") for line in lines)]


@pytest.fixture
def compose() -> dict[str, Any]:
    """The services of the compose example, by name."""
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    services: dict[str, Any] = yaml.safe_load(text)["services"]
    return services


def words(instructions: list[tuple[str, str]], name: str) -> list[str]:
    """The arguments of an instruction in its JSON form."""
    found: list[str] = json.loads(next(arguments for known, arguments in instructions if known == name))
    return found


class TestContainerfile:
    def test_it_runs_as_a_user_without_rights(self, instructions: list[tuple[str, str]]) -> None:
        user = [arguments for name, arguments in instructions if name == "USER"]
        assert [int(u) > 0 for u in user] == [True]

    def test_every_image_has_a_tag_and_no_file_is_fetched(self) -> None:
        text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
        images = re.findall(r"^FROM (\S+)", text, re.MULTILINE)
        assert images
        assert all(re.fullmatch(r"[\w./-]+:[\w.-]+", image) and not image.endswith(":latest") for image in images)
        assert not re.search(r"^ADD |curl|wget|sudo", text, re.MULTILINE)

    def test_its_command_is_one_of_ours(
        self, instructions: list[tuple[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The same words with `--check` behind them, over the configuration of the compose example."""
        program, *rest = words(instructions, "ENTRYPOINT") + words(instructions, "CMD")
        assert program in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
        told = [str(DEPLOY / "recall.toml") if word.endswith("/recall.toml") else word for word in rest]
        monkeypatch.setenv("TEMPORAL_RECALL_SIGNING_KEYS", json.dumps({"k": "x" * 32}))
        monkeypatch.setenv("PORTAL_DATABASE", f"sqlite:///{tmp_path / 'portal.db'}")
        result = CliRunner().invoke(app, [*told, "--check"])
        assert (result.exit_code, "sources chat" in result.stdout) == (0, True)

    def test_what_it_installs_are_extras_of_ours(self) -> None:
        text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
        extras = re.findall(r"'\.\[([\w,]+)\]'", text)
        known = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
        assert extras
        assert set(extras[0].split(",")) <= set(known)

    def test_nothing_private_is_sent_to_the_build(self) -> None:
        ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
        assert {".git", ".venv", "**/*.db", "**/.env"} <= set(ignored)


class TestCompose:
    def test_ours_writes_nowhere_and_gains_no_rights(self, compose: dict[str, Any]) -> None:
        ours = compose["recall"]
        assert ours["read_only"] is True
        assert ours["cap_drop"] == ["ALL"]
        assert ours["security_opt"] == ["no-new-privileges:true"]
        assert all(volume.endswith(":ro") for volume in ours["volumes"])

    def test_no_secret_stands_in_it(self, compose: dict[str, Any]) -> None:
        """Whatever is named for a secret comes from the environment of whoever starts it."""
        for service in compose.values():
            for name, value in service["environment"].items():
                if re.search("KEY|TOKEN|PASSWORD", name):
                    assert re.fullmatch(r"\$\{\w+:[-?][^}]*\}", value), name

    def test_it_is_reached_on_loopback_only(self, compose: dict[str, Any]) -> None:
        assert [port.partition(":")[0] for port in compose["recall"]["ports"]] == ["127.0.0.1"]

    def test_it_may_end_in_good_order(self, compose: dict[str, Any]) -> None:
        """Longer than `serve` lets requests end."""
        assert int(compose["recall"]["stop_grace_period"].rstrip("s")) > 10

    def test_its_variables_are_read(self, compose: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
        environment = compose["recall"]["environment"]
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        config = read_config(DEPLOY / "recall.toml")
        assert config.http.host == environment["TEMPORAL_RECALL_HTTP__HOST"]
        named = {config.http.signing_keys_env, config.http.worker_token_env, config.sources[0].options["url_env"]}
        assert named <= set(environment)

    def test_its_build_and_its_files_are_there(self, compose: dict[str, Any]) -> None:
        build = compose["recall"]["build"]
        assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()
        assert all(
            (DEPLOY / shlex.split(volume)[0].partition(":")[0]).is_file() for volume in compose["recall"]["volumes"]
        )
