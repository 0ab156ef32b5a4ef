"""The text of a question that remains to be read: in one script, less what is quoted, dictated, put aside or only polite."""

from __future__ import annotations

import re

from temporal_recall.dataflows.language.extraction_dialect import standard_words
from temporal_recall.dataflows.language.extraction_script import simplified
from temporal_recall.dataflows.language.planner_text import BLANK, PLACEHOLDER, blanked
from temporal_recall.dataflows.language.planner_words import GAP
from temporal_recall.dataflows.zh_time.script import folded

_QUOTED = re.compile(r"「[^」]*」|『[^』]*』|“[^”]*”|‘[^’]*’|《[^》]*》|\"[^\"]*\"|`[^`]*`|(?<!\w)'[^']*'(?!\w)")

_PAUSE = re.compile(r"(?<=[\u4e00-\u9fff]{3}) +(?=[\u4e00-\u9fff]{3})")
"""A space between Chinese phrases: one who speaks or types in haste sets no other mark."""

_DICTATED = re.compile(
    rf"(?s)(?:翻译|[译翻]成|润色|改写|改成|改得|改一?下|语病|错别字|病句|语法|通顺|扩写|缩写|概括|摘要|解释|"
    rf"下面|以下|如下|"
    rf"这[段句篇封份]|\b(?:(?:summari[sz]e|explain|edit|improve|check|fix) (?:this|the following|the grammar)|"
    rf"translate|grammar|proofread|polish|rewrite|rephrase|paraphrase)\b){GAP}*:(?P<words>.+)"
)
"""What follows the colon of a task upon words: it is material, as if it stood in quotes."""

_OPENING = re.compile(
    r"^(?:早安|晚安|[早晚]上好|[上下中]午好|[你您]好|嗨|哈[喽啰]|在吗|[嗯哦呃唉诶欸哎啊嘿]+|哈哈+|那个啥?|"
    r"谢谢[你您]?|好的|"
    r"(?:hi|hello|hey|thanks?|thank you|good (?:morning|afternoon|evening))\b)[啊呀呢,。!?~ ]*(?=.{4})"
)
"""A greeting or a sound of thinking, with more after it."""

_WAVED_OFF = re.compile(rf"(?:别|不要|不用|甭|先不|先别)(?:说|管|提|看|讲|聊){GAP}*[,。]|^不是{GAP}{{1,8}},")
"""A clause that the speaker puts aside: 「别说明天了，…」."""

_POLITE = re.compile(
    r"(?:能不能|能否|可不可以|可否|可以|能)(?=(?:麻烦|劳烦|请|拜托)?[你您]?(?:再|先)?"
    r"(?:帮我?|给我|替我|告诉我|跟我|麻烦|看一?[看下]|查一?[查下]|列|捋|说说|提醒我(?:一下)?,?(?=昨|上|前|我)))"
)
"""A modal that only softens a request to look."""


def plain_question(text: str) -> tuple[str, tuple[str, ...]]:
    """The plain text of a question, as long as the question, and the words that stand in quotes.

    Plain text is folded to simplified, half-width, lower-case characters, its dialect words in standard ones. Waved-off clauses and openings are blank;
    a placeholder stands for quoted and dictated words and for polite modals.

    >>> plain_question("早安，「明天」怎么念")
    ('\\n\\n\\n□□□□怎么念', ('明天',))
    """
    whole = standard_words(simplified(folded(text)))
    quoted = [m.span() for m in _QUOTED.finditer(whole)]
    quotes = tuple(text[start + 1 : end - 1].strip() for start, end in quoted)
    dictated = [m.span("words") for m in _DICTATED.finditer(whole)]
    plain = blanked(whole, [*quoted, *dictated], PLACEHOLDER)
    plain = blanked(plain, [m.span() for p in (_OPENING, _WAVED_OFF) for m in p.finditer(plain)], BLANK)
    plain = blanked(plain, [m.span() for m in _POLITE.finditer(plain)], PLACEHOLDER)
    return _PAUSE.sub(lambda m: "," * len(m.group()), plain), tuple(q for q in quotes if q)
