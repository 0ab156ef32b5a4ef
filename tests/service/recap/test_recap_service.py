"""Reads, facts, roll-ups, earlier years: what the cache says, without any model."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from fake_chat_server import DONE, fake_chat_server, frame, streaming
from recap_app import WINDOW, Clock, recap_service
from recap_days import at, segment
from sqlalchemy import event

from temporal_recall.dataflows.recap.windows import recap_window_of
from temporal_recall.schemas.errors import InvalidConfig
from temporal_recall.schemas.recap import RecapError, RecapFact, RecapWindow, RecapWindowError
from temporal_recall.service.recap.config import RecapConfig, read_recap_config
from temporal_recall.service.recap.prompts import prompt_of
from temporal_recall.service.recap.service import RecapService, chat_client_of

STORY = streaming(frame("You wrote code."), DONE)


def _write(service: RecapService, window: RecapWindow) -> None:
    async def write() -> None:
        run = service.start("ana", window)
        assert [event.name async for event in run.events()][-1] == "done"

    asyncio.run(write())


class TestReads:
    def test_three_states_and_no_call(self, tmp_path: Path) -> None:
        with fake_chat_server(STORY) as server, recap_service(tmp_path, server.base_url) as service:
            assert service.read("nobody", WINDOW).is_empty
            never = service.read("ana", WINDOW)
            assert (never.is_empty, never.narrative, never.regenerable) == (False, None, True)
            assert server.requests == []
            _write(service, WINDOW)
            assert service.read("ana", WINDOW).narrative == "You wrote code."

    def test_a_point_at_the_first_instant_is_no_empty_day(self, tmp_path: Path) -> None:
        with recap_service(tmp_path, None) as service:
            service.ingest([segment("A", "0:00", "0:00", owner_id="bob")])
            assert not service.read("bob", WINDOW).is_empty
            assert not service.project("bob", WINDOW).projection.is_empty

    def test_the_day_goes_on_after_its_diary(self, tmp_path: Path) -> None:
        clock = Clock()
        with fake_chat_server(STORY) as server, recap_service(tmp_path, server.base_url, clock=clock) as service:
            _write(service, WINDOW)
            clock.now = at("22:00")
            service.ingest([segment("Code", "11:00", "21:30")])
            out = service.read("ana", WINDOW)
            assert (out.segment_stale, out.partial_day, out.late_segments) == (True, True, 1)
            clock.now = at("24:00")
            assert not service.read("ana", WINDOW).segment_stale
            assert service.read("ana", WINDOW).partial_day

    def test_facts_make_it_stale_until_it_is_written_anew(self, tmp_path: Path) -> None:
        with fake_chat_server(STORY) as server, recap_service(tmp_path, server.base_url) as service:
            _write(service, WINDOW)
            service.save_facts("ana", WINDOW.local_date, [RecapFact("met Bo", "12:00")])
            assert service.read("ana", WINDOW).knowledge_stale
            _write(service, WINDOW)
            assert not service.read("ana", WINDOW).knowledge_stale
            assert "- 12:00 met Bo" in server.requests[-1]["messages"][1]["content"]

    def test_others_see_the_cached_diary_alone(self, tmp_path: Path) -> None:
        with fake_chat_server(STORY) as server, recap_service(tmp_path, server.base_url) as service:
            assert service.read_public("ana", WINDOW) is None
            _write(service, WINDOW)
            service.save_facts("ana", WINDOW.local_date, [RecapFact("met Bo")])
            public = service.read_public("ana", WINDOW)
            assert public is not None
            assert (public.narrative, public.knowledge_stale, public.regenerable) == ("You wrote code.", False, False)

    def test_what_comes_back_is_told_where_the_deployment_wants_it(self, tmp_path: Path) -> None:
        with recap_service(tmp_path, None, tells_recurring=True) as service:
            service.ingest([segment("mail", f"{9 - 24 * ago}:00", f"{10 - 24 * ago}:00") for ago in range(1, 10)])
            assert "background only: mail" in service.project("ana", WINDOW).digest

    def test_erasure_leaves_nothing(self, tmp_path: Path) -> None:
        with fake_chat_server(STORY) as server, recap_service(tmp_path, server.base_url) as service:
            _write(service, WINDOW)
            service.save_facts("ana", WINDOW.local_date, [RecapFact("met Bo")])
            service.erase("ana")
            assert service.read("ana", WINDOW).is_empty
            assert service.facts("ana", WINDOW.local_date) == ()

    def test_no_byte_of_an_erased_owner_is_left_in_the_files(self, tmp_path: Path) -> None:
        with recap_service(tmp_path, None) as service:
            service.save_facts("ana", WINDOW.local_date, [RecapFact("met Bo in secret")])
            assert _files_with(tmp_path, b"met Bo in secret")
            service.erase("ana")
            assert not _files_with(tmp_path, b"met Bo in secret")
            assert not _files_with(tmp_path, b"lanes.py")

    def test_an_erasure_that_a_reader_holds_up_says_so(self, tmp_path: Path) -> None:
        with recap_service(tmp_path, None) as service, closing(sqlite3.connect(tmp_path / "recap.db")) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM recap_segments").fetchone()
            event.listen(service._engine, "connect", lambda connection, _: connection.execute("PRAGMA busy_timeout=1"))
            service._engine.dispose()
            with pytest.raises(RecapError, match="erase again"):
                service.erase("ana")
            reader.rollback()
            service.erase("ana")


def _files_with(folder: Path, mark: bytes) -> list[str]:
    return [path.name for path in folder.iterdir() if mark in path.read_bytes()]


class TestRollUps:
    week = recap_window_of("2026-07-14", "UTC", kind="week")

    def test_a_week_is_told_from_its_days_and_names_the_missing_ones(self, tmp_path: Path) -> None:
        with fake_chat_server(STORY) as server, recap_service(tmp_path, server.base_url) as service:
            assert service.read("ana", self.week).is_empty
            _write(service, WINDOW)
            _write(service, self.week)
            user_text = server.requests[-1]["messages"][1]["content"]
            assert "2026-07-14 Tuesday\nYou wrote code." in user_text
            assert "Days without an entry: 2026-07-13 Monday" in user_text
            out = service.read("ana", self.week)
            assert [day.isoformat() for day in out.missing_dates] == ["2026-07-13"]
            assert not out.regenerable

    def test_days_that_are_still_to_come_are_not_missing(self, tmp_path: Path) -> None:
        with recap_service(tmp_path, None) as service:
            assert [day.day for day in service._roll_up("ana", self.week).missing_dates] == [13, 14]

    def test_a_day_written_anew_makes_its_week_stale(self, tmp_path: Path) -> None:
        clock = Clock()
        with fake_chat_server(STORY) as server, recap_service(tmp_path, server.base_url, clock=clock) as service:
            _write(service, WINDOW)
            _write(service, self.week)
            clock.now += timedelta(hours=1)
            _write(service, WINDOW)
            assert service.read("ana", self.week).knowledge_stale


class TestOnThisDay:
    def _dates(self, tmp_path: Path, month_day: str, years: int, *written: tuple[str, str]) -> list[tuple[str, str]]:
        with fake_chat_server(STORY) as server, recap_service(tmp_path, server.base_url) as service:
            for local_date, time_zone in written:
                window = recap_window_of(local_date, time_zone)
                service.ingest(
                    [segment("A", window.start, window.start + timedelta(hours=1), id=local_date + time_zone)]
                )
                _write(service, window)
            found = service.on_this_day("ana", month_day, "UTC", years)
            return [(out.date.isoformat(), out.time_zone) for out in found]

    def test_earlier_years_latest_first_and_never_this_one(self, tmp_path: Path) -> None:
        written = [(f"{year}-07-14", "UTC") for year in (2022, 2024, 2025, 2026)]
        assert self._dates(tmp_path, "07-14", 3, *written) == [("2025-07-14", "UTC"), ("2024-07-14", "UTC")]

    def test_one_a_year_in_the_zone_asked_for_where_there_is_one(self, tmp_path: Path) -> None:
        written = [("2025-07-14", "UTC"), ("2025-07-14", "Asia/Tokyo"), ("2024-07-14", "Asia/Tokyo")]
        assert self._dates(tmp_path, "07-14", 5, *written) == [("2025-07-14", "UTC"), ("2024-07-14", "Asia/Tokyo")]

    def test_the_leap_day_has_leap_years_alone(self, tmp_path: Path) -> None:
        assert self._dates(tmp_path, "02-29", 10, ("2024-02-29", "UTC"), ("2023-02-28", "UTC")) == [
            ("2024-02-29", "UTC")
        ]

    @pytest.mark.parametrize("month_day", ["02-30", "7-14", "", "13-01"])
    def test_what_is_no_date_is_refused(self, tmp_path: Path, month_day: str) -> None:
        with pytest.raises(RecapWindowError):
            self._dates(tmp_path, month_day, 5)


class TestPrompts:
    def test_the_hash_is_of_text_and_language(self) -> None:
        day, german, week = prompt_of("day", "Chinese"), prompt_of("day", "German"), prompt_of("week", "Chinese")
        assert len({day.hash, german.hash, week.hash, prompt_of("month", "Chinese").hash}) == 4
        assert len(day.hash) == 8
        assert "Write in German" in german.text
        assert "{" not in day.text + week.text

    @pytest.mark.parametrize(
        "asked",
        ["Never add up durations", "away", "no record", "never additional time", "outranks", "instructions inside"],
    )
    def test_the_template_says_what_it_must(self, asked: str) -> None:
        assert asked in prompt_of("day", "Chinese").text

    def test_an_older_recipe_makes_a_diary_regenerable(self, tmp_path: Path) -> None:
        with fake_chat_server(STORY) as server:
            with recap_service(tmp_path, server.base_url) as service:
                _write(service, WINDOW)
            with recap_service(tmp_path, server.base_url, language="German") as service:
                out = service.read("ana", WINDOW)
        assert (out.regenerable, out.knowledge_stale, out.narrative) == (True, False, "You wrote code.")


class TestConfig:
    def test_table_and_environment(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "recall.toml"
        path.write_text('[recap]\nlanguage = "German"\n[[recap.privacy.rules]]\nfield = "title"\n[other]\nx = 1\n')
        monkeypatch.setenv("TEMPORAL_RECALL_RECAP__LANGUAGE", "French")
        config = read_recap_config(path)
        assert config.language == "French"
        assert config.privacy.rules[0].field == "title"

    @pytest.mark.parametrize(
        ("text", "names"),
        [
            ("[recap]\nlanguge = 'x'\n", "recap.languge"),
            ("[recap]\nmodel = 'm'\n", "base_url and model go together"),
            ("[recap", "valid TOML"),
            ("recap = 3\n", "table"),
            ("[[recap.privacy.rules]]\nfield = 'title'\npattern = '('\n", "regular expression"),
        ],
    )
    def test_what_cannot_be_is_named(self, tmp_path: Path, text: str, names: str) -> None:
        path = tmp_path / "recall.toml"
        path.write_text(text)
        with pytest.raises(InvalidConfig, match=names):
            read_recap_config(path)

    def test_the_key_comes_from_the_environment_alone(self) -> None:
        config = RecapConfig(base_url="http://127.0.0.1/v1", model="m", api_key_env="MY_KEY")
        client = chat_client_of(config, {"MY_KEY": "sk-1"})
        assert client is not None
        assert client.endpoint.api_key == "sk-1"
        assert chat_client_of(RecapConfig(), {"MY_KEY": "sk-1"}) is None

    def test_without_a_store_there_is_no_service(self) -> None:
        with pytest.raises(InvalidConfig, match="store_url"):
            RecapService.configured(RecapConfig(), {})


def test_a_log_never_tells_titles(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", logger="temporal_recall")
    with fake_chat_server(STORY) as server, recap_service(tmp_path, server.base_url) as service:
        service.ingest([segment("A", "9:00", "8:00", "secret title")])
        _write(service, WINDOW)
    told = json.dumps([record.getMessage() for record in caplog.records])
    assert "end_before_start" in told
    assert "secret" not in told
    assert "You wrote" not in told
