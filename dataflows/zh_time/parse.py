"""The public entrance: text in, time expressions out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo

import pandas as pd

from temporal_recall.dataflows.zh_time.calendar import Window, aware, local
from temporal_recall.dataflows.zh_time.company import has_company
from temporal_recall.dataflows.zh_time.discourse import Talk
from temporal_recall.dataflows.zh_time.grammar import Expression, Length, Phrase, Recurring, expressions
from temporal_recall.dataflows.zh_time.hints import may_hold_time
from temporal_recall.dataflows.zh_time.recurrence import recurrence_rule, recurrences
from temporal_recall.dataflows.zh_time.readings import Reading, Speaking
from temporal_recall.dataflows.zh_time.resolve import placed
from temporal_recall.dataflows.zh_time.rules import SCANNER
from temporal_recall.dataflows.zh_time.script import folded
from temporal_recall.dataflows.zh_time.tense import clause_tense
from temporal_recall.schemas.time import Tense, TimeExpression, TimeRange, TimeScope, zone_of

_LONGEST = {
    "second": 1,
    "minute": 60,
    "hour": 3600,
    "day": 86400,
    "week": 604800,
    "month": 2592000,
    "quarter": 7776000,
    "workday": 86400,
}


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
    zone = _speaker_zone(now, time_zone)
    if not may_hold_time(text):
        return []
    return list(_found(text, local(now, zone), zone, tense))


def parse_time(
    text: str, now: datetime, *, time_zone: str | None = None, tense: Tense | None = None
) -> TimeScope | None:
    """The range that scopes a text: its leading expression's reading. None where the text holds no time.

    Arguments and errors are those of `find_times`. The leading expression is the first that has a place in time; a
    duration or recurrence leads only where nothing else is said.
    """
    found = find_times(text, now, time_zone=time_zone, tense=tense)
    lead = next((e for e in found if e.core is not None), found[0] if found else None)
    if lead is None:
        return None
    return TimeScope(
        lead.kind, lead.core, lead.wide, lead.grain, lead.span, lead.alternatives, lead.excluded, tuple(found)
    )


def resolve_times(text: pd.Series[str], observed_time: pd.Series[pd.Timestamp], time_zone: pd.Series[str]) -> pd.Series:
    """The time expressions of each record, read from its own observed time in its own zone.

    Args:
        text: one text per record; a missing one holds no time.
        observed_time: `datetime64[us, UTC]`, on the same index; without one (NaT) only lengths could be told, and the
            list is empty.
        time_zone: IANA ids or offsets, on the same index.

    Returns:
        A Series on the index of `text`, one list of `TimeExpression` per record. Empty input gives an empty Series.

    Raises:
        ValueError: a zone is unknown.
    """
    rows = zip(text.tolist(), observed_time.tolist(), time_zone.tolist(), strict=True)
    return pd.Series([_resolved(*row) for row in rows], index=text.index, dtype=object)


def _resolved(text: object, observed: datetime, time_zone: str) -> list[TimeExpression]:
    if not isinstance(text, str) or not may_hold_time(text) or observed != observed:
        return []
    zone = zone_of(time_zone)
    return list(_found(text, local(_plain(observed), zone), zone, None))


def _plain(moment: datetime) -> datetime:
    return moment.to_pydatetime() if isinstance(moment, pd.Timestamp) else moment


def _speaker_zone(now: datetime, time_zone: str | None) -> tzinfo:
    if now.tzinfo is None:
        raise ValueError(f"now is {now.isoformat()}; it must carry its zone")
    return zone_of(time_zone) if time_zone is not None else now.tzinfo


def _found(text: str, moment: datetime, zone: tzinfo, tense: Tense | None) -> Iterator[TimeExpression]:
    plain = folded(text)
    talk = Talk(moment, zone)
    for expression in expressions(SCANNER.lexemes(plain), plain):
        if not has_company(expression, plain):
            continue
        anchor = talk.anchor(expression, plain)
        own = talk.tense(expression, tense or clause_tense(plain, expression.start, expression.end))
        found = _told(expression, text, Speaking(anchor, zone, tense=own))
        if found is None:
            continue
        if anchor is not moment:
            found = _beside(found, _told(expression, text, Speaking(moment, zone, tense=own)))
        talk.heard(found, expression, plain)
        yield found


def _beside(found: TimeExpression, from_now: TimeExpression | None) -> TimeExpression:
    """An expression read from another moment, with the reading from now as an alternative."""
    if from_now is None or from_now.core is None or from_now.core == found.core:
        return found
    return replace(found, alternatives=(from_now.core, *found.alternatives))


def _told(expression: Expression, text: str, speaking: Speaking) -> TimeExpression | None:
    """The expression as a value of the domain; None where it has no reading."""
    span = (expression.start, expression.end)
    words = text[expression.start : expression.end]
    node = expression.node
    if isinstance(node, Length):
        length = length_of(node)
        return TimeExpression(words, span, "duration", None, None, None, duration=length, rules=expression.rules)
    if isinstance(node, Recurring):
        rule, coming = recurrence_rule(node), recurrences(node, speaking)
        ranges = tuple(r for r in (_range(w.start, w.end, speaking.zone) for w in coming) if r)
        return TimeExpression(
            words, span, "recurrence", None, None, None, recurrence=rule, next=ranges, rules=expression.rules
        )
    reading = placed(node, speaking)
    return None if reading is None else _expression(reading, words, span, expression.rules, node, speaking)


def _expression(
    reading: Reading, words: str, span: tuple[int, int], rules: tuple[str, ...], node: object, speaking: Speaking
) -> TimeExpression | None:
    zone = zone_of(reading.zone) if reading.zone else speaking.zone
    core = _range(reading.start, reading.end, zone, speaking.zone)
    if core is None:
        return None
    exact = (reading.start, reading.end) == (reading.wide_start, reading.wide_end)
    wide = core if exact else _range(reading.wide_start, reading.wide_end, zone, speaking.zone)
    others = (_range(w.start, w.end, zone, speaking.zone) for w in reading.alternatives)
    stated, implied = stated_fields(node), implied_fields(node, reading)
    return TimeExpression(
        words,
        span,
        reading.kind,
        core,
        wide or core,
        reading.grain,
        stated,
        implied,
        tuple(r for r in others if r is not None),
        tuple(r for r in (_range(w.start, w.end, zone, speaking.zone) for w in reading.excluded) if r is not None),
        rules=rules,
    )


def stated_fields(node: object) -> dict[str, int | str]:
    """The calendar fields that the words of a node say."""
    predicates = node.predicates if isinstance(node, Phrase) else ()
    return {key: value for p in predicates for key, value in p.stated.items() if value != "implied"}


def implied_fields(node: object, reading: Reading) -> dict[str, int | str]:
    """The calendar fields that a reading adds to the words: the year of a bare date, the half of the day of a clock."""
    if not isinstance(node, Phrase) or reading.start is None:
        return {}
    start = reading.start
    added = {"year": ("year",), "month": ("year", "month"), "week": ("year", "month", "day"), "day": ("year", "month", "day")}
    implied: dict[str, int | str] = {unit: getattr(start, unit) for unit in added.get(node.predicates[0].scope or "", ())}
    if node.predicates[-1].stated.get("half_day") == "implied":
        implied["half_day"] = "am" if start.hour < 12 else "pm"
    return implied


def length_of(node: Length) -> timedelta | None:
    """The time that a length takes; months and years by their usual 30 and 365 days."""
    days = {"month": 30, "quarter": 91, "half": 182, "year": 365, "decade": 3650, "century": 36500, "week": 7, "day": 1}
    total = timedelta(0)
    try:
        for amount in node.amounts:
            for unit, count in amount.counts:
                seconds = days[unit] * 86400 if unit in days else _LONGEST[unit]
                total += timedelta(seconds=seconds * count)
    except OverflowError:
        return None
    return total


def _range(start: datetime | None, end: datetime | None, zone: tzinfo, shown: tzinfo | None = None) -> TimeRange | None:
    """The range of instants between two civil times; None where the clock leaves nothing between them."""
    try:
        low = aware(start, zone) if start is not None else None
        high = aware(end, zone) if end is not None else None
        if shown is not None and shown is not zone:
            low = low.astimezone(shown) if low else None
            high = high.astimezone(shown) if high else None
        return TimeRange(low, high)
    except (ValueError, OverflowError):
        return None


__all__ = ["UTC", "Iterable", "Window", "find_times", "parse_time", "re", "resolve_times"]
