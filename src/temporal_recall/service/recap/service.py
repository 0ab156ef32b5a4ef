"""Recap for one process: reads that never write, generations that write once, projections that leave nothing out.

Everything but `start` is blocking and runs on the caller's thread; a generation does its blocking work in the event
loop's threads. One process holds the locks: run one worker, or accept that two may write the same day at once.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from sqlalchemy import Engine

from temporal_recall.adapters.chat_client import ChatClient, ChatEndpoint, ChatLimits
from temporal_recall.adapters.recap_cache import RecapCache
from temporal_recall.adapters.recap_tables import emptied_log, recap_engine, with_tables
from temporal_recall.adapters.segment_store import IngestReport, SegmentStore
from temporal_recall.dataflows import recap_projection
from temporal_recall.dataflows.recap.recurring import RECURRING_DAYS_LOOKED_AT
from temporal_recall.dataflows.recap.staleness import public_recap_out, recap_out
from temporal_recall.dataflows.recap.windows import days_of, parsed_date, recap_zone
from temporal_recall.schemas.errors import InvalidConfig
from temporal_recall.schemas.evidence import RecordIssue
from temporal_recall.schemas.recap import (
    RecapError,
    RecapFact,
    RecapOut,
    RecapRow,
    RecapWindow,
    RecapWindowError,
    Segment,
)
from temporal_recall.service.recap.config import RecapConfig
from temporal_recall.service.recap.flow import RecapFlow
from temporal_recall.service.recap.generation import GenerationRun, GenerationSteps, WholeText
from temporal_recall.service.recap.locks import GenerationLocks
from temporal_recall.service.recap.material import DryRun, Material, roll_up_material
from temporal_recall.service.recap.prompts import Prompt, prompt_of

MOST_YEARS = 50
Clock = Callable[[], datetime]


def _now() -> datetime:
    return datetime.now(UTC)


class RecapService:
    """Diaries, projections and facts of many owners over one database. Build it once and share it.

    Args:
        engine: the database; it stays the caller's, its tables are made here.
        config: settings of the deployment.
        chat: the model's client; without one nothing is generated.
        clock: gives the current instant, aware; tests bring their own.
    """

    def __init__(
        self,
        engine: Engine,
        config: RecapConfig,
        *,
        chat: ChatClient | None = None,
        clock: Clock = _now,
    ) -> None:
        self.config = config
        self._engine = with_tables(engine)
        self._store, self._cache = SegmentStore(engine), RecapCache(engine)
        self._chat, self._clock = chat, clock
        self._locks = GenerationLocks()
        self._flow = RecapFlow(config)

    @classmethod
    def configured(
        cls, config: RecapConfig, environment: Mapping[str, str] | None = None, *, clock: Clock = _now
    ) -> RecapService:
        """The service that a configuration describes; the key comes from the environment.

        Raises:
            InvalidConfig: there is no `store_url`, or it, `base_url`, `model` or the key cannot be used.
        """
        if config.store_url is None:
            raise InvalidConfig("recap.store_url", None, "a database URL such as sqlite:///recap.db")
        chat = chat_client_of(config, os.environ if environment is None else environment)
        return cls(recap_engine(config.store_url), config, chat=chat, clock=clock)

    @property
    def can_generate(self) -> bool:
        """Whether a model is configured."""
        return self._chat is not None

    def close(self) -> None:
        """Gives the database connections back."""
        self._engine.dispose()

    def ingest(self, read: Iterable[Segment | RecordIssue], *, is_live: bool = False) -> IngestReport:
        """Takes segments into the store by the rules of ingest, and reports what was refused."""
        return self._store.ingest(read, self._clock(), is_live=is_live)

    def facts(self, owner_id: str, local_date: date) -> tuple[RecapFact, ...]:
        """What the owner confirmed for a date."""
        return self._cache.facts(owner_id, local_date)

    def save_facts(self, owner_id: str, local_date: date, facts: Sequence[RecapFact]) -> None:
        """Replaces what the owner confirmed for a date."""
        self._cache.save_facts(owner_id, local_date, facts)

    def erase(self, owner_id: str) -> None:
        """Deletes every segment, diary and fact of an owner; in a SQLite file no byte of them is left.

        A diary that is being written meanwhile, in whatever process, is not kept; an upload afterwards is.

        Raises:
            RecapError: `erase_unfinished`, all is deleted but a reader kept the log from being emptied; erase again.
        """
        self._store.erase(owner_id)
        self._cache.erase(owner_id)  # last, since it is the mark behind which nothing read before may be written
        if not emptied_log(self._engine):
            raise RecapError("erase_unfinished", "a reader kept the store's log from being emptied; erase again")

    def project(self, owner_id: str, window: RecapWindow) -> DryRun:
        """A day's redacted projection, its digest, and exactly what would leave the process; no model is asked."""
        return self._flow.dry_run(
            self._store.segments(owner_id, window.start, window.end_exclusive),
            owner_id,
            window,
            facts=self.facts(owner_id, window.local_date),
            earlier_segments=self._earlier_segments(owner_id, window),
        )

    def read(self, owner_id: str, window: RecapWindow) -> RecapOut:
        """The cached diary of a window with its hints, or that there is none. Asks no model and writes nothing."""
        row = self._cache.row(owner_id, window.key)
        if window.kind == "day":
            latest_end = self._store.latest_end(owner_id, window.start, window.end_exclusive)
            knowledge_hash = self._facts_hash(owner_id, window.local_date)
        else:
            material = self._roll_up(owner_id, window)
            latest_end = None if material.is_empty else material.segment_watermark
            knowledge_hash = material.knowledge_hash
        return recap_out(
            window,
            row,
            latest_end=latest_end,
            now=self._clock(),
            prompt_hash=self._prompt(window).hash,
            knowledge_hash=knowledge_hash,
            late_segments=self._late_count(owner_id, window, row),
        )

    def read_public(self, owner_id: str, window: RecapWindow) -> RecapOut | None:
        """The cached diary for someone else than its owner: no hints; None where there is none."""
        row = self._cache.row(owner_id, window.key)
        return None if row is None else public_recap_out(window, row)

    def on_this_day(self, owner_id: str, month_day: str, time_zone: str, years: int) -> tuple[RecapOut, ...]:
        """The cached diaries of one civil date (`MM-dd`) in the `years` before this one, latest first.

        One a year: of the zone asked for, else of the zone in which it was written. 02-29 has leap years alone.

        Raises:
            RecapWindowError: `invalid_local_date`, `unknown_time_zone`.
        """
        if not 1 <= years <= MOST_YEARS:
            raise RecapWindowError("invalid_local_date", f"years is {years}; allowed: 1 to {MOST_YEARS}")
        this_year = self._clock().astimezone(recap_zone(time_zone)).year
        parsed_date(f"2024-{month_day}")  # a leap year, so that only what is no date at all is refused
        dates = [day for year in range(this_year - years, this_year) if (day := _date_or_none(year, month_day))]
        rows_by_date: dict[date, RecapRow] = {}
        for row in self._cache.day_rows(owner_id, dates):
            if row.local_date not in rows_by_date or row.time_zone == time_zone:
                rows_by_date[row.local_date] = row
        rows = [rows_by_date[day] for day in sorted(rows_by_date, reverse=True)]
        return tuple(public_recap_out(_window_of(row), row) for row in rows)

    def start(self, owner_id: str, window: RecapWindow) -> GenerationRun:
        """A generation of a window's diary, begun on the running event loop. The caller reads or abandons it.

        Raises:
            RecapError: `not_configured`, or `generation_in_progress` for the same owner and window.
        """
        chat = self._chat
        if chat is None:
            raise RecapError("not_configured", "no model is configured; set recap.base_url and recap.model")
        steps = GenerationSteps(
            material=lambda: asyncio.to_thread(self._material, owner_id, window),
            save=lambda whole: asyncio.to_thread(self._save, owner_id, window, chat.endpoint, whole),
            empty=lambda: recap_out(window, None, latest_end=None, now=window.start, prompt_hash="", knowledge_hash=""),
        )
        lease = self._locks.acquire(owner_id, window.key)
        return GenerationRun(chat, steps, lease, self.config.heartbeat_s)

    def _material(self, owner_id: str, window: RecapWindow) -> Material:
        erasure_count = self._cache.erasure_count(owner_id)
        is_day = window.kind == "day"
        material = self.project(owner_id, window).material() if is_day else self._roll_up(owner_id, window)
        return replace(material, erasure_count=erasure_count)

    def _roll_up(self, owner_id: str, window: RecapWindow) -> Material:
        days = [day for day in days_of(window) if day.start <= self._clock()]
        rows = [self._cache.row(owner_id, day.key) for day in days]
        missing = [day.local_date for day, row in zip(days, rows, strict=True) if row is None]
        return roll_up_material(window, [row for row in rows if row], missing, self._prompt(window).text)

    def _save(self, owner_id: str, window: RecapWindow, endpoint: ChatEndpoint, whole: WholeText) -> RecapOut:
        """Raises:
        RecapError: `owner_erased` since the material was read.
        """
        material, end = whole.material, whole.end
        is_saved = self._cache.save(
            RecapRow(
                owner_id=owner_id,
                window_key=window.key,
                kind=window.kind,
                local_date=window.local_date,
                time_zone=window.time_zone,
                start=window.start,
                end_exclusive=window.end_exclusive,
                narrative=whole.text,
                generated_at=self._clock(),
                model=endpoint.model,
                prompt_hash=self._prompt(window).hash,
                segment_watermark=material.segment_watermark,
                knowledge_hash=material.knowledge_hash,
                digest_hash=material.digest_hash,
                projection_version=material.projection_version,
                base_url_host=endpoint.host,
                upstream_model=end.model,
                finish_reason=end.finish_reason,
                prompt_tokens=end.prompt_tokens,
                completion_tokens=end.completion_tokens,
                missing_dates=material.missing_dates,
            ),
            erasure_count=material.erasure_count,
        )
        if not is_saved:
            raise RecapError("owner_erased", "the owner was erased meanwhile; the diary is not kept")
        return self.read(owner_id, window)

    def _earlier_segments(self, owner_id: str, window: RecapWindow) -> tuple[Segment, ...]:
        if not self.config.tells_recurring:
            return ()
        return self._store.segments(owner_id, window.start - timedelta(days=RECURRING_DAYS_LOOKED_AT + 1), window.start)

    def _facts_hash(self, owner_id: str, local_date: date) -> str:
        return recap_projection.knowledge_hash(self.facts(owner_id, local_date))

    def _late_count(self, owner_id: str, window: RecapWindow, row: RecapRow | None) -> int:
        if row is None or window.kind != "day":
            return 0
        return self._store.late_count(owner_id, window.start, window.end_exclusive, row.generated_at)

    def _prompt(self, window: RecapWindow) -> Prompt:
        return prompt_of(window.kind, self.config.language)


def chat_client_of(config: RecapConfig, environment: Mapping[str, str]) -> ChatClient | None:
    """The client of the model server that a configuration names; None where it names none.

    Raises:
        InvalidConfig: `base_url`, `model` or the key cannot be used.
    """
    if config.base_url is None or config.model is None:
        return None
    key = environment.get(config.api_key_env) or None
    endpoint = ChatEndpoint(config.base_url, config.model, key, config.reasoning_effort)
    return ChatClient(endpoint, ChatLimits(config.silence_s, config.overall_s))


def _date_or_none(year: int, month_day: str) -> date | None:
    try:
        return date.fromisoformat(f"{year:04}-{month_day}")
    except ValueError:
        return None


def _window_of(row: RecapRow) -> RecapWindow:
    return RecapWindow(row.kind, row.local_date, row.time_zone, row.start, row.end_exclusive, row.window_key)
