"""Which of a question's time expressions scope it, and the concrete ranges that they give."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise, takewhile

from temporal_recall.dataflows.language.planner_cues import QuestionCues
from temporal_recall.dataflows.language.planner_question import KEEPING, TELLING, Direction
from temporal_recall.dataflows.language.planner_text import BLANK, blanked
from temporal_recall.dataflows.language.planner_words import ASKING
from temporal_recall.schemas.plan import Range
from temporal_recall.schemas.time import Tense, TimeExpression, TimeRange

OPEN_PAST_CORE = timedelta(days=30)
OPEN_PAST_WIDE = timedelta(days=365)
OPEN_FUTURE_CORE = timedelta(days=30)
OPEN_FUTURE_WIDE = timedelta(days=90)
"""How far an end that the words leave open reaches, as the answer states it and as it is searched."""

_LONGEST = timedelta(days=7305)
"""Twenty years: no question is searched further."""

_LIVING_MEMORY = range(1900, 2200)
"""Years in which something of the user's own can lie; other years are history and no scope."""

_NIGHT_ENDS = 5
"""The hour up to which a night still belongs to the day before."""

_MOMENT = timedelta(minutes=30)
_MOMENT_SLACK = timedelta(hours=1)
_CORRECTION = re.compile(r"不对|不是|说错|哦不|应该是|我是说|更正")
_JOINT = re.compile(r"\s*(?:和|跟|与|及|以及|还有|、|或者?|,|and|or)?\s*")
_PLAN_VERB = re.compile(r"计划|安排|打算|准备|约|排")
_TOPIC = re.compile(r"的[^,。?!的]{1,12}$|[里中上内]$")
_NO_BOUND = frozenset({"接下来", "以后", "今后", "往后", "将来", "之后", "未来"})
"""Words that look ahead without saying how far: the mode's horizon serves them better than a guess."""

_VAGUE = frozenset({"最近", "近来", "近期", "这阵子", "这段时间", "这些天", "这些日子"})
"""Words that set a scene and leave the asking to a time named after them."""

_FROM_NOW = re.compile(r"今|这|本|当前|现在|眼下|目前|today|this|now")
"""Words that point at now even inside what was told earlier."""


@dataclass(frozen=True, slots=True)
class ScopedRange:
    """A concrete core range, the wide range around it, and the spans taken out of it."""

    core: Range
    wide: Range
    excluded: tuple[Range, ...] = ()


@dataclass(frozen=True, slots=True)
class TimeRoles:
    """The expression that bounds the telling (or the question as a whole), and the one that bounds what was told.

    `joined` are further expressions that the words join to the lead: 「周一和周三」.
    """

    lead: TimeExpression | None = None
    told: TimeExpression | None = None
    joined: tuple[TimeExpression, ...] = ()


def time_roles(expressions: list[TimeExpression], cues: QuestionCues) -> TimeRoles:
    """The roles of a question's expressions.

    Two expressions with a verb of telling, deciding or planning between them are the time of that act and the time of
    what it was about. A spoken correction gives way to what follows it. Otherwise the first expression leads, and
    those joined to it belong to it. A preamble that asks and tells nothing scopes nothing, and neither does a vague
    lately before another time: 「最近老忘事，这几天有什么要紧的」.
    """
    placed = [e for e in expressions if e.core is not None and e.text not in _NO_BOUND and _is_of_living_memory(e.core)]
    placed = _asked_about(placed, cues)
    if not placed:
        return TimeRoles()
    for first, second in pairwise(placed):
        between = cues.plain[first.span[1] : second.span[0]]
        if _CORRECTION.search(between):
            return TimeRoles(lead=second)
        if _PLAN_VERB.search(between) or _has_between(cues, first.span[1], second.span[0]):
            return TimeRoles(lead=first, told=second)
    return TimeRoles(lead=placed[0], joined=_joined(placed, cues.plain))


def _asked_about(placed: list[TimeExpression], cues: QuestionCues) -> list[TimeExpression]:
    """The expressions less those of a preamble, where one after it is asked about."""
    for clause in cues.clauses():
        later = [e for e in placed if e.span[0] >= clause[1]]
        if not later or cues.has_within(clause, *ASKING, *TELLING, *KEEPING):
            break
        if _is_predicate(cues.plain, clause, placed) and _is_asked_after(clause, later, cues):
            placed = later
    if len(placed) > 1 and placed[0].text in _VAGUE and not _has_between(cues, placed[0].span[1], placed[1].span[0]):
        return placed[1:]
    return placed


def _is_predicate(text: str, clause: tuple[int, int], placed: list[TimeExpression]) -> bool:
    """Whether a clause says more than a time, and is no topic (「下周要交的方案，…」)."""
    inside = [e.span for e in placed if clause[0] <= e.span[0] < clause[1]]
    return len(blanked(text, inside)[slice(*clause)].replace(BLANK, "").strip()) > 1 and not _TOPIC.search(
        text[slice(*clause)]
    )


def _is_asked_after(clause: tuple[int, int], later: list[TimeExpression], cues: QuestionCues) -> bool:
    asking = [c for c in cues.clauses() if c[0] >= clause[1] and cues.has_within(c, *ASKING)]
    return any(c[0] <= e.span[0] < c[1] for c in asking for e in later)


def _joined(placed: list[TimeExpression], text: str) -> tuple[TimeExpression, ...]:
    """The expressions after the first that follow one another with nothing but a joint between."""
    pairs = takewhile(lambda p: _JOINT.fullmatch(text[p[0].span[1] : p[1].span[0]]) is not None, pairwise(placed))
    return tuple(second for _, second in pairs)


def _is_of_living_memory(span: TimeRange) -> bool:
    return all(bound is None or bound.year in _LIVING_MEMORY for bound in (span.start, span.end))


def _has_between(cues: QuestionCues, start: int, end: int) -> bool:
    return any(start <= span[0] and span[1] <= end + 1 for span in cues.spans(*TELLING, *KEEPING))


def is_read_from_now(expression: TimeExpression) -> bool:
    """Whether an expression inside reported speech still points at now (今天, 这周) rather than at the saying."""
    return _FROM_NOW.search(expression.text.lower()) is not None


def direction_of(scope: ScopedRange | None, now: datetime) -> Direction:
    """Where the scoping range lies as seen from now."""
    if scope is None:
        return "none"
    if scope.core.end <= now:
        return "past"
    return "future" if scope.core.start >= now else "present"


def scoped_range(expression: TimeExpression, now: datetime, tense: Tense | None) -> ScopedRange | None:
    """The concrete ranges of one expression; None for one without a place in time.

    An end left open closes at now or at a horizon; a clock time is the half hour that it opens; 今天 said after
    midnight of the past takes in the night before. Whether the first week of a month is that of its first day or of
    its first Monday people do not agree: it takes in both.
    """
    if expression.core is None:
        return None
    if expression.kind == "instant" and expression.core.start and expression.grain in ("second", "minute", "hour"):
        return _moment(expression.core.start)
    core = _closed(expression.core, now, tense, OPEN_PAST_CORE, OPEN_FUTURE_CORE)
    wide = _hull(core, _closed(expression.wide or expression.core, now, tense, OPEN_PAST_WIDE, OPEN_FUTURE_WIDE))
    is_past_midnight = tense == "past" and expression.grain == "day" and now.hour < _NIGHT_ENDS
    if (is_past_midnight and core.start <= now < core.end) or _is_week_counted(expression):
        core = wide
    return ScopedRange(core, wide, _spans_of(expression.excluded))


def _is_week_counted(expression: TimeExpression) -> bool:
    return expression.grain == "week" and "nth-unit" in expression.rules


def joint_scope(scopes: list[ScopedRange]) -> ScopedRange:
    """One scope over several: from the first to the last instant, with the gaps between them taken out."""
    ordered = sorted(scopes, key=lambda scope: scope.core.start)
    whole, holes = ordered[0], list(ordered[0].excluded)
    for scope in ordered[1:]:
        if whole.core.end < scope.core.start:
            holes.append(Range(start=whole.core.end, end=scope.core.start))
        whole = ScopedRange(_hull(whole.core, scope.core), _hull(whole.wide, scope.wide))
        holes += scope.excluded
    return ScopedRange(whole.core, _hull(whole.core, whole.wide), tuple(holes))


def _spans_of(spans: tuple[TimeRange, ...]) -> tuple[Range, ...]:
    return tuple(Range(start=span.start, end=span.end) for span in spans if span.start and span.end)


def _moment(start: datetime) -> ScopedRange:
    """The half hour that a clock time opens, and the hour on each side of it."""
    return ScopedRange(
        Range(start=start, end=start + _MOMENT),
        Range(start=start - _MOMENT_SLACK, end=start + _MOMENT_SLACK),
    )


def _closed(span: TimeRange, now: datetime, tense: Tense | None, past: timedelta, future: timedelta) -> Range:
    """The range with concrete ends and of a length that can be searched; what is cut lies farthest from now."""
    start = span.start if span.start is not None else _first_instant(span.end or now, now, tense, past)
    end = span.end if span.end is not None else _last_instant(start, now, tense, future)
    if end - start > _LONGEST:
        return Range(start=end - _LONGEST, end=end) if end <= now else Range(start=start, end=start + _LONGEST)
    return Range(start=start, end=end)


def _first_instant(end: datetime, now: datetime, tense: Tense | None, reach: timedelta) -> datetime:
    return now if tense == "plan" and now < end else end - reach


def _last_instant(start: datetime, now: datetime, tense: Tense | None, reach: timedelta) -> datetime:
    return now if tense == "past" and start < now else max(start, now) + reach


def _hull(core: Range, other: Range) -> Range:
    """The range from the first to the last instant of both, unless it would be too long to search."""
    start, end = min(core.start, other.start), max(core.end, other.end)
    return core if end - start > _LONGEST else Range(start=start, end=end)
