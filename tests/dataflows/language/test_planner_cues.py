"""Cues of a question: which families are found where, and what is not read at all."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from temporal_recall.dataflows.beginnings import Beginnings
from temporal_recall.dataflows.language.planner_cues import question_cues
from temporal_recall.dataflows.language.planner_traps import TRAPS
from temporal_recall.dataflows.language.planner_words import ALL_FAMILIES, WordFamily, family_pattern


@pytest.mark.parametrize(
    ("text", "family", "is_found"),
    [
        ("我说了什么", "say_verb", True),
        ("我說了什麼", "say_verb", True),
        ("据说要下雨", "say_verb", False),
        ("这本小说叫什么", "say_verb", False),
        ("有什么问题", "say_verb", False),
        ("学问有多深", "say_verb", False),
        ("聊得来吗", "say_verb", False),
        ("定了哪些事", "decide_verb", True),
        ("肯定有什么", "decide_verb", False),
        ("决定论是什么", "decide_verb", False),
        ("搞定的有哪些", "decide_verb", False),
        ("谁参加了", "create_verb", False),
        ("忘记了什么", "create_verb", False),
        ("去新加坡吗", "create_verb", False),
        ("这个月加了几天班", "create_verb", False),
        ("往清单里加了什么", "create_verb", True),
        ("帮我看看", "first_person", False),
        ("我看看", "first_person", True),
        ("通过了没有", "past_mark", True),
        ("过几天去哪", "past_mark", False),
        ("为了什么", "past_mark", False),
        ("还有什么due", "due_word", True),
        ("overdue library books", "due_word", True),
        ("重要的事", "plan_verb", False),
        ("明天要做什么", "plan_verb", True),
        ("没做完的", "unresolved", True),
        ("为什么没买那套房", "unresolved", False),
    ],
)
def test_a_word_counts_only_where_it_means_what_it_says(text: str, family: str, is_found: bool) -> None:
    assert question_cues(text).has(family) == is_found


class TestContext:
    def test_what_one_is_going_to_say_is_not_said(self) -> None:
        assert not question_cues("明天要跟谁谈合同").has("say_verb")

    def test_what_is_about_to_happen_has_not_happened(self) -> None:
        assert not question_cues("快要开会了吗").has("past_mark")

    def test_a_decision_of_before_is_none_of_the_range(self) -> None:
        cues = question_cues("这个季度的进展和当初定的目标差多少")
        assert cues.has("past_decision")
        assert not cues.has("decide_verb")

    @pytest.mark.parametrize("quote", ["「明天」", "“明天”", "《明天》", "`明天`", '"明天"'])
    def test_quotes_are_kept_apart(self, quote: str) -> None:
        cues = question_cues(f"我什么时候说过{quote}")
        assert cues.quotes == ("明天",)
        assert "明天" not in cues.plain

    def test_a_clause_waved_off_is_not_read(self) -> None:
        assert "明天" not in question_cues("别管明天了，昨天我干嘛了").plain


class TestTraps:
    @pytest.mark.parametrize(
        ("text", "trap"),
        [
            ("昨天那场球赛谁赢了", "sport"),
            ("昨天那场球赛我跟谁约的", None),
            ("明天天气怎么样，我要出差", "weather"),
            ("明天天气怎么样，我有什么安排", None),
            ("现在几点了，我今天几点开会", None),
            ("把周会挪到周五", "setting_task"),
            ("把周会挪到哪天了", None),
            ("帮我安排明天的会", "setting_task"),
            ("帮我看下明天的安排", None),
            ("上周我查的天气是哪天的", None),
            ("写一首诗", "writing_task"),
            ("我上周写了几首诗", None),
            ("提醒我明天开会", "setting_task"),
            ("提醒我一下，昨天我答应了谁", None),
            ("昨天记的步骤在哪", None),
            ("昨天学会了什么", None),
            ("三天学会弹吉他", "idiom"),
        ],
    )
    def test_a_trap_yields_to_the_users_own_affairs(self, text: str, trap: str | None) -> None:
        assert question_cues(text).trap == trap


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_read_and_spans_lie_inside_it(text: str) -> None:
    cues = question_cues(text)
    assert len(cues.plain) == len(text)
    assert all(0 <= start < end <= len(text) for spans in cues.spans_by_family.values() for start, end in spans)


def test_reading_takes_time_in_proportion_to_the_text() -> None:
    """A text without end that could backtrack is read at once."""
    for piece in ("要跟", "的", "我说", "a_", "(", "「", "从到", "把改"):
        question_cues(piece * 1000)


@pytest.mark.parametrize("family", [*ALL_FAMILIES, *(trap.family for trap in TRAPS)], ids=lambda each: each.name)
def test_no_word_of_a_family_is_passed_over(family: WordFamily) -> None:
    pattern = family_pattern(family)
    beginnings = Beginnings([pattern])
    assert not [word for word in family.words.split() if pattern.search(word) and not beginnings.possible_in(word)]
