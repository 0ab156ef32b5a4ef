"""`timeline` and `sources`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from temporal_recall.schemas.bundle import TimelineItem


class TestTimeline:
    def test_json_holds_every_record_once(self, run: Any, records: Path) -> None:
        items = json.loads(run("timeline", "--records", records, "--json").stdout)["items"]
        refs = [ref for item in items for ref in item["merged_from"] or [item["source_ref"]]]
        assert sorted(refs) == ["calendar:event:3", "chat:message:2", "meinput:segment:1"]

    def test_items_are_timeline_items_without_a_score(self, run: Any, records: Path) -> None:
        (item, *_) = json.loads(run("timeline", "--records", records, "--json").stdout)["items"]
        assert "recall_score" not in item
        assert TimelineItem.model_validate(item | {"recall_score": 0.5})

    def test_times_are_shown_in_the_zone_asked_for(self, run: Any, records: Path) -> None:
        result = run("timeline", "--records", records, "--json", "--time-zone", "America/New_York")
        assert all(item["observed_time"].endswith("-04:00") for item in json.loads(result.stdout)["items"])

    def test_trace_names_the_rules(self, run: Any, records: Path) -> None:
        items = json.loads(run("timeline", "--records", records, "--json", "--trace").stdout)["items"]
        assert any(item["rules"] for item in items)
        assert "rules " in run("timeline", "--records", records, "--trace").stdout

    def test_the_page_shows_days(self, run: Any, records: Path) -> None:
        assert "2026-09-03" in run("timeline", "--records", records).stdout


class TestSources:
    def test_every_enabled_source_is_listed_with_its_state(self, run: Any, records: Path) -> None:
        rows = json.loads(run("sources", "--records", records, "--json").stdout)["sources"]
        assert [(row["source"], row["state"], row["axis"]) for row in rows] == [
            ("calendar", "ready", "event"),
            ("chat", "ready", "observed"),
            ("meinput", "ready", "observed"),
        ]

    def test_the_kinds_that_may_be_named_are_listed(self, run: Any, records: Path) -> None:
        kinds = json.loads(run("sources", "--records", records, "--json").stdout)["kinds"]
        assert "meinput" in {kind["name"] for kind in kinds if not kind["problem"]}

    def test_the_page_has_both_tables(self, run: Any) -> None:
        page = run("sources").stdout
        assert "memory_v2" in page
        assert "kinds that a configuration may name" in page
