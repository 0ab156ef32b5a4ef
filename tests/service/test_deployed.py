"""A file's settings, the environment's variables over them, and errors that name the key."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic_settings import SettingsConfigDict

from temporal_recall.schemas.errors import InvalidConfig
from temporal_recall.service.deployed import Deployed, checked_settings, toml_table


class Tea(Deployed):
    """Settings of a test."""

    model_config = SettingsConfigDict(extra="forbid", env_prefix="TEST_TEA_")

    cups: int = 1
    kind: str = "green"


def test_the_environment_stands_over_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_TEA_CUPS", "3")
    tea = checked_settings(Tea, {"cups": 2, "kind": "black"})
    assert (tea.cups, tea.kind) == (3, "black")


@pytest.mark.parametrize(
    ("table", "name", "message"),
    [
        ({"cups": "many"}, "", "cups is 'many'"),
        ({"cups": "many"}, "tea", "tea.cups is 'many'"),
        ({"milk": {"fat": 3}}, "tea", "tea.milk is 'dict'"),
    ],
)
def test_an_error_names_the_key_as_it_stands_in_the_file(table: dict[str, object], name: str, message: str) -> None:
    with pytest.raises(InvalidConfig, match=message):
        checked_settings(Tea, table, name)


def test_a_file_is_a_table_or_an_error_that_names_it(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text("cups = 2")
    bad.write_text("cups = ")
    assert toml_table(good) == {"cups": 2}
    for path in (bad, tmp_path / "none.toml"):
        with pytest.raises(InvalidConfig, match=path.name):
            toml_table(path)
