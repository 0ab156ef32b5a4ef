"""Checks of the labelled personas: do records, gold items, duplicates and questions agree with each other?

`python tests/data/check_personas.py` prints what is wrong with each persona; `test_personas.py` runs the same checks.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

PERSONAS = Path(__file__).with_name("personas")
STRANGERS = Path(__file__).with_name("strangers")
FOLDERS = tuple(folder for home in (PERSONAS, STRANGERS) for folder in sorted(home.iterdir()))
"""Of all labelled people."""

SOURCE_BY_CODE = {"mi": "meinput", "ch": "chat", "ca": "calendar", "me": "memory_v2"}
FIELDS_BY_SOURCE = {
    "meinput": {"app"},
    "chat": {"role", "session_id"},
    "calendar": {"start", "end", "title", "attendees", "location", "status"},
    "memory_v2": set[str](),
}
SHARED_FIELDS = {"id", "source", "observed_time", "text"}
KNOWN_BY_FIELD = {
    "type": {"event", "todo", "commitment", "decision", "mention"},
    "status": {"planned", "completed", "cancelled", "mentioned", "unknown"},
    "importance": {"low", "mid", "high"},
    "owner": {"self", "other"},
}
GRANULARITIES = {"minute", "part", "day", "range"}
MODES = {"OCCURRED_IN", "MENTIONED_IN", "PLANNED_IN", "CREATED_IN", "DUE_IN", "AMBIGUOUS"}
OBSERVED_MODES = {"MENTIONED_IN", "CREATED_IN"}

Row = dict[str, Any]
Interval = tuple[datetime, datetime]


@dataclass(frozen=True)
class Persona:
    """One persona's five files, the records and gold items by id."""

    items: dict[str, Row]
    gold: dict[str, Row]
    duplicates: list[Row]
    non_events: list[Row]
    queries: list[Row]

    @property
    def groups(self) -> list[Row]:
        return [row for row in self.duplicates if row["kind"] == "same_event"]

    def observed(self, record_id: str) -> datetime:
        return datetime.fromisoformat(self.items[record_id]["observed_time"])


def read_rows(path: Path) -> list[Row]:
    """The rows of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def read_persona(folder: Path) -> Persona:
    """The persona of a folder.

    Raises:
        ValueError: a line is no JSON, or an id stands twice.
    """
    rows = {name: read_rows(folder / f"{name}.jsonl") for name in ("items", "gold_items")}
    for name, found in rows.items():
        twice = [i for i, count in Counter(row["id"] for row in found).items() if count > 1]
        if twice:
            raise ValueError(f"{name}: ids stand twice: {twice}")
    return Persona(
        items={row["id"]: row for row in rows["items"]},
        gold={row["id"]: row for row in rows["gold_items"]},
        duplicates=read_rows(folder / "gold_duplicates.jsonl"),
        non_events=read_rows(folder / "non_events.jsonl"),
        queries=read_rows(folder / "queries.jsonl"),
    )


def problems(persona: Persona) -> list[str]:
    """What is wrong, one line each; empty for a sound persona."""
    return [line for check in CHECKS for line in check(persona)]


def _item_problems(persona: Persona) -> Iterator[str]:
    times = [persona.observed(i) for i in persona.items]
    if times != sorted(times):
        yield "items: not in the order of observed_time"
    for record_id, item in persona.items.items():
        code = re.fullmatch(r"[a-z]{2}_(mi|ch|ca|me)_\d{4}", record_id)
        if not code or SOURCE_BY_CODE[code[1]] != item["source"]:
            yield f"{record_id}: does not name its source"
        elif set(item) - {"time_zone"} != SHARED_FIELDS | FIELDS_BY_SOURCE[item["source"]]:
            yield f"{record_id}: has other fields than a record of its source"
        observed = persona.observed(record_id)
        if "time_zone" in item and observed.astimezone(ZoneInfo(item["time_zone"])).utcoffset() != observed.utcoffset():
            yield f"{record_id}: observed_time has not the offset of its time_zone"
        if item["source"] == "calendar" and not _bound(item["start"]) < _bound(item["end"]):
            yield f"{record_id}: does not end after it starts"


def _bound(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo("UTC"))


def _gold_problems(persona: Persona) -> Iterator[str]:
    for record_id, gold in persona.gold.items():
        if persona.items.get(record_id, {}).get("role", "user") == "assistant" or record_id not in persona.items:
            yield f"{record_id}: gold item of no record, or of an assistant turn"
        for field, known in KNOWN_BY_FIELD.items():
            if gold[field] not in known:
                yield f"{record_id}: unknown {field} {gold[field]}"
        if gold["event_time"] is None and (gold["event_end"] or gold["granularity"] or gold["due"]):
            yield f"{record_id}: no event time, yet an end, a granularity or a deadline"
        if gold["event_time"] is not None and not is_sound_span(gold):
            yield f"{record_id}: event_time, event_end and granularity disagree"


def is_sound_span(gold: Row) -> bool:
    """Whether `event_time`, `event_end` and `granularity` of a dated label fit: whole days for `day` and `range`."""
    start = datetime.fromisoformat(gold["event_time"])
    if gold["granularity"] not in GRANULARITIES:
        return False
    if gold["event_end"] is None:
        return bool(gold["granularity"] == "minute")
    end = datetime.fromisoformat(gold["event_end"])
    if gold["granularity"] in {"day", "range"}:
        whole_days = {start.time(), end.time()} == {datetime.min.time()}
        return whole_days and (end.date() - start.date() == timedelta(days=1)) == (gold["granularity"] == "day")
    return start < end


def _non_event_problems(persona: Persona) -> Iterator[str]:
    for row in persona.non_events:
        if persona.items.get(row["id"], {}).get("text") != row["text"]:
            yield f"{row['id']}: non-event is not the record's text"
        if row["id"] in persona.gold:
            yield f"{row['id']}: both a non-event and a gold item"


def _duplicate_problems(persona: Persona) -> Iterator[str]:
    members = Counter(i for group in persona.groups for i in group["ids"])
    yield from (f"{i}: in {count} groups" for i, count in members.items() if count > 1)
    for group in persona.groups:
        if len(group["ids"]) < 2 or not set(group["ids"]) <= set(persona.gold):
            yield f"{group['group_id']}: fewer than two members, or a member without gold item"
        if not set(group["stale_ids"]) < set(group["ids"]) or group["link"] not in {"merge", "thread"}:
            yield f"{group['group_id']}: stale ids or link"
    together = [set(group["ids"]) for group in persona.groups if group["link"] == "merge"]
    for row in persona.duplicates:
        if row["kind"] != "hard_negative":
            continue
        pair = set(row["pair"])
        if len(pair) != 2 or not pair <= set(persona.items) or any(pair <= ids for ids in together):
            yield f"{row['pair']}: no pair of two records of different events"


def _query_problems(persona: Persona) -> Iterator[str]:
    if len({query["qid"] for query in persona.queries}) != len(persona.queries):
        yield "queries: a qid stands twice"
    if {query["temporal_mode"] for query in persona.queries} != MODES:
        yield "queries: not all six modes, or others"
    for query in persona.queries:
        named = [*query["relevant"], *query["must_not"]]
        now = datetime.fromisoformat(query["now"])
        if len(named) != len(set(named)):
            yield f"{query['qid']}: a record both wanted and forbidden, or twice"
        yield from (f"{query['qid']}: {i} is no record" for i in named if i not in persona.items)
        yield from (f"{query['qid']}: {i} is later than now" for i in named if persona.observed(i) > now)
        if not set(query["relevant"].values()) <= {1, 2, 3}:
            yield f"{query['qid']}: a grade outside 1 to 3"


def _range_problems(persona: Persona) -> Iterator[str]:
    """Records graded 2 or 3 lie in the range: by event time or, where the mode is about saying, by observed time."""
    for query in persona.queries:
        if query["time_range"] is None:
            continue
        start, end = (datetime.fromisoformat(query["time_range"][side]) for side in ("start", "end"))
        if not start < end:
            yield f"{query['qid']}: the range does not end after it starts"
        for record_id, grade in query["relevant"].items():
            spans = list(_spans(persona, record_id, query["temporal_mode"]))
            if grade >= 2 and not any(a < end and b > start for a, b in spans):
                yield f"{query['qid']}: {record_id} is graded {grade} and lies outside the range"


def _spans(persona: Persona, record_id: str, mode: str) -> Iterator[Interval]:
    """The times at which a record may count for a mode: when it was said, when it happens, when its event happened or
    was first to happen."""
    if mode in OBSERVED_MODES | {"AMBIGUOUS"}:
        yield _span(persona.items[record_id]["observed_time"], None)
    if mode in OBSERVED_MODES:
        return
    gold = persona.gold.get(record_id)
    for told in [gold, *gold.get("also", [])] if gold else []:
        if told["event_time"]:
            yield _span(told["event_time"], told["event_end"])
    for group in persona.groups:
        if record_id not in group["ids"]:
            continue
        if group["final_event_time"]:
            yield _span(group["final_event_time"], group["final_event_end"])
        for stale in group.get("stale_ids", []):
            if (was := persona.gold.get(stale)) and was["event_time"]:  # asked by name where it was first to be
                yield _span(was["event_time"], was["event_end"])


def _span(start: str, end: str | None) -> Interval:
    first = datetime.fromisoformat(start)
    return first, datetime.fromisoformat(end) if end else first + timedelta(seconds=1)


CHECKS = (
    _item_problems,
    _gold_problems,
    _non_event_problems,
    _duplicate_problems,
    _query_problems,
    _range_problems,
)


def main() -> int:
    """Prints each persona's problems; 1 if there are any."""
    found = [(folder.name, line) for folder in FOLDERS for line in problems(read_persona(folder))]
    sys.stdout.writelines(f"{name}\t{line}\n" for name, line in found)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
