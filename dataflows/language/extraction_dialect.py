"""Dialect words in standard ones of the same length, so that one set of rules reads all speakers and spans stay spans."""

from __future__ import annotations

import re

import pandas as pd

from temporal_recall.dataflows.language.extraction_search import holds

_STANDARD_BY_WORD = {
    # Cantonese, its characters already folded to simplified ones
    "不使": "不用", "不记得": "忘记了", "得闲": "有空", "一阵间": "待会儿", "等阵": "等下", "迟啲": "晚点", "早啲": "早点",
    "而家": "现在", "依家": "现在", "头先": "刚才", "边个": "哪个", "边度": "哪里", "点解": "为何", "点样": "怎样", "点算": "咋办",
    "乜嘢": "什么", "咩嘢": "什么", "系咪": "是否", "屋企": "家里", "返工": "上班", "放工": "下班", "返学": "上学", "返去": "回去",
    "返来": "回来", "返到": "回到", "返屋": "回家", "返了": "回了", "食饭": "吃饭", "食了": "吃了", "食完": "吃完", "饮酒": "喝酒",
    "行山": "爬山", "行街": "逛街", "倾偈": "聊天", "倾计": "聊天", "倾了": "谈了", "倾完": "谈完", "倾掂": "谈妥", "度掂": "谈妥", "搞掂": "搞定",
    "谈掂": "谈妥", "拣了": "选了", "影相": "拍照", "影了": "拍了", "影完": "拍完", "落车": "下车", "落机": "下机", "落雨": "下雨", "落单": "下单",
    "落堂": "下课", "上堂": "上课", "见工": "面试", "瞓觉": "睡觉", "瞓了": "睡了", "冲凉": "洗澡", "买餸": "买菜",
    "打边炉": "吃火锅", "找数": "付钱", "听讲": "听说", "他话": "他说", "她话": "她说", "姐话": "姐说", "哥话": "哥说",
    "听日": "明天", "听晚": "明晚", "听朝": "明早", "寻日": "昨天", "琴日": "昨天", "琴晚": "昨晚", "寻晚": "昨晚", "今朝": "今早",
    "讲掂": "讲妥", "谈掂数": "谈妥了", "返夜": "上夜", "返早": "上早", "妈话": "妈说", "爸话": "爸说", "爹话": "爹说", "生话": "生说", "太话": "太说", "总话": "总说",
    # Sichuan, the north, the Yangtze delta
    "莫得": "没有", "搞忘": "忘掉", "啥子": "什么", "撒子": "什么", "啥嘞": "什么", "咋个": "怎么", "晓得": "知道", "记到": "记着", "屋头": "家里", "一哈": "一下",
    "耍了": "玩了", "去耍": "去玩", "喊我": "叫我", "喊你": "叫你", "喊他": "叫他", "咋整": "咋办", "整完": "做完", "整好": "弄好",
    "唠嗑": "聊天", "唠了": "聊了", "夜饭": "晚饭", "困觉": "睡觉", "辰光": "时候", "阿拉": "我们", "侬": "你", "甭": "别",
    # slips of the keyboard and of dictation
    "咗未": "了没", "仲有": "还有", "仲要": "还要", "攞了": "拿了", "啥人": "谁人",
    "记德": "记得", "以经": "已经", "己经": "已经", "因该": "应该", "在次": "再次",
}  # fmt: skip

_STANDARD_BY_SIGN = {"莫": "别", "冒": "没", "未": "没", "伐": "吗"}

_FORBIDDING = "(?<![老小阿约切])莫[来去买卖要等又再急慌管问怕说哭吃喝动催忘拖叫喊让迟走搞弄理]"
"""莫 for 别; before other characters it is a name or a literary word (莫干山, 莫非)."""

_ENDING = r"(?<=[了到来完好过])[冒伐未](?=[呀啊]?\s*[?？。!！]*$)"
"""没 and 吗 of Hunan, the Yangtze delta and Canton, where they end a question."""

_WORDS = "|".join(sorted(_STANDARD_BY_WORD, key=len, reverse=True))
_WORD = re.compile(f"(?!听讲[座课解]|记到[今明后下日周礼星月])(?:{_WORDS}|{_FORBIDDING}|{_ENDING})")
_MAY_BE_DIALECT = f"{_WORDS}|[莫冒伐未]"


def in_standard_words(text: pd.Series) -> pd.Series:
    """The texts with dialect words and common slips in standard words of the same length; others pass untouched."""
    is_dialect = holds(text, _MAY_BE_DIALECT)
    if not is_dialect.any():
        return text
    read = [standard_words(t) if hit else t for t, hit in zip(text.tolist(), is_dialect.tolist(), strict=True)]
    return pd.Series(read, index=text.index, dtype="str")


def standard_words(text: str) -> str:
    """One text in standard words.

    >>> standard_words("莫催，他话得闲再去行街")
    '别催，他说有空再去逛街'
    >>> standard_words("去莫干山听讲座")
    '去莫干山听讲座'
    """
    return _WORD.sub(
        lambda m: _STANDARD_BY_WORD.get(m.group()) or _STANDARD_BY_SIGN[m.group()[0]] + m.group()[1:], text
    )
