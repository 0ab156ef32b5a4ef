"""Laws that hold for any text and any instant."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from temporal_recall.dataflows.zh_time import corpus, find_times, parse_time
from temporal_recall.dataflows.zh_time.hints import is_timeless, starts
from temporal_recall.dataflows.zh_time.script import folded, forms
from temporal_recall.schemas.time import TimeExpression

PHRASES = [phrase for phrases in corpus.PHRASES.values() for phrase in phrases.split(" | ")]
TEXTS = [*PHRASES, *corpus.LOOKALIKES.split(" | ")]
PIECES = [*TEXTS, *"到至前后的和，。、-~/：:每除了从自 12345", "🙂", "\ud800", "\x00"]
SHANGHAI = timezone(timedelta(hours=8))

instants = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.just(SHANGHAI))
mixtures = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)
texts = st.one_of(st.text(max_size=40), st.text(alphabet="".join(TEXTS), max_size=25), mixtures)
tenses = st.sampled_from([None, "past", "plan"])
laws = settings(max_examples=200, deadline=None)


@laws
@given(texts, instants, tenses)
def test_any_text_is_read_and_every_expression_is_sound(text: str, now: datetime, tense) -> None:  # type: ignore[no-untyped-def]
    end_before = 0
    for found in find_times(text, now, tense=tense):
        start, end = found.span
        assert end_before <= start < end <= len(text)
        assert text[start:end] == found.text
        assert (found.core is None) == (found.kind in ("duration", "recurrence"))
        _assert_core_lies_inside_wide(found)
        end_before = end


def _assert_core_lies_inside_wide(found: TimeExpression) -> None:
    if found.core is None or found.wide is None:
        return
    assert found.wide.start is None or (found.core.start is not None and found.wide.start <= found.core.start)
    assert found.wide.end is None or (found.core.end is not None and found.core.end <= found.wide.end)
    for excluded in found.excluded:
        assert found.core.start is not None
        assert excluded.start is not None
        assert found.core.start < excluded.start


@laws
@given(texts, st.datetimes(timezones=st.just(UTC)))
def test_the_ends_of_the_calendar_raise_nothing(text: str, now: datetime) -> None:
    find_times(text, now)


@pytest.mark.parametrize("unit", ["日", "9", "十", "上", "到", "周一到", "每", "a", "3.3 ", "12:", "\ud800", "前天的"])
def test_twenty_thousand_characters_are_read_in_linear_time(unit: str) -> None:
    find_times((unit * 20_000)[:20_000], corpus.NOW)  # a quadratic loop of Python would take minutes


@laws
@given(
    st.sampled_from(["今天", "后天下午", "这周三", "上上周五", "下周末", "三天前", "两周后", "前天晚上八点"]),
    instants,
    st.integers(-300, 300),
)
def test_whole_weeks_move_day_and_week_words_likewise(phrase: str, now: datetime, weeks: int) -> None:
    shift = timedelta(weeks=weeks)
    (here,), (there,) = find_times(phrase, now), find_times(phrase, now + shift)
    assert here.core is not None
    assert there.core is not None
    assert here.core.start is not None
    assert there.core.start == here.core.start + shift


@laws
@given(st.sampled_from(TEXTS), st.randoms(use_true_random=False))
def test_traditional_and_simplified_agree(text: str, chooser: random.Random) -> None:
    other = "".join(chooser.choice(forms(c)) for c in folded(text))
    assert _readings(other) == _readings(folded(text))


@laws
@given(st.sampled_from(TEXTS))
def test_full_width_and_half_width_agree(text: str) -> None:
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)
    assert _readings(wide) == _readings(text)


@laws
@given(st.one_of(st.text(), st.sampled_from(TEXTS)), st.randoms(use_true_random=False))
def test_what_is_called_timeless_has_no_place_for_a_time_word(text: str, chooser: random.Random) -> None:
    other = "".join(chooser.choice(forms(c)) for c in folded(text))
    assert not (is_timeless(other) and starts(folded(other)))


def _readings(text: str) -> list[tuple[object, ...]]:
    return [(e.span, e.kind, e.core, e.wide, e.recurrence, e.duration) for e in find_times(text, corpus.NOW)]


@laws
@given(st.sampled_from(PHRASES))
def test_a_range_written_out_is_read_back(phrase: str) -> None:
    found = parse_time(phrase, corpus.NOW)
    assert found is not None
    if found.kind != "range" or found.core is None or found.core.start is None or found.core.start.second:
        return
    start = found.core.start
    if start.year >= 1000:
        again = parse_time(f"{start.year}年{start.month}月{start.day}日{start:%H:%M}", corpus.NOW)
        assert again is not None
        assert again.core is not None
        assert again.core.start == start


@laws
@given(texts, instants)
def test_the_same_input_gives_the_same_answer(text: str, now: datetime) -> None:
    assert find_times(text, now) == find_times(text, now)


@laws
@given(texts, instants, tenses)
def test_the_scope_is_the_first_expression_with_a_place_in_time(text: str, now: datetime, tense) -> None:  # type: ignore[no-untyped-def]
    found = find_times(text, now, tense=tense)
    scope = parse_time(text, now, tense=tense)
    assert (scope is None) == (not found)
    if scope is not None:
        lead = next((e for e in found if e.core is not None), found[0])
        assert (scope.span, scope.core, list(scope.expressions)) == (lead.span, lead.core, found)
