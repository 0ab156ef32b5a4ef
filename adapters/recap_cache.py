"""The cache of diaries and the facts that a user confirmed. Derived and small; every question names the owner."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import fields
from datetime import date, datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Engine, Row, select

from temporal_recall.adapters.recap_tables import ERASURES, FACTS, ROWS, instant_of, microseconds_of, upsert
from temporal_recall.schemas.recap import RecapFact, RecapRow

_INSTANTS = ("start", "end_exclusive", "generated_at", "segment_watermark")


class RecapCache:
    """One diary per owner and window; writing one again replaces it. The engine stays the caller's."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def row(self, owner_id: str, window_key: str) -> RecapRow | None:
        """The cached diary of a window; None where none was ever written."""
        query = select(ROWS).where(ROWS.c.owner_id == owner_id, ROWS.c.window_key == window_key)
        with self._engine.connect() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else _recap_row(row)

    def day_rows(self, owner_id: str, dates: Iterable[date]) -> tuple[RecapRow, ...]:
        """The cached diaries of these civil dates, in whatever zone they were written; by date, then latest first."""
        texts = [day.isoformat() for day in dates]
        query = (
            select(ROWS)
            .where(ROWS.c.owner_id == owner_id, ROWS.c.kind == "day", ROWS.c.local_date.in_(texts))
            .order_by(ROWS.c.local_date, ROWS.c.generated_at.desc(), ROWS.c.window_key)
        )
        with self._engine.connect() as connection:
            return tuple(_recap_row(row) for row in connection.execute(query))

    def erasure_count(self, owner_id: str) -> int:
        """How often the owner was erased."""
        query = select(ERASURES.c.erasure_count).where(ERASURES.c.owner_hash == _hash(owner_id))
        with self._engine.connect() as connection:
            return connection.scalar(query) or 0

    def save(self, row: RecapRow, *, erasure_count: int) -> bool:
        """Writes a whole diary over what was there; not where its owner was erased since `erasure_count` was read.

        Returns:
            Whether it was written.
        """
        values = _values(row)
        insert = upsert(self._engine, ROWS).values(values)
        changes = {name: insert.excluded[name] for name in values if name not in ("owner_id", "window_key")}
        with self._engine.begin() as connection:
            if self._count_erasures(connection, row.owner_id, 0) != erasure_count:
                return False
            connection.execute(insert.on_conflict_do_update(index_elements=["owner_id", "window_key"], set_=changes))
        return True

    def facts(self, owner_id: str, local_date: date) -> tuple[RecapFact, ...]:
        """The facts that the owner confirmed for a date; none where there are none."""
        query = select(FACTS.c.facts).where(FACTS.c.owner_id == owner_id, FACTS.c.local_date == local_date.isoformat())
        with self._engine.connect() as connection:
            text = connection.scalar(query)
        return tuple(RecapFact(*parts) for parts in json.loads(text)) if text else ()

    def save_facts(self, owner_id: str, local_date: date, facts: Sequence[RecapFact]) -> None:
        """Writes all facts of a date over what was there."""
        text = json.dumps([[fact.text, fact.start, fact.end] for fact in facts], ensure_ascii=False)
        key = {"owner_id": owner_id, "local_date": local_date.isoformat()}
        insert = upsert(self._engine, FACTS).values(**key, facts=text)
        with self._engine.begin() as connection:
            connection.execute(insert.on_conflict_do_update(index_elements=list(key), set_={"facts": text}))

    def erase(self, owner_id: str) -> None:
        """Deletes every diary and fact of an owner."""
        with self._engine.begin() as connection:
            self._count_erasures(connection, owner_id, 1)
            for table in (ROWS, FACTS):
                connection.execute(table.delete().where(table.c.owner_id == owner_id))

    def _count_erasures(self, connection: Connection, owner_id: str, further: int) -> int:
        """How often the owner was erased, with so many further ones; until it commits no other transaction counts."""
        insert = upsert(self._engine, ERASURES).values(owner_hash=_hash(owner_id), erasure_count=further)
        change = {"erasure_count": ERASURES.c.erasure_count + further}
        counted = insert.on_conflict_do_update(index_elements=["owner_hash"], set_=change)
        count: int = connection.execute(counted.returning(ERASURES.c.erasure_count)).scalar_one()
        return count


def _hash(owner_id: str) -> str:
    """What is kept of an owner who was erased."""
    return sha256(owner_id.encode()).hexdigest()


def _values(row: RecapRow) -> dict[str, Any]:
    return {part.name: _stored(getattr(row, part.name)) for part in fields(RecapRow)}


def _stored(value: object) -> object:
    if isinstance(value, datetime):
        return microseconds_of(value)
    if isinstance(value, date):
        return value.isoformat()
    return json.dumps([day.isoformat() for day in value]) if isinstance(value, tuple) else value


def _recap_row(row: Row[Any]) -> RecapRow:
    values = dict(row._mapping)
    values |= {name: instant_of(values[name]) for name in _INSTANTS}
    values["local_date"] = date.fromisoformat(values["local_date"])
    values["missing_dates"] = tuple(date.fromisoformat(day) for day in json.loads(values["missing_dates"]))
    return RecapRow(**values)
