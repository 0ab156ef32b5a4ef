"""Which context a question needs: recall of a time, memory of a decision, both, or neither.

A time word never triggers recall by itself; it needs a predicate of the user's own past or plans, said or elided, in a
question, a request to look, or a bare noun phrase.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from temporal_recall.dataflows.language.planner_question import Question
from temporal_recall.dataflows.language.planner_words import ASKING, GAP
from temporal_recall.schemas.plan import QueryType

OWN_PREDICATES = (
    "say_verb", "write_verb", "promise_verb", "told_assistant", "decide_verb", "create_verb", "plan_noun", "plan_verb",
    "matter", "things_about", "moved", "appointment", "due_word", "unresolved", "done_query", "happening", "measured", "deed", "important", "past_decision",
    "affair",
)  # fmt: skip
"""Predicates that a person has of himself; any of them lets an unsaid subject be the user."""

OWN_SUBJECTS = ("first_person", "known_person", "own_circle")
"""Those whose doings the user's own records tell."""

_LOOKING = ("look_back", "retrieval_request")
_OWN_TALK = ("say_verb", "write_verb", "told_assistant", "promise_verb")
_OWN_PLANS = ("plan_noun", "plan_verb", "appointment", "due_word", "asks_when")
_BACKWARD = (
    *_OWN_TALK, *_LOOKING, "decide_verb", "create_verb", "past_mark", "unresolved", "done_query", "earlier_adverb",
    "past_decision", "comparison", "happening",
)  # fmt: skip
"""What only the user's own records can answer, even in a clause that does not name him."""

_MAY = re.compile(r"能|可以|应该|应不应该|适合|会不会|\b(?:can|may|should|could)\b")
"""Asks what may or ought to be, which no record tells."""

_OUGHT = re.compile(r"(?<!应)该|应该|要注意|怎么才")
"""Asks for counsel, even where it speaks of a first or last time."""

_TOPIC_CLAUSE = re.compile(r"的[^,。?!的]{1,12}$|[里中上内]$")
"""A clause that only names what the next one asks about: 「下周要交的方案，…」."""

_NOUN_PHRASE = re.compile(
    r"的[^,。?!\s的了]{1,8}(?:呢)?\s*[。.]?$|(?:安排|行程|日程|计划|待办|任务|会议|事|事项|活动|账单|文件)\s*$"
)
"""A question that is nothing but what is looked for: 「上周跟你聊过的菜谱」."""

_HEADLESS = re.compile(r"^(?!.*是[^,。?]*的\s*[。?]?$).*的\s*[。?]?$", re.DOTALL)
"""A clause that stands for the things it tells of: 「今天下班前必须处理完的」."""

_HEADED_BY = (
    *_OWN_TALK, "plan_verb", "appointment", "due_word", "unresolved", "decide_verb", "create_verb",
)  # fmt: skip
"""What such a clause must tell of them."""

_BARE_TIME = re.compile(r"[\s呢啊呀哈嘛那□,]*[呢?][\s。!?]*")
"""What is left of a question that names a time and no more: 「昨儿呢」."""

_LAST_TIME = re.compile(r"(?:^|[,。?!\n]|我|咱们?)\s*(?:上次|上回|上一次|最近一次|第一次|头一次)")
"""An earlier time with nobody else for its doer."""

_MILESTONE = re.compile(
    r"(?:搬家|结婚|婚礼|订婚|领证|毕业|入学|入职|离职|转正|住院|出院|生孩子|满月|开业|交房)(?:那|的那|当)"
    r"|(?:哪年|什么时候|哪天|几号)[^,。?]{0,3}(?:搬|结婚|订婚|领证|毕业|入学|入职|离职|转正|住院|出院)[^,。?]{0,2}的"
)
"""A day of one's own life, by what happened on it."""

_DEED_OBJECT = re.compile(
    r"(?s)(?P<before>.*?)(?:[\u4e00-\u9fff]{1,2}|[a-z]+ ?)(?<![\u4e00-\u9fff]{3})[了过完](?:些|点)?"
    r"(?:什么|啥|哪些?|谁|几|多少)"
)
"""A past verb of one or two characters and what is asked of it; `before` is where its doer would stand."""

_VERB_FIRST = re.compile(
    r"(?:^|[,。?!])[\s□那]*\n(?:都|又|还|也|一共|总共|到底|就)*(?:"
    r"(?![^,。?]{0,6}的(?:人|大学|城市|国家|企业|公司|品牌|歌|电影))(?:"
    r"[吃喝穿洗睡坐骑逛爬游煮炒剪染丢捡借拿寄停修装拍录删存填搬租订退陪带找跟替]"
    r"|[买卖](?!家|点|方|断)|[看读](?!点|好|涨|跌|者|空)|写(?!真|实)|画(?!展|面|家)|听(?!证|众)|打(?!雷|折|响|击|工人)|跑(?!分|步机|路)|"
    r"开(?!盘|奖|播|幕|业|源|赛|市|放)|住(?!房|宅|建)|用(?!户|电)|花(?!旗|市|展|期)|换(?!届|帅)|收(?!盘|视|官)|取(?!消)|还(?!是|有)|付(?!费)|"
    r"充(?!电桩)|交(?!通|易|响|付)|送(?!检)|接(?!口|下)|和(?!平|谐)|给(?!力|出)|帮(?!派)|去(?!世|年|库|哪)|回(?!归|暖|落|调|应)|"
    r"学(?!校|术|界|生|者|历)|教(?!育|师|授)|聊(?!天机)|改(?!革|版|名)|查(?!处|封)|玩(?!家|具)|做(?!空|多)|弄|搞|加(?!息|州|拿)|把(?!握|关)))"
)
"""A time and at once a deed, with nobody named before either: the doer is the user."""

_HOUR_FIRST = re.compile(
    r"(?:^|[,。?!])[\s□那]*\n(?:都|又|还|也|就)*几点(?!日|天|关|停|封|限|涨|收盘|直播|发布|公布|放晴|下[雨雪]|开[盘门奖售抢播赛])"
    r"[\u4e00-\u9fff]"
)
"""A time, its hour asked and at once a deed: 「明天几点飞」."""

_DOER = re.compile(r"[\u4e00-\u9fff]{2,}|[a-z]{2,}")
_ONE_DECISION = re.compile(
    rf"(?:敲定|决定|谈妥|选定|约定|商定|定下|拍板|说好|统一|定)的(?!事|是|哪|什么|东西|内容|有){GAP}{{2,8}}?"
    r"(?:是|叫|为|有)?(?:什么|多少|哪|几|啥|谁|怎)"
)
"""The content of one thing settled: 「敲定的礼品预算是多少」."""


@dataclass(frozen=True, slots=True)
class NeedRule:
    """One kind of question."""

    name: str
    meaning: str
    query_type: QueryType
    applies: Callable[[Question], bool]


def _is_timed(question: Question) -> bool:
    return question.where != "none"


def _is_asked(question: Question) -> bool:
    if question.has(*ASKING) or _NOUN_PHRASE.search(question.cues.plain) or _is_bare_time(question):
        return True
    return question.has(*_HEADED_BY) and _HEADLESS.match(question.cues.plain) is not None


def _is_bare_time(question: Question) -> bool:
    return _is_timed(question) and _BARE_TIME.fullmatch(question.rest) is not None


def _is_own(question: Question) -> bool:
    """Whether the predicate is the user's own, or any past or open one about him or his circle."""
    if question.has(*OWN_PREDICATES):
        return True
    if question.has("first_person") and not _MAY.search(question.rest):
        return True
    is_told_or_open = question.has("past_mark", "wh_word", *_LOOKING) or question.where == "past"
    return _has_own_subject(question) and is_told_or_open


def _has_own_subject(question: Question) -> bool:
    return question.has(*OWN_SUBJECTS) or bool(question.people)


def _elides_user(question: Question) -> bool:
    """Whether a deed asked about has no other doer than the user.

    「昨天 review 了哪些」 and 「昨天停车停在哪」, not 「苹果发布了什么」.
    """
    if question.where == "future":
        return _HOUR_FIRST.search(question.rest) is not None
    if _VERB_FIRST.search(question.rest) and (question.where == "past" or question.has("past_mark")):
        return True
    found = _DEED_OBJECT.search(question.rest)
    return found is not None and not _DOER.search(found["before"])


def _goes_into_decision(question: Question) -> bool:
    """Whether the content, the reason or the fit of one decision is asked."""
    is_weighed = question.has("decide_verb") and question.has("reason", "comparison")
    return is_weighed or bool(_ONE_DECISION.search(question.cues.plain))


def _asks_apart_from_time(question: Question) -> bool:
    """Whether the user tells something and then asks something general: 「我下周去日本，要办签证吗」."""
    cues, clauses = question.cues, question.cues.clauses()
    if len(clauses) < 2:
        return False
    told, asked = clauses[0], clauses[-1]
    is_told = cues.has_within(told, *OWN_SUBJECTS, "deed", "past_mark") and not cues.has_within(told, *ASKING)
    is_topic = _TOPIC_CLAUSE.search(cues.plain[told[0] : told[1]]) is not None
    return is_told and not is_topic and not cues.has_within(asked, *OWN_SUBJECTS, *_BACKWARD)


CHAT_FIRST = (
    NeedRule("trapped", "a task, a public fact or small talk", "chat", lambda q: q.cues.trap is not None),
    NeedRule("counsel", "a thing told, then a general question", "chat", _asks_apart_from_time),
    NeedRule("not_asked", "nothing is asked", "chat", lambda q: not _is_asked(q)),
)
TIMED = (
    NeedRule("time_and_past_decision", "a range and what was settled before it", "mixed",
             lambda q: q.has("past_decision") or (q.has("earlier_adverb") and q.has("comparison", "settled"))),
    NeedRule("time_and_principle", "a range held against what has stood since", "mixed",
             lambda q: q.has("outcome_adverb") and q.has("comparison")),
    NeedRule("time_and_one_decision", "one decision of a range gone into", "mixed",
             lambda q: _is_own(q) and _goes_into_decision(q)),
    NeedRule("time_and_person", "a range and a predicate of the user's own", "personal_temporal_recall", _is_own),
    NeedRule("time_and_own_matter", "a look at what a person keeps account of", "personal_temporal_recall",
             lambda q: q.has(*_LOOKING) and q.has("own_matter")),
    NeedRule("time_and_elided_user", "a deed of nobody else", "personal_temporal_recall", _elides_user),
    NeedRule("time_and_recalled_plan", "a plan called back to mind", "personal_temporal_recall",
             lambda q: q.where == "future" and "来着" in q.rest),
    NeedRule("time_itself", "a look at nothing but the range", "personal_temporal_recall",
             lambda q: _is_bare_time(q) or (q.has(*_LOOKING) and not q.topics)),
    NeedRule("time_alone", "a range, but nothing of the user's own", "chat", lambda q: True),
)  # fmt: skip
UNTIMED = (
    NeedRule("open_matters", "what is still owed", "personal_temporal_recall",
             lambda q: q.has("unresolved", "done_query")),
    NeedRule("decision_of_before", "what was settled then", "memory",
             lambda q: q.has("past_decision") or (q.has("earlier_adverb", "outcome_adverb") and q.has("settled"))),
    NeedRule("own_before", "what one did or said before", "memory", lambda q: q.has("earlier_adverb", "that_time") and _is_own(q) and not _OUGHT.search(q.rest)),
    NeedRule("milestone", "a day of one's own life", "memory",
             lambda q: q.has("that_time", "first_person") and _MILESTONE.search(q.cues.plain) is not None),
    NeedRule("last_time", "when one last did it", "memory",
             lambda q: q.has("asks_when") and _LAST_TIME.search(q.cues.plain) is not None),
    NeedRule("reason_of_before", "why it came about", "memory",
             lambda q: q.has("reason") and (q.has("earlier_adverb") or (q.has("past_mark") and _has_own_subject(q)))),
    NeedRule("own_outcome", "how a matter of one's own came out", "memory",
             lambda q: q.has("outcome_adverb") and q.has("wh_word") and _has_own_subject(q)),
    NeedRule("one_decision", "what one settled", "memory",
             lambda q: q.has("decide_verb") and (q.has("first_person") or _goes_into_decision(q))),
    NeedRule("debt_ahead", "a debt, and when or which", "personal_temporal_recall",
             lambda q: q.has("due_word") and q.has("plan_noun", "matter", "asks_when")),
    NeedRule("affair_ahead", "when an affair is", "personal_temporal_recall",
             lambda q: q.has("asks_when") and q.has("affair")),
    NeedRule("own_talk_or_plans", "one's own talk or plans", "personal_temporal_recall",
             lambda q: (_has_own_subject(q) or q.has("told_assistant")) and q.has(*_OWN_TALK, *_OWN_PLANS)),
    NeedRule("nothing_personal", "nothing shows a question about the user's own life", "chat", lambda q: True),
)  # fmt: skip
NEED_RULES = (*CHAT_FIRST, *TIMED, *UNTIMED)
"""Kinds of question, for those with a time and for those without; the first that applies decides."""


def need_rule_of(question: Question) -> NeedRule:
    """The rule that says what a question needs."""
    rules: tuple[NeedRule, ...] = CHAT_FIRST + (TIMED if _is_timed(question) else UNTIMED)
    return next(rule for rule in rules if rule.applies(question))
