"""Evidence becomes a timeline: what each record tells, and nothing but what it tells."""

from __future__ import annotations

import json
from collections import defaultdict
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reading import OBSERVED, local, read, record_of, rows_of, timeline_of

from temporal_recall.adapters.records_file import record_from_row
from temporal_recall.dataflows.evidence_frame import evidence_frame
from temporal_recall.dataflows.language.extraction_acts import ACT_RULES
from temporal_recall.schemas.frames import EVIDENCE, TIMELINE, checked

DATA = Path(__file__).resolve().parents[1] / "data"

PHRASES_BY_RULE: dict[str, tuple[str, ...]] = {
    "listed_duties": ("下周：交水费、洗空调、周四回访客户", "出发前要办：换外币 / 取护照"),
    "promised_client": ("图纸周五之前给业主", "样品下周一寄给孙小姐"),
    "service_appointment": ("周五上午十点给客户装净水器", "我后天下午四点去贵司给您演示"),
    "dropped_event": ("明早的打球算了", "周六的聚餐免了吧"),
    "shifted_duty": ("明天要交的方案延后两天",),
    "shifted_event": ("周五的评审推后一天", "面试提前半小时"),
    "undone_errand": ("电影票还没买",),
    "told_by_when": ("李总，合同周四下班前到您公司", "Hi Marco, quote by Friday"),
    "recalled_duty": ("我周五要交什么材料来着",),
    "delivered": ("报价已发，请查收", "Dear Mr Lau, invoice attached"),
    "standing_rule": ("从今天起门店十点关门", "以后一律凭票报销", "from now on PRs need two reviews"),
    "agreed_habit": ("跟室友说好了：每周日大扫除",),
    "settled_hour": ("听证定了周五上午九点",),
    "changed": ("主材由橡木改为胡桃木", "供应商换成了老郑家"),
    "given_up": ("明年不种棉花了",),
    "promised_you": ("样图周四之前发你", "李姐 钥匙我明天带给您"),
    "forgotten_duty": ("电费搞忘交了，明天去交",),
    "invited": ("麻烦您周五上午十点来趟店里",),
    "falling_due": ("标书下周二交",),
    "debt_settled": ("罚款结了", "月报补上了"),
    "appointed_time": ("牙科复诊\n今天",),
    "settled_event": ("手术定了，10月9号上午",),
    "settled": ("装修队定了",),
    "decision": ("我们决定不换供应商了", "讨论结论：先做安卓", "We decided to drop IE support"),
    "postponed_event": ("明天的听证会延期",),
    "moved_duty": ("作业的ddl推迟到周日",),
    "moved_work": ("返修延到28号", "论文初稿改到下周五"),
    "moved_event": ("周会挪到周四下午四点", "聚餐改到后天晚上七点", "standup moved to 10:30 tomorrow"),
    "corrected_event": ("更正：家长会是周五晚上六点",),
    "corrected_time": ("不是三点，是明天四点开会",),
    "cancelled_event": ("明天的聚餐取消了", "周六的课不上了", "the demo on Friday got cancelled"),
    "missed_event": ("昨天约的师傅没来",),
    "put_off_event": ("发布会延期了",),
    "moved_place": ("例会改成线上",),
    "reminder_of_deadline": ("提醒我周五前交房租",),
    "reminder": ("提醒我明天早上八点吃药",),
    "told_debt": ("我答应小林周五给他初稿",),
    "told_deadline": ("答应客户月底之前上线",),
    "told_promise": ("我答应儿子周六去科技馆",),
    "failed_handover": ("合同今天发不出去了",),
    "undone_duty": ("周报还没写，今晚补",),
    "undone_work": ("作业还没写",),
    "lacking_work": ("问卷还差五份",),
    "arranged_event": ("预约了下周三上午看牙",),
    "handed_over": ("报价单发您了",),
    "duty_done": ("房租交了", "Rent paid"),
    "received": ("小周的数据收到了", "发票拿到了"),
    "work_done": ("检讨写完了",),
    "arrangement_made": ("羽毛球赛报名了",),
    "announced_breakdown": ("后天上午停水",),
    "breakdown": ("洗衣机坏了",),
    "requested": ("请于本周五之前回复",),
    "asked_of_other": ("明天麻烦你把门开一下",),
    "noted_duty": ("准考证下周一开始打印，别忘了",),
    "assigned_duty": ("主任让我周五出一版流程",),
    "promise": ("我周三把图发给阿敏", "I'll send the draft by Friday"),
    "owed_thing": ("房租明天转给房东",),
    "duty": ("记得给花浇水", "明天必须把表填完"),
    "pressing_duty": ("报名表明天必须交了",),
    "deadline": ("体检周五之前都行",),
    "open_promise": ("我保证不再迟到",),
    "offer": ("我帮您重新寄给您一份",),
    "concluded_event": ("考试结束了", "家长会开完了"),
    "done_event": ("爬了泰山", "刚跟客户吃了饭"),
    "arrival": ("我到机场了", "登机"),
    "ongoing_event": ("在医院排队",),
    "told_outcome": ("闺女声乐比赛第二名", "复查都正常"),
    "outcome_of_now": ("今早三比一", "今天上午连输四把"),
    "outing": ("带孩子去动物园",),
    "noted_event": ("客户访谈纪要：一共五条",),
    "presumed_event": ("明天几点的飞机来着",),
    "undecided_event": ("明天中午的同学会还去不去",),
    "errand": ("周六去打印照片",),
    "set_appointment": ("明天下午三点见投资人",),
    "appointment": ("周四体检", "dentist on Friday"),
    "plan_ahead": ("下周去苏州",),
    "plan_today": ("今天要去姥姥家",),
    "round_of_today": ("今天飞芝加哥",),
    "under_way": ("出发去虹桥",),
    "told_event": ("上周末去苏州",),
}
PHRASES_BY_MEMORY_RULE = {"remembered_plan": "用户计划7月中旬去青海。", "remembered_event": "9月4日与房东续签一年。"}


class TestRules:
    """Every rule is hit by some phrase, and its name stands in the trace."""

    @pytest.mark.parametrize(("rule", "phrase"), [(r, p) for r, phrases in PHRASES_BY_RULE.items() for p in phrases])
    def test_a_phrase_fires_its_rule(self, rule: str, phrase: str) -> None:
        row = read(phrase)
        (known,) = (r for r in ACT_RULES if r.name == rule)
        assert row["rules"] == ("own", rule)
        assert row["type"] == known.type

    @pytest.mark.parametrize(("rule", "phrase"), PHRASES_BY_MEMORY_RULE.items())
    def test_a_memory_is_read_as_a_statement(self, rule: str, phrase: str) -> None:
        assert read(phrase, source="memory_v2")["rules"] == ("memory", rule)

    def test_no_rule_is_without_a_phrase(self) -> None:
        assert {rule.name for rule in ACT_RULES} == PHRASES_BY_RULE.keys() | PHRASES_BY_MEMORY_RULE.keys()


class TestTimes:
    """The event's time is chosen among the times of the message, and put together from its parts."""

    @pytest.mark.parametrize(
        ("text", "start", "end", "granularity"),
        [
            pytest.param("周三三点大会议室，需求评审", "09-16 15:00", None, "minute", id="weekday, clock"),
            pytest.param("老何说评审挪到四点，还是明天", "09-17 16:00", None, "minute", id="clock, then day"),
            pytest.param("周日早上去骑车，七点集合", "09-20 07:00", None, "minute", id="part, then clock"),
            pytest.param("晚上同学聚会，七点半，海底捞", "09-16 19:30", None, "minute", id="evening, then the clock"),
            pytest.param("生日 9月20号周日 六点半 火锅", "09-20 18:30", None, "minute", id="date, clock, matter"),
            pytest.param("晚宴改到八点", "09-16 20:00", None, "minute", id="a bare evening hour is today's"),
            pytest.param("周五九点面试，周六聚餐", "09-18 09:00", None, "minute", id="an evening matter elsewhere"),
            pytest.param("车送修了，周六取", "09-19 00:00", "09-20 00:00", "day", id="done, then to do"),
            pytest.param("探头装上了 8号下午三点再来", "10-08 15:00", None, "minute", id="a date after a report"),
            pytest.param("周六七点聚餐", "09-19 19:00", None, "minute", id="the matter tells"),
            pytest.param("明天十点那个号有事，改到下周六同一时间", "09-26 10:00", None, "minute", id="the same clock"),
            pytest.param("今天下午不签了，改到明天10:30", "09-17 10:30", None, "minute", id="the new time of two"),
            pytest.param("明天两点开会，半个小时", "09-17 14:00", "09-17 14:30", "minute", id="a length gives the end"),
            pytest.param("周五下午两点到四点培训", "09-18 14:00", "09-18 16:00", "minute", id="from clock to clock"),
            pytest.param("9月20号到22号去成都出差", "09-20 00:00", "09-23 00:00", "range", id="several days"),
            pytest.param("下周休年假", "09-21 00:00", "09-28 00:00", "range", id="a week"),
            pytest.param("明天下午两场面试", "09-17 12:00", "09-17 18:00", "part", id="part of a day"),
            pytest.param("周六看展", "09-19 00:00", "09-20 00:00", "day", id="a day"),
            pytest.param("昨天下午和张总签了合同", "09-15 12:00", "09-15 18:00", "part", id="over, in its time"),
            pytest.param("签了！！", "09-16 10:00", None, "minute", id="over, when told"),
            pytest.param("结论：不做积分", "09-16 00:00", "09-17 00:00", "day", id="a decision, on its day"),
            pytest.param("会开完了，上线定在10月22号", "09-16 10:00", None, "minute", id="over, plan aside"),
            pytest.param("明天下午三点的会往后挪半小时", "09-17 15:30", None, "minute", id="moved by a length"),
            pytest.param("明天十点的培训提前一小时", "09-17 09:00", None, "minute", id="moved to before"),
            pytest.param("例会推后一日", None, None, None, id="moved by a length, from when is not said"),
            pytest.param("周五的评审推迟一天，周六开", "09-19 00:00", "09-20 00:00", "day", id="both said"),
            pytest.param("等下 周五我是不是值班", "09-18 00:00", "09-19 00:00", "day", id="wait, then a day"),
            pytest.param("明天评审照常 三点", "09-17 15:00", None, "minute", id="day, then its clock after a space"),
            pytest.param("下周二飞大连，周四晚上回", "09-22 00:00", "09-23 00:00", "day", id="out and back"),
            pytest.param("22号去厦门，25号下午再回来", "09-22 00:00", "09-23 00:00", "day", id="out, then back"),
            pytest.param("明天晚上回广州", "09-17 18:00", "09-18 00:00", "part", id="back alone"),
            pytest.param("三点那位改明天同一时间", "09-17 15:00", None, "minute", id="the clock of what was said"),
            pytest.param("合同延一个月服务期，我答应的", None, None, None, id="no time is said"),
        ],
    )  # fmt: skip
    def test_time_of_the_event(self, text: str, start: str | None, end: str | None, granularity: str | None) -> None:
        row = read(text)
        known = row["granularity"] if isinstance(row["granularity"], str) else None
        assert (local(row["event_time"]), local(row["event_end"]), known) == (start, end, granularity)

    @pytest.mark.parametrize(
        ("text", "deadline"),
        [
            pytest.param("报告月底前给主任", "09-30 00:00", id="of a month's end the last day"),
            pytest.param("三家店的报价我下周二前发您", "09-22 00:00", id="the day named"),
            pytest.param("测试用例下午三点前给我过一眼呗", "09-16 15:00", id="a clock time is a wall"),
            pytest.param("最晚周五给你们答复", "09-18 00:00", id="a limit before the day"),
            pytest.param("健身卡月底到期", "09-30 00:00", id="an end without 前"),
            pytest.param("下周五要交论文初稿", "09-25 00:00", id="what is to be handed in on a day"),
        ],
    )
    def test_deadline_of_what_is_owed(self, text: str, deadline: str) -> None:
        row = read(text)
        assert (local(row["event_time"]), row["due"]) == (deadline, True)

    @pytest.mark.parametrize("text", ["28号提醒下吧", "明天下午三点开会", "报告交了", "我答应儿子周六去科技馆"])
    def test_what_is_no_deadline(self, text: str) -> None:
        assert read(text)["due"] is False

    def test_times_are_read_in_the_zone_of_the_record(self) -> None:
        row = read("明天下午三点开会", time_zone="America/New_York")
        assert local(row["event_time"], "America/New_York") == "09-16 15:00"

    def test_a_date_of_the_year_before_gives_way_to_one_of_these_days(self) -> None:
        row = read("9月15日与物业签订合同，10月1日进场。", source="memory_v2")
        assert (local(row["event_time"]), row["status"]) == ("09-15 00:00", "completed")

    def test_the_other_event_of_a_record_stays_in_the_open(self) -> None:
        row = read("24号晚上回绍兴，27号下午回上海")
        assert local(row["event_time"]) == "09-24 18:00"
        assert row["other_times"] == ("2026-09-27T12:00:00+08:00/2026-09-27T18:00:00+08:00",)


class TestStatus:
    @pytest.mark.parametrize(
        ("text", "status"),
        [
            ("周五下午签约", "planned"),
            ("今天早上八点体检", "completed"),
            ("约上了10月3号早上八点的核磁", "planned"),
            ("明天开完会直接去机场", "planned"),
            ("明天的会开完了", "completed"),
            ("房贷该还了 20号", "planned"),
            ("上午改了八十份 累", "completed"),
            ("3号提测悬啊", "unknown"),
            ("线上炸了！！", "mentioned"),
            ("明晚的电影不看了，取消", "cancelled"),
            ("2号到4号民宿我订了，可免费取消", "planned"),
            ("还没交呢，明天交", "planned"),
            ("在家陪外婆包了一下午饺子", "completed"),
            ("在仓库整整一天都在盘点", "completed"),
            ("刚从车管所回来", "completed"),
            ("湖边 8.5公里 打卡", "completed"),
            ("早上八点坐的高铁", "completed"),
            ("后天的疫苗打不成了", "cancelled"),
            ("收银机黑屏了", "mentioned"),
            ("明天一整天都在开会", "planned"),
        ],
    )
    def test_how_far_it_is(self, text: str, status: str) -> None:
        assert read(text)["status"] == status


class TestTypes:
    @pytest.mark.parametrize(
        ("text", "type_"),
        [
            ("@小葛 投标函28号之前盖好章就行", "todo"),
            ("李总，投标函28号之前盖好章给您", "commitment"),
            ("跟业主说好了周五之前寄色卡", "commitment"),
            ("标书封好了", "todo"),
            ("施工图：一层画完，二层还没动，24号截止", "todo"),
            ("讲稿改好放您桌上了", "commitment"),
            ("周一定的那个方案今天讲了", "event"),
            ("最后定了B方案", "decision"),
            ("那套房不要了 离地铁远", "decision"),
            ("备用金由 5 万降为 3 万", "decision"),
            ("餐位就定周六晚上六点", "event"),
            ("车贷20号扣，19号前要转进去", "todo"),
        ],
    )
    def test_what_kind_of_thing_it_is(self, text: str, type_: str) -> None:
        assert read(text)["type"] == type_


class TestProposals:
    """What has a time and waits for consent only is planned; what is asked for is not."""

    @pytest.mark.parametrize(
        ("text", "type_", "start"),
        [
            ("邹总，报价细节我们周四下午三点电话里过一下？", "event", "09-17 15:00"),
            ("韦老师 后天上午十点我去您办公室行吗", "event", "09-18 10:00"),
            ("今晚去不了了 改周五晚上七点行不行", "event", "09-18 19:00"),
            ("杜总 样册周五给您行吗", "commitment", "09-18 00:00"),
            ("老秦 周五的值班能不能跟你换一下", "event", "09-18 00:00"),
            ("验收可不可以给我们宽限到周五下午三点", "event", "09-18 15:00"),
            ("周五能不能别下雨", "mention", None),
            ("你明天下午去哪儿？", "mention", None),
        ],
    )
    def test_what_is_put_as_a_question(self, text: str, type_: str, start: str | None) -> None:
        row = read(text)
        assert (row["type"], local(row["event_time"])) == (type_, start)

    def test_a_meeting_that_one_is_told_to_come_to_is_no_duty(self) -> None:
        assert read("主任让我周四上午九点去院部面谈")["type"] == "event"


class TestNoEvents:
    """What is not of the user's life stays a mention without a time of its own."""

    @pytest.mark.parametrize(
        "text",
        [
            pytest.param("要是下周能去看演唱会就好了", id="wish"),
            pytest.param("如果明天不下雨我们就去爬山", id="condition"),
            pytest.param("听说下个月地铁要涨价", id="hearsay"),
            pytest.param("老何原话：「周五之前压不下来我请全组奶茶」", id="quote"),
            pytest.param("你周末有空吗", id="question"),
            pytest.param("有没有人周末帮忙值个班 9/26-9/27", id="looking for someone"),
            pytest.param("隔壁班妈妈说下学期要分快慢班", id="rumour"),
            pytest.param("舅舅说国庆来玩，别指望我陪", id="refusal"),
            pytest.param("我没说过周三能交", id="denial"),
            pytest.param("帮我写一段明天会议的开场白", id="work for an assistant"),
            pytest.param("明天降温多穿点", id="weather"),
            pytest.param("睡不着 在想客户会不会退单", id="thought"),
            pytest.param("明天千万别出岔子", id="a fear"),
            pytest.param("昨晚梦见高考迟到", id="dream"),
            pytest.param("三点建议：先改标题，再改图", id="look-alike"),
            pytest.param("好的 收到", id="acknowledgement"),
            pytest.param("算了不说了", id="let be, nothing planned"),
            pytest.param("瞄了一下", id="a look"),
            pytest.param("提前一天通知我", id="a head start"),
        ],
    )
    def test_words_that_tell_no_event(self, text: str) -> None:
        row = read(text)
        assert (row["type"], row["status"], row["due"]) == ("mention", "mentioned", False)
        assert pd.isna(row["event_time"])

    @pytest.mark.parametrize(
        ("voice", "fields"),
        [
            ("assistant", {"role": "assistant"}),
            ("other", {"author": "Ken"}),
            ("search", {"app": "browser"}),
            ("search", {"field_kind": "search"}),
            ("document", {"field_kind": "document"}),
            ("code", {"field_kind": "code"}),
            ("address", {"field_kind": "url"}),
        ],
    )
    def test_only_the_user_s_own_words_are_read(self, voice: str, fields: dict[str, str]) -> None:
        row = read("明天下午三点和张总签合同", **fields)
        assert (row["type"], row["rules"]) == ("mention", (voice,))
        assert pd.isna(row["event_time"])


class TestStatedEvents:
    def test_a_source_s_own_event_stands_as_it_is(self) -> None:
        start = datetime.fromisoformat("2026-09-18T15:00:00+08:00")
        event = {
            "start": start, "end": start + timedelta(hours=1), "title": "复盘", "location": "大会议室",
            "attendees": ("老何", "Ken"),
        }  # fmt: skip
        row = read("明天改到四点", source="calendar", event=event)
        assert (row["type"], row["status"], row["is_stated"], row["rules"]) == ("event", "planned", True, ("source",))
        assert (local(row["event_time"]), local(row["event_end"])) == ("09-18 15:00", "09-18 16:00")
        assert (row["title"], row["location"], row["participants"]) == ("复盘", "大会议室", ("老何", "Ken"))

    @pytest.mark.parametrize(("days", "granularity"), [(1, "day"), (3, "range")])
    def test_all_day_events(self, days: int, granularity: str) -> None:
        first = date(2026, 9, 18)
        row = read("", source="calendar", event={"start": first, "end": first + timedelta(days=days), "title": "出差"})
        assert (local(row["event_time"]), row["granularity"]) == ("09-18 00:00", granularity)

    def test_a_cancelled_event_is_no_plan(self) -> None:
        event = {"start": datetime.fromisoformat(OBSERVED), "title": "1on1", "status": "cancelled"}
        assert read("", source="calendar", event=event)["status"] == "cancelled"

    @pytest.mark.parametrize(
        ("title", "says_it_moved"),
        [
            ("录音 老何（改期）", True), ("审片-已改期", True), ("改到周四：周会", True),
            ("Review (rescheduled)", True), ("moved: 1:1", True), ("延期毕业答辩", False),
            ("提前批面试", False), ("调整方案", False), ("搬家", False),
        ],
    )  # fmt: skip
    def test_an_entry_whose_title_says_that_it_moved_is_a_correction(self, title: str, says_it_moved: bool) -> None:
        row = read("", source="calendar", event={"start": datetime.fromisoformat(OBSERVED), "title": title})
        assert row["is_correction"] == says_it_moved


class TestDetails:
    @pytest.mark.parametrize(
        ("text", "owner"),
        [
            ("我周四去杭州", "self"),
            ("海哥周四去杭州跑客户", "other"),
            ("阿敏下周休年假", "other"),
            ("王姐说明天下午三点可以签合同", "self"),
            ("@小鹿 用例下午三点前给我看一下呗", "other"),
            ("爸周五住院", "self"),
            ("李教练帮我约了明天的课", "self"),
            ("周二下午三点麻烦您来趟公司", "self"),
        ],
    )
    def test_whose_plan_it_is(self, text: str, owner: str) -> None:
        assert read(text)["owner"] == owner

    def test_title_leaves_out_time_and_fillers(self) -> None:
        assert read("帮我记一下，周五下午三点和张总签合同哈")["title"] == "和张总签合同"

    @pytest.mark.parametrize("text", ["会议改到四点了，明天", "更正：家长会是周五晚上六点"])
    def test_what_changes_something_told_is_a_correction(self, text: str) -> None:
        assert read(text)["is_correction"] is True

    def test_what_was_typed_and_deleted_counts_less(self) -> None:
        text = "明天下午三点和张总签合同"
        assert read(text, outcome="discarded")["confidence"] < 0.7 * read(text)["confidence"]

    def test_a_contract_weighs_more_than_a_snack(self) -> None:
        assert read("明天下午签合同")["importance"] > 0.7 > 0.4 > read("点了杯奶茶")["importance"]

    def test_traditional_characters_are_read_and_kept(self) -> None:
        row = read("週五下午三點和陳總開會")
        assert (local(row["event_time"]), row["participants"], row["title"]) == ("09-18 15:00", ("陳總",), "和陳總開會")


class TestFrame:
    def test_no_evidence_gives_an_empty_timeline(self) -> None:
        assert len(checked(timeline_of(EVIDENCE.empty()), TIMELINE)) == 0

    def test_rows_follow_event_time_and_undated_ones_come_last(self) -> None:
        texts = ("哈哈哈", "下周去苏州", "明天下午三点开会")
        frame = checked(timeline_of(evidence_frame(record_of(t, i) for i, t in enumerate(texts))), TIMELINE)
        assert frame["content"].tolist() == ["明天下午三点开会", "下周去苏州", "哈哈哈"]
        assert frame.index.equals(pd.RangeIndex(3))

    def test_evidence_is_left_as_it_was(self) -> None:
        evidence = evidence_frame([record_of("@老何 「明天」下午三点開會")])
        before = evidence.copy(deep=True)
        timeline_of(evidence)
        pd.testing.assert_frame_equal(evidence, before)

    def test_what_is_written_depends_on_the_record_alone(self) -> None:
        records = [record_of(p, i) for i, p in enumerate(p for phrases in PHRASES_BY_RULE.values() for p in phrases)]
        together = timeline_of(evidence_frame(records)).set_index("source_ref").sort_index()
        alone = pd.concat([timeline_of(evidence_frame([record])) for record in records[::7]])
        pd.testing.assert_frame_equal(
            together.loc[alone["source_ref"].sort_values()], alone.set_index("source_ref").sort_index()
        )

    @settings(max_examples=60, deadline=None)
    @given(
        st.text(
            alphabet=st.sampled_from("我你明天下午三点半周五前改到取消了吗？，。 @「」:/.-\n3月9号会签发给王总Ken！️😂﻿"),
            max_size=60,
        )
    )
    def test_any_text_is_read_without_a_crash(self, text: str) -> None:
        row = read(text)
        has_time = not pd.isna(row["event_time"])
        assert has_time == isinstance(row["granularity"], str)
        assert not (row["type"] == "mention" and has_time)
        assert not has_time or pd.isna(row["event_end"]) or row["event_end"] > row["event_time"]


def _is_same_time(got: pd.Timestamp | None, gold: dict[str, Any]) -> bool:
    """Exact for what is planned to the minute, else the same local day, as the shared scorer has it."""
    want = datetime.fromisoformat(gold["event_time"])
    if got is None or pd.isna(got):
        return False
    if gold["granularity"] == "minute" and gold["status"] not in ("completed", "mentioned"):
        return got.to_pydatetime() == want
    return got.to_pydatetime().astimezone(want.tzinfo).date() == want.date()


def _figures(rows: dict[str, Any], gold: list[dict[str, Any]], non_events: list[str]) -> dict[str, float]:
    """The share of gold items read right, by field, and of non-events left alone."""
    hits = defaultdict(list)
    for item in gold:
        row = rows[item["id"]]
        for field in ("type", "status", "due"):
            hits[field].append(row[field] == item[field])
        if item["event_time"]:
            hits["event_time"].append(_is_same_time(row["event_time"], item))
        if item["participants"]:
            found = set(item["participants"]) & set(row["participants"])
            hits["participants"].append(len(found) / len(item["participants"]))
    hits["non_events"] = [rows[ref]["type"] == "mention" for ref in non_events]
    return {field: sum(scores) / len(scores) for field, scores in hits.items()}


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _persona_figures(folder: Path) -> dict[str, float]:
    rows = rows_of(record_from_row(row, "u1") for row in _lines(folder / "items.jsonl"))
    return _figures(rows, _lines(folder / "gold_items.jsonl"), [r["id"] for r in _lines(folder / "non_events.jsonl")])


def _misses(figures: dict[str, float], floors: dict[str, float]) -> dict[str, float]:
    return {field: round(figures[field], 3) for field, floor in floors.items() if figures[field] < floor}


class TestFigures:
    """Floors on labelled people. They guard what is reached; aims stand in the design."""

    def test_shared_persona(self, shared: Path) -> None:
        floors = {
            "event_time": 0.94,
            "type": 0.95,
            "status": 0.95,
            "due": 0.97,
            "participants": 0.85,
            "non_events": 1.0,
        }
        assert _misses(_persona_figures(shared / "cases" / "recall" / "pm_shanghai"), floors) == {}

    @pytest.mark.parametrize("persona", ["trader_ningbo", "nurse_xian", "grad_singapore"])
    def test_personas(self, persona: str) -> None:
        floors = {
            "event_time": 0.85,
            "type": 0.84,
            "status": 0.91,
            "due": 0.95,
            "participants": 0.84,
            "non_events": 0.93,
        }
        assert _misses(_persona_figures(DATA / "personas" / persona), floors) == {}

    @pytest.mark.parametrize("persona", ["teacher_chengdu", "designer_guangzhou", "sales_wuhan"])
    def test_personas_written_blind(self, persona: str) -> None:
        floors = {
            "event_time": 0.90,
            "type": 0.86,
            "status": 0.91,
            "due": 0.97,
            "participants": 0.90,
            "non_events": 0.85,
        }
        assert _misses(_persona_figures(DATA / "personas" / persona), floors) == {}

    def test_messages_of_many_kinds_of_people(self) -> None:
        floors = {
            "event_time": 0.87,
            "type": 0.85,
            "status": 0.90,
            "due": 0.95,
            "participants": 0.85,
            "non_events": 0.90,
        }
        messages = _lines(DATA / "messages" / "messages.jsonl")
        rows = rows_of(record_from_row(message, "u1") for message in messages)
        gold = [m for m in messages if m["type"] != "mention"]
        assert _misses(_figures(rows, gold, [m["id"] for m in messages if m["type"] == "mention"]), floors) == {}
