"""Grams are read as they were written."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from temporal_recall.dataflows.language.gram_texts import read_grams, written_grams
from temporal_recall.dataflows.language.grams import GRAM_BITS, Grams, text_grams

GRAMS = st.lists(st.integers(0, (1 << GRAM_BITS) - 1), max_size=5, unique=True).map(sorted)


def grams_of(*by_text: list[int]) -> Grams:
    row = np.repeat(np.arange(len(by_text)), [len(grams) for grams in by_text])
    return Grams(row, np.array([gram for grams in by_text for gram in grams], dtype=np.int64))


@given(st.lists(GRAMS, max_size=6))
def test_what_was_written_is_read(by_text: list[list[int]]) -> None:
    grams = grams_of(*by_text)
    texts = written_grams(grams, len(by_text))
    assert [len(text) for text in texts.to_pylist()] == [4 * len(found) for found in by_text]
    again = read_grams(texts)
    assert (again.row.tolist(), again.gram.tolist()) == (grams.row.tolist(), grams.gram.tolist())


def test_some_of_the_texts_have_their_own_grams() -> None:
    texts = written_grams(grams_of([1, 2], [], [70000], [3]), 4)
    assert read_grams(texts[1:3]).gram.tolist() == [70000]
    assert read_grams(texts.take(pa.array([3, 0]))).gram.tolist() == [3, 1, 2]
    assert read_grams(texts[:0]).row.tolist() == []


@pytest.mark.parametrize("length", range(4))
def test_grams_lie_anywhere_among_other_texts(length: int) -> None:
    (written,) = written_grams(grams_of([70000, 3]), 1).to_pylist()
    texts = pa.array(["x" * length, written], pa.large_string())
    assert read_grams(texts[1:]).gram.tolist() == [70000, 3]


def test_words_are_written_in_letters_and_figures() -> None:
    words = pa.array(["和张总在国贸签合同", "the Q3 报告"], pa.large_string())
    (first, second) = written_grams(text_grams(words), 2).to_pylist()
    assert first.isascii()
    assert second.replace("_", "").replace("~", "").isalnum()
