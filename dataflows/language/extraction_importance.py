"""Intrinsic importance and confidence of what was read, from the record alone."""

from __future__ import annotations

import numpy as np
import pandas as pd

_BASE_BY_TYPE = {"decision": 0.70, "commitment": 0.68, "todo": 0.60, "event": 0.50, "mention": 0.30}

WEIGHTY = "合同|签约|签|上线|评审|面试|考试|答辩|手术|住院|体检|婚礼|离职|offer|客户|老板|投资|预算|付款|房|车票|航班|飞机|高铁|报价|汇报|故障|炸|复盘|重要|紧急|务必|必须"
"""Matters of work, money, health and family that weigh in most lives."""

LIGHT = "猫砂|奶茶|吃饭|睡|撸铁|深蹲|追剧|外卖|快递|游戏|猫|狗|哈哈"
"""Matters of the day."""


def importances(types: pd.Series, text: pd.Series, people: pd.Series, due: pd.Series) -> pd.Series:
    """How much each item weighs by itself, 0..1."""
    score = types.map(_BASE_BY_TYPE).astype("float64")
    score += 0.15 * text.str.contains(WEIGHTY) - 0.15 * text.str.contains(LIGHT)
    score += 0.05 * people.map(bool) + 0.08 * due + 0.05 * text.str.contains("[!！]{2,}")
    return score.clip(0.05, 0.98)


def confidences(voice: pd.Series, outcome: pd.Series, is_timed: np.ndarray) -> pd.Series:
    """How sure each reading is, 0..1."""
    base = voice.map({"source": 0.95, "own": 0.78, "memory": 0.85}).fillna(0.6).astype("float64")
    return (base + 0.1 * (is_timed & voice.ne("source").to_numpy())) * np.where(outcome.eq("discarded"), 0.6, 1.0)
