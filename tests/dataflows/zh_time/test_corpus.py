"""The corpus beside the rules: every phrase means its window, every look-alike means nothing, every rule is hit."""

from __future__ import annotations

import re._constants as ops
import re._parser as parser
from collections import Counter
from typing import Any

import pytest

from temporal_recall.dataflows.zh_time import corpus, find_times
from temporal_recall.dataflows.zh_time.hints import starts
from temporal_recall.dataflows.zh_time.rules import RULES, SCANNER
from temporal_recall.dataflows.zh_time.script import folded
from temporal_recall.schemas.time import TimeExpression

PHRASES = {phrase: window for window, phrases in corpus.PHRASES.items() for phrase in phrases.split(" | ")}
RECURRENCES = {phrase: rule for rule, phrases in corpus.RECURRENCES.items() for phrase in phrases.split(" | ")}
LENGTHS = {phrase: seconds for seconds, phrases in corpus.LENGTHS.items() for phrase in phrases.split(" | ")}
LOOKALIKES = corpus.LOOKALIKES.split(" | ")


def _only(text: str) -> TimeExpression:
    (found,) = find_times(text, corpus.NOW)
    return found


def _window(found: TimeExpression) -> str:
    assert found.core is not None
    bounds = (found.core.start, found.core.end)
    return " / ".join("" if b is None else b.strftime("%Y-%m-%d %H:%M:%S").removesuffix(":00") for b in bounds)


def test_it_is_large_enough_to_mean_something() -> None:
    assert len(PHRASES) + len(RECURRENCES) + len(LENGTHS) >= 500
    assert len(LOOKALIKES) == len(set(LOOKALIKES)) >= 300


@pytest.mark.parametrize("window", corpus.PHRASES)
def test_phrases_mean_their_window(window: str) -> None:
    read = {phrase: _window(_only(phrase)) for phrase in corpus.PHRASES[window].split(" | ")}
    assert read == dict.fromkeys(read, window)


@pytest.mark.parametrize("phrase", RECURRENCES)
def test_recurrences_are_rules_and_no_range(phrase: str) -> None:
    found = _only(phrase)
    assert (found.kind, found.core, found.recurrence or "no rule") == ("recurrence", None, RECURRENCES[phrase])


@pytest.mark.parametrize("phrase", LENGTHS)
def test_lengths_are_durations_and_no_range(phrase: str) -> None:
    found = _only(phrase)
    assert found.duration is not None
    assert (found.kind, found.core, found.duration.total_seconds()) == ("duration", None, LENGTHS[phrase])


def test_lookalikes_hold_no_time() -> None:
    read = {text: [e.text for e in find_times(text, corpus.NOW)] for text in LOOKALIKES}
    assert {text: found for text, found in read.items() if found} == {}


def test_every_rule_is_hit_by_some_phrase() -> None:
    texts = (*PHRASES, *RECURRENCES, *LENGTHS, *LOOKALIKES)
    hit = {lexeme.rule for text in texts for lexeme in SCANNER.lexemes(folded(text))}
    assert sorted({rule.name for rule in RULES} - hit) == []


def test_rules_bear_different_names() -> None:
    assert [name for name, count in Counter(rule.name for rule in RULES).items() if count > 1] == []


@pytest.mark.parametrize("text", [*PHRASES, *RECURRENCES, *LENGTHS])
def test_the_pairs_tell_where_every_phrase_may_begin(text: str) -> None:
    assert starts(folded(text))


@pytest.mark.parametrize(
    "phrase", ["上周三", "去年八月十五号", "最近三天", "腊月二十三", "明天下午三点", "国庆前", "两天前"]
)
@pytest.mark.parametrize("sentence", ["{}", "我记得{}", "{}的那件事", "（{}）", "老张说，{}再看", "  {}  "])
def test_a_phrase_inside_a_sentence_keeps_its_span(phrase: str, sentence: str) -> None:
    text = sentence.format(phrase)
    spans = [text[slice(*e.span)] for e in find_times(text, corpus.NOW)]
    assert spans == [phrase]


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("上周三下午三点", ("unit-offset", "weekday-of-week", "part-of-day", "clock")),
        ("去年国庆假期", ("year-offset", "feast", "during")),
        ("3天前", ("length", "ago")),
        ("每周二周四", ("every-weekdays",)),
        ("从9月1日到9月5日", ("from", "month", "day", "to", "month", "day")),
    ],
)
def test_the_trace_names_the_rules_in_order(text: str, rules: tuple[str, ...]) -> None:
    assert _only(text).rules == rules


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_declares_what_its_pattern_begins_with(rule: Any) -> None:
    assert _first_characters(parser.parse(rule.pattern.pattern))[0] <= rule.starts
    assert rule.pattern.groups == len(rule.pattern.groupindex), "a rule's groups have names"


def _first_characters(sequence: Any) -> tuple[set[str], bool]:
    """The characters that a parsed pattern may begin with, and whether it may be empty."""
    firsts: set[str] = set()
    for op, argument in sequence:
        found, empty = _firsts_of(op, argument)
        firsts |= found
        if not empty:
            return firsts, False
    return firsts, True


def _firsts_of(op: Any, argument: Any) -> tuple[set[str], bool]:
    if op in (ops.ASSERT, ops.ASSERT_NOT, ops.AT):
        return set(), True
    if op is ops.LITERAL:
        return {chr(argument)}, False
    if op is ops.IN:
        return {chr(c) for kind, value in argument for c in _members(kind, value)}, False
    if op is ops.BRANCH:
        found = [_first_characters(branch) for branch in argument[1]]
        return set().union(*(f for f, _ in found)), any(empty for _, empty in found)
    if op in (ops.MAX_REPEAT, ops.MIN_REPEAT):
        found, empty = _first_characters(argument[2])
        return found, empty or argument[0] == 0
    assert op in (ops.SUBPATTERN, ops.ATOMIC_GROUP), f"a rule may not begin with {op}"
    return _first_characters(argument[3] if op is ops.SUBPATTERN else argument)


def _members(kind: Any, value: Any) -> range:
    assert kind in (ops.LITERAL, ops.RANGE), f"a rule may not begin with a class of {kind}"
    return range(value, value + 1) if kind is ops.LITERAL else range(value[0], value[1] + 1)
