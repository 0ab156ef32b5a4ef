"""What a source hands over is made well-formed at the door: no record is lost for half a character."""

from __future__ import annotations

from datetime import datetime

import pytest

from temporal_recall import RecallService
from temporal_recall.adapters.records_file import embedded_sources
from temporal_recall.schemas.evidence import EvidenceRecord, SourceEvent, well_formed

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
