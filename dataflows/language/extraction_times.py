"""Event times: the time expressions of a message, and which of them is the time of what it tells."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from temporal_recall.dataflows.language.extraction_words import words
from temporal_recall.dataflows.zh_time import TimeWords, find_clause_times
from temporal_recall.schemas.time import Tense, TimeExpression

_DAY = timedelta(days=1)
_LONG_AGO = timedelta(days=200)
"""What is over and lies so far back gives way to another time: a date without a year may be the next, not the last."""
_LONGEST_DAY = timedelta(hours=25)
_MICROSECOND = timedelta(microseconds=1)
_SECOND = timedelta(seconds=1)
_CLOCK_GRAINS = frozenset({"hour", "minute", "second"})
_VAGUE_GRAINS = frozenset({"quarter", "year"})
_CLOCK_FIELDS = frozenset({"hour", "minute", "second", "part"})
_DAY_WORD = re.compile(r"[天日号周月年昨今明后期拜]|week|day|tomorrow|\d[/.-]\d", re.IGNORECASE)
_LIMIT = re.compile("(?:以|之)?前$|[之以]?内$|截止|(?<![a-z])(?:before|by|due)(?![a-z])", re.IGNORECASE)
_LIMIT_BEFORE = re.compile("(?:最[晚迟]|不晚于|至[晚迟]|no later than|at the latest)", re.IGNORECASE)
_LIMIT_AFTER = re.compile(
    "(?:以|之)?前(?![台面天几年])|(?:开盘|开市|收盘|封盘|开门|开会|开场|开始|开考|开课|开工|上班|下班|出发|"
    "登机|起飞|发车|打烊|关门)(?:以|之)?前|截止|到期|届满|过期|失效|封"
)
_SAME_CLOCK = re.compile("同一?时间|时间不变|老时间|时间照旧")
_EVENING_MATTER = re.compile(
    "聚餐|晚饭|晚餐|晚宴|宴席|酒会|夜市|吃饭|饭局|火锅|烤肉|烧烤|撸串|喝酒|酒吧|电影|演唱会|话剧|音乐会|ktv|"
    "唱歌|夜宵|演出|蹦迪|晚会|夜跑|下班|dinner|supper|drinks|movie|concert",
    re.IGNORECASE,
)
"""Matters for which a bare five to eleven is in the evening."""
_MORNING_MATTER = re.compile(
    "起床|早起|赶早|早班|早读|早自习|早高峰|晨[跑练会读]|早[饭餐市]|升旗|闹钟|日出|抽血|空腹|拜山|扫墓"
)
"""Matters for which a bare five to eleven is in the morning."""
_EVENING_HOURS = range(5, 12)
_HOURS_OF_THE_DAY = {
    "早饭": 8,
    "早餐": 8,
    "上班": 9,
    "中午": 12,
    "午饭": 12,
    "午餐": 12,
    "下班": 18,
    "晚饭": 18,
    "晚餐": 18,
}
"""Hours by which something is due where the words name a turn of the working day."""
_MORNING_PARTS = frozenset(words("凌晨 清晨 清早 早上 早晨 早 晨 上午 一大早 大清早"))
_LATE_PARTS = frozenset(words("下午 午后 傍晚 黄昏 晚上 晚间 晚 夜里 夜 夜晚 今晚 深夜"))
_SOME_DAY = frozenset(words("改天 改日 哪天 过两天 过几天"))
"""Days of which it is not said which."""
_EARLY = re.compile("就(?!行|好|可以|够|这样|这么|定|说)")
"""就 after a clock time says that it is early: 五点半就出发."""
_ABOUT = re.compile("多|左右|前后|来钟|上下|ish")
_MOVE_WORD = re.compile(
    "改(?:到|至|成|在|约|期|为)?|(?:挪|推|调|换|移|延|顺|拖)(?:到|至|去)?|推迟|推后|延期|延后|顺延|"
    "往[前后](?:推|挪|移|提|延|拖)|提前|提早|不是.{0,8}是|更正|(?<![a-z])to(?![a-z])",
    re.IGNORECASE,
)

_EARLIER = re.compile("(?:提前|提早|往前(?:推|挪|移|提|延|拖))$")


class TimeMention(NamedTuple):
    """A time expression where it stands: clause (number within the message), offsets in the text, and reading.

    `start` or `end` is None where the words leave that side open. `hour` counts from the midnight of its day and is
    None where no plain clock time is said; `is_half_day_known` tells whether am or pm is.
    """

    clause: int
    at: int
    until: int
    kind: str
    start: datetime | None
    end: datetime | None
    grain: str
    names_day: bool
    is_feast: bool
    hour: int | None
    minute: int
    part: str | None
    is_half_day_known: bool
    is_limit: bool
    is_close: bool
    duration: timedelta | None

    @property
    def is_placed(self) -> bool:
        """Whether it names a place in time, no coarser than a month."""
        return self.start is not None and self.grain not in _VAGUE_GRAINS

    @property
    def is_clock(self) -> bool:
        return self.grain in _CLOCK_GRAINS

    @property
    def is_hour_of_day(self) -> bool:
        """Whether it names an hour or a part of a day that it names too."""
        return self.names_day and (self.is_clock or self.grain == "part_of_day") and not self.is_limit

    def is_until(self, moment: datetime) -> bool:
        """Whether it is a stretch of hours that ends at the moment: 刚才, 最近两小时."""
        return self.grain in ("hour", "minute") and self.end is not None and abs(self.end - moment) < _SECOND

    @property
    def is_one_day(self) -> bool:
        return self.start is not None and self.end is not None and self.end - self.start <= _LONGEST_DAY


class EventSpan(NamedTuple):
    """When something happens: half-open, `end` None for an instant; granularity as in the `TIMELINE` contract."""

    start: datetime
    end: datetime | None
    granularity: str


class Told(NamedTuple):
    """What is known of a message before the time of its event is chosen.

    `clause` is the number of its main clause, `moved_at` the offset after which the new time of a moved event stands,
    `given_up` the clauses whose times no longer hold, `observed` the local time at which it was said. `is_now`: the
    words tell of the very moment. `is_shifted`: they tell by how much it moves, not to when.
    """

    text: str
    type: str
    status: str
    clause: int
    observed: datetime
    moved_at: int | None = None
    given_up: frozenset[int] = frozenset()
    is_now: bool = False
    is_shifted: bool = False

    @property
    def is_over(self) -> bool:
        return self.status in ("completed", "mentioned")

    @property
    def is_owed(self) -> bool:
        return self.type in ("todo", "commitment") and self.status == "planned"


def time_mentions(
    words: TimeWords, clause_starts: Sequence[int], tenses: Sequence[Tense], observed: datetime
) -> tuple[TimeMention, ...]:
    """The time expressions of a message in order of place, each read in the tense of its clause.

    The same messages come again with every question, and are remembered.

    >>> from datetime import datetime
    >>> from temporal_recall.dataflows.zh_time import time_words
    >>> said = datetime.fromisoformat("2026-09-16T15:10:00+08:00")
    >>> [m.start.isoformat() for m in time_mentions(time_words("明晚七点吃饭"), [0], ["plan"], said)]
    ['2026-09-17T19:00:00+08:00']
    """
    # moments of different zones or folds may be equal, and read differently
    said = (words.text, tuple(clause_starts), tuple(tenses), observed, observed.tzinfo, observed.fold)
    known = _KNOWN.get(said)
    if known is None:
        if len(_KNOWN) >= _REMEMBERED:
            _KNOWN.clear()
        found = find_clause_times(words, observed, clause_starts, tenses)
        known = tuple([_mention(expression, clause, words.text) for clause, expression in found])
        _KNOWN[said] = known
    return known


_REMEMBERED = 8192
"""Messages whose times are remembered."""
_KNOWN: dict[tuple[object, ...], tuple[TimeMention, ...]] = {}


class _Wording(NamedTuple):
    """What the words of a time expression say besides the time."""

    is_same_clock: bool
    names_day: bool
    is_limit: bool
    is_close: bool


@lru_cache(maxsize=4096)
def _wording(words: str) -> _Wording:
    return _Wording(
        is_same_clock=_SAME_CLOCK.search(words) is not None,
        names_day=_DAY_WORD.search(words) is not None,
        is_limit=_LIMIT.search(words) is not None,
        is_close=words.endswith("底"),
    )


def _mention(expression: TimeExpression, clause: int, text: str) -> TimeMention:
    stated, wording = expression.stated, _wording(expression.text)
    grain: str = expression.grain or ""
    core = expression.core or next(iter(expression.next), None)
    start, end = (core.start, core.end) if core else (None, None)
    at, until = expression.span
    if expression.text in _SOME_DAY:
        start = end = None
    if start is not None and wording.is_same_clock:
        start, end, grain = _day_of(start)  # the clock is the one of what was said before
    is_within_day = grain in _CLOCK_GRAINS or grain == "part_of_day"
    return TimeMention(
        clause=clause,
        at=at,
        until=until,
        kind=expression.kind,
        start=start,
        end=end,
        grain=grain,
        names_day=not is_within_day or wording.names_day or not stated.keys() <= _CLOCK_FIELDS,
        is_feast="feast" in stated,
        hour=int(stated["hour"]) if "hour" in stated and expression.kind == "instant" else None,
        minute=int(stated.get("minute", 0)),
        part=str(stated["part"]) if "part" in stated and is_within_day else None,
        is_half_day_known="half_day" not in expression.implied,
        is_limit=wording.is_limit
        or _LIMIT_BEFORE.search(text, max(at - 3, 0), until) is not None
        or _LIMIT_AFTER.match(text, until) is not None,
        is_close=wording.is_close,
        duration=expression.duration,
    )


def event_span(told: Told | None, mentions: Sequence[TimeMention]) -> tuple[EventSpan | None, tuple[TimeMention, ...]]:
    """When the event of a message happens (None: not told), and the mentions that are other times, in order of place.

    Without an event (`told` None) all are other times. A decision happens on the day it is told; what is over and says no time, when it is told.
    """
    placed = tuple([m for m in mentions if m.is_placed])
    if told is None:
        return None, placed
    if told.type == "decision":
        return _day_of(told.observed), placed
    fitting = [m for m in placed if _fits(m, told)]
    standing = [m for m in fitting if m.clause not in told.given_up] or fitting
    if not standing:
        return (_moment_of(told.observed) if told.is_over or told.is_now else None), placed
    lead = standing[0] if len(standing) == 1 else max(standing, key=lambda m: _preference(m, told))
    if told.is_over and lead.is_until(told.observed):
        return _moment_of(told.observed), tuple(m for m in placed if m is not lead)
    others = [m for m in placed if m is not lead]
    day, clock = _day_for(lead, others, told), _clock_for(lead, others, told)
    left = tuple(m for m in others if m is not day and m is not clock)
    if told.is_shifted and lead.at < (told.moved_at or 0):
        old = _span(lead, day, clock, placed, told)
        return _shifted(old, mentions, told), left
    return _span(lead, day, clock, mentions, told), left


def _shifted(span: EventSpan, mentions: Sequence[TimeMention], told: Told) -> EventSpan | None:
    """The old time of what is moved, moved by the length said after it; None where the length is not exact."""
    assert told.moved_at is not None
    length = next((m.duration for m in mentions if m.duration and m.at >= told.moved_at), None)
    if length is None:
        return None
    by = -length if _EARLIER.search(told.text[: told.moved_at]) else length
    return EventSpan(span.start + by, span.end + by if span.end else None, span.granularity)


def _fits(mention: TimeMention, told: Told) -> bool:
    """What is over began before it was told; what is owed is not past; what is called off is named before."""
    assert mention.start is not None
    if told.is_over:
        is_still_on = not mention.is_one_day and mention.end is not None and mention.end > told.observed
        return mention.start <= told.observed and not mention.is_limit and mention.grain != "month" and not is_still_on
    if told.is_owed:
        return mention.end is None or mention.end > told.observed
    return told.status != "cancelled" or mention.clause <= told.clause


def _preference(mention: TimeMention, told: Told) -> tuple[bool | int, ...]:
    """The mention that is the event's time is the greatest."""
    is_definite = mention.end is not None or mention.is_clock
    is_new = told.moved_at is not None and mention.at >= told.moved_at
    is_ahead = told.is_over or mention.end is None or mention.end > told.observed
    is_deadline = told.is_owed and mention.is_limit
    is_near = not told.is_over or mention.start is None or told.observed - mention.start < _LONG_AGO
    is_not_now = mention.names_day or mention.start != told.observed
    in_main_clause = mention.clause == told.clause
    names_days = told.type == "event" and mention.grain not in ("week", "weekend")
    return (
        is_definite, is_new, is_not_now, is_near, is_ahead, is_deadline, mention.grain != "month", not mention.is_feast,
        names_days, in_main_clause, mention.names_day, -mention.at,
    )  # fmt: skip


def _day_for(lead: TimeMention, others: Sequence[TimeMention], told: Told) -> TimeMention | None:
    """The nearest mention that names a day, for a lead that names none."""
    if lead.names_day:
        return None
    days = [m for m in others if m.names_day and m.kind != "recurrence" and (m.is_one_day or m.end is None)]
    standing = [m for m in days if m.clause not in told.given_up] or [m for m in days if m.at < lead.at]
    return min(standing, key=lambda m: (m.at > lead.at, abs(m.at - lead.at)), default=None)


def _clock_for(lead: TimeMention, others: Sequence[TimeMention], told: Told) -> TimeMention | None:
    """The clock time said after a lead that names a day or part of a day without one."""
    if not others or lead.is_clock or not lead.is_one_day or told.is_owed:
        return None
    if _SAME_CLOCK.search(told.text):
        return next((m for m in others if m.hour is not None), None)
    if told.status == "cancelled":
        return next((m for m in others if m.hour is not None and not m.names_day), None)
    after = next(
        (m for m in others if m.at > lead.at and m.clause not in told.given_up and not _is_same_day(m, lead)), None
    )
    return after if after and after.hour is not None and not after.names_day else None


def _is_same_day(mention: TimeMention, lead: TimeMention) -> bool:
    """The day of the lead told once more, as in 18号（初二）."""
    return mention.grain == "day" and mention.start == lead.start


def _span(
    lead: TimeMention,
    day: TimeMention | None,
    clock: TimeMention | None,
    mentions: Sequence[TimeMention],
    told: Told,
) -> EventSpan:
    assert lead.start is not None
    if told.is_owed and (lead.is_limit or lead.is_close) and lead.end is not None:
        return _deadline(lead, day, told)
    if clock is not None or (lead.hour is not None and (day is not None or not lead.is_half_day_known)):
        on = day or lead
        clock = clock or lead
        assert on.start is not None
        start = _at_clock(on.start, _hour(clock, lead.part or on.part, mentions, told), clock.minute)
        if not on.names_day and start - _DAY >= told.observed and not told.is_over:
            start -= _DAY
        return EventSpan(start, _end_by_length(start, clock, mentions), _clock_granularity(clock, told))
    if lead.is_clock:
        end = lead.end if lead.kind == "range" else _end_by_length(lead.start, lead, mentions)
        return EventSpan(lead.start, end, _clock_granularity(lead, told))
    if day is not None and day.start is not None:
        return _part_on_day(lead, day.start)
    return EventSpan(lead.start, lead.end, _granularity(lead))


def _deadline(lead: TimeMention, day: TimeMention | None, told: Told) -> EventSpan:
    """A clock time as it is said, of the working day its hour, of days the last one."""
    assert lead.end is not None
    hour = next((h for word, h in _HOURS_OF_THE_DAY.items() if word in told.text[lead.at : lead.until]), None)
    last = lead.end - _MICROSECOND
    if hour is not None:
        return EventSpan(_at_clock(last, hour, 0), None, "minute")
    if not lead.is_clock:
        return _day_of(last)
    on = day.start if day is not None and day.start is not None else lead.end
    return EventSpan(_at_clock(on, lead.end.hour, lead.end.minute), None, "minute")


def _hour(clock: TimeMention, part: str | None, mentions: Sequence[TimeMention], told: Told) -> int:
    """The hour of a clock time, in the part of the day that stands with the date, else as the matter asks for.

    What is said after the next day named is the matter of that day.
    """
    assert clock.hour is not None
    if clock.is_half_day_known:
        return clock.hour
    twelve = clock.hour % 12
    if part in _MORNING_PARTS:
        return twelve or 12
    next_day = next((m.at for m in mentions if m.at > clock.at and m.names_day), len(told.text))
    is_evening = twelve in _EVENING_HOURS and _EVENING_MATTER.search(told.text[:next_day]) is not None
    is_early = _EARLY.match(told.text, clock.until) or _MORNING_MATTER.search(told.text[:next_day])
    if is_early and not is_evening and part not in _LATE_PARTS:
        return twelve
    return twelve + 12 if part in _LATE_PARTS or is_evening else clock.hour


def _at_clock(day: datetime, hour: int, minute: int) -> datetime:
    midnight = day.replace(hour=0, minute=0, second=0, microsecond=0)
    return (midnight + _DAY * (hour // 24)).replace(hour=hour % 24, minute=minute)


def _part_on_day(part: TimeMention, day: datetime) -> EventSpan:
    """A part of the day on the day that another mention names."""
    assert part.start is not None
    start = _at_clock(day, part.start.hour, part.start.minute)
    end = start + (part.end - part.start) if part.end is not None else None
    return EventSpan(start, end, _granularity(part))


def _day_of(moment: datetime) -> EventSpan:
    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return EventSpan(midnight, midnight + _DAY, "day")


def _moment_of(moment: datetime) -> EventSpan:
    return EventSpan(moment.replace(second=0, microsecond=0), None, "minute")


def _clock_granularity(clock: TimeMention, told: Told) -> str:
    return "hour" if _ABOUT.match(told.text, clock.until) else "minute"


def _granularity(mention: TimeMention) -> str:
    if mention.grain == "part_of_day":
        return "part"
    return "day" if mention.grain == "day" and mention.is_one_day else "range"


def _end_by_length(start: datetime, clock: TimeMention, mentions: Sequence[TimeMention]) -> datetime | None:
    """The end that a length of time said after a clock time gives."""
    lengths = (m.duration for m in mentions if m.duration and m.at > clock.at and m.clause - clock.clause <= 1)
    length = next(lengths, None)
    return start + length if length is not None and length < _DAY else None


def move_end(clause: str) -> int:
    """The offset in a clause after which the new time of what is moved stands."""
    return max((m.end() for m in _MOVE_WORD.finditer(clause)), default=0)
