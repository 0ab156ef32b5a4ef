"""`RecallService`: the one object that a host embeds. Built once, shared by every thread."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any, Self

import pandas as pd

from temporal_recall.adapters.records_file import embedded_sources, read_records
from temporal_recall.dataflows.evidence_frame import evidence_frame
from temporal_recall.dataflows.planning import validated_plan
from temporal_recall.schemas.bundle import RecallBundle
from temporal_recall.schemas.errors import InvalidRequest, RecallTimeout, SourceUnavailable
from temporal_recall.schemas.evidence import (
    EvidenceRecord,
    RecordIssue,
    RequestLimits,
    SourceAdapter,
    SourceOutcome,
)
from temporal_recall.schemas.plan import ContextPlan
from temporal_recall.schemas.settings import RankingWeights
from temporal_recall.schemas.time import zone_of
from temporal_recall.schemas.user import UserSnapshot
from temporal_recall.service.catalog import RECALL
from temporal_recall.service.config import RecallConfig, SourceConfig, read_config
from temporal_recall.service.driver import build_driver
from temporal_recall.service.lanes import LaneAdapter

LOCAL_USER = "local"
MAX_LIMIT = 200
MAX_QUERY_CHARS = 2000

Question = str | ContextPlan | Mapping[str, Any]


class RecallService:
    """Answers what happened in a time range, from one deployment's sources.

    Args:
        config: the deployment's settings; every one of its sources has an adapter.
        adapters: one adapter a source, by name.
        executor: threads for `arecall`; the service makes its own when none is given.
    """

    def __init__(
        self,
        config: RecallConfig,
        adapters: Mapping[str, SourceAdapter],
        *,
        executor: Executor | None = None,
    ) -> None:
        self.config = config
        self.adapters = dict(adapters)
        self._lanes = LaneAdapter(
            {s.name: s.threads for s in config.sources if not adapters[s.name].capabilities().is_in_memory}
        )
        names = tuple(s.name for s in config.sources)
        self._driver = build_driver(RECALL, adapters=(self._lanes,), enabled_sources=names)
        self._settings = {
            "source_settings": config.source_settings(),
            "window_settings": config.windows,
            "dedupe_settings": config.dedupe,
            "ranking_weights": config.weights,
            **{f"{name}_adapter": adapters[name] for name in names},
        }
        self._executor = executor or ThreadPoolExecutor(config.request_threads, thread_name_prefix="recall")
        self._owns_executor = executor is None
        self.record_issues: tuple[RecordIssue, ...] = ()

    @classmethod
    def from_config(cls, path: str | Path, *, executor: Executor | None = None) -> Self:
        """The service that a TOML file describes.

        Raises:
            InvalidConfig: a key has a value that is not allowed.
        """
        from temporal_recall.adapters.registry import create_adapter

        config = read_config(path)
        adapters = {s.name: create_adapter(s.kind or s.name, s.name, s.options) for s in config.sources}
        return cls(config, adapters, executor=executor)

    @classmethod
    def from_records(cls, path: str | Path, *, user_id: str = LOCAL_USER, **settings: Any) -> Self:
        """The service over a records file: every source in it is enabled; broken lines stand in `record_issues`.

        Args:
            settings: keys of `RecallConfig` other than `sources`.
        """
        rows = list(read_records(Path(path), user_id))
        service = cls.over(embedded_sources(r for r in rows if isinstance(r, EvidenceRecord)), **settings)
        service.record_issues = tuple(r for r in rows if isinstance(r, RecordIssue))
        return service

    @classmethod
    def over(cls, adapters: Mapping[str, SourceAdapter], **settings: Any) -> Self:
        """The service over adapters made elsewhere, none of them required, with default settings.

        Args:
            settings: keys of `RecallConfig` other than `sources`.
        """
        sources = tuple(SourceConfig(name=name) for name in adapters)
        return cls(RecallConfig(sources=sources, **settings), adapters)

    @classmethod
    def demo(cls) -> Self:
        """The service over the invented person that the package ships; works offline."""
        from temporal_recall import demo

        return cls.from_records(demo.records_path(), user_id=demo.DEMO_USER_ID, time_zone=demo.DEMO_TIME_ZONE)

    def plan(
        self,
        query: str,
        *,
        now: datetime | None = None,
        time_zone: str | None = None,
        user_snapshot: UserSnapshot | None = None,
    ) -> ContextPlan:
        """The Context Plan of a question: which context it needs, and where recall would look.

        Raises:
            InvalidRequest: the question is empty or too long, `now` is naive, the zone unknown.
        """
        inputs = self._inputs(now, time_zone, user_snapshot) | {"query_text": _checked_query(query)}
        plan: ContextPlan = self._driver.execute(["context_plan"], inputs=inputs)["context_plan"]
        return plan

    def recall(
        self,
        question: Question,
        *,
        user_id: str = LOCAL_USER,
        now: datetime | None = None,
        time_zone: str | None = None,
        limit: int = 50,
        explain: bool = False,
        allow_partial: bool = False,
        user_snapshot: UserSnapshot | None = None,
        limits: RequestLimits | None = None,
    ) -> RecallBundle:
        """The ranked, grouped timeline that answers a question or a plan; blocks until the sources are settled.

        Args:
            question: the user's words, or a Context Plan (as a model or a mapping, which is validated).
            now: the instant of the question, aware; the clock's when absent.
            time_zone: IANA id or offset; the configuration's when absent.
            limit: most items, 1 to 200.
            allow_partial: answer although a required source failed.
            limits: deadline and cancel token; the configuration's time limit when absent.

        Raises:
            InvalidRequest, InvalidPlan: something asked for is not allowed; names field and value.
            SourceUnavailable: a required source is down.
            RecallTimeout: a required source, or every source, was late.
            RecallCancelled: the cancel token was set.
        """
        started = time.monotonic()
        inputs = self._inputs(now, time_zone, user_snapshot) | {
            "user_id": user_id,
            "limit": _checked_limit(limit),
            "explain": explain,
            "request_limits": limits or RequestLimits(started + self.config.retrieval_time_limit_s),
        }
        overrides: dict[str, Any] = {}
        if isinstance(question, str):
            inputs["query_text"] = _checked_query(question)
        else:
            overrides["context_plan"] = validated_plan(question)
        answer = self._driver.execute(list(RECALL.outputs), inputs=inputs, overrides=overrides)
        if not allow_partial:
            self._raise_for_failures(answer["source_outcomes"])
        return _timed(answer["recall_bundle"], started)

    async def arecall(self, question: Question, **request: Any) -> RecallBundle:
        """`recall` in the service's own threads, so that the event loop stays free; cancelling it cancels the reads."""
        limits = request.pop("limits", None) or RequestLimits(time.monotonic() + self.config.retrieval_time_limit_s)
        call = asyncio.get_running_loop().run_in_executor(
            self._executor, lambda: self.recall(question, limits=limits, **request)
        )
        try:
            return await call
        except asyncio.CancelledError:
            limits.cancel_token.cancel()
            raise

    def timeline(self, records: Iterable[EvidenceRecord]) -> pd.DataFrame:
        """All of the records, normalised and deduplicated, unfiltered (contract `DEDUPLICATED_TIMELINE`)."""
        return self.stage("deduplicated_timeline", records)

    def stage(self, node: str, records: Iterable[EvidenceRecord]) -> pd.DataFrame:
        """The value of one node of the recall flow over given records: `timeline`, `deduplicated_timeline`, …"""
        frame: pd.DataFrame = self._driver.execute(
            [node], inputs=self._settings, overrides={"evidence": evidence_frame(records)}
        )[node]
        return frame

    def with_weights(self, weights: RankingWeights) -> Self:
        """A service over the same sources that ranks with other weights."""
        return type(self)(self.config.model_copy(update={"weights": weights}), self.adapters, executor=self._executor)

    def close(self) -> None:
        """Ends the service's threads and closes its adapters."""
        self._lanes.close()
        if self._owns_executor:
            self._executor.shutdown(wait=False, cancel_futures=True)
        for adapter in self.adapters.values():
            adapter.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _inputs(
        self, now: datetime | None, time_zone: str | None, user_snapshot: UserSnapshot | None
    ) -> dict[str, Any]:
        zone_name = _checked_zone(time_zone or self.config.time_zone)
        if now is not None and now.tzinfo is None:
            raise InvalidRequest("now", now.isoformat(), "an instant with an offset")
        return self._settings | {
            "now": now or datetime.now(zone_of(zone_name)),
            "time_zone": zone_name,
            "user_snapshot": user_snapshot,
            "semantic_hints": None,
        }

    def _raise_for_failures(self, outcomes: Sequence[SourceOutcome]) -> None:
        required = {s.name for s in self.config.sources if s.required}
        failed = [o for o in outcomes if o.failure and o.source in required]
        down = next((o for o in failed if o.failure != "late"), None)
        if down is not None:
            raise SourceUnavailable(
                down.source,
                down.failure or "unavailable",
                is_retryable=down.is_retryable,
                retry_after_s=down.retry_after_s,
            )
        late = tuple(o.source for o in outcomes if o.failure == "late")
        if failed or (late and len(late) == len(outcomes)):
            raise RecallTimeout(late)


def _checked_query(query: str) -> str:
    if not query.strip() or len(query) > MAX_QUERY_CHARS:
        raise InvalidRequest("query", f"{len(query)} characters", f"1 to {MAX_QUERY_CHARS} characters, not blank")
    return query


def _checked_limit(limit: int) -> int:
    if not 1 <= limit <= MAX_LIMIT:
        raise InvalidRequest("limit", limit, f"1 to {MAX_LIMIT}")
    return limit


def _checked_zone(name: str) -> str:
    try:
        zone_of(name)
    except ValueError as error:
        raise InvalidRequest(
            "time_zone", name, "an IANA id such as Asia/Shanghai, or an offset such as +08:00"
        ) from error
    return name


def _timed(bundle: RecallBundle, started: float) -> RecallBundle:
    elapsed_ms = round((time.monotonic() - started) * 1000)
    return bundle.model_copy(update={"stats": bundle.stats.model_copy(update={"elapsed_ms": elapsed_ms})})
