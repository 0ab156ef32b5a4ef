"""Sources are read side by side; one that hangs or breaks costs only its own items, and only for a while."""

from __future__ import annotations

import time
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from types import SimpleNamespace
from typing import Any

import pytest
from listed_sources import NOW, USER_ID, DownSource, HungSource, ListedSource, record

from temporal_recall.dataflows import retrieval
from temporal_recall.schemas.errors import RecallCancelled, SourceUnavailable
from temporal_recall.schemas.evidence import CancelToken, RequestLimits, SourceAdapter, SourceOutcome
from temporal_recall.schemas.frames import SourceEvidence
from temporal_recall.schemas.plan import ContextPlan, PlanTime, Range
from temporal_recall.schemas.settings import RetrievalWindows, SourceSetting, SourceSettings
from temporal_recall.service import lanes as lanes_module
from temporal_recall.service.breaker import SourceBreaker
from temporal_recall.service.catalog import Flow
from temporal_recall.service.driver import build_driver
from temporal_recall.service.lanes import LaneAdapter, PendingLane

LUNCH = record("chat", 1, "午饭吃面", "2026-09-03T12:30:00+08:00")
CALL = record("meinput", 2, "给王姐回电话", "2026-09-03T13:30:00+08:00")


class Lanes:
    """The retrieval part of the flow over given sources, under one deadline."""

    def __init__(self, *adapters: SourceAdapter, threads: int = 4, **settings: Any) -> None:
        self.adapters = adapters
        io_sources = {a.source: threads for a in adapters if not a.capabilities().is_in_memory}
        self.lanes = LaneAdapter(io_sources, **settings)
        names = tuple(a.source for a in adapters)
        flow = Flow("lanes", "", (retrieval,), ("lane_results",))
        self.driver = build_driver(flow, adapters=(self.lanes,), enabled_sources=names)

    def read(self, limits: RequestLimits | None = None, user_id: str = USER_ID) -> Mapping[str, SourceEvidence]:
        today = Range(start=NOW.replace(hour=0), end=NOW)
        inputs = {
            "context_plan": ContextPlan(temporal_mode="OCCURRED_IN", time=PlanTime(event_range=today)),
            "user_id": user_id,
            "now": NOW,
            "time_zone": "Asia/Shanghai",
            "window_settings": RetrievalWindows(),
            "source_settings": SourceSettings(sources=tuple(SourceSetting(name=a.source) for a in self.adapters)),
            "request_limits": limits or RequestLimits(time.monotonic() + 0.2),
            **{f"{a.source}_adapter": a for a in self.adapters},
        }
        results = self.driver.execute(["lane_results"], inputs=inputs)["lane_results"]
        return {lane.outcome.source: lane for lane in results}

    def outcomes(self, limits: RequestLimits | None = None) -> dict[str, SourceOutcome]:
        return {name: lane.outcome for name, lane in self.read(limits).items()}

    def failures(self, source: str, count: int, limits: RequestLimits | None = None) -> list[str | None]:
        """How so many reads one after another end for a source."""
        return [self.outcomes(limits)[source].failure for _ in range(count)]


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
    lanes, limits = Lanes(hung, threads=1), RequestLimits(time.monotonic() + 1)
    with ThreadPoolExecutor(3) as callers:
        reads = [callers.submit(lanes.outcomes, limits) for _ in range(3)]
        failures = sorted(read.result()["meinput"].failure or "" for read in reads)
    assert failures == ["late", "late", "overloaded"]


def test_a_source_that_keeps_failing_is_left_alone() -> None:
    down = DownSource("meinput")
    lanes = Lanes(ListedSource("chat", LUNCH), down)
    assert lanes.failures("meinput", 7) == ["http_503"] * 5 + ["circuit_open"] * 2
    assert down.search_count == 5
    assert lanes.outcomes()["chat"].failure is None


def test_a_source_that_hangs_is_left_alone_although_its_reads_get_no_thread_any_more(hung: HungSource) -> None:
    lanes = Lanes(hung, threads=1, patience_s=0.1)
    assert lanes.failures("meinput", 6) == ["late"] * 5 + ["circuit_open"]


def test_one_users_own_trouble_closes_no_source_to_another() -> None:
    class Calendars(ListedSource):
        def search(self, ctx):  # type: ignore[no-untyped-def]
            if ctx.user_id == "broken":
                raise SourceUnavailable("calendar", "unreadable_file")
            yield from ()

    lanes = Lanes(Calendars("calendar"))
    own = [lanes.read(user_id="broken")["calendar"].outcome.failure for _ in range(7)]
    assert own == ["unreadable_file"] * 5 + ["circuit_open"] * 2
    assert lanes.outcomes()["calendar"].failure is None


def test_whoever_waits_for_a_source_goes_on_once_it_is_left_alone(hung: HungSource) -> None:
    lanes = Lanes(hung)
    with ThreadPoolExecutor(1) as callers:
        read = callers.submit(lanes.outcomes, RequestLimits())
        hung.started.wait(5)
        for number in range(5):
            lanes.lanes.breakers["meinput"].record(f"u{number}", is_success=False)
        assert read.result(5)["meinput"].failure == "circuit_open"


@pytest.mark.parametrize(
    ("after_s", "still_s", "is_late"),
    [
        (9.9, 0.0, False),
        (10.2, 0.0, True),
        (6.9, 3.0, False),
        (7.2, 3.0, True),
        (4.9, 3600.0, False),
        (5.2, 3600.0, True),
    ],
)
def test_computing_takes_its_time_from_what_a_source_has_and_half_at_most(
    monkeypatch: pytest.MonkeyPatch, after_s: float, still_s: float, is_late: bool
) -> None:
    """Of ten seconds; whoever is not late yet goes on waiting, here for a source that is left alone."""
    now = [100.0]
    monkeypatch.setattr(lanes_module, "time", SimpleNamespace(monotonic=lambda: now[0]))  # and nobody else's clock
    lane = PendingLane(
        "chat",
        USER_ID,
        RequestLimits(110.0),
        lambda: SourceEvidence.failed("chat", "not read"),
        is_awaited=lambda: False,
        still_s=lambda: still_s,
    )
    now[0] += after_s
    assert lane.settled().outcome.failure == ("late" if is_late else "circuit_open")


def test_a_read_that_was_given_up_early_says_nothing_of_the_source(
    hung: HungSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    lanes = Lanes(hung, patience_s=1000.0)
    monkeypatch.setattr(lanes.lanes.turns, "expected_s", lambda request_count: 3600.0)
    assert lanes.failures("meinput", 6, RequestLimits(time.monotonic() + 0.2)) == ["late"] * 6
    assert lanes.lanes.breakers["meinput"].is_closed_for(USER_ID)


class TestOurOwnLoad:
    """It never opens the circuit of a source."""

    def test_a_request_that_came_to_the_source_too_late(self, hung: HungSource) -> None:
        lanes = Lanes(hung, threads=16, patience_s=60)
        assert lanes.failures("meinput", 7) == ["late"] * 7

    def test_a_full_pool(self, hung: HungSource) -> None:
        lanes, token = Lanes(hung, threads=1), CancelToken()
        with ThreadPoolExecutor(3) as callers:
            reads = [callers.submit(lanes.read, RequestLimits(None, token)) for _ in range(3)]
            wait(reads, return_when=FIRST_COMPLETED)
            failures = lanes.failures("meinput", 7)
            token.cancel()
        assert failures == ["overloaded"] * 7

    def test_a_wait_behind_reads_that_are_answered(self) -> None:
        waiting = PendingLane("chat", USER_ID, RequestLimits(), lambda: SourceEvidence.failed("chat", "late"))
        assert waiting.silent_s(last_answer=time.monotonic() + 60) < 0 < waiting.silent_s(last_answer=0)


class TestATryOfASourceThatFailed:
    """One read at a time tries again, and its request does not wait for it as long as for others."""

    @pytest.fixture
    def lanes(self, hung: HungSource) -> Lanes:
        lanes = Lanes(hung, threads=1, new_breaker=lambda: SourceBreaker(failure_limit=1, reset_s=0))
        lanes.lanes.breakers["meinput"].record(USER_ID, is_success=False)
        return lanes

    def test_its_request_goes_on_without_it(self, lanes: Lanes) -> None:
        assert lanes.failures("meinput", 1, RequestLimits()) == ["circuit_open"]

    def test_it_closes_the_circuit_whenever_it_succeeds(self, lanes: Lanes, hung: HungSource) -> None:
        lanes.outcomes(RequestLimits())
        assert lanes.lanes.breakers["meinput"].state == "half_open"
        hung.release.set()
        lanes.lanes.submitted_probe("meinput", lambda: "behind it").result()
        assert lanes.lanes.breakers["meinput"].state == "closed"

    def test_a_quick_one_is_part_of_the_answer(self, lanes: Lanes, hung: HungSource) -> None:
        hung.release.set()
        assert lanes.failures("meinput", 2, RequestLimits()) == [None, None]


def test_a_withdrawn_request_ends_every_read() -> None:
    polite = HungSource("meinput", is_polite=True)
    token = CancelToken()
    token.cancel()
    with pytest.raises(RecallCancelled):
        Lanes(polite).read(RequestLimits(time.monotonic() + 5, token))
    assert polite.search_count == 0


def test_whoever_leaves_while_a_source_hangs_is_not_waited_for(hung: HungSource) -> None:
    token = CancelToken()
    with ThreadPoolExecutor(1) as callers:
        read = callers.submit(Lanes(hung).read, RequestLimits(None, token))
        hung.started.wait(5)
        token.cancel()
        assert isinstance(read.exception(5), RecallCancelled)


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
