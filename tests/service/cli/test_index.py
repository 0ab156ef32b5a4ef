"""`index`: from a records file to an index that answers, and back to nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from temporal_recall.adapters.parquet_lake import ParquetTimelineLake
from temporal_recall.service.cli.errors import BAD_INPUT

NOW = "2026-09-03T22:00:00+08:00"


@pytest.fixture
def config(tmp_path: Path, run: Any, records: Path) -> Path:
    store = tmp_path / "store.db"
    imported = run("import", "records", records, "--store", store, "--user-id", "u1")
    assert imported.exit_code == 0, imported.stderr
    path = tmp_path / "recall.toml"
    sources = "".join(
        f'[[sources]]\nname = "{name}"\nkind = "embedded"\noptions = {{ path = "{store}" }}\n'
        for name in ("meinput", "chat")
    )
    path.write_text(f'{sources}[index]\nurl = "sqlite:///{tmp_path / "index.db"}"\nmode = "index"\n', encoding="utf-8")
    return path


def rows(result: Result) -> list[dict[str, Any]]:
    assert result.exit_code == 0, result.stderr
    found: list[dict[str, Any]] = json.loads(result.stdout)["index"]
    return found


class TestOneUser:
    def test_synced_looked_at_verified_and_erased(self, run: Any, config: Path) -> None:
        user = ("--config", config, "--user-id", "u1", "--json")
        assert {r["source"]: r["stored"] for r in rows(run("index", "sync", *user, "--now", NOW))} == {
            "meinput": 1,
            "chat": 1,
        }
        assert [r["row_count"] for r in rows(run("index", "status", *user))] == [1, 1]
        assert all(r["is_right"] for r in rows(run("index", "verify", *user, "--now", NOW)))
        assert rows(run("index", "erase", *user, "--yes")) == [{"erased_count": 2}]
        assert rows(run("index", "status", *user)) == []

    def test_verify_fails_where_the_index_differs(self, run: Any, config: Path) -> None:
        result = run("index", "verify", "--config", config, "--user-id", "u1", "--now", NOW)
        assert result.exit_code == 1
        assert "missing 1" in result.stdout

    def test_help_says_which_table_names_the_store(self, run: Any) -> None:
        assert "table index names" in " ".join(run("index", "erase", "--help").stdout.replace("│", "").split())

    def test_erase_asks_first(self, run: Any, config: Path) -> None:
        assert run("index", "erase", "--config", config, "--user-id", "u1").exit_code != 0

    def test_a_deployment_without_an_index_says_so(self, run: Any, tmp_path: Path) -> None:
        path = tmp_path / "plain.toml"
        path.write_text(
            '[[sources]]\nname = "chat"\nkind = "embedded"\noptions = { path = "s.db" }\n', encoding="utf-8"
        )
        result = run("index", "status", "--config", path, "--user-id", "u1")
        assert (result.exit_code, "[index]" in result.stderr) == (BAD_INPUT, True)


def test_built_from_an_export_and_loaded(run: Any, config: Path, records: Path, tmp_path: Path) -> None:
    lakes = (tmp_path / "evidence", tmp_path / "timeline")
    built = run("index", "build", *lakes, "--records", records, "--load", config, "--now", NOW, "--json")
    (report,) = rows(built)
    assert (report["record_count"], report["loaded_count"]) == (3, 3)
    again = run("index", "build", *lakes, "--load", config, "--now", NOW, "--json")
    (report,) = rows(again)
    assert (report["slice_count"], report["loaded_count"]) == (0, 0)
    in_lakes = [word for lake in lakes for word in ("--lake", lake)]
    (erased,) = rows(run("index", "erase", "--config", config, "--user-id", "local", *in_lakes, "--yes", "--json"))
    assert erased == {"erased_count": 3, "erased_from_lakes_count": 6}


def test_an_export_keeps_users_apart_and_ends_what_is_deleted(run: Any, tmp_path: Path) -> None:
    told = {"id": "1", "source": "chat", "observed_time": "2026-09-02T20:10:00+08:00", "text": "明天下午三点评审"}
    lakes = (tmp_path / "evidence", tmp_path / "timeline")
    for name, lines in {
        "told": [told | {"user_id": "u1"}, told | {"user_id": "u2"}],
        "later": [told | {"user_id": "u1", "text": "", "revision": 2, "deleted": True}],
    }.items():
        file = tmp_path / f"{name}.jsonl"
        file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        rows(run("index", "build", *lakes, "--records", file, "--json"))
    (frame,) = (frame for frame in ParquetTimelineLake(str(lakes[1])).frames() if len(frame))
    assert frame["user_id"].tolist() == ["u2"]
