"""Each cue is shown by some words and not by words that only look like them."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from temporal_recall.dataflows.language.extraction_acts import ACT_RULES
from temporal_recall.dataflows.language.extraction_cues import CUES, clause_cues

SHOWN_BY_CUE: dict[str, tuple[str, ...]] = {
    "speaker": ("我去", "i'll go"),
    "everyone": ("大家看一下",),
    "calls_on_other": ("麻烦开下门", "could you send it"),
    "comes_along": ("来一趟学校", "过来面谈", "都来参加"),
    "forgets": ("忘了带伞", "表忘交了", "忘得一干二净", "差点迟到"),
    "gets": ("妈给我寄了牛肉干",),
    "other_subject": ("海哥周四去杭州", "我妈下周来", "Ken明天飞北京"),
    "kin_subject": ("爸周五住院", "奶奶下周复查", "儿子周六比赛"),
    "wish": ("要是能去就好了", "如果下雨"),
    "question": ("去不去", "什么时候开会", "你去吗"),
    "question_mark": ("三点开会？",),
    "proposes": ("周五去行吗", "改到四点方便不", "能不能往后推一天", "中午一起吃面不"),
    "presumes": ("明天几点的车", "叫什么来着"),
    "asks_machine": ("帮我查一下", "翻译一下这段"),
    "hearsay": ("听说要搬", "隔壁班妈妈说要分班"),
    "laughs": ("他要去相亲哈哈哈",),
    "refuses": ("别算我",),
    "seeks": ("有没有人值班", "谁能替我"),
    "not_happened": ("没去成",),
    "dread": ("在想会不会退单",),
    "doubt": ("3号悬啊",),
    "reported": ("她跟我说要走",),
    "feels": ("好累啊",),
    "acknowledges": ("收到", "好的"),
    "sky": ("明天降温", "今天冬至"),
    "greeting": ("节日快乐",),
    "declines": ("不用等我",),
    "modal": ("要去", "会来的", "得去一趟", "will call"),
    "perfective": ("走了",),
    "light": ("看了一眼",),
    "done": ("量完尺", "款收到", "年检通过", "交了", "写完", "跑了五公里", "聊得不错", "merge了"),
    "outcome": ("拿了第二名", "三比零", "又连输两盘", "指标都正常", "今天手气太差"),
    "once_there": ("到了说一声", "到了跟我说"),
    "to_be_done": ("周末批完", "15号弄好"),
    "waits": ("数据要等30号结账",),
    "rules_out": ("28号不行", "周三来不了"),
    "wavers": ("明天还去不去",),
    "stops": ("今晚不跳了",),
    "gives_up": ("这单不接了", "健身卡不续了", "今年不种棉花了"),
    "arrived": ("我到了", "登机", "在牙科门口了"),
    "outing": ("带孩子去公园",),
    "ongoing": ("在改方案", "在医院排队"),
    "dated": ("周六下午", "9月3号"),
    "under_way": ("出发去机场",),
    "sets_out": ("今天飞北京",),
    "undone": ("还没交", "来不及"),
    "unfinished": ("还没写",),
    "lacks": ("还差两张", "还有五页没写", "合同没盖章"),
    "negated": ("没崩",),
    "cancels": ("取消了", "会不开了", "课停了"),
    "missed": ("师傅没来",),
    "may_cancel": ("可免费取消",),
    "moves": ("改到四点", "挪到周五", "推迟了", "改周五吧"),
    "puts_off": ("会议延期",),
    "moves_by": ("评审推后一天", "往后挪半小时", "面试提前一刻钟"),
    "drops": ("打球算了", "聚餐免了吧"),
    "serves": ("给您演示一遍", "上门给客户装净水器"),
    "returns": ("周四晚上回", "25号返程", "下午再回来"),
    "allows": ("盖好章就行", "不急"),
    "unseen_to": ("票还没买", "水费还没交呢"),
    "corrects": ("更正", "我记错了"),
    "denies": ("不是三点",),
    "concludes": ("报告出来了", "谈得不错", "会开完了", "培训结束"),
    "next_time": ("下次再补",),
    "minutes": ("评审会纪要",),
    "decides": ("最后决定用老方案", "商量下来", "想好了", "方案通过", "选了蓝色", "we decided to wait"),
    "settles": ("日子定了",),
    "arranges": ("约了刘医生", "票抢到了", "排班出了"),
    "duty": ("记得带伞", "要交房租"),
    "falls_due": ("稿子25号交", "首付下周三付"),
    "reminds_tail": ("别忘了", "大家记得哈"),
    "errand": ("给物业打个电话",),
    "told_to": ("主任让我出一版", "老师催我", "甲方要三张效果图"),
    "reminds": ("提醒我一下",),
    "pledges": ("我答应过", "放心", "准时送到", "欠小林一顿"),
    "others_word": ("小林答应了",),
    "gives": ("发给客户", "写完"),
    "hands_you": ("周五发你", "改好了寄给您", "send it to you"),
    "gives_client": ("周三交给业主", "寄给李小姐"),
    "vocative": ("王姐", "陈太您好", "hi marco"),
    "gives_you": ("发您了",),
    "addressed": ("您", "麻烦看一下"),
    "own_duty": ("周报",),
    "owes": ("周报", "房租"),
    "acquires": ("买了", "已交"),
    "receives": ("合同收到了", "钥匙拿到", "表收齐了"),
    "works_off": ("写完了",),
    "hands_in": ("年检补了", "表填好了"),
    "cannot_give": ("今天发不出去",),
    "limit": ("周五前", "截止", "before Friday"),
    "from_now_on": ("从今天起早睡", "报销一律走系统", "以后都不加班"),
    "lays_down": ("宿舍规定",),
    "lasts": ("排了三个小时", "改了一上午"),
    "recurs": ("每周三", "隔周"),
    "agrees": ("和物业商量好了", "例会上定的"),
    "turns_into": ("限额由五万提到八万", "沙发就选灰的", "车票定成周日那趟", "由纸质改为电子", "班长换成小李"),
    "lists": ("买菜、洗车", "复印 / 盖章"),
    "breaks": ("炸了", "打起来了", "爆胎", "漏水"),
    "activity": ("开会", "夜班", "dinner"),
    "acts": ("取车",),
    "goes": ("去", "见"),
}

LOOK_ALIKES: dict[str, tuple[str, ...]] = {
    "calls_on_other": ("课件明天发你吧",),
    "proposes": ("什么时候一起走", "不行"),
    "outcome": ("今天没事", "第二天", "比一比"),
    "forgets": ("别忘带伞", "难忘的一天"),
    "gives_up": ("不说了", "不等了"),
    "falls_due": ("三点交通局见",),
    "ongoing": ("在西门等你",),
    "lists": ("三个、",),
    "agrees": ("还没说",),
    "modal": ("周会", "会议室", "讲得清楚", "要点"),
    "done": ("完全没想到", "好累了", "十点了", "了解"),
    "lasts": ("来了三个人",),
    "pledges": ("一定是他",),
    "decides": ("一定", "选了半天", "规定", "待定"),
    "settles": ("说定了",),
    "gives": ("给我",),
    "limit": ("前台", "提前还贷"),
    "moves": ("改PRD", "改稿"),
    "cancels": ("发不出去了",),
    "wish": ("主要是价格",),
    "under_way": ("学会",),
    "vocative": ("王姐明天来", "ok"),
    "asks_machine": ("请查收",),
    "may_cancel": ("交流会取消",),
    "moves_by": ("提前一天通知我", "推迟到周五"),
    "drops": ("说算了",),
    "serves": ("把报价给您",),
    "returns": ("明天回复", "下午回访客户", "周四回电话"),
    "unseen_to": ("还没吃", "还没买到票的人"),
}


def _shown(text: str) -> set[str]:
    cues = clause_cues(pd.DataFrame({"text": pd.Series([text], dtype="str")}))
    return {str(name) for name in cues.columns[cues.iloc[0]]}


@pytest.mark.parametrize(("cue", "text"), [(cue, text) for cue, texts in SHOWN_BY_CUE.items() for text in texts])
def test_words_show_their_cue(cue: str, text: str) -> None:
    assert cue in _shown(text)


@pytest.mark.parametrize(("cue", "text"), [(cue, text) for cue, texts in LOOK_ALIKES.items() for text in texts])
def test_look_alikes_do_not(cue: str, text: str) -> None:
    assert cue not in _shown(text)


def test_no_cue_is_missed_by_trying_it_only_where_it_may_begin() -> None:
    shown = [text.lower() for texts in (*SHOWN_BY_CUE.values(), *LOOK_ALIKES.values()) for text in texts]
    cues = clause_cues(pd.DataFrame({"text": pd.Series(shown, dtype="str")}))
    for cue in CUES:
        assert cues[cue.name].tolist() == [re.search(cue.pattern, text) is not None for text in shown], cue.name


def test_every_cue_has_a_meaning_and_a_phrase() -> None:
    assert {cue.name for cue in CUES} == SHOWN_BY_CUE.keys()
    assert all(cue.meaning for cue in CUES)


def test_rules_name_cues_that_there_are() -> None:
    of_times = {"timed", "timed_here", "coming", "ahead_here", "behind_here", "hour_ahead_here", "memory"}
    named = {name for rule in ACT_RULES for name in (*rule.needs, *rule.near, *rule.unless, *rule.unless_near)}
    assert named <= {cue.name for cue in CUES} | of_times | {
        "gossip_of_other",
        "heads_duties",
        "way_back",
        "yet_to_come",
    }


def test_no_clauses_give_no_rows() -> None:
    cues = clause_cues(pd.DataFrame({"text": pd.Series([], dtype="str")}))
    assert (len(cues), list(cues.columns)) == (0, [cue.name for cue in CUES])
