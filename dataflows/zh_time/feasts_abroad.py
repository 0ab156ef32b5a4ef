"""Feasts of other cultures by their Chinese names: those of Easter's reckoning, and those that `holidays` dates.

The feasts of Easter lie so many days from Easter Sunday, in the western or the orthodox reckoning. Of the others the
library knows the day in one country; Jewish feasts begin on the evening before the day it gives.
"""

from __future__ import annotations

import warnings
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from temporal_recall.dataflows.zh_time import almanac

_OF_EASTER = {
    -47: "忏悔节 忏悔火曜日 忏悔星期二 薄饼日", -46: "大斋首日 圣灰日 圣灰礼仪日 圣灰星期三", -7: "棕枝主日 圣枝主日 圣树主日",
    -3: "神圣星期四 圣周四 濯足节 濯足日", -2: "耶稣受难日 耶稣受难节 主受难日 受难日 受难节 圣周五 沈默周五 沉默周五",
    -1: "神圣周六 圣周六 复活节前夜 耶稣升天前夜", 0: "复活节 主复活日", 1: "复活节星期一 复活节翌日", 39: "耶稣升天节 升天节",
    49: "五旬节 圣灵降临节", 50: "圣灵节庆日", 56: "圣三一主日 天主圣三一节 圣三主日 圣三一节", 60: "基督圣体节 基督圣体圣血节",
}  # fmt: skip
_OF_ORTHODOX_EASTER = {-8: "拉撒路圣周六 拉匝路圣周六"}
_EASTER = {word: (days, False) for days, words in _OF_EASTER.items() for word in words.split()}
_ORTHODOX = {f"东正教{word}": (days, True) for word, (days, _) in _EASTER.items()}
_LAZARUS = {word: (days, True) for days, words in _OF_ORTHODOX_EASTER.items() for word in words.split()}
EASTER_FEASTS = _EASTER | _ORTHODOX | _LAZARUS
"""Word -> days from Easter Sunday, and whether in the orthodox reckoning."""


class _Abroad(NamedTuple):
    """Where the library dates a feast and under what name; how many days before that it begins, and how many it lasts."""

    country: str
    name: str
    before: int = 0
    days: int = 1


_DATED_ABROAD = {
    _Abroad("IN", "Diwali"): "排灯节 印度灯节 屠妖节", _Abroad("IN", "Holika Dahan"): "洒红节 侯丽节 欢悦节 五彩节 好利节",
    _Abroad("IN", "Raksha Bandhan"): "印度兄妹节 兄妹节", _Abroad("IN", "Dussehra"): "十胜节 凯旋节", _Abroad("IN", "Onam"): "欧南节",
    _Abroad("SG", "Vesak Day"): "卫塞节 威瑟节 佛诞节", _Abroad("TR", "Eid al-Fitr"): "开斋节 尔代节 肉孜节",
    _Abroad("TR", "Eid al-Fitr", 30, 30): "斋月 穆斯林斋月 斋戒月", _Abroad("TR", "Eid al-Fitr", 4): "法令之夜 权力之夜 盖德尔夜",
    _Abroad("TR", "Eid al-Adha"): "古尔邦节 宰牲节 忠孝节", _Abroad("MA", "Islamic New Year"): "伊斯兰新年 伊斯兰教新年 回历新年",
    _Abroad("IN", "Prophet's Birthday", 1): "圣纪节 圣纪", _Abroad("ID", "Isra' and Mi'raj"): "登霄节",
    _Abroad("IL", "Yom Kippur", 1): "赎罪日", _Abroad("IL", "Rosh Hashanah", 1, 3): "犹太新年 犹太历新年",
    _Abroad("IL", "Pesach", 1, 9): "逾越节", _Abroad("IL", "Shavuot", 1, 3): "七七节 收获节 新果实节",
    _Abroad("IL", "Sukkot", 1, 9): "住棚节", _Abroad("IL", "Hanukkah", 1, 8): "修殿节 献殿节 烛光节 哈努卡节 马加比节",
    _Abroad("IL", "Purim", 1): "普珥节 普林节", _Abroad("IL", "Tisha B'Av", 1): "圣殿被毁日", _Abroad("IL", "Lag BaOmer", 1): "篝火节",
    _Abroad("IL", "Independence Day", 1): "以色列独立日 以色列国庆节", _Abroad("IL", "Simchat Torah / Shemini Atzeret", 1): "圣会节",
    _Abroad("IL", "Simchat Torah / Shemini Atzeret"): "西赫托拉节 西赫妥拉节 诵经节 转经节 妥拉节 欢庆圣法节",
}  # fmt: skip
ABROAD_FEASTS = {word: feast for feast, words in _DATED_ABROAD.items() for word in words.split()}
"""Word -> where the library dates the feast."""


def span_abroad(word: str, year: int) -> tuple[date, date] | None:
    """The first day and the day after the last of a feast of another culture; None where the library knows none."""
    if word in EASTER_FEASTS:
        days, orthodox = EASTER_FEASTS[word]
        first = almanac.easter(year, orthodox) + timedelta(days=days)
        return first, first + timedelta(days=1)
    feast = ABROAD_FEASTS[word]
    dated = [day for day, names in _holidays(feast.country, year).items() if _is_named(names, feast.name)]
    if not dated:
        return None
    start = min(dated) - timedelta(days=feast.before)
    return start, start + timedelta(days=feast.days)


def _is_named(names: str, name: str) -> bool:
    """Whether one of a day's names is the feast's, be it observed or reckoned in advance."""
    return not {name, f"{name} (observed)", f"{name} (estimated)"}.isdisjoint(names.split("; "))


@lru_cache(maxsize=256)
def _holidays(country: str, year: int) -> dict[date, str]:
    """The holidays of a country in a year by the library, named in English."""
    import holidays

    categories = getattr(holidays, country).supported_categories
    english = "en_US" if "en_US" in getattr(holidays, country).supported_languages else None
    with warnings.catch_warnings():  # it warns of years that it has no tables for; they come back without the feast
        warnings.simplefilter("ignore")
        found = holidays.country_holidays(country, years=year, categories=categories, language=english)
    return {day: str(name) for day, name in found.items()}
