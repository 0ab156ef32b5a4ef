"""Placing a node in time: phrases, spans from one to another, bounds, exclusions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from temporal_recall.dataflows.zh_time import almanac
from temporal_recall.dataflows.zh_time.calendar import DAY, Window, exact, local, midnight
from temporal_recall.dataflows.zh_time.clock import next_half_day
from temporal_recall.dataflows.zh_time.lengths import laid, laid_at
from temporal_recall.dataflows.zh_time.nodes import Between, Bounded, Except, Laid, Phrase, Placeable
from temporal_recall.dataflows.zh_time.picking import Occurrences, Picked, alone, narrowed, picked
from temporal_recall.dataflows.zh_time.readings import Reading, Speaking
from temporal_recall.dataflows.zh_time.tokens import Predicate, Rank
from temporal_recall.schemas.time import Tense, zone_of

_SLACK = {"day": DAY, "week": 7 * DAY, "month": 31 * DAY, "quarter": 92 * DAY, "year": 366 * DAY, "weekend": DAY}
_STILL_SPOKEN_OF = 31 * DAY
_WITH_DAYS_OFF = ("国庆节", "劳动节", "春节", "元旦节")


def placed(node: Placeable, speaking: Speaking) -> Reading | None:
    """The reading of a node; None where the calendar has no such time."""
    try:
        return _placed(node, speaking)
    except (ValueError, OverflowError):  # the calendar ends
        return None


def _placed(node: Placeable, speaking: Speaking) -> Reading | None:
    if isinstance(node, Phrase):
        reading = placed_phrase(node, _looking_back(node, speaking))
        return _as_told(reading, node, speaking) if reading else None
    if isinstance(node, Between):
        return placed_between(node, speaking)
    if isinstance(node, Laid):
        return placed_laid(node, speaking)
    return placed_except(node, speaking) if isinstance(node, Except) else placed_bounded(node, speaking)


# -- phrases


def placed_phrase(phrase: Phrase, speaking: Speaking) -> Reading | None:
    """The reading of predicates that intersect; a weekday that does not go with its date is taken for a slip."""
    near = _placed_phrase(phrase, speaking)
    if len(phrase.predicates) == 1 or (near is not None and _is_near(near, speaking)):
        return near
    bare = tuple(p for p in phrase.predicates if not p.loose)
    is_dated_twice = len(bare) < len(phrase.predicates) and any("day" in p.stated for p in bare)
    return _placed_phrase(replace(phrase, predicates=bare), speaking) if is_dated_twice else near


def _is_near(reading: Reading, speaking: Speaking) -> bool:
    return reading.start is not None and abs(reading.start.year - speaking.moment.year) <= 1


def _placed_phrase(phrase: Phrase, speaking: Speaking) -> Reading | None:
    if phrase.zone:
        moment = speaking.moment.replace(tzinfo=speaking.zone)
        speaking = speaking._replace(moment=local(moment, zone_of(phrase.zone)))
    found = picked(phrase.predicates, speaking.now)
    return _reading(phrase, found, speaking.brief) if found else None


def _reading(phrase: Phrase, found: Picked, brief: bool) -> Reading:
    last, others = phrase.predicates[-1], found.others
    if last.rank != Rank.CLOCK:
        return Reading(*found.window, last.grain, "range", others, zone=phrase.zone)
    if last.stated.get("half_day") == "implied" and not brief:
        others = (_other_half(found.window), *others)
    kind = "instant" if last.grain != "hour" or "hour" in last.stated else "range"
    return Reading(*found.window, last.grain, kind, others, zone=phrase.zone or str(last.stated.get("zone", "")))  # type: ignore[arg-type]


def _other_half(window: Window) -> Window:
    """The reading of a 12-hour clock in the other half of the day."""
    half = timedelta(hours=12 if window.start.hour < 12 else -12)
    return Window(*(moment + half for moment in window))


def _as_told(reading: Reading, phrase: Phrase, speaking: Speaking) -> Reading:
    """The reading with what stands around the phrase: days off, 左右."""
    of_days_off = phrase.predicates[-1].stated.get("feast") in _WITH_DAYS_OFF
    if phrase.days_off or (speaking.tense is not None and of_days_off):
        reading = _days_off(reading)
    return _about(reading) if phrase.about else reading


def _looking_back(phrase: Phrase, speaking: Speaking) -> Speaking:
    """国庆期间 without a tense, said in those days or in the weeks after, are the days just gone."""
    if not phrase.days_off or speaking.tense is not None:
        return speaking
    back = speaking._replace(tense="past")
    gone = placed_phrase(phrase, back)
    return back if gone and gone.start and speaking.moment - gone.start < _STILL_SPOKEN_OF else speaking


def _days_off(reading: Reading) -> Reading:
    """国庆期间, and 国庆 in a clause with a tense: the announced days off as core. What is longer than a day has none."""
    assert reading.start is not None
    if reading.end != reading.start + DAY:
        return reading
    first, last = (almanac.at_midnight(day) for day in almanac.days_off_around(reading.start.date()))
    return reading._replace(start=first, end=last, wide_start=first, wide_end=last)


def _about(reading: Reading) -> Reading:
    """左右, 前后: the same core, wide by half an hour around a clock time and by one grain around the rest."""
    assert reading.wide_start is not None
    assert reading.wide_end is not None
    slack = _SLACK.get(reading.grain, timedelta(minutes=30))
    return reading._replace(wide_start=reading.wide_start - slack, wide_end=reading.wide_end + slack)


# -- spans


def placed_between(node: Between, speaking: Speaking) -> Reading | None:
    """From the start of the left end to the end of the right end; a clock time on the right is a wall."""
    left = alone(node.left.predicates, speaking.now)
    right = _after(left, node.right, speaking) if left else None
    if left is None or right is None:
        return None
    last = node.right.predicates[-1]
    end = right.start if last.rank == Rank.CLOCK else right.end
    if end <= left.start:
        return None
    zone = node.left.zone or node.right.zone
    return Reading(left.start, end, left.start, end, last.grain, zone=zone)


def _after(left: Window, phrase: Phrase, speaking: Speaking) -> Window | None:
    """The first reading of the right end that lies after the left end."""
    head = phrase.predicates[0]
    if head.scope is None:
        return alone(phrase.predicates, speaking.now)
    predicates = phrase.predicates
    if head.rank == Rank.CLOCK and "half_day" in head.stated:
        predicates = (next_half_day(head, left.start),)
    series = Occurrences(predicates, left.start)
    found = (series.at(offset) for offset in range(series.reach + 1))
    return next((window for window in found if window is not None and window.start >= left.start), None)


def placed_within(node: Phrase | Between, window: Window) -> Window | None:
    """A phrase, or the span between two, inside one period of a recurrence."""
    if isinstance(node, Phrase):
        return narrowed(window, node.predicates)
    left, right = narrowed(window, node.left.predicates), narrowed(window, node.right.predicates)
    if left is None or right is None:
        return left
    end = right.start if node.right.predicates[-1].rank == Rank.CLOCK else right.end
    return exact(left.start, end) if end > left.start else left


def placed_laid(node: Laid, speaking: Speaking) -> Reading | None:
    """A length of time before or after now, or before or after a phrase."""
    if node.anchor is None:
        return laid(node.amounts, node.way, speaking)
    anchor = placed_phrase(node.anchor, speaking)
    return laid_at(anchor, node.amounts, node.way) if anchor else None


# -- bounds


def placed_bounded(node: Bounded, speaking: Speaking) -> Reading | None:
    """A reading with one side opened, or clipped at now."""
    bounded = speaking._replace(tense=_tense_of_bound(node.way, speaking.tense))
    inner = _bounded_reading(node.node, bounded)
    if inner is not None and _is_just_past(node, inner, bounded):
        inner = _bounded_reading(node.node, bounded._replace(moment=inner.end or bounded.moment))
    if inner is None or inner.start is None or inner.end is None:
        return None
    if node.way in ("before", "until"):
        return _before(node, inner, bounded)
    if node.way == "eve":
        eve = exact(inner.start - DAY, inner.start)
        return Reading.exact(eve.widened(inner.start - 3 * DAY, inner.start), "day")
    return _from(node, inner, bounded)


def _is_just_past(node: Bounded, inner: Reading, speaking: Speaking) -> bool:
    """Whether a clock time before which something is to be done has struck: then the next such time is meant."""
    return (
        node.way == "before"
        and speaking.tense == "plan"
        and inner.kind == "instant"
        and inner.start is not None
        and inner.start <= speaking.moment
    )


def _tense_of_bound(way: str, tense: Tense | None) -> Tense | None:
    """周五前 looks ahead and 周五以来 looks back where the clause tells no tense."""
    if way == "since":
        return "past"
    return tense or ("plan" if way in ("before", "until") else None)


def _bounded_reading(node: Phrase | Between | Laid, speaking: Speaking) -> Reading | None:
    """The reading inside a bound: a feast is its day here, its days off count only where they are named."""
    if isinstance(node, Phrase) and not node.days_off:
        return placed_phrase(node, speaking)
    return _placed(node, speaking)


def _from(node: Bounded, inner: Reading, speaking: Speaking) -> Reading:
    """之后, 起, 以来: open to the right, or clipped at now in a past clause."""
    assert inner.start is not None
    start = _over(node, inner) if node.way == "after" and inner.kind != "instant" else inner.start
    end = speaking.moment if speaking.tense == "past" and start < speaking.moment else None
    wide_start = min(start, inner.wide_start or start)
    return Reading(start, end, wide_start, end, inner.grain, zone=inner.zone)


def _over(node: Bounded, inner: Reading) -> datetime:
    """When X is over: a feast with days off is over with the last of them."""
    end = inner.wide_end if _is_wall(node) else inner.end
    assert end is not None
    return end


def _is_wall(node: Bounded) -> bool:
    return isinstance(node.node, Phrase) and node.node.predicates[-1].wall


def _before(node: Bounded, inner: Reading, speaking: Speaking) -> Reading:
    """之前: from now to the end of X for a plan, to the start of X with an open left side for the past."""
    now = speaking.moment
    assert inner.start is not None
    assert inner.end is not None
    end = inner.start if inner.kind == "instant" or _is_wall(node) else inner.end
    if speaking.tense == "past" or end <= now:
        end = inner.end if node.way == "until" else inner.start
        return Reading(None, end, None, inner.end, inner.grain, zone=inner.zone)
    return Reading(now, end, midnight(now), max(end, inner.end), inner.grain, zone=inner.zone)


# -- exclusions


def placed_except(node: Except, speaking: Speaking) -> Reading | None:
    """The hull of what is left when one node is taken out of another, with what is taken out inside it."""
    base = _placed(node.node, speaking)
    if base is None or base.start is None or base.end is None:
        return base
    start, end = base.start, base.end
    taken = sorted(w for w in _taken(node.without, exact(start, end), speaking) if w.start < end and start < w.end)
    while taken and taken[0].start <= start < taken[0].end:
        start = taken.pop(0).end
    while taken and taken[-1].start < end <= taken[-1].end:
        end = taken.pop().start
    return base._replace(start=start, end=end, excluded=tuple(taken)) if start < end else None


def _taken(without: Placeable, window: Window, speaking: Speaking) -> list[Window]:
    """The spans that a node names inside a window: all of them where it recurs."""
    if isinstance(without, Phrase) and without.predicates[0].find is not None:
        return [w for w in _all_within(without.predicates, window) if w.start < window.end]
    reading = _placed(without, speaking)
    if reading is None or reading.start is None or reading.end is None:
        return []
    return [exact(reading.start, reading.end)]


def _all_within(predicates: tuple[Predicate, ...], window: Window) -> Iterator[Window]:
    first, rest = predicates[0], predicates[1:]
    for found in first.find(window) if first.find else ():
        if rest:
            yield from _all_within(rest, found)
        else:
            yield exact(found.start, found.end)
