"""People: the names that Chinese messages call people by. One row of the table is one way to name someone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from temporal_recall.dataflows.language.extraction_names import (
    BEFORE_NICK,
    COMMON_SURNAMES,
    DOUBLE_SURNAMES,
    DOUBLED_WORDS,
    GIVEN,
    KIN,
    KIN_OF_PARENTS,
    LATIN_NAMES,
    NAMED_BY,
    NO_LATIN_PERSON,
    NOBODY,
    NOT_FULL,
    NOT_NAMED,
    NOT_NICK,
    OFFICES,
    ROLES,
    SHORT_TITLES,
    SURNAMES,
    TELLING,
    TITLES,
)

_EVENTS_OF_ONE = "生日|婚礼|婚宴|满月|百日|周岁|欢送|升学宴|葬礼|追悼|订婚|毕业典礼|接风"
_CARE = "打疫苗|打针|补针|绝育|驱虫|洗澡|三联|换牙|接种|疫苗|发烧|拉肚子"
_PERSON_VERBS = (
    "送|接|陪|带|帮|买|做|写|换|替|负责|爸妈|吃|看|开|聊|打|逛|爬|见|过|一起|聚|办|签|谈|喝|学|对|确认|碰|说|"
    "话|讲|约|问|让|叫|请|来|去|到|给|发|催|要|要求|通知|提|回|答应|应承|生日|也|"
    "在|和|跟|同|那|临时|今天|明天|后天|周|下周|今晚|明晚|刚|已经|家访|结婚|出差|住院|迟到|请假|毕业|退休"
)
_PARENT_WORDS = ("妈妈", "爸爸", "奶奶", "爷爷", "外婆", "外公", "姥姥", "姥爷", "家长", "妈", "爸")
_PARENT = {word: parent for parent, names in KIN_OF_PARENTS.items() for word in names}


@dataclass(frozen=True, slots=True)
class NameRule:
    """One way in which Chinese names someone: the group `name` of the pattern is the person.

    A rule that is dear to try has a `sign`: what a text must hold besides, and most do not.
    """

    name: str
    meaning: str
    pattern: str
    sign: str = ""


def _one_of(words: Iterable[str]) -> str:
    """An alternation of words, grouped by their first character, so that a search looks at few of them."""
    rests: dict[str, list[str]] = {}
    for word in sorted(words, key=len, reverse=True):
        rests.setdefault(word[0], []).append(word[1:])
    return (
        f"(?=[{''.join(rests)}])(?:" + "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in rests.items()) + ")"
    )


_SYLLABLE = (
    r"(?:[BPMFDTNLGKHJQXRZCSYW]|Zh|Ch|Sh)(?:[iu]?(?:ang|eng|ing|ong|an|en|in|un|ai|ei|ao|ou|ia|ie|uo|ui|iu|ian|"
    r"iang|iong|uang)|[aeiou])"
)
"""A romanised Chinese syllable."""

_EDGE = r"(?:^|(?<=[\s，。,、：:！!~和跟与找给约陪见问叫带送接同午晚早天号点日末]))"
"""Where a name may begin: at the edge of a clause, or after a word that takes a person."""

_STRICT_EDGE = r"(?:^|(?<=[\s，。,、：:！!~（(和跟与找约陪问叫同替帮请催劝应扬评夸诉谢访见成由]))"
"""The same without the words of time, for names that only their place betrays."""

_SURNAME = f"(?:[{SURNAMES}]|{_one_of(DOUBLE_SURNAMES)})"
_TITLE = f"(?:{_one_of(TITLES)}|[{SHORT_TITLES}])"
_DOUBLE_FIRST = "".join(name[0] for name in DOUBLE_SURNAMES)
_MAY_BE_FULL = f"(?=[{COMMON_SURNAMES}{_DOUBLE_FIRST}])"
_FULL = rf"(?:(?=[{COMMON_SURNAMES}])(?!{_one_of(NOT_FULL)}).|{_one_of(DOUBLE_SURNAMES)})"
"""How a full name begins."""

_MIDDLE = "一子之若可亦予以知"
"""Characters that a given name may begin with, though they are common words."""

_LAST = re.sub("[山江海河湖川岛桥岭泉洲国]", "", GIVEN)
"""Characters that end a given name and no name of a place."""

_NO_NAME = "他她你您它这那几到去来和跟与给了的是有"
"""Characters before 哥 and 姐 that are no name."""

_DOUBLED_EDGE = (
    r"(?:^|"
    r"(?<=[\s，。,、：:！!~（(和跟与找给约陪见问叫带送接同替帮让请催教抱哄喂劝应扬夸诉知欠等午晚早天号点日末说到在去半]))"
)
"""Where a doubled name may begin."""

_OF_CHILD = (
    r"[^\W\da-zA-Z_的了在是我你他她它们和跟陪让给叫带说吗呢吧啊不没有也都就还又去来到要会能可上下里外前后每各全某老小]"
)
"""A character of a child's full name before 妈妈; any but the function words."""

NAME_RULES: tuple[NameRule, ...] = (
    NameRule("at", "@ and a name",
        r"@(?P<at>[A-Za-z][\w.]{0,20}|[一-鿿]{1,4}(?=[\s，。,：:！!~]|$)|[老小大阿][一-鿿]|[一-鿿]{2})"),
    NameRule("department", "a department before a nickname",
             rf"(?P<department>(?:HR|hr|人事|法务|财务|运营|产品|设计|测试|前端|后端|销售|客服)小[{SURNAMES}{GIVEN}])"),
    NameRule("parent_of", "a parent, named after the child",
             rf"(?P<parent_of>(?:{_MAY_BE_FULL}{_EDGE}{_FULL}{_OF_CHILD}{{1,2}}?|"
             rf"{_FULL}[{_MIDDLE}{GIVEN}][{GIVEN}]|[小阿][{COMMON_SURNAMES}{GIVEN}]|[一{GIVEN}][{GIVEN}]|"
             rf"(?P<_child>[{NAMED_BY}])(?P=_child))"
             rf"{_one_of(_PARENT_WORDS)}(?![妈爸]))",
             sign=_one_of(_PARENT_WORDS)),
    NameRule("titled", "a surname, or a full name, and a title",
             rf"(?=[{SURNAMES}{_DOUBLE_FIRST}])(?P<titled>(?:{_EDGE}{_FULL}[{GIVEN}]{{1,2}}(?:{_one_of(TITLES)})|"
             rf"{_SURNAME}{_TITLE}))(?![监结部是共体算数量裁器作室费])"),
    NameRule("officer", "a surname and an office, where a person is due",
             rf"(?=[{COMMON_SURNAMES}][{OFFICES}]){_EDGE}(?P<officer>..)(?=说|问|让|叫|要|来|那|请|找|约|通知|"
             rf"催|回|同意|批|也|在|和|跟|[，,：:！!]|$)"),
    NameRule("southern", "a surname and 生 or 太, as one says in the south",
             rf"(?=[{COMMON_SURNAMES}][生太]){_EDGE}(?P<southern>..)(?={_PERSON_VERBS}|[的家今听琴星先]|"
             rf"[\s，。,：:！!]|$)"),
    NameRule("given_titled", "a given name and 哥, 姐, 叔, 姨",
             rf"{_EDGE}(?P<given_titled>[{GIVEN}]{{2}}(?:老师|阿姨|叔叔|[哥姐叔姨婶嫂伯])|"
             rf"[^\W\da-zA-Z_{_NO_NAME}][哥姐叔姨婶嫂伯仔妹])(?![斯特华夫裤哥姐叔姨婶伯])"),
    NameRule("latin_called", "Latin letters with 哥, 姐, 总, or 小, 老, 阿 before them",
             r"(?=[A-Z小老大阿])(?<![A-Za-z0-9])(?P<latin_called>[A-Z][A-Za-z]{0,10}(?:总|姐|哥|老师|叔|导)|"
             r"[小老大阿][A-Z](?:[a-z]{1,10})?(?![A-Za-z0-9]))"),
    NameRule("nicknamed", "老, 小, 大, 阿 and a name",
             rf"(?P<nicknamed>[老小][{COMMON_SURNAMES}{GIVEN}]|大[{COMMON_SURNAMES}]|"
             rf"阿[{GIVEN}{COMMON_SURNAMES}])(?![街路])"),
    NameRule("nicked", "小 or 阿 and any character, where a person is due",
             rf"(?=[小阿]){_STRICT_EDGE}(?P<nicked>[小阿][一-鿿])(?=[\sA-Z，,：:你您我说问话讲约跟也来去]|答应|$)"),
    NameRule("kin", "a relative of the user's", rf"(?P<kin>{_one_of((*KIN, *_PARENT))})(?!腐)"),
    NameRule("role", "someone called by their role", rf"(?P<role>{_one_of(ROLES)})(?![费员们端力层制车场卡函所区楼])"),
    NameRule("honoured", "someone whose day it is",
             rf"(?:^|"
             rf"(?<=[\s，。,、的号去给过加是天晚午]))(?P<honoured>[^\W\da-zA-Z他她你我办开过给去个的场次岁周年一二三四五六七八九十]{{2,3}}?|"
             rf"[A-Z][a-z]+)(?=的?(?:{_EVENTS_OF_ONE}))",
             sign=_EVENTS_OF_ONE),
    NameRule("cared_for", "a child or pet that is looked after",
             rf"(?:^|"
             rf"(?<=[\s，。,、点号天晚午给带]))(?P<cared_for>[^\W\da-zA-Z上中下早晚去要]{{2}})(?=(?:\d+[号日])?(?:去)?(?:{_CARE}))",
             sign=_CARE),
    NameRule("doubled", "a doubled character that is no word",
             rf"(?P<doubled>(?P<_pet>[{NAMED_BY}])(?P=_pet)|"
             rf"{_DOUBLED_EDGE}(?P<_same>[^\W\da-zA-Z_{DOUBLED_WORDS}])(?P=_same))",
             sign="(?P<twice>.)(?P=twice)"),
    NameRule("given", "a given name where a person is due",
             rf"(?=[{TELLING}][{TELLING}])(?:(?<=[和跟与找约陪叫])|"
             rf"(?:^|(?<=[\s，。,给带送接天晚早午号日点半]))(?=..(?:{_PERSON_VERBS}|他|她|[\s，。,！!]|$)))"
             rf"(?P<given>..)"),
    NameRule("full", "a full name where a person is due",
             rf"{_MAY_BE_FULL}{_EDGE}(?P<full>{_FULL}(?:[{GIVEN}]{{1,2}}|"
             rf"[{_MIDDLE}][{GIVEN}]))(?=(?:{_PERSON_VERBS})|[\s，。,！!、]|$)"),
    NameRule("whole", "a full name of three characters, at the edge of a clause or after a word that takes a person",
             rf"{_MAY_BE_FULL}{_STRICT_EDGE}(?P<whole>{_FULL}[{_MIDDLE}{GIVEN}][{_LAST}])"),
    NameRule("latin_titled", "an English title and a name",
             r"(?=[A-Z])(?P<latin_titled>(?:Prof|Professor|Dr|Mr|Mrs|Ms|Miss|Auntie|Uncle|Coach|Herr|Frau|"
             r"Mme)\.? [A-Z][a-z]+)"),
    NameRule("romanised", "a Chinese given name in two romanised syllables",
             rf"(?=[A-Z])(?<![A-Za-z])(?P<romanised>(?:{_SYLLABLE}) (?:{_SYLLABLE}))(?![a-z])"),
    NameRule("latin", "a name in Latin letters",
        r"(?=[A-Z])(?<![A-Za-z0-9.@/_-])(?P<latin>[A-Z][a-z]{1,11})(?![A-Za-z0-9._/-])"),
)  # fmt: skip

_NAME = re.compile("|".join(rule.pattern for rule in NAME_RULES))
_UNSIGNED_NAME = re.compile("|".join(rule.pattern for rule in NAME_RULES if not rule.sign))
_SIGN = re.compile("|".join(rule.sign for rule in NAME_RULES if rule.sign))
_REMEMBERED = 8192
"""Texts whose people are remembered."""
_BEFORE_PERSON = re.compile(
    r"(?:和|跟|与|找|给|约|陪|见|问|叫|带|送|接|同|@|with|meet|ask|tell|call|dear|hi|hey)\s*$", re.IGNORECASE
)
_AFTER_PERSON = re.compile(
    r"\s*(?:说|问|要|来|回|约|那边|也|他|她|答应|同意|催|请|让|发来|says?|said|wants?|asked|will|is coming)"
)
_AFTER_THING = re.compile(
    r"店|站|路|街|道|区|馆|楼|厅|课|版|款|卡|机|号|线|班|酒店|咖啡|广场|大厦|中心|桥|岛|湖|大学|公司"
)
_CHINESE = re.compile("[一-鿿，]")
_BEFORE_PLACE = ("去", "到", "在", "回", "用", "飞", "住", "逛")
_OTHERS = frozenset(("他", "她", "它", "他爸", "她爸", "它爸"))
_SAYING_WHO_I_AM = frozenset(("我是", "我叫"))
_NICKNAMES = frozenset(("nicknamed", "nicked", "given_titled", "titled", "officer", "southern"))


@lru_cache(maxsize=_REMEMBERED)
def people_in(text: str, shown: str | None = None) -> tuple[str, ...]:
    """The people that a text in simplified characters names, each once, in order of place; never the user.

    The same texts come again with every question, and are remembered.

    Args:
        shown: the text as it was written, of the same length; the names are told as they stand there.

    >>> people_in("@老周 明天和王姐、Ken过方案，阿敏也来")
    ('老周', '王姐', 'Ken', '阿敏')
    """
    names: dict[str, None] = {}
    owner_end = -1
    for match in (_NAME if _SIGN.search(text) else _UNSIGNED_NAME).finditer(text):
        is_kin = match.lastgroup == "kin"
        if is_kin and match.start() == owner_end:  # 阿凯爸妈: the parents are his
            owner_end = match.end()
        elif name := _person(match, text, shown or text):
            names[name] = None
            owner_end = -1 if is_kin else match.end()
    return tuple(names)


def _person(match: re.Match[str], text: str, shown: str) -> str | None:
    rule, name = match.lastgroup or "", match.group(match.lastgroup or 0)
    start, end = match.span(match.lastgroup or 0)
    if name in NOBODY or text[max(start - 2, 0) : start] in _SAYING_WHO_I_AM:
        return None
    if rule == "kin" and not _OTHERS.isdisjoint((text[max(start - 1, 0) : start], text[max(start - 2, 0) : start])):
        return None
    if rule in _NICKNAMES and _is_common_word(name, text, start):
        return None
    if rule == "doubled" and _is_within_word(text, start, end):
        return None
    if rule == "latin" and not _is_latin_person(name, text, start, end):
        return None
    return shown[end - 1 : end] if name in _PARENT else shown[start:end]


def _is_common_word(name: str, text: str, at: int) -> bool:
    """Whether the characters are an everyday word here: 小时, 老师, 大家, 快递小哥."""
    begins_word = name in NOT_NICK or text[at : at + 3] in NOT_NICK
    return begins_word or not BEFORE_NICK.isdisjoint((name, text[max(at - 1, 0) : at + 1]))


def _is_within_word(text: str, start: int, end: int) -> bool:
    """Whether a doubled character is part of a longer word: 懒洋洋, 水果果汁, 平平安安, 嘟嘟嘟."""
    before, after = text[max(start - 2, 0) : start], text[end : end + 2]
    around = (text[start:end], before[-1:] + text[start:end], text[start:end] + after[:1])
    is_beside_double = (len(before) == 2 and before[0] == before[1]) or (len(after) == 2 and after[0] == after[1])
    return is_beside_double or text[start] in (before[-1:], after[:1]) or not NOT_NAMED.isdisjoint(around)


def _is_latin_person(name: str, text: str, start: int, end: int) -> bool:
    """A known given name, or a capitalised word where a person is due."""
    if name in NO_LATIN_PERSON or _AFTER_THING.match(text, end):
        return False
    beside = _BEFORE_PERSON.search(text, 0, start) or _AFTER_PERSON.match(text, end)
    return name in LATIN_NAMES or beside is not None or _is_amid_chinese(text, start, end)


def _is_amid_chinese(text: str, start: int, end: int) -> bool:
    """Whether a capitalised word stands beside Chinese characters, and not where a place is due."""
    before, after = text[max(start - 1, 0) : start], text[end : end + 1]
    return bool(_CHINESE.match(before) or _CHINESE.match(after)) and before not in _BEFORE_PLACE
