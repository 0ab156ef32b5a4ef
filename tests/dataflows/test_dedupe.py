"""One event stands once: what merges, what stays apart, and what a merged item says."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hamilton import driver
from hypothesis import given, settings
from hypothesis import strategies as st
from made_timelines import SOURCES, at, made_timeline, row

from temporal_recall.dataflows import dedupe
from temporal_recall.dataflows.matching.facts import MatterKeys
from temporal_recall.dataflows.runs import Positions
from temporal_recall.schemas.errors import FrameContractError
from temporal_recall.schemas.frames import DEDUPLICATED_TIMELINE, TIMELINE
from temporal_recall.schemas.settings import DedupeSettings

DRIVER = driver.Builder().with_modules(dedupe).build()


def deduplicated(timeline: pd.DataFrame) -> pd.DataFrame:
    inputs = {"timeline": timeline, "dedupe_settings": DedupeSettings(), "source_settings": SOURCES}
    return DRIVER.execute(["deduplicated_timeline"], inputs=inputs)["deduplicated_timeline"]


def grouped(
    timeline: pd.DataFrame, dedupe_settings: DedupeSettings, **overrides: MatterKeys
) -> tuple[Positions, MatterKeys]:
    """The groups of the rows, and the keys that they were found by."""
    inputs = {"timeline": timeline, "dedupe_settings": dedupe_settings}
    found = DRIVER.execute(["duplicate_groups", "matter_keys"], inputs=inputs, overrides=overrides)
    return found["duplicate_groups"], found["matter_keys"]


def merged(*rows: dict[str, Any]) -> list[set[str]]:
    """The merged groups, by the last part of their refs."""
    found = deduplicated(made_timeline(*rows))["merged_from"]
    return [{ref.rsplit(":", 1)[-1] for ref in refs} for refs in found if refs]


CALENDAR_REVIEW = row("cal", "需求评审", "08-24 10:00", "08-26 15:00", source="calendar", participants=("老周", "小敏"))
SAID_REVIEW = row("said", "周三三点大会议室需求评审，老周也来", "08-24 11:00", "08-26 15:00", participants=("老周",))


class TestWhatMerges:
    @pytest.mark.parametrize(
        "other",
        [
            SAID_REVIEW,
            row("said", "评审开完了，两周能做完", "08-26 16:10", "08-26 16:10", status="completed"),
            row("said", "周三有评审", "08-24 11:00", "08-26 00:00", until="08-27 00:00", granularity="day"),
        ],
        ids=["said in other words", "told as done", "told for the day"],
    )
    def test_what_is_near_in_time_and_alike(self, other: dict[str, Any]) -> None:
        assert merged(CALENDAR_REVIEW, other) == [{"cal", "said"}]

    @pytest.mark.parametrize(
        ("plan", "report"),
        [
            (row("a", "周六上午十点看牙", "09-10 12:00", "09-12 10:00"), "拔了一颗智齿，说话漏风"),
            (row("a", "Dental review", "09-10 12:00", "09-12 10:00", source="calendar"), "牙科门口等着呢"),
        ],
    )
    def test_one_kind_of_matter_at_one_time_without_a_shared_word(self, plan: dict[str, Any], report: str) -> None:
        done = row("b", report, "09-12 10:00", "09-12 10:00", status="completed")
        assert merged(plan, done) == [{"a", "b"}]

    @pytest.mark.parametrize(
        ("told", "found"), [("08-27 09:00", [{"a", "b"}]), ("08-27 10:00", [])], ids=["its minute", "another"]
    )
    def test_one_of_several_things_told_together_is_that_of_its_minute(self, told: str, found: list[set[str]]) -> None:
        entry = row("a", "口腔科复查（三楼）", "08-20 10:00", "08-27 09:00", source="calendar")
        assert merged(entry, row("b", "周四九点复查，周五十点银行", "08-25 20:00", told, type="todo")) == found

    def test_a_decision_and_the_memory_of_it(self) -> None:
        said = row(
            "a",
            "定价敲定：单店99，三店255",
            "09-14 11:26",
            "09-14 00:00",
            until="09-15 00:00",
            granularity="day",
            type="decision",
            status="completed",
        )
        kept = row(
            "b",
            "定价决策：单店 99 元，三店 255 元",
            "09-14 11:30",
            "09-14 00:00",
            until="09-15 00:00",
            granularity="day",
            type="decision",
            status="completed",
            source="memory_v2",
        )
        assert merged(said, kept) == [{"a", "b"}]

    @pytest.mark.parametrize(
        ("noted", "found"), [("04-24 18:08", [{"a", "b"}]), ("04-24 21:00", [])], ids=["at once", "hours later"]
    )
    def test_what_is_noted_down_in_other_words_as_it_is_told(self, noted: str, found: list[set[str]]) -> None:
        told = row("a", "QE日期下来了 committee三个人", "04-24 18:05", "05-20 14:00")
        assert merged(told, row("b", "资格考试", noted, "05-20 14:00", source="calendar")) == found

    @pytest.mark.parametrize(
        ("kept", "found"), [("07-01 11:00", [{"a", "b"}]), ("07-01 18:00", [])], ids=["within the hour", "later"]
    )
    def test_what_was_decided_where_people_met(self, kept: str, found: list[set[str]]) -> None:
        met = row("a", "跟方总碰完了，下半年主攻县域医院", "07-01 10:35", "07-01 10:35", status="completed")
        day = {"until": "07-02 00:00", "granularity": "day", "status": "completed", "type": "decision"}
        memory = row("b", "决策：下半年主攻县域医院", kept, "07-01 00:00", source="memory_v2", **day)
        assert merged(met, memory) == found

    def test_a_report_hours_after_the_start_of_what_has_no_end(self) -> None:
        plan = row("a", "体检约好了，12月1号早上七点半省医院", "11-22 20:00", "12-01 07:30")
        done = row("b", "省医院体检做完了，抽了五管血", "12-01 12:20", "12-01 12:20", status="completed")
        assert merged(plan, done) == [{"a", "b"}]

    def test_a_night_that_runs_over_midnight(self) -> None:
        shift = row("a", "夜班", "12-14 20:00", "12-16 20:00", until="12-17 08:00", source="calendar")
        done = row("b", "下夜班，一宿没坐", "12-17 08:40", "12-17 08:40", status="completed")
        assert merged(shift, done) == [{"a", "b"}]


class TestTwoEntriesOfACalendar:
    def test_a_swap_told_in_words_does_not_make_them_one(self) -> None:
        old = row("old", "夜班（除夕）", "01-18 16:32", "02-16 20:00", source="calendar")
        new = row("new", "夜班（换班）", "01-23 10:20", "02-21 20:00", source="calendar")
        told = row("told", "除夕夜班跟小郭换了，我上21号的夜班", "01-23 10:06", "02-21 20:00", is_correction=True)
        assert not any({"old", "new"} <= group for group in merged(old, new, told))

    def test_one_that_says_it_moved_takes_the_place_of_the_one_before(self) -> None:
        old = row("old", "录音 韩老师", "03-27 11:35", "04-02 19:30", source="calendar")
        new = row("new", "录音 韩老师（改期）", "04-01 15:50", "04-09 19:30", source="calendar", is_correction=True)
        item = deduplicated(made_timeline(old, new)).iloc[0]
        assert len(item["merged_from"]) == 2
        assert item["event_time"] == pd.Timestamp(at("04-09 19:30"))


class TestReportsOfTheMoment:
    """A report that something begins or is over is of what alone was planned around then, whatever it says."""

    PLAN = row("plan", "豆豆生日 六点半 火锅", "09-01 22:00", "09-06 18:30")
    REPORT = row("report", "我到门口了 报我名字", "09-06 18:20", "09-06 18:20", status="completed")

    def test_the_minute_of_the_start_alone_may_be_chance(self) -> None:
        weekly = row("weekly", "周会", "08-01 08:00", "09-06 14:00", source="calendar")
        lunch = row("lunch", "和老周吃饭", "09-06 14:00", "09-06 14:00", status="completed")
        assert merged(weekly, lunch) == []

    def test_it_joins_the_sole_plan(self) -> None:
        assert merged(self.PLAN, self.REPORT) == [{"plan", "report"}]

    def test_it_joins_neither_of_two(self) -> None:
        early = {**self.REPORT, "observed_time": at("09-06 18:00"), "event_time": at("09-06 18:00")}
        assert merged(self.PLAN, row("call", "电话会", "09-01 22:00", "09-06 19:00"), early) == []

    def test_of_two_it_joins_the_one_that_begins_just_then(self) -> None:
        found = merged(self.PLAN, row("call", "电话会", "09-01 22:00", "09-06 19:00"), self.REPORT)
        assert found == [{"plan", "report"}]

    def test_it_joins_neither_of_two_that_begin_just_then(self) -> None:
        assert merged(self.PLAN, row("call", "电话会", "09-01 22:00", "09-06 18:15"), self.REPORT) == []

    def test_it_joins_nothing_that_was_called_off(self) -> None:
        assert merged({**self.PLAN, "status": "cancelled"}, self.REPORT) == []

    def test_two_of_them_are_of_one_event(self) -> None:
        over = row("over", "吃完了 撑死", "09-06 20:40", "09-06 20:40", status="completed")
        assert merged(self.PLAN, self.REPORT, over) == [{"plan", "report", "over"}]

    def test_what_tells_no_phase_stays_by_itself(self) -> None:
        assert merged(self.PLAN, row("a", "猫又吐了", "09-06 18:20", "09-06 18:20", status="completed")) == []

    def test_it_comes_too_late(self) -> None:
        assert merged(self.PLAN, row("a", "散会了", "09-06 23:50", "09-06 23:50", status="completed")) == []


class TestWhatStaysApart:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            (
                row("a", "Lydia：招聘", "09-09 16:00", "09-10 14:00", source="calendar", participants=("Lydia",)),
                row("b", "Lydia：预算", "09-09 16:01", "09-10 14:10", source="calendar", participants=("Lydia",)),
            ),
            (
                row("a", "早会", "08-03 09:00", "08-24 10:00", source="calendar"),
                row("b", "早会", "08-03 09:00", "08-31 10:00", source="calendar"),
            ),
            (
                row("a", "候选人A项目讲得清楚", "09-08 15:50", "09-08 15:50", status="completed"),
                row("b", "候选人B项目讲得含糊", "09-08 16:50", "09-08 16:50", status="completed"),
            ),
            (
                row("a", "上午九点数学考试", "09-01 10:00", "09-05 09:00"),
                row("b", "下午两点英语考试", "09-01 10:01", "09-05 14:00"),
            ),
            (
                row("a", "3.2 提测", "09-03 11:30", "09-03 11:30", status="completed"),
                row("b", "3.3 提测", "09-22 15:40", "10-22 09:00"),
            ),
            (
                row(
                    "a",
                    "线上发布推迟的决定",
                    "08-31 10:36",
                    "08-31 00:00",
                    until="09-01 00:00",
                    granularity="day",
                    type="decision",
                ),
                row("b", "线上发布", "08-31 10:44", "08-31 22:00", source="calendar"),
            ),
            (
                CALENDAR_REVIEW,
                row(
                    "b", "周三有评审，给我十个能问的问题", "08-25 11:00", "08-26 12:00", granularity="part", role="user"
                ),
            ),
            (
                CALENDAR_REVIEW,
                row(
                    "b",
                    "周一体检 周三评审 周五交稿",
                    "08-23 21:00",
                    "08-26 00:00",
                    until="08-27 00:00",
                    granularity="day",
                ),
            ),
            (
                row("a", "帮我占个座，要迟到五分钟", "08-31 09:49", type="mention", status="mentioned"),
                row("b", "帮我占个座，要迟到五分钟", "09-14 09:49", type="mention", status="mentioned"),
            ),
            (
                row("a", "记下了：9月12日拔智齿", "08-25 22:05", "09-12 10:00", role="assistant"),
                row("b", "预约了9月12号十点拔智齿", "08-25 22:05", "09-12 10:00"),
            ),
            *(
                (
                    row("a", told, "08-25 21:00", "08-26 00:00", type="todo", granularity="day"),
                    row("b", "灭火器装好了", "08-26 12:00", "08-26 12:00", status="completed"),
                )
                for told in (
                    "明天：灭火器装上 / 换锁 / 交水费 / 打包",
                    "明天 1灭火器装上 2换锁 3交水费",
                    "明天\n- 灭火器装上\n- 换锁",
                )
            ),
        ],
        ids=[
            "ten minutes apart",
            "two weeks",
            "two candidates",
            "two exams",
            "two versions",
            "decision",
            "an assistant is asked for something",
            "a look over the week",
            "same words",
            "assistant",
            "one of a list parted by strokes",
            "one of a numbered list",
            "one of a list of lines",
        ],
    )
    def test_what_is_alike_but_not_one(self, one: dict[str, Any], other: dict[str, Any]) -> None:
        assert merged(one, other) == []

    def test_time_alone_never_merges(self) -> None:
        assert (
            merged(row("a", "剪头发", "09-01 10:00", "09-05 15:00"), row("b", "取蛋糕", "09-01 10:01", "09-05 15:00"))
            == []
        )


class TestCorrections:
    MOVED = row("moved", "老周说评审挪到四点", "08-25 11:00", "08-26 16:00", is_correction=True, participants=("老周",))

    def test_what_was_moved_takes_the_new_time(self) -> None:
        item = deduplicated(made_timeline(CALENDAR_REVIEW, SAID_REVIEW, self.MOVED)).iloc[0]
        assert item["event_time"] == pd.Timestamp(at("08-26 16:00"))
        assert item["source_ref"] == "calendar:made:cal"
        assert len(item["merged_from"]) == 3
        assert "后来改期" in item["merge_reason"]

    @pytest.mark.parametrize(
        ("exact", "start"),
        [("08-28 10:00", "08-28 10:00"), ("08-29 10:00", "08-28 00:00")],
        ids=["that day", "another"],
    )
    def test_what_is_told_more_exactly_of_the_day_to_which_it_moved_stands(self, exact: str, start: str) -> None:
        hour = row(
            "hour", "评审改到十点，老周那边定的", "08-25 10:00", exact, is_correction=True, participants=("老周",)
        )
        day = row(
            "day", "老周说评审改到周五", "08-25 12:00", "08-28 00:00", until="08-29 00:00", granularity="day",
            is_correction=True, participants=("老周",),
        )  # fmt: skip
        item = deduplicated(made_timeline(CALENDAR_REVIEW, SAID_REVIEW, hour, day)).iloc[0]
        assert item["event_time"] == pd.Timestamp(at(start))

    def test_it_reaches_over_days_by_the_time_that_it_names(self) -> None:
        booked = row("a", "预约了九月十二号上午十点拔智齿", "08-25 22:05", "09-12 10:00")
        moved = row("b", "诊所来电，明天十点那个号改到下周六同一时间", "09-11 15:00", "09-19 10:00", is_correction=True)
        assert merged(booked, moved) == [{"a", "b"}]

    def test_it_names_the_old_time_beside_the_new(self) -> None:
        exam = row("a", "操作系统考试，周三下午两点", "08-20 11:00", "08-26 14:00", source="calendar")
        moved = row("b", "周三教室占了，考试改周四上午九点", "08-24 11:00", "08-27 09:00", is_correction=True)
        assert merged(exam, moved) == [{"a", "b"}]

    def test_only_what_is_to_come_can_be_moved(self) -> None:
        past = row("a", "和阿强打羽毛球", "08-01 10:00", "08-02 19:00", participants=("阿强",))
        moved = row(
            "b", "和阿强打羽毛球改到周五", "08-12 10:00", "08-14 19:00", is_correction=True, participants=("阿强",)
        )
        assert merged(past, moved) == []

    def test_a_cancellation_sets_the_status(self) -> None:
        off = row("off", "周三的需求评审不开了", "08-25 09:00", status="cancelled")
        item = deduplicated(made_timeline(CALENDAR_REVIEW, off)).iloc[0]
        assert item["status"] == "cancelled"
        assert item["event_time"] == pd.Timestamp(at("08-26 15:00"))

    def test_what_is_off_on_no_named_day_is_the_next_thing(self) -> None:
        off = row("off", "评审不开了", "08-20 09:00", status="cancelled")
        assert merged(CALENDAR_REVIEW, off) == []
        assert merged(CALENDAR_REVIEW, {**off, "observed_time": at("08-25 09:00")}) == [{"cal", "off"}]

    def test_what_moves_within_its_day_needs_few_words(self) -> None:
        bus = row("a", "Bus KL → SG", "04-20 11:06", "05-03 17:00", source="calendar")
        moved = row("b", "回程的车改签了，3号中午十二点走", "05-02 22:10", "05-03 12:00", is_correction=True)
        assert merged(bus, moved) == [{"a", "b"}]

    def test_a_cancellation_of_one_week_leaves_the_next(self) -> None:
        weeks = [
            row(f"w{n}", "组会", "08-01 09:00", f"08-{day:02} 10:00", source="calendar")
            for n, day in enumerate((10, 17, 24))
        ]
        off = row("off", "17号的组会取消", "08-16 09:00", "08-17 10:00", status="cancelled")
        assert merged(*weeks, off) == [{"w1", "off"}]

    def test_a_settled_debt_keeps_its_deadline_and_says_when_it_was_done(self) -> None:
        owed = row(
            "owed",
            "王姐，三家店的报价我周二前发您",
            "08-28 11:52",
            "09-01 00:00",
            until="09-02 00:00",
            granularity="day",
            type="commitment",
            due=True,
            participants=("王姐",),
        )
        done = row(
            "done",
            "王姐报价发您了",
            "09-01 14:16",
            "09-01 14:16",
            type="commitment",
            status="completed",
            participants=("王姐",),
        )
        item = deduplicated(made_timeline(owed, done)).iloc[0]
        assert (item["status"], item["due"]) == ("completed", True)
        assert item["event_time"] == pd.Timestamp(at("09-01 00:00"))
        assert item["done_time"] == pd.Timestamp(at("09-01 14:16"))

    def test_a_debt_renewed_for_another_day_stands_once_with_the_later_day(self) -> None:
        first = row(
            "a",
            "竞品分析我周五给Lydia",
            "08-31 14:00",
            "09-04 00:00",
            until="09-05 00:00",
            granularity="day",
            type="commitment",
            due=True,
            participants=("Lydia",),
        )
        again = row(
            "b",
            "竞品分析来不及，跟Lydia说了下周一给",
            "09-03 17:00",
            "09-07 00:00",
            until="09-08 00:00",
            granularity="day",
            type="commitment",
            due=True,
            participants=("Lydia",),
        )
        item = deduplicated(made_timeline(first, again)).iloc[0]
        assert item["event_time"] == pd.Timestamp(at("09-07 00:00"))


class TestMergedItem:
    def test_it_names_its_records_lead_first_and_keeps_what_each_adds(self) -> None:
        item = deduplicated(made_timeline(SAID_REVIEW, CALENDAR_REVIEW)).iloc[0]
        assert item["merged_from"] == ("calendar:made:cal", "meinput:made:said")
        assert item["participants"] == ("老周", "小敏")
        assert item["importance"] > 0.6
        assert item["first_observed_time"] == pd.Timestamp(at("08-24 10:00"))
        assert item["last_observed_time"] == pd.Timestamp(at("08-24 11:00"))
        assert "大会议室" in item["words"]
        assert item["merge_reason"] == "时间相合、内容相似、人物相同"

    def test_of_two_that_speak_at_once_the_more_reliable_says_how_it_stands(self) -> None:
        said = row(
            "said", "周三需求评审取消了", "08-26 15:30", "08-26 15:00", status="cancelled", participants=("老周",)
        )
        kept = row(
            "kept",
            "需求评审开完了",
            "08-26 15:30",
            "08-26 15:00",
            status="completed",
            source="memory_v2",
            participants=("老周",),
        )
        item = deduplicated(made_timeline(kept, said)).iloc[0]
        assert len(item["merged_from"]) == 2
        assert item["status"] == "cancelled"

    def test_what_was_not_merged_names_nothing(self) -> None:
        item = deduplicated(made_timeline(SAID_REVIEW)).iloc[0]
        assert item["merged_from"] == ()
        assert pd.isna(item["merge_reason"])

    @pytest.mark.parametrize("chosen", [[], [0], [1, 0], [1, 0, 1]], ids=str)
    def test_of_some_items_alone_the_same_is_told(self, chosen: list[int]) -> None:
        timeline = made_timeline(SAID_REVIEW, CALENDAR_REVIEW, row("a", "看牙", "08-01 09:00", "08-02 10:00"))
        inputs = {"timeline": timeline, "dedupe_settings": DedupeSettings(), "source_settings": SOURCES}
        items = DRIVER.execute(["deduplicated_columns"], inputs=inputs)["deduplicated_columns"]
        some = items.at(np.array(chosen, dtype=np.int64)).frame(DEDUPLICATED_TIMELINE)
        whole = items.frame(DEDUPLICATED_TIMELINE)
        pd.testing.assert_frame_equal(some, whole.iloc[chosen].reset_index(drop=True))


class TestContract:
    def test_an_empty_timeline_gives_an_empty_one(self) -> None:
        result = deduplicated(TIMELINE.empty())
        assert result.empty
        assert {name: str(result[name].dtype) for name in DEDUPLICATED_TIMELINE.dtypes} == DEDUPLICATED_TIMELINE.dtypes

    def test_a_frame_without_a_column_is_refused_by_name(self) -> None:
        with pytest.raises(FrameContractError, match="participants"):
            deduplicated(made_timeline(SAID_REVIEW).drop(columns="participants"))

    def test_the_timeline_is_left_as_it_was(self) -> None:
        timeline = made_timeline(SAID_REVIEW, CALENDAR_REVIEW, TestCorrections.MOVED)
        before = timeline.copy(deep=True)
        deduplicated(timeline)
        pd.testing.assert_frame_equal(timeline, before)


PHRASES = st.sampled_from(
    ["和王姐签合同", "王姐合同签了", "需求评审", "评审挪到四点", "看牙", "拔了智齿", "报价发了", "买猫砂", "组会"]
)
ROWS = st.lists(
    st.builds(
        lambda n, text, day, hour, type_, status, moves, source: row(
            str(n),
            text,
            f"08-{day:02} 08:00",
            f"08-{day + 1:02} {hour:02}:00",
            type=type_,
            status=status,
            is_correction=moves,
            source=source,
        ),
        st.integers(0, 10**6),
        PHRASES,
        st.integers(1, 12),
        st.integers(8, 20),
        st.sampled_from(["event", "todo", "commitment"]),
        st.sampled_from(["planned", "completed", "cancelled"]),
        st.booleans(),
        st.sampled_from(["meinput", "chat", "memory_v2"]),
    ),
    max_size=12,
    unique_by=lambda r: r["source_ref"],
)


class TestLaws:
    @settings(max_examples=50, deadline=None)
    @given(ROWS)
    def test_every_record_stands_in_one_item(self, rows: list[dict[str, Any]]) -> None:
        items = deduplicated(made_timeline(*rows))
        refs = [
            ref for own, refs in zip(items["source_ref"], items["merged_from"], strict=True) for ref in refs or (own,)
        ]
        assert sorted(refs) == sorted(r["source_ref"] for r in rows)

    @settings(max_examples=50, deadline=None)
    @given(ROWS, st.randoms(use_true_random=False))
    def test_the_order_in_which_records_come_does_not_matter(self, rows: list[dict[str, Any]], chance: Random) -> None:
        shuffled = chance.sample(rows, len(rows))
        pd.testing.assert_frame_equal(deduplicated(made_timeline(*rows)), deduplicated(made_timeline(*shuffled)))

    @settings(max_examples=100, deadline=None)
    @given(ROWS)
    def test_what_stayed_apart_has_nothing_left_that_joins_it(self, rows: list[dict[str, Any]]) -> None:
        """The rows that merged with none merge with none when they stand alone, as long as their words weigh the same.

        By themselves they would not: what few rows say tells more than what many say. Nor does a merged item stay as it
        is when it is merged again: it says what all of its rows say.
        """
        everywhere = DedupeSettings(block_reach=64, correction_reach=64)
        timeline = made_timeline(*rows)
        groups, keys = grouped(timeline, everywhere)
        alone = np.flatnonzero(np.bincount(groups, minlength=len(groups))[groups] == 1)
        left = np.isin(keys.row, alone)
        known = MatterKeys(np.searchsorted(alone, keys.row[left]), keys.gram[left], keys.weight[left])
        again, _ = grouped(timeline.iloc[alone].reset_index(drop=True), everywhere, matter_keys=known)
        assert again.tolist() == list(range(len(alone)))
