"""Feasts by name: the words people use, and the library entry that dates each of them.

The dates are those of `lunar_python`'s tables (solar, weekday and lunar feasts) and of Easter's reckoning; here are
only the words: short names and variants, and which feasts bring announced days off.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from temporal_recall.dataflows.zh_time import almanac
from temporal_recall.dataflows.zh_time.feasts_abroad import ABROAD_FEASTS, EASTER_FEASTS, span_abroad

_VARIANTS = {
    "元旦节": ("元旦", "新年", "阳历新年", "公历新年"),
    "情人节": ("情人节", "西方情人节", "圣瓦伦丁节"),
    "妇女节": ("妇女节", "三八妇女节", "三八节", "国际妇女节", "国际劳动妇女节", "三八国际妇女节", "女神节"),
    "女生节": ("女生节",),
    "植树节": ("植树节", "国际植树节"),
    "消费者权益日": ("消费者权益日", "国际消费者权益日", "三一五消费者权益日", "315消费者权益日"),
    "愚人节": ("愚人节",),
    "劳动节": ("劳动节", "五一劳动节", "国际劳动节", "五一国际劳动节"),
    "青年节": ("青年节", "五四青年节"),
    "儿童节": ("儿童节", "六一儿童节", "国际儿童节", "六一国际儿童节", "61儿童节"),
    "建党节": ("建党节", "七一建党节", "建党日"),
    "建军节": ("建军节", "八一建军节"),
    "教师节": ("教师节",),
    "国庆节": ("国庆节", "国庆", "十一国庆节", "十一国庆", "国庆日"),
    "平安夜": ("平安夜", "圣诞前夜", "圣诞夜", "圣诞节前夜", "圣诞节前夕"),
    "圣诞节": ("圣诞节", "圣诞", "耶诞节", "耶诞"),
    "万圣节前夜": ("万圣节前夜", "万圣夜", "万圣节前夕"),
    "万圣节": ("万圣节",),
    "护士节": ("护士节", "国际护士节"),
    "光棍节": ("光棍节", "双十一", "双11"),
    "白色情人节": ("白色情人节",),
    "网络情人节": ("520情人节", "网络情人节"),
    "世界地球日": ("世界地球日", "地球日"),
    "世界读书日": ("世界读书日", "读书日"),
    "世界环境日": ("世界环境日", "环境日"),
    "中国医师节": ("中国医师节", "医师节"),
    "记者节": ("记者节",),
    "程序员节": ("程序员节",),
    "中国烈士纪念日": ("烈士纪念日",),
    "国家公祭日": ("国家公祭日", "公祭日"),
    "世界艾滋病日": ("世界艾滋病日", "艾滋病日"),
    "母亲节": ("母亲节",),
    "父亲节": ("父亲节",),
    "感恩节": ("感恩节",),
    "春节": ("春节", "新春", "农历新年", "农历年", "大年初一", "大年正月初一", "过大年", "过年", "中国新年", "旧历新年", "正月正时", "华人新年"),
    "除夕": ("除夕夜", "除夕", "大年三十", "年三十", "大年夜", "大年30", "年三十晚", "大年卅", "年卅晚", "大年三十晚", "年廿九", "岁除"),
    "元宵节": ("元宵节", "元宵", "上元节", "灯节"),
    "龙头节": ("龙抬头", "龙头节", "二月二龙抬头"),
    "端午节": ("端午节", "端午", "端阳节", "龙舟节", "端五"),
    "七夕节": ("七夕节", "七夕", "乞巧节", "中国情人节"),
    "中元节": ("中元节", "鬼节", "盂兰节", "盂兰盆节"),
    "中秋节": ("中秋节", "中秋", "八月节", "仲秋节"),
    "重阳节": ("重阳节", "重阳", "老人节"),
    "腊八节": ("腊八节", "腊八"),
    "下元节": ("下元节",),
    "寒衣节": ("寒衣节",),
    "北方小年": ("小年夜", "小年"),
    "尾牙": ("尾牙",),
    "清明": ("清明节", "清明", "扫墓节"),
    "寒食节": ("寒食节",),
    "双十二": ("双十二", "双12"),
    "双十节": ("双十节",),
    "跨年": ("跨年夜", "跨年"),
}  # fmt: skip
_SHORT = {
    "五一": "劳动节", "十一": "国庆节", "六一": "儿童节", "八一": "建军节", "七一": "建党节", "五四": "青年节", "三八": "妇女节",
    "五二零": "网络情人节", "520": "网络情人节", "618": "年中购物节",
}  # fmt: skip
_OWN_SOLAR = {"年中购物节": (6, 18), "双十二": (12, 12), "双十节": (10, 10), "跨年": (12, 31)}
_OWN_LUNAR = {"北方小年": (12, 23), "除夕": (12, 30)}
_PUBLIC = {"元旦节", "春节", "除夕", "清明", "劳动节", "端午节", "中秋节", "国庆节"}


@dataclass(frozen=True, slots=True)
class Feast:
    """A feast by its library name, and whether it brings announced days off."""

    name: str
    public: bool = False

    def span(self, year: int) -> tuple[date, date] | None:
        """The first day and the day after the last in a year, the lunar year for lunar feasts; None where it has none."""
        return _span_of(self.name, year)


_NAMES = {word: name for name, words in _VARIANTS.items() for word in (*words, name)}
_NAMES |= {word: word for word in (*EASTER_FEASTS, *ABROAD_FEASTS)}
_TABOO = r"(?!出生|路|门|镇|村|街|寺|上河图|时节雨|晚会|联欢会|档)(?:(?<!晚)|(?!上))"
FEAST_PATTERN = "(?:" + "|".join(sorted(map(re.escape, _NAMES), key=len, reverse=True)) + ")" + _TABOO
_COMPANY = r"假期|长假|小长假|黄金周|期间|那几天|那天|当天|放假|节(?!约)|前|后|之前|之后|以前|以后|去|回|出|晚上|下午|上午|早上|我|你|的时候|时候|大促|囤|预售|活动|$|[，。？！?!,]"
FEAST_WITH_SUFFIX = rf"(?P<short>五一|十一|六一|八一|七一|五四|三八|520|五二零|618)(?:国际)?(?![月号日点年个天周路广场运动校厂学中小])(?=(?:{_COMPANY}))|(?<![零一二三四五六七八九十百千第])(?P<short2>五一|十一)(?=调休|[加值]班|旅游|出游|回来|返程|怎么|哪|票|[不有想要在打放订玩])"


FEAST_WORDS = (*_NAMES, *_SHORT)
"""Every word for a feast."""


@lru_cache(maxsize=512)
def feast_named(word: str) -> Feast:
    """The feast that a word names."""
    name = _SHORT.get(word) or _NAMES[word]
    return Feast(name, public=name in _PUBLIC)


@lru_cache(maxsize=4096)
def _span_of(name: str, year: int) -> tuple[date, date] | None:
    if name in EASTER_FEASTS or name in ABROAD_FEASTS:
        return span_abroad(name, year)
    day = _day_of(name, year)
    return (day, day + timedelta(days=1)) if day else None


def _day_of(name: str, year: int) -> date | None:
    if name in _OWN_LUNAR:
        return almanac.lunar_day(year, *_OWN_LUNAR[name])
    if name in ("清明", "寒食节"):
        return almanac.solar_terms(year)["清明"] - timedelta(days=name == "寒食节")
    if name in _OWN_SOLAR:
        return date(year, *_OWN_SOLAR[name])
    return almanac.tabled_feast(name, year)
