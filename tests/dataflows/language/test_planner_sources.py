"""Source weights, targets and search words."""

from __future__ import annotations

from typing import get_args

import pytest

from temporal_recall.dataflows.language.planner_cues import question_cues
from temporal_recall.dataflows.language.planner_sources import (
    STRONG_WEIGHT,
    TARGET_RULES,
    expansions_of,
    strong_sources,
    weights_of_sources,
    weights_of_targets,
)
from temporal_recall.schemas.plan import TemporalMode

MODES: tuple[TemporalMode, ...] = get_args(TemporalMode)
ENABLED = ("meinput", "chat", "calendar", "memory_v2", "weather_station")


class TestSourceWeights:
    @pytest.mark.parametrize("mode", MODES)
    def test_every_enabled_source_keeps_a_weight_heaviest_first(self, mode: TemporalMode) -> None:
        weights = weights_of_sources(ENABLED, ["calendar"], mode, "personal_temporal_recall")
        assert set(weights) == set(ENABLED)
        assert all(weight > 0 for weight in weights.values())
        assert list(weights.values()) == sorted(weights.values(), reverse=True)

    @pytest.mark.parametrize("source", ["meinput", "chat", "calendar", "memory_v2"])
    def test_a_strong_word_lifts_its_source_above_all_others(self, source: str) -> None:
        weights = weights_of_sources(ENABLED, [source], "AMBIGUOUS", "mixed")
        assert next(iter(weights.items())) == (source, STRONG_WEIGHT)

    def test_a_strong_word_enables_no_source(self) -> None:
        assert set(weights_of_sources(("chat",), ["calendar"], "PLANNED_IN", "mixed")) == {"chat"}

    def test_what_was_said_to_the_assistant_is_hardly_known_elsewhere(self) -> None:
        weights = weights_of_sources(
            ENABLED, ["chat"], "MENTIONED_IN", "personal_temporal_recall", is_told_assistant=True
        )
        chat, *others = weights.values()
        assert (next(iter(weights)), chat) == ("chat", STRONG_WEIGHT)
        assert all(0 < weight < chat / 2 for weight in others)

    def test_old_decisions_are_looked_for_in_memory(self) -> None:
        assert next(iter(weights_of_sources(ENABLED, [], "CREATED_IN", "memory"))) == "memory_v2"

    @pytest.mark.parametrize(
        ("text", "sources"),
        [
            ("上周的日历", ["calendar"]),
            ("昨天你推荐的书", ["chat"]),
            ("我的原话", ["meinput"]),
            ("昨天的邮件和会议", ["calendar", "email"]),
            ("昨天做了什么", []),
        ],
    )
    def test_strong_words_name_their_source(self, text: str, sources: list[str]) -> None:
        assert strong_sources(question_cues(text)) == sources


class TestTargets:
    @pytest.mark.parametrize(
        ("text", "mode", "first"),
        [
            ("昨天做了什么", "OCCURRED_IN", "event"),
            ("今天有什么会议", "PLANNED_IN", "calendar_event"),
            ("今天要做什么", "PLANNED_IN", "calendar_event"),
            ("周五要交什么", "DUE_IN", "todo"),
            ("昨天提到谁", "MENTIONED_IN", "mention"),
            ("昨天答应了谁", "MENTIONED_IN", "commitment"),
            ("上周定了什么", "CREATED_IN", "decision"),
            ("上周新建的待办", "CREATED_IN", "todo"),
        ],
    )
    def test_the_likeliest_kind_comes_first(self, text: str, mode: TemporalMode, first: str) -> None:
        weights = weights_of_targets(question_cues(text), mode, "personal_temporal_recall")
        assert next(iter(weights)) == first

    @pytest.mark.parametrize("text", ["今天有什么会", "下午有啥会", "明天有几个会", "周五有哪些评审"])
    def test_asked_for_meetings_what_one_has_to_do_comes_last(self, text: str) -> None:
        weights = weights_of_targets(question_cues(text), "PLANNED_IN", "personal_temporal_recall")
        assert weights["calendar_event"] == 1.0
        assert weights["todo"] == weights["commitment"] == min(weights.values())

    def test_asked_for_a_date_that_was_made_what_lies_ahead_comes_before_what_was_done(self) -> None:
        weights = weights_of_targets(question_cues("昨天我约了谁"), "AMBIGUOUS", "personal_temporal_recall")
        assert weights["schedule"] > weights["event"] > weights["todo"]

    @pytest.mark.parametrize("text", ["昨天我说过要做什么", "上周我说打算买什么"])
    def test_asked_for_what_one_said_one_would_do_what_lies_ahead_comes_before_all_else_told(self, text: str) -> None:
        weights = weights_of_targets(question_cues(text), "MENTIONED_IN", "personal_temporal_recall")
        assert min(weights["commitment"], weights["todo"], weights["schedule"]) > weights["mention"]

    def test_a_question_back_at_a_decision_looks_for_decisions(self) -> None:
        assert weights_of_targets(question_cues("x"), "OCCURRED_IN", "mixed")["decision"] == 1.0

    def test_every_rule_says_something_in_some_mode(self) -> None:
        assert all(rule.modes and rule.weights for rule in TARGET_RULES)


class TestExpansions:
    @pytest.mark.parametrize("mode", MODES)
    @pytest.mark.parametrize("source", ENABLED)
    def test_topics_lead_and_the_sources_own_words_follow(self, source: str, mode: TemporalMode) -> None:
        words = expansions_of(source, mode, ["报价"])
        assert words[0] == "报价"
        assert len(words) > 1

    def test_a_word_stands_once(self) -> None:
        words = expansions_of("calendar", "PLANNED_IN", ["会议", "会议"])
        assert len(set(words)) == len(words)
