"""People that a question names, and words that only look like them."""

from __future__ import annotations

import pytest

from temporal_recall.dataflows.language.planner_people import people_named


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("跟张总谈了什么", ("张总",)),
        ("李老师和王医生来了吗", ("李老师", "王医生")),
        ("小敏昨天来了没", ("小敏",)),
        ("和老王的约", ("老王",)),
        ("海哥去哪了", ("海哥",)),
        ("阿哲接下来有什么约", ("阿哲",)),
        ("答应女儿的事", ("女儿",)),
        ("跟房东说了什么", ("房东",)),
        ("和王芳有关的事", ("王芳",)),
        ("欠张三多少钱", ("张三",)),
        ("李雷跟我说过什么", ("李雷",)),
        ("跟Lydia开了几个会", ("Lydia",)),
        ("what did I tell Mary Jane yesterday", ("Mary Jane",)),
        ("what did Priya present", ("Priya",)),
        ("和张总、张总的助理", ("张总",)),
        ("豆豆几点放学", ("豆豆",)),
        ("跟朵朵有什么约", ("朵朵",)),
    ],
)
def test_finds_who_is_named(text: str, people: tuple[str, ...]) -> None:
    assert people_named(text) == people


@pytest.mark.parametrize(
    "text",
    [
        "小时候的事",
        "小组会",
        "看看有什么",
        "天天加班吗",
        "刚刚谁来过",
        "郑州那边怎么样",
        "这本小说",
        "阿里的股价",
        "和方案有关",
        "给文件起名",
        "跟进一下",
        "高铁几点",
        "Python 怎么写",
        "What is on today",
    ],
)
def test_leaves_alone_what_is_no_name(text: str) -> None:
    assert people_named(text) == ()


def test_a_known_person_needs_no_cue() -> None:
    assert people_named("上周欧阳修远来过吗", ["欧阳修远", "诸葛亮"]) == ("欧阳修远",)


def test_a_name_inside_a_longer_one_is_left_out() -> None:
    assert people_named("跟小王姐说的", ["小王姐"]) == ("小王姐",)
