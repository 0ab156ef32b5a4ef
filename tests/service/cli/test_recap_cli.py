"""The command `recap`: one's own day from a file, the diary from a store, errors in one line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fake_chat_server import DONE, FakeChatServer, fake_chat_server, frame, streaming
from recap_days import away, segment
from typer.testing import Result

from temporal_recall.schemas.recap import Segment, as_json

Recap = Callable[..., Result]

STORY = streaming(frame("You wrote "), frame("code."), DONE)
DAY = ("--date", "2026-07-14", "--time-zone", "UTC", "--now", "2026-07-14T20:00:00Z")


@pytest.fixture
def recap(run: Callable[..., Result], activity: Path) -> Recap:
    """Runs `recap` with the given words."""
    return lambda *words: run("recap", *words)


@pytest.fixture
def project(run: Callable[..., Result], activity: Path) -> Recap:
    """Runs `recap --project` over the usual file."""
    return lambda *words: run("recap", "--project", "--activity", activity, *words)


@pytest.fixture
def activity(tmp_path: Path) -> Path:
    return _lines(tmp_path / "segments.jsonl", segment("Code", "9:00", "10:00", "x.py"), away("10:00", "10:30"))


@pytest.fixture
def store(tmp_path: Path) -> tuple[str, ...]:
    return ("--store", f"sqlite:///{tmp_path / 'recap.db'}", "--user-id", "ana")


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeChatServer]:
    with fake_chat_server(STORY) as server:
        monkeypatch.setenv("TEMPORAL_RECALL_RECAP__BASE_URL", server.base_url)
        monkeypatch.setenv("TEMPORAL_RECALL_RECAP__MODEL", "m")
        monkeypatch.setenv("TEMPORAL_RECALL_CHAT_KEY", "sk-1")
        yield server


def _lines(path: Path, *segments: Segment) -> Path:
    rows = [{**as_json(one), "attributes": dict(one.attributes)} for one in segments]  # type: ignore[dict-item]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


class TestProject:
    def test_the_day_as_text(self, project: Recap) -> None:
        assert "- 09:00-10:00 Code 1h00m\n    x.py 1h00m\n- 10:00-10:30 away 30m" in project(*DAY).stdout

    def test_the_day_as_json(self, project: Recap) -> None:
        day = json.loads(project(*DAY, "--json").stdout)
        assert {"local_date", "time_zone", "start", "end_exclusive"} <= set(day["window"])
        assert (day["window"]["start"], day["segment_watermark"]) == ("2026-07-14T00:00:00Z", "2026-07-14T10:30:00Z")
        assert {"device_id", "device_name", "attention", "details"} == set(day["devices"][0])
        assert (day["is_empty"], len(day["digest_hash"])) == (False, 64)
        assert day["digest"].startswith("2026-07-14 Tuesday (UTC)")

    def test_an_empty_day(self, project: Recap) -> None:
        empty = ("--date", "2026-07-01", "--time-zone", "UTC")
        assert "No record of 2026-07-01 (UTC)." in project(*empty).stdout
        day = json.loads(project(*empty, "--json").stdout)
        assert (day["is_empty"], day["devices"], day["digest"]) == (True, [], "")
        assert day["segment_watermark"] == "2026-07-01T00:00:00Z"

    def test_today_is_the_zones_own(self, project: Recap) -> None:
        day = project("--time-zone", "Pacific/Auckland", "--now", "2026-07-13T13:00:00Z", "--json")
        assert json.loads(day.stdout)["window"]["local_date"] == "2026-07-14"

    def test_privacy_rules_come_from_the_configuration(self, project: Recap, tmp_path: Path) -> None:
        config = tmp_path / "recall.toml"
        config.write_text('[[recap.privacy.rules]]\nsource = "system"\nfield = "title"\n')
        assert "x.py" in project(*DAY).stdout
        assert "x.py" not in project(*DAY, "--config", config).stdout

    def test_what_is_left_out_is_told(self, recap: Recap, tmp_path: Path) -> None:
        path = _lines(tmp_path / "s.jsonl", segment("A", "9:00", "10:00"), segment("A", "9:00", "8:00"))
        with path.open("a") as lines:
            lines.write("{oops\n")
        shown = recap("--project", "--activity", path, *DAY)
        assert shown.exit_code == 0
        assert "left out: 1 end_before_start, 1 not_json" in shown.stderr

    def test_several_owners_need_a_name(self, recap: Recap, tmp_path: Path) -> None:
        both = [segment(app, "9:00", "10:00", owner_id=owner) for app, owner in (("A", "ana"), ("B", "bob"))]
        words = ("--project", "--activity", _lines(tmp_path / "s.jsonl", *both), *DAY)
        refused = recap(*words)
        assert refused.exit_code == 2
        assert "ana, bob" in refused.stderr
        assert "B 1h00m" in recap(*words, "--user-id", "bob").stdout


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--date", "2026-02-30", "--time-zone", "UTC"), "invalid_local_date"),
        (("--date", "2026-7-4", "--time-zone", "UTC"), "invalid_local_date"),
        (("--date", "2026-07-14", "--time-zone", "Mars/Base"), "unknown_time_zone"),
        (("--time-zone", "Mars/Base"), "unknown_time_zone"),
        (("--date", "2011-12-30", "--time-zone", "Pacific/Apia"), "nonexistent_civil_date"),
        (("--date", "2026-07-14", "--day-start-hour", "9"), "invalid_day_start_hour"),
    ],
)
def test_a_day_that_is_none_gives_its_code_and_two(project: Recap, words: tuple[str, ...], code: str) -> None:
    told = project(*words, "--json")
    assert told.exit_code == 2
    assert told.stderr.startswith(f"error: {code}: ")
    assert told.stderr.count("\n") == 1
    assert json.loads(told.stdout)["code"] == code


@pytest.mark.parametrize("text", ['{"buckets": ', None])
def test_a_file_that_cannot_be_used_gives_one_line_and_two(recap: Recap, text: str | None, tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    if text is not None:
        path.write_text(text)
    told = recap("--project", "--activity", path, *DAY)
    assert (told.exit_code, told.stderr.count("\n")) == (2, 1)


class TestDiary:
    def test_it_is_streamed_cached_and_shown_again(
        self, recap: Recap, activity: Path, store: tuple[str, ...], model: FakeChatServer
    ) -> None:
        assert recap("--activity", activity, *store, *DAY).stdout == "2026-07-14 (UTC)\n\nYou wrote code.\n"
        assert "authorization: bearer sk-1" in model.heads[0].lower()
        assert "You wrote code." in recap(*store, *DAY).stdout
        assert len(model.requests) == 1
        anew = recap(*store, *DAY, "--again", "--json")
        assert json.loads(anew.stdout)["narrative"] == "You wrote code."
        assert len(model.requests) == 2

    def test_a_week_from_its_days(
        self, recap: Recap, activity: Path, store: tuple[str, ...], model: FakeChatServer
    ) -> None:
        recap("--activity", activity, *store, *DAY)
        assert recap(*store, *DAY, "--period", "week").exit_code == 0
        assert "2026-07-14 Tuesday" in model.requests[-1]["messages"][1]["content"]

    def test_earlier_years(self, recap: Recap, activity: Path, store: tuple[str, ...], model: FakeChatServer) -> None:
        next_year = ("--date", "2027-07-14", "--time-zone", "UTC", "--now", "2027-07-14T20:00:00Z", "--on-this-day")
        recap("--activity", activity, *store, *DAY)
        assert "No diary of 07-14" in recap(*store, *DAY, "--on-this-day").stderr
        shown = recap(*store, *next_year).stdout
        assert "2026-07-14 (UTC)" in shown
        assert "You wrote code." in shown

    def test_facts_are_kept_and_sent(
        self, recap: Recap, activity: Path, store: tuple[str, ...], model: FakeChatServer
    ) -> None:
        recap("--activity", activity, *store, *DAY, "--fact", "met Bo")
        assert model.requests[0]["messages"][1]["content"].endswith("- met Bo")

    def test_a_file_alone_is_told_and_nothing_is_kept(
        self, recap: Recap, activity: Path, model: FakeChatServer
    ) -> None:
        assert recap("--activity", activity, *DAY).stdout == "2026-07-14 (UTC)\n\nYou wrote code.\n"

    def test_a_model_that_fails_gives_one_line_and_one(
        self, recap: Recap, activity: Path, model: FakeChatServer
    ) -> None:
        model.script = streaming(frame("You"), frame(finish="length"))
        told = recap("--activity", activity, *DAY)
        assert told.exit_code == 1
        assert "error: truncated: " in told.stderr

    def test_without_a_model_the_code_is_told(self, recap: Recap, activity: Path) -> None:
        told = recap("--activity", activity, *DAY)
        assert told.exit_code == 2
        assert "error: not_configured: " in told.stderr


def test_an_activitywatch_export_in_one_command(shared: Path) -> None:
    """As a newcomer types it: a process of its own, no store, no model."""
    export = shared / "cases" / "recap" / "aw_export_two_hosts.json"
    words = ["recap", "--project", "--activity", str(export), "--date", "2026-07-14", "--time-zone", "Asia/Shanghai"]
    call = [sys.executable, "-c", "from temporal_recall.service.cli import main; main()", *words]
    shown = subprocess.run(call, capture_output=True, text=True, check=True, timeout=60).stdout
    assert "- 10:35-13:00 away 2h24m" in shown
    assert "- docs.python.org/3/library/zoneinfo.html 19m, 2 visits" in shown
    assert "highlight=fold" not in shown
