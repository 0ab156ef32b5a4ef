"""What recurs: its RFC 5545 rule and its next occurrences."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from temporal_recall.dataflows.zh_time.calendar import Unit, Window, unit_window
from temporal_recall.dataflows.zh_time.finders import weekday
from temporal_recall.dataflows.zh_time.nodes import Between, Phrase, Recurring
from temporal_recall.dataflows.zh_time.readings import Speaking
from temporal_recall.dataflows.zh_time.resolve import placed_within
from temporal_recall.dataflows.zh_time.tokens import Every, Fields

_FREQUENCIES = {
    "second": "SECONDLY", "minute": "MINUTELY", "hour": "HOURLY", "day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "year": "YEARLY",
}  # fmt: skip
_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_SEARCHED_PERIODS = {"year": 12, "month": 24}


def recurrence_rule(node: Recurring) -> str | None:
    """The RRULE value of a recurrence; None where RFC 5545 cannot say it (每年中秋)."""
    phrase = _phrase(node)
    stated = {k: v for p in phrase.predicates for k, v in p.stated.items()} if phrase else {}
    if {"feast", "term", "season", "lunar_month"} & set(stated):
        return None
    unit, interval = _period(node.every, phrase)
    if unit not in _FREQUENCIES or interval % 1:
        return None
    parts = [f"FREQ={_FREQUENCIES[unit]}"]
    parts += [f"INTERVAL={int(interval)}"] if interval != 1 else []
    return ";".join([*parts, *_by_parts(node.every, stated)])


def _by_parts(every: Every, stated: Fields) -> list[str]:
    days = every.days or (() if "weekday" not in stated else (_DAYS[int(stated["weekday"]) - 1],))
    parts = [f"BYMONTH={stated['month']}"] if "month" in stated else []
    month_day = stated.get("day", stated.get("nth_day"))
    parts += [f"BYMONTHDAY={month_day}"] if month_day is not None else []
    parts += [f"BYDAY={','.join(days)}"] if days else []
    parts += [f"BYHOUR={int(stated['hour']) % 24}"] if "hour" in stated else []
    return parts + ([f"BYMINUTE={stated['minute']}"] if "minute" in stated else [])


def _phrase(node: Recurring) -> Phrase | None:
    return node.inner.left if isinstance(node.inner, Between) else node.inner


def _period(every: Every, phrase: Phrase | None) -> tuple[Unit, float]:
    """The unit that recurs and how many make a period; halves and quarters come down to months."""
    unit = every.unit or (phrase.predicates[0].scope if phrase else None) or "day"
    if unit == "quarter":
        return "month", every.interval * 3
    if every.interval % 1:
        finer: dict[Unit, tuple[Unit, int]] = {
            "year": ("month", 12),
            "hour": ("minute", 60),
            "day": ("hour", 24),
            "minute": ("second", 60),
        }
        smaller, count = finer.get(unit, (unit, 1))
        return smaller, every.interval * count
    return unit, every.interval


def recurrences(node: Recurring, speaking: Speaking, count: int = 3) -> tuple[Window, ...]:
    """The next occurrences, soonest first; none for what recurs within the day by itself (每两小时)."""
    unit, interval = _period(node.every, _phrase(node))
    if unit in ("second", "minute", "hour") or interval % 1:
        return ()
    coming = (w for w in _occurrences(node, unit, int(interval), speaking) if w.end > speaking.moment)
    try:
        return tuple(islice(coming, count))
    except (ValueError, OverflowError):  # the calendar ends
        return ()


def _occurrences(node: Recurring, unit: Unit, interval: int, speaking: Speaking) -> Iterator[Window]:
    for period in range(0, _SEARCHED_PERIODS.get(unit, 60) * interval, interval):
        window = unit_window(speaking.moment, unit, period)
        for day in _days(node.every, window):
            found = day if node.inner is None else placed_within(node.inner, day)
            if found is not None:
                yield found


def _days(every: Every, window: Window) -> Iterator[Window]:
    if not every.days:
        yield window
    for name in every.days:
        yield from weekday(_DAYS.index(name))(window)
