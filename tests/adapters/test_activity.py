"""Activity files as segments: ActivityWatch exports of every shape, and JSON lines."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from temporal_recall.adapters.activity import read_segments
from temporal_recall.schemas.errors import InvalidRequest
from temporal_recall.schemas.evidence import RecordIssue
from temporal_recall.schemas.recap import AWAY_APP, Segment

_Event = tuple[float, dict[str, Any]]
NINE = datetime(2026, 7, 14, 9, tzinfo=UTC)


def _bucket(
    type_: str, *events: tuple[float, dict[str, Any]], host: str | None = "pc", **fields: Any
) -> dict[str, Any]:
    client = {"currentwindow": "aw-watcher-window", "afkstatus": "aw-watcher-afk"}.get(type_, "aw-watcher-x")
    known = {"id": f"{client}_{host}", "type": type_, "client": client, "hostname": host}
    rows = [
        {"timestamp": (NINE + timedelta(minutes=10 * n)).isoformat(), "duration": length, "data": data}
        for n, (length, data) in enumerate(events)
    ]
    return {**known, "events": rows, **fields}


def _read(tmp_path: Path, document: object, **options: float) -> list[Segment | RecordIssue]:
    path = tmp_path / "export.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return list(read_segments(path, "ana", **options))


WINDOW = _bucket("currentwindow", (60, {"app": "Code", "title": "x.py"}))


@pytest.mark.parametrize(
    "document",
    [
        {"buckets": {WINDOW["id"]: WINDOW}},
        {"buckets": [WINDOW]},
        [WINDOW],
        WINDOW,
        WINDOW["events"],
        {"buckets": {WINDOW["id"]: {name: value for name, value in WINDOW.items() if name != "id"}}},
    ],
    ids=["object", "array", "bare array of buckets", "one bucket", "bare events", "bucket without id"],
)
@pytest.mark.parametrize("indent", [None, 1], ids=["one line", "many lines"])
def test_every_shape_of_an_export(tmp_path: Path, document: object, indent: int | None) -> None:
    (segment,) = _read(tmp_path, json.dumps(document, indent=indent))
    assert isinstance(segment, Segment)
    assert (segment.source, segment.app, segment.title) == ("system", "Code", "x.py")
    assert (segment.start, segment.end) == (NINE, NINE + timedelta(minutes=1))
    assert segment.owner_id == "ana"


def test_bucket_types_become_sources(tmp_path: Path) -> None:
    document = {
        "buckets": [
            _bucket("web.tab.current", (60, {"url": "https://x.example/p?q=1", "title": "P", "incognito": True})),
            _bucket("app.editor.activity", (60, {"file": "/a.py", "project": "/"}), client="aw-watcher-vscode"),
            _bucket("app.terminal.activity", (60, {"cwd": "/src"}), client="aw-watcher-tmux"),
        ]
    }
    browser, editor, terminal = _read(tmp_path, document)
    assert isinstance(browser, Segment)
    assert isinstance(editor, Segment)
    assert isinstance(terminal, Segment)
    assert (browser.source, browser.identity_key, browser.attributes["incognito"]) == ("browser", "x.example/p", True)
    assert (editor.source, editor.identity_key) == ("vscode", "/a.py")
    assert (terminal.source, terminal.identity_key) == ("tmux", "/src")


def test_afk_and_hibernating_are_away_and_not_afk_says_nothing(tmp_path: Path) -> None:
    statuses = [(600.0, {"status": status}) for status in ("afk", "not-afk", "hibernating")]
    read = _read(tmp_path, {"buckets": [_bucket("afkstatus", *statuses)]})
    assert [(segment.app, segment.start) for segment in read if isinstance(segment, Segment)] == [
        (AWAY_APP, NINE),
        (AWAY_APP, NINE + timedelta(minutes=20)),
    ]


@pytest.mark.parametrize(("timeout_s", "minutes_earlier"), [(0, 0), (180, 3)])
def test_a_known_idle_timeout_moves_the_beginning_of_away_back(
    tmp_path: Path, timeout_s: float, minutes_earlier: int
) -> None:
    document = {"buckets": [_bucket("afkstatus", (210, {"status": "afk"}))]}
    (segment,) = _read(tmp_path, document, afk_idle_timeout_s=timeout_s)
    assert isinstance(segment, Segment)
    assert segment.start == NINE - timedelta(minutes=minutes_earlier)
    assert segment.end == NINE + timedelta(seconds=210)


class TestDevices:
    def test_a_plugin_without_host_is_a_device_of_its_own(self, tmp_path: Path) -> None:
        page = (60, {"url": "https://x.example", "title": "P"})
        tabs = [_bucket("web.tab.current", page, host=host, id=name) for host, name in (("unknown", "a"), (None, "b"))]
        read = _read(tmp_path, {"buckets": [WINDOW, *tabs]})
        devices = [(segment.device_id, segment.device_name) for segment in read if isinstance(segment, Segment)]
        assert devices == [("pc", "pc"), ("a", "unassigned"), ("b", "unassigned")]

    def test_window_and_afk_of_an_unnamed_machine_are_one_device_and_two_machines_two(self, tmp_path: Path) -> None:
        buckets = [
            _bucket("currentwindow", (60, {"app": "Maps"}), host="unknown", id="aw-watcher-window_P"),
            _bucket("afkstatus", (60, {"status": "afk"}), host="unknown", id="aw-watcher-afk_P"),
            _bucket("currentwindow", (60, {"app": "Kindle"}), host="unknown", id="aw-watcher-window_T"),
        ]
        read = _read(tmp_path, {"buckets": buckets})
        assert [segment.device_id for segment in read if isinstance(segment, Segment)] == ["P", "P", "T"]


def test_ids_are_the_same_at_every_reading_and_differ_between_events(tmp_path: Path) -> None:
    document = {"buckets": [_bucket("currentwindow", (60, {"app": "A"}), (60, {"app": "A"}))]}
    first, again = (_read(tmp_path, document) for _ in range(2))
    ids = [segment.id for segment in first if isinstance(segment, Segment)]
    assert ids == [segment.id for segment in again if isinstance(segment, Segment)]
    assert len(set(ids)) == 2


def test_a_longer_copy_of_an_event_is_the_same_activity(tmp_path: Path) -> None:
    """An event that grew between two exports keeps its identity, since only its duration differs."""
    short, long = (_read(tmp_path, {"buckets": [_bucket("currentwindow", (s, {"app": "A"}))]})[0] for s in (60, 90))
    assert isinstance(short, Segment)
    assert isinstance(long, Segment)
    assert short.id == long.id


@pytest.mark.parametrize(
    ("event", "code"),
    [
        ({"timestamp": "2026-07-14T09:00:00", "duration": 1, "data": {}}, "naive_timestamp"),
        ({"timestamp": "yesterday", "duration": 1, "data": {}}, "invalid_timestamp"),
        ({"duration": 1, "data": {}}, "invalid_timestamp"),
        ({"timestamp": "0001-01-01T00:00:00+14:00", "duration": 1, "data": {}}, "invalid_timestamp"),
        ({"timestamp": "2026-07-14T09:00:00Z", "duration": "long", "data": {}}, "invalid_duration"),
        ({"timestamp": "2026-07-14T09:00:00Z", "duration": 1e300, "data": {}}, "too_long"),
        ({"timestamp": "2026-07-14T09:00:00Z", "duration": 1, "data": None}, "invalid_event"),
        ("event", "invalid_event"),
    ],
)
def test_an_event_that_cannot_be_read_is_an_issue_with_its_place(tmp_path: Path, event: object, code: str) -> None:
    bucket = {**WINDOW, "events": [*WINDOW["events"], event]}
    _, issue = _read(tmp_path, {"buckets": [bucket]})
    assert isinstance(issue, RecordIssue)
    assert (issue.code, issue.locator) == (code, "aw-watcher-window_pc:2")


def test_a_plugin_event_that_names_nothing_is_an_issue(tmp_path: Path) -> None:
    (issue,) = _read(tmp_path, {"buckets": [_bucket("os.hid.input", (60, {"presses": 4}))]})
    assert isinstance(issue, RecordIssue)
    assert issue.code == "no_identity"


@pytest.mark.parametrize("document", [{"buckets": {"b": 3}}, {"buckets": [None]}, {"buckets": 3}])
def test_a_bucket_that_is_none_is_an_issue(tmp_path: Path, document: object) -> None:
    (issue,) = _read(tmp_path, document)
    assert isinstance(issue, RecordIssue)
    assert issue.code == "invalid_bucket"


@pytest.mark.parametrize(("text", "position"), [('{"buckets": {', "line 1"), ('[\n {"timestamp"\n', "line 3")])
def test_an_export_that_is_cut_off_is_refused_with_the_position(tmp_path: Path, text: str, position: str) -> None:
    with pytest.raises(InvalidRequest, match=f"whole JSON .*{position}"):
        _read(tmp_path, text)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match=r"nowhere\.json"):
        list(read_segments(tmp_path / "nowhere.json", "ana"))


ROW = {
    "id": "s1",
    "owner_id": "bob",
    "device_id": "d",
    "device_name": "Desk",
    "source": "browser",
    "identity_key": "x/p",
    "app": None,
    "title": "P",
    "start": "2026-07-14T09:00:00Z",
    "end": "2026-07-14T11:00:00+01:00",
    "attributes": {"url": "https://x/p"},
    "revision": 3,
}


BROKEN = "a\ud800b\0"
"""Half a character and a NUL, which JSON can spell and no store can hold."""


@pytest.mark.parametrize(
    "bucket",
    [
        _bucket("currentwindow", (60, {"app": BROKEN, BROKEN: [BROKEN, {"k": BROKEN}]})),
        _bucket("currentwindow", (60, {"app": "Code"}), host=BROKEN),
        _bucket("currentwindow", (60, {"app": "Code"}), id=BROKEN),
    ],
    ids=["data", "host", "bucket"],
)
def test_broken_characters_lose_no_event(tmp_path: Path, bucket: dict[str, Any]) -> None:
    (read,) = _read(tmp_path, bucket)
    assert isinstance(read, Segment)
    assert "\0" not in repr(read.__reduce__())
    json.dumps(
        [read.id, read.device_id, read.device_name, read.app, dict(read.attributes)], ensure_ascii=False
    ).encode()


class TestLines:
    def _lines(self, tmp_path: Path, *rows: object) -> list[Segment | RecordIssue]:
        return _read(tmp_path, "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows))

    def test_a_whole_row(self, tmp_path: Path) -> None:
        assert self._lines(tmp_path, ROW) == [
            Segment("s1", "bob", "d", "Desk", "browser", "x/p", None, "P", NINE, NINE + timedelta(hours=1),
                    {"url": "https://x/p"}, 3)
        ]  # fmt: skip

    def test_what_is_absent_is_derived(self, tmp_path: Path) -> None:
        row = {"source": "system", "app": "Code", "title": "X.py", "start": ROW["start"], "end": ROW["end"]}
        (segment,) = self._lines(tmp_path, row)
        assert isinstance(segment, Segment)
        assert segment.id
        assert (segment.owner_id, segment.device_name, segment.identity_key) == ("ana", "unassigned", "code x.py")

    @pytest.mark.parametrize(
        ("change", "code"),
        [
            ({"start": "2026-07-14T09:00:00"}, "naive_timestamp"),
            ({"end": None}, "invalid_timestamp"),
            ({"source": None}, "invalid_segment"),
            ({"app": 3}, "invalid_segment"),
            ({"attributes": [1]}, "invalid_segment"),
        ],
    )
    def test_a_row_that_cannot_be_read_is_an_issue_and_the_rest_is_used(
        self, tmp_path: Path, change: dict[str, object], code: str
    ) -> None:
        issue, segment = self._lines(tmp_path, {**ROW, **change}, ROW)
        assert isinstance(segment, Segment)
        assert isinstance(issue, RecordIssue)
        assert (issue.code, issue.locator) == (code, "export.json:1")

    def test_a_line_that_is_no_object_is_an_issue(self, tmp_path: Path) -> None:
        _, broken, number = self._lines(tmp_path, ROW, '{"id": ', "3")
        assert isinstance(broken, RecordIssue)
        assert isinstance(number, RecordIssue)
        assert (broken.code, number.code) == ("not_json", "not_json")


@pytest.mark.parametrize(
    ("name", "segment_count", "issue_codes"),
    [
        ("aw_export_two_hosts.json", 14, []),
        ("aw_export_faults.json", 22, ["naive_timestamp"]),
        ("aw_single_bucket_export.json", 1, []),
        ("aw_import_minimal.json", 1, []),
        ("aw_afk_cluster_issue626.json", 6, []),
    ],
)
def test_shared_exports(shared: Path, name: str, segment_count: int, issue_codes: list[str]) -> None:
    read = list(read_segments(shared / "cases" / "recap" / name, "ana"))
    assert [item.code for item in read if isinstance(item, RecordIssue)] == issue_codes
    assert sum(isinstance(item, Segment) for item in read) == segment_count
