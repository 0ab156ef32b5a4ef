"""What a question is about: its people, and the content words that are left when all else is taken away."""

from __future__ import annotations

import re
from collections.abc import Iterable

from temporal_recall.dataflows.language.planner_cues import QuestionCues, Span
from temporal_recall.dataflows.language.planner_words import GAP

_SURNAMES = (
    "王李张刘陈杨黄赵周吴徐孙马胡朱郭何罗高林郑梁谢唐许冯宋韩邓彭曹曾田萧潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫雷龙史陶贺毛段郝顾龚邵万覃武钱戴严莫孔向常汤康易乔赖文施洪季"
)
_TITLES = "总监|总|姐|哥|老师|经理|医生|大夫|工|董|处长|处|主任|主管|教授|律师|师傅|阿姨|叔叔|叔|先生|女士|小姐|同学|老板|局长|局|院长|校长|部长|队长|组长|科长|书记|导|教练|秘书|行长|爷爷|奶奶|婶|嫂|妈|爸"
_KIN = "妈妈|爸爸|老妈|老爸|我妈|我爸|老婆|老公|媳妇|爱人|女朋友|男朋友|女友|男友|对象|儿子|女儿|闺女|孩子|爷爷|奶奶|外公|外婆|姥姥|姥爷|岳父|岳母|公公|婆婆|哥哥|弟弟|姐姐|妹妹|表哥|表弟|表姐|表妹|舅舅|姑姑|姨妈"
_ROLES = "房东|客户|老板|同事|导师|甲方|乙方|供应商|中介|物业|班主任|医生|律师|教练|室友|邻居|合伙人|投资人|面试官|候选人|领导|上司|下属|实习生|闺蜜"

_NAMED = re.compile(
    rf"(?<![\w])?(?:[{_SURNAMES}](?:{_TITLES})(?![理部会结经])|(?:小|老|阿|大)[{_SURNAMES}敏哲明强华军伟芳娜静丽玲杰磊涛勇艳霞飞鹏宇浩波辉俊斌峰海](?!时|学|家|板|师|年|说|事|明天)|[\u4e00-\u9fff](?:姐|哥)(?!们))|(?:{_KIN})|(?:{_ROLES})"
)
_COMPANION = re.compile(
    rf"(?:跟|和|与|同|给|对|向|找|见|约|陪|答应|告诉|问|催|with|to|from|and) ?"
    rf"(?P<name>[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}?(?=的|说|聊|谈|讲|吃|见|开|约|一起|有关|提|那|之间|去|商量|讨论|$|[，。？,?\s])|[A-Z][a-z]+(?:\s[A-Z][a-z]+)?)"
)
_NAME_BEFORE_VERB = re.compile(rf"(?P<name>[{_SURNAMES}][\u4e00-\u9fff]{{1,2}})(?=跟我|和我|对我|给我|答应|告诉|那边|的生日)")

_SPEECH = (
    "first_person", "wh_word", "yes_no", "retrieval_request", "say_verb", "write_verb", "promise_verb", "told_assistant",
    "decide_verb", "create_verb", "due_word", "unresolved", "done_query", "past_mark", "plan_verb", "appointment", "important",
    "earlier_adverb", "outcome_adverb", "reason", "comparison", "matter",
)  # fmt: skip
"""Families whose words tell how the question asks, not what it is about."""

_FUNCTION = re.compile(
    "关于|有关|相关|方面|的事情|的事儿|事情|事儿|东西|内容|时候|情况|记录里|记录|聊天记录|对话|安排|计划|行程|日程|日历|待办|任务|事项|活动|清单|哪些|那些|这些|一些|那个|这个|那次|这次|那家|那本|那件|那天|一下|一起|全部|所有|到底|究竟|大概|一共|总共|其中|里面|里头|还有|已经|正在|曾经|刚刚|最多|最近|接下来|比较|可以|需要|应该|因为|所以|但是|以及|或者|如果|帮我|给我|麻烦|请问|请|叫什么|名叫|名字|几个人|的人|干了|干什么|做了|忙什么|忙些|发生|经历|收获|见了|去了|开了|吃了|看了|买了|玩了|读完|看完|做完|写完|完成|别忘|没有|有没有|是不是|为了|来着|记得|想想|里有|上有|要做|要交|要开|要去|要见|多久|每天|之前|之后|以前|以后|前后|期间|那会儿|那几天|目前|为止"
    "|[的了吗呢吧啊呀嘛哦过着我你他她它们咱俩是有和跟与把被给对向都也还就又再很最哪谁几多少那这要得在从到里上下为于让叫去来做干吃看买写读忙见开交想会能可以]"
    r"|\b(?:the|a|an|of|on|in|at|to|for|about|and|or|is|are|was|were|do|did|does|have|has|had|with|from|by|it|that|this|these|those|any|some|all|there|please|me|my|i|we|our|you|your|up|been|s)\b"
)
_WORDLIKE = re.compile(r"[\w&+#./-]+(?: [a-z0-9&+#./-]+)*", re.IGNORECASE)
_CHINESE = re.compile(r"[\u4e00-\u9fff]")

MAX_TOPICS = 8
_LONGEST = 64


def question_people(cues: QuestionCues, known_people: Iterable[str] = ()) -> tuple[str, ...]:
    """The people a question names, in its order: by title, kinship, role, or the word before the name."""
    text = cues.text
    found = {m.start(): m.group() for m in _NAMED.finditer(text)}
    for pattern in (_COMPANION, _NAME_BEFORE_VERB):
        found |= {m.start("name"): m.group("name") for m in pattern.finditer(text)}
    found |= {text.find(name): name for name in known_people if name and name in text}
    names = dict.fromkeys(found[place] for place in sorted(found))
    return tuple(name for name in names if not any(name != other and name in other for other in names))


def question_topics(cues: QuestionCues, time_spans: Iterable[Span]) -> tuple[str, ...]:
    """The content words of a question: quoted spans first, then what stands between time, cue and function words."""
    taken = sorted([*time_spans, *cues.spans(*_SPEECH), *(m.span() for m in _FUNCTION.finditer(cues.plain))])
    free = list(cues.plain)
    for start, end in taken:
        free[start:end] = "\n" * (end - start)
    runs = (cues.text[m.start() : m.end()].strip(" .-/") for m in _WORDLIKE.finditer("".join(free).replace("□", "\n")))
    topics = dict.fromkeys((*cues.quotes, *(run for run in runs if _tells_something(run))))
    return tuple(topic[:_LONGEST] for topic in topics)[:MAX_TOPICS]


def _tells_something(run: str) -> bool:
    return len(run) >= 2 and (bool(_CHINESE.search(run)) or not run.isdigit())
