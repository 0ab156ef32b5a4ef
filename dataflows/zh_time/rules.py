"""All rules in the order in which the scanner tries them, and the cheap test that text holds no time word at all."""

from __future__ import annotations

import re

from temporal_recall.dataflows.zh_time import (
    rules_calendar,
    rules_clock,
    rules_english,
    rules_feast,
    rules_glue,
    rules_length,
    rules_lookalike,
    rules_numeric,
    rules_relative,
    rules_vague,
    rules_zone,
)
from temporal_recall.dataflows.zh_time.lexer import Rule, Scanner

RULES: tuple[Rule, ...] = (
    *rules_lookalike.RULES,
    *rules_numeric.RULES,
    *rules_vague.RULES,
    *rules_glue.EVERY_RULES,
    *rules_feast.RULES,
    *rules_relative.RULES,
    *rules_length.REACH_RULES,
    *rules_clock.RANGE_RULES,
    *rules_calendar.RULES,
    *rules_length.RULES,
    *rules_clock.RULES,
    *rules_zone.RULES,
    *rules_english.RULES,
    *rules_glue.RULES,
)
"""Every rule. An earlier rule wins where two match at one place."""

SCANNER = Scanner(list(RULES))

_DIGIT = "0-9０-９零〇○一二三四五六七八九十百两兩廿卅壹贰叁肆伍陆柒捌玖拾半几幾"
_HINT = re.compile(
    rf"[{_DIGIT}][ 　]?[年月日号號点點时時分秒刻周週天小个個多星礼禮季旬世工晚夜钟鐘/\-.:：·～~—到至，,]|[{_DIGIT}]{{2}}|[今昨明去前后後尋寻琴噚聽听当當本即次翌这這][天日晚早晨夜年朝儿兒]"
    r"|[上下这這本今当當该該前每大半整][周週星礼禮月个個季年半学學旬一天][期拜一末]?|周[一二三四五六日天末]|週[一二三四五六日天末]|星期|礼拜|禮拜|最近|近[日来來期年几幾]|刚|剛|现在|現在|此[时刻時]|当前|當前|目前|如今|依家|而家"
    r"|[凌清早上下中正午傍黄晚夜深半黎拂破晏][晨早上午间間昼晝里裡昏夜明晓曉]|[节節]|[益球书書境祭念病]日|国庆|國慶|五一|六一|元旦|除夕|春[节天季節]|新[春年]|正月|[腊臘冬]月|初[一二三四五六七八九十]|[上中下]旬|年[初中底末头頭终三夜]|月[初中底末头頭尾]"
    r"|[春夏秋冬][天季]|圣诞|聖誕|中秋|端午|清明|重阳|重陽|元宵|七夕|双十|雙十|小年|[立春夏秋冬][春夏秋冬分至]|惊蛰|驚蟄|谷雨|穀雨|芒种|芒種|[小大][暑寒雪满滿]|处暑|處暑|[白寒]露|霜降|雨水"
    r"|[每天周月年隔逢][天周月年季晚早日个個隔小分秒]|[双雙单單][周週]|未来|未來|将来|將來|接下|今后|今後|[过過]去|往[前后後]|前[阵陣段些不几幾两兩]|[过過这這][几幾两兩些阵陣段]|[待等稍晚改随隨][会會后後一些点點天日]|马上|馬上|立[刻即]|方才|适才|工作日|下班|学期|學期|学年|學年"
    r"|[夜午]|世纪|世紀|年代|民国|民國|元年|(?i:day|week|month|year|night|noon|morning|afternoon|evening|[0-9] ?[ap]\.?m|hour|minute|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|q[1-4]|now|recent|lately|weekend|tmr|decade)",
)


def may_hold_time(text: str) -> bool:
    """Whether unfolded text holds anything that a time word is made of; False is certain, True is not."""
    return _HINT.search(text) is not None
