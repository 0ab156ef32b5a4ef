"""Other people's texts, as a digest writes them."""

from __future__ import annotations

import pytest

from temporal_recall.dataflows.recap import texts
from temporal_recall.dataflows.recap.texts import clean_text, label_text


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("plan.md - Code", "plan.md - Code"),
        ("  a\tb\n\nc  ", "a b c"),
        ("a\u2028## Device b\u2029c\x85d\x1b[31m", "a ## Device b c d [31m"),
        ("ab\u202e\u2066cd", "abcd"),
        ("0\u200b9\ufeff:\u00ad0\u20600", "09:00"),
        ("note\U000e0049\U000e0067\U000e006e\U000e0100", "note"),
        ("\ud800x\ue000", "x"),
        ("👨\u200d👩\u200d👧 می\u200cخواهم", "👨\u200d👩\u200d👧 می\u200cخواهم"),
    ],
)
def test_a_text_is_one_line_of_what_can_be_seen(text: str, clean: str) -> None:
    assert clean_text(text) == clean


def test_a_row_hidden_by_unseen_characters_stands_in_quotes() -> None:
    assert label_text("09\u200b:00-10\u2060:00 away", 80) == '"09:00-10:00 away"'


def test_long_texts_are_not_remembered() -> None:
    before = texts._remembered.cache_info().currsize
    assert clean_text("長" * 10_000) == "長" * 10_000
    assert texts._remembered.cache_info().currsize == before
