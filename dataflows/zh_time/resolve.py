"""Placing a node in time: the readings that its words allow, and the one that the tense picks.

Meaning and policy stay apart: `readings` gives the literal reading beside the last and the next one; `chosen` picks by
tense and keeps the rest as alternatives.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta, tzinfo

from temporal_recall.dataflows.zh_time import almanac
from temporal_recall.dataflows.zh_time.calendar import DAY, Unit, Window, exact, later, midnight, shifted, unit_window
from temporal_recall.dataflows.zh_time.clock import next_half_day
from temporal_recall.dataflows.zh_time.grammar import Between, Bounded, Except, Laid, Length, Phrase, Recurring
from temporal_recall.dataflows.zh_time.tokens import Amount, Now, Predicate, Rank
from temporal_recall.schemas.time import Grain, Kind

_SUB_DAY = ("hour", "minute", "second")
_REACH = {"week": 3, "month": 12, "year": 9, "day": 2, "hour": 2}
_SLACK = {"day": DAY, "week": 7 * DAY, "month": 31 * DAY, "quarter": 92 * DAY, "year": 366 * DAY, "weekend": DAY}
_WITH_DAYS_OFF = ("国庆节", "劳动节", "春节", "元旦节")


@dataclass(frozen=True, slots=True)
class Reading:
    """A placed node in civil time; a side that is None is open."""

    start: datetime | None
    end: datetime | None
    wide_start: datetime | None
    wide_end: datetime | None
    grain: Grain
    kind: Kind = "range"
    alternatives: tuple[Window, ...] = ()
    excluded: tuple[Window, ...] = ()
    zone: str = ""
    clipped: bool = False


@dataclass(frozen=True, slots=True)
class Speaking:
    """Where and when the text was said, and in which tense its clause is."""

    moment: datetime
    zone: tzinfo
    now: Now = field(init=False)
    tense: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "now", Now(self.moment, self.tense))  # type: ignore[arg-type]


def placed(node: Phrase | Between | Bounded | Laid | Except, speaking: Speaking) -> Reading | None:
    """The reading of a node; None where the calendar has no such time."""
    try:
        if isinstance(node, Phrase):
            reading = _with_days_off(placed_phrase(node, speaking), node, speaking)
            return _about(reading) if node.about else reading
        if isinstance(node, Between):
            return placed_between(node, speaking)
        if isinstance(node, Laid):
            return placed_laid(node, speaking)
        if isinstance(node, Except):
            return placed_except(node, speaking)
        return placed_bounded(node, speaking)
    except (ValueError, OverflowError):
        return None


# -- phrases


def narrowed(window: Window, predicates: tuple[Predicate, ...]) -> Window | None:
    """The first span inside a window that has all the properties: the intersect rule."""
    if not predicates:
        return window
    first, rest = predicates[0], predicates[1:]
    if first.find is None:
        return narrowed(window, rest)
    for found in first.find(window):
        inner = narrowed(found, rest)
        if inner is not None:
            return inner
    return None


def placed_phrase(phrase: Phrase, speaking: Speaking) -> Reading | None:
    """The reading of predicates that intersect; a weekday that does not go with its date is taken for a slip."""
    bare = tuple(p for p in phrase.predicates if not p.loose)
    dated = len(bare) < len(phrase.predicates) and any("day" in p.stated for p in bare)
    near = _placed_phrase(phrase, speaking)
    if not dated or (near is not None and _is_near(near, speaking)):
        return near
    return _placed_phrase(replace(phrase, predicates=bare), speaking)


def _is_near(reading: Reading, speaking: Speaking) -> bool:
    return reading.start is not None and abs(reading.start.year - speaking.moment.year) <= 1


def _placed_phrase(phrase: Phrase, speaking: Speaking) -> Reading | None:
    head, rest = phrase.predicates[0], phrase.predicates[1:]
    now = _now_in_zone(phrase, speaking)
    if head.place is not None:
        picked = _standing(head, rest, now)
        others: tuple[Window, ...] = ()
        if isinstance(picked, tuple) and not isinstance(picked, Window):
            picked, others = picked
    else:
        picked, others = _recurring(phrase, now)
    if picked is None:
        return None
    return _reading(phrase, picked, others, speaking)


def _now_in_zone(phrase: Phrase, speaking: Speaking) -> Now:
    from temporal_recall.schemas.time import zone_of

    if not phrase.zone:
        return speaking.now
    moment = speaking.moment.replace(tzinfo=speaking.zone).astimezone(zone_of(phrase.zone)).replace(tzinfo=None)
    return replace(speaking.now, moment=moment)


def _reading(phrase: Phrase, picked: Window, others: tuple[Window, ...], speaking: Speaking) -> Reading:
    last = phrase.predicates[-1]
    if last.stated.get("half_day") == "implied":
        others = (_other_half(picked), *others)
    instant = last.rank == Rank.CLOCK and (last.grain != "hour" or "hour" in last.stated)
    zone = phrase.zone or str(last.stated.get("zone", ""))
    return Reading(*picked, last.grain, "instant" if instant else "range", others, zone=zone)


def _other_half(window: Window) -> Window:
    """The reading of a 12-hour clock in the other half of the day."""
    half = timedelta(hours=12 if window.start.hour < 12 else -12)
    return Window(*(moment + half for moment in window))


def _about(reading: Reading | None) -> Reading | None:
    """左右, 前后: the same core, wide by half an hour around a clock time and by one grain around the rest."""
    if reading is None or reading.wide_start is None or reading.wide_end is None:
        return reading
    slack = _SLACK.get(reading.grain, timedelta(minutes=30))
    return replace(reading, wide_start=reading.wide_start - slack, wide_end=reading.wide_end + slack)


def _with_days_off(reading: Reading | None, phrase: Phrase, speaking: Speaking) -> Reading | None:
    """国庆期间, and 国庆 in a clause with a tense: the announced days off as core."""
    told = speaking.tense is not None and phrase.predicates[-1].stated.get("feast") in _WITH_DAYS_OFF
    if reading is None or reading.start is None or not (phrase.days_off or told):
        return reading
    first, last = (almanac.at_midnight(day) for day in almanac.days_off_around(reading.start.date()))
    return replace(reading, start=first, end=last, wide_start=first, wide_end=last)


def _standing(head: Predicate, rest: tuple[Predicate, ...], now: Now) -> object:
    """A phrase whose coarsest word stands still; it moves one step where it contradicts the tense."""
    assert head.place is not None
    if rest and rest[0].find is None:
        return _carried(head, rest, now), ()
    base = head.place(now)
    literal = narrowed(base, rest) if base else None
    if literal is None:
        return None
    if head.steps and now.tense:
        return _agreeing(head, rest, now, literal)
    return _with_late_night(head, rest, now, literal)


def _with_late_night(head: Predicate, rest: tuple[Predicate, ...], now: Now, literal: Window) -> object:
    """Past midnight, 昨天 may be the day before: people still live in the day that ended."""
    offset = head.stated.get("day_offset")
    if now.moment.hour >= 5 or not isinstance(offset, int) or head.place is None:
        return literal
    before = head.place(replace(now, moment=now.moment - DAY))
    other = narrowed(before, rest) if before else None
    return literal, (other,) if other else ()


def _agreeing(head: Predicate, rest: tuple[Predicate, ...], now: Now, literal: Window) -> object:
    step = -1 if now.tense == "past" and literal.start > now.moment else 0
    step = 1 if now.tense == "plan" and literal.end <= now.moment else step
    if not step or head.steps is None or head.place is None:
        return literal
    moved = head.place(replace(now, moment=shifted(now.moment, head.steps, step)))
    other = narrowed(moved, rest) if moved else None
    return (other, (literal,)) if other else literal


def _carried(head: Predicate, rest: tuple[Predicate, ...], now: Now) -> Window | None:
    """去年的今天, 昨天现在: the finer standing word, moved to the unit that the coarser names."""
    finer, tail = rest[0], rest[1:]
    unit: Unit = {Rank.YEAR: "year", Rank.MONTH: "month", Rank.WEEK: "week", Rank.DAY: "day"}.get(head.rank, "year")  # type: ignore[assignment]
    assert head.place is not None
    base = head.place(now)
    if base is None or finer.place is None:
        return None
    count = _units_between(unit_window(now.moment, unit).start, base.start, unit)
    moved = finer.place(replace(now, moment=shifted(now.moment, unit, count)))
    return narrowed(moved, tail) if moved else None


def _units_between(start: datetime, end: datetime, unit: Unit) -> int:
    if unit in ("day", "week"):
        return (end - start).days // (7 if unit == "week" else 1)
    months = (end.year - start.year) * 12 + end.month - start.month
    return months // 12 if unit == "year" else months


def _recurring(phrase: Phrase, now: Now) -> tuple[Window | None, tuple[Window, ...]]:
    """A phrase that comes again in every unit of its coarsest word: which of them is meant."""
    head = phrase.predicates[0]
    if head.scope is None:
        return None, ()
    literal = _nth_occurrence(phrase, now.moment, 0)
    if head.rank >= Rank.PART and now.tense is None and literal is not None and not head.forward:
        return literal, ()
    last = _last(phrase, now.moment)
    coming = _coming(phrase, now.moment, whole=now.tense is None)
    picked = _by_tense(head, now, literal, last, coming)
    others = tuple(dict.fromkeys(w for w in (last, coming) if w is not None and w != picked))
    if picked is not None and head.loose and others:
        picked, others = _hull(picked, others), ()
    return picked, others


def _by_tense(
    head: Predicate, now: Now, literal: Window | None, last: Window | None, coming: Window | None
) -> Window | None:
    if now.tense == "past":
        return last or coming
    if now.tense == "plan" or head.forward:
        return coming or last
    if head.scope == "month" and head.rank == Rank.DAY and literal is not None and coming is not None:
        return min((literal, coming), key=lambda w: abs(w.start - now.moment))
    return literal or coming or last


def _hull(picked: Window, others: tuple[Window, ...]) -> Window:
    return picked.widened(min(w.wide_start for w in others), max(w.wide_end for w in others))


def _nth_occurrence(phrase: Phrase, moment: datetime, offset: int) -> Window | None:
    scope = phrase.predicates[0].scope
    assert scope is not None
    return narrowed(unit_window(moment, scope, offset), phrase.predicates)


def _last(phrase: Phrase, moment: datetime) -> Window | None:
    """The latest one that has begun."""
    for offset in range(0, -_reach(phrase) - 1, -1):
        found = _nth_occurrence(phrase, moment, offset)
        if found is not None and found.start <= moment:
            return found
    return None


def _coming(phrase: Phrase, moment: datetime, whole: bool) -> Window | None:
    """The next one that is not over; where it is to be whole, the next season that begins."""
    starts = whole and phrase.predicates[0].rank < Rank.MONTH and phrase.predicates[0].forward
    for offset in range(-1, _reach(phrase) + 1):
        found = _nth_occurrence(phrase, moment, offset)
        if found is not None and (found.start > moment if starts else found.end > moment):
            return found
    return None


def _reach(phrase: Phrase) -> int:
    return _REACH.get(phrase.predicates[0].scope or "year", 3)


# -- spans


def placed_between(node: Between, speaking: Speaking) -> Reading | None:
    """From the start of the left end to the end of the right end."""
    left = placed_phrase(node.left, speaking)
    if left is None or left.start is None:
        return None
    right = placed_phrase(node.right, speaking)
    right = _after_left(node.right, right, left, speaking)
    if right is None or right.end is None or right.start is None:
        return None
    end = right.start if right.kind == "instant" else right.end
    if end <= left.start:
        return None
    return Reading(left.start, end, left.start, end, right.grain, zone=left.zone or right.zone)


def _after_left(phrase: Phrase, right: Reading | None, left: Reading, speaking: Speaking) -> Reading | None:
    """The first reading of the right end that lies after the left end."""
    head = phrase.predicates[0]
    assert left.start is not None
    if right is not None and right.start is not None and right.start > left.start and head.scope is None:
        return right
    if head.scope is None or left.start is None:
        return right
    if head.rank == Rank.CLOCK and "half_day" in head.stated:
        phrase = replace(phrase, predicates=(next_half_day(head, left.start),))
    for offset in range(_reach(phrase) + 1):
        found = _nth_occurrence(phrase, left.start, offset)
        if found is not None and found.start >= left.start:
            return _reading(phrase, found, (), speaking)
    return right


# -- lengths laid before and after


def placed_laid(node: Laid, speaking: Speaking) -> Reading | None:
    """A length of time before or after now, or before or after a phrase."""
    if node.anchor is not None:
        return _laid_at_anchor(node, speaking)
    fine = any(unit in _SUB_DAY for amount in node.amounts for unit, _ in amount.counts)
    way = node.way
    if way in ("ago", "later", "point-future"):
        return _point(node.amounts, -1 if way == "ago" else 1, speaking, fine)
    if way == "since":
        start = moved(speaking.moment, node.amounts, -1, speaking.zone)
        return Reading(midnight(start) if not fine else start, speaking.moment, start, speaking.moment, "day")
    if way.startswith("whole"):
        return _whole_units(node.amounts, -1 if way.endswith("past") else 1, speaking, fine)
    side = -1 if way == "recent-past" or (way == "within" and speaking.tense == "past") else 1
    return _stretch(node.amounts, side, speaking, fine)


def moved(moment: datetime, amounts: tuple[Amount, ...], side: int, zone: tzinfo | None = None) -> datetime:
    """The moment that lies the amounts before or after another; hours and less are counted in real time."""
    for amount in amounts:
        for unit, count in amount.counts:
            if unit == "workday":
                moment = almanac.workdays_later(moment, side * int(count))
            elif unit in _SUB_DAY and zone is not None:
                seconds = {"hour": 3600, "minute": 60, "second": 1}[unit] * count
                moment = later(moment, timedelta(seconds=side * seconds), zone)
            elif unit == "day" and count % 1 and zone is not None:
                moment = later(moment, DAY * side * count, zone)
            else:
                moment = shifted(moment, unit, side * count)
    return moment


def _point(amounts: tuple[Amount, ...], side: int, speaking: Speaking, fine: bool) -> Reading:
    """N 天前, N 小时后: that one day, that one moment."""
    moment = moved(speaking.moment, amounts, side, speaking.zone)
    unit, count = amounts[-1].counts[-1]
    if fine and amounts[-1].upper:
        return _vague_hours(moment, amounts[-1], side, speaking)
    if fine:
        grain: Grain = "second" if unit == "second" else "minute"
        slack = shifted(moment, unit, 1) - moment
        end = shifted(moment, grain, 1)  # type: ignore[arg-type]
        return Reading(moment, end, moment - slack, end + slack, grain, "instant")
    day = midnight(moment)
    upper = amounts[-1].upper
    if upper:
        return _vague_point(day, amounts, side, speaking)
    slack = {"week": 3 * DAY, "month": 15 * DAY, "quarter": 45 * DAY, "year": 183 * DAY}.get(unit, timedelta(0))
    return Reading(day, day + DAY, day - slack, day + DAY + slack, "day")


def _vague_hours(near: datetime, amount: Amount, side: int, speaking: Speaking) -> Reading:
    """几个小时前, 两三分钟后: from the one count to the other."""
    unit = amount.counts[0][0]
    far = moved(speaking.moment, (Amount(((unit, amount.upper or 0),)),), side, speaking.zone)
    start, end = min(near, far), max(near, far)
    return Reading(start, end, start, max(end, speaking.moment) if side < 0 else end, "hour")


def _vague_point(day: datetime, amounts: tuple[Amount, ...], side: int, speaking: Speaking) -> Reading:
    """两三天前, 几天后: from the one count to the other."""
    unit, _ = amounts[-1].counts[-1]
    far = midnight(shifted(speaking.moment, unit, side * (amounts[-1].upper or 0)))
    start, end = min(day, far), max(day, far)
    end = end + DAY if not side < 0 or unit != "day" else end + DAY
    return Reading(start, end, start - DAY, end + DAY, "day")


def _stretch(amounts: tuple[Amount, ...], side: int, speaking: Speaking, fine: bool) -> Reading:
    """最近 N 天, 未来 N 天, N 天内."""
    now, today = speaking.moment, midnight(speaking.moment)
    tomorrow = today + DAY
    amounts = _at_upper(amounts)
    far = moved(now if fine else today, amounts, side, speaking.zone)
    unit = amounts[0].counts[0][0]
    if fine:
        far_wide = moved(far, (Amount(((unit, 1),)),), side, speaking.zone)
        return Reading(min(now, far), max(now, far), min(now, far_wide), max(now, far_wide), unit)  # type: ignore[arg-type]
    if side > 0:
        return Reading(today, far, today, shifted(far, unit, 1), "day")
    start = far + DAY if unit in ("day", "week") else far
    return Reading(midnight(start), tomorrow, midnight(shifted(start, unit, -1)), tomorrow, "day")


def _at_upper(amounts: tuple[Amount, ...]) -> tuple[Amount, ...]:
    return tuple(replace(a, counts=((a.counts[0][0], a.upper),)) if a.upper else a for a in amounts)


def _whole_units(amounts: tuple[Amount, ...], side: int, speaking: Speaking, fine: bool) -> Reading:
    """前两周, 下三个月: whole units before or after the present one."""
    if fine:
        return _stretch(amounts, side, speaking, fine)
    unit, count = _at_upper(amounts)[0].counts[0]
    present = unit_window(speaking.moment, unit)
    start = shifted(present.start, unit, -count) if side < 0 else present.end
    end = present.start if side < 0 else shifted(present.end, unit, count)
    return Reading(start, end, start, end, "day" if unit == "half" else unit)  # type: ignore[arg-type]


def _laid_at_anchor(node: Laid, speaking: Speaking) -> Reading | None:
    assert node.anchor is not None
    anchor = placed_phrase(node.anchor, speaking)
    if anchor is None or anchor.start is None or anchor.end is None:
        return None
    fine = any(unit in _SUB_DAY for amount in node.amounts for unit, _ in amount.counts)
    if node.way in ("next-to-past", "next-to-future"):
        start = anchor.start if node.way.endswith("past") else anchor.end
        far = moved(start, node.amounts, -1 if node.way.endswith("past") else 1)
        low, high = min(start, far), max(start, far)
        return Reading(low, high, low, high, "day")
    moment = moved(anchor.start, node.amounts, -1 if node.way == "ago" else 1)
    if fine or anchor.kind == "instant":
        end = moment + timedelta(minutes=1)
        return Reading(moment, end, moment, end, "minute", "instant")
    return Reading(moment, moment + DAY, moment, moment + DAY, "day")


# -- bounds


def placed_bounded(node: Bounded, speaking: Speaking) -> Reading | None:
    """A reading with one side opened, or clipped at now."""
    bounded = _speaking_of_bound(node.way, speaking)
    inner = _bounded_reading(node.node, bounded)
    if inner is None or inner.start is None or inner.end is None:
        return None
    if node.way in ("before", "until"):
        return _before(node, inner, bounded)
    if node.way == "eve":
        eve = exact(inner.start - DAY, inner.start).widened(inner.start - 3 * DAY, inner.start)
        return Reading(*eve, "day")
    return _after(node, inner, bounded)


def _speaking_of_bound(way: str, speaking: Speaking) -> Speaking:
    """周五前 looks ahead and 周五以来 looks back where the clause tells no tense."""
    looks = {"before": speaking.tense or "plan", "until": speaking.tense or "plan", "since": "past"}
    return Speaking(speaking.moment, speaking.zone, tense=looks.get(way, speaking.tense))


def _bounded_reading(node: Phrase | Between | Laid, speaking: Speaking) -> Reading | None:
    """The reading inside a bound: a feast is its day here, its days off count only where they are named."""
    if isinstance(node, Phrase) and not node.days_off:
        return placed_phrase(node, speaking)
    return placed(node, speaking)


def _after(node: Bounded, inner: Reading, speaking: Speaking) -> Reading:
    """之后, 起, 以来: open to the right, or clipped at now in a past clause."""
    assert inner.start is not None
    start = _over(node, inner) if node.way == "after" and inner.kind != "instant" else inner.start
    now = speaking.moment
    end = now if speaking.tense == "past" and start < now else None
    wide_start = min(start, inner.wide_start or start)
    return replace(
        inner, start=start, end=end, wide_start=wide_start, wide_end=end, kind="range", alternatives=(), excluded=()
    )


def _over(node: Bounded, inner: Reading) -> datetime:
    """When X is over: a feast with days off is over with the last of them."""
    wall = isinstance(node.node, Phrase) and node.node.predicates[-1].wall
    end = inner.wide_end if wall else inner.end
    assert end is not None
    return end


def _before(node: Bounded, inner: Reading, speaking: Speaking) -> Reading | None:
    """之前: to the end of X from now for a plan, to its start with an open left side for the past."""
    now = speaking.moment
    assert inner.start is not None
    assert inner.end is not None
    wall = inner.kind == "instant" or (isinstance(node.node, Phrase) and node.node.predicates[-1].wall)
    end = inner.start if wall else inner.end
    if speaking.tense == "past" or end <= now:
        past_end = inner.end if node.way == "until" else inner.start
        return replace(
            inner, start=None, end=past_end, wide_start=None, wide_end=inner.end, kind="range", alternatives=()
        )
    return replace(
        inner, start=now, end=end, wide_start=midnight(now), wide_end=inner.end, kind="range", alternatives=()
    )


def candidates(phrase: Phrase, moment: datetime) -> Iterator[Window]:
    """The coming occurrences of a phrase, soonest first."""
    for offset in range(60):
        found = _nth_occurrence(phrase, moment, offset)
        if found is not None and found.end > moment:
            yield found


__all__ = ["UTC", "Reading", "Speaking", "placed"]


def placed_within(node: Phrase | Between, window: Window, speaking: Speaking) -> Window | None:
    """A phrase, or the span between two, inside one period of a recurrence."""
    if isinstance(node, Phrase):
        return narrowed(window, node.predicates)
    left = narrowed(window, node.left.predicates)
    right = narrowed(window, node.right.predicates)
    if left is None or right is None or right.end <= left.start:
        return left
    end = right.start if node.right.predicates[-1].rank == Rank.CLOCK else right.end
    return exact(left.start, end) if end > left.start else left


# -- exclusions


def placed_except(node: Except, speaking: Speaking) -> Reading | None:
    """The hull of what is left when one node is taken out of another, with what is taken out inside it."""
    base = placed(node.node, speaking) if not isinstance(node.node, Length | Recurring) else None
    if base is None or base.start is None or base.end is None:
        return base
    window = exact(base.start, base.end)
    taken = sorted(_taken(node.without, window, speaking))
    start, end = base.start, base.end
    while taken and taken[0].start <= start < taken[0].end:
        start = taken.pop(0).end
    while taken and taken[-1].start < end <= taken[-1].end:
        end = taken.pop().start
    return replace(base, start=start, end=end, excluded=tuple(taken)) if start < end else None


def _taken(without: object, window: Window, speaking: Speaking) -> list[Window]:
    """The spans that a node names inside a window: all of them where it recurs."""
    if isinstance(without, Phrase) and without.predicates[0].find is not None:
        return [w for w in _all_within(without.predicates, window) if w.start < window.end]
    reading = placed(without, speaking) if isinstance(without, Phrase | Between | Laid) else None
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
