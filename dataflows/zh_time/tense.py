"""The tense of a clause, judged by a few words of Chinese and English: past, plan, or none told."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

_PAST = (
    r"了(?!解|结|如|无|却|断|不起)|过(?=[吗没的么？?，。,、 ]|什么|谁|哪|几|多少|一|这|那|些|$)|[做干去见说聊提买看吃见学写读听问讨参忙]过|发生|曾经|已经|当时|刚才"
    r"|(?:[聊说提谈做写买吃见发订]|定|答应|记|决定|安排好)的(?!时候)|干了|(?:都|在|我|咱|们)(?:忙|干|做|搞)(?:什么|啥|嘛|些)|在哪(?:儿|里)?过的|是怎么|跟谁.{0,4}的|的是(?:谁|什么)"
    r"|原话|(?<![a-z])(?:did|was|were|had|went|met|said|talked|done|happened)(?![a-z])"
)
_PLAN = (
    r"(?<![不需主重只想须摘简扼])要(?!是|么|不是|求|点|紧|素|件|领|闻|害)|(?<![开机社不约聚议晚宴体])会(?!议|员|计|儿|面|场|长|所|签|费|上|后|前|谈|话)|将(?!军|来|近)|打算|计划|安排|准备|预约|预定|预计|有什么事|有啥事|有哪些事|有没有事|提醒|截止|到期|期限|之前交|前交|必须|应该"
    r"|待办|行程|日程|得(?=去|交|做|给|把)|去不去|改到|推到|挪到|约在|定在|订在|(?<![a-z])(?:will|going to|due|plan|planned|schedule|upcoming|deadline)(?![a-z])"
)
_CUE = re.compile(rf"(?P<past>{_PAST})|(?P<plan>{_PLAN})")
_BREAK = re.compile(r"[，。；！？,;!?\n]")


def clause_tense(text: str, start: int, end: int) -> Literal["past", "plan"] | None:
    """The tense told around a span of folded text: the first cue after it in its clause, else the last before it."""
    breaks = _BREAK.search(text, end)
    after = _first(text[end : min(breaks.start() if breaks else len(text), end + 40)])
    if after:
        return after
    begin = max((m.end() for m in _BREAK.finditer(text, max(0, start - 40), start)), default=max(0, start - 40))
    return _last(text[begin:start])


@lru_cache(maxsize=4096)
def _first(piece: str) -> Literal["past", "plan"] | None:
    found = _CUE.search(piece)
    return found.lastgroup if found else None  # type: ignore[return-value]


@lru_cache(maxsize=4096)
def _last(piece: str) -> Literal["past", "plan"] | None:
    last = None
    for last in _CUE.finditer(piece):
        pass
    return last.lastgroup if last else None  # type: ignore[return-value]
