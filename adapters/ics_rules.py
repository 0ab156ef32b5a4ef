"""Recurrence rules before they are expanded: what they say, and those that would never come to an end.

The expanding library walks from the first date on, and a rule that matches nothing sends it to the year 9999 and back.
"""

from __future__ import annotations

_TOO_FREQUENT = frozenset({"SECONDLY", "MINUTELY"})
_LONGEST_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_LARGEST_SET = {"YEARLY": 366, "MONTHLY": 31, "WEEKLY": 7, "DAILY": 24, "HOURLY": 1}
_MOST_TIMES_A_DAY = 96
"""A quarter of an hour apart: whatever comes more often is no appointment."""
_CLOCK_PARTS = ("BYHOUR", "BYMINUTE", "BYSECOND")
_BOUNDS = {"BYMONTH": 12, "BYMONTHDAY": 31, "BYYEARDAY": 366, "BYWEEKNO": 53}


def rule_parts(rule: str) -> dict[str, str]:
    """The parts of an RRULE value by name, in capitals."""
    pairs = (part.partition("=") for part in rule.upper().replace(" ", "").split(";") if part)
    return {name: value for name, _, value in pairs}


def rule_fault(parts: dict[str, str]) -> tuple[str, str] | None:
    """Why a rule is not expanded, as a code and the part that is to blame; None for one that may be.

    >>> rule_fault({"FREQ": "DAILY", "BYMONTH": "2", "BYMONTHDAY": "30"})
    ('bad_rule', 'BYMONTHDAY')
    """
    frequency = parts.get("FREQ", "")
    if frequency in _TOO_FREQUENT:
        return "too_frequent", frequency
    if frequency not in _LARGEST_SET:
        return "bad_rule", "FREQ"
    for name in ("INTERVAL", "COUNT"):
        if name in parts and not (parts[name].isdecimal() and len(parts[name]) < 10 and int(parts[name]) > 0):
            return "bad_rule", name
    if _times_a_day(parts) > _MOST_TIMES_A_DAY:
        return "too_frequent", max(_CLOCK_PARTS, key=lambda name: parts.get(name, "").count(","))
    is_other_calendar = parts.get("RSCALE", "GREGORIAN") != "GREGORIAN"
    wrong = None if is_other_calendar else _impossible_part(parts, _LARGEST_SET[frequency])
    return ("bad_rule", wrong) if wrong else None


def _times_a_day(parts: dict[str, str]) -> int:
    hours, minutes, seconds = (len(parts[name].split(",")) if name in parts else 0 for name in _CLOCK_PARTS)
    return (hours or (24 if parts["FREQ"] == "HOURLY" else 1)) * max(1, minutes) * max(1, seconds)


def _impossible_part(parts: dict[str, str], largest_set: int) -> str | None:
    """The part that no day can satisfy."""
    try:
        numbers = {name: [int(n) for n in parts[name].split(",")] for name in (*_BOUNDS, "BYSETPOS") if name in parts}
    except ValueError:
        return next((name for name in (*_BOUNDS, "BYSETPOS") if name in parts), None)
    for name, bound in (*_BOUNDS.items(), ("BYSETPOS", largest_set)):
        if name in numbers and not any(0 < abs(n) <= bound for n in numbers[name]):
            return name
    longest = max(_LONGEST_MONTH[month - 1] for month in numbers.get("BYMONTH", [1]) if 0 < month <= 12)
    is_possible = any(abs(day) <= longest for day in numbers.get("BYMONTHDAY", [1]))
    return None if is_possible else "BYMONTHDAY"
