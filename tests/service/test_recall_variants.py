"""Live, from the index, and from the index with what came since: one answer, wherever live's windows reach."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fed_sources import FedSource
from index_rows import rows_of
from listed_sources import NOW, USER_ID, DownSource, ListedSource, record

from temporal_recall import RecallService
from temporal_recall.adapters.index_store import SqlTimelineIndex
from temporal_recall.adapters.records_file import embedded_sources, read_records
from temporal_recall.schemas.bundle import RecallBundle
from temporal_recall.schemas.columns import Columns
from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import EvidenceRecord, RequestLimits, SourceAdapter, SourceOutcome
from temporal_recall.schemas.frames import COMPARED_TIMELINE
from temporal_recall.schemas.timeline_index import IndexReading, IndexWindow, SyncState
from temporal_recall.service.config import IndexConfig, RecallConfig, SourceConfig
from temporal_recall.service.indexing import IndexKeeper

DATA = Path(__file__).resolve().parents[1] / "data"
PEOPLE = [path.parent for path in sorted(DATA.glob("*/*/queries.jsonl"))]
ASKED = [
    *(pytest.param(folder, 12, id=folder.name) for folder in PEOPLE),
    *(pytest.param(folder, 1, id=f"all of {folder.name}", marks=pytest.mark.slow) for folder in PEOPLE),
]
"""Whose questions are asked, and every how many-th of them."""


class Variants:
    """One person's sources, their index, and a service of each variant over both."""

    def __init__(self, url: str, adapters: Mapping[str, SourceAdapter], user_id: str) -> None:
        self.adapters, self.user_id, self.url = adapters, user_id, url
        self.keeper = IndexKeeper(self.config("live"), adapters, SqlTimelineIndex(url))
        modes = ("live", "index", "index_and_live")
        self.services = {
            mode: RecallService(self.config(mode), adapters, index=SqlTimelineIndex(url)) for mode in modes
        }

    def config(self, mode: str, **source: Any) -> RecallConfig:
        sources = tuple(
            SourceConfig(name=n, axis="event" if n == "calendar" else "observed", **source) for n in self.adapters
        )
        return RecallConfig(sources=sources, index=IndexConfig.model_validate({"url": self.url, "mode": mode}))

    def answers(self, question: str, now: datetime) -> dict[str, RecallBundle]:
        return {
            mode: service.recall(question, user_id=self.user_id, now=now, allow_partial=True)
            for mode, service in self.services.items()
        }

    def close(self) -> None:
        for service in self.services.values():
            service.close()


@cache
def _answers(folder: Path, step: int, url: str) -> list[tuple[str, dict[str, RecallBundle]]]:
    rows = [r for r in read_records(folder / "items.jsonl", USER_ID) if isinstance(r, EvidenceRecord)]
    questions = [json.loads(line) for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()]
    asked = questions[::step]
    variants = Variants(url, embedded_sources(iter(rows)), USER_ID)
    done = variants.keeper.sync(USER_ID, max(r.observed_time for r in rows))
    assert [s.failure for s in done] == [None] * len(done)
    answers = [(q["query"], variants.answers(q["query"], datetime.fromisoformat(q["now"]))) for q in asked]
    variants.close()
    return answers


def _plain(bundle: RecallBundle) -> dict[str, Any]:
    return bundle.model_dump(exclude={"stats"})


def _refs(bundle: RecallBundle) -> set[str]:
    return {ref for item in bundle.items for ref in (item.source_ref, *item.merged_from)}


@pytest.fixture
def answers(
    folder: Path, step: int, tmp_path_factory: pytest.TempPathFactory
) -> list[tuple[str, dict[str, RecallBundle]]]:
    return _answers(folder, step, f"sqlite:///{tmp_path_factory.getbasetemp() / folder.name}-{step}.db")


@pytest.mark.slow
def test_on_the_shared_person(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    for folder in sorted((shared / "cases" / "recall").iterdir()):
        answers = _answers(folder, 1, f"sqlite:///{tmp_path_factory.getbasetemp() / folder.name}.db")
        TestOnLabelledPeople().test_the_same_records_give_the_same_answer(answers)
        TestOnLabelledPeople().test_beyond_live_the_index_adds_and_loses_nothing(answers)


@pytest.mark.parametrize(("folder", "step"), ASKED)
class TestOnLabelledPeople:
    def test_the_same_records_give_the_same_answer(self, answers: list[tuple[str, dict[str, RecallBundle]]]) -> None:
        """Where the index read no more rows than live, the answers are the same to the byte."""
        alike = 0
        for question, by_mode in answers:
            live = by_mode["live"]
            for mode in ("index", "index_and_live"):
                if by_mode[mode].stats.raw_count == live.stats.raw_count:
                    assert _plain(by_mode[mode]) == _plain(live), f"{mode}: {question}"
                    alike += 1
        assert alike > len(answers)

    def test_beyond_live_the_index_adds_and_loses_nothing(
        self, answers: list[tuple[str, dict[str, RecallBundle]]]
    ) -> None:
        """The index also finds what was told outside live's windows of an event inside the range asked for."""
        only_index: dict[str, set[str]] = {}
        for question, by_mode in answers:
            live = by_mode["live"]
            for mode in ("index", "index_and_live"):
                more = by_mode[mode].stats.raw_count - live.stats.raw_count
                assert more >= 0, f"{mode}: {question}"
                assert _refs(live) <= _refs(by_mode[mode]) or len(by_mode[mode].items) == 50, question
                added = _refs(by_mode[mode]) - _refs(live)
                assert len(added) <= more or len(live.items) == 50, f"{mode}: {question}: {added}"
                only_index.setdefault(question, set()).update(added)
        found = {question: sorted(refs) for question, refs in only_index.items() if refs}
        print(json.dumps(found, ensure_ascii=False, indent=1))  # noqa: T201 - the list that pytest -s shows


SIGNING = record("chat", 1, "明天下午三点和张总签合同", "2026-09-03T09:00:00+08:00", role="user")
LATE = record("chat", 2, "明天上午十点体检", "2026-09-03T21:59:00+08:00", role="user")
QUESTION = "我明天有什么安排"


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Variants]:
    chat = FedSource("chat")
    chat.put(SIGNING)
    variants = Variants(f"sqlite:///{tmp_path / 'index.db'}", {"chat": chat}, USER_ID)
    variants.keeper.sync(USER_ID, NOW - timedelta(hours=1))
    yield variants
    variants.close()


def titles(bundle: RecallBundle) -> list[str]:
    return sorted(item.source_ref for item in bundle.items)


class TestBetweenSyncs:
    def test_what_came_since_is_in_the_index_and_live_answer(self, person: Variants) -> None:
        person.adapters["chat"].put(LATE)  # type: ignore[attr-defined]
        found = {mode: titles(bundle) for mode, bundle in person.answers(QUESTION, NOW).items()}
        both = sorted([SIGNING.source_ref, LATE.source_ref])
        assert found == {"live": both, "index": [SIGNING.source_ref], "index_and_live": both}

    def test_live_reads_the_last_minutes_alone(self, person: Variants) -> None:
        stats = {mode: b.stats for mode, b in person.answers(QUESTION, NOW).items()}
        assert [stats[mode].raw_count for mode in ("live", "index", "index_and_live")] == [1, 1, 1]
        asked = person.services["index_and_live"]
        inputs = asked.flow_inputs(QUESTION, user_id=USER_ID, now=NOW)
        (window,) = asked.driver.execute(["fresh_windows"], inputs=inputs)["fresh_windows"].values()
        assert window.start == NOW - timedelta(hours=1, minutes=10)

    def test_what_was_edited_since_stands_as_it_is_now(self, person: Variants) -> None:
        edited = LATE.model_copy(update={"text": "明天上午九点体检", "revision": 2})
        person.adapters["chat"].put(LATE)  # type: ignore[attr-defined]
        person.keeper.sync(USER_ID, NOW)
        person.adapters["chat"].put(edited)  # type: ignore[attr-defined]
        bundle = person.answers(QUESTION, NOW)["index_and_live"]
        assert edited.text in {item.content for item in bundle.items}
        assert LATE.text not in {item.content for item in bundle.items}


class TestFailures:
    def test_a_source_that_was_never_synced_is_missing_from_the_index(self, tmp_path: Path) -> None:
        variants = Variants(f"sqlite:///{tmp_path / 'index.db'}", {"chat": ListedSource("chat", SIGNING)}, USER_ID)
        by_mode = variants.answers(QUESTION, NOW)
        assert [f.code for f in by_mode["index"].stats.sources_failed] == ["not_synced"]
        assert titles(by_mode["index_and_live"]) == titles(by_mode["live"]) == [SIGNING.source_ref]
        variants.close()

    def test_a_source_that_is_down_since_the_sync_costs_only_what_came_since(self, tmp_path: Path) -> None:
        down = DownSource("chat")
        variants = Variants(f"sqlite:///{tmp_path / 'index.db'}", {"chat": down}, USER_ID)
        index = variants.services["index"].index
        assert index is not None
        index.write(rows_of(SIGNING, state=SyncState("chat", NOW - timedelta(hours=1))))
        bundle = variants.answers(QUESTION, NOW)["index_and_live"]
        assert titles(bundle) == [SIGNING.source_ref]
        assert bundle.stats.partial
        variants.close()

    def test_an_index_that_broke_fails_a_required_source_and_live_goes_on(self, person: Variants) -> None:
        for mode in ("index", "index_and_live"):
            required = RecallService(person.config(mode, required=True), person.adapters, index=BrokenIndex(person.url))
            if mode == "index":
                with pytest.raises(SourceUnavailable, match="index_unavailable"):
                    required.recall(QUESTION, user_id=USER_ID, now=NOW)
            else:
                bundle = required.recall(QUESTION, user_id=USER_ID, now=NOW)
                assert (titles(bundle), bundle.stats.partial) == ([SIGNING.source_ref], True)
                assert [(f.source, f.code) for f in bundle.stats.sources_failed] == [("index", "index_unavailable")]
            required.close()

    def test_a_question_that_needs_no_recall_reads_no_index(self, person: Variants) -> None:
        bundle = person.answers("帮我写一首关于秋天的诗", NOW)["index"]
        assert (bundle.items, bundle.stats.skipped, bundle.stats.partial) == ((), True, False)


@pytest.mark.parametrize("mode", ["index", "index_and_live"])
def test_the_index_is_settled_once(person: Variants, mode: str) -> None:
    seen: list[str] = []

    class Observer:
        def node_done(self, *_: object) -> None: ...

        def lane_done(self, outcome: SourceOutcome, *_: object) -> None:
            seen.append(outcome.source)

    person.services[mode].lanes.observer = Observer()
    person.services[mode].recall(QUESTION, user_id=USER_ID, now=NOW)
    assert seen.count("index") == 1


class BrokenIndex(SqlTimelineIndex):
    def read(self, *_: object) -> Any:
        raise SourceUnavailable("index", "index_unavailable")


class FramedIndex(SqlTimelineIndex):
    """A reader that has its rows as a frame."""

    def read(self, window: IndexWindow, limits: RequestLimits) -> IndexReading:
        reading = super().read(window, limits)
        return replace(reading, rows=Columns.of(reading.frame, COMPARED_TIMELINE))


@pytest.mark.parametrize("question", ["我今天有什么安排", "我这周和评审有关的事"])
def test_rows_of_a_frame_answer_as_those_of_the_store(tmp_path: Path, question: str) -> None:
    told, ago = ("明天下午三点和老周评审方案", "明天下午三点的评审，老周说改到四点"), NOW - timedelta(hours=2)
    rows = [record("chat", number, text, ago.isoformat()) for number, text in enumerate(told)]
    variants = Variants(f"sqlite:///{tmp_path}/i.db", embedded_sources(rows), USER_ID)
    variants.keeper.sync(USER_ID, NOW)
    asked = {"user_id": USER_ID, "now": NOW + timedelta(days=1)}
    for mode in ("index", "index_and_live"):
        framed = RecallService(variants.config(mode), variants.adapters, index=FramedIndex(variants.url))
        given, due = (service.recall(question, **asked) for service in (framed, variants.services[mode]))
        assert _plain(given) == _plain(due)
        assert given.items
        framed.close()
    variants.close()
