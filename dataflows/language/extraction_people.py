"""People: the names that Chinese messages call people by."""

from __future__ import annotations

import re

_SURNAMES = (
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏苏潘葛范彭鲁韦马苗凤方俞任袁柳唐罗薛雷贺倪汤"
    "殷毕郝邬安常乐于傅皮卞齐康伍余元卜顾孟黄穆萧尹姚邵汪祁毛禹狄米贝明臧计成戴宋茅庞熊纪舒屈项祝董梁杜阮蓝闵季贾路江童颜郭"
    "梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯管卢莫房解应宗丁宣邓洪包左石崔吉钮龚程邢裴陆荣翁荀甄曲家封储靳井段焦侯车班秋仲"
    "伊宫宁仇栾甘厉戎祖武符刘景詹龙叶黎薄印白蒲邰从鄂卓蔺屠蒙池乔胥苍闻莘党翟谭贡劳逄姬申扶堵冉宰郦雍桑桂牛寿通边扈燕冀尚农"
    "温柴瞿阎连习艾容向古易廖庾终步都耿满弘匡国文寇广欧沃利蔚越隆师巩聂晁勾冷辛那简饶曾关海肖涂覃岳游佟商岑"
)
"""Surnames of one character."""

_TITLES = (
    "总监 总 老师 医生 大夫 护士长 护士 主任 教授 院长 校长 经理 主管 书记 局长 处长 科长 队长 班长 店长 律师 会计 工程师 师傅 教练 "
    "阿姨 叔叔 叔 姐 哥 姨 婶 嫂 爷爷 奶奶 伯伯 伯 导 工 董 老板 同学 女士 先生 小姐 太太"
).split()
"""Titles that follow a surname or a given name."""

_KIN = (
    "爸爸 妈妈 老爸 老妈 我爸 我妈 爸 妈 爷爷 奶奶 姥姥 姥爷 外公 外婆 舅舅 舅妈 姑姑 姑父 姑妈 姨妈 小姨 姨夫 叔叔 婶婶 伯伯 伯母 "
    "哥哥 弟弟 姐姐 妹妹 表哥 表姐 表弟 表妹 堂哥 堂姐 堂弟 堂妹 老公 老婆 媳妇 儿子 女儿 闺女 孙子 孙女 外甥 外甥女 侄子 侄女 岳父 "
    "岳母 公公 婆婆 丈母娘 老丈人"
).split()
"""Words for relatives."""

_KIN_NAME = {"妈妈": "妈", "老妈": "妈", "我妈": "妈", "爸爸": "爸", "老爸": "爸", "我爸": "爸"}
"""One name for several ways to call a parent."""

_LATIN_STOP = frozenset(
    "PRD PPT OK App APP Q1 Q2 Q3 Q4 AI API DB UI UX PM HR IT CEO CTO VIP SQL Bug bug Excel Word Zoom Teams Slack Python "
    "Java Go Git GitHub Docker iPhone iPad Mac Windows Linux Review Kickoff Demo Sprint JD KPI OKR DDL TODO WiFi Web V1 V2 "
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mon Tue Wed Thu Fri Sat Sun Jan Feb Mar Apr May Jun Jul Aug "
    "Sep Oct Nov Dec January February March April June July August September October November December The This That We "
    "You He She It My Your Our Their And But Or If When What Where Who How Why Please Thanks Hi Hello Yes No Not Can Will "
    "Let Lets Just Meeting Call Lunch Dinner Today Tomorrow".split()
)
"""Capitalised words that name no person."""

_NAME = re.compile(
    r"@(?P<at>[A-Za-z][\w.]*|[\u4e00-\u9fff]{1,4}?(?=[\s，。,:：!！]|$)|[\u4e00-\u9fff]{2,3})"
    r"|(?P<dept>HR|法务|财务|行政|前台)(?=小[\u4e00-\u9fff])小[" + _SURNAMES + r"鹿]"
    r"|(?P<role>法务|财务|行政|物业|甲方|导师|辅导员|班主任|房东|中介)"
    r"|(?P<titled>[" + _SURNAMES + r"](?:" + "|".join(_TITLES) + r"))"
    r"|(?P<nick>["
    + _SURNAMES
    + r"\u4e00-\u9fff](?:哥|姐|总)(?![\u4e00-\u9fff]?[器])|[老小大阿]["
    + _SURNAMES
    + r"敏哲鹿强军伟丽娜杰磊静芳娟霞红燕玲飞宇欣雪琳珍美])"
    r"|(?P<kin>" + "|".join(sorted(_KIN, key=len, reverse=True)) + r")"
    r"|(?<![A-Za-z0-9.@/_-])(?P<latin>[A-Z][a-z]{1,11})(?![A-Za-z0-9._/-])"
)


def people_in(text: str) -> tuple[str, ...]:
    """The people that a text names, each once, in order."""
    return tuple(dict.fromkeys(_name_of(m) for m in _NAME.finditer(text) if m.group("latin") not in _LATIN_STOP))


def _name_of(match: re.Match[str]) -> str:
    name = match.group("at") or match.group()
    return _KIN_NAME.get(name, name)
