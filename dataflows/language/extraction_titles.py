"""Titles: the few words that name a matter, without its time and without what is said around it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

MAX_TITLE = 24
"""Characters of the longest title."""

MOVED_ENTRY = (
    r"(?i)(?:^|[（(【\[\s:：·-])已?(?:改期|改[时時]间|顺延|延期|推迟|延后|提前|改(?:到|至|自)[^）)】\]]*|"
    r"rescheduled|postponed|moved)(?:$|[）)】\]:：])"
)
"""How the title of a calendar's entry says that the matter stood at another time before."""

_SHORTEST_NAME = 4
_AROUND = re.compile(
    r"^(?:@\S+|(?:帮我)?记[一住]?下[来吧]?|别忘了?|记得|提醒我?一?下?|收到|好的?|嗯+|哦+|对了|那个|然后|所以|"
    r"今天|还是)[\s，,]*"
    r"|[\s，,]*(?:哈+|吧|呗|呀|啊+|哦|呢|啦|了|~|～|。|！|!|？|\?|…|\.{2,}|"
    r"[\U0001F300-\U0001FAFF\u2600-\u27BF\uFE0F\u200D])+$"
)
_MAY_BEGIN = frozenset("@帮记别提收好嗯哦对那然所还今")
_MAY_END = re.compile(r"[哈吧呗呀啊哦呢啦了~～。！!？?….\U0001F300-\U0001FAFF\u2600-\u27BF\uFE0F\u200D]")
"""What fillers begin with, and what they end with: most clauses have none."""


def title_of(clauses: Sequence[str], main: int) -> str:
    """The name of the matter told in the clause numbered `main`: at most 24 characters.

    Args:
        clauses: the clauses of a message, their time expressions taken out.

    >>> title_of(["@老周", "大会议室", "3.2需求评审", "Ken也来哈"], 1)
    '大会议室，3.2需求评审'
    """
    title = _trimmed(clauses[main]) if 0 <= main < len(clauses) else ""
    for clause in chain(clauses[main + 1 :], reversed(clauses[: max(main, 0)])):
        if len(title) > _SHORTEST_NAME:
            break
        name = _trimmed(clause)
        title = f"{title}，{name}" if title and name else title or name
    return title if len(title) <= MAX_TITLE else title[: MAX_TITLE - 1] + "…"


def _trimmed(clause: str) -> str:
    """The clause without fillers at its edges."""
    words = clause.strip()
    if words[:1] in _MAY_BEGIN or _MAY_END.match(words, len(words) - 1):
        words = _AROUND.sub("", words)
    return words.strip(" ，,、：:·-—")


def without_spans(text: str, start: int, spans: Sequence[tuple[int, int]]) -> str:
    """A clause that begins at offset `start` of a message, without the spans of the message that lie in it."""
    kept, at = [], 0
    for begin, end in spans:
        low, high = max(begin - start, at), min(end - start, len(text))
        if low < high:
            kept.append(text[at:low])
            at = high
    return "".join([*kept, text[at:]])
