"""Voices: whose words a record holds, and what kind of writing they are. Only the user's own words become events."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from temporal_recall.dataflows.language.extraction_words import words

BROWSING_APPS = frozenset(
    words(
        "browser chrome safari edge firefox arc brave google baidu bing taobao tmall jd pinduoduo xianyu xiaohongshu douyin "
        "bilibili youtube zhihu weibo douban dianping meituan eleme amap maps baidumap ctrip qunar fliggy 12306 amazon "
        "ebay booking airbnb spotify netease_music appstore"
    )
)
"""Apps in whose fields one searches, browses or posts in public."""

DOCUMENT_APPS = frozenset(words("docs word wps pages excel sheets powerpoint keynote overleaf latex confluence yuque"))
"""Apps in which one writes long texts."""

CODE_APPS = frozenset(words("vscode code cursor pycharm intellij idea xcode terminal iterm vim jupyter github gitlab"))
"""Apps in which one writes code and commands."""

NOTE_APPS = frozenset(words("notes memo memos notion obsidian reminders things todoist ticktick dida keep bear flomo"))
"""Apps in which one jots things down for oneself."""

_DOCUMENT_SHAPE = re.compile(r"^#{1,4} |^(?:.*\n){3,}.*\S|^```", re.DOTALL)
_CODE_SHAPE = re.compile(
    r"^\s*(?:def |class |import |from \w+ import|SELECT |INSERT |UPDATE |CREATE |git |docker |kubectl |curl |npm |pip |sudo )"
    r"|[{};]\s*$|=>|\(\)\s*[{:;]|^\s*<\w+[ >]|^\S+\.\w+\([^)]*\)$"
)
_TASK_SHAPE = re.compile(
    r"^(?:请|帮我|麻烦|帮忙)?(?:把.{0,12})?(?:翻译|润色|改写|校对|总结|概括|缩写|扩写|translate|proofread)",
    re.IGNORECASE,
)
_ADDRESS_SHAPE = re.compile(r"^\s*(?:https?://|www\.)\S+\s*$")


def voices(evidence: pd.DataFrame) -> pd.Series:
    """Whose words each record holds: source, assistant, other, search, document, code, address, memory or own.

    `source` states an event itself; `memory` tells of the user in the third person; only `own` and `memory` are read.
    """
    app, kind, text = evidence["app"].str.lower(), evidence["field_kind"], evidence["text"]
    is_note, is_message = app.isin(NOTE_APPS), kind.eq("message")
    choices = {
        "source": evidence["event_start"].notna(),
        "assistant": evidence["role"].eq("assistant"),
        "other": evidence["author"].notna(),
        "search": kind.eq("search") | (app.isin(BROWSING_APPS) & ~is_message),
        "code": kind.eq("code") | app.isin(CODE_APPS) | _has_shape(text, _CODE_SHAPE),
        "address": kind.eq("url") | _has_shape(text, _ADDRESS_SHAPE),
        "document": ~is_note & (kind.eq("document") | app.isin(DOCUMENT_APPS) | _has_shape(text, _DOCUMENT_SHAPE))
        | _has_shape(text, _TASK_SHAPE),
        "memory": evidence["source"].str.startswith("memory"),
    }
    masks = [mask.fillna(value=False).to_numpy(dtype=bool) for mask in choices.values()]
    return pd.Series(np.select(masks, list(choices), "own"), index=evidence.index, dtype="str")


def _has_shape(text: pd.Series, shape: re.Pattern[str]) -> pd.Series:
    return pd.Series([shape.search(t) is not None for t in text.tolist()], index=text.index, dtype=bool)
