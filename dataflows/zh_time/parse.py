"""The public entrance: text in, time expressions out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

import pandas as pd

from temporal_recall.dataflows.zh_time.calendar import local
from temporal_recall.dataflows.zh_time.company import has_company
from temporal_recall.dataflows.zh_time.discourse import Talk
from temporal_recall.dataflows.zh_time.grammar import expressions
from temporal_recall.dataflows.zh_time.hints import is_timeless
from temporal_recall.dataflows.zh_time.nodes import Expression
from temporal_recall.dataflows.zh_time.readings import Speaking
from temporal_recall.dataflows.zh_time.rules import SCANNER
from temporal_recall.dataflows.zh_time.script import folded
from temporal_recall.dataflows.zh_time.telling import told
from temporal_recall.dataflows.zh_time.tense import clause_tense
from temporal_recall.schemas.time import Tense, TimeExpression, TimeScope, zone_of

_REMEMBERED_LENGTH = 200


class Heard(NamedTuple):
    """An expression of a text, and the tense of its clause."""

    expression: Expression
    tense: Tense | None


class TimeWords(NamedTuple):
    """A text, the same folded, and what it says of time, whoever says it and whenever."""

    text: str
    folded: str = ""
    heard: tuple[Heard, ...] = ()


def time_words(text: str) -> TimeWords:
    """What a text says of time, before anyone asks when it was said; short texts are remembered."""
    return _remembered(text) if len(text) <= _REMEMBERED_LENGTH else _time_words(text)


def _time_words(text: str) -> TimeWords:
    if is_timeless(text):
        return TimeWords(text)
    plain = folded(text)
    kept = (e for e in expressions(SCANNER.lexemes(plain), plain) if has_company(e, plain))
    return TimeWords(text, plain, tuple(Heard(e, clause_tense(plain, e.start, e.end)) for e in kept))


_remembered = lru_cache(maxsize=8192)(_time_words)
"""The same words come again with every question and every pass over the records."""


def find_times(
    text: str, now: datetime, *, time_zone: str | None = None, tense: Tense | None = None
) -> list[TimeExpression]:
    """The time expressions of a text in order, none overlapping another.

    Args:
        text: any text; what holds no time gives an empty list.
        now: the aware instant at which the text was said.
        time_zone: the zone of the speaker (IANA id or offset such as +08:00); that of `now` where it is not given.
        tense: the tense to read all expressions in; each clause's own where it is not given.

    Raises:
        ValueError: `now` is naive, or the zone is unknown.
    """
    if now.tzinfo is None:
        raise ValueError(f"now is {now.isoformat()}; it must carry its zone")
    zone = now.tzinfo if time_zone is None else zone_of(time_zone)
    words = time_words(text)
    return _found(words, Speaking(local(now, zone), zone, tense)) if words.heard else []


def find_clause_times(
    words: TimeWords, now: datetime, starts: Sequence[int], tenses: Sequence[Tense]
) -> list[tuple[int, TimeExpression]]:
    """The time expressions of a text in order, each with the number of its clause and read in the tense of that.

    Their leading readings alone are told: `wide` is the core, and `alternatives` are not looked for.

    Args:
        words: what the text says of time.
        now: the aware instant at which the text was said, in the zone of the speaker.
        starts: where the clauses begin, in order; what stands before the first one belongs to it.
        tenses: the tense of each clause.

    Raises:
        ValueError: `now` is naive.
    """
    if now.tzinfo is None:
        raise ValueError(f"now is {now.isoformat()}; it must carry its zone")
    if not words.heard:
        return []
    moment = local(now, now.tzinfo)
    clause_at = {h.expression.start: max(bisect_right(starts, h.expression.start) - 1, 0) for h in words.heard}
    told_in: set[Tense] = {tenses[clause] for clause in clause_at.values()}
    found = [
        (clause, expression)
        for tense in told_in
        for expression in _found(words, Speaking(moment, now.tzinfo, tense, brief=True))
        if tenses[clause := clause_at[expression.span[0]]] == tense
    ]
    return sorted(found, key=_place) if len(told_in) > 1 else found


def _place(found: tuple[int, TimeExpression]) -> int:
    return found[1].span[0]


def parse_time(
    text: str, now: datetime, *, time_zone: str | None = None, tense: Tense | None = None
) -> TimeScope | None:
    """The range that scopes a text: its leading expression's reading. None where the text holds no time.

    Arguments and errors are those of `find_times`. The leading expression is the first that has a place in time; a
    duration or recurrence leads only where nothing else is said.
    """
    found = find_times(text, now, time_zone=time_zone, tense=tense)
    if not found:
        return None
    lead = found[0] if found[0].core is not None else next((e for e in found if e.core is not None), found[0])
    return TimeScope(
        lead.kind, lead.core, lead.wide, lead.grain, lead.span, lead.alternatives, lead.excluded, tuple(found)
    )


def count_times(text: str) -> int:
    """How many time expressions a text holds, whatever they mean; far quicker than to place them."""
    return len(time_words(text).heard)


def resolve_times(text: pd.Series, observed_time: pd.Series, time_zone: pd.Series) -> pd.Series:
    """The time expressions of each record, read from its own observed time in its own zone.

    Args:
        text: one text per record; a missing one holds no time.
        observed_time: `datetime64[us, UTC]`, on the same index; a record without one (NaT) has nothing to be read
            from, and its list is empty.
        time_zone: IANA ids or offsets, on the same index.

    Returns:
        A Series on the index of `text`, one list of `TimeExpression` per record. Empty input gives an empty Series.

    Raises:
        ValueError: a zone is unknown.
    """
    words = [time_words(t) if isinstance(t, str) else None for t in text.tolist()]
    rows = zip(words, observed_time.array, time_zone.tolist(), strict=True)
    return pd.Series([_resolved(*row) for row in rows], index=text.index, dtype=object)


def _resolved(words: TimeWords | None, observed: pd.Timestamp, time_zone: str) -> list[TimeExpression]:
    if words is None or not words.heard or pd.isna(observed):
        return []
    zone = zone_of(time_zone)
    return _found(words, Speaking(local(observed.to_pydatetime(), zone), zone))


def _found(words: TimeWords, speaking: Speaking) -> list[TimeExpression]:
    """The expressions of a text as values of the domain."""
    if len(words.heard) == 1:
        ((expression, tense),) = words.heard
        only = told(expression, words.text, speaking if speaking.tense else speaking._replace(tense=tense))
        return [] if only is None else [only]
    return list(_found_in_turn(words, speaking))


def _found_in_turn(words: TimeWords, speaking: Speaking) -> Iterator[TimeExpression]:
    """Several expressions, each of which may lend something to the next."""
    talk = Talk(speaking, words.folded)
    for expression, tense in words.heard:
        at = talk.speaking_of(expression, speaking.tense or tense)
        found = told(expression, words.text, at)
        if found is None:
            continue
        if at.moment is not speaking.moment and not speaking.brief:
            found = _beside(found, told(expression, words.text, at._replace(moment=speaking.moment)))
        talk.note(found, expression)
        yield found


def _beside(found: TimeExpression, from_now: TimeExpression | None) -> TimeExpression:
    """An expression read from another moment, with the reading from now as an alternative."""
    if from_now is None or from_now.core is None or from_now.core == found.core:
        return found
    return replace(found, alternatives=(from_now.core, *found.alternatives))
