"""The evidence of a MeInput server as a SQLite database: items in their order of time, and in their order of change."""

from __future__ import annotations

import json
import sqlite3
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import Any

_SCHEMA = """
CREATE TABLE IF NOT EXISTS evidence (
  user_id TEXT NOT NULL, evidence_id TEXT NOT NULL, occurred_us INTEGER NOT NULL, recorded_us INTEGER NOT NULL,
  updated_us INTEGER NOT NULL, change_no INTEGER NOT NULL, type TEXT NOT NULL, app_id TEXT, is_deleted INTEGER NOT NULL,
  search_text TEXT NOT NULL, item TEXT NOT NULL, PRIMARY KEY (user_id, evidence_id));
CREATE UNIQUE INDEX IF NOT EXISTS evidence_by_time ON evidence (user_id, occurred_us, evidence_id);
CREATE UNIQUE INDEX IF NOT EXISTS evidence_by_change ON evidence (user_id, change_no);
"""


@dataclass(frozen=True, slots=True)
class EvidenceFilter:
    """What one read asks for. `recorded_until_us` is the snapshot; bounds are microseconds since 1970, half-open."""

    user_id: str
    from_us: int | None = None
    to_us: int | None = None
    types: tuple[str, ...] = ()
    apps: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    has_deleted: bool = False
    recorded_until_us: int | None = None


@dataclass(frozen=True, slots=True)
class StoredItem:
    """An item with its two positions."""

    occurred_us: int
    evidence_id: str
    change_no: int
    item: dict[str, Any]


class EvidenceStore:
    """Evidence of many users. `path` None keeps it in memory."""

    def __init__(self, path: Path | None = None) -> None:
        self._lock = Lock()
        self._db = sqlite3.connect(path or ":memory:", check_same_thread=False)
        self._db.executescript(_SCHEMA)

    def close(self) -> None:
        self._db.close()

    def put(self, items: Iterable[Mapping[str, Any]]) -> None:
        """Keeps items of the contract's `Evidence` schema; one that is there is replaced, and counts as changed."""
        with self._lock, self._db:
            number = self._last_change_no()
            rows = [_row(dict(item), number + n) for n, item in enumerate(items, 1)]
            self._db.executemany(f"INSERT OR REPLACE INTO evidence VALUES ({','.join('?' * 11)})", rows)  # noqa: S608

    def delete(self, user_id: str, evidence_id: str, deleted_at: datetime) -> None:
        """Leaves a tombstone in the place of an item: no text, a higher revision."""
        with self._lock:
            (text,) = self._db.execute(
                "SELECT item FROM evidence WHERE user_id = ? AND evidence_id = ?", (user_id, evidence_id)
            ).fetchone()
        item = json.loads(text)
        gone = {"deleted": True, "deleted_at": deleted_at.isoformat(), "updated_at": deleted_at.isoformat()}
        self.put([{**item, **gone, "text": None, "revision": item["revision"] + 1}])

    def page(
        self, wanted: EvidenceFilter, after: tuple[int, str] | None, limit: int, *, is_newest_first: bool = False
    ) -> list[StoredItem]:
        """At most `limit` items after a place in the total order (occurred_at, evidence_id)."""
        clauses, values = _conditions(wanted)
        if after:
            clauses.append(f"(occurred_us, evidence_id) {'<' if is_newest_first else '>'} (?, ?)")
            values.extend(after)
        way = "DESC" if is_newest_first else "ASC"
        return self._select(clauses, values, f"occurred_us {way}, evidence_id {way}", limit)

    def changes(self, wanted: EvidenceFilter, after: int, until_us: int, limit: int) -> list[StoredItem]:
        """At most `limit` items changed after a change number, oldest change first, up to the snapshot."""
        clauses, values = _conditions(wanted)
        clauses += ["change_no > ?", "updated_us <= ?"]
        return self._select(clauses, [*values, after, until_us], "change_no", limit)

    def last_change_no(self, user_id: str, until_us: int) -> int:
        """The number of the newest change of a user up to an instant; 0 without any."""
        with self._lock:
            query = "SELECT max(change_no) FROM evidence WHERE user_id = ? AND updated_us <= ?"
            return int(self._db.execute(query, (user_id, until_us)).fetchone()[0] or 0)

    def last_update_us(self, user_id: str, until_us: int) -> int | None:
        """When a user's evidence last changed up to an instant; None without any."""
        with self._lock:
            query = "SELECT max(updated_us) FROM evidence WHERE user_id = ? AND updated_us <= ?"
            newest: int | None = self._db.execute(query, (user_id, until_us)).fetchone()[0]
            return newest

    def _select(self, clauses: Sequence[str], values: Sequence[Any], order: str, limit: int) -> list[StoredItem]:
        query = (
            "SELECT occurred_us, evidence_id, change_no, item FROM evidence "  # noqa: S608
            f"WHERE {' AND '.join(clauses)} ORDER BY {order} LIMIT ?"
        )
        with self._lock:
            rows = self._db.execute(query, (*values, limit)).fetchall()
        return [StoredItem(us, evidence_id, number, json.loads(item)) for us, evidence_id, number, item in rows]

    def _last_change_no(self) -> int:
        return int(self._db.execute("SELECT max(change_no) FROM evidence").fetchone()[0] or 0)


def epoch_us(instant: datetime) -> int:
    """Microseconds from 1970-01-01Z to an aware instant."""
    delta = instant - datetime(1970, 1, 1, tzinfo=UTC)
    return (delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds


def folded(text: str) -> str:
    """Text as the `q` filter compares it: NFKC, case folded."""
    return unicodedata.normalize("NFKC", text).casefold()


def _row(item: dict[str, Any], change_no: int) -> tuple[Any, ...]:
    occurred, recorded, updated = (
        epoch_us(datetime.fromisoformat(item[name])) for name in ("occurred_at", "recorded_at", "updated_at")
    )
    app = item.get("app") or {}
    place = (item["user_id"], item["evidence_id"], occurred, recorded, updated, change_no)
    words = folded(item.get("text") or "")
    return (*place, item["type"], app.get("id"), bool(item["deleted"]), words, json.dumps(item, ensure_ascii=False))


def _conditions(wanted: EvidenceFilter) -> tuple[list[str], list[Any]]:
    """The clauses of a filter, all of which must hold, and their values in order."""
    folded_words = tuple(folded(word) for word in wanted.words)
    parts: list[tuple[str, Sequence[Any]]] = [
        ("user_id = ?", [wanted.user_id]),
        ("occurred_us >= ?", _present(wanted.from_us)),
        ("occurred_us < ?", _present(wanted.to_us)),
        ("recorded_us <= ?", _present(wanted.recorded_until_us)),
        (f"type IN ({_marks(wanted.types)})", wanted.types),
        (f"app_id IN ({_marks(wanted.apps)})", wanted.apps),
        (f"({' OR '.join(['instr(search_text, ?)'] * len(folded_words))})", folded_words),
        ("is_deleted <= ?", [wanted.has_deleted]),
    ]
    asked = [(clause, values) for clause, values in parts if values]
    return [clause for clause, _ in asked], [value for _, values in asked for value in values]


def _present(bound: int | None) -> list[int]:
    return [] if bound is None else [bound]


def _marks(values: Sequence[str]) -> str:
    return ",".join("?" * len(values))
