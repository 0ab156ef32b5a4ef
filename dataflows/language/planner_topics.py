"""What a question is about: the content words that are left when time, cue and function words are taken away."""

from __future__ import annotations

import re
from collections.abc import Iterable

from temporal_recall.dataflows.language.planner_cues import QuestionCues, Span
from temporal_recall.dataflows.language.planner_text import blanked

_ASKING = (
    "first_person", "wh_word", "yes_no", "look_back", "retrieval_request", "asks_when", "say_verb", "write_verb", "promise_verb", "decide_verb",
    "create_verb", "due_word", "unresolved", "done_query", "appointment", "important", "earlier_adverb",
    "outcome_adverb", "reason", "comparison", "matter",
)  # fmt: skip
"""Families whose words tell how the question asks, not what it is about."""

_EMPTY_WORDS = re.compile(
    "关于|有关|相关|方面|事情|事儿|东西|内容|时候|情况|聊天记录|记录|对话|安排|计划|行程|日程|日历|待办|任务|"
    "事项|活动|清单|哪些|那些|这些|一些|那个|这个"
    "|那次|这次|那家|这家|那本|那件|那天|那段|那几|一下|一起|一天|全部|所有|到底|究竟|大概|一共|总共|其中|里面|"
    "里头|还有|已经|正在|曾经|最多|接下来|比较|因为|所以|但是"
    "|以及|或者|如果|帮我|给我|麻烦|请问|请你|让你|叫你|托你|跟你|和你|问你|叫什么|名叫|名字|几个人|的人|干了|"
    "做了|忙些|发生|经历|收获|没有|为了|来着|记得|里有|上有|多久|每天|之前|之后|以前"
    "|以后|前后|期间|那会儿|目前|为止|剩下|手头|消息(?=$|[,。?\\s])|具体|推荐|建议|开会|干嘛|干吗|干活|的活|"
    "做的事|得上|跟谁|和谁|见面|我们|咱们|你们|他们|大家|自己|(?<!自)我"
    r"|[的了吗呢吧啊呀嘛哦着你他她它们咱俩是和跟与把被都也还就又再很最哪谁几那这在从到过]|有(?![限效机声害])|"
    r"打算|准备|需要|必须|(?<![重主需纪摘])要(?![求素点])"
    r"|\b(?:the|a|an|of|on|in|at|to|for|about|and|or|is|are|was|were|do|did|does|have|has|had|with|from|by|it|"
    r"that|this|these|those|any|some|all|there|please|me|my|mine|i|we|our|us"
    r"|you|your|up|been|be|s|go|went|get|got|make|made|work|worked|working|attend|many|much|last|next|time|"
    r"times|things|anything|schedule|calendar|plans?|finish|finished|meet|met|see|saw)\b"
)
_LEADING = re.compile(
    r"^(?:[次个段本件篇份条位场趟些种款笔部只台顿去来给向让叫就才想可能得里把查搜往]|一个|一次|出去|过来|"
    r"回(?=老家)|交(?![通易流接])|还(?!款))+(?=[^\s]{2})"
)
_TRAILING = re.compile(r"(?<=[^\s]{2})(?:[里上下中时来去做干看得等出花玩]|几次)+$")
_WORDLIKE = re.compile(r"[\w&+#./-]+(?: [a-z0-9&+#./-]+)*", re.IGNORECASE)

MAX_TOPICS = 8
_LONGEST = 64


def question_topics(cues: QuestionCues, elsewhere: Iterable[Span]) -> tuple[str, ...]:
    """The content words of a question: quoted spans first, then what stands between cue and function words.

    Args:
        elsewhere: places already told in other slots of the plan: times and people.
    """
    taken = [*elsewhere, *cues.spans(*_ASKING), *(m.span() for m in _EMPTY_WORDS.finditer(cues.plain))]
    runs = (cues.text[m.start() : m.end()].strip(" .-/") for m in _WORDLIKE.finditer(blanked(cues.plain, taken)))
    words = (_trimmed(run) for run in runs)
    topics = dict.fromkeys((*cues.quotes, *(word for word in words if _tells_something(word))))
    return tuple(topic[:_LONGEST] for topic in topics)[:MAX_TOPICS]


def _trimmed(run: str) -> str:
    return _TRAILING.sub("", _LEADING.sub("", run))


def _tells_something(word: str) -> bool:
    return len(word) >= 2 and not word.isdigit()
