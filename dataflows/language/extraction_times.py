"""Event times: the time expressions of a message, and which of them is the time of what it tells."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from temporal_recall.dataflows.zh_time import find_times
from temporal_recall.schemas.time import Tense, TimeExpression

_CLOCK_FIELDS = frozenset({"hour", "minute", "second", "half_day", "part"})
_DAY = timedelta(days=1)
_DAY_WORD = re.compile("[天日号周月年昨今明后期拜]|week|day|tomorrow", re.IGNORECASE)
_LIMIT_WORD = re.compile(r"前$|截止|before|\bby\b", re.IGNORECASE)
_LANDMARKS = {
    "上班": (9, 0),
    "午休": (12, 0),
    "午饭": (12, 0),
    "放学": (16, 30),
    "下班": (18, 0),
    "晚饭": (18, 0),
    "睡": (23, 0),
}
"""Hours that the day's round names, of an ordinary working day."""

_LANDMARK = re.compile("(" + "|".join(_LANDMARKS) + ")(?P<limit>之?前)")
_EVENING_MATTER = re.compile(
    "聚餐|晚饭|晚餐|吃饭|饭局|火锅|烤肉|烧烤|撸串|喝酒|酒吧|电影|演唱会|话剧|音乐会|ktv|KTV|唱歌|夜宵|演出|蹦迪"
)
_EVENING_HOURS = range(5, 12)
_VAGUE_CLOCK = re.compile("多|左右|前后|来钟|大概|差不多|around|ish")


@dataclass(frozen=True, slots=True)
class TimeMention:
    """A time expression where it stands: its clause (number within the message), offsets, and reading.

    `start` or `end` is None where the words leave that side open; `names_day` and `hour` tell what is stated.
    """

    clause: int
    at: int
    until: int
    start: datetime | None
    end: datetime | None
    grain: str
    names_day: bool
    is_feast: bool
    hour: int | None
    minute: int
    part: str | None
    is_clock: bool
    half_day_known: bool
    is_limit: bool
    kind: str
    duration: timedelta | None


@dataclass(frozen=True, slots=True)
class EventSpan:
    """When something happens: half-open, the end None for an instant."""

    start: datetime
    end: datetime | None
    granularity: str


def mentions_of(
    text: str, clause_starts: Sequence[int], tenses: Sequence[Tense], observed: datetime, zone_name: str
) -> tuple[TimeMention, ...]:
    """The time expressions of a message in order of place, each read in the tense of its clause."""
    found: list[TimeMention] = []
    for tense in dict.fromkeys(tenses):
        expressions = find_times(text, observed, time_zone=zone_name, tense=tense)
        if not expressions:
            return ()
        for expression in expressions:
            clause = max(bisect_right(clause_starts, expression.span[0]) - 1, 0)
            if tenses[clause] == tense:
                found.append(_mention(expression, clause))
    found.sort(key=lambda m: m.at)
    return tuple(found)


def _mention(expression: TimeExpression, clause: int) -> TimeMention:
    stated, core = expression.stated, expression.core
    return TimeMention(
        clause=clause,
        at=expression.span[0],
        until=expression.span[1],
        start=core.start if core else None,
        end=core.end if core else None,
        grain=expression.grain or "",
        names_day=bool(stated.keys() - _CLOCK_FIELDS) or (not stated and _DAY_WORD.search(expression.text) is not None),
        is_feast="feast" in stated,
        hour=_stated_hour(expression),
        minute=int(stated.get("minute", 0)),
        part=str(stated["part"]) if "part" in stated else None,
        is_clock=expression.grain in ("hour", "minute", "second"),
        half_day_known="half_day" not in expression.implied,
        is_limit=_LIMIT_WORD.search(expression.text) is not None,
        kind=expression.kind,
        duration=expression.duration,
    )


def _stated_hour(expression: TimeExpression) -> int | None:
    """The hour, counted from the day's midnight, of a plain clock time; spans and limits keep their own bounds."""
    hour = expression.stated.get("hour")
    return int(hour) if hour is not None and expression.kind == "instant" else None


def is_placed(mention: TimeMention) -> bool:
    """Whether the expression names a definite place in time, no coarser than a month."""
    return (
        mention.kind in ("range", "instant")
        and mention.start is not None
        and mention.grain not in ("year", "quarter", "")
    )


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of a message before its event's time is chosen.

    `clause` is the number of its main clause, `moved_at` the offset after which the new time of a moved event stands,
    `dead` the clauses whose times are given up, `observed` the local time at which it was said.
    """

    text: str
    type: str
    status: str
    clause: int
    moved_at: int | None
    dead: frozenset[int]
    observed: datetime

    @property
    def is_over(self) -> bool:
        return self.status in ("completed", "mentioned")

    @property
    def is_owed(self) -> bool:
        return self.type in ("todo", "commitment") and self.status == "planned"


def event_span(told: Told, mentions: Sequence[TimeMention]) -> tuple[EventSpan | None, tuple[TimeMention, ...]]:
    """When the event of a message happens, and the mentions that are other times, in order of place."""
    placed = [m for m in mentions if is_placed(m)]
    if told.type == "mention":
        return None, tuple(placed)
    if told.type == "decision":
        return _day_span(told.observed), tuple(placed)
    fitting = [m for m in placed if _fits(m, told)]
    living = [m for m in fitting if m.clause not in told.dead] or fitting
    if not living:
        return (_moment_span(told.observed) if told.is_over else None), tuple(placed)
    lead = max(living, key=lambda m: _preference(m, told))
    helper = _completing(lead, placed, told)
    span = _span(lead, helper, told)
    span = _with_length(span, lead, mentions) if span.end is None else span
    return span, tuple(m for m in placed if m is not lead and m is not helper)


def _fits(mention: TimeMention, told: Told) -> bool:
    """What is over began before it was told; what is to come is not over yet — events may turn out to be past."""
    assert mention.start is not None
    if told.is_over:
        return mention.start <= told.observed and not mention.is_limit and mention.grain not in ("month",)
    if told.is_owed:
        return mention.end is None or mention.end > told.observed
    return True


def _preference(mention: TimeMention, told: Told) -> tuple[bool, ...] | tuple[object, ...]:
    """The better mention of a message is the greater."""
    assert mention.start is not None
    is_new = told.moved_at is not None and mention.at >= told.moved_at
    is_ahead = told.is_over or mention.end is None or mention.end > told.observed
    return (
        is_new,
        is_ahead,
        mention.end is not None,
        told.is_owed and mention.is_limit,
        not mention.is_feast,
        mention.clause == told.clause,
        mention.names_day,
        -mention.at,
    )


def _completing(lead: TimeMention, placed: Sequence[TimeMention], told: Told) -> TimeMention | None:
    """The mention that says what the lead leaves out: the day of a clock time, or the clock time of a day."""
    others = [m for m in placed if m is not lead]
    if not lead.names_day and lead.hour is not None:
        days = [m for m in others if m.names_day and m.start is not None and _is_one_day(m)]
        living = [m for m in days if m.clause not in told.dead] or days
        return min(living, key=lambda m: (m.at > lead.at, abs(m.at - lead.at)), default=None)
    if lead.names_day and lead.hour is None and _is_one_day(lead):
        if "同一时间" in told.text or "时间不变" in told.text or "老时间" in told.text:
            return next((m for m in others if m.hour is not None), None)
        after = [m for m in others if m.at > lead.at and m.clause not in told.dead]
        return after[0] if after and after[0].hour is not None and not after[0].names_day and not told.is_owed else None
    return None


def _is_one_day(mention: TimeMention) -> bool:
    assert mention.start is not None
    return mention.end is not None and mention.end - mention.start <= timedelta(hours=25)


def _span(lead: TimeMention, helper: TimeMention | None, told: Told) -> EventSpan:
    assert lead.start is not None
    if told.is_owed and lead.is_limit and lead.end is not None:
        return _limit_span(lead, told)
    landmark = _LANDMARK.search(told.text) if told.is_owed else None
    if landmark and _is_one_day(lead) and lead.hour is None:
        hour, minute = _LANDMARKS[landmark.group(1)]
        return EventSpan(_at(lead.start, hour, minute), None, "minute")
    clock, day = (lead, helper or lead) if lead.hour is not None else (helper, lead)
    if clock is not None and clock.hour is not None and (clock is not day or not lead.half_day_known):
        assert day.start is not None
        return EventSpan(_at(day.start, _hour(clock, day, told), clock.minute), None, _clock_grain(told, clock))
    if lead.is_clock:
        ends = lead.end if lead.kind == "range" else None
        return EventSpan(lead.start, ends, _clock_grain(told, lead))
    return EventSpan(lead.start, lead.end, _granularity(lead))


def _limit_span(lead: TimeMention, told: Told) -> EventSpan:
    """The deadline itself: a clock time as it is, of days the last one."""
    assert lead.end is not None
    if lead.is_clock:
        return EventSpan(lead.end, None, "minute")
    return _day_span(lead.end - timedelta(microseconds=1))


def _hour(clock: TimeMention, day: TimeMention, told: Told) -> int:
    """The hour of a clock time, read in the part of the day that stands with the date, or as the matter asks for."""
    assert clock.hour is not None
    if clock.half_day_known or clock.hour > 12:
        return clock.hour if clock.half_day_known else _by_part(clock.hour - 12, day.part, clock.hour)
    if day.part:
        return _by_part(clock.hour, day.part, clock.hour)
    is_evening = clock.hour in _EVENING_HOURS and _EVENING_MATTER.search(told.text) is not None
    return clock.hour + 12 if is_evening else clock.hour


def _by_part(hour: int, part: str | None, otherwise: int) -> int:
    if part in ("早上", "上午", "清晨", "凌晨", "早晨", "清早", "早"):
        return hour
    if part in ("下午", "晚上", "傍晚", "晚", "今晚", "夜里") and hour < 12:
        return hour + 12
    return otherwise


def _at(day: datetime, hour: int, minute: int) -> datetime:
    midnight = day.replace(hour=0, minute=0, second=0, microsecond=0)
    shifted = midnight + _DAY * (hour // 24)
    return shifted.replace(hour=hour % 24, minute=minute)


def _day_span(moment: datetime) -> EventSpan:
    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return EventSpan(midnight, midnight + _DAY, "day")


def _moment_span(moment: datetime) -> EventSpan:
    return EventSpan(moment.replace(second=0, microsecond=0), None, "minute")


def _clock_grain(told: Told, clock: TimeMention) -> str:
    return "hour" if _VAGUE_CLOCK.match(told.text[clock.until : clock.until + 2]) else "minute"


def _granularity(mention: TimeMention) -> str:
    if mention.grain == "part_of_day":
        return "part"
    return "day" if mention.grain == "day" and _is_one_day(mention) else "range"


def _with_length(span: EventSpan, lead: TimeMention, mentions: Sequence[TimeMention]) -> EventSpan:
    """The span with the end that a length of time said after it gives."""
    lengths = (
        m.duration for m in mentions if m.duration is not None and 0 <= m.clause - lead.clause <= 1 and m.at > lead.at
    )
    length = next(lengths, None)
    return span if length is None or length > _DAY else replace(span, end=span.start + length)


_MOVE_WORD = re.compile(
    "改(?:到|至|成|在|约|期|为)?|(?:挪|推|调|换|移|延|顺|拖)(?:到|至|去)?|推迟|延期|延后|顺延|提前|提早|不是.{0,8}是|to",
    re.IGNORECASE,
)


def move_end(clause: str) -> int:
    """The offset in a clause after which the new time of what is moved stands."""
    found = None
    for found in _MOVE_WORD.finditer(clause):
        pass
    return found.end() if found else 0


def interval_texts(mentions: Iterable[TimeMention]) -> tuple[str, ...]:
    """ISO 8601 intervals of the mentions, `start/end`; an open side is `..`."""
    return tuple(f"{m.start.isoformat() if m.start else '..'}/{m.end.isoformat() if m.end else '..'}" for m in mentions)
