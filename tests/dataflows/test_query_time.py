"""The nodes that read a question's times."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from temporal_recall.dataflows.language.planner_cues import question_cues
from temporal_recall.dataflows.language.planner_scope import ScopedRange
from temporal_recall.dataflows.query_time import (
    expression_roles,
    query_tense,
    tense_rule,
    time_expressions,
    time_scope,
    told_scope,
)

NAME = "Asia/Shanghai"
ZONE = ZoneInfo(NAME)
NOW = datetime(2026, 10, 14, 10, 30, tzinfo=ZONE)


def _scopes(text: str, now: datetime = NOW) -> tuple[ScopedRange | None, ScopedRange | None]:
    cues = question_cues(text)
    tense = query_tense(tense_rule(cues))
    roles = expression_roles(time_expressions(cues, now, NAME, tense), cues)
    scope = time_scope(roles, cues, now, NAME, tense)
    return scope, told_scope(roles, scope, cues, now, NAME)


def _days(scope: ScopedRange | None) -> tuple[str, str] | None:
    return scope and (f"{scope.core.start:%m-%d}", f"{scope.core.end:%m-%d}")


@pytest.mark.parametrize(
    ("text", "tense"),
    [
        ("周五我去哪了", "past"),
        ("周五我要去哪", "plan"),
        ("周五有什么安排", "plan"),
        ("周五之前还有什么没做完", "plan"),
        ("答应周五给的报价还没发", "plan"),
        ("国庆那几天在家干嘛", "past"),
        ("国庆呢", None),
    ],
)
def test_the_tense_is_that_of_the_questions_verb(text: str, tense: str | None) -> None:
    assert query_tense(tense_rule(question_cues(text))) == tense


@pytest.mark.parametrize(
    ("text", "scope", "told"),
    [
        ("周一我去哪了", ("10-12", "10-13"), None),
        ("周一我要去哪", ("10-19", "10-20"), None),
        ("上周三说周末要去哪", ("10-07", "10-08"), ("10-10", "10-12")),
        ("上周说下周要开的会", ("10-05", "10-12"), ("10-12", "10-19")),
        ("上周答应这周交的东西", ("10-05", "10-12"), ("10-12", "10-19")),
        ("周一计划周三做的事", ("10-12", "10-13"), ("10-14", "10-15")),
        ("你好", None, None),
    ],
)
def test_what_was_told_is_read_from_the_telling_unless_it_points_at_now(
    text: str, scope: tuple[str, str] | None, told: tuple[str, str] | None
) -> None:
    found, found_told = _scopes(text)
    assert (_days(found), _days(found_told)) == (scope, told)


@pytest.mark.parametrize(
    ("text", "scope", "holes"),
    [
        ("昨天和前天我去了哪", ("10-12", "10-14"), []),
        ("昨天、今天都干嘛了", ("10-13", "10-15"), []),
        ("明天和周六我有什么会", ("10-15", "10-18"), [("10-16", "10-17")]),
        ("昨天我去了哪，前天呢", ("10-13", "10-14"), []),
    ],
)
def test_times_that_are_joined_scope_together(text: str, scope: tuple[str, str], holes: list[tuple[str, str]]) -> None:
    found, _ = _scopes(text)
    assert found is not None
    assert _days(found) == scope
    assert [(f"{hole.start:%m-%d}", f"{hole.end:%m-%d}") for hole in found.excluded] == holes


@pytest.mark.parametrize(
    ("text", "first_day"),
    [
        ("9月2号有什么事", "2026-09-02"),
        ("9月28号有什么事", "2026-09-28"),
        ("9月2号要去哪", "2027-09-02"),
        ("明年9月2号有什么事", "2027-09-02"),
        ("周三有什么事", "2026-09-30"),
    ],
)
def test_a_date_without_year_and_tense_lies_in_this_year(text: str, first_day: str) -> None:
    scope, _ = _scopes(text, datetime(2026, 9, 25, 16, tzinfo=ZONE))
    assert scope is not None
    assert f"{scope.core.start:%Y-%m-%d}" == first_day


def test_ranges_stand_in_the_zone_of_the_question() -> None:
    scope, _ = _scopes("昨天我做了什么", datetime.fromisoformat("2026-10-13T20:00:00+00:00"))
    assert scope is not None
    assert scope.core.start == datetime(2026, 10, 13, tzinfo=ZONE)
