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
    ],
)  # fmt: skip
def test_words_that_name_no_one(text: str) -> None:
    assert people_in(text) == ()


def test_each_is_told_once_in_order_of_place() -> None:
    assert people_in("王姐说王姐夫和Ken来，Ken开车") == ("王姐", "Ken")


def test_names_stand_as_they_were_written() -> None:
    assert people_in("陈总和我妈", "陳總和我媽") == ("陳總", "媽")
