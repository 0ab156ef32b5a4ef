"""Searching a column: what each text holds, seen for the first time or again."""

from __future__ import annotations

import pandas as pd
import pytest

from temporal_recall.dataflows.language.extraction_search import PatternSet, holds

PATTERNS = ("开会|见面", "^明天", "[a-z]+$")


def test_each_text_is_searched_and_keeps_its_row() -> None:
    text = pd.Series(["明天开会", "今天 ok", ""], index=[7, 3, 5], dtype="str")
    assert holds(text, "明天|ok").to_dict() == {7: True, 3: True, 5: False}


@pytest.mark.parametrize(
    "texts",
    [["明天开会", "今天 ok", "明天见面ok"], ["明天见面ok", "明天开会", "明天开会"], ["没有"], [""], []],
)
def test_patterns_are_told_one_a_row_and_texts_one_a_column(texts: list[str]) -> None:
    patterns = PatternSet(PATTERNS)
    patterns.found_in(["明天开会", "后天"])
    searched = [holds(pd.Series(texts, dtype="str"), pattern).tolist() for pattern in PATTERNS]
    assert patterns.found_in(texts).tolist() == searched == patterns.found_in(texts).tolist()


def test_more_texts_than_are_remembered_are_searched_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PatternSet, "_REMEMBERED", 2)
    patterns = PatternSet(PATTERNS)
    texts = [f"明天{n}" for n in range(5)]
    assert [patterns.found_in(texts).sum(axis=1).tolist() for _ in range(2)] == [[0, 5, 0]] * 2
