"""Grams: what a text is compared by."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from temporal_recall.dataflows.language.grams import gram_weights, is_family, text_grams
from temporal_recall.dataflows.language.matters import FAMILIES
from temporal_recall.dataflows.language.topics import FAMILY_COVERAGE, term_coverage


def told(*texts: str) -> pa.Array:
    return pa.array(texts, pa.large_string())


def shared(left: str, right: str) -> int:
    grams = text_grams(told(left, right))
    return len(set(grams.gram[grams.row == 0]) & set(grams.gram[grams.row == 1]))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("需求评审", "评审会"),
        ("ＰＲＤ发了", "改prd"),
        ("Lydia 的会", "lydia来"),
        ("约了看牙", "拔了一颗智齿"),
        ("Dental review", "在牙科门口"),
        ("midterm", "明天考试"),
    ],
)
def test_texts_on_one_matter_share_a_gram(left: str, right: str) -> None:
    """By a word, whatever its case and width, or by a family of words."""
    assert shared(left, right) > 0


@pytest.mark.parametrize(
    ("left", "right"), [("明天下午三点", "今天下午三点半"), ("12 34", "12 34"), ("我的", "我的"), ("！？，", "！？，")]
)
def test_times_numbers_and_function_words_are_no_matter(left: str, right: str) -> None:
    assert shared(left, right) == 0


def test_no_text_has_no_gram() -> None:
    assert text_grams(told()).gram.tolist() == []
    assert text_grams(told("", "a")).gram.tolist() == []


def test_many_texts_are_read_as_few_are() -> None:
    """They are read in portions; a text that holds the mark between texts is still one."""
    texts = [f"评审{number}\x00看牙" for number in range(20_000)]
    grams = text_grams(told(*texts))
    each = text_grams(told(*texts[:1])).gram
    assert grams.row.tolist() == np.repeat(np.arange(len(texts)), len(each)).tolist()
    assert grams.gram[-len(each) :].tolist() == each.tolist()


def test_a_gram_in_every_text_weighs_least() -> None:
    grams = text_grams(told("评审会", "评审表", "评审费"))
    weights = gram_weights(grams.gram, 3)
    everywhere = (grams.gram == grams.gram[:, np.newaxis]).sum(axis=0) == 3
    bigrams = weights[everywhere].max()
    assert bigrams < weights[~everywhere].max()


def test_every_word_of_a_family_is_in_that_family_alone() -> None:
    """A word that stood in two families would only ever count for the later one."""
    words = [word for family in FAMILIES.values() for word in family.split()]
    assert len(words) == len(set(words))
    for family in FAMILIES.values():
        grams = text_grams(told(*family.split()))
        named = grams.row[is_family(grams.gram)]
        assert len(set(named.tolist())) == len(family.split()), family


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(max_size=20), max_size=6))
def test_rows_and_grams_come_sorted_and_once(texts: list[str]) -> None:
    grams = text_grams(told(*texts))
    pairs = list(zip(*(values.tolist() for values in grams), strict=True))
    assert pairs == sorted(set(pairs))
    assert set(grams.row.tolist()) <= set(range(len(texts)))


class TestTermCoverage:
    def test_the_whole_term_covers_all_and_another_word_of_its_family_most(self) -> None:
        coverage = term_coverage(told("看牙改期", "拔了智齿", "开会"), ["看牙"])[:, 0]
        assert coverage[0] == pytest.approx(1.0)
        assert 0.5 < coverage[1] < 1.0
        assert coverage[2] == 0.0

    def test_what_nobody_says_of_a_term_weighs_little_beside_a_word_that_someone_says(self) -> None:
        texts = told("下午去复查", "开会", "买菜")
        said, unsaid = term_coverage(texts, ["复查定"])[:, 0], term_coverage(texts, ["检修定"])[:, 0]
        assert said[0] > 0.75
        assert said[1:].tolist() == unsaid.tolist()[1:] == [0.0, 0.0]

    @pytest.mark.parametrize(
        ("text", "term"),
        [
            ("ＰＲＤ发了", "prd"),
            ("改prd", "ＰＲＤ"),
            ("Lydia 来", "LYDIA"),
            ("拔了智齿", "Dental"),
            ("DENTAL review", "看牙"),
        ],
    )
    def test_a_term_is_found_in_any_case_and_width_and_by_kindred_words(self, text: str, term: str) -> None:
        assert term_coverage(told("开会", text), [term])[:, 0].tolist()[0] == 0.0
        assert term_coverage(told("开会", text), [term])[1, 0] >= FAMILY_COVERAGE

    def test_a_single_character_in_common_does_not_name_the_term(self) -> None:
        assert term_coverage(told("外面下雪了", "开会"), ["滑雪场"])[0, 0] < 0.5

    def test_a_term_without_a_telling_gram_covers_nothing(self) -> None:
        assert term_coverage(told("我的"), ["的", "2"]).tolist() == [[0.0, 0.0]]

    @settings(max_examples=100, deadline=None)
    @given(
        st.lists(st.text(max_size=15), max_size=5), st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=3)
    )
    def test_it_lies_between_nothing_and_all(self, texts: list[str], terms: list[str]) -> None:
        coverage = term_coverage(told(*texts), terms)
        assert coverage.shape == (len(texts), len(terms))
        assert ((coverage >= 0) & (coverage <= 1 + 1e-9)).all()
