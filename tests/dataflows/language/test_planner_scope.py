"""Which expression scopes a question, and the concrete ranges it gives."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from temporal_recall.dataflows.language.planner_cues import question_cues
from temporal_recall.dataflows.language.planner_scope import (
    OPEN_FUTURE_CORE,
    OPEN_PAST_CORE,
    direction_of,
    scoped_range,
    time_roles,
)
from temporal_recall.dataflows.zh_time import find_times
from temporal_recall.schemas.time import Tense, TimeExpression, TimeRange

ZONE = ZoneInfo("Asia/Shanghai")
NOW = datetime(2026, 10, 14, 10, 30, tzinfo=ZONE)
TODAY = datetime(2026, 10, 14, tzinfo=ZONE)
DAY = timedelta(days=1)


def _expression(start: datetime | None, end: datetime | None, **more: object) -> TimeExpression:
    span = TimeRange(start, end)
    facts: dict[str, object] = {
        "text": "x",
        "span": (0, 1),
        "kind": "range",
        "core": span,
        "wide": span,
        "grain": "day",
    }
    return TimeExpression(**facts | more)  # type: ignore[arg-type]


class TestRoles:
    @pytest.mark.parametrize(
        ("text", "lead", "told"),
        [
            ("昨天我做了什么", "昨天", None),
            ("昨天说过明天要做什么", "昨天", "明天"),
            ("上周答应这周要交的", "上周", "这周"),
            ("昨天计划今天做的事", "昨天", "今天"),
            ("昨天和前天我去了哪", "昨天", None),
            ("昨天，不对，前天我去了哪", "前天", None),
            ("最近老忘事，这几天有什么要紧的", "这几天", None),
            ("最近记性差今天还剩啥没做", "今天", None),
            ("昨天没睡好，今天有什么安排", "今天", None),
            ("昨天他说了，今天要做什么", "昨天", "今天"),
            ("接下来有什么安排", None, None),
            ("三个小时够吗", None, None),
            ("公元前221年发生了什么", None, None),
        ],
    )
    def test_the_time_of_the_telling_leads(self, text: str, lead: str | None, told: str | None) -> None:
        roles = time_roles(find_times(text, NOW), question_cues(text))
        assert (roles.lead and roles.lead.text, roles.told and roles.told.text) == (lead, told)


class TestRanges:
    @pytest.mark.parametrize(
        ("start", "end", "tense", "core"),
        [
            (TODAY, TODAY + DAY, None, (TODAY, TODAY + DAY)),
            (None, TODAY, "past", (TODAY - OPEN_PAST_CORE, TODAY)),
            (None, TODAY + DAY, "plan", (NOW, TODAY + DAY)),
            (None, TODAY - DAY, "plan", (TODAY - DAY - OPEN_PAST_CORE, TODAY - DAY)),
            (TODAY - DAY, None, "past", (TODAY - DAY, NOW)),
            (TODAY + DAY, None, "plan", (TODAY + DAY, TODAY + DAY + OPEN_FUTURE_CORE)),
            (TODAY - DAY, None, None, (TODAY - DAY, NOW + OPEN_FUTURE_CORE)),
        ],
    )
    def test_open_ends_close_by_tense(
        self, start: datetime | None, end: datetime | None, tense: Tense | None, core: tuple[datetime, datetime]
    ) -> None:
        scope = scoped_range(_expression(start, end), NOW, tense)
        assert scope is not None
        assert (scope.core.start, scope.core.end) == core
        assert scope.wide.start <= scope.core.start
        assert scope.core.end <= scope.wide.end

    def test_a_clock_time_is_its_half_hour_and_an_hour_on_each_side(self) -> None:
        scope = scoped_range(
            _expression(NOW, NOW + timedelta(minutes=1), kind="instant", grain="minute"), NOW - DAY, None
        )
        assert scope is not None
        assert scope.core.end - scope.core.start == timedelta(minutes=30)
        assert (scope.wide.start, scope.wide.end) == (NOW - timedelta(hours=1), NOW + timedelta(hours=1))

    def test_a_week_counted_in_a_month_takes_in_that_of_the_first_day_and_that_of_the_first_monday(self) -> None:
        scopes = [scoped_range(expression, NOW, None) for expression in find_times("七月第一周", NOW)]
        first_of_july = datetime(NOW.year, 7, 1, tzinfo=ZONE)
        (core,) = (scope.core for scope in scopes if scope is not None)
        assert core.start <= first_of_july < core.end
        assert core.end - core.start == timedelta(days=14)

    def test_a_range_beyond_twenty_years_keeps_what_lies_nearest_to_now(self) -> None:
        scope = scoped_range(_expression(datetime(1950, 1, 1, tzinfo=ZONE), TODAY), NOW, "past")
        assert scope is not None
        assert scope.core.end == TODAY
        assert scope.core.end - scope.core.start < timedelta(days=7310)

    def test_what_the_words_take_out_stays_out(self) -> None:
        hole = TimeRange(TODAY, TODAY + DAY)
        scope = scoped_range(_expression(TODAY - DAY, TODAY + 2 * DAY, excluded=(hole,)), NOW, None)
        assert scope is not None
        assert [(r.start, r.end) for r in scope.excluded] == [(TODAY, TODAY + DAY)]

    def test_what_has_no_place_in_time_gives_none(self) -> None:
        assert scoped_range(_expression(TODAY, None, core=None, kind="duration"), NOW, None) is None


class TestDirection:
    @pytest.mark.parametrize(
        ("start", "end", "direction"),
        [
            (TODAY - DAY, TODAY, "past"),
            (TODAY - DAY, NOW, "past"),
            (TODAY, TODAY + DAY, "present"),
            (NOW, TODAY + DAY, "future"),
            (TODAY + DAY, TODAY + 2 * DAY, "future"),
        ],
    )
    def test_is_seen_from_now(self, start: datetime, end: datetime, direction: str) -> None:
        assert direction_of(scoped_range(_expression(start, end), NOW, None), NOW) == direction

    def test_without_a_range_there_is_none(self) -> None:
        assert direction_of(None, NOW) == "none"
