"""Blanks keep a text's length, so that places stay places."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from temporal_recall.dataflows.language.planner_text import BLANK, blanked


@given(st.text(), st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)).map(lambda pair: tuple(sorted(pair)))))
def test_length_stays_and_all_else_stays(text: str, spans: list[tuple[int, int]]) -> None:
    inside = [(start, end) for start, end in spans if end <= len(text)]
    after = blanked(text, inside)
    covered = {place for start, end in inside for place in range(start, end)}
    assert len(after) == len(text)
    assert all(after[n] == (BLANK if n in covered else text[n]) for n in range(len(text)))
