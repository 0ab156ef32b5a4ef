"""What a question is about, when time, cue and function words are taken away."""

from __future__ import annotations

import pytest

from temporal_recall.dataflows.language.planner_cues import question_cues
from temporal_recall.dataflows.language.planner_topics import question_topics


@pytest.mark.parametrize(
    ("text", "elsewhere", "topics"),
    [
        ("我这周输入过什么关于 MeInput 的？", ["这周"], ("MeInput",)),
        ("上周决定的灰度比例，理由是什么", ["上周"], ("灰度比例",)),
        ("这个月我搜过哪些跟签证有关的内容", ["这个月"], ("签证",)),
        ("前天让你记的车位号是多少", ["前天"], ("车位号",)),
        ("昨天跟张总聊的报价", ["昨天", "张总"], ("报价",)),
        ("上周你帮我写的那段自我介绍在哪", ["上周"], ("自我介绍",)),
        ("我提过「灰度发布」吗", [], ("灰度发布",)),
        ("what did I type about the lease", [], ("lease",)),
        ("我六月去哪些地方出过差", ["六月"], ("出差",)),
        ("明天几点的车去苏州", ["明天"], ("苏州",)),
        ("这两天出差都见了谁", ["这两天"], ()),
        ("上个月那次出差去了哪", ["上个月"], ("出差",)),
        ("我在米兰这几天还有什么行程", [], ()),
        ("昨天单位出了什么事", ["昨天"], ()),
        ("我昨天去单位干什么了", ["昨天"], ("单位",)),
        ("这周见了哪些客户", ["这周"], ("客户",)),
        ("what's still pending", [], ()),
        ("昨天我都干了什么", ["昨天"], ()),
        ("明天有什么安排", ["明天"], ()),
        ("今天有什么重要的事", ["今天"], ()),
        ("明天的总结会还开吗", ["明天"], ("总结会",)),
        ("总结一下上周", ["上周"], ()),
        ("昨天体检结果怎么样", ["昨天"], ("体检",)),
        ("下次理发什么时候", [], ("理发",)),
        ("这周阳台弄了啥", ["这周"], ("阳台",)),
        ("今晚牌还打不", ["今晚"], ("牌",)),
        ("今晚牌还打不打", ["今晚"], ("牌",)),
        ("明天停不停水", ["明天"], ("停水",)),
        ("明早还游不游", ["明早"], ("游",)),
        ("明天还来不", ["明天"], ()),
        ("明天忙不忙", ["明天"], ()),
    ],
)
def test_gives_the_content_words(text: str, elsewhere: list[str], topics: tuple[str, ...]) -> None:
    places = [(text.index(word), text.index(word) + len(word)) for word in elsewhere]
    assert question_topics(question_cues(text), places) == topics


def test_keeps_the_case_and_script_in_which_it_was_asked() -> None:
    assert question_topics(question_cues("我提過 MeInput 的報價嗎"), []) == ("MeInput", "報價")


def test_topics_are_few_and_short() -> None:
    topics = question_topics(question_cues("、".join(f"项目{n}号" for n in range(40)) + "，" + "长" * 200), [])
    assert len(topics) <= 8
    assert all(0 < len(topic) <= 64 for topic in topics)
