"""The tense of a clause, judged by a few words of Chinese and English: past, plan, or none told.

Chinese puts the time before the verb, so the words after a time tell its tense; before it only plan words count
(「改到周五」「记得下周」), while English may put the verb first.
"""

from __future__ import annotations

import re
from functools import lru_cache

from temporal_recall.schemas.time import Tense

_VERB = "做干去见说聊提买看吃学写读听问讨论参加忙来到用试玩打发找想定选谈借住待订约交"
_PAST = (
    r"了(?!解|结|如|无|却|断|不起)",
    rf"[{_VERB}]过",
    r"过(?=[吗没的么?]|什么|谁|哪|几次|多少|$)",
    rf"(?:[{_VERB}记]|答应|决定|敲定|安排好)的(?!时候|话)",
    r"^(?:说|约|定|订|讲|商量|预约)好",
    r"发生|曾经?|已经|当时|原话|跟谁.{0,4}的|是怎么|在哪儿?里?过的",
    r"(?:都|在|我|咱|们)(?:忙|干|做|搞|研究)(?:些?什么|啥|嘛|些)",
)
_PLAN = (
    r"(?<![不需主重只想须摘简扼])要(?!是|么|不是|求|点|紧|素|件|领|闻|害)",
    r"(?<![开机社不约聚议晚宴体误理])会(?!议|员|计|儿|面|场|长|所|签|费|上|后|前|谈|话)",
    r"将(?!军|来|近)|打算|计划|安排|准备|预[约定计]|提醒|截止|到期|期限|必须|应该|待办|行程|日程|[之]?前[要得]?交",
    r"有(?:什么|啥|哪些|没有|几件)事|得(?=去|交|做|给|把)|去不去|(?<!^)(?:说|约|定|订|讲|商量|预约)好|[给发寄交](?:我|你|您|他|她)|记得|别忘",
    r"(?:改|推|挪|延|提前|推迟|延期|换|调)[到至成]|取消|[约定订放排][在到]",
)
_ENGLISH_PAST = r"(?<![a-z])(?:did|was|were|had|went|met|said|talked|done|happened|worked)(?![a-z])"
_ENGLISH_PLAN = (
    r"(?<![a-z])(?:will|going to|due|plans?|planned|schedule[d]?|upcoming|deadlines?|have to|need to|must)(?![a-z])"
)
_CUE = re.compile(rf"(?P<past>{'|'.join((*_PAST, _ENGLISH_PAST))})|(?P<plan>{'|'.join((*_PLAN, _ENGLISH_PLAN))})")
_CUE_BEFORE = re.compile(rf"(?P<past>{_ENGLISH_PAST})|(?P<plan>{'|'.join((*_PLAN, _ENGLISH_PLAN))})")
_MOVED_TO = re.compile(r"(?:(?:改|推|挪|延|提前|推迟|延期|调)(?:[到至成]|在)?|[约定订]在?)[ ]?$")
_TO_DO_BEFORE = re.compile(r"前[ ]?(?:就|先|都|请|你|我|咱)?(?:把|别|务必|一定|尽量|争取)")
"""国庆前把方案定了: what is to be done before a time lies ahead, whatever 了 says."""
_BREAK = re.compile(r"[,。;!?\n]|(?<=[一-龥]) (?=[一-龥0-9])")
_REACH = 40


def clause_tense(text: str, start: int, end: int) -> Tense | None:
    """The tense told around a span of folded text; None where the clause tells none."""
    if _MOVED_TO.search(text, max(0, start - 4), start):
        return "plan"
    if _TO_DO_BEFORE.match(text, end - 1):
        return "plan"
    following = text[end : end + _REACH]
    close = _BREAK.search(following)
    told = _first_cue(following[: close.start()] if close else following)
    return told or _last_cue(text[max(0, start - _REACH) : start])


@lru_cache(maxsize=8192)
def _first_cue(piece: str) -> Tense | None:
    found = _CUE.search(piece)
    return _tense(found) if found else None


@lru_cache(maxsize=8192)
def _last_cue(piece: str) -> Tense | None:
    opened = max((m.end() for m in _BREAK.finditer(piece)), default=0)
    found = list(_CUE_BEFORE.finditer(piece, opened))
    return _tense(found[-1]) if found else None


def _tense(cue: re.Match[str]) -> Tense:
    return "past" if cue.lastgroup == "past" else "plan"
