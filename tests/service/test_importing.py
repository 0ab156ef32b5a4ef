"""Imports: every kind of file into the store, twice the same as once, and nothing hostile gets through unsaid."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from temporal_recall.adapters.embedded_store import EmbeddedStore, PutCount
from temporal_recall.adapters.portal_migrations import apply_migrations
from temporal_recall.schemas.errors import InvalidRequest
from temporal_recall.service.facade import RecallService
from temporal_recall.service.importing import BATCH_ROWS, KEPT_ISSUES, READERS, ImportReport, ImportRequest, import_file
from temporal_recall.testing.evidence_server import evidence_item
from temporal_recall.testing.portal_database import create_portal, insert

NOW = datetime.fromisoformat("2026-09-09T12:00:00+08:00")
ROW = {"id": "a", "source": "chat", "observed_time": "2026-09-02T14:00:00+08:00", "text": "和老周吃饭"}
CALENDAR = """BEGIN:VCALENDAR
BEGIN:VEVENT
UID:a
DTSTAMP:20260801T000000Z
DTSTART:20260902T060000Z
RRULE:FREQ=DAILY;COUNT=3
SUMMARY:周会
END:VEVENT
END:VCALENDAR
"""
NOTHINGS = (b"", b"\xff\xfe\x00\x01", b"\x00" * 3000, b"<html><b>moved</b></html>" * 50, b"[" * 9000)
ACTIVITY = {"timestamp": "2026-09-02T06:00:00Z", "duration": 60, "data": {"app": "Code", "title": "报告"}}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    with EmbeddedStore(tmp_path / "store.db") as store:
        yield store


def _import(kind: str, path: Path, store: EmbeddedStore, **more: Any) -> ImportReport:
    return import_file(ImportRequest(kind, path, NOW, **more), store)


def _said(kind: str, path: Path, store: EmbeddedStore) -> list[str]:
    """What an import says of a file: why it was refused, or the place of each issue."""
    try:
        return [issue.locator for issue in _import(kind, path, store).issues]
    except InvalidRequest as error:
        return [str(error)]


def _records(path: Path) -> int:
    path.write_text("\n".join(json.dumps({**ROW, "id": f"r{n}"}) for n in range(5)), encoding="utf-8")
    return 5


def _meinput(path: Path) -> int:
    items = [evidence_item(f"e{n}", "local", f"2026-09-0{n + 1}T09:00:00+08:00", f"第{n}句") for n in range(3)]
    lines = [{"kind": "item", "item": item} for item in items] + [{"kind": "end", "count": 3}]
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return 3


def _chat(path: Path) -> int:
    engine = sa.create_engine(f"sqlite:///{path}")
    create_portal(engine)
    apply_migrations(engine)
    insert(engine, "h5_sessions", {"session_id": "s", "user_id": "local"})
    insert(engine, "h5_messages", {"message_id": "m", "session_id": "s", "author_user_id": "local", "content": "好"})
    insert(engine, "h5_agent_runs", {"run_id": "r", "session_id": "s", "user_id": "local", "goal": "订票"})
    engine.dispose()
    return 2


def _calendar(path: Path) -> int:
    path.write_text(CALENDAR, encoding="utf-8")
    return 3


def _memory(path: Path) -> int:
    item = {"memory_id": "m1", "user_id": "local", "created_at": "2026-09-02T09:00:00+08:00", "text": "喜欢火锅"}
    path.write_text(json.dumps(item), encoding="utf-8")
    return 1


def _activity(path: Path) -> int:
    path.write_text(json.dumps({"buckets": {"b": {"type": "currentwindow", "events": [ACTIVITY]}}}), encoding="utf-8")
    return 1


def _browser(path: Path) -> int:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE History (url, title, atime, redirect)")
        database.execute("CREATE TABLE CompletionHistory (url, title)")
        database.execute("INSERT INTO History VALUES ('https://a.cn', '论文', 1788330600, 0)")
    database.close()
    return 1


WRITERS: dict[str, Callable[[Path], int]] = {
    "records": _records,
    "meinput": _meinput,
    "chat": _chat,
    "calendar": _calendar,
    "memory_v2": _memory,
    "activity": _activity,
    "browser": _browser,
}


def test_every_kind_has_a_case_here() -> None:
    assert set(WRITERS) == set(READERS)


@pytest.mark.parametrize("kind", sorted(WRITERS))
class TestKinds:
    def test_twice_is_once(self, kind: str, tmp_path: Path, store: EmbeddedStore) -> None:
        count = WRITERS[kind](tmp_path / "file.ics")
        first, second = (_import(kind, tmp_path / "file.ics", store) for _ in range(2))
        assert (first.put, first.skipped) == (PutCount(new=count), {})
        assert second.put == PutCount(unchanged=count)
        assert sum(store.counts().values()) == count

    @pytest.mark.parametrize(
        "content", [b"", b"\xff\xfe\x00\x01", b"\x00" * 3000, b"<html><b>moved</b></html>" * 50, b"[" * 9000]
    )
    def test_a_file_of_nothing_is_refused_or_reported(
        self, kind: str, content: bytes, tmp_path: Path, store: EmbeddedStore
    ) -> None:
        path = tmp_path / "file"
        path.write_bytes(content)
        said = _said(kind, path, store)
        assert said or not content
        assert all("file" in words and "moved" not in words for words in said)
        assert store.counts() == {}

    def test_a_missing_file_is_refused(self, kind: str, tmp_path: Path, store: EmbeddedStore) -> None:
        with pytest.raises(InvalidRequest, match="none"):
            _import(kind, tmp_path / "none", store)

    def test_a_truncated_file_gives_what_is_whole_or_says_so(
        self, kind: str, tmp_path: Path, store: EmbeddedStore
    ) -> None:
        path = tmp_path / "file"
        count = WRITERS[kind](path)
        path.write_bytes(path.read_bytes()[: path.stat().st_size * 2 // 3])
        try:
            report = _import(kind, path, store)
        except InvalidRequest:
            assert store.counts() == {}
        else:
            assert report.put.new < count or report.skipped
            assert sum(store.counts().values()) == report.put.new


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b'{"id": "x", "source": "chat"', "not_json"),
        (b'["id"]', "not_json"),
        (b'{"id": "x", "source": "chat", "text": "\xc4\xe3\xba\xc3"}', "not_utf8"),
        (json.dumps({**ROW, "observed_time": "0001-01-01T00:00:00+00:00"}).encode(), "date_out_of_range"),
        (json.dumps({**ROW, "observed_time": "9999-12-31T23:59:59+00:00"}).encode(), "date_out_of_range"),
        (json.dumps({**ROW, "start": "0001-01-01"}).encode(), "date_out_of_range"),
        (json.dumps({**ROW, "observed_time": "2026-09-02T14:00:00"}).encode(), "invalid_record"),
        (json.dumps({**ROW, "observed_time": "2026-02-30T14:00:00+08:00"}).encode(), "invalid_record"),
        (json.dumps({**ROW, "observed_time": 7}).encode(), "invalid_record"),
        (json.dumps({**ROW, "source": "Not A Source"}).encode(), "invalid_record"),
        (json.dumps({**ROW, "text": "字" * 40_000}).encode(), "invalid_record"),
        (json.dumps({**ROW, "time_zone": "Mars/秘密"}).encode(), "invalid_record"),
        (b'{"text": "' + b"x" * 50_000_000 + b'"}', "line_too_long"),
        (b"[" * 100_000, "not_json"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_one_hostile_line_is_named_and_the_rest_is_kept(
    line: bytes, code: str, tmp_path: Path, store: EmbeddedStore
) -> None:
    good = json.dumps(ROW).encode()
    path = tmp_path / "records.jsonl"
    path.write_bytes(b"\n".join([good, b"", line, json.dumps({**ROW, "id": "b"}).encode()]))
    report = _import("records", path, store)
    assert report.put == PutCount(new=2)
    assert [(i.code, i.locator) for i in report.issues] == [(code, "records.jsonl:3")]
    assert "秘密" not in repr(report.issues)
    assert len(repr(report.issues)) < 400


def test_html_in_words_is_kept_as_words(tmp_path: Path, store: EmbeddedStore) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text(json.dumps({**ROW, "text": "<script>alert(1)</script>"}), encoding="utf-8")
    assert _import("records", path, store).put == PutCount(new=1)


def test_a_long_file_is_counted_whole_and_its_issues_kept_in_part(tmp_path: Path, store: EmbeddedStore) -> None:
    path = tmp_path / "records.jsonl"
    lines = ["{}" if n % 2 else json.dumps({**ROW, "id": f"r{n}"}) for n in range(BATCH_ROWS + 500)]
    path.write_text("\n".join(lines), encoding="utf-8")
    steps: list[int] = []
    report = import_file(ImportRequest("records", path, NOW), store, steps.append)
    assert steps == [BATCH_ROWS, BATCH_ROWS + 500]
    assert report.skipped == {"invalid_record": (BATCH_ROWS + 500) // 2}
    assert len(report.issues) == KEPT_ISSUES
    assert json.loads(json.dumps(report.summary))["read"] == BATCH_ROWS + 500


def test_an_event_that_left_its_calendar_leaves_the_store(tmp_path: Path, store: EmbeddedStore) -> None:
    path = tmp_path / "mine.ics"
    path.write_text(CALENDAR, encoding="utf-8")
    _import("calendar", path, store)
    path.write_text(CALENDAR.replace("COUNT=3", "COUNT=2"), encoding="utf-8")
    report = _import("calendar", path, store)
    assert (report.put, report.removed) == (PutCount(unchanged=2), 1)
    other = tmp_path / "other.ics"
    other.write_text(CALENDAR.replace("UID:a", "UID:b"), encoding="utf-8")
    assert _import("calendar", other, store).removed == 0
    assert store.counts() == {"calendar": 5}


def test_what_a_cut_reading_of_calendars_did_not_reach_stays_in_the_store(tmp_path: Path, store: EmbeddedStore) -> None:
    folder = tmp_path / "calendars"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.ics").write_text(CALENDAR.replace("UID:a", f"UID:{name}"), encoding="utf-8")
    _import("calendar", folder, store)
    (folder / "b.ics").unlink()
    (folder / "b.ics").symlink_to(tmp_path / "a disk that is not there")
    report = _import("calendar", folder, store)
    assert (report.put, report.removed, report.skipped) == (PutCount(unchanged=3), 0, {"unreadable": 1})


def test_what_was_repaired_is_noted_not_skipped(tmp_path: Path, store: EmbeddedStore) -> None:
    path = tmp_path / "mine.ics"
    path.write_text(
        CALENDAR.replace("DTSTART:20260902T060000Z", "DTSTART;TZID=Atlantis:20260902T060000"), encoding="utf-8"
    )
    report = _import("calendar", path, store)
    assert (report.read, report.put, report.skipped) == (3, PutCount(new=3), {})
    assert report.noted == {"unknown_zone": 1}
    assert [(i.code, i.locator) for i in report.issues] == [("unknown_zone", "mine.ics:2")]


def test_a_stream_that_was_cut_is_said_to_be(tmp_path: Path, store: EmbeddedStore) -> None:
    path = tmp_path / "export.ndjson"
    _meinput(path)
    path.write_text(path.read_text(encoding="utf-8").rsplit("\n", 1)[0], encoding="utf-8")
    report = _import("meinput", path, store)
    assert (report.put, report.skipped) == (PutCount(new=3), {"stream_cut": 1})


def test_nobody_elses_rows_are_taken(tmp_path: Path, store: EmbeddedStore) -> None:
    for kind in ("meinput", "memory_v2", "chat"):
        path = tmp_path / kind
        WRITERS[kind](path)
        report = _import(kind, path, store, user_id="someone")
        assert report.put == PutCount()
    assert store.counts() == {}


def test_an_unknown_kind_names_the_known(tmp_path: Path, store: EmbeddedStore) -> None:
    with pytest.raises(InvalidRequest, match="calendar"):
        _import("telepathy", tmp_path, store)


def test_what_was_imported_is_recalled(tmp_path: Path) -> None:
    with EmbeddedStore(tmp_path / "store.db") as store:
        for kind in ("records", "calendar", "meinput"):
            WRITERS[kind](tmp_path / f"{kind}.ics")
            _import(kind, tmp_path / f"{kind}.ics", store)
    service = RecallService.from_records(tmp_path / "store.db")
    bundle = service.recall("9月2号发生了什么", now=NOW)
    service.close()
    assert {"chat", "calendar"} <= {item.source for item in bundle.items}


def test_a_database_without_records_is_refused(tmp_path: Path, store: EmbeddedStore) -> None:
    _browser(tmp_path / "other.db")
    for path in (tmp_path / "other.db", store.path):
        with pytest.raises(InvalidRequest, match="store"):
            RecallService.from_records(path)
