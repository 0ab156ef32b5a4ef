"""`demo` and `query`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from temporal_recall.demo import DEMO_NOW, DEMO_USER_ID
from temporal_recall.schemas.bundle import RecallBundle
from temporal_recall.service.facade import RecallService

NOW = "2026-09-03T22:00:00+08:00"


class TestDemo:
    """The invented person answers offline."""

    def test_the_page_shows_what_was_searched_weighed_found_and_merged(self, run: Any) -> None:
        page = run("demo").stdout
        for part in (
            "searched",
            "2026-05-20",
            "weights",
            "calendar",
            "Happened in that time",
            "merged",
            "records read",
        ):
            assert part in page

    def test_json_is_the_bundle(self, run: Any) -> None:
        bundle = RecallBundle.model_validate_json(run("demo", "--json").stdout)
        with RecallService.demo() as service:
            same = service.recall("我昨天有什么重要的事？", user_id=DEMO_USER_ID, now=DEMO_NOW)
        assert bundle.items
        assert bundle.items == same.items

    def test_another_question_may_be_asked(self, run: Any) -> None:
        bundle = json.loads(run("demo", "我下周有什么安排？", "--json").stdout)
        assert bundle["temporal_mode"] == "PLANNED_IN"


class TestQuery:
    """One question to a records file."""

    def test_the_answer_comes_from_the_file(self, run: Any, records: Path) -> None:
        result = run("query", "我今天做了什么？", "--records", records, "--now", NOW, "--json")
        bundle = RecallBundle.model_validate_json(result.stdout)
        found = {ref for item in bundle.items for ref in (item.source_ref, *item.merged_from)}
        assert "calendar:event:3" in found

    def test_the_page_names_question_and_item(self, run: Any, records: Path) -> None:
        page = run("query", "我今天做了什么？", "--records", records, "--now", NOW).stdout
        assert "我今天做了什么？" in page
        assert "签合同" in page

    def test_explain_shows_the_factors(self, run: Any, records: Path) -> None:
        page = run("query", "我今天做了什么？", "--records", records, "--now", NOW, "--explain").stdout
        assert "temporal" in page

    def test_a_question_that_needs_no_recall_says_so(self, run: Any, records: Path) -> None:
        assert "needs no recall" in run("query", "帮我写一首诗", "--records", records, "--now", NOW).stdout

    @pytest.mark.parametrize(("limit", "count"), [("1", 1), ("200", 2)])
    def test_the_limit_counts_items(self, run: Any, records: Path, limit: str, count: int) -> None:
        result = run("query", "我今天做了什么？", "--records", records, "--now", NOW, "--json", "--limit", limit)
        assert len(json.loads(result.stdout)["items"]) <= count

    def test_a_broken_record_is_named_and_the_rest_is_used(self, run: Any, lines: Any, records: Path) -> None:
        broken = lines("{not json", *records.read_text().splitlines(), {"id": "9", "source": "chat"}, name="r.jsonl")
        result = run("query", "我今天做了什么？", "--records", broken, "--now", NOW, "--json")
        assert result.exit_code == 0
        assert json.loads(result.stdout)["items"]
        assert "r.jsonl:1: not_json" in result.stderr
        assert "r.jsonl:5: invalid_record" in result.stderr
        assert "{not json" not in result.stderr


class TestQueryBatch:
    """Lines of questions give lines of bundles."""

    def test_each_line_is_answered_under_its_id(self, run: Any, lines: Any, records: Path) -> None:
        batch = lines(
            {"qid": "q1", "query": "我今天做了什么？", "now": NOW}, {"query": "我昨天说过要做什么？", "now": NOW}
        )
        rows = [json.loads(line) for line in run("query", "--records", records, "--batch", batch).stdout.splitlines()]
        assert [row["qid"] for row in rows] == ["q1", "line-2"]
        assert all(RecallBundle.model_validate(row["bundle"]) for row in rows)

    def test_what_was_observed_later_does_not_exist(self, run: Any, lines: Any, records: Path) -> None:
        batch = lines({"qid": "q", "query": "我今天有什么安排？", "now": "2026-09-03T08:00:00+08:00"})
        bundle = json.loads(run("query", "--records", records, "--batch", batch).stdout)["bundle"]
        refs = {ref for item in bundle["items"] for ref in (item["source_ref"], *item["merged_from"])}
        assert refs
        assert "chat:message:2" not in refs

    def test_a_line_is_answered_in_the_zone_that_it_names(self, run: Any, lines: Any, records: Path) -> None:
        batch = lines({"query": "我今天做了什么？", "now": NOW, "time_zone": "America/New_York"})
        bundle = json.loads(run("query", "--records", records, "--batch", batch).stdout)["bundle"]
        assert bundle["plan"]["time_zone"] == "America/New_York"

    def test_lines_that_cannot_be_answered_are_named_and_the_rest_go_on(
        self, run: Any, lines: Any, records: Path
    ) -> None:
        batch = lines(
            "[1",
            "7",
            {"qid": "blank", "query": " ", "now": NOW},
            {"qid": "date", "query": "我今天做了什么？", "now": "2026-02-30T00:00:00+08:00"},
            {"qid": "kind", "query": 7, "now": NOW},
            {"qid": "good", "query": "我今天做了什么？", "now": NOW},
        )
        result = run("query", "--records", records, "--batch", batch)
        assert result.exit_code == 2
        assert [json.loads(line)["qid"] for line in result.stdout.splitlines()] == ["good"]
        assert [line.split(": ")[1] for line in result.stderr.splitlines()] == [f"lines.jsonl:{n}" for n in range(1, 6)]
