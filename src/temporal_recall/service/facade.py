"""`RecallService`: the one object that a host embeds. Built once, shared by every thread."""

from __future__ import annotations

import asyncio
import contextvars
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

import pandas as pd
from hamilton.driver import Driver

from temporal_recall.adapters.embedded_store import is_store, store_adapters
from temporal_recall.adapters.records_file import embedded_sources, read_records
from temporal_recall.dataflows.evidence_frame import evidence_frame
from temporal_recall.schemas.bundle import RecallBundle, RecallTrace, TracedWindow
from temporal_recall.schemas.errors import InvalidRequest, RecallTimeout, ServiceUnusable, SourceUnavailable
from temporal_recall.schemas.evidence import (
    MAX_USER_ID_CHARS,
    EvidenceRecord,
    RecordIssue,
    RequestLimits,
    SourceAdapter,
    SourceOutcome,
    is_user_id,
    well_formed,
)
from temporal_recall.schemas.hints import SemanticPlanner
from temporal_recall.schemas.plan import FIRST_YEAR, LAST_YEAR, ContextPlan
from temporal_recall.schemas.plan_check import validated_plan
from temporal_recall.schemas.sentences import SentenceEncoders
from temporal_recall.schemas.settings import RankingWeights
from temporal_recall.schemas.time import zone_of
from temporal_recall.schemas.timeline_index import INDEX_SOURCE, TimelineIndex
from temporal_recall.schemas.user import UserSnapshot
from temporal_recall.service.catalog import RECALL, RECALL_BY_MODE
from temporal_recall.service.config import RecallConfig, SourceConfig, read_config
from temporal_recall.service.driver import build_driver
from temporal_recall.service.index_config import configured_index
from temporal_recall.service.lanes import FlowObserver, LaneAdapter
from temporal_recall.service.semantic_planning import configured_planner, semantic_answer

LOCAL_USER = "local"
MAX_LIMIT = 200
EARLIEST_NOW, LATEST_NOW = FIRST_YEAR + 10, LAST_YEAR - 10
"""Years of a question's instant: far enough inside of those that a plan may name for what lies around the question."""
MAX_QUERY_CHARS = 2000

if TYPE_CHECKING:
    from temporal_recall.adapters.registry import HostParts

Answer = TypeVar("Answer")
Question = str | ContextPlan | Mapping[str, Any]


class RecallService:
    """Answers what happened in a time range, from one deployment's sources.

    Its threads and connections are of the process that built it: in a process forked from that one build another.

    Args:
        config: the deployment's settings; every one of its sources has an adapter.
        adapters: one adapter a source, by name.
        executor: threads for `arecall`; the service makes its own when none is given.
        observer: told of every node and source lane as it ends.
        semantic_planner: asked for hints on complex questions (Level 2); none by default.
        index: the materialised timeline, used as `config.index.mode` says; none by default.
        sentence_encoders: sentence embeddings for the match of topics; those of the extra `semantic` where
            `config.semantic_match` says so, else none.
    """

    def __init__(
        self,
        config: RecallConfig,
        adapters: Mapping[str, SourceAdapter],
        *,
        executor: Executor | None = None,
        observer: FlowObserver | None = None,
        semantic_planner: SemanticPlanner | None = None,
        index: TimelineIndex | None = None,
        sentence_encoders: SentenceEncoders | None = None,
    ) -> None:
        self.config = config
        self.adapters = dict(adapters)
        self.index = index
        io_sources = {s.name: s.threads for s in config.sources if not adapters[s.name].capabilities().is_in_memory}
        if index is not None and not index.is_embedded:
            io_sources[INDEX_SOURCE] = config.request_threads
        self.lanes = LaneAdapter(io_sources, observer, patience_s=config.retrieval_time_limit_s / 4)
        names = tuple(s.name for s in config.sources)
        self.flow = RECALL_BY_MODE[config.index.mode if config.index and index else "live"]
        self.driver = build_driver(self.flow, adapters=(self.lanes,), enabled_sources=names)
        self._settings = {
            "source_settings": config.source_settings(),
            "window_settings": config.windows,
            "dedupe_settings": config.dedupe,
            "ranking_weights": config.weights,
            **{f"{name}_adapter": adapters[name] for name in names},
            "index_adapter": index,
        }
        self._executor = executor or ThreadPoolExecutor(config.request_threads, thread_name_prefix="recall")
        self._owns_executor = executor is None
        self._reads_in_threads = bool(io_sources)
        self._process_id = os.getpid()
        self._is_closed = False
        self._semantic_planner = semantic_planner
        self._sentence_encoders = sentence_encoders or _configured_encoders(config)
        self.record_issues: tuple[RecordIssue, ...] = ()

    @classmethod
    def from_config(cls, path: str | Path) -> Self:
        """The service that a TOML file describes.

        Raises:
            InvalidConfig: a key has a value that is not allowed.
        """
        return cls.configured(read_config(path))

    @classmethod
    def configured(
        cls,
        config: RecallConfig,
        *,
        host: HostParts | None = None,
        executor: Executor | None = None,
        observer: FlowObserver | None = None,
    ) -> Self:
        """The service that a configuration describes.

        Args:
            host: what the embedding application brings of its own: SQLAlchemy engine, HTTP client.
            executor: threads for `arecall`.
            observer: told of every node and source lane as it ends.

        Raises:
            InvalidConfig: a source's kind or options are not allowed.
        """
        from temporal_recall.adapters.registry import create_adapter

        adapters = {s.name: create_adapter(s.kind or s.name, s.name, s.options, host=host) for s in config.sources}
        planner = configured_planner(config.semantic_planner)
        index = configured_index(config.index)
        return cls(config, adapters, executor=executor, observer=observer, semantic_planner=planner, index=index)

    @classmethod
    def from_records(cls, path: str | Path, *, user_id: str = LOCAL_USER, **settings: Any) -> Self:
        """The service over a records file: every source in it is enabled; broken lines stand in `record_issues`.

        The path may also be a store that `temporal-recall import` filled.

        Args:
            settings: keys of `RecallConfig` other than `sources`.

        Raises:
            InvalidRequest: the file cannot be opened or has no usable record; names the first broken line.
        """
        if is_store(Path(path)):
            return cls.over(store_adapters(Path(path)), **settings)
        rows = list(read_records(Path(path), user_id))
        issues = tuple(r for r in rows if isinstance(r, RecordIssue))
        if len(issues) == len(rows):
            first = f"; {issues[0].locator}: {issues[0].code}, {issues[0].detail}" if issues else ""
            raise InvalidRequest("records", str(path), f"a file with at least one usable record{first}")
        service = cls.over(embedded_sources(r for r in rows if isinstance(r, EvidenceRecord)), **settings)
        service.record_issues = issues
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
            ServiceUnusable: as `recall`.
        """
        inputs = self.flow_inputs(query, now=now, time_zone=time_zone, user_snapshot=user_snapshot)
        plan: ContextPlan = self.driver.execute(["context_plan"], inputs=inputs)["context_plan"]
        return plan

    def plan_trace(
        self, query: str, *, now: datetime | None = None, time_zone: str | None = None
    ) -> dict[str, tuple[str, ...]]:
        """The names of the rules that make a question's plan, by slot of the plan; raises as `plan`."""
        inputs = self.flow_inputs(query, now=now, time_zone=time_zone)
        rules: dict[str, tuple[str, ...]] = self.driver.execute(["plan_trace"], inputs=inputs)["plan_trace"]
        return rules

    def recall(
        self,
        question: Question,
        *,
        user_id: str = LOCAL_USER,
        now: datetime | None = None,
        time_zone: str | None = None,
        limit: int = 50,
        explain: bool = False,
        trace: bool = False,
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
            explain: give each item's factors and the reason in words.
            trace: say from which instant, by which rules and over which windows the answer came about.
            allow_partial: answer although a required source failed.
            limits: deadline and cancel token; the configuration's time limit when absent.

        Raises:
            InvalidRequest, InvalidPlan: something asked for is not allowed; names field and value.
            SourceUnavailable: a required source is down.
            RecallTimeout: a required source, or every source, was late.
            RecallCancelled: the cancel token was set.
            ServiceUnusable: the service is closed, or reads in threads of the process that this one was forked from.
        """
        started = time.monotonic()
        limits = limits or RequestLimits(started + self.config.retrieval_time_limit_s)
        query = question if isinstance(question, str) else None
        inputs = self.flow_inputs(
            query,
            user_id=user_id,
            now=now,
            time_zone=time_zone,
            limit=limit,
            explain=explain,
            user_snapshot=user_snapshot,
            limits=limits,
        )
        overrides = {} if isinstance(question, str) else {"context_plan": validated_plan(question)}
        outputs: list[Any] = [*RECALL.outputs]
        if trace:
            outputs += ["source_windows", *(["plan_trace"] if query is not None else [])]
        answer = self.driver.execute(outputs, inputs=inputs, overrides=overrides)
        if not allow_partial:
            self._raise_for_failures(answer["source_outcomes"])
        bundle = _timed(answer["recall_bundle"], started)
        return bundle.model_copy(update={"trace": _trace(inputs["now"], answer)}) if trace else bundle

    async def arecall(self, question: Question, **request: Any) -> RecallBundle:
        """`recall` in the service's own threads, so that the event loop stays free; cancelling it cancels the reads."""
        limits = request.pop("limits", None) or RequestLimits(time.monotonic() + self.config.retrieval_time_limit_s)
        try:
            return await self._in_thread(lambda: self.recall(question, limits=limits, **request))
        except asyncio.CancelledError:
            limits.cancel_token.cancel()
            raise

    async def aplan(self, query: str, **request: Any) -> ContextPlan:
        """`plan` in the service's own threads."""
        return await self._in_thread(lambda: self.plan(query, **request))

    async def _in_thread(self, work: Callable[[], Answer]) -> Answer:
        self._check_usable(in_threads=self._owns_executor or self._reads_in_threads)
        context = contextvars.copy_context()
        return await asyncio.get_running_loop().run_in_executor(self._executor, lambda: context.run(work))

    def expected_s(self, request_count: int) -> float:
        """Seconds for which so many requests would keep this process computing, as long as the last ones did."""
        return self.lanes.turns.expected_s(request_count)

    def timeline(self, records: Iterable[EvidenceRecord]) -> pd.DataFrame:
        """All of the records, normalised and deduplicated, unfiltered (contract `DEDUPLICATED_TIMELINE`)."""
        return self.stage("deduplicated_timeline", records)

    def stage(self, node: str, records: Iterable[EvidenceRecord]) -> pd.DataFrame:
        """The value of one node of the recall flow over given records: `timeline`, `deduplicated_timeline`, …"""
        frame: pd.DataFrame = self._live_driver.execute(
            [node], inputs=self._settings, overrides={"evidence": evidence_frame(records)}
        )[node]
        return frame

    @cached_property
    def _live_driver(self) -> Driver:
        """The flow over evidence, whatever recall reads."""
        return self.driver if self.flow is RECALL else build_driver(RECALL, enabled_sources=tuple(self.adapters))

    def with_weights(self, weights: RankingWeights) -> Self:
        """A service over the same sources that ranks with other weights."""
        config = self.config.model_copy(update={"weights": weights})
        return type(self)(
            config,
            self.adapters,
            executor=self._executor,
            semantic_planner=self._semantic_planner,
            index=self.index,
            sentence_encoders=self._sentence_encoders,
        )

    def warm_up(self) -> None:
        """Does once what else the first question of a process would wait for: rules, calendars and plans of the flow.

        It takes a second or two. No source is asked: the demo's records stand in for what they would give.
        """
        from temporal_recall import demo

        rows = read_records(demo.records_path(), demo.DEMO_USER_ID)
        told = {"evidence": evidence_frame(row for row in rows if isinstance(row, EvidenceRecord))}
        if self.flow is not RECALL:
            told = self._live_driver.execute(["timeline_columns"], inputs=self._settings, overrides=told)
        inputs = self.flow_inputs(demo.DEMO_QUESTION, user_id=demo.DEMO_USER_ID, now=demo.DEMO_NOW)
        for _ in ("what is done once", "what an answer takes"):
            self.lanes.turns.forget()
            self.driver.execute([*self.flow.outputs], inputs=inputs, overrides={**told, "source_outcomes": []})

    def close(self) -> None:
        """Ends the service's threads and closes its adapters; what is asked later is `ServiceUnusable`."""
        self._is_closed = True
        self.lanes.close()
        if self._owns_executor:
            self._executor.shutdown(wait=False, cancel_futures=True)
        for adapter in self.adapters.values():
            adapter.close()
        if self.index is not None:
            self.index.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def flow_inputs(
        self,
        query: str | None = None,
        *,
        user_id: str = LOCAL_USER,
        now: datetime | None = None,
        time_zone: str | None = None,
        limit: int = 50,
        explain: bool = False,
        user_snapshot: UserSnapshot | None = None,
        limits: RequestLimits | None = None,
    ) -> dict[str, Any]:
        """What the recall flow takes from outside for one question, for who runs `driver` in a notebook.

        Args:
            query: the user's words; None where `context_plan` is overridden.

        Raises:
            InvalidRequest, ServiceUnusable: as `recall`.
        """
        self._check_usable(in_threads=self._reads_in_threads)
        if now is not None and now.tzinfo is None:
            raise InvalidRequest("now", now.isoformat(), "an instant with an offset")
        if now is not None and not EARLIEST_NOW <= now.year <= LATEST_NOW:
            raise InvalidRequest("now", now.isoformat(), f"an instant of the years {EARLIEST_NOW} to {LATEST_NOW}")
        zone_name = _checked_zone(time_zone) if time_zone else _zone_at(now, self.config.time_zone)
        limits = limits or RequestLimits()
        encoders = self._sentence_encoders
        inputs = self._settings | {
            **({} if query is None else {"query_text": _checked_query(query)}),
            "user_id": _checked_user(user_id),
            "now": now or datetime.now(zone_of(zone_name)),
            "time_zone": zone_name,
            "limit": _checked_limit(limit),
            "explain": explain,
            "user_snapshot": user_snapshot,
            "semantic_hints": None,
            "request_limits": limits,
            "sentence_encoder": encoders and encoders.for_request(user_id, limits),
        }
        return inputs if query is None else inputs | self._semantic_inputs(query, inputs)

    def _check_usable(self, *, in_threads: bool) -> None:
        if self._is_closed:
            raise ServiceUnusable("the service is closed; build another")
        if in_threads and os.getpid() != self._process_id:
            raise ServiceUnusable("the service was built before this process was forked; build another in each process")

    def _semantic_inputs(self, query: str, inputs: dict[str, Any]) -> dict[str, Any]:
        """What the semantic planner adds to the inputs of a complex question; nothing where there is none."""
        if self._semantic_planner is None:
            return {}
        plan: ContextPlan = self.driver.execute(["rule_plan"], inputs=inputs)["rule_plan"]
        answer = semantic_answer(
            plan, query, self._semantic_planner, remaining_s=inputs["request_limits"].remaining_s()
        )
        return {"semantic_hints": answer.hints, "semantic_rules": answer.rules()}

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


def _configured_encoders(config: RecallConfig) -> SentenceEncoders | None:
    if not config.semantic_match:
        return None
    from temporal_recall.adapters.sentence_encoder import UniversalSentenceEncoders

    return UniversalSentenceEncoders()


def _checked_query(query: str) -> str:
    if not query.strip() or len(query) > MAX_QUERY_CHARS:
        raise InvalidRequest("query", f"{len(query)} characters", f"1 to {MAX_QUERY_CHARS} characters, not blank")
    return well_formed(query)


def _checked_user(user_id: str) -> str:
    if not is_user_id(user_id):
        raise InvalidRequest("user_id", f"{len(user_id)} characters", f"1 to {MAX_USER_ID_CHARS} characters, no NUL")
    return user_id


def _checked_limit(limit: int) -> int:
    if type(limit) is not int or not 1 <= limit <= MAX_LIMIT:
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


def _zone_at(now: datetime | None, usual: str) -> str:
    """The usual zone where `now` has its offset, else the offset of `now`: whoever asks from afar counts days there."""
    if now is None or now.utcoffset() == now.astimezone(zone_of(usual)).utcoffset():
        return usual
    offset = f"{now:%z}"
    return f"{offset[:3]}:{offset[3:5]}"


def _trace(now: datetime, answer: Mapping[str, Any]) -> RecallTrace:
    windows = {
        name: TracedWindow(axis=window.axis, start=window.start, end=window.end)
        for name, window in answer["source_windows"].items()
    }
    return RecallTrace(now=now, rules=answer.get("plan_trace", {}), windows=windows)


def _timed(bundle: RecallBundle, started: float) -> RecallBundle:
    elapsed_ms = round((time.monotonic() - started) * 1000)
    return bundle.model_copy(update={"stats": bundle.stats.model_copy(update={"elapsed_ms": elapsed_ms})})
