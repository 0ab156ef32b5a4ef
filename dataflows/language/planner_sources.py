"""Where a question looks and what for: source weights, targets, and each source's own search words (RFC section 8)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from temporal_recall.dataflows.language.planner_cues import QuestionCues
from temporal_recall.dataflows.language.planner_words import WordFamily, family_pattern
from temporal_recall.schemas.plan import QueryType, TargetType, TemporalMode

BASE_WEIGHTS = {"calendar": 0.75, "chat": 0.75, "meinput": 0.75, "memory_v2": 0.45}
"""The weight of each source where no word speaks for one."""

OTHER_WEIGHT = 0.5
STRONG_WEIGHT = 0.95
DECISION_WEIGHT = 0.9
UNHEARD_WEIGHT = 0.2
"""The weight of any other source where what was said to the assistant is asked: it did not hear it there."""

_MODE_WEIGHTS: dict[TemporalMode, dict[str, float]] = {
    "OCCURRED_IN": {"calendar": 0.8},
    "PLANNED_IN": {"calendar": 0.85, "chat": 0.8},
    "DUE_IN": {"chat": 0.8},
    "MENTIONED_IN": {"meinput": 0.8, "chat": 0.8, "calendar": 0.4},
    "CREATED_IN": {"chat": 0.8, "calendar": 0.5, "memory_v2": 0.6},
    "AMBIGUOUS": {"calendar": 0.85, "chat": 0.8},
}
"""What a mode itself makes likely; a calendar says little of who said what."""

SOURCE_WORDS = {
    "calendar": WordFamily(
        "calendar_words",
        "the diary is meant",
        "行程 日程 日历 例会 评审会 排期表 课表 预约 约会",
        (
            r"\b(?:calendar|schedule|meetings?|agenda|appointments?|itinerary)\b",
            r"会议(?![上里中室])",
            r"(?:开|什么|哪些|几个)(?:了|过|的)?(?:什么|哪些|几个)?会(?!议室|员|计)",
        ),
    ),
    "chat": WordFamily(
        "chat_words",
        "talk with the assistant is meant",
        "聊天 聊过 聊了 聊到 聊起 聊的 对话 咱俩 问你 问过你 跟你 和你 同你 让你 叫你 托你 会话",
        (
            (
                r"\b(?:chat(?:ted)?|talked|conversation|ask(?:ed)? you|told you|you (?:said|told|suggested|"
                r"recommended|gave))\b"
            ),
            r"聊(?!得来)",
        ),
    ),
    "meinput": WordFamily(
        "typing_words",
        "the user's own typed words are meant",
        (
            "输入 打字 打过 打的字 敲过 敲了 敲的 敲下 键入 原话 原文 手打 码字 写过 写了什么 搜过 搜了 搜索过 搜的 "
            "复制 粘贴 输入法"
        ),
        (
            r"\b(?:type|typed|typing|wrote|input|search(?:ed)? for|google[d]?|exact words)\b",
            r"(?:打|敲|码)[^,。?]{0,5}(?:字|话|句|文字|地址|网址|命令)",
        ),
    ),
    "memory_v2": WordFamily("memory_words", "a kept memory is meant", "记忆 记住 记得我", (r"\bmemor(?:y|ies)\b",)),
    "browser": WordFamily(
        "browser_words",
        "web pages are meant",
        "网页 网站 浏览 链接 网址 看过的文章",
        (r"\b(?:browser|browsed|website|web page|url|visited)\b",),
    ),
    "email": WordFamily("email_words", "mail is meant", "邮件 邮箱 收件箱", (r"\b(?:e-?mails?|inbox|mail)\b",)),
    "git": WordFamily(
        "git_words",
        "commits are meant",
        "提交记录 代码提交",
        (r"\b(?:commit(?:s|ted)?|branch|pull request|pr|merge[d]?)\b",),
    ),
    "tasks": WordFamily("task_words", "a task list is meant", "待办 任务 清单", (r"\b(?:to-?dos?|tasks?)\b",)),
    "notes": WordFamily("note_words", "notes are meant", "笔记 便签 备忘", (r"\bnotes?\b",)),
}
"""Strong words weigh a source; they never keep another from being asked."""

_PATTERNS = {name: family_pattern(f) for name, f in SOURCE_WORDS.items()}

TargetWeights = dict[TargetType, float]

_MODE_TARGETS: dict[TemporalMode, TargetWeights] = {
    "OCCURRED_IN": {"event": 1.0, "calendar_event": 0.8},
    "PLANNED_IN": {"calendar_event": 1.0, "schedule": 0.9, "todo": 0.9, "commitment": 0.8},
    "DUE_IN": {"todo": 1.0, "commitment": 1.0},
    "MENTIONED_IN": {"mention": 1.0},
    "CREATED_IN": {"decision": 1.0},
    "AMBIGUOUS": {"event": 1.0, "calendar_event": 1.0, "todo": 0.9, "commitment": 0.9},
}


@dataclass(frozen=True, slots=True)
class TargetRule:
    """What a word says of the kind of item looked for, over what the mode alone says."""

    name: str
    modes: tuple[TemporalMode, ...]
    pattern: re.Pattern[str]
    weights: TargetWeights


_ALL_MODES: tuple[TemporalMode, ...] = tuple(_MODE_TARGETS)
_DATE_MADE = re.compile(r"(?<![大预签条节制赴契合违])约[了过好的哪几什]|[新又]约")
_MEETING = re.compile(r"会议|开会|(?:[几个些场天啥]|什么)会(?![议员计])|评审|例会|meeting|面试")
TARGET_RULES = (
    TargetRule("meeting", ("OCCURRED_IN", "PLANNED_IN", "AMBIGUOUS"), _MEETING, {"calendar_event": 1.0, "event": 0.9}),
    TargetRule("meeting_ahead", ("PLANNED_IN",), _MEETING, {"todo": 0.5, "commitment": 0.5}),
    TargetRule("date", ("AMBIGUOUS",), _DATE_MADE, {"schedule": 1.0, "event": 0.7, "todo": 0.5, "commitment": 0.5}),
    TargetRule("settled", ("CREATED_IN",), re.compile(r"定[了过下的]"), {"schedule": 0.8, "event": 0.7}),
    TargetRule("arranged", ("CREATED_IN",), _DATE_MADE, {"schedule": 1.0, "event": 0.9, "decision": 0.5}),
    TargetRule("task", ("CREATED_IN",), re.compile(r"待办|任务|事项|todo|to-do|task"), {"todo": 1.0, "commitment": 0.9, "decision": 0.3}),
    TargetRule("task", ("OCCURRED_IN", "PLANNED_IN", "AMBIGUOUS"), re.compile(
        r"待办|任务|要做|要办|要处理|todo|to-do|task"),
               {"todo": 1.0, "commitment": 0.9}),
    TargetRule("record", ("CREATED_IN",), re.compile(
        r"记[了过下录的]|存[了下的]|收藏|新建|添加|录入|登记|saved|noted|added|recorded"),
               {"todo": 0.9, "mention": 0.9, "event": 0.8, "decision": 0.6}),
    TargetRule("decision", _ALL_MODES, re.compile(r"决定|决策|结论|敲定|定下|拍板|decision|decide"), {"decision": 1.0}),
    TargetRule("promise", ("MENTIONED_IN", "CREATED_IN"), re.compile(r"答应|承诺|保证|许诺|promise"),
               {"commitment": 1.0, "todo": 0.7, "mention": 0.6}),
    TargetRule("intention", ("MENTIONED_IN",), re.compile(r"要[做干办去见交买]|打算|准备|计划|想[去做买]"),
               {"commitment": 1.0, "todo": 0.9, "schedule": 0.9, "calendar_event": 0.7, "mention": 0.6}),
    TargetRule("deed", ("OCCURRED_IN",), re.compile(r"完成|做完|搞定|进展|成果"), {"event": 1.0, "todo": 0.8}),
    TargetRule("problem", ("AMBIGUOUS", "MENTIONED_IN"), re.compile(r"问题|故障|bug"), {"todo": 1.0, "event": 0.9}),
)  # fmt: skip
"""What words say of the kind of item; each rule writes over what the ones before it say."""

_SOURCE_VOCABULARY = {
    "calendar": ("会议", "日程"),
    "chat": ("约", "安排", "明天", "会议", "确认", "跟进", "截止"),
    "meinput": ("任务", "待办", "安排", "明天", "要做", "截止"),
    "memory_v2": ("commitment", "task", "decision"),
}
"""Words that records of a source use (RFC section 8); a source without a row speaks as chat does."""

_MODE_VOCABULARY: dict[TemporalMode, tuple[str, ...]] = {
    "OCCURRED_IN": ("去了", "做完", "完成", "见面"),
    "PLANNED_IN": ("要去", "打算", "约"),
    "DUE_IN": ("截止", "要交", "之前"),
    "MENTIONED_IN": ("说", "提到", "问"),
    "CREATED_IN": ("决定", "定了", "记一下"),
    "AMBIGUOUS": ("重要", "必须", "完成"),
}
"""Words of what a mode looks for, as people write them."""

_TERSE_SOURCES = frozenset({"calendar", "memory_v2"})
"""Sources of titles and tags rather than of prose."""

_FAMILIES = {"chat": ("told_assistant",)}
"""Families of words that speak for a source beside its own words."""


def strong_sources(cues: QuestionCues) -> list[str]:
    """The sources for which a strong word speaks, in the order of `SOURCE_WORDS`."""
    return [
        name for name, pattern in _PATTERNS.items() if pattern.search(cues.plain) or cues.has(*_FAMILIES.get(name, ()))
    ]


def weights_of_sources(
    enabled: Sequence[str],
    strong: Sequence[str],
    mode: TemporalMode,
    query_type: QueryType,
    *,
    is_told_assistant: bool = False,
) -> dict[str, float]:
    """The weight of every enabled source, heaviest first; strong words raise theirs above all others."""
    likely = BASE_WEIGHTS | _MODE_WEIGHTS[mode]
    weights = {name: likely.get(name, OTHER_WEIGHT) for name in enabled}
    if query_type in ("memory", "mixed") and "memory_v2" in weights:
        weights["memory_v2"] = DECISION_WEIGHT
    if is_told_assistant and "chat" in weights:
        weights = {name: min(weight, UNHEARD_WEIGHT) for name, weight in weights.items()}
    weights |= {name: STRONG_WEIGHT for name in strong if name in weights}
    return dict(sorted(weights.items(), key=lambda item: -item[1]))


def weights_of_targets(cues: QuestionCues, mode: TemporalMode, query_type: QueryType) -> TargetWeights:
    """The kinds of item looked for, by mode and by the words that the question uses; heaviest first."""
    weights = dict(_MODE_TARGETS[mode])
    for rule in TARGET_RULES:
        if mode in rule.modes and rule.pattern.search(cues.plain):
            weights |= rule.weights
    if query_type in ("memory", "mixed"):
        weights["decision"] = 1.0
    return dict(sorted(weights.items(), key=lambda item: -item[1]))


def expansions_of(source: str, mode: TemporalMode, subjects: Sequence[str]) -> tuple[str, ...]:
    """What one source is searched for: topics and people, words of the mode where it holds prose, the source's own."""
    of_mode = () if source in _TERSE_SOURCES else _MODE_VOCABULARY[mode]
    own = _SOURCE_VOCABULARY.get(source, _SOURCE_VOCABULARY["chat"])
    return tuple(dict.fromkeys((*subjects, *of_mode, *own)))
