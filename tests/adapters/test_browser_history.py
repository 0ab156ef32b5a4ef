"""Browser history: every browser's own count of time comes out to the microsecond, from files that are in use."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from temporal_recall.adapters.browser_history import FORMATS, BrowserHistoryAdapter, UnknownHistory, visit_records
from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import RequestLimits, SearchContext
from temporal_recall.testing.contexts import issues_of, records_of

SearchContexts = Callable[..., SearchContext]
ROOT = Path(__file__).parents[2]
MOMENT = datetime(2026, 9, 2, 6, 30, 0, 123456, tzinfo=UTC)

CHROME = (
    "CREATE TABLE urls (id INTEGER PRIMARY KEY, url TEXT, title TEXT);"
    "CREATE TABLE visits (id INTEGER PRIMARY KEY, url INTEGER, visit_time INTEGER, visit_duration INTEGER DEFAULT 0);"
)
FIREFOX = (
    "CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url TEXT, title TEXT);"
    "CREATE TABLE moz_historyvisits (id INTEGER PRIMARY KEY, place_id INTEGER, visit_date INTEGER);"
)
FENNEC = (
    "CREATE TABLE history (id INTEGER PRIMARY KEY, url TEXT, title TEXT, guid TEXT);"
    "CREATE TABLE visits (id INTEGER PRIMARY KEY, history_guid TEXT, date INTEGER);"
)
SAFARI = (
    "CREATE TABLE history_items (id INTEGER PRIMARY KEY, url TEXT);"
    "CREATE TABLE history_visits (id INTEGER PRIMARY KEY, history_item INTEGER, visit_time REAL, title TEXT);"
)
QUTEBROWSER = "CREATE TABLE History (url, title, atime, redirect); CREATE TABLE CompletionHistory (url, title);"


INSERTS = {
    CHROME: ("INSERT INTO urls VALUES (1, :url, :title)", "INSERT INTO visits (url, visit_time) VALUES (1, ?)"),
    FIREFOX: (
        "INSERT INTO moz_places VALUES (1, :url, :title)",
        "INSERT INTO moz_historyvisits (place_id, visit_date) VALUES (1, ?)",
    ),
    FENNEC: (
        "INSERT INTO history VALUES (1, :url, :title, 'g')",
        "INSERT INTO visits (history_guid, date) VALUES ('g', ?)",
    ),
    SAFARI: (
        "INSERT INTO history_items VALUES (1, :url)",
        "INSERT INTO history_visits (history_item, visit_time, title) VALUES (1, ?, '一页')",
    ),
    QUTEBROWSER: (
        "INSERT INTO CompletionHistory VALUES (:url, :title)",
        "INSERT INTO History VALUES ('https://example.cn/a', '一页', ?, 0)",
    ),
}
"""How a page and a visit of it are written, by schema."""


def _history(
    folder: Path, schema: str, times: list[Any], url: str = "https://example.cn/a", title: str = "一页"
) -> Path:
    path = folder / "history.db"
    page, visit = INSERTS[schema]
    with closing(sqlite3.connect(path)) as database:
        database.executescript(schema)
        database.execute(page, {"url": url, "title": title})
        database.executemany(visit, [(moment,) for moment in times])
        database.commit()
    return path


def _times(path: Path) -> list[datetime]:
    return [r.observed_time for r in records_of(visit_records(path, "browser", "u1", "Asia/Shanghai"))]


@pytest.mark.parametrize(
    ("schema", "raw", "right"),
    [
        (CHROME, 13432804200123456, MOMENT),
        (CHROME, 13432804200000000, MOMENT.replace(microsecond=0)),
        (FIREFOX, 1788330600123456, MOMENT),
        (FIREFOX, 1788330600123, MOMENT.replace(microsecond=123000)),
        (FENNEC, 1788330600123456, MOMENT),
        (FENNEC, 1788330600123, MOMENT.replace(microsecond=123000)),
        (SAFARI, 810023400.123456, MOMENT),
        (SAFARI, 810023400, MOMENT.replace(microsecond=0)),
        (QUTEBROWSER, 1788330600, MOMENT.replace(microsecond=0)),
    ],
)
class TestTimes:
    def test_to_the_microsecond(self, tmp_path: Path, schema: str, raw: float, right: datetime) -> None:
        assert _times(_history(tmp_path, schema, [raw])) == [right]

    def test_whatever_zone_the_machine_is_in(
        self, tmp_path: Path, schema: str, raw: float, right: datetime, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import time

        monkeypatch.setenv("TZ", "Asia/Shanghai")
        time.tzset()
        try:
            assert _times(_history(tmp_path, schema, [raw])) == [right]
        finally:
            monkeypatch.undo()
            time.tzset()

    def test_a_window_takes_its_start_and_not_its_end(
        self, tmp_path: Path, schema: str, raw: float, right: datetime, search_context: SearchContexts
    ) -> None:
        adapter = BrowserHistoryAdapter("browser", {"u1": [_history(tmp_path, schema, [raw])]})
        day, instant = timedelta(days=1), timedelta(microseconds=1)
        for start, end, count in [
            (right, right + instant, 1),
            (right - day, right, 0),
            (right + instant, right + day, 0),
        ]:
            rows = adapter.search(search_context(start.isoformat(), end.isoformat()))
            assert len(records_of(rows)) == count


@pytest.mark.parametrize("schema", [CHROME, FIREFOX, FENNEC, SAFARI, QUTEBROWSER])
@pytest.mark.parametrize("raw", [0, None, -5, "soon", 10**18, b"\xff"])
def test_an_unknown_time_is_an_issue_and_no_year_1601(tmp_path: Path, schema: str, raw: Any) -> None:
    rows = list(visit_records(_history(tmp_path, schema, [raw]), "browser", "u1", "Asia/Shanghai"))
    assert records_of(rows) == []
    assert [(i.code, i.locator) for i in issues_of(rows)] == [("unknown_time", "history.db: visit 1")]


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 4_000_000_000_000_000))
def test_chrome_counts_are_exact(us: int) -> None:
    chrome = FORMATS[0]
    (raw,) = chrome.raws_of(us)
    assert chrome.us_of(raw) == us


class TestFiles:
    def test_a_file_in_use_is_read_with_its_log(self, tmp_path: Path) -> None:
        path = _history(tmp_path, CHROME, [])
        with sqlite3.connect(path) as browser:
            browser.execute("PRAGMA journal_mode = WAL")
            browser.execute("INSERT INTO visits (url, visit_time) VALUES (1, 13432804200123456)")
            browser.commit()
            browser.execute("BEGIN EXCLUSIVE")
            assert _times(path) == [MOMENT]
            browser.rollback()
        browser.close()

    def test_the_file_itself_is_not_touched(self, tmp_path: Path) -> None:
        path = _history(tmp_path, FIREFOX, [1788330600123456])
        before = path.read_bytes()
        _times(path)
        assert (path.read_bytes(), [p.name for p in tmp_path.iterdir()]) == (before, ["history.db"])

    @pytest.mark.parametrize("content", [b"", b"not a database at all, but long enough to be one" * 10])
    def test_another_file_is_refused(self, tmp_path: Path, content: bytes, search_context: SearchContexts) -> None:
        path = tmp_path / "x.db"
        path.write_bytes(content)
        with pytest.raises(UnknownHistory):
            list(visit_records(path, "browser", "u1", "UTC"))
        with pytest.raises(SourceUnavailable, match="no_history"):
            list(BrowserHistoryAdapter("browser", {"u1": [path]}).search(search_context()))

    def test_columns_that_came_later_may_be_missing(self, tmp_path: Path) -> None:
        for schema, column in ((CHROME, ", visit_duration INTEGER DEFAULT 0"), (SAFARI, ", title TEXT")):
            path = tmp_path / f"{len(column)}.db"
            with closing(sqlite3.connect(path)) as database:
                database.executescript(schema.replace(column, ""))
                page, visit = INSERTS[schema]
                database.execute(page, {"url": "https://example.cn/a", "title": "一页"})
                database.execute(visit.replace(", title)", ")").replace(", '一页')", ")"), (810023400,))
                database.commit()
            assert len(list(visit_records(path, "browser", "u1", "UTC"))) == 1

    def test_a_truncated_file_is_an_issue_or_refused(self, tmp_path: Path) -> None:
        path = _history(tmp_path, CHROME, [13432804200123456 + n for n in range(5000)])
        path.write_bytes(path.read_bytes()[:9000])
        with suppress(UnknownHistory):
            assert issues_of(visit_records(path, "browser", "u1", "UTC"))

    def test_states(self, tmp_path: Path) -> None:
        path = _history(tmp_path, CHROME, [])
        assert BrowserHistoryAdapter("browser", {"u1": [path]}).probe(RequestLimits()).state == "ready"
        assert BrowserHistoryAdapter("browser", {"u1": [tmp_path / "no"]}).probe(RequestLimits()).state == "broken"


@pytest.mark.parametrize(
    ("url", "title", "text"),
    [
        ("https://example.cn/a?token=1", "一页", "一页"),
        ("https://u:p@example.cn/%E8%AE%BA%E6%96%87?s=secret#x", "", "example.cn/论文"),
        ("about:blank", " ", "about"),
        ("https://[broken/a?secret=1", "", "https://[broken/a"),
    ],
)
def test_text_is_the_title_else_host_and_path(tmp_path: Path, url: str, title: str, text: str) -> None:
    path = _history(tmp_path, CHROME, [13432804200123456], url, title)
    (record,) = records_of(visit_records(path, "browser", "u1", "UTC"))
    assert record.text.startswith(text)
    assert "secret" not in record.text


def test_the_shared_samples_give_what_their_manifest_says(shared: Path) -> None:
    entries = json.loads((shared / "cases/sources/manifest_other.json").read_text(encoding="utf-8"))
    histories = [entry for entry in entries if entry["dir"] == "browser"]
    assert len(histories) > 5
    for entry in histories:
        path = shared / "cases/sources/browser" / entry["file"]
        rows = list(visit_records(path, "browser", "u1", "Asia/Shanghai"))
        assert len(rows) == entry["visits"]
        times = [r.observed_time for r in records_of(rows)]
        if "right" in entry:  # made by hand: the manifest's own bounds are what another reader got wrong
            assert MOMENT in times
        else:
            assert [t.isoformat() for t in (times[0], times[-1])] == [entry["first"], entry["last"]]
