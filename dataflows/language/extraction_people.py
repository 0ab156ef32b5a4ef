"""People: the names that Chinese messages call people by. One row of the table is one way to name someone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from temporal_recall.dataflows.language.extraction_words import words

SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石"
    "廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹"
    "申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳欧阳管柴蒙鲍华喻祁蒲滕屈饶牟艾尤穆"
    "司卓古吉缪简项芦麦褚娄窦戚岑景党宫费卜冷晏席卫米柏宗瞿桂佟臧闵苟邬卞姬师仇栾隋商刁沙荣巫寇桑郎甄丛仲虞敖巩佘池查麻"
    "苑迟邝鹿"
)
"""Surnames of one character, the commonest first."""

_COMMON = SURNAMES[:110]

GIVEN = (
    "伟芳娜敏静丽强磊军洋勇艳杰娟涛超霞平刚英华建文玉萍红玲芬燕兰鹏辉宇浩凯健俊帆欣雨婷雪琳慧莹晶颖洁倩颜佳怡琪悦萌瑶涵轩睿博晨阳哲"
    "翔昊鑫斌波龙飞亮峰林森淼焱琴珍莉桂凤仙美菊秀云荷梅竹星瑾瑜瑞祥福贵财根海江河川山岩松柏彬彪虎豹鹿豆果乐贝朵甜糖安宁康乔桥远航志明国庆"
    "胜利思源诗词歌曼蔓薇菲妮娅希冬夏秋伊依柠檬栗芝橙桃桐梓萱煜晗沐熙皓曦琛锐钧铭铮骏腾威坤乾毅恒敬振世昌盛宏峻岚岳彦彤惠慈懿承昕昱晖晴暄朗"
    "栋桦楠榕樱欢歆汐沛泓泽津洛浚淇清渊湘滢澄澜灵炜烨煊燃璇璐甫畅益真碧祺禾章筠纯羽翎翠耀聪芊芮芷苑苒茂茜荃莲萧蓉蓓蕊蕾虹蝶裕谦豪贤辰达迪逸遥郁"
    "钊锦霖霏露韵韶顺颂飒馨骁鸿麒齐嘉嫣婉媛子宸宜宛宣尧岱帅幼庭弘念恩慕捷政旭旻昂景智曙权杉"
)
"""Characters that given names and nicknames are made of."""

_TITLES = (
    "总监|老师|医生|大夫|护士长|护士|主任|教授|院长|校长|园长|经理|主管|书记|局长|处长|科长|队长|班长|店长|律师|会计|工程师|师傅|教练|警官|阿姨|叔叔|"
    "爷爷|奶奶|伯伯|老板|同学|女士|先生|小姐|太太|师姐|师兄|师弟|师妹|学姐|学长|总|叔|姐|哥|姨|婶|嫂|伯|导|工|董|律"
)
"""Titles that follow a name."""

_KIN = {
    "妈": ("老妈", "我妈", "妈妈", "妈咪", "咱妈", "妈"),
    "爸": ("老爸", "我爸", "爸爸", "咱爸", "爸"),
    "": words(
        "爷爷 奶奶 姥姥 姥爷 外公 外婆 舅舅 舅妈 姑姑 姑父 姑妈 姨妈 小姨 大姨 姨夫 叔叔 婶婶 伯伯 伯母 哥哥 弟弟 姐姐 妹妹 表哥 表姐 表弟 表妹 "
        "堂哥 堂姐 堂弟 堂妹 老公 老婆 媳妇 儿子 女儿 闺女 孙子 孙女 外孙 外孙女 外甥 外甥女 侄子 侄女 岳父 岳母 公公 婆婆 丈母娘 老丈人 女婿 亲家 老伴儿 老伴 父亲 母亲 爱人 男朋友 女朋友 男友 女友 阿妈 阿爸 阿公 阿婆 阿嬷 二叔 三叔 二舅 大伯 二姨 三姨"
    ),
}
"""Words for relatives; a parent is named one way however they are called."""

_ROLES = (
    "法务|财务|行政|物业(?!费)|甲方|导师|辅导员|班主任|房东|中介|护工|保姆|月嫂|HR(?!小)|客户|领导|老板(?!娘)|老板娘|教研组长|组长|队长|站长|班长|店长|园长|"
    "学姐|学长|师兄|师姐|师弟|师妹|护士长|面试官|货主|收购商|供应商|师傅|店员|室友|舍友|闺蜜|战友|邻居|前台|律师|法官|编辑|助理|秘书|研友|老乡|会员"
)
"""People called by what they are."""

LATIN_NAMES = frozenset(
    words(
        "Aaron Abby Adam Alan Alex Alice Allen Amanda Amy Andrea Andrew Andy Angela Anna Annie Anthony Ashley Austin Barbara Bella Ben Betty Bill Bob Bobby "
        "Brian Bruce Carl Carol Caroline Catherine Cathy Cecilia Charles Charlie Cherry Chloe Chris Christine Cindy Claire Connie Crystal Daisy Dan Daniel "
        "Dave David Dean Debby Dennis Derek Diana Dora Doris Dylan Ed Eddie Edward Elaine Elena Ella Ellen Emily Emma Eric Erica Ethan Eva Evan Eve Fiona "
        "Frank Fred Gary Gavin George Gina Grace Greg Hannah Harry Hazel Heidi Helen Henry Ian Iris Irene Isaac Ivan Ivy Jack Jackie Jacky Jacob Jake James "
        "Jamie Jane Janet Jason Jay Jean Jeff Jennifer Jenny Jeremy Jerry Jessica Jessie Jill Jim Jimmy Joan Joe John Johnny Jon Jonathan Joseph Josh Joy "
        "Joyce Judy Julia Julie June Justin Karen Kate Katherine Kathy Katie Kay Keith Kelly Ken Kenny Kevin Kim Kitty Kris Kyle Larry Laura Lauren Leo "
        "Leon Lily Linda Lisa Louis Louise Lucas Lucy Luke Luna Lydia Maggie Marco Maria Mark Martin Mary Mason Matt Matthew Max Megan Melissa Mia Michael "
        "Michelle Mike Miranda Molly Monica Nancy Nathan Nick Nicole Nina Noah Olivia Oscar Owen Pam Patrick Paul Peggy Penny Peter Phil Philip Priya Queenie "
        "Rachel Ray Raymond Rebecca Richard Rita Rob Robert Robin Roger Ron Rose Roy Ruby Ryan Sally Sam Samantha Sandra Sandy Sara Sarah Scott Sean Selina "
        "Serena Shirley Simon Sonia Sophia Sophie Stella Stephanie Stephen Steve Steven Sue Sunny Susan Suzy Sylvia Ted Teresa Thomas Tiffany Tim Tina Toby "
        "Todd Tom Tommy Tony Tracy Vera Vicky Victor Vincent Vivian Walter Wendy Will William Winnie Yolanda Yuki Zack Zoe"
    )
)
"""Given names in Latin letters that people of Chinese offices and schools go by."""

_NOT_NICK = frozenset(
    words(
        "小时 小票 小心 小区 小学 小说 小组 小事 小程 小米 小孩 小店 小吃 小伙 小型 小结 小节 小费 小看 小声 小朋 小测 小哥 小姐 小狗 小猫 小雨 小雪 小红书 小金 "
        "小高 小龙 小白 小车 小包 小路 小麦 小康 小贝 小山 小河 小一 小二 小三 小四 小五 小六 小七 小九 小月 小明书 小桥 小岩 小一点 小豆 小果 小糖 小曲 小鱼 "
        "老师 老板 老家 老婆 老公 老妈 老爸 老人 老年 老是 老鼠 老虎 老早 老样 老规 老地 老客 老同 老外 老乡 老房 老城 老街 老歌 老铁 老实 老总 老朋 老龙 老一 老二 老三 "
        "老马路 老牛 老文 老师们 老时 老明 老路 老山 老东 老安 大家 大方 大学 大会 大连 大巴 大卫 大白 大龙 大安 大成 大明 大雪 大雨 大山 大海 大河 大江 大一 大二 大三 "
        "大四 大五 大米 大华 大祝 大万 大金 大国 大牛 大武 大胜 大发 大利 大桥 大东 大西 大南 大北 大毛 大方 大厦 大陆 大熊 大型 大师 大和 大全 大石 大包 大单 大平 大红 大英 "
        "大文 大美 大福 大志 大气 大雅 大寒 大暑 大虎 大春 大秋 大冬 大蒜 大麦 大麻 大理 阿里 阿姨 阿拉 阿尔 阿根 阿联 阿富 阿胶 阿司 阿莫 阿西"
    )
)
"""Words that begin like a nickname and are none."""

_BEFORE_NICK = frozenset(
    words(
        "表哥 表姐 堂哥 堂姐 师姐 学姐 空姐 帅哥 小哥 小姐 大姐 大哥 二姐 二哥 三姐 三哥 几哥 的哥 的姐 各哥 大小 从小 多小 最小 较小 变小 太小 古老 最老 变老 很大 最大 太大 多大 扩大 伟大 加大 强大 养老 古老 变小 岁生 答应"
    )
)
"""Two characters of which the second begins no name."""

_NOT_REDUPLICATED = frozenset(
    words(
        "哈哈 看看 试试 谢谢 天天 慢慢 刚刚 常常 人人 事事 个个 家家 偏偏 渐渐 悄悄 想想 说说 聊聊 问问 走走 逛逛 等等 好好 早早 远远 乖乖 宝宝 星星 月月 年年 "
        "往往 明明 多多 欢欢喜喜 点点 一一 三三 冬冬 春春 平平 安安 森森 处处 统统 隐隐 轻轻 重重 真真 朵朵云 圆圆的 甜甜的 球球你"
    )
)

_EVENTS_OF_ONE = "生日|婚礼|婚宴|满月|百日|周岁|欢送|升学宴|葬礼|追悼|订婚|毕业典礼|接风"
_CARE = "打疫苗|打针|补针|绝育|驱虫|洗澡|三联|换牙|接种|疫苗|发烧|拉肚子"
_PERSON_VERBS = "送|接|陪|带|帮|买|做|写|换|替|负责|爸妈|吃|看|开|聊|打|逛|爬|见|过|一起|聚|办|签|谈|喝|学|对|确认|碰|说|约|问|让|叫|请|来|去|到|给|发|催|要|要求|通知|提|回|答应|生日|也|在|和|跟|那|临时|今天|明天|后天|周|下周|今晚|明晚|刚|已经"


@dataclass(frozen=True, slots=True)
class NameRule:
    """One way in which Chinese names someone: the group `name` of the pattern is the person."""

    name: str
    meaning: str
    pattern: str


def _one_of(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_SYLLABLE = r"(?:[BPMFDTNLGKHJQXRZCSYW]|Zh|Ch|Sh)(?:[iu]?(?:ang|eng|ing|ong|an|en|in|un|ai|ei|ao|ou|ia|ie|uo|ui|iu|ian|iang|iong|uang)|[aeiou])"
"""A romanised Chinese syllable."""

_NICK = "豆乐果萌琪贝朵甜圆团糖毛妞丫牛洋涛浩轩静晶莹婷媛倩娜丽菲琳玲佳球胖灵亮康瑶彤雯露妮米可悠芳敏燕"
"""Characters that nicknames double."""

_TELLING = "伟娜敏静强磊军勇艳杰娟涛超霞刚英建玉萍玲芬燕鹏辉宇浩凯健俊欣婷雪琳慧莹晶颖倩佳怡琪萌瑶涵轩睿博晨阳哲翔昊鑫斌峰琴莉桂凤秀梅瑾瑜志国明"
"""Characters that, two together, make a given name and hardly any other word."""

_EDGE = r"(?:^|(?<=[\s，。,、：:！!~和跟与找给约陪见问叫带送接同午晚早天号点日末]))"
"""Where a name may begin: at the edge of a clause, or after a word that takes a person."""

NAME_RULES: tuple[NameRule, ...] = (
    NameRule("at", "@ and a name", r"@(?P<at>[A-Za-z][\w.]{0,20}|[一-鿿]{1,4}(?=[\s，。,：:！!~]|$)|[老小大阿][一-鿿]|[一-鿿]{2})"),
    NameRule("department", "a department before a nickname",
             rf"(?P<department>(?:HR|hr|人事|法务|财务|运营|产品|设计|测试|前端|后端|销售|客服)小[{SURNAMES}{GIVEN}])"),
    NameRule("titled", "a surname and a title", rf"(?P<titled>[{SURNAMES}](?:{_TITLES}))(?![监结部是共体算数量裁器])"),
    NameRule("given_titled", "a given name and 哥, 姐, 叔, 姨", rf"{_EDGE}(?P<given_titled>[一-鿿](?:哥|姐|叔|姨))(?![斯特华夫])"),
    NameRule("parent_of", "a parent, named after the child",
             rf"(?P<parent_of>(?:[小阿][{_COMMON}{GIVEN}]|[{GIVEN}]{{2}})(?:妈妈|爸爸|奶奶|爷爷|家长|妈|爸))"),
    NameRule("nicknamed", "老, 小, 大, 阿 and a name",
             rf"(?P<nicknamed>[老小][{_COMMON}{GIVEN}]|大[{_COMMON}]|阿[{GIVEN}{_COMMON}])"),
    NameRule("kin", "a relative", rf"(?P<kin>{_one_of(w for words in _KIN.values() for w in words)})"),
    NameRule("role", "someone called by their role", rf"(?P<role>{_ROLES})"),
    NameRule("honoured", "someone whose day it is",
             rf"(?:^|(?<=[\s，。,、的号去给过加是天晚午]))(?P<honoured>[^\W\da-zA-Z他她你我办开过给去个的场次岁周年一二三四五六七八九十]{{2,3}}?|[A-Z][a-z]+)(?=的?(?:{_EVENTS_OF_ONE}))"),
    NameRule("cared_for", "a child or pet that is looked after",
             rf"(?:^|(?<=[\s，。,、点号天晚午给带]))(?P<cared_for>[^\W\da-zA-Z上中下早晚去要]{{2}})(?=(?:\d+[号日])?(?:去)?(?:{_CARE}))"),
    NameRule("reduplicated", "a doubled nickname", rf"(?P<reduplicated>[{_NICK}][{_NICK}])"),
    NameRule("given", "a given name where a person is due",
             rf"(?:(?<=[和跟与找约陪叫])|(?:^|(?<=[\s，。,给带送接]))(?=..(?:{_PERSON_VERBS}|他|她|[\s，。,！!]|$)))"
             rf"(?P<given>[{_TELLING}][{_TELLING}])"),
    NameRule("full", "a full name where a person is due", rf"{_EDGE}(?P<full>[{_COMMON}][{GIVEN}]{{1,2}})(?=(?:{_PERSON_VERBS})|[\s，。,！!]|$)"),
    NameRule("latin_titled", "an English title and a name",
             r"(?P<latin_titled>(?:Prof|Professor|Dr|Mr|Mrs|Ms|Miss|Auntie|Uncle|Coach|Herr|Frau|Mme)\.? [A-Z][a-z]+)"),
    NameRule("romanised", "a Chinese given name in two romanised syllables",
             rf"(?<![A-Za-z])(?P<romanised>(?:{_SYLLABLE}) (?:{_SYLLABLE}))(?![a-z])"),
    NameRule("latin", "a name in Latin letters", r"(?<![A-Za-z0-9.@/_-])(?P<latin>阿?[A-Z][a-z]{1,11})(?![A-Za-z0-9._/-])"),
)  # fmt: skip

_NAME = re.compile("|".join(rule.pattern for rule in NAME_RULES))
_PARENT = {word: parent for parent, words in _KIN.items() if parent for word in words}
_BEFORE_PERSON = re.compile(
    r"(?:和|跟|与|找|给|约|陪|见|问|叫|带|送|接|同|@|with|meet|ask|tell|call|dear|hi|hey)\s*$", re.IGNORECASE
)
_AFTER_PERSON = re.compile(
    r"\s*(?:说|问|要|来|回|约|那边|也|他|她|答应|同意|催|请|让|发来|says?|said|wants?|asked|will|is coming)"
)
_CHINESE = re.compile("[一-鿿，]")
_NO_PERSON = frozenset(
    words(
        "App Api Bug Java Python Docker Excel Word Zoom Teams Slack Google Github Figma Notion Redis Kafka Review Demo Sprint Kickoff Mock Web "
        "Wifi Windows Linux Mac Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mon Tue Tues Wed Thu Thur Thurs Fri Sat Sun Jan Feb "
        "Mar Apr May Jun Jul Aug Sep Sept Oct Nov Dec January February March April June July August September October November December This "
        "That The We You He She It They There What When Where Who How Why Please Thanks Hi Hello Yes No Not Can Will Let Just Meeting Call "
        "Lunch Dinner Today Tomorrow Also But And Or If So Then Team Office Client Boss Manager Ok Okay Dear Class Costco Starbucks Ikea Uniqlo Airbnb Uber Didi Netflix Spotify Chrome Outlook Gmail "
        "Photoshop Sketch Jira Confluence Notebook Final Offer Deadline Party Gym Check List Plan Part Day Week Prof Lab Quiz Midterm Paper Slides"
    )
)
"""Capitalised words that name no person."""

_NOBODY = frozenset(
    words(
        "所有人 全体 大家 all here channel everyone 我的 你的 今天 明天 后天 公司 部门 自己 这个 那个 孩子 宝宝 明年 去年"
    )
)


def people_in(text: str, shown: str | None = None) -> tuple[str, ...]:
    """The people that a text in simplified characters names, each once, in order of place; never the user.

    Args:
        shown: the text as it was written, of the same length; the names are told as they stand there.

    >>> people_in("@老周 明天和王姐、Ken过方案，阿敏也来")
    ('老周', '王姐', 'Ken', '阿敏')
    """
    names = (_person(m, text, shown or text) for m in _NAME.finditer(text))
    return tuple(dict.fromkeys(name for name in names if name))


def _person(match: re.Match[str], text: str, shown: str) -> str | None:
    rule, name = match.lastgroup or "", match.group(match.lastgroup or 0)
    start, end = match.span(match.lastgroup or 0)
    if name in _NOBODY:
        return None
    if rule in ("nicknamed", "given_titled", "titled") and _is_common_word(name, text, start):
        return None
    if rule == "reduplicated" and (name[0] != name[1] or name in _NOT_REDUPLICATED):
        return None
    if rule == "latin" and not _is_latin_person(name, text, start, end):
        return None
    return shown[end - 1 : end] if name in _PARENT else shown[start:end]


def _is_common_word(name: str, text: str, at: int) -> bool:
    """Whether the characters are an everyday word here: 小时, 老师, 大家, 快递小哥."""
    return name in _NOT_NICK or text[at : at + 3] in _NOT_NICK or text[max(at - 1, 0) : at + 1] in _BEFORE_NICK


def _is_latin_person(name: str, text: str, start: int, end: int) -> bool:
    """A known given name, or a capitalised word where a person is due."""
    if name in _NO_PERSON:
        return False
    beside = _BEFORE_PERSON.search(text, 0, start) or _AFTER_PERSON.match(text, end)
    known = name.removeprefix("阿") in LATIN_NAMES or name.startswith("阿")
    return known or beside is not None or _is_amid_chinese(text, start, end)


def _is_amid_chinese(text: str, start: int, end: int) -> bool:
    """Whether a capitalised word stands beside Chinese characters, and not where a place is due."""
    before, after = text[max(start - 1, 0) : start], text[end : end + 1]
    return bool(_CHINESE.match(before) or _CHINESE.match(after)) and before not in (
        "去",
        "到",
        "在",
        "回",
        "用",
        "飞",
        "住",
    )
