"""Activity as evidence: segments become records, away and private windows do not, and a server is asked in windows."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from temporal_recall.adapters.activity import export_segments, read_segments
from temporal_recall.adapters.activity_watch import ActivityWatchAdapter, activity_records
from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import RequestLimits, SearchContext
from temporal_recall.testing.contexts import issues_of, records_of
from temporal_recall.testing.json_server import activity_watch_app
from temporal_recall.testing.running import running

SearchContexts = Callable[..., SearchContext]


def _event(timestamp: str, duration: float, **data: Any) -> dict[str, Any]:
    return {"timestamp": timestamp, "duration": duration, "data": data}


BUCKETS: dict[str, dict[str, Any]] = {
    "aw-watcher-window_mac": {
        "type": "currentwindow",
        "client": "aw-watcher-window",
        "hostname": "mac",
        "events": [
            _event("2026-09-02T01:00:00+00:00", 1800.0, app="Code", title="季度报告.md"),
            _event("2026-09-02T01:30:00+00:00", 0.0, app="微信", title=""),
            _event("2026-09-02T23:30:00+00:00", 3600.0, app="Code", title="通宵"),
        ],
    },
    "aw-watcher-afk_mac": {
        "type": "afkstatus",
        "client": "aw-watcher-afk",
        "hostname": "mac",
        "events": [_event("2026-09-02T02:00:00+00:00", 600.0, status="afk")],
    },
    "aw-watcher-web-chrome": {
        "type": "web.tab.current",
        "client": "aw-watcher-web",
        "hostname": "mac",
        "events": [
            _event("2026-09-02T03:00:00+00:00", 60.0, url="https://a.cn/x", title="论文", incognito=False),
            _event("2026-09-02T03:10:00+00:00", 60.0, url="https://b.cn/x", title="私密", incognito=True),
        ],
    },
}


def _rows(segments: Any) -> list[Any]:
    return list(activity_records(segments, "activity", "u1", "Asia/Shanghai"))


def test_segments_become_records() -> None:
    records = records_of(_rows(export_segments({"buckets": BUCKETS}, "u1")))
    assert [(r.text, r.app) for r in records] == [
        ("季度报告.md", "Code"),
        ("微信", "微信"),
        ("通宵", "Code"),
        ("论文", "browser"),
    ]
    first, point = records[0].event, records[1].event
    assert first is not None
    assert point is not None
    assert [str(bound) for bound in (first.start, first.end)] == [
        "2026-09-02 01:00:00+00:00",
        "2026-09-02 01:30:00+00:00",
    ]
    assert point.end is None


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (_event("2026-09-02T01:00:00", 1.0, app="a"), "naive_timestamp"),
        (_event("0001-01-01T00:00:00Z", 1.0, app="a"), "date_out_of_range"),
        (_event("9999-01-01T00:00:00Z", 1.0, app="a"), "date_out_of_range"),
        (_event("2026-09-02T01:00:00Z", -30.0, app="a"), "ends_before_start"),
        (_event("2026-09-02T01:00:00Z", 1e7, app="a"), "date_out_of_range"),
        ("nothing", "invalid_event"),
    ],
)
def test_what_cannot_be_a_record_is_an_issue(event: Any, code: str) -> None:
    (issue,) = _rows(export_segments({"buckets": {"b": {"type": "currentwindow", "events": [event]}}}, "u1"))
    assert (issue.code, issue.source) == (code, "activity")


class TestServer:
    def test_a_window_of_a_running_server(self, search_context: SearchContexts) -> None:
        with (
            running(activity_watch_app(BUCKETS)) as url,
            closing(ActivityWatchAdapter("activity", url, user_id="u1")) as adapter,
        ):
            day = ("2026-09-02T00:00:00+00:00", "2026-09-03T00:00:00+00:00")
            texts = [r.text for r in records_of(adapter.search(search_context(*day)))]
            assert texts == ["季度报告.md", "微信", "论文", "通宵"]
            next_day = search_context(day[1], "2026-09-04T00:00:00+00:00", axis="event")
            assert [r.text for r in records_of(adapter.search(next_day))] == ["通宵"]
            assert list(adapter.search(search_context(*day, user_id="u2"))) == []
            assert adapter.probe(RequestLimits()).state == "ready"

    def test_nobody_listening(self, search_context: SearchContexts) -> None:
        with closing(ActivityWatchAdapter("activity", "http://127.0.0.1:9", user_id="u1")) as adapter:
            with pytest.raises(SourceUnavailable, match="connect_failed"):
                list(adapter.search(search_context()))
            assert adapter.probe(RequestLimits()).state == "down"


def test_the_shared_exports_are_read(shared: Path) -> None:
    counts = {}
    for path in sorted((shared / "cases/recap").glob("aw_*.json")):
        rows = _rows(read_segments(path, "u1"))
        counts[path.name] = (len(records_of(rows)), len(issues_of(rows)))
        refs = [r.source_ref for r in records_of(rows)]
        assert len(set(refs)) >= len(refs) - 1  # the fault file has one activity twice, with two lengths
    assert counts["aw_export_faults.json"][1] >= 2
    assert counts["aw_export_two_hosts.json"][0] > 5
