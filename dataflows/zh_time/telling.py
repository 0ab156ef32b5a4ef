"""An expression as a value of the domain: aware instants, fields, durations, recurrences."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta, tzinfo
from itertools import chain

from temporal_recall.dataflows.zh_time.calendar import Window, aware
from temporal_recall.dataflows.zh_time.nodes import Expression, Length, Phrase, Recurring
from temporal_recall.dataflows.zh_time.readings import Reading, Speaking
from temporal_recall.dataflows.zh_time.recurrence import recurrence_rule, recurrences
from temporal_recall.dataflows.zh_time.resolve import placed
from temporal_recall.schemas.time import TimeExpression, TimeRange, zone_of

_SECONDS = {
    "second": 1, "minute": 60, "hour": 3600, "day": 86400, "workday": 86400, "week": 604_800, "month": 2_592_000,
    "quarter": 7_862_400, "half": 15_724_800, "year": 31_536_000, "decade": 315_360_000, "century": 3_153_600_000,
}  # fmt: skip
_ADDED_BY_SCOPE = {
    "year": ("year",),
    "month": ("year", "month"),
    "week": ("year", "month", "day"),
    "day": ("year", "month", "day"),
}


def told(expression: Expression, text: str, speaking: Speaking) -> TimeExpression | None:
    """The expression of a text as it is meant there and then; None where the calendar has no such time."""
    node = expression.node
    if isinstance(node, Length):
        return _length(expression, node, text)
    if isinstance(node, Recurring):
        return _recurrence(expression, node, text, speaking)
    reading = placed(node, speaking)
    return None if reading is None else _placed_expression(expression, reading, text, speaking)


def _placed_expression(
    expression: Expression, reading: Reading, text: str, speaking: Speaking
) -> TimeExpression | None:
    said_in, shown_in = zone_of(reading.zone) if reading.zone else speaking.zone, speaking.zone
    core = _range(reading.start, reading.end, said_in, shown_in)
    if core is None:
        return None
    exact = speaking.brief or (reading.start is reading.wide_start and reading.end is reading.wide_end)
    wide = core if exact else _range(reading.wide_start, reading.wide_end, said_in, shown_in)
    return TimeExpression(
        text[expression.start : expression.end],
        (expression.start, expression.end),
        reading.kind,
        core,
        wide or core,
        reading.grain,
        dict(expression.stated),
        implied_fields(expression.node, reading),
        _ranges(reading.alternatives, said_in, shown_in) if reading.alternatives and not speaking.brief else (),
        _ranges(reading.excluded, said_in, shown_in) if reading.excluded else (),
        rules=expression.rules,
    )


def _length(expression: Expression, node: Length, text: str) -> TimeExpression:
    words = text[expression.start : expression.end]
    span = (expression.start, expression.end)
    return TimeExpression(words, span, "duration", None, None, None, duration=length_of(node), rules=expression.rules)


def _recurrence(expression: Expression, node: Recurring, text: str, speaking: Speaking) -> TimeExpression:
    words = text[expression.start : expression.end]
    span = (expression.start, expression.end)
    coming = _ranges(recurrences(node, speaking), speaking.zone, speaking.zone)
    rule = recurrence_rule(node)
    return TimeExpression(
        words, span, "recurrence", None, None, None, recurrence=rule, next=coming, rules=expression.rules
    )


def length_of(node: Length) -> timedelta | None:
    """The time that a length takes, months and years by their usual 30 and 365 days; None beyond what is countable."""
    counts = chain.from_iterable(amount.counts for amount in node.amounts)
    try:
        return timedelta(seconds=sum(_SECONDS[unit] * count for unit, count in counts))
    except OverflowError:
        return None


def implied_fields(node: object, reading: Reading) -> dict[str, int | str]:
    """The calendar fields that a reading adds to the words: the year of a bare date, the half of the day of a clock."""
    if not isinstance(node, Phrase) or reading.start is None:
        return {}
    scope = node.predicates[0].scope
    implied: dict[str, int | str] = {}
    if scope is not None:
        implied = {unit: getattr(reading.start, unit) for unit in _ADDED_BY_SCOPE.get(scope, ())}
    if node.predicates[-1].stated.get("half_day") == "implied":
        implied["half_day"] = "am" if reading.start.hour < 12 else "pm"
    return implied


def _ranges(windows: Iterable[Window], said_in: tzinfo, shown_in: tzinfo) -> tuple[TimeRange, ...]:
    ranges = (_range(window.start, window.end, said_in, shown_in) for window in windows)
    return tuple(r for r in ranges if r is not None)


def _range(start: datetime | None, end: datetime | None, said_in: tzinfo, shown_in: tzinfo) -> TimeRange | None:
    """The range of instants between two civil times; None where the clock leaves nothing between them."""
    try:
        return TimeRange(_instant(start, said_in, shown_in), _instant(end, said_in, shown_in))
    except (ValueError, OverflowError):
        return None


def _instant(moment: datetime | None, said_in: tzinfo, shown_in: tzinfo) -> datetime | None:
    if moment is None:
        return None
    instant = aware(moment, said_in)
    return instant if said_in is shown_in else instant.astimezone(shown_in)
