"""`plan` and `parse`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from temporal_recall.schemas.plan import ContextPlan

NOW = "2026-09-03T22:00:00+08:00"


class TestPlan:
    def test_json_is_the_plan(self, run: Any) -> None:
        plan = ContextPlan.model_validate_json(run("plan", "我昨天做了什么？", "--now", NOW, "--json").stdout)
        assert plan.temporal_mode == "OCCURRED_IN"
        assert plan.time.event_range is not None
        assert plan.time.event_range.start.isoformat() == "2026-09-02T00:00:00+08:00"

    def test_the_page_shows_ranges_and_weights(self, run: Any) -> None:
        page = run("plan", "我昨天做了什么？", "--now", NOW).stdout
        assert "2026-09-02" in page
        assert "calendar" in page

    def test_signs_of_markup_are_only_words(self, run: Any) -> None:
        result = run("plan", "我昨天说过什么关于“[/red]”的？", "--now", NOW, "--trace")
        assert result.exit_code == 0
        assert "[/red]" in result.stdout

    def test_trace_names_the_rules(self, run: Any) -> None:
        trace = json.loads(run("plan", "我昨天做了什么？", "--now", NOW, "--trace", "--json").stdout)["trace"]
        assert trace["time"]
        assert "rules: mode" in run("plan", "我昨天做了什么？", "--now", NOW, "--trace").stdout

    def test_batch_lines_give_plans(self, run: Any, lines: Any) -> None:
        batch = lines({"id": "a", "query": "我昨天做了什么？", "now": NOW}, {"query": "写一首诗", "now": NOW})
        rows = [json.loads(line) for line in run("plan", "--batch", batch).stdout.splitlines()]
        assert [row["id"] for row in rows] == ["a", "line-2"]
        assert rows[1]["plan"]["context_needs"]["temporal_recall"] == "SKIP"

    def test_days_are_counted_in_the_offset_of_now(self, run: Any) -> None:
        """Where `now` is not in the deployment's zone and no zone is named."""
        plan = json.loads(run("plan", "我昨天做了什么？", "--now", "2026-09-03T22:00:00-07:00", "--json").stdout)
        assert plan["time"]["event_range"]["start"] == "2026-09-02T00:00:00-07:00"

    @pytest.mark.parametrize(
        ("named", "option", "start"),
        [
            ("America/New_York", (), "2026-09-02T00:00:00-04:00"),
            ("America/New_York", ("--time-zone", "Asia/Tokyo"), "2026-09-02T00:00:00-04:00"),
            (None, ("--time-zone", "Asia/Tokyo"), "2026-09-03T00:00:00+09:00"),
        ],
    )
    def test_days_are_counted_in_the_zone_that_a_line_names_or_else_the_option(
        self, run: Any, lines: Any, named: str | None, option: tuple[str, ...], start: str
    ) -> None:
        batch = lines({"query": "我昨天做了什么？", "now": "2026-09-04T02:00:00+00:00", "time_zone": named})
        plan = json.loads(run("plan", "--batch", batch, *option).stdout)["plan"]
        assert plan["time"]["event_range"]["start"] == start


class TestParse:
    def test_json_has_core_and_wide_range(self, run: Any) -> None:
        reading = json.loads(run("parse", "上周末去哪了", "--now", NOW, "--json").stdout)
        assert (reading["kind"], reading["start"], reading["end"]) == (
            "range",
            "2026-08-29T00:00:00+08:00",
            "2026-08-31T00:00:00+08:00",
        )
        assert reading["wide_start"] == "2026-08-28T18:00:00+08:00"

    def test_a_text_without_time_is_none(self, run: Any) -> None:
        reading = json.loads(run("parse", "小明天生聪明", "--json").stdout)
        assert (reading["kind"], reading["start"], reading["expressions"]) == ("none", None, [])
        assert "no time is named" in run("parse", "小明天生聪明").stdout

    def test_the_page_marks_every_expression(self, run: Any) -> None:
        page = run("parse", "昨天说周五交，每周二打球", "--now", NOW, "--trace").stdout
        for part in ("昨天", "2026-09-02", "周五", "每周二", "rules"):
            assert part in page

    def test_the_page_cuts_no_long_expression(self, run: Any) -> None:
        page = run("parse", "我上周三下午三点到五点开会", "--now", NOW).stdout
        assert page.count("上周三下午三点到五点") == 2

    @pytest.mark.parametrize(
        ("row", "zone", "start"),
        [
            ({"text": "昨天", "now": NOW}, (), "2026-09-02T00:00:00+08:00"),
            ({"query": "昨天", "reference": "2026-09-03T22:00:00"}, (), "2026-09-02T00:00:00+08:00"),
            (
                {"query": "昨天", "reference": "2026-09-03T22:00:00"},
                ("--time-zone", "America/New_York"),
                "2026-09-02T00:00:00-04:00",
            ),
            ({"text": "昨天", "now": "2013-02-12T04:30:00-02:00"}, (), "2013-02-11T00:00:00-02:00"),
        ],
    )
    def test_batch_lines_give_readings(
        self, run: Any, lines: Any, row: dict[str, str], zone: tuple[str, ...], start: str
    ) -> None:
        (answer,) = [json.loads(line) for line in run("parse", "--batch", lines(row), *zone).stdout.splitlines()]
        assert set(answer) == {
            "id", "kind", "start", "end", "wide_start", "wide_end", "grain", "span", "alternatives", "expressions"
        }  # fmt: skip
        assert (answer["id"], answer["start"]) == ("line-1", start)

    def test_text_that_is_no_valid_unicode_is_answered(self, run: Any, lines: Any) -> None:
        result = run(
            "parse", "--batch", lines('{"id": "\\ud800", "text": "昨天\\ud800", "now": "2026-09-03T22:00:00Z"}')
        )
        assert result.exit_code == 0
        assert json.loads(result.stdout)["kind"] == "range"
