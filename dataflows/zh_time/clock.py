"""Clock times and parts of the day as predicates, and how a part of the day reads a clock."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from temporal_recall.dataflows.zh_time.finders import clock_of_day, hours_of_day
from temporal_recall.dataflows.zh_time.tokens import Clock, Part, Predicate, Rank


def part_predicate(part: Part) -> Predicate:
    """A part of each day."""
    find = hours_of_day(part.hours, part.wide_hours)
    return Predicate(Rank.PART, "part_of_day", find, scope="day", stated={"part": part.name}, weak=part.weak)


def clock_predicate(clock: Clock, part: Part | None = None) -> Predicate:
    """A clock time of each day; without a part of the day a 12-hour clock takes the working reading."""
    hour = _hour_in_part(clock.hour, part) if part else _working_hour(clock)
    stated: dict[str, int | str] = {"hour": hour}
    if clock.grain != "hour":
        stated["minute"] = clock.minute
    if clock.grain == "second":
        stated["second"] = clock.second
    if part:
        stated["part"] = part.name
    elif hour != clock.hour or (not clock.known and 1 <= clock.hour <= 12):
        stated["half_day"] = "implied"
    find = clock_of_day(hour, clock.minute, clock.second, clock.grain, clock.hours)
    return Predicate(
        Rank.CLOCK, clock.grain, find, scope="day", stated=stated, weak=clock.weak and part is None, wall=True
    )


def _working_hour(clock: Clock) -> int:
    """7 to 12 as said, 1 to 6 in the afternoon."""
    return clock.hour + 12 if not clock.known and 1 <= clock.hour <= 6 else clock.hour


def _hour_in_part(hour: int, part: Part) -> int:
    """The hour from the date's midnight that a 12-hour clock means in a part of the day."""
    if hour > 12:
        return hour
    if part.clock == "small" or part.clock == "morning":
        return 0 if hour == 12 and part.clock == "small" else hour
    if part.clock == "noon":
        return hour + 12 if hour <= 3 else hour
    if part.clock == "afternoon":
        return 12 if hour == 12 else hour + 12
    if hour == 0:
        return 24
    return _evening_hour(hour, part)


def _evening_hour(hour: int, part: Part) -> int:
    """晚上 counts on past midnight: 晚上两点 is two in the night after that day."""
    small = 4 if part.clock == "evening" else 5
    if hour == 12 or hour <= small:
        return hour % 12 + 24
    return hour + 12


def clock_after(left: Predicate, right: Predicate) -> Predicate:
    """The right end of a span of clock times: where am or pm is not said, the first such time after the left end."""
    if "half_day" not in right.stated or "hour" not in left.stated:
        return right
    return _first_after(right, int(left.stated["hour"]), int(left.stated.get("minute", 0)))


def next_half_day(clock: Predicate, moment: datetime) -> Predicate:
    """A clock time of which am or pm is not said, as the first such time after a moment of the same day."""
    return _first_after(clock, moment.hour, moment.minute)


def _first_after(clock: Predicate, hour: int, minute: int) -> Predicate:
    own_minute, second = int(clock.stated.get("minute", 0)), int(clock.stated.get("second", 0))
    own_hour = int(clock.stated["hour"]) % 12
    while (own_hour, own_minute) <= (hour, minute):
        own_hour += 12
    find = clock_of_day(own_hour, own_minute, second, clock.grain)  # type: ignore[arg-type]
    return replace(clock, find=find, stated={**clock.stated, "hour": own_hour})
