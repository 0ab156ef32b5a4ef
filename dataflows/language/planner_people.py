"""How a question names people: by title, nickname, kinship or role, or as the one whom a preposition leads in."""

from __future__ import annotations

import re
from collections.abc import Iterable

from temporal_recall.dataflows.language.extraction_script import simplified

_SURNAMES = (
    "王李张刘陈杨黄赵周吴徐孙马胡朱郭何罗高林郑梁谢唐许冯宋韩邓彭曹曾田萧潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔谭"
    "陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫雷龙史陶贺毛段郝顾龚邵万覃武钱戴严莫孔向常汤康易乔赖文施洪季"
)
_TITLES = (
    "总监|总|姐|哥|老师|经理|医生|大夫|工|董|处长|处|主任|主管|教授|律师|师傅|阿姨|叔叔|叔|先生|女士|小姐|同学|"
    "老板|局长|局|院长"
    "|校长|部长|队长|组长|科长|书记|导|教练|秘书|行长|爷爷|奶奶|婶|嫂|妈|爸"
)
_KIN = (
    "妈妈|爸爸|老妈|老爸|爸妈|父母|我妈|我爸|老婆|老公|媳妇|爱人|女朋友|男朋友|女友|男友|对象|儿子|女儿|闺女|"
    "孩子|爷爷|奶奶|外公|外婆|姥姥|姥爷"
    "|岳父|岳母|公公|婆婆|哥哥|弟弟|姐姐|妹妹|表哥|表弟|表姐|表妹|堂哥|堂弟|舅舅|姑姑|嫂子|嫂嫂|姐夫|妹夫|姨妈|叔叔|阿姨"
)
ROLES = (
    "房东|客户|老板|主管(?![护药部单])|同事|导师|甲方|乙方|供应商|中介|物业|班主任|医生|大夫|护士|法官|客服|律师|教练|室友|邻居|"
    "合伙人|投资人|面试官|"
    "候选人|领导|上司|下属"
    "|实习生|闺蜜|同学|老师|家教|保姆|阿姨|师傅|设计师|产品经理"
)
_NOT_NICKNAME = (
    "时|学|家|说|区|心|事|型|组|程|吃|票|费|孩|狗|猫|朋友|伙|米|红书|度|长|周末|节|雪|暑|寒|满|结|道|声|便|腿|"
    "数|本|店|镇|城|麦|鸟"
    "|鱼|龙虾|气|偷|丑|妹|弟|姐|哥|爱|了|点|些|的|号|名|计|册|问|目标|任务|活动|会|聚|试|改|修|件|额|微|众|幅|提琴|"
    "卖部|卡片|视频"
)
_ASKED = "[哪几啥么]"
"""Before the role of people who are asked for, and need not be called so: 「见了哪些客户」."""

_LEAD_IN = "跟|和|与|同|给|对|向|找|见|约|陪|答应|告诉|问|催|带|送|帮|欠|请"
_AFTER_NAME = (
    "的|都|也|又|还|说|聊|谈|讲|吃|见|开|约|一起|有关|相关|提|那|之间|去|商量|讨论|来|发|打|要|在|是|有|上|下|"
    "今|明|昨|这|周|什么|几|多|还|"
    "怎么|沟通|面|过|问|借|还|，|。|？|,|\\?|\\s|$"
)

_NOT_NAME = (
    "方[案法面式向便]|文[件档章字化]|金[额融钱]|高[层铁速]|常[见用规]|白[天酒]|夏[天季]|马[路上]|程[序度]|施工|"
    "季度|向导|余[额下]|任[务何]|于是|许多"
    "|曾经|陆续|万一|段时|石油|雷达|龙头|江[西苏]|汤|钱|孔|严[重格]|成本|易错|和平|温度|江湖|黄金|"
    "周[一二三四五六日天末会报围边期]|徐州|苏州|杭州|郑州|广州|毛利|毛病|谢谢|程式|顾客|顾问"
)
_NOT_DOUBLED = (
    "看说查想问找讲聊列数念翻捋理算试帮谢等刚常慢渐偏恰往仅人年月日天周每早晚好多大小快轻悄默纷久深偷单暗明处家各样种个件"
    "条次回点些爸妈爷奶哥姐弟妹舅姑叔婶公婆伯姥姨嗯哈呵嘿拜亲走听写读学练玩吃喝坐睡谁啥几一两三"
)
_PET_NAME = (
    rf"(?:(?<![\u4e00-\u9fff])|"
    rf"(?<=[天晚早午周月年号末跟和给陪带接送]))(?P<pet>(?![{_NOT_DOUBLED}])[\u4e00-\u9fff])(?P=pet)(?![的地]?[\u4e00-\u9fff]着)"
)
"""A syllable said twice, as children and pets are called: 「墨墨」."""

_BARE_KIN = r"(?<![\u4e00-\u9fff])[妈爸](?=的[\u4e00-\u9fff]|[今明昨后前上下这那啥哪几在去来住出复做吃])"
"""A parent as children speak of theirs, with nothing before: 「妈的手术怎么样了」, 「爸哪天来」."""

NAMED_PERSON = (
    rf"[{_SURNAMES}](?:{_TITLES})(?![理部会结经作程])"
    rf"|(?<![大最较])小(?!{_NOT_NICKNAME})[\u4e00-\u9fff](?=[^时])"
    rf"|老[{_SURNAMES}](?!师|板|人|年|家)"
    r"|阿(?!姨|波|里|拉|根|富|胶|司|尔|谁)[\u4e00-\u9fff]"
    r"|[\u4e00-\u9fff](?<![大一二三四五个几位帅小加西八])(?:姐|哥)(?![们姐哥])"
    rf"|{_PET_NAME}"
    rf"|{_BARE_KIN}"
    rf"|(?:{_KIN})|(?<!{_ASKED})(?<!{_ASKED}[个位家些])(?:{ROLES})"
)
"""A person named by title, nickname, kinship or role."""

MAX_PEOPLE = 16
"""Most people that a plan takes from one question."""

_NAMED = re.compile(NAMED_PERSON)
_LED_IN = re.compile(
    rf"(?:{_LEAD_IN})(?!{_NOT_NAME})(?P<name>[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}?(?={_AFTER_NAME}))"
    r"|(?:(?:跟|和|与|同|给|对|向|找|见|约|陪|问) ?|\b(?:with|to|from|and|told|met|see|call|promise|promised|"
    r"ask|asked|tell|did) )(?P<latin>[A-Z][a-z]+(?: [A-Z][a-z]+)?)"
)
_SPEAKING = re.compile(
    rf"(?<![\u4e00-\u9fff])(?!{_NOT_NAME})(?P<name>[{_SURNAMES}][\u4e00-\u9fff]{{1,2}})(?=跟我|和我|对我|给我|"
    rf"答应|告诉|那边|的生日)"
)
_LATIN_AGENT = re.compile(
    r"\b(?P<name>[A-Z][a-z]{2,})(?= ?(?:那边|跟我|和我|说|提|问|约|给我|said|told|asked|promised|mentioned))"
)


def people_named(text: str, known_people: Iterable[str] = ()) -> tuple[str, ...]:
    """The people whom a text names, in its order, each once; a name inside a longer one is left out, and what is too many.

    >>> people_named("昨天跟张总和Lydia聊了什么")
    ('张总', 'Lydia')
    """
    plain = simplified(text)
    found = {m.start(): text[slice(*m.span())] for m in _NAMED.finditer(plain)}
    for pattern in (_LED_IN, _SPEAKING, _LATIN_AGENT):
        for m in pattern.finditer(plain):
            name = m.lastgroup or "name"
            found[m.start(name)] = text[slice(*m.span(name))]
    found |= {text.find(name): name for name in known_people if name and name in text}
    names = dict.fromkeys(found[place] for place in sorted(found))
    longest = [name for name in names if not any(name != other and name in other for other in names)]
    return tuple(longest[:MAX_PEOPLE])
