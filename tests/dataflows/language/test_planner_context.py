"""What a word means where it stands: the asking tells nothing, a recalled plan is no past, a bound is no adverb."""

from __future__ import annotations

import pytest

from temporal_recall.dataflows.language.planner_cues import question_cues


@pytest.mark.parametrize(
    ("text", "family", "is_found"),
    [
        ("我想问下明天几点开会", "say_verb", False),
        ("昨天我想问你什么", "say_verb", True),
        ("跟我说说这周的安排", "say_verb", False),
        ("上周跟我说过的事", "say_verb", True),
        ("请告诉我昨天定了什么", "say_verb", False),
        ("昨天老王告诉我什么", "say_verb", True),
        ("周末干嘛来着", "past_mark", True),
        ("周末打算干嘛来着", "past_mark", False),
        ("今天几点面试我忘了", "past_mark", False),
        ("我买了机票，几点要到机场", "past_mark", False),
        ("我买了机票，几点到的机场", "past_mark", True),
        ("双十一之前定的事", "past_decision", False),
        ("之前定的事", "past_decision", True),
    ],
)
def test_a_word_counts_for_what_it_means_where_it_stands(text: str, family: str, is_found: bool) -> None:
    assert question_cues(text).has(family) == is_found
