"""The times that a question names, and the ranges they scope it to."""

from __future__ import annotations

from datetime import datetime

from temporal_recall.dataflows.language.planner_cues import QuestionCues
from temporal_recall.dataflows.language.planner_mode import TenseRule, tense_rule_of
from temporal_recall.dataflows.language.planner_scope import (
    ScopedRange,
    TimeRoles,
    is_read_from_now,
    joint_scope,
    scoped_range,
    time_roles,
)
from temporal_recall.dataflows.language.planner_text import blanked
from temporal_recall.dataflows.zh_time import find_times
from temporal_recall.schemas.time import Tense, TimeExpression, zone_of


def tense_rule(query_signals: QuestionCues) -> TenseRule:
    """The rule that says in which tense the question's bare time words are read."""
    return tense_rule_of(query_signals)


def query_tense(tense_rule: TenseRule) -> Tense | None:
    """The tense in which bare time words are read: past, plan, or None where no verb shows it."""
    return tense_rule.tense


def time_expressions(
    query_signals: QuestionCues, now: datetime, time_zone: str, query_tense: Tense | None
) -> list[TimeExpression]:
    """The time expressions of the question, in order of the text; quoted and waved-off words are not read.

    Spans count characters of the question as it was asked.
    """
    found = find_times(query_signals.plain, now, time_zone=time_zone, tense=query_tense)
    return found if query_tense else [_in_this_year(e, query_signals.plain, now, time_zone) for e in found]


def _in_this_year(expression: TimeExpression, text: str, now: datetime, time_zone: str) -> TimeExpression:
    """A date that no tense puts into a coming year, read by itself: 「9月2号有什么事」 asked in September."""
    if not _starts_after_year(expression, now):
        return expression
    elsewhere = [(0, expression.span[0]), (expression.span[1], len(text))]
    bare = find_times(blanked(text, elsewhere), now, time_zone=time_zone)
    return next((e for e in bare if e.span == expression.span and not _starts_after_year(e, now)), expression)


def _starts_after_year(expression: TimeExpression, now: datetime) -> bool:
    return expression.core is not None and expression.core.start is not None and expression.core.start.year > now.year


def expression_roles(time_expressions: list[TimeExpression], query_signals: QuestionCues) -> TimeRoles:
    """Which expression scopes the question, and which one, if any, is the time of what was told or planned then."""
    return time_roles(time_expressions, query_signals)


def time_scope(
    expression_roles: TimeRoles, query_signals: QuestionCues, now: datetime, time_zone: str, query_tense: Tense | None
) -> ScopedRange | None:
    """The range that scopes the question, concrete on both sides, in the zone of the question; None without one.

    Where a second expression says what was told or planned, the telling is past, whatever tense the question has.
    """
    lead, told = expression_roles.lead, expression_roles.told
    if lead is None:
        return None
    local_now = now.astimezone(zone_of(time_zone))
    if told is not None and query_tense != "past":
        return _reread(query_signals.plain, lead, told, local_now, "past")
    scopes = [scoped_range(expression, local_now, query_tense) for expression in (lead, *expression_roles.joined)]
    return joint_scope([scope for scope in scopes if scope is not None])


def told_scope(
    expression_roles: TimeRoles,
    time_scope: ScopedRange | None,
    query_signals: QuestionCues,
    now: datetime,
    time_zone: str,
) -> ScopedRange | None:
    """The range of what was told or planned within `time_scope`, read from the telling; None where nothing says it.

    「上周说下周要开的会」 is read from last week; 今天 and 这周 still point at now.
    """
    lead, told = expression_roles.lead, expression_roles.told
    if lead is None or told is None or time_scope is None:
        return None
    local_now = now.astimezone(zone_of(time_zone))
    reference = local_now if is_read_from_now(told) else min(time_scope.core.start, local_now)
    return _reread(query_signals.plain, told, lead, reference, "plan")


def _reread(
    text: str, own: TimeExpression, other: TimeExpression, reference: datetime, tense: Tense
) -> ScopedRange | None:
    """One of two expressions, read by itself from another instant or in another tense."""
    found = find_times(blanked(text, [other.span]), reference, tense=tense)
    same = next((e for e in found if e.span == own.span and e.core is not None), own)
    return scoped_range(same, reference, tense)
