"""The one object that a host embeds: what it refuses, and how it says that it can answer no more."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable

import pytest
from listed_sources import NOW, USER_ID, ListedSource, record

from temporal_recall.adapters.index_store import SqlTimelineIndex
from temporal_recall.schemas.errors import InvalidRequest, ServiceUnusable
from temporal_recall.schemas.timeline_index import IndexReading
from temporal_recall.service.config import IndexConfig, RecallConfig, SourceConfig
from temporal_recall.service.facade import RecallService

LUNCH = record("chat", 1, "午饭吃面", "2026-09-03T12:30:00+08:00")
QUESTION = "我今天吃了什么"


def service(*, is_in_memory: bool = False) -> RecallService:
    return RecallService.over({"chat": ListedSource("chat", LUNCH, is_in_memory=is_in_memory)})


def asked(recall: RecallService, user_id: str = USER_ID) -> int:
    return recall.recall(QUESTION, user_id=user_id, now=NOW).stats.raw_count


def asked_in_a_pool(recall: RecallService) -> int:
    return asyncio.run(recall.arecall(QUESTION, user_id=USER_ID, now=NOW)).stats.raw_count


def planned(recall: RecallService) -> int:
    return len(recall.plan(QUESTION, now=NOW).retrievals)


@pytest.mark.parametrize("user_id", ["", "u\0", "u\ud800", "u" * 129])
def test_a_user_that_no_store_can_hold_is_refused_before_any_source_is_asked(user_id: str) -> None:
    source = ListedSource("chat", LUNCH)
    with RecallService.over({"chat": source}) as recall, pytest.raises(InvalidRequest, match="user_id"):
        asked(recall, user_id)
    assert source.search_count == 0


class TestAServiceThatCanAnswerNoMore:
    @pytest.mark.parametrize("use", [asked, asked_in_a_pool, planned])
    def test_a_closed_one_says_so(self, use: Callable[[RecallService], int]) -> None:
        recall = service()
        recall.close()
        with pytest.raises(ServiceUnusable, match="closed"):
            use(recall)

    @pytest.mark.parametrize("use", [asked, asked_in_a_pool])
    def test_one_of_the_process_that_this_was_forked_from_says_so(
        self, monkeypatch: pytest.MonkeyPatch, use: Callable[[RecallService], int]
    ) -> None:
        with service() as recall:
            assert use(recall) == 1
            monkeypatch.setattr(os, "getpid", lambda: -1)
            with pytest.raises(ServiceUnusable, match="forked"):
                use(recall)

    def test_one_that_reads_from_memory_answers_in_a_fork_too(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with service(is_in_memory=True) as recall:
            monkeypatch.setattr(os, "getpid", lambda: -1)
            assert asked(recall) == 1


def test_warming_up_asks_no_source_and_learns_how_long_an_answer_takes() -> None:
    source = ListedSource("email")
    with RecallService.over({"email": source}) as recall:
        recall.warm_up()
        assert source.search_count == 0
        assert recall.expected_s(2) == 2 * recall.expected_s(1) > 0


@pytest.mark.parametrize("mode", ["index", "index_and_live"])
def test_warming_up_asks_no_index(mode: str) -> None:
    class Unread(SqlTimelineIndex):
        def read(self, *_: object) -> IndexReading:
            raise AssertionError("the index was read")

    config = RecallConfig(
        sources=(SourceConfig(name="email"),), index=IndexConfig.model_validate({"url": "sqlite://", "mode": mode})
    )
    source = ListedSource("email")
    with RecallService(config, {"email": source}, index=Unread("sqlite://")) as recall:
        recall.warm_up()
        assert source.search_count == 0
        assert recall.expected_s(1) > 0
