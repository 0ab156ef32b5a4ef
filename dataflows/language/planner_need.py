"""Which context a question needs: recall of a time, memory of a decision, both, or neither.

A time word never triggers recall by itself: something must be asked of it, in a question, a request to look, or a bare
noun phrase. What is asked of a time is taken to be the asker's own life, whoever is named in it, unless a word of the
world (`planner_world`), a task (`planner_traps`) or a call for counsel says otherwise. With no time, something must show
that the matter is the asker's own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from temporal_recall.dataflows.language.planner_question import STILL_TO_COME, Question
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

_HOW_TO = re.compile(r"(?:怎么|咋|如何)(?!样|了|没|回事|过|这|那|不|去|来|走|回)[\u4e00-\u9fff]")
"""Asks how a thing is done."""

_INSIDE_A_NAME = re.compile(r"(?:^|[,。?])[\u4e00-\u9fff]\n+[\u4e00-\u9fff](?:叫|是谁)")
"""A surname, what was read as a time, and a syllable: a name that holds 今天."""

_OUGHT = re.compile(r"(?<!应)该|应该|要注意|怎么才")
"""Asks for counsel, even where it speaks of a first or last time."""

_TOPIC_CLAUSE = re.compile(r"的[^,。?!的]{1,12}$|[里中上内]$")
"""A clause that only names what the next one asks about: 「下周要交的方案，…」."""

_AT_STAKE = re.compile(r"错过|耽误|赶不上|撞上|撞期")
"""Asks what of one's own plans suffers by the thing told: 「明天我不去公司，会错过什么」."""

_NOUN_PHRASE = re.compile(
    r"的[^,。?!\s的了]{1,8}(?:呢)?\s*[。.]?$|(?:安排|行程|日程|计划|待办|任务|会议|事|事项|活动|账单|文件)\s*$"
)
"""A question that is nothing but what is looked for: 「上周跟你聊过的菜谱」."""

_OWN_NOUN = re.compile(r"^[\s□我]*\n的?(?![^,。?!]*的)[^,。?!\s]{1,8}\s*$")
"""A time and a noun, and no more: 「上周的照片」."""

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

_WHICH_DAY = re.compile(
    r"[\s从起和]*(?:(?:是|在|算)?(?:几月)?(?:几号|哪一?天|哪两天|什么时候|什么日子|多少号|什么年|周几|星期几)|"
    r"(?<=\n)是?\n+[吗么]|(?<=是)\n+[吗么])"
    r"[呢啊呀\s?。]*|\s*(?:when|what day) is\s+(?:in)?\s*\??",
)
"""What is left of a question that asks only where a time stands among others: 「重阳节是什么时候」."""

_POINTED_AT = re.compile(r"那(?:边|[家次场件批份单笔位趟顿套]|个(?!词|字|题|梗|函数|按钮|软件|游戏|app))")
"""Points at what the asker knows and the assistant was not just told: 「郑州那边谈得怎么样」."""

_COURSE = re.compile(
    r"怎么?样了|咋样了|怎样了|到(?:哪一?|第几)步|(?:结果|下文|后续|回音)呢|有(?:没有)?(?:消息|回音|下文|结果)[了吗没]"
)
"""Asks how far a matter under way has come."""

_HOW_IT_WAS_DONE = re.compile(r"[\u4e00-\u9fff]得(?:怎么样|怎样|咋样|如何|好不好|顺不顺利?|顺利[吗么不])")
"""Asks how a deed came out: 「考得怎么样」; 「去三亚怎么样」 asks for counsel."""

_COMES_TO_US = re.compile(
    r"(?:什么时候|啥时候|几时|哪天|几[点号]|(?:周|礼拜|星期)几)(?:能|才|会|可以)?(?:来(?=[修装送拿取接量看收换查搬打])|上门)"
)
"""Asks when somebody comes to the asker's door: 「修热水器的什么时候来看」."""

_AHEAD = re.compile(r"接下来|往后|之后|后面|以后|下一[个场次]")
"""Ahead, without bounds."""

_DAY_IT_WAS = re.compile(r"(?:哪天|几号|几点|周几|星期几|礼拜几)(?!发生)[^,。?\s的]{1,4}的\s*[?。]?$")
"""Nobody asks for the day or the hour of what history tells: 「尾款是哪天到的」."""

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
    if question.has(*ASKING) or _is_noun_phrase(question) or _is_bare_time(question):
        return True
    return question.has(*_HEADED_BY) and _HEADLESS.match(question.cues.plain) is not None


def _is_noun_phrase(question: Question) -> bool:
    return _NOUN_PHRASE.search(question.cues.plain) is not None


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


def _asks_in_general(question: Question) -> bool:
    """Whether what may or ought to be is asked, how a thing is done, or what a name is: no record tells it."""
    if _INSIDE_A_NAME.search(question.rest):
        return True
    is_told = question.has("past_mark") or (question.has("first_person") and question.where == "past")
    return bool(_MAY.search(question.rest) or (_HOW_TO.search(question.rest) and not is_told))


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
    is_topic = _TOPIC_CLAUSE.search(cues.plain[slice(*told)]) is not None
    is_at_stake = _AT_STAKE.search(cues.plain[slice(*asked)]) is not None
    return is_told and not is_topic and not is_at_stake and not cues.has_within(asked, *OWN_SUBJECTS, *_BACKWARD)


CHAT_FIRST = (
    NeedRule("trapped", "a task, a public fact or small talk", "chat", lambda q: q.cues.trap is not None),
    NeedRule("counsel", "a thing told, then a general question", "chat", _asks_apart_from_time),
    NeedRule("which_day", "the calendar itself: one time told by another", "chat",
             lambda q: _is_timed(q) and _WHICH_DAY.fullmatch(q.rest) is not None),
    NeedRule("not_asked", "nothing is asked", "chat", lambda q: not _is_asked(q)),
)  # fmt: skip
TIMED = (
    NeedRule("time_and_past_decision", "a range and what was settled before it", "mixed",
             lambda q: q.has("past_decision") or (q.has("earlier_adverb") and q.has("comparison", "settled"))),
    NeedRule("time_and_principle", "a range held against what has stood since", "mixed",
             lambda q: q.has("outcome_adverb") and q.has("comparison")),
    NeedRule("time_and_one_decision", "one decision of a range gone into", "mixed",
             lambda q: _is_own(q) and _goes_into_decision(q)),
    NeedRule("time_and_person", "a range and a predicate of the user's own", "personal_temporal_recall", _is_own),
    NeedRule("time_and_own_matter", "a look at what a person keeps account of", "personal_temporal_recall",
             lambda q: q.has("own_matter") and (q.has(*_LOOKING) or _OWN_NOUN.search(q.rest) is not None)),
    NeedRule("time_itself", "a look at nothing but the range", "personal_temporal_recall",
             lambda q: _is_bare_time(q) or (q.has(*_LOOKING) and not q.topics)),
    NeedRule("time_and_question", "a range asked about, with no mark of the world", "personal_temporal_recall",
             lambda q: q.has(*ASKING) and (bool(q.people) or not _asks_in_general(q))),
    NeedRule("time_alone", "a range, and nothing asked of it but what may or ought to be", "chat", lambda q: True),
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
    NeedRule("day_it_was", "on which day a thing came about", "personal_temporal_recall",
             lambda q: q.has("asks_when") and _DAY_IT_WAS.search(q.cues.plain) is not None),
    NeedRule("moved_ahead", "to when an affair was put off", "personal_temporal_recall", lambda q: q.has("moved")),
    NeedRule("plans_ahead", "what is planned, without bounds", "personal_temporal_recall",
             lambda q: q.has("plan_noun") and _AHEAD.search(q.rest) is not None),
    NeedRule("course", "how far a matter has come, or how one stands that is pointed at", "personal_temporal_recall",
             lambda q: q.has("wh_word", "yes_no") and (_COURSE.search(q.rest) or _POINTED_AT.search(q.rest)) is not None
             and not _MAY.search(q.rest)),
    NeedRule("deed_of_ones_own", "how a deed of one's own people came out", "personal_temporal_recall",
             lambda q: _has_own_subject(q) and _HOW_IT_WAS_DONE.search(q.rest) is not None),
    NeedRule("own_deed", "who did what, or when, of one's own people", "personal_temporal_recall",
             lambda q: q.has("known_person") and q.has("past_mark") and q.has("wh_word", "yes_no")),
    NeedRule("plan_that_stands", "whether one's own plan still stands", "personal_temporal_recall",
             lambda q: _has_own_subject(q) and STILL_TO_COME.search(q.rest) is not None),
    NeedRule("comes_to_us", "when somebody comes", "personal_temporal_recall",
             lambda q: _COMES_TO_US.search(q.cues.plain) is not None),
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
