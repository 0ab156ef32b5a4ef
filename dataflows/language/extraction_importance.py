"""Intrinsic importance of a matter, and confidence in its reading; both from the record alone."""

from __future__ import annotations

import pandas as pd

from temporal_recall.dataflows.language.extraction_search import holds

_BASE_BY_TYPE = {"decision": 0.72, "commitment": 0.70, "todo": 0.62, "event": 0.52, "mention": 0.30}
"""What a matter of each type weighs before its words are looked at."""

_WEIGHTY = (
    "合同|签约|签了|签单|上线|评审|面试|考试|答辩|手术|住院|确诊|病危|婚礼|葬礼|离职|辞职|裁员|入职|offer|客户|老板|投资|预算|付款|尾款|"
    "车票|机票|航班|飞机|高铁|报价|汇报|故障|炸了|事故|复盘|论文|高考|贷款|房贷|首付|签证|护照|法院|律师|重要|紧急|务必|必须|千万|截止|ddl|deadline|"
    "出差|抢救|急诊|期中|期末|开题|交付|验收|提测|灰度|全量|发布|出货|交货|订单|还款|还贷|录取|中标|开标|年夜饭|团圆|"
    r"\b(?:midterm|finals?|exam|viva|defen[cs]e|interview|launch|release|contract|flight|visa|surgery)\b|"
    r"\b[gdckz]\d{2,4}\b"
)
"""What weighs in most lives: contracts and money, health, exams, journeys by their number too, posts, accidents."""

_MIDDLING = "体检|看牙|拔牙|疫苗|复查|生日|家长会|培训|会议|开会|例会|报销|房租|搬家|爸|妈|孩子|旅行|旅游|酒店|民宿"
"""Words of matters that one would not miss."""

_LIGHT = "猫砂|奶茶|下午茶|外卖|快递|游戏|追剧|撸铁|深蹲|硬拉|哈哈|睡|打车|逛|买菜|遛|浇花|扔垃圾|食堂|午饭|早饭"
"""Words of the daily round."""


def importances(types: pd.Series, text: pd.Series, participants: pd.Series, due: pd.Series) -> pd.Series:
    """How much each matter weighs by itself, 0..1: its type, then its words, people, a deadline and emphasis."""
    weight = types.map(_BASE_BY_TYPE).astype("float64")
    lower = text.str.lower()
    weight = weight + 0.20 * holds(lower, _WEIGHTY) + 0.08 * holds(lower, _MIDDLING)
    weight = weight - 0.20 * holds(lower, _LIGHT)
    weight = weight + 0.04 * participants.map(bool) + 0.06 * due + 0.05 * holds(text, "[!！]{2}")
    return weight.clip(0.05, 0.98)


_BASE_BY_VOICE = {"source": 0.95, "memory": 0.85, "own": 0.75}
_SURENESS = {"minute": 0.15, "hour": 0.12, "part": 0.10, "day": 0.10, "range": 0.05}


def confidences(voice: pd.Series, outcome: pd.Series, granularity: pd.Series) -> pd.Series:
    """How sure each reading is, 0..1: whose words they are, how exactly the time is known, and whether they stood.

    What was typed and deleted unsent counts for six tenths.
    """
    base = voice.map(_BASE_BY_VOICE).fillna(0.60).astype("float64")
    sureness = granularity.map(_SURENESS).fillna(0.0).astype("float64").where(voice.ne("source"), 0.0)
    return (base + sureness) * outcome.eq("discarded").map({True: 0.6, False: 1.0})
