"""`eval` and `tune` on a small labelled life: a table, a report that can be compared, weights only for a real gain."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from temporal_recall.service.cli.app import app

pytest.importorskip("ir_measures", reason="the evaluation extra is not installed")


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two records and two labelled questions."""
    folder = tmp_path_factory.mktemp("life")
    records = [
        {"id": "a1", "source": "chat", "observed_time": "2026-09-02T18:00:00+08:00", "text": "下午把护照办好了"},
        {
            "id": "a2",
            "source": "chat",
            "observed_time": "2026-09-02T19:00:00+08:00",
            "text": "明天下午三点和张总签合同",
        },
    ]
    asked = {"now": "2026-09-03T09:00:00+08:00", "must_not": []}
    queries = [
        asked | {"qid": "q1", "query": "我昨天做了什么", "temporal_mode": "OCCURRED_IN", "relevant": {"a1": 3}},
        asked | {"qid": "q2", "query": "我今天有什么安排", "temporal_mode": "PLANNED_IN", "relevant": {"a2": 3}},
    ]
    for name, rows in (("items", records), ("queries", queries), ("gold_duplicates", [])):
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return folder


def ran(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    return result.exit_code, result.stdout, result.stderr


def test_a_folder_is_measured_and_the_report_is_kept(life: Path, tmp_path: Path) -> None:
    code, shown, _ = ran("eval", "--persona", life, "--out", tmp_path / "report.json")
    assert code == 0
    assert "ndcg_at_10" in shown
    questions = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))["questions"]
    assert [q["qid"] for q in questions] == ["q1", "q2"]


def test_an_earlier_report_says_what_changed(life: Path, tmp_path: Path) -> None:
    ran("eval", "--persona", life, "--out", tmp_path / "report.json")
    files = ("--records", life / "items.jsonl", "--queries", life / "queries.jsonl")
    code, shown, _ = ran("eval", *files, "--against", tmp_path / "report.json")
    assert code == 0
    assert "since the earlier report" in shown


@pytest.mark.parametrize("arguments", [(), ("--records", "items.jsonl"), ("--persona", "nowhere")])
def test_what_is_missing_is_said_in_one_line(arguments: tuple[str, ...]) -> None:
    code, _, told = ran("eval", *arguments)
    assert code == 2
    assert len(told.strip().splitlines()) == 1


def test_a_gain_that_may_be_chance_writes_nothing(life: Path, tmp_path: Path) -> None:
    pytest.importorskip("optuna", reason="the evaluation extra is not installed")
    code, shown, _ = ran("tune", "--persona", life, "--trials", 3, "--out", tmp_path / "weights.json")
    assert code == 0
    assert "refused" in shown
    assert life.name in shown
    assert not (tmp_path / "weights.json").exists()
