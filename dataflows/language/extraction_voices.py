"""Voices: whose words a record holds, and what kind of writing they are. Only the user's own words become events."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd

from temporal_recall.dataflows.columns import Flags, is_one_of, matches, named_by, texts
from temporal_recall.dataflows.language.extraction_words import words
from temporal_recall.schemas.columns import told

BROWSING_APPS = frozenset(
    words(
        "browser chrome safari edge firefox arc brave google baidu bing taobao tmall jd pinduoduo xianyu "
        "xiaohongshu douyin "
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
    r"^\s*(?:def |class |import |from \w+ import|SELECT |INSERT |UPDATE |CREATE |git |docker |kubectl |curl |"
    r"npm |pip |sudo )"
    r"|[{};]\s*$|=>|\(\)\s*[{:;]|^\s*<\w+[ >]|^\S+\.\w+\([^)]*\)$"
)
_TASK_SHAPE = re.compile(
    r"^(?:请|帮我|麻烦|帮忙)?(?:把.{0,12})?(?:翻译|润色|改写|校对|总结|概括|缩写|扩写|translate|proofread)",
    re.IGNORECASE,
)
_ADDRESS_SHAPE = re.compile(r"^\s*(?:https?://|www\.)\S+\s*$")


_WORKS = (
    "歌|歌词|戏|剧|电视剧|电影|片子|综艺|动漫|漫画|小说|书|绘本|课文|故事|童话|小品|相声|段子|台词|脱口秀|"
    "弹幕|评论|作文|周记|日记|新闻|报纸|广播|电台|微博|朋友圈|抖音|"
    "快手|视频号|公众号|小红书|贴吧|知乎|帖子|网上|热搜|电视|直播间|广告|海报"
)
_STRANGERS = (
    "楼[上下]|隔壁|对面|门口|路边|街口|邻居|店员|老板娘|小哥|司机|大爷|大妈|大叔|网友|群里|有人|人家|别人|"
    "同事|同学|朋友|亲戚|病人|乘客|顾客"
)
_ONCE = (
    r"^[^，。\s]{0,6}(?:小时候|(?:小学|初中|高中|大学|上学|读书|年轻|单身)的?(?:时候|那会|那阵|那时)|想?当年|"
    r"那些年|从前|记得(?:以前|那年|刚))"
)
"""How a recollection of long ago begins."""
_TALE_SHAPE = (
    rf"{_ONCE}|"
    rf"^[^，。\s]{{0,8}}(?:{_WORKS})(?:里面?|上|中)(?:的|有|那|说|写|唱|讲|演|看|又|女主|男主|"
    rf"[^，。\s]{{0,8}}(?:说|写|唱|讲|演))|"
    rf"^[^，。\s]{{0,4}}(?:{_WORKS})(?:称|报道|爆料)|"
    rf"^[^，。\s]{{0,4}}(?:歌|歌词|电视剧|电影|小说|新闻|报纸|广播|电台|微博|热搜|电视)说|"
    rf"^(?:段子|笑话|金句|歌词|台词|原文|摘抄|转发?)[:：]|"
    r"^[^，。]{0,6}(?:做梦|做了个梦|梦见|梦到|梦里)|水逆|星座(?:说|书|运)|运势|塔罗|^[^，。]{0,4}算命|黄历|"
    r"(?:白羊|牡羊|金牛|双子|巨蟹|狮子|处女|天秤|天蝎|射手|摩羯|水瓶|双鱼)座|"
    r"(?:别|莫|勿|不要|不许|千万别)(?:外传|往外说|说出去|告诉别人|到处说|声张)|"
    r"^(?:俗话|老话|古话|常言|谚语|人们?都?说|古人|鲁迅|孔子)|"
    rf"^(?:听说|听讲)?(?:{_STRANGERS})[^，。\s]{{0,8}}说[^，。\s]{{0,3}}(?:他|她)(?:们|家|老|儿|女|闺|孩|妈|爸|"
    rf"哥|姐|弟|妹|表|堂|侄|外|同|朋|邻|公司|店|单位|学校)|"
    rf"^(?:听说|听讲)?(?:{_STRANGERS})的(?:表|堂|儿|女|弟|妹|哥|姐|老|朋|同|侄|闺|孩|对象|男|亲)|"
    r"^[^，。]{0,10}长大(?:了|以后|后|之后)?(?:要|想|当|做|就|也)|"
    r"^(?:国足|国乒|国安|男足|女足|男篮|女篮|女排|国家队|大盘|[aA]股|股市|港股|美股|油价|金价|房价|汇率|央行|"
    r"某明星|官宣)"
)
"""How a message begins that passes on a work, a dream, the stars, gossip, or the news of strangers."""

_OWN_PART = (
    r"[\s，。！!](?:那|所以|于是|但)?(?:我|咱)(?:们)?(?:还是|也|就|都|得|要|先|决定|打算|准备|今|明|后|下|周|这)"
)
"""What the user adds of their own; the tale then is only its cause."""

_ADVERT_SHAPE = (
    r"退订|回[TtNn]退|点击(?:领取|链接|查看|参与)|领取(?:优惠|红包|福利|好礼)|限时(?:抢|优惠|特|折)|满\d+减|"
    r"全场[\d.一二三四五六七八九]+折|恭喜您|"
    r"取件码|验证码|扫码(?:领|关注)|诚招|诚聘|砍一刀"
)
"""Words of adverts and of messages that machines send to everyone."""


def voices(evidence: pd.DataFrame) -> pd.Series:
    """Whose words each record holds: source, assistant, other, search, document, code, address, memory, advert, tale or own.

    `source` states an event itself; `memory` tells of the user in the third person; an `advert` is sent to everyone, a
    `tale` passes on what others made up, dreamt or lived. Only `own` and `memory` are read.
    """
    app, kind, text = evidence["app"].str.lower(), evidence["field_kind"], evidence["text"]
    is_note, is_message = is_one_of(app, *NOTE_APPS), is_one_of(kind, "message")
    choices = {
        "source": evidence["event_start"].notna().to_numpy(),
        "assistant": is_one_of(evidence["role"], "assistant"),
        "other": evidence["author"].notna().to_numpy(),
        "search": is_one_of(kind, "search") | (is_one_of(app, *BROWSING_APPS) & ~is_message),
        "code": is_one_of(kind, "code") | is_one_of(app, *CODE_APPS) | _has_shape(text, _CODE_SHAPE),
        "address": is_one_of(kind, "url") | _has_shape(text, _ADDRESS_SHAPE),
        "document": ~is_note
        & (is_one_of(kind, "document") | is_one_of(app, *DOCUMENT_APPS) | _has_shape(text, _DOCUMENT_SHAPE))
        | _has_shape(text, _TASK_SHAPE),
        "memory": matches(told(evidence["source"]), "^memory"),
        "advert": matches(told(text), _ADVERT_SHAPE),
        "tale": matches(told(text), _TALE_SHAPE) & ~matches(told(text), _OWN_PART),
    }
    return pd.Series(texts(named_by(choices, (*choices, "own"), "own").texts()), index=evidence.index)


def _has_shape(text: pd.Series, shape: re.Pattern[str]) -> Flags:
    return np.array([shape.search(t) is not None for t in text.tolist()], dtype=bool)
