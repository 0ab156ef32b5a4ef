"""Words that only look like a time: idioms, names, titles, compounds, quantities. Matching one consumes it."""

from __future__ import annotations

import re
from re import Match

from temporal_recall.dataflows.zh_time.lexer import Rules, first_characters
from temporal_recall.dataflows.zh_time.numerals import DIGITS, FIGURES
from temporal_recall.dataflows.zh_time.tokens import Mark

RULES = Rules()

IDIOMS = (
    "一日之计在于晨 一年之计在于春 一日之计 一年之计 日久见人心 日久生情 一日不见 昨日之日 明日复明日 今日事今日毕 择日不如撞日 三天两头 三年五载 三天打鱼 三天打渔 两天晒网"
    " 十年寒窗 十年树木 十年磨一剑 十年河东 十年如一日 十年生死 百年好合 百年树人 百年大计 百年老店 百年孤独 百年不遇 百年难遇 千年等一回 千年古 千年老 万年 一朝一夕 朝三暮四 朝九晚五"
    " 朝九晚六 一天到晚 日新月异 夜以继日 日日夜夜 日以继夜 度日如年 岁月 年年岁岁 岁岁年年 日复一日 年复一年 今非昔比 一时半会儿 一时半会 一时之间 一时兴起 一时冲动 一时糊涂 一时半刻"
    " 好久不见 天天向上 一年到头 成年累月 长年累月 经年累月 早出晚归 早晚会 早晚要 早晚有一天 迟早 一日三餐 一年四季 四季如春 秋后算账 春去秋来 寒来暑往 冬暖夏凉 春困秋乏 日积月累 旷日持久"
    " 三更半夜不睡 今朝有酒 明日黄花 昨是今非 一周岁 三岁看老 多事之秋 千秋万代 春华秋实 春风得意 秋高气爽 一日千里 三月不知肉味 六月飞雪 七月流火 五黄六月 寒冬腊月 正月里来 八月桂花香"
    " 三分钟热度 五分钟热度 分分钟 一分钟都不 一秒都不 一刻不停 一刻也不 一分一秒 每时每刻 时时刻刻 无时无刻 此时无声 一点一滴 有一点 差一点 多一点 快一点 早一点 晚一点 慢一点 小一点 大一点"
    " 少一点 好一点 一点半点 半路 半边 半价 半成品 半导体 半斤 半点 半夜鸡叫 半年报 半天没 半日闲 前半生 后半生 下半身 上半身 前半段 后半段 上半场 下半场 日后再说 日夜兼程 初一十五 初来乍到"
    " 周而复始 众所周知 四周 天真 后天下之乐 先天下".split()
)
NAMES = (
    "今日头条 明日方舟 明日之后 今日说法 昨日重现 明日香 明日科技 明天系 明天会更好 七日杀 后天性 后天免疫 后天形成 后天努力 后天获得 后天培养 后天因素 后天习得 后天教育 后天教养 后天环境 后天缺陷"
    " 周杰伦 周星驰 周润发 周恩来 周华健 周树人 周冬雨 十月革命 五四运动 九一八 七七事变 一二九运动 三八线 八一厂 八一队 七一勋章 五月天 六月雪 九月天 一月天 早春二月 十月围城 二月河 七月与安生"
    " 春节联欢晚会 春晚 中秋晚会 双十协定 清明上河图 清明时节 春夏秋冬 夏天的风 冬天里的一把火 早安 晚安 午安 早餐 早饭 早点铺 早点摊 早点店 午饭 午餐 晚饭 晚餐 晚会 晚宴 晚婚 晚辈 晚年 晚期 午休 夜宵 宵夜 早茶"
    " 下午茶 早操 夜班 早班 晚班 中班 年夜饭 午睡 日报 周报 月报 季报 年报 早报 晚报 日记 周记 月饼 周刊 月刊 季刊 年刊 日常 日志 日历 月历 年历 年货 年终奖 年会 月薪 年薪 日薪 周薪 周边 周围 周转"
    " 周期 月经 月球 月台 月亮 日本 日语 日元 日子 日程表 世纪佳缘 世纪城 世纪大道 世纪公园 世纪联华 世纪金源 世纪末 年代感 时代 天天快报 天天基金 天天酷跑 每日优鲜 每日经济新闻 前年轻 新年糕 下个月亮 上个月亮"
    " 端午路 国庆路 中秋路 五一路 五一广场 八一路 八一广场 五四广场 五四路 六一路 三八路 解放路 中山路 十一中 八一中学 五一中路 重阳木 清明菜 元宵馅 元宵佳节快乐 新春快乐 新年快乐 节日快乐 中秋快乐 国庆快乐"
    " 圣诞快乐 元旦快乐 端午安康 生日快乐 周末愉快 周末快乐 早上好 上午好 中午好 下午好 晚上好 小雪人 大雪纷飞 大雪封 谷雨茶 雨前茶 明前茶 大寒潮 小寒窗 白露酒 春分线 夏至未至 冬至饺子 立夏蛋 小满足 惊蛰无名"
).split()
"""Names, titles and compounds that hold a time word without meaning the time."""


def _any_of(words: tuple[str, ...] | list[str]) -> str:
    return "|".join(map(re.escape, sorted(set(words), key=len, reverse=True)))


@RULES(
    "idiom",
    first_characters(IDIOMS) + "一",
    _any_of(IDIOMS) + r"|一点(?=都|也|点|儿|就|不|没|通|小|意见|想法|建议|问题|都)",
)
def _idiom(m: Match[str]) -> Mark:
    return Mark("dead")


@RULES("name", first_characters(NAMES), _any_of(NAMES))
def _name(m: Match[str]) -> Mark:
    return Mark("dead")


@RULES(
    "identifier",
    DIGITS + "#abcdefghijklmnopqrstuvwxyz版",
    r"(?<![0-9a-z])(?:v|ver|version|版本)[ ]?[0-9]{1,4}(?:\.[0-9]{1,5}){1,4}|[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?::[0-9]{1,5})?|https?://[^\s一-龥]{1,2000}|[0-9]{1,3}/[0-9]{1,3}[gG](?![a-z])"
    r"|(?:[0-9]{1,9}\.){2,8}[0-9]{1,9}(?=版|系统|[ ]?release)|#[ ]?[0-9]{1,12}|[a-z]{1,20}[-_][0-9]{1,12}(?:[-_.][0-9a-z]{1,12}){0,6}|[0-9]{9,40}",
)
def _identifier(m: Match[str]) -> Mark:
    return Mark("dead")


@RULES(
    "quick-lesson",
    DIGITS + FIGURES + "两几十半",
    r"[0-9一二两三四五六七八九十几半]{1,3}(?:个)?(?:分钟|小时|天|周|月|秒钟?|招)(?=(?:就|即可|快速|轻松|内)?(?:学会|教你|搞定|看懂|读懂|速成|上手|入门|带你|搞懂|掌握|精通))",
)
def _quick_lesson(m: Match[str]) -> Mark:
    return Mark("dead")


@RULES("ratio", "概比胜赔配", r"(?:比分|比例|赔率|比率|概率|配比|胜率)(?:是|为|按)?[ ]?[0-9]{1,3}:[0-9]{1,3}")
def _ratio(m: Match[str]) -> Mark:
    return Mark("dead")


@RULES(
    "quantity",
    DIGITS + FIGURES + ".十千百零",
    r"[0-9.]{1,12}[ ]?(?:元|块钱?(?!前|后)|美元|万元|亿|公里|千米|厘米|毫米|kg|km|cm|mm|ml|gb|mb|kb|tb|%|℃|度|人|次|倍|折|斤|克|平米|平方|米|分贝|分之)"
    r"|[零一二三四五六七八九十百千]{1,6}(?:块钱|公里|斤|倍|折|个人|次|分之)",
)
def _quantity(m: Match[str]) -> Mark:
    return Mark("dead")
