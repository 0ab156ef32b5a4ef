"""What a source hands over is made well-formed at the door: no record is lost for half a character."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from temporal_recall import RecallService
from temporal_recall.adapters.memory_v2 import memory_record
from temporal_recall.adapters.records_file import embedded_sources
from temporal_recall.schemas.errors import InvalidRequest
from temporal_recall.schemas.evidence import EvidenceRecord, RecordIssue, SourceEvent, well_formed

NOW = datetime.fromisoformat("2026-09-03T22:00:00+08:00")


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("plain", "plain"),
        ("😀好", "😀好"),
        ("明\ud800天", "明�天"),
        ("\udc00\ud83d", "��"),
        ("a\0明", "a�明"),
        ("", ""),
    ],
)
def test_what_no_store_holds_becomes_a_mark_and_the_length_stays(text: str, clean: str) -> None:
    assert well_formed(text) == clean
    assert len(clean) == len(text)


def test_a_record_and_a_question_with_half_a_character_are_answered() -> None:
    record = EvidenceRecord(
        source="chat",
        source_ref="chat:message:1",
        user_id="u1",
        observed_time=datetime.fromisoformat("2026-09-03T18:00:00+08:00"),
        time_zone="Asia/Shanghai",
        text="下午把护照办好了\ud83d",
        event=SourceEvent(start=NOW, title="\ud800", attendees=("\udfff",)),
    )
    with RecallService.over(embedded_sources([record])) as service:
        bundle = service.recall("我今天做了什么\ud800", user_id="u1", now=NOW)
    assert bundle.stats.raw_count == 1
    assert bundle.model_dump_json().encode()


@pytest.mark.parametrize("now", ["0001-01-01T00:00:00+00:00", "1900-01-01T00:00:00+08:00", "9999-12-31T23:59:59-12:00"])
def test_a_question_of_no_era_is_refused_by_its_instant(now: str) -> None:
    with RecallService.demo() as service, pytest.raises(InvalidRequest, match=r"now is .*1910 to 2190"):
        service.recall("还有哪些没做完", now=datetime.fromisoformat(now))


@pytest.mark.parametrize("now", ["1910-01-01T00:00:00+00:00", "2190-12-31T23:59:59+00:00"])
@pytest.mark.parametrize("question", ["还有哪些没做完", "去年今天我做了什么", "我昨天做了什么", "明年有什么安排"])
def test_a_question_at_the_edge_of_the_era_is_answered(question: str, now: str) -> None:
    with RecallService.demo() as service:
        assert service.recall(question, now=datetime.fromisoformat(now)).items == ()


@pytest.mark.parametrize("limit", [0, 201, True, 1.5, "5", None])
def test_a_limit_that_is_none_is_refused(limit: Any) -> None:
    with RecallService.demo() as service, pytest.raises(InvalidRequest, match="limit"):
        service.recall("我昨天做了什么", now=NOW, limit=limit)


@pytest.mark.parametrize("revision", [0, 2**63, 10**30])
def test_a_revision_beyond_what_is_counted_costs_its_own_record_alone(revision: int, tmp_path: Path) -> None:
    row = {"id": "1", "source": "chat", "observed_time": "2026-09-03T09:00:00+08:00", "text": "今天和张总开会"}
    records = tmp_path / "records.jsonl"
    records.write_text(f"{json.dumps(row | {'revision': revision})}\n{json.dumps(row | {'id': '2'})}\n")
    with RecallService.from_records(records) as service:
        assert [issue.locator for issue in service.record_issues] == ["records.jsonl:1"]
        assert service.recall("我今天做了什么", now=NOW).stats.raw_count == 1
    item = {"memory_id": "m1", "user_id": "u1", "created_at": "2026-09-03T09:00:00+08:00", "text": "记住的事"}
    read = memory_record(item | {"revision": revision}, "item 1", "memory_v2", "u1", "UTC")
    assert isinstance(read, RecordIssue)
    assert "revision" in read.detail
