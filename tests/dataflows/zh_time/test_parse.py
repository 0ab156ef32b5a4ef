"""How texts are read: tense, bounds, widths, company, discourse, zones, errors. `../shared/TIME.md` in small."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from temporal_recall.dataflows.zh_time import find_times, parse_time
from temporal_recall.schemas.time import Tense, TimeRange, TimeScope

WEDNESDAY = datetime.fromisoformat("2026-09-02T10:00:00+08:00")


def scope_of(text: str, now: datetime | str = WEDNESDAY, tense: Tense | None = None) -> TimeScope:
    moment = datetime.fromisoformat(now) if isinstance(now, str) else now
    scope = parse_time(text, moment, tense=tense)
    assert scope is not None, text
    return scope


def shown(span: TimeRange | None) -> str:
    assert span is not None
    return " / ".join(
        "" if b is None else f"{b:%m-%d}" + (f" {b:%H:%M}" if (b.hour, b.minute) != (0, 0) else "")
        for b in (span.start, span.end)
    )


def core(text: str, now: datetime | str = WEDNESDAY, tense: Tense | None = None) -> str:
    return shown(scope_of(text, now, tense).core)


def wide(text: str, now: datetime | str = WEDNESDAY, tense: Tense | None = None) -> str:
    return shown(scope_of(text, now, tense).wide)


class TestTense:
    """The tense picks among the readings; what it does not pick stays in the wide range or the alternatives."""

    @pytest.mark.parametrize(
        ("text", "tense", "window"),
        [
            ("周五", "past", "08-28 / 08-29"),
            ("周五", "plan", "09-04 / 09-05"),
            ("周五", None, "09-04 / 09-05"),
            ("周三", "past", "09-02 / 09-03"),
            ("周三", "plan", "09-02 / 09-03"),
            ("12月", "past", "12-01 / 01-01"),
            ("3月", "plan", "03-01 / 04-01"),
            ("国庆节", "past", "10-01 / 10-09"),
            ("中秋节", "past", "10-06 / 10-07"),
            ("这周末", "past", "08-29 / 08-31"),
            ("这周一", "plan", "09-07 / 09-08"),
            ("近期", "plan", "09-02 / 10-02"),
            ("这几天", "plan", "09-02 / 09-07"),
            ("下午三点", "past", "09-01 15:00 / 09-01 16:00"),
            ("八点", "plan", "09-03 08:00 / 09-03 09:00"),
        ],
    )
    def test_a_given_tense_wins(self, text: str, tense: Tense | None, window: str) -> None:
        assert core(text, tense=tense) == window

    @pytest.mark.parametrize(
        ("text", "window"),
        [
            ("周五我去了哪", "08-28 / 08-29"),
            ("周五要交什么", "09-04 / 09-05"),
            ("周五有什么安排", "09-04 / 09-05"),
            ("七月聊过的那本书", "07-01 / 08-01"),
            ("11月买的票", "11-01 / 12-01"),
            ("记得周一发周报", "09-07 / 09-08"),
            ("会议改到周一了", "09-07 / 09-08"),
            ("What did we decide on Monday", "08-31 / 09-01"),
            ("What is due on Monday", "09-07 / 09-08"),
        ],
    )
    def test_else_the_clause_tells_it(self, text: str, window: str) -> None:
        assert core(text) == window

    def test_a_bare_weekday_is_wide_to_the_last_and_the_next(self) -> None:
        assert wide("周五", tense="past") == "08-28 / 09-05"

    def test_the_literal_reading_stays_as_an_alternative(self) -> None:
        scope = scope_of("这周末我都去哪玩了")
        assert [shown(span) for span in scope.alternatives] == ["09-05 / 09-07"]

    def test_past_and_coming_months_are_alternatives_of_each_other(self) -> None:
        assert [shown(span) for span in scope_of("8月聊过什么").alternatives] == ["08-01 / 09-01"]


class TestWidths:
    @pytest.mark.parametrize(
        ("text", "inner", "outer"),
        [
            ("周末", "09-05 / 09-07", "09-04 18:00 / 09-07"),
            ("月初", "09-01 / 09-08", "09-01 / 09-11"),
            ("月底", "09-25 / 10-01", "09-21 / 10-01"),
            ("年底", "12-01 / 01-01", "11-15 / 02-05"),
            ("昨天早上", "09-01 06:00 / 09-01 12:00", "09-01 05:00 / 09-01 12:00"),
            ("昨晚", "09-01 18:00 / 09-02", "09-01 18:00 / 09-02 05:00"),
            ("国庆节", "10-01 / 10-02", "10-01 / 10-08"),
            ("最近三天", "08-31 / 09-03", "08-30 / 09-03"),
            ("下午三点", "09-02 15:00 / 09-02 16:00", "09-02 14:00 / 09-02 17:00"),
            ("去年这个时候", "09-02 / 09-03", "08-26 / 09-10"),
            ("刚才", "09-02 09:00 / 09-02 10:00", "09-02 06:00 / 09-02 10:00"),
            ("七月第一周", "07-06 / 07-13", "06-29 / 07-13"),
            ("next Friday", "09-11 / 09-12", "09-04 / 09-12"),
            ("2026年3月", "03-01 / 04-01", "03-01 / 04-01"),
            ("9月5日左右", "09-05 / 09-06", "09-04 / 09-07"),
        ],
    )
    def test_vague_words_have_a_core_and_a_wider_hull(self, text: str, inner: str, outer: str) -> None:
        assert (core(text), wide(text)) == (inner, outer)

    def test_past_midnight_today_still_reaches_back(self) -> None:
        assert wide("今天我做了什么", "2026-09-02T00:30:00+08:00") == "09-01 / 09-03"

    def test_past_midnight_yesterday_has_the_day_before_as_alternative(self) -> None:
        scope = scope_of("昨天凌晨", "2026-09-02T00:30:00+08:00")
        assert shown(scope.core) == "09-01 / 09-01 06:00"
        assert [shown(span) for span in scope.alternatives] == ["08-31 / 08-31 06:00"]


class TestBounds:
    @pytest.mark.parametrize(
        ("text", "window"),
        [
            ("周五之前要交什么", "09-02 10:00 / 09-05"),
            ("9月10号之前要办完", "09-02 10:00 / 09-11"),
            ("国庆前要交", "09-02 10:00 / 10-01"),
            ("五点前发我", "09-02 10:00 / 09-02 17:00"),
            ("九点前发我", "09-02 10:00 / 09-03 09:00"),
            ("8月20号之前发生了什么", " / 08-20"),
            ("8月20号之后发生了什么", "08-21 / 09-02 10:00"),
            ("9月20号起有什么安排", "09-20 / "),
            ("8月以来", "08-01 / 09-02 10:00"),
            ("8月到现在", "08-01 / 09-02 10:00"),
            ("中秋前夕", "09-24 / 09-25"),
            ("截止到周五", "09-02 10:00 / 09-05"),
        ],
    )
    def test_bounds_open_a_side_or_stop_at_now(self, text: str, window: str) -> None:
        assert core(text) == window

    def test_a_deadline_is_wide_from_the_start_of_today(self) -> None:
        assert wide("周五之前要交什么") == "09-02 / 09-05"

    @pytest.mark.parametrize(
        ("text", "excluded"),
        [
            ("这周除了周三", ["09-02 / 09-03"]),
            ("除了周末这个月", ["09-05 / 09-07", "09-12 / 09-14", "09-19 / 09-21", "09-26 / 09-28"]),
        ],
    )
    def test_what_is_excepted_lies_inside_the_hull(self, text: str, excluded: list[str]) -> None:
        assert [shown(span) for span in scope_of(text).excluded] == excluded

    def test_an_exception_at_the_edge_shortens_the_hull(self) -> None:
        assert core("这周除了周一") == "09-01 / 09-07"


class TestNeighbours:
    """Characters that belong to the word beside them, and not to the time."""

    @pytest.mark.parametrize(
        ("text", "window"),
        [
            ("上周五年会喝多了", "08-28 / 08-29"),
            ("周三张总来", "09-02 / 09-03"),
            ("周五项目评审", "09-04 / 09-05"),
            ("周日大扫除", "09-06 / 09-07"),
            ("下周一下雨吗", "09-07 / 09-08"),
            ("下周一定的方案", "09-07 / 09-08"),
            ("下周一定要交", "09-07 / 09-14"),
            ("上周三次会议", "08-24 / 08-31"),
            ("周四五都在家", "09-03 / 09-05"),
            ("月底前一定交", "09-02 10:00 / 10-01"),
            ("梳理下九月的账", "09-01 / 10-01"),
            ("今天一上午都在开会", "09-02 06:00 / 09-02 12:00"),
            ("十点十分开门", "09-02 10:10 / 09-02 10:11"),
            ("咱们三点就走", "09-02 15:00 / 09-02 16:00"),
            ("会议四点开始", "09-02 16:00 / 09-02 17:00"),
            ("从四点开始", "09-02 16:00 / "),
            ("国庆前把方案定了", "09-02 10:00 / 10-01"),
            ("20号早班换成夜班了", "09-20 / 09-21"),
            ("20号门诊复查", "09-20 / 09-21"),
            ("15号房租", "09-15 / 09-16"),
            ("上周四五那两天我在苏州", "08-27 / 08-29"),
            ("下星期一二三都在外地", "09-07 / 09-10"),
            ("8月中下旬去的新疆", "08-11 / 09-01"),
            ("年三十晚上守岁", "02-05 18:00 / 02-06"),
            ("五一调休", "05-01 / 05-02"),
            ("中午11点58 三圣乡", "09-02 11:58 / 09-02 11:59"),
            ("一点二十起飞", "09-02 13:20 / 09-02 13:21"),
            ("上拜五", "08-28 / 08-29"),
            ("上个星期天下午", "08-30 12:00 / 08-30 18:00"),
            ("上周来的时候", "08-24 / 08-31"),
            ("17、18号月考", "09-17 / 09-18"),
            ("周六一早的车", "09-05 06:00 / 09-05 12:00"),
            ("9/18(五) 晚上聚餐", "09-18 18:00 / 09-19"),
            ("pay rent by the 20th", "09-02 10:00 / 09-21"),
            ("report due by end of this month", "09-02 10:00 / 10-01"),
            ("gym at 7", "09-02 07:00 / 09-02 08:00"),
        ],
    )
    def test_they_are_left_to_it(self, text: str, window: str) -> None:
        assert core(text) == window

    @pytest.mark.parametrize(
        "text",
        [
            "提前五天通知",
            "提前一天说",
            "提前几天订",
            "术前八小时禁食",
            "睡前半小时",
            "交期六周",
            "推后一天",
            "延后两周",
            "推迟三日",
        ],
    )
    def test_a_head_start_is_a_length(self, text: str) -> None:
        assert [e.kind for e in find_times(text, WEDNESDAY)] == ["duration"]

    @pytest.mark.parametrize(
        "text",
        [
            "当年他说过",
            "周一鸣来了",
            "这三点都对",
            "大盘跌了三点",
            "一周三次",
            "《九月》的作者",
            "四点钟方向",
            "5号馆集合",
            "那天晚上",
            "第二天早上",
            "当天往返",
            "一日三次",
            "7号电池",
            "8号床家属",
            "大三下学期",
        ],
    )
    def test_what_they_make_may_be_no_time(self, text: str) -> None:
        assert find_times(text, WEDNESDAY) == []


class TestFeasts:
    @pytest.mark.parametrize(
        ("text", "now", "window"),
        [
            ("国庆期间的照片", "2026-10-05T10:00:00+08:00", "10-01 / 10-08"),
            ("国庆期间的照片", "2026-10-12T10:00:00+08:00", "10-01 / 10-08"),
            ("国庆期间要去杭州", "2026-10-12T10:00:00+08:00", "10-01 / 10-06"),
            ("国庆还要去杭州", "2026-10-05T10:00:00+08:00", "10-01 / 10-08"),
            ("国庆期间去哪", "2026-09-02T10:00:00+08:00", "10-01 / 10-08"),
            ("寒假去哈尔滨", "2026-09-16T10:00:00+08:00", "01-01 / 03-01"),
            ("立冬前把菜收了", "2026-09-16T10:00:00+08:00", "09-16 10:00 / 11-07"),
            ("国庆第三天去爬山", "2026-09-02T10:00:00+08:00", "10-03 / 10-04"),
            ("国庆假期最后一天返程", "2026-09-02T10:00:00+08:00", "10-07 / 10-08"),
        ],
    )
    def test_days_off_are_those_that_people_still_speak_of(self, text: str, now: str, window: str) -> None:
        assert core(text, now) == window

    @pytest.mark.parametrize(
        ("text", "now", "window"),
        [
            ("我们初二上午到，初四下午走", "2026-02-03T08:00:00+08:00", "02-18 06:00 / 02-18 12:00"),
            ("初八上班", "2026-02-10T08:00:00+08:00", "02-24 / 02-25"),
            ("初二去了丈母娘家", "2026-03-01T08:00:00+08:00", "02-18 / 02-19"),
            ("春节初五回来", "2026-09-02T08:00:00+08:00", "02-10 / 02-11"),
            ("初八去庙里", "2026-09-02T08:00:00+08:00", "09-18 / 09-19"),
        ],
    )
    def test_a_bare_lunar_day_is_of_the_first_month_about_the_new_year(self, text: str, now: str, window: str) -> None:
        assert shown(find_times(text, datetime.fromisoformat(now))[-1 if "春节" in text else 0].core) == window

    @pytest.mark.parametrize("text", ["儿子上初二", "初二数学题", "初三学生", "初一英语"])
    def test_a_school_year_is_no_lunar_day(self, text: str) -> None:
        assert find_times(text, WEDNESDAY) == []


class TestEnglishDays:
    @pytest.mark.parametrize(
        ("text", "window"),
        [
            ("let's meet on the 24th", "09-24 / 09-25"),
            ("rent is due on the 5th", "09-05 / 09-06"),
            ("24th下午见", "09-24 12:00 / 09-24 18:00"),
            ("Sat 9am yoga", "09-05 09:00 / 09-05 10:00"),
            ("lunch Fri with Amy", "09-04 / 09-05"),
            ("9am (GMT)", "09-02 17:00 / 09-02 18:00"),
        ],
    )
    def test_short_forms_are_days(self, text: str, window: str) -> None:
        assert core(text) == window

    @pytest.mark.parametrize("text", ["on the 5th floor", "the 1st draft", "I sat down", "mon ami", "sun shine"])
    def test_other_words_are_not(self, text: str) -> None:
        assert find_times(text, WEDNESDAY) == []

    def test_last_friday_on_a_saturday_takes_in_both_fridays(self) -> None:
        assert core("last Friday", "2026-09-05T11:00:00+08:00") == "08-28 / 09-05"


class TestCompany:
    """Weak forms are times only where something beside them says so."""

    @pytest.mark.parametrize(
        "text",
        [
            "8点",
            "8点开会",
            "在8点",
            "周五8点",
            "8点到9点",
            "改到8点",
            "9.10",
            "9.10下午",
            "9.10-9.12",
            "9/10我去",
            "due 9/10",
            "9.10 截止",
            "9.10那天的合同",
            "三点那位客人",
            "早课七点",
            "三点都还没睡",
            "周五组会照常 三点",
        ],
    )
    def test_in_company_they_are_found(self, text: str) -> None:
        assert find_times(text, WEDNESDAY)

    @pytest.mark.parametrize(
        "text",
        [
            "评审9.10的需求",
            "做了9/10的题",
            "这次拿了8点积分",
            "升级到9.10",
            "第8点建议",
            "快了 三点",
            "几点建议 三点",
            "9077 端口那个服务",
            "20231118042 是工单号",
        ],
    )
    def test_alone_in_a_sentence_they_are_not(self, text: str) -> None:
        assert [e for e in find_times(text, WEDNESDAY) if e.core is not None] == []

    def test_a_number_is_no_year(self) -> None:
        assert find_times("2024", WEDNESDAY) == []


class TestDiscourse:
    def test_a_clock_keeps_to_the_day_just_named(self) -> None:
        texts = {e.text: shown(e.core) for e in find_times("周六去爬山，七点集合", WEDNESDAY)}
        assert texts == {"周六": "09-05 / 09-06", "七点": "09-05 07:00 / 09-05 08:00"}

    def test_the_reading_from_now_is_an_alternative(self) -> None:
        clock = find_times("周六去爬山，七点集合", WEDNESDAY)[1]
        assert shown(clock.alternatives[0]) == "09-02 07:00 / 09-02 08:00"

    @pytest.mark.parametrize(
        ("text", "later"),
        [
            ("24号晚上回老家，27号下午回来", "09-27 12:00 / 09-27 18:00"),
            ("10月8号去，12号回", "10-12 / 10-13"),
            ("18号开会，12号前要交材料", "09-02 10:00 / 09-13"),
            ("周六早上爬山，下午回来", "09-05 12:00 / 09-05 18:00"),
            ("昨晚追剧追到凌晨三点", "09-02 03:00 / 09-02 04:00"),
            ("国庆去云南，8号回来", "10-08 / 10-09"),
            ("元旦联欢31号下午两点", "12-31 14:00 / 12-31 15:00"),
            ("昨天下雨，晚上吃什么", "09-02 18:00 / 09-03"),
            ("下周二去大连，周四返程", "09-10 / 09-11"),
            ("11月期中考5、6号", "11-06 / 11-07"),
            ("11月的账20号结", "09-20 / 09-21"),
            ("下周二去大连。周四交房租", "09-03 / 09-04"),
        ],
    )
    def test_what_is_left_out_comes_from_the_day_before_it_in_the_text(self, text: str, later: str) -> None:
        assert shown(find_times(text, WEDNESDAY)[-1].core) == later

    def test_a_new_sentence_starts_afresh(self) -> None:
        clock = find_times("周六去爬山。七点半开饭", WEDNESDAY)[1]
        assert shown(clock.core) == "09-02 07:30 / 09-02 07:31"

    def test_reported_speech_is_read_from_the_saying(self) -> None:
        reported = find_times("上周二说周末要去露营", WEDNESDAY)[1]
        assert shown(reported.core) == "08-29 / 08-31"
        assert shown(reported.alternatives[0]) == "09-05 / 09-07"

    @pytest.mark.parametrize("text", ["明天到货，他说明天晚上来换", "明天有课 老师说明天晚上发卷子"])
    def test_what_lies_ahead_is_no_saying(self, text: str) -> None:
        assert shown(find_times(text, WEDNESDAY)[1].core) == "09-03 18:00 / 09-04"

    def test_today_in_reported_speech_is_the_speakers_today(self) -> None:
        assert shown(find_times("昨天说过今天要做什么", WEDNESDAY)[1].core) == "09-02 / 09-03"


class TestFields:
    def test_stated_and_implied_parts_are_kept_apart(self) -> None:
        (found,) = find_times("8月15号三点", WEDNESDAY)
        assert found.stated == {"month": 8, "day": 15, "hour": 15}
        assert found.implied == {"year": 2026, "half_day": "pm"}

    def test_a_stated_half_of_the_day_is_not_implied(self) -> None:
        (found,) = find_times("8月15号下午三点", WEDNESDAY)
        assert "half_day" not in found.implied

    def test_a_bare_clock_lists_the_other_half_of_the_day(self) -> None:
        assert [shown(span) for span in scope_of("今天三点").alternatives] == ["09-02 03:00 / 09-02 04:00"]

    def test_an_instant_ends_one_grain_after_its_start(self) -> None:
        assert core("下午3:15") == "09-02 15:15 / 09-02 15:16"


class TestZones:
    def test_the_zone_of_the_speaker_may_be_given(self) -> None:
        scope = parse_time("今天", datetime.fromisoformat("2026-09-01T20:00:00+00:00"), time_zone="Asia/Shanghai")
        assert scope is not None
        assert scope.core is not None
        assert scope.core.start == datetime.fromisoformat("2026-09-02T00:00:00+08:00")

    @pytest.mark.parametrize(("day", "hours"), [("2026-03-08", 23), ("2026-11-01", 25), ("2026-07-01", 24)])
    def test_a_day_may_have_23_or_25_hours(self, day: str, hours: int) -> None:
        scope = parse_time("今天", datetime.fromisoformat(f"{day}T12:00:00-05:00"), time_zone="America/New_York")
        assert _length(scope) == timedelta(hours=hours)

    def test_a_day_may_have_23_and_a_half_hours(self) -> None:
        scope = parse_time("今天", datetime.fromisoformat("2026-10-04T12:00:00+11:00"), time_zone="Australia/Lord_Howe")
        assert _length(scope) == timedelta(hours=23, minutes=30)

    def test_a_midnight_that_does_not_exist_becomes_the_first_instant_after(self) -> None:
        scope = parse_time("明天", datetime.fromisoformat("2018-11-03T12:00:00-03:00"), time_zone="America/Sao_Paulo")
        assert scope is not None
        assert scope.core is not None
        assert scope.core.start == datetime.fromisoformat("2018-11-04T01:00:00-02:00")
        assert _length(scope) == timedelta(hours=23)

    def test_hours_are_counted_in_real_time(self) -> None:
        scope = parse_time(
            "两小时后", datetime.fromisoformat("2026-03-08T01:00:00-05:00"), time_zone="America/New_York"
        )
        assert scope is not None
        assert scope.core is not None
        assert scope.core.start == datetime.fromisoformat("2026-03-08T04:00:00-04:00")

    @pytest.mark.parametrize("offset", ["-04:00", "-05:00"])
    def test_an_hour_that_comes_twice_is_the_one_in_which_it_is_said(self, offset: str) -> None:
        said = datetime.fromisoformat(f"2026-11-01T01:30:00{offset}")
        scope = parse_time("现在", said, time_zone="America/New_York")
        assert scope is not None
        assert scope.core is not None
        assert scope.core.start is not None
        assert scope.core.start.isoformat() == said.isoformat()

    def test_a_zone_in_words_is_turned_into_the_speakers(self) -> None:
        assert core("伦敦时间今天上午九点") == "09-02 16:00 / 09-02 17:00"


def _length(scope: TimeScope | None) -> timedelta:
    """The real time that a core takes."""
    assert scope is not None
    assert scope.core is not None
    assert scope.core.start is not None
    assert scope.core.end is not None
    return timedelta(seconds=scope.core.end.timestamp() - scope.core.start.timestamp())


class TestErrors:
    def test_a_naive_now_is_refused(self) -> None:
        with pytest.raises(ValueError, match="must carry its zone"):
            find_times("今天", datetime(2026, 9, 2))

    def test_an_unknown_zone_is_refused(self) -> None:
        with pytest.raises(ValueError, match="Asia/Atlantis"):
            find_times("今天", WEDNESDAY, time_zone="Asia/Atlantis")

    def test_text_without_time_gives_nothing(self) -> None:
        assert find_times("", WEDNESDAY) == []
        assert parse_time("我喜欢喝什么咖啡？", WEDNESDAY) is None

    @pytest.mark.parametrize("text", ["2019年2月29日", "13月5日", "25点30分", "9月31日"])
    def test_what_no_calendar_knows_is_no_time(self, text: str) -> None:
        assert [e for e in find_times(text, WEDNESDAY) if e.span == (0, len(text))] == []


def test_recurrences_tell_their_next_occurrences() -> None:
    (found,) = find_times("每周二周四上午九点", WEDNESDAY)
    assert found.recurrence == "FREQ=WEEKLY;BYDAY=TU,TH;BYHOUR=9"
    assert [shown(span) for span in found.next] == [
        "09-03 09:00 / 09-03 10:00",
        "09-08 09:00 / 09-08 10:00",
        "09-10 09:00 / 09-10 10:00",
    ]


def test_a_recurrence_leads_only_where_nothing_else_is_said() -> None:
    assert scope_of("每周一都要交，昨天忘了").span == (7, 9)
    assert scope_of("每周一都要交").kind == "recurrence"
