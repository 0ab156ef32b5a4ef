"""The labelled messages are sound, and broad enough to measure extraction with."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from check_personas import KNOWN_BY_FIELD, Row, is_sound_span, read_rows

MESSAGES = read_rows(Path(__file__).with_name("messages") / "messages.jsonl")
NON_EVENT_KINDS = {
    "assistant",
    "chatter",
    "document",
    "hypothetical",
    "negation",
    "others",
    "question",
    "quote",
    "rumour",
    "search",
}


def test_there_are_many_kinds_of_people_and_of_talk() -> None:
    kinds = Counter(message["kind"] for message in MESSAGES)
    assert len({message["id"] for message in MESSAGES}) == len(MESSAGES) >= 300
    assert set(kinds) == NON_EVENT_KINDS | {"event"}
    assert sum(kinds[kind] for kind in NON_EVENT_KINDS) >= 100
    assert len({message["speaker"] for message in MESSAGES}) >= 25
    assert len({message["time_zone"] for message in MESSAGES}) >= 4


def test_labels_agree_with_themselves() -> None:
    assert [message["id"] for message in MESSAGES if not _is_sound(message)] == []


def _is_sound(message: Row) -> bool:
    observed = datetime.fromisoformat(message["observed_time"])
    is_undated = message["event_time"] is None and message["event_end"] is None and message["granularity"] is None
    is_mention = message["type"] == "mention"
    return (
        observed.astimezone(ZoneInfo(message["time_zone"])).utcoffset() == observed.utcoffset()
        and all(message[field] in known for field, known in KNOWN_BY_FIELD.items())
        and all(person in message["text"] for person in message["participants"])
        and is_mention == (message["kind"] in NON_EVENT_KINDS)
        and (is_undated or (not is_mention and is_sound_span(message)))
    )
