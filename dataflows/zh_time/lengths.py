"""Lengths of time laid before or after now, or before or after a phrase."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta, tzinfo

from temporal_recall.dataflows.zh_time import almanac
from temporal_recall.dataflows.zh_time.calendar import DAY, Window, later, midnight, shifted, unit_window
from temporal_recall.dataflows.zh_time.readings import Reading, Speaking
from temporal_recall.dataflows.zh_time.spans import GRAINS
from temporal_recall.dataflows.zh_time.tokens import Amount

Amounts = tuple[Amount, ...]

_SECONDS = {"hour": 3600, "minute": 60, "second": 1}
_POINT_SLACK = {"week": 3 * DAY, "month": 15 * DAY, "quarter": 45 * DAY, "year": 183 * DAY}


def laid(amounts: Amounts, way: str, speaking: Speaking) -> Reading:
    """A length before or after now, as the words around it say (`way`)."""
    if way in ("ago", "later", "point-future"):
        return _point(amounts, -1 if way == "ago" else 1, speaking)
    if way == "since":
        return _since(amounts, speaking)
    if way.startswith("whole"):
        return _whole_units(amounts, -1 if way == "whole-past" else 1, speaking)
    back = way == "recent-past" or (way == "within" and speaking.tense == "past")
    return _stretch(amounts, -1 if back else 1, speaking)


def laid_at(anchor: Reading, amounts: Amounts, way: str) -> Reading | None:
    """A length before or after another time: 圣诞节前一天, 9月1号的14天后."""
    if anchor.start is None or anchor.end is None:
        return None
    side = -1 if way in ("ago", "next-to-past") else 1
    if way.startswith("next"):
        edge = anchor.start if side < 0 else anchor.end
        low, high = sorted((edge, moved(edge, amounts, side)))
        return Reading.exact(Window(low, high, low, high), "day")
    moment = moved(anchor.start, amounts, side)
    fine = _is_fine(amounts) or anchor.kind == "instant"
    return _moment(moment, timedelta(minutes=1), "minute") if fine else Reading.exact(unit_window(moment, "day"), "day")


def moved(moment: datetime, amounts: Amounts, side: int, zone: tzinfo | None = None) -> datetime:
    """The moment that lies the amounts before or after another; hours and less are counted in real time."""
    for amount in amounts:
        for unit, count in amount.counts:
            moment = _moved_by(moment, unit, side * count, zone)
    return moment


def _moved_by(moment: datetime, unit: str, count: float, zone: tzinfo | None) -> datetime:
    if unit == "workday":
        return almanac.workdays_later(moment, int(count))
    if zone is not None and (unit in _SECONDS or (unit == "day" and count % 1)):
        return later(moment, timedelta(seconds=_SECONDS.get(unit, 86400) * count), zone)
    return shifted(moment, unit, count)  # type: ignore[arg-type]


def _is_fine(amounts: Amounts) -> bool:
    return any(unit in _SECONDS for amount in amounts for unit, _ in amount.counts)


def _moment(moment: datetime, length: timedelta, grain: str, slack: timedelta = timedelta(0)) -> Reading:
    end = moment + length
    return Reading(moment, end, moment - slack, end + slack, grain, "instant")  # type: ignore[arg-type]


def _point(amounts: Amounts, side: int, speaking: Speaking) -> Reading:
    """N 天前, N 小时后: that one day, that one moment; between the two counts where the words leave them open."""
    unit = amounts[-1].counts[-1][0]
    near = moved(speaking.moment, amounts, side, speaking.zone)
    if amounts[-1].upper:
        return _between_counts(near, amounts, side, speaking)
    if _is_fine(amounts):
        slack = timedelta(seconds=_SECONDS.get(unit, 60))
        return _moment(near, min(slack, timedelta(minutes=1)), "second" if unit == "second" else "minute", slack)
    day, slack = unit_window(near, "day"), _POINT_SLACK.get(unit, timedelta(0))
    return Reading.exact(day.widened(day.start - slack, day.end + slack), "day")


def _between_counts(near: datetime, amounts: Amounts, side: int, speaking: Speaking) -> Reading:
    """两三天前, 几个小时后: from the one count to the other."""
    far = moved(speaking.moment, _at_upper(amounts), side, speaking.zone)
    low, high = sorted((near, far))
    if _is_fine(amounts):
        return Reading.exact(Window(low, high, low, high), "hour")
    start, end = midnight(low), midnight(high) + DAY
    return Reading.exact(Window(start, end, start - DAY, end + DAY), "day")


def _since(amounts: Amounts, speaking: Speaking) -> Reading:
    start = moved(speaking.moment, amounts, -1, speaking.zone)
    day = start if _is_fine(amounts) else midnight(start)
    return Reading.exact(Window(day, speaking.moment, day, speaking.moment), "day")


def _stretch(amounts: Amounts, side: int, speaking: Speaking) -> Reading:
    """最近 N 天, 未来 N 天, N 天内."""
    amounts = _at_upper(amounts)
    unit = amounts[0].counts[0][0]
    if _is_fine(amounts):
        return _hours(amounts, side, speaking)
    today = midnight(speaking.moment)
    far = moved(today, amounts, side, speaking.zone)
    if side > 0:
        return Reading.exact(Window(today, far, today, shifted(far, unit, 1)), "day")
    start = midnight(far + DAY if unit in ("day", "week") else far)
    return Reading.exact(Window(start, today + DAY, midnight(shifted(start, unit, -1)), today + DAY), "day")


def _hours(amounts: Amounts, side: int, speaking: Speaking) -> Reading:
    unit = amounts[0].counts[0][0]
    far = moved(speaking.moment, amounts, side, speaking.zone)
    wide = moved(far, (Amount(((unit, 1),)),), side, speaking.zone)
    low, high = sorted((speaking.moment, far))
    return Reading.exact(Window(low, high, min(low, wide), max(high, wide)), GRAINS[unit])


def _whole_units(amounts: Amounts, side: int, speaking: Speaking) -> Reading:
    """前两周, 下三个月: whole units before or after the present one."""
    if _is_fine(amounts):
        return _stretch(amounts, side, speaking)
    unit, count = _at_upper(amounts)[0].counts[0]
    present = unit_window(speaking.moment, unit)
    start = shifted(present.start, unit, -count) if side < 0 else present.end
    end = present.start if side < 0 else shifted(present.end, unit, count)
    return Reading.exact(Window(start, end, start, end), GRAINS[unit])


def _at_upper(amounts: Amounts) -> Amounts:
    return tuple(replace(a, counts=((a.counts[0][0], a.upper),)) if a.upper else a for a in amounts)
