"""Which span of the calendar a phrase means: the readings that its words allow, and the one that the tense picks.

Meaning and policy stay apart. The predicates of a phrase say what it may mean: literally in the present unit, the last
one that has begun, the next one to come. The tense picks; what it does not pick stays as an alternative.
"""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from temporal_recall.dataflows.zh_time.calendar import DAY, Unit, Window, shifted, unit_window
from temporal_recall.dataflows.zh_time.tokens import Now, Predicate, Rank

_SEARCHED = {"week": 3, "month": 12, "year": 9, "day": 2, "hour": 2}
_CARRYING: dict[Rank, Unit] = {Rank.YEAR: "year", Rank.MONTH: "month", Rank.WEEK: "week", Rank.DAY: "day"}
_LATE_NIGHT_ENDS = 5


class Picked(NamedTuple):
    """The span that is meant, and those that a listener may have taken it for."""

    window: Window
    others: tuple[Window, ...] = ()


@lru_cache(maxsize=8192)
def narrowed(window: Window, predicates: tuple[Predicate, ...]) -> Window | None:
    """The first span inside a window that has all the properties: the intersect rule.

    Many say the same words in the same week, and what is found is remembered. Only spans that are looked for are asked
    here: a window that stands as it is may end now, and moments that differ in their `fold` alone are equal.
    """
    if not predicates:
        return window
    first, rest = predicates[0], predicates[1:]
    if first.find is None:
        return narrowed(window, rest)
    for found in first.find(window):
        inner = narrowed(found, rest) if rest else found
        if inner is not None:
            return inner
    return None


def picked(predicates: tuple[Predicate, ...], now: Now) -> Picked | None:
    """The span that predicates mean when they are said now; None where the calendar has none."""
    head = predicates[0]
    if head.place is None:
        return _of_recurring(predicates, now)
    if len(predicates) > 1 and predicates[1].find is None:
        carried = _carried(head, predicates[1:], now)
        return Picked(carried) if carried else None
    literal = _standing(predicates, now)
    if literal is None:
        return None
    if head.steps is not None and now.tense is not None:
        return _moved_by_tense(predicates, now, literal)
    if now.moment.hour < _LATE_NIGHT_ENDS and "day_offset" in head.stated and not now.brief:
        return _beside_late_night(predicates, now, literal)
    return Picked(literal)


def alone(predicates: tuple[Predicate, ...], now: Now) -> Window | None:
    """The span that is meant, without its alternatives."""
    if predicates[0].place is None and predicates[0].scope is not None:
        return _by_tense(Occurrences(predicates, now.moment), now)
    found = picked(predicates, now)
    return found.window if found else None


class Occurrences:
    """The spans that predicates name in one unit after the other, around a moment."""

    def __init__(self, predicates: tuple[Predicate, ...], moment: datetime) -> None:
        """Look for the predicates in the units of the coarsest one's scope."""
        self.head = predicates[0]
        self._predicates = predicates
        self._moment = moment
        self._found: dict[int, Window | None] = {}

    @property
    def reach(self) -> int:
        """How many units off is looked: 29 February may be eight years away."""
        return _SEARCHED.get(self.head.scope or "year", 3)

    def at(self, offset: int) -> Window | None:
        """The span in the unit that lies `offset` units from the moment's."""
        if offset not in self._found:
            scope = self.head.scope
            window = unit_window(self._moment, scope, offset) if scope else None
            self._found[offset] = narrowed(window, self._predicates) if window else None
        return self._found[offset]

    def last(self) -> Window | None:
        """The latest one that has begun."""
        for offset in range(0, -self.reach - 1, -1):
            found = self.at(offset)
            if found is not None and found.start <= self._moment:
                return found
        return None

    def coming(self, whole: bool = False, with_days_off: bool = False) -> Window | None:
        """The next one that is not over, or whose days off are not; the next that begins where it is to be whole."""
        first = -1 if self.head.scope == "year" and self.head.forward else 0  # a lunar year ends in the next
        for offset in range(first, self.reach + 1):
            found = self.at(offset)
            if found is not None and (found.start if whole else _end(found, with_days_off)) > self._moment:
                return found
        return None


def _end(found: Window, with_days_off: bool) -> datetime:
    return found.wide_end if with_days_off else found.end


# -- words that stand still


def _standing(predicates: tuple[Predicate, ...], now: Now) -> Window | None:
    place = predicates[0].place
    base = place(now) if place else None
    return narrowed(base, predicates[1:]) if base and len(predicates) > 1 else base


def _moved_by_tense(predicates: tuple[Predicate, ...], now: Now, literal: Window) -> Picked:
    """这周末 told on a Monday as past is the last one; the literal reading stays where it agrees with the tense."""
    unit, step = predicates[0].steps, _contradiction(literal, now)
    moved = _standing(predicates, now._replace(moment=shifted(now.moment, unit, step))) if unit and step else None
    return Picked(moved, (literal,)) if moved else Picked(literal)


def _contradiction(literal: Window, now: Now) -> int:
    if now.tense == "past" and literal.start > now.moment:
        return -1
    return 1 if now.tense == "plan" and literal.end <= now.moment else 0


def _beside_late_night(predicates: tuple[Predicate, ...], now: Now, literal: Window) -> Picked:
    """Past midnight, 昨天 may be the day before: people still live in the day that ended."""
    other = _standing(predicates, now._replace(moment=now.moment - DAY))
    return Picked(literal, (other,) if other else ())


def _carried(head: Predicate, rest: tuple[Predicate, ...], now: Now) -> Window | None:
    """去年的今天, 昨天现在: the finer standing word, moved to the unit that the coarser names."""
    unit = _CARRYING.get(head.rank, "year")
    base = head.place(now) if head.place else None
    if base is None or rest[0].place is None:
        return None
    count = _units_between(unit_window(now.moment, unit).start, base.start, unit)
    moved = rest[0].place(now._replace(moment=shifted(now.moment, unit, count)))
    return narrowed(moved, rest[1:]) if moved and len(rest) > 1 else moved


def _units_between(start: datetime, end: datetime, unit: Unit) -> int:
    if unit in ("day", "week"):
        return (end - start).days // (7 if unit == "week" else 1)
    months = (end.year - start.year) * 12 + end.month - start.month
    return months // 12 if unit == "year" else months


# -- words that recur


def _of_recurring(predicates: tuple[Predicate, ...], now: Now) -> Picked | None:
    """A phrase that comes again in every unit of its coarsest word: the one that is meant beside the others."""
    series = Occurrences(predicates, now.moment)
    chosen = _by_tense(series, now) if series.head.scope is not None else None
    if chosen is None:
        return None
    if series.head.rank >= Rank.PART or now.brief:
        return Picked(chosen)
    last, coming = series.last(), series.coming(_is_to_be_whole(series.head, now))
    others = tuple(w for w in ((last,) if coming is last else (last, coming)) if w is not None and w is not chosen)
    return Picked(_hull(chosen, others)) if series.head.loose and others else Picked(chosen, others)


def _by_tense(series: Occurrences, now: Now) -> Window | None:
    whole = _is_to_be_whole(series.head, now)
    if now.tense == "past":
        return series.last() or series.coming()
    if now.tense == "plan" or series.head.forward:
        planned_feast = series.head.forward and now.tense == "plan"
        return series.coming(whole, with_days_off=planned_feast) or series.last()
    literal = series.at(0)
    if literal is None or series.head.nearest:
        return _nearer(literal, series.coming(), now.moment) or series.last()
    return literal


def _is_to_be_whole(head: Predicate, now: Now) -> bool:
    """A season named inside it, where no tense is told, is the next one."""
    return head.forward and head.rank < Rank.MONTH and now.tense is None


def _nearer(literal: Window | None, coming: Window | None, moment: datetime) -> Window | None:
    """3号 said on the 30th is the third to come, said on the 9th the third that was."""
    if literal is None or coming is None:
        return literal or coming
    return min((literal, coming), key=lambda window: min(abs(window.start - moment), abs(window.end - moment)))


def _hull(chosen: Window, others: tuple[Window, ...]) -> Window:
    return chosen.widened(min(w.wide_start for w in others), max(w.wide_end for w in others))
