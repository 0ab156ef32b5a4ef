"""The word lists as data: readable, folded, each word found, each family of use."""

from __future__ import annotations

import pytest
from utterances import utterances

from temporal_recall.dataflows.language.planner_cues import question_cues
from temporal_recall.dataflows.language.planner_sources import SOURCE_WORDS
from temporal_recall.dataflows.language.planner_traps import TRAPS
from temporal_recall.dataflows.language.planner_words import ALL_FAMILIES, WordFamily, family_pattern
from temporal_recall.dataflows.zh_time.script import folded

EVERY_FAMILY = (*ALL_FAMILIES, *(trap.family for trap in TRAPS), *SOURCE_WORDS.values())


@pytest.mark.parametrize("family", EVERY_FAMILY, ids=lambda family: family.name)
class TestFamily:
    def test_says_what_it_means(self, family: WordFamily) -> None:
        assert family.meaning
        assert family.words or family.forms

    def test_words_are_written_as_folded_text_has_them(self, family: WordFamily) -> None:
        assert [word for word in family.words.split() if folded(word) != word] == []

    def test_finds_each_of_its_words(self, family: WordFamily) -> None:
        pattern = family_pattern(family)
        assert [word for word in family.words.split() if not pattern.search(word)] == []

    def test_no_word_stands_twice(self, family: WordFamily) -> None:
        words = family.words.split()
        assert len(set(words)) == len(words)


def test_names_are_unique() -> None:
    for families in (ALL_FAMILIES, tuple(trap.family for trap in TRAPS)):
        names = [family.name for family in families]
        assert len(set(names)) == len(names)


def test_every_family_is_found_in_some_question() -> None:
    found = {name for u in utterances() for name in question_cues(u.text).spans_by_family}
    assert {family.name for family in ALL_FAMILIES} - found == set()


def test_a_trap_yields_to_families_that_exist() -> None:
    known = {family.name for family in ALL_FAMILIES} | {"past_decision"}
    assert {name for trap in TRAPS for name in trap.yields_to} <= known
