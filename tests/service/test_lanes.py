"""Sources are read side by side; one that hangs or breaks costs only its own items, and only for a while."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

import pytest
from listed_sources import NOW, USER_ID, DownSource, HungSource, ListedSource, record

from temporal_recall.dataflows import retrieval
from temporal_recall.schemas.errors import RecallCancelled
from temporal_recall.schemas.evidence import CancelToken, RequestLimits, SourceAdapter, SourceOutcome
from temporal_recall.schemas.frames import SourceEvidence
from temporal_recall.schemas.plan import ContextPlan, PlanTime, Range
from temporal_recall.schemas.settings import RetrievalWindows, SourceSetting, SourceSettings
from temporal_recall.service.catalog import Flow
from temporal_recall.service.driver import build_driver
from temporal_recall.service.lanes import LaneAdapter

LUNCH = record("chat", 1, "午饭吃面", "2026-09-03T12:30:00+08:00")
CALL = record("meinput", 2, "给王姐回电话", "2026-09-03T13:30:00+08:00")


class Lanes:
    """The retrieval part of the flow over given sources, under one deadline."""

    def __init__(self, *adapters: SourceAdapter, threads: int = 4) -> None:
        self.adapters = adapters
        self.lanes = LaneAdapter({a.source: threads for a in adapters if not a.capabilities().is_in_memory})
        names = tuple(a.source for a in adapters)
        flow = Flow("lanes", "", (retrieval,), ("lane_results",))
        self.driver = build_driver(flow, adapters=(self.lanes,), enabled_sources=names)

    def read(self, limits: RequestLimits | None = None) -> Mapping[str, SourceEvidence]:
        today = Range(start=NOW.replace(hour=0), end=NOW)
        inputs = {
            "context_plan": ContextPlan(temporal_mode="OCCURRED_IN", time=PlanTime(event_range=today)),
            "user_id": USER_ID,
            "now": NOW,
            "time_zone": "Asia/Shanghai",
            "window_settings": RetrievalWindows(),
            "source_settings": SourceSettings(sources=tuple(SourceSetting(name=a.source) for a in self.adapters)),
            "request_limits": limits or RequestLimits(time.monotonic() + 0.2),
            **{f"{a.source}_adapter": a for a in self.adapters},
        }
        results = self.driver.execute(["lane_results"], inputs=inputs)["lane_results"]
        return {lane.outcome.source: lane for lane in results}

    def outcomes(self) -> dict[str, SourceOutcome]:
        return {name: lane.outcome for name, lane in self.read().items()}


@pytest.fixture
def hung() -> HungSource:
    source = HungSource("meinput")
    yield source
    source.release.set()


def test_every_source_gives_its_own() -> None:
    read = Lanes(ListedSource("chat", LUNCH), ListedSource("meinput", CALL, is_in_memory=True)).read()
    assert {name: list(lane.frame["text"]) for name, lane in read.items()} == {
        "chat": [LUNCH.text],
        "meinput": [CALL.text],
    }


def test_one_that_hangs_is_late_and_the_others_stand(hung: HungSource) -> None:
    read = Lanes(ListedSource("chat", LUNCH), hung).read()
    assert list(read["chat"].frame["text"]) == [LUNCH.text]
    assert read["meinput"].outcome.failure == "late"


def test_sources_start_before_any_is_awaited(hung: HungSource) -> None:
    class Waits(ListedSource):
        def search(self, ctx):  # type: ignore[no-untyped-def]
            assert hung.started.wait(5)
            yield LUNCH

    assert len(Lanes(Waits("chat"), hung).read()["chat"].frame) == 1


@pytest.mark.parametrize("error", [None, ZeroDivisionError("secret text"), KeyError("x")])
def test_one_that_breaks_costs_only_itself(error: Exception | None, caplog: pytest.LogCaptureFixture) -> None:
    outcomes = Lanes(ListedSource("chat", LUNCH), DownSource("meinput", error)).outcomes()
    assert outcomes["chat"].failure is None
    assert outcomes["meinput"].failure == ("adapter_error" if error else "http_503")
    assert "secret" not in caplog.text


def test_a_hung_source_holds_no_more_threads_than_its_own(hung: HungSource) -> None:
    lanes = Lanes(hung, threads=1)
    assert [lanes.outcomes()["meinput"].failure for _ in range(3)] == ["late"] * 3
    assert hung.search_count == 1


def test_a_full_pool_turns_reads_away_at_once(hung: HungSource) -> None:
    lanes = Lanes(hung, threads=1)
    with ThreadPoolExecutor(3) as callers:
        reads = [callers.submit(lanes.outcomes) for _ in range(3)]
        failures = sorted(read.result()["meinput"].failure or "" for read in reads)
    assert failures == ["late", "late", "overloaded"]


def test_a_source_that_keeps_failing_is_left_alone() -> None:
    down = DownSource("meinput")
    lanes = Lanes(ListedSource("chat", LUNCH), down)
    failures = [lanes.outcomes()["meinput"].failure for _ in range(7)]
    assert failures == ["http_503"] * 5 + ["circuit_open"] * 2
    assert down.search_count == 5
    assert lanes.outcomes()["chat"].failure is None


def test_a_withdrawn_request_ends_every_read() -> None:
    polite = HungSource("meinput", is_polite=True)
    token = CancelToken()
    token.cancel()
    with pytest.raises(RecallCancelled):
        Lanes(polite).read(RequestLimits(time.monotonic() + 5, token))
    assert polite.withdrawn.wait(5)


def test_an_observer_sees_nodes_and_lanes() -> None:
    class Seen:
        def __init__(self) -> None:
            self.nodes: list[str] = []
            self.sources: list[str] = []

        def node_done(self, name: str, module: str, started: float, ended: float) -> None:
            self.nodes.append(name)
            assert started <= ended

        def lane_done(self, outcome: SourceOutcome, started: float, ended: float) -> None:
            self.sources.append(outcome.source)

    lanes = Lanes(ListedSource("chat", LUNCH), ListedSource("meinput", CALL))
    lanes.lanes.observer = seen = Seen()
    lanes.read()
    assert "source_windows" in seen.nodes
    assert sorted(seen.sources) == ["chat", "meinput"]
