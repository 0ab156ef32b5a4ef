"""With which two characters a rule may begin, and that the scanner misses nothing by asking."""

from __future__ import annotations

import re

import pytest

from temporal_recall.dataflows.beginnings import Beginnings, Characters, second_characters
from temporal_recall.dataflows.zh_time import corpus
from temporal_recall.dataflows.zh_time.rules import RULES, SCANNER
from temporal_recall.dataflows.zh_time.script import folded


@pytest.mark.parametrize(
    ("pattern", "may_begin", "may_not"),
    [
        ("ab", "ab", "ac ba"),
        ("a|bc", "ax bc", "bx cc"),
        ("a?b", "ab bx", "xb"),
        ("a{0,4}b", "aa ab bx", "xb"),
        ("a{2}b", "aa", "ab bx"),
        ("(?P<x>a|b)[c-e]", "ac be", "ax cc"),
        ("(?>ab|c)d", "ab cd", "ad cx bx"),
        ("a(?=b)", "ab", "ax"),
        ("a(?=b)?", "ab ax", "bb"),
        ("(?=a).b", "ab", "ax"),
        ("(?<=x)ab", "ab", "ax"),
        ("a(?!b)", "ab ax", "bb"),
        ("a$", "ax", "bx"),
        ("[^a]b", "bb cb", "bx"),
        (r"a\d", "a1 ax", "b1"),
        (r"(a)\1", "aa ax", "ba"),
    ],
)
def test_pairs_that_cannot_match_are_left_out(pattern: str, may_begin: str, may_not: str) -> None:
    following = second_characters(re.compile(pattern), "abc")
    allowed = [pair for pair in f"{may_begin} {may_not}".split() if _may_begin(following, pair)]
    assert allowed == may_begin.split()
    among_others = Beginnings([re.compile("x"), re.compile(pattern)])
    assert all(1 in among_others.of_pair(pair) or 1 in among_others.anywhere for pair in may_begin.split())


@pytest.mark.parametrize(
    ("pair", "numbers"), [("ab", (0, 3)), ("ax", (0,)), ("bc", (1,)), ("xb", (3,)), ("a", (0,)), ("xx", ())]
)
def test_a_pair_of_characters_tells_which_patterns_may_begin_with_it(pair: str, numbers: tuple[int, ...]) -> None:
    beginnings = Beginnings(map(re.compile, ("a", "bc", ".+", "[^y]b")))
    assert (beginnings.of_pair(pair), beginnings.anywhere) == (numbers, {2})


@pytest.mark.parametrize(("pattern", "text"), [("a", "a"), ("[^a]", "b"), ("a?", ""), ("(?i)a", "A"), ("^$", "")])
def test_a_text_of_one_character_or_none_is_not_missed(pattern: str, text: str) -> None:
    beginnings = Beginnings([re.compile(pattern)])
    assert 0 in beginnings.of_pair(text) or 0 in beginnings.anywhere


@pytest.mark.parametrize(("text", "numbers"), [("xbc", {1, 2, 3}), ("aa", {0, 2}), ("x", {2}), ("", {2})])
def test_a_text_tells_which_patterns_may_match_somewhere_in_it(text: str, numbers: set[int]) -> None:
    assert Beginnings(map(re.compile, ("a", "bc", ".+", "[^y]b"))).possible_in(text) == numbers


def _may_begin(following: dict[str, Characters], pair: str) -> bool:
    seconds = following.get(pair[0], frozenset())
    return seconds is None or pair[1] in seconds


def test_the_scanner_finds_what_trying_every_rule_finds() -> None:
    phrases = [phrase for listed in corpus.PHRASES.values() for phrase in listed.split(" | ")]
    for text in map(folded, (*phrases, *corpus.LOOKALIKES.split(" | "))):
        for at in range(len(text)):
            found = SCANNER.match(text, at)
            assert (found and found[0].name) == _first_of_all(text, at), (text, at)


def _first_of_all(text: str, at: int) -> str | None:
    matching = (rule.name for rule in RULES if text[at] in rule.starts and rule.pattern.match(text, at))
    return next(matching, None)
