"""Recurrence rules that count in another calendar (RFC 7529 RSCALE), as explicit dates.

The expanding library knows the Gregorian calendar without SKIP alone. A yearly or monthly rule of the Chinese calendar
(a birthday by the old calendar) or with SKIP is written out here; the library then reads the dates.
"""

from __future__ import annotations

import calendar
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from lunar_python import Lunar, LunarMonth, LunarYear, Solar

LAST_YEAR = 2100
_SUPPORTED = frozenset({"RSCALE", "FREQ", "INTERVAL", "COUNT", "UNTIL", "SKIP", "WKST"})
_Skip = str
_Nominal = Callable[[int, _Skip], date | None]


class UnsupportedRule(ValueError):
    """A rule that can neither be expanded by the library nor written out here."""


def plain_rule(parts: dict[str, str]) -> str | None:
    """The rule without RSCALE where the library can expand it as it then stands; else None."""
    if parts.get("RSCALE", "GREGORIAN") != "GREGORIAN" or parts.get("SKIP", "OMIT") != "OMIT":
        return None
    return ";".join(f"{name}={value}" for name, value in parts.items() if name not in ("RSCALE", "SKIP"))


def explicit_dates(parts: dict[str, str], start: date) -> list[date]:
    """The dates of a rule after `start` (which counts as the first), up to COUNT, UNTIL or the year 2100.

    Raises:
        UnsupportedRule: another calendar, frequency or part than is supported here (names it).
    """
    if unknown := sorted(set(parts) - _SUPPORTED):
        raise UnsupportedRule(unknown[0])
    nominal = _nominal(parts.get("RSCALE", "GREGORIAN"), parts.get("FREQ", ""), start)
    interval, skip = int(parts.get("INTERVAL", "1")), parts.get("SKIP", "OMIT")
    until = _date(parts["UNTIL"]) if "UNTIL" in parts else date(LAST_YEAR, 12, 31)
    count = int(parts.get("COUNT", "100000"))
    return list(_counted(nominal, interval, skip, until, count))


def _counted(nominal: _Nominal, interval: int, skip: str, until: date, count: int) -> Iterator[date]:
    step, given = interval, 1
    while given < count and step < 12 * (LAST_YEAR - 1900):
        day = nominal(step, skip)
        step += interval
        if day is not None:
            if day > until:
                return
            given += 1
            yield day


def _nominal(scale: str, frequency: str, start: date) -> _Nominal:
    makers: dict[tuple[str, str], Callable[[date], _Nominal]] = {
        ("GREGORIAN", "YEARLY"): lambda day: _gregorian(day, 12),
        ("GREGORIAN", "MONTHLY"): lambda day: _gregorian(day, 1),
        ("CHINESE", "YEARLY"): _chinese,
    }
    if (scale, frequency) not in makers:
        raise UnsupportedRule(f"RSCALE={scale};FREQ={frequency}")
    return makers[scale, frequency](start)


def _gregorian(start: date, months_a_step: int) -> _Nominal:
    def nominal(step: int, skip: _Skip) -> date | None:
        year, month = divmod(start.year * 12 + start.month - 1 + step * months_a_step, 12)
        last = calendar.monthrange(year, month + 1)[1]
        if start.day <= last:
            return date(year, month + 1, start.day)
        end = date(year, month + 1, last)
        return {"FORWARD": end + timedelta(days=1), "BACKWARD": end}.get(skip)

    return nominal


def _chinese(start: date) -> _Nominal:
    lunar = Solar.fromYmd(start.year, start.month, start.day).getLunar()
    first_year, month, day = lunar.getYear(), lunar.getMonth(), lunar.getDay()

    def nominal(step: int, skip: _Skip) -> date | None:
        year = first_year + step
        if year > LAST_YEAR:
            return date(LAST_YEAR + 1, 1, 1)
        held = _month_held(year, month, skip)
        return None if held is None else _day_held(year, held, day, skip)

    return nominal


def _month_held(year: int, month: int, skip: _Skip) -> int | None:
    """The month of a lunar year; a leap month (negative) that the year lacks is skipped as the rule says."""
    if month > 0 or LunarYear.fromYear(year).getLeapMonth() == -month:
        return month
    return {"FORWARD": -month + 1, "BACKWARD": -month}.get(skip)


def _day_held(year: int, month: int, day: int, skip: _Skip) -> date | None:
    """The day of a lunar month; a thirtieth that the month lacks is skipped as the rule says."""
    lunar_month = LunarMonth.fromYm(year, month)
    if lunar_month is None:
        return None
    days = lunar_month.getDayCount()
    if day <= days:
        return _solar(year, month, day)
    end = _solar(year, month, days)
    return {"FORWARD": end + timedelta(days=1), "BACKWARD": end}.get(skip)


def _solar(year: int, month: int, day: int) -> date:
    solar = Lunar.fromYmd(year, month, day).getSolar()
    return date(solar.getYear(), solar.getMonth(), solar.getDay())


def _date(value: str) -> date:
    return date(int(value[:4]), int(value[4:6]), int(value[6:8]))
