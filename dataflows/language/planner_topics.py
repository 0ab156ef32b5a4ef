"""What a question is about: the content words that are left when time, cue and function words are taken away."""

from __future__ import annotations

import re
from collections.abc import Iterable

from temporal_recall.dataflows.language.planner_context import Span
from temporal_recall.dataflows.language.planner_cues import QuestionCues
from temporal_recall.dataflows.language.planner_text import blanked
from temporal_recall.dataflows.language.planner_words import WordFamily, family_pattern

_ASKING = (
    "first_person", "wh_word", "yes_no", "look_back", "retrieval_request", "asks_when", "say_verb", "write_verb", "promise_verb", "decide_verb",
    "create_verb", "due_word", "unresolved", "done_query", "appointment", "important", "earlier_adverb",
    "outcome_adverb", "reason", "comparison", "matter", "moved",
)  # fmt: skip
"""Families whose words tell how the question asks, not what it is about."""

EMPTY_WORDS = (
    WordFamily(
        "general_noun",
        "names no subject of its own",
        "方面 事情 事儿 东西 内容 时候 情况 聊天记录 记录 对话 安排 计划 行程 日程 日历 待办 任务 事项 活动 清单 名字 "
        "顺序 先后 次序 具体 推荐 建议 手头 几个人 的人 的活 做的事 地方 名堂 动静 乱子 岔子 状况 大事 小事",
        (r"消息(?=$|[,。?\s])", r"(?<=[几个场次些])会(?=$|[,。?\s的吗])", r"[个场]会(?=$|[,。?\s])"),
    ),
    WordFamily(
        "pointer",
        "points at a thing or counts it",
        (
            "哪些 那些 这些 一些 那个 这个 那次 这次 那家 这家 那本 那件 那天 那段 那几 那边 这边 那里 这里 那儿 这儿 "
            "那么 这么 那样 这样 全部 所有 一共 总共 其中 "
            "里面 里头 每天 一天 下来"
        ),
    ),
    WordFamily(
        "joint",
        "joins, dates or softens",
        (
            "关于 有关 相关 一下 一起 到底 究竟 大概 还有 已经 正在 曾经 最多 接下来 比较 因为 所以 但是 以及 或者 "
            "如果 为了 "
            "值得 来着 之前 之后 以前 以后 前后 期间 那会儿 目前 为止 剩下 多久 没有"
        ),
        (r"按(?=\n|什么|天|类|来源|时间|照)",),
    ),
    WordFamily(
        "light_verb",
        "a verb that says little, or speaks to the assistant",
        (
            "帮我 给我 麻烦 请问 请你 让你 叫你 托你 跟你 和你 问你 叫什么 名叫 干了 做了 忙些 发生 经历 收获 记得 "
            "里有 上有 "
            "开会 干嘛 干吗 干活 得上 跟谁 和谁 见面 打算 准备 需要 必须 参加 参与 出席"
        ),
        (r"谈[过了]?[话心]|[弄搞做办忙干整][完好成定掉齐]|[\u4e00-\u9fff]得(?:顺不顺利?|顺利|(?=怎|咋|如何))",),
    ),
    WordFamily(
        "scene",
        "where the asker was all the while, in what stay: what happened need not say so",
        "",
        (
            r"(?<![去到回来])(?:家里|公司|单位|学校|医院|工地|店里|厂里|班里|班上|科里|科室|部门|组里|团队|"
            r"办公室|宿舍|小区)"
            r"(?=(?:那边|这边)?(?:都|又|还|到底|究竟)?(?:出|发生|有|忙|闹|怎么|咋|商量|定))",
            r"(?<=在)[^,。?的\s]{2,6}?(?=[那这](?:[几两]天|段时间|阵子)|期间)",
            r"(?<![次趟])(?:出差|加班|旅游|旅行|度假|休假|放假|值班|住院|培训)"
            r"(?=(?:[那这](?:[几两]天|段时间)|期间|时)?(?:都|又|还)?(?:见|做|干|忙|去|吃|买|玩|看|花|遇|跑|聊|"
            r"谈)[了过]?(?:什么|啥|谁|哪|多少|几|些))",
        ),
    ),
    WordFamily("pronoun", "stands for someone", "我们 咱们 你们 他们 大家 自己 别人 人家 对方 有人", (r"(?<!自)我",)),
    WordFamily(
        "particle",
        "a single character of grammar, where it is no part of a longer word",
        "",
        (
            r"[的了吗呢吧啊呀嘛哦着你他她它们咱俩是和跟与把被都也还就又再很最哪谁几那这在从到过]",
            r"有(?![限效机声害])",
            r"(?<![重主需纪摘])要(?![求素点])",
        ),
    ),
    WordFamily(
        "english_grammar",
        "English words of grammar, and verbs that say little",
        "",
        (
            r"\b(?:the|a|an|of|on|in|at|to|for|about|and|or|with|from|by|it|that|this|these|those|any|some|all|"
            r"there)\b",
            r"\b(?:is|are|was|were|be|been|do|did|does|have|has|had|go|went|get|got|make|made|work(?:ed|ing)?|"
            r"finish(?:ed)?)\b",
            r"\b(?:me|my|mine|i|we|our|us|you|your|s|please|up|attend|meet|met|see|saw|many|much|last|next|times?)\b",
            r"\b(?:things?|anything|schedule|calendar|plans?|still|yet|left|already|also|only|just|again|ever|"
            r"now|then|not)\b",
        ),
    ),
)
"""Words that are no content, whatever is asked."""

_EMPTY = re.compile("|".join(family_pattern(family).pattern for family in EMPTY_WORDS), re.ASCII)
_LEADING = re.compile(
    r"^(?:[次个段本件篇份条位场趟些种款笔部只台顿去来给向让叫就才想可能得里把查搜往]|带(?=[娃儿孩])|一个|一次|"
    r"出去|过来|"
    r"下[次回]|回(?=老家)|交(?![通易流接])|还(?!款))+(?=[^\s]{2})"
)
"""Measure words and light verbs at the front of a content word."""

_TRAILING = re.compile(
    r"(?<=[^\s]{2})(?:[里上下中时来去做干看得等出花玩完掉给弄]|结果|(?<!帮)忙|(?<![规协鉴测设固稳肯决确])定|交给|几次)+$"
)
"""Directions, light verbs and the outcome asked for (复查结果怎么样), at its end."""

_GOING = re.compile(r"(?<=[车票机船])[去回到往飞开](?=[^\s]{2})")
"""Between what one rides and where it goes: 「几点的车去长沙」."""

_WORDLIKE = re.compile(r"[\w&+#./-]+(?: [a-z0-9&+#./-]+)*", re.IGNORECASE)

MAX_TOPICS = 8
"""Most content words that a plan takes from one question."""

_LONGEST = 64


_ASKED_AMOUNT = r"(?:[了过完着的]|什么|哪些|哪个|哪几|几|多少|啥|个|场|次|些|门|家|位|人)*"
_SEPARABLE = {
    "出差": "差",
    "请客": "客",
    "聚餐": "餐",
    "打针": "针",
    "拔牙": "牙",
    "洗牙": "牙",
    "理发": "发",
    "唱歌": "歌",
    "爬山": "山",
    "钓鱼": "鱼",
    "打牌": "牌",
    "补课": "课",
    "听课": "课",
    "监考": "考",
    "签约": "约",
    "发货": "货",
    "还款": "款",
    "开会": "会",
    "考试": "试",
    "面试": "试",
    "投稿": "稿",
    "看病": "病",
    "加班": "班",
    "值班": "班",
    "请假": "假",
    "上课": "课",
    "体检": "检",
    "跑步": "步",
    "打球": "球",
    "签字": "字",
    "搬家": "家",
}
"""Verbs whose object the question sets apart (开了哪些会), with that object."""

_SET_APART = {verb: re.compile(f"{verb[0]}[了过完着]?{_ASKED_AMOUNT}{rest}") for verb, rest in _SEPARABLE.items()}
_WITHOUT_OBJECT = {
    "考试": re.compile(r"考[了过完](?:什么|哪些|几|多少|啥)"),
    "面试": re.compile(r"面[了过](?:几|哪些|多少|谁|什么人)"),
}


def _verbs_set_apart(text: str) -> list[str]:
    """The verbs that a question names in two parts, or without their object: 开了哪些会, 面了几个人."""
    patterns = [*_SET_APART.items(), *_WITHOUT_OBJECT.items()]
    return [verb for verb, pattern in patterns if (found := pattern.search(text)) and found.group() != verb]


_WHETHER = re.compile(
    r"(?P<thing>[\u4e00-\u9fff])还[\u4e00-\u9fff](?:[不吗]|不[\u4e00-\u9fff])\s*\??$|"
    r"(?P<deed>(?![是有要能会行好对去来做干忙见可])[\u4e00-\u9fff])不(?P=deed)(?P<object>[\u4e00-\u9fff]?)"
)
"""Asks whether something of one character takes place: 「球还打不」, 「停不停电」, 「还跑不跑」."""


def _matter_in_doubt(text: str) -> list[str]:
    """What a question doubts that names nothing else: the thing, or the deed with its object."""
    found = _WHETHER.search(text)
    if found is None:
        return []
    return [found["thing"] or found["deed"] + found["object"]]


def question_topics(cues: QuestionCues, elsewhere: Iterable[Span]) -> tuple[str, ...]:
    """The content words of a question: quoted spans first, then what stands between cue and function words.

    Where these leave nothing, what the question asks whether it takes place.

    Args:
        elsewhere: places already told in other slots of the plan: times and people.
    """
    named = list(elsewhere)
    taken = [*named, *cues.spans(*_ASKING), *(m.span() for m in _EMPTY.finditer(cues.plain))]
    found = (m.span() for m in _WORDLIKE.finditer(blanked(cues.plain, taken)))
    runs = (run for span in found for run in _GOING.split(cues.text[slice(*span)].strip(" .-/")))
    words = (_trimmed(run) for run in runs)
    told = (word for word in words if _tells_something(word))
    topics = dict.fromkeys((*cues.quotes, *_verbs_set_apart(cues.plain), *told))
    topics = topics or dict.fromkeys(_matter_in_doubt(blanked(cues.plain, named)))
    return tuple(topic[:_LONGEST] for topic in topics)[:MAX_TOPICS]


def _trimmed(run: str) -> str:
    return _TRAILING.sub("", _LEADING.sub("", run))


def _tells_something(word: str) -> bool:
    return len(word) >= 2 and (len(word) >= 3 or not word.isdigit())
