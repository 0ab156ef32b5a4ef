"""Weak forms and the company they need: a bare 8点, 3.3 or 15年 is a time only beside something that says so."""

from __future__ import annotations

import re

from temporal_recall.dataflows.zh_time.nodes import Bounded, Expression, Phrase
from temporal_recall.dataflows.zh_time.tokens import Rank

_BEFORE = re.compile(
    r"(?:[在于到至从自等约是@为成改定,，。;；：:\n(（]|大概|大约|差不多|截至|截止|截止到|推迟到|就|才|都)[ ]?$"
)
_DUE = re.compile(r"(?<![a-z])(?:due|ddl|deadline|截止|截至|by|on|before|until)(?:时间|日期)?(?:[ :]|是){0,2}$")
_AFTER = re.compile(
    r"[ ]?(?:开|见|到|去|来|集合|出发|吃|起床|睡|上班|下班|上课|下课|面试|签|走|回|结束|交|前|后|左右|的|有|在|打|发|我|你|他|她|咱|大家|要|提醒|就|之|能|可以|还|过|准时|整|会议|碰|约|给|看|聊|跑|做|开会|上|下|那[位个场趟班节]|都|也|才|不|没|准|钟|醒|关|收|散|下车|发车|起飞|落地|登机|报到|接|送|叫|闹|进|出|停|放)"
)
_APPOINTMENT = re.compile(
    r"(?:[课会班车机诊术饭餐试练训读盘影播门局赛场]|航班|高铁|集合|集合时间|时间|开工|闹钟|截止)(?:[是在:：])?[ ]?$"
)
"""What a clock time that ends its clause belongs to: 早课七点."""
_OF_A_DAY = re.compile(
    r"(?:[今明后]天|[今明]晚|明早|[周期拜][一二三四五六日天]|[0-9一二三四五六七八九十][号日])[^,，。;；!！?？\n]{0,12}[一-龥] $"
)
"""A clock time that people set off by a space from the day and its matter: 明天组会照常 两点."""
_CLAUSE_END = re.compile(r"[ ]?(?:$|[，。,;；!！?？、)）\n])")
_SOMEBODY = re.compile(r"[ ]?(?:我|你|他|她|咱|大家|去|在|见|交|开会|出发|早|晚|上午|下午|有)")
_DAY_USED = re.compile(
    r"[ ]?(?:截止|到期|之?前(?![端台面])|出发|开学|开会|面试|考试|报到|报名|入住|退房|起飞|体检|生日|婚礼|到货|发货|交货|交房|交租|还款|出院|住院|复查|手术|值班|休假|放假|返校|答辩|开庭|晚上|早上|上午|下午)"
)
_THAT_DAY = re.compile(r"[0-9][那当这]天的?$")
_EDGE = re.compile(r"[\s，。,.!?！？、~…()（）\"“”]*")
_WIDEST_EDGE = 20


def has_company(expression: Expression, text: str) -> bool:
    """Whether the words around make a weak expression a time; a strong one needs nothing."""
    node = expression.node
    phrase = _weak_phrase(node)
    if phrase is None:
        return True
    if _stands_alone(expression, text):
        return True
    if phrase.predicates[-1].rank == Rank.CLOCK and phrase.predicates[-1].grain != "second":
        before = text[max(0, expression.start - 6) : expression.start]
        if _BEFORE.search(before) or _AFTER.match(text, expression.end):
            return True
        is_at = text.startswith(" at ", expression.start - 1)
        is_of_a_day = _OF_A_DAY.search(text, max(0, expression.start - _WIDEST_EDGE), expression.start) is not None
        return (is_at or is_of_a_day or _APPOINTMENT.search(before) is not None) and _CLAUSE_END.match(
            text, expression.end
        ) is not None
    if isinstance(node, Bounded) or _is_slash_date_in_use(expression, text):
        return True
    return phrase.predicates[-1].rank == Rank.DAY and _is_date_in_use(expression, text)


def _is_date_in_use(expression: Expression, text: str) -> bool:
    """9.20截止, 截止9.20: a date in figures beside a word that only days go with."""
    before = text[max(0, expression.start - 12) : expression.start]
    if _DUE.search(before) or _DAY_USED.match(text, expression.end):
        return True
    return _THAT_DAY.search(text[expression.start : expression.end]) is not None


def _stands_alone(expression: Expression, text: str) -> bool:
    """Whether the text is nothing but the expression, with a few marks around it."""
    if expression.start > _WIDEST_EDGE or len(text) - expression.end > _WIDEST_EDGE:
        return False
    return bool(_EDGE.fullmatch(text, 0, expression.start) and _EDGE.fullmatch(text, expression.end))


def _is_slash_date_in_use(expression: Expression, text: str) -> bool:
    """8/8我在哪, due 9/12: a date with a slash that heads a clause with somebody in it, or is a deadline."""
    if "/" not in text[expression.start : expression.end]:
        return False
    if _DUE.search(text[max(0, expression.start - 12) : expression.start]):
        return True
    opens = expression.start == 0 or text[expression.start - 1] in " ,，。;；:："
    return opens and _SOMEBODY.match(text, expression.end) is not None


def _weak_phrase(node: object) -> Phrase | None:
    if isinstance(node, Phrase):
        return node if node.weak else None
    if isinstance(node, Bounded):
        return _weak_phrase(node.node)
    return None
