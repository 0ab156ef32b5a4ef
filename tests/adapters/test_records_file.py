"""A records file is read line by line; what is broken is reported with its place and the rest is used."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from temporal_recall.adapters.records_file import embedded_sources, read_records
from temporal_recall.schemas.errors import InvalidRequest
from temporal_recall.schemas.evidence import EvidenceRecord, RecordIssue, RequestLimits, SearchContext, SearchWindow
from temporal_recall.schemas.plan import Retrieval

ROW = {"id": "a1", "source": "meinput", "observed_time": "2026-09-02T20:30:00+08:00", "text": "明天交报告"}


def written(folder: Path, *lines: bytes | str | dict) -> Path:
    path = folder / "records.jsonl"
    encoded = [
        json.dumps(x).encode() if isinstance(x, dict) else x.encode() if isinstance(x, str) else x for x in lines
    ]
    path.write_bytes(b"\n".join(encoded) + b"\n")
    return path


def test_a_row_becomes_a_record_with_its_ref_and_zone(tmp_path: Path) -> None:
    (record,) = read_records(written(tmp_path, ROW), "u1")
    assert isinstance(record, EvidenceRecord)
    assert (record.source_ref, record.time_zone, record.user_id) == ("meinput:segment:a1", "+08:00", "u1")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        pytest.param("{not json", "not_json", id="not json"),
        pytest.param("[1, 2]", "not_json", id="not an object"),
        pytest.param(b'{"id": "\xff\xfe"}', "not_utf8", id="wrong encoding"),
        pytest.param('{"id":' + "[" * 100_000, "not_json", id="nested without end"),
        pytest.param({k: v for k, v in ROW.items() if k != "observed_time"}, "invalid_record", id="no observed time"),
        pytest.param(ROW | {"observed_time": "2026-09-02T20:30:00"}, "invalid_record", id="no offset"),
        pytest.param(ROW | {"observed_time": "2026-13-02T20:30:00+08:00"}, "invalid_record", id="impossible date"),
        pytest.param(ROW | {"observed_time": 20260902}, "invalid_record", id="a number for a time"),
        pytest.param(ROW | {"source": "Me Input!"}, "invalid_record", id="odd source name"),
        pytest.param(ROW | {"id": None}, "invalid_record", id="no id"),
        pytest.param(ROW | {"id": ""}, "invalid_record", id="an empty id"),
        pytest.param(ROW | {"user_id": "u\0"}, "invalid_record", id="a user that no store can hold"),
        pytest.param(ROW | {"start": "yesterday"}, "invalid_record", id="start that is no time"),
        pytest.param(ROW | {"attendees": 5, "start": "2026-09-03"}, "invalid_record", id="attendees that are no list"),
        pytest.param(ROW | {"text": "字" * 40_000}, "invalid_record", id="endless text"),
        pytest.param("x" * 1_000_001, "line_too_long", id="endless line"),
    ],
)
def test_a_broken_line_is_an_issue_with_its_number(tmp_path: Path, line: bytes | str | dict, code: str) -> None:
    rows = list(read_records(written(tmp_path, ROW, line, ROW | {"id": "a2"}), "u1"))
    issue = rows[1]
    assert isinstance(issue, RecordIssue)
    assert (issue.code, issue.locator) == (code, "records.jsonl:2")
    assert "明天交报告" not in issue.detail
    assert isinstance(rows[2], EvidenceRecord)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequest, match=r"absent\.jsonl"):
        list(read_records(tmp_path / "absent.jsonl", "u1"))


@pytest.mark.parametrize(
    ("axis", "start", "end", "found"),
    [
        ("observed", "2026-09-02T12:30:00Z", "2026-09-02T12:31:00Z", ["e1"]),
        ("observed", "2026-09-02T12:00:00Z", "2026-09-02T12:30:00Z", []),
        ("event", "2026-09-03T07:00:00Z", "2026-09-03T08:00:00Z", ["e1"]),
        ("event", "2026-09-03T08:00:00Z", "2026-09-03T09:00:00Z", []),
        ("event", "2026-09-03T07:30:00Z", "2026-09-03T07:31:00Z", ["e1"]),
    ],
)
def test_an_embedded_source_reads_half_open_windows(
    tmp_path: Path, axis: str, start: str, end: str, found: list[str]
) -> None:
    row = ROW | {"id": "e1", "start": "2026-09-03T15:00:00+08:00", "end": "2026-09-03T16:00:00+08:00"}
    adapter = embedded_sources(read_records(written(tmp_path, row), "u1"))["meinput"]
    window = SearchWindow(axis, datetime.fromisoformat(start), datetime.fromisoformat(end))
    context = SearchContext(
        "u1",
        datetime(2026, 9, 4, tzinfo=UTC),
        "UTC",
        window,
        "AMBIGUOUS",
        Retrieval(source="meinput"),
        10,
        RequestLimits(),
    )
    assert [r.source_ref.rsplit(":", 1)[-1] for r in adapter.search(context)] == found


def test_sources_come_by_name_whatever_the_order_of_the_lines(tmp_path: Path) -> None:
    rows = [ROW, ROW | {"source": "chat"}, ROW | {"source": "zettel"}, ROW | {"source": "calendar"}]
    assert list(embedded_sources(read_records(written(tmp_path, *rows), "u1"))) == [
        "calendar",
        "chat",
        "meinput",
        "zettel",
    ]


def test_another_user_finds_nothing(tmp_path: Path) -> None:
    adapter = embedded_sources(read_records(written(tmp_path, ROW), "u1"))["meinput"]
    window = SearchWindow("observed", datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC))
    context = SearchContext(
        "u2",
        datetime(2026, 9, 4, tzinfo=UTC),
        "UTC",
        window,
        "AMBIGUOUS",
        Retrieval(source="meinput"),
        10,
        RequestLimits(),
    )
    assert list(adapter.search(context)) == []
