"""People are found by the ways in which Chinese messages call them, and words that look like names are not."""

from __future__ import annotations

import pytest

from temporal_recall.dataflows.language.extraction_people import people_in


@pytest.mark.parametrize(
    ("text", "people"),
    [
        pytest.param("@老何 周三大会议室", ("老何",), id="an address"),
        pytest.param("和王姐、张总过方案", ("王姐", "张总"), id="surname and title"),
        pytest.param("约了刘主任的号", ("刘主任",), id="a doctor"),
        pytest.param("小林和阿敏也来，老吴不来", ("小林", "阿敏", "老吴"), id="nicknames"),
        pytest.param("海哥太能喝了", ("海哥",), id="a given name and 哥"),
        pytest.param("我妈和二叔周末来", ("妈", "二叔"), id="relatives"),
        pytest.param("小宇妈妈约我面谈", ("小宇妈妈",), id="a parent after the child"),
        pytest.param("跟陈雨桐吃饭", ("陈雨桐",), id="a full name"),
        pytest.param("跟志强商量好了", ("志强",), id="a given name"),
        pytest.param("朵朵明天考试", ("朵朵",), id="a doubled nickname"),
        pytest.param("跟楠楠说一声，告诉辰辰下周比赛", ("楠楠", "辰辰"), id="doubled characters of any kind"),
        pytest.param("李若彤妈妈，周三下午来一趟", ("李若彤妈妈",), id="a parent after the child's full name"),
        pytest.param("豆豆妈妈让我带伞", ("豆豆妈妈",), id="a parent after the child's nickname"),
        pytest.param("阿杰爸妈到了", ("阿杰",), id="someone else's parents"),
        pytest.param("周末爸爸带我去钓鱼", ("爸",), id="a word of time before a parent"),
        pytest.param("外婆和大舅下周到，我嬢嬢也来", ("外婆", "大舅", "嬢嬢"), id="relatives of all regions"),
        pytest.param(
            "采访林知夏，陪周子涵去面试", ("林知夏", "周子涵"), id="full names after a word that takes a person"
        ),
        pytest.param("王建国师傅明天来修水管", ("王建国师傅",), id="a full name and a title"),
        pytest.param("和欧阳老师对一下课表", ("欧阳老师",), id="a surname of two characters"),
        pytest.param("刘局说下周检查，陈队，人到齐了", ("刘局", "陈队"), id="offices for their heads"),
        pytest.param("黄太，窗帘做好了", ("黄太",), id="madam, as in the south"),
        pytest.param("邓生话听日交楼", ("邓生",), id="sir, as in the south"),
        pytest.param("丽华姐让我顶班", ("丽华姐",), id="a given name of two characters and 姐"),
        pytest.param("May姐约我，小K还没到", ("May姐", "小K"), id="letters with 姐 and 小"),
        pytest.param("和小柒约了看展", ("小柒",), id="小 and any character"),
        pytest.param("明早七点建明送我", ("建明",), id="a given name after a time"),
        pytest.param("乐乐生日在周六", ("乐乐",), id="whose day it is"),
        pytest.param("明天糯米打疫苗", ("糯米",), id="a pet that is looked after"),
        pytest.param("发给HR小孙了", ("HR小孙",), id="a department and a nickname"),
        pytest.param("物业说明天停水，房东知道", ("物业", "房东"), id="roles"),
        pytest.param("跟Ken和Priya过一遍", ("Ken", "Priya"), id="Latin names"),
        pytest.param("Hans周四到", ("Hans",), id="a Latin name among Chinese words"),
        pytest.param(
            "lab meeting with Prof Tan and Wei Ming", ("Prof Tan", "Wei Ming"), id="titles and romanised names"
        ),
    ],
)
def test_people_named(text: str, people: tuple[str, ...]) -> None:
    assert people_in(text) == people


@pytest.mark.parametrize(
    "text",
    [
        "两小时后到", "小时候", "大家看一下", "快递小哥", "一大早", "周总结发一下", "看看再说", "天天加班",
        "@所有人 明天开会", "用Zoom开", "去Costco买菜", "May 6", "物业费", "养老金", "从小到大", "六岁生日", "PRD v2.1",
        "一家公司给我打电话", "大家公认的好店", "去高校参加讲座", "余生很长", "这次白太贵了", "小声点",
        "小年快到了", "阿富汗的新闻",
        "说明明天开会", "任务务必完成", "报告告诉我", "问题题目太难", "苹果果汁买两瓶", "快乐乐队演出", "懒洋洋地躺着",
        "静悄悄的", "平平安安",
        "石景山新开了店", "白云山爬完了", "周一安排例会", "付款成功", "万达广场", "方便面没了", "施工队进场",
        "牛仔裤破了", "马上到",
        "Kindle没电了", "在Clark店门口", "教练车坏了", "客户端闪退",
    ],
)  # fmt: skip
def test_words_that_name_no_one(text: str) -> None:
    assert people_in(text) == ()


@pytest.mark.parametrize("text", ["她妈住院了", "他爸妈不同意", "我是张老师"])
def test_neither_the_user_nor_the_kin_of_others(text: str) -> None:
    assert people_in(text) == ()


def test_each_is_told_once_in_order_of_place() -> None:
    assert people_in("王姐说王姐夫和Ken来，Ken开车") == ("王姐", "Ken")


def test_names_stand_as_they_were_written() -> None:
    assert people_in("陈总和我妈", "陳總和我媽") == ("陳總", "媽")
