"""Rules for the words between times: links, bounds, prepositions, calendars, zones, recurrence, and numbers that are no time."""

from __future__ import annotations

from re import Match

from temporal_recall.dataflows.zh_time.calendar import Unit
from temporal_recall.dataflows.zh_time.lexer import Rules
from temporal_recall.dataflows.zh_time.numerals import COUNT, SMALL_STARTS, number
from temporal_recall.dataflows.zh_time.rules_calendar import WEEKDAYS
from temporal_recall.dataflows.zh_time.tokens import Bound, Every, Mark, Offset

RULES = Rules()
EVERY_RULES = Rules()

_EVERY_UNITS: dict[str, Unit] = {
    "天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year", "季度": "quarter", "季": "quarter",
    "小时": "hour", "钟头": "hour", "分钟": "minute", "秒": "second", "秒钟": "second", "晚": "day", "早": "day", "夜": "day",
}  # fmt: skip
_DAY_NAMES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_WORKDAYS = ("MO", "TU", "WE", "TH", "FR")


@EVERY_RULES(
    "every-weekdays",
    "两个单双周星每礼隔",
    r"(?:每|(?=[隔双单]))(?P<gap>隔一?|双|单|两)?个?(?:周|星期|礼拜)(?P<days>[一二三四五六日天](?:(?:[,、和跟]|到|至|-|~)?(?:周|星期|礼拜)?[一二三四五六日天]){1,6})(?![个次天点号月年])"
    r"|(?<![上下这本个])(?:周|星期|礼拜)(?P<days3>一三五?|一四|二四六?|二五|三五|三六|四六)(?![十点号月日个次天])"
    r"|(?:周|星期|礼拜)(?P<days2>[一二三四五六日天](?:(?:[,、和跟]|到|至|-|~)?(?:周|星期|礼拜)?[一二三四五六日天]){1,6})(?:每天|天天|每晚)",
)
def _every_weekdays(m: Match[str]) -> Every:
    return Every(2 if m["gap"] else 1, "week", _weekday_names(m["days"] or m["days2"] or m["days3"]))


def _weekday_names(words: str) -> tuple[str, ...]:
    """The days that a list such as 一三五, 二、四 or 一到五 names."""
    if any(link in words for link in "到至-~"):
        first, last = (WEEKDAYS[d] for d in (words[0], words[-1]))
        return tuple(_DAY_NAMES[d % 7] for d in range(first, last + 1 if last >= first else last + 8))
    return tuple(_DAY_NAMES[WEEKDAYS[d]] for d in words if d in WEEKDAYS)


@EVERY_RULES(
    "every-workday",
    "工每逢",
    r"(?:每个?|逢)工作日|工作日(?:的)?每天|工作日天天|工作日(?=(?:早上|上午|中午|下午|晚上)?[0-9一二三四五六七八九十]{1,3}[点:])",
)
def _every_workday(m: Match[str]) -> Every:
    return Every(1, "week", _WORKDAYS)


@EVERY_RULES("every-weekend", "每逢", r"(?:每个?|逢)(?:周|星期|礼拜)末")
def _every_weekend(m: Match[str]) -> Every:
    return Every(1, "week", ("SA", "SU"))


@EVERY_RULES(
    "every-unit",
    "每逢隔",
    rf"(?:每|逢)(?:隔|间隔)?(?:一)?(?P<n>{COUNT}|半)?[ ]?个?(?P<unit>小时|钟头|分钟|秒钟?|天|日|周|星期|礼拜|月|季度?|年)(?!级|底|初|中(?!午|秋)|末|代|糕|轮)"
    r"|隔(?P<unit2>天|日|周|月|年)(?!壁)",
)
def _every_unit(m: Match[str]) -> Every | None:
    if m["unit2"]:
        return Every(2, _EVERY_UNITS[m["unit2"]])
    count = number(m["n"]) if m["n"] else 1
    if not count:
        return None
    return Every(count * (2 if "隔" in m[0] and count == 1 and m["unit"] in "天周月年" else 1), _EVERY_UNITS[m["unit"]])


@EVERY_RULES(
    "every-part",
    "夜天日每",
    r"每(?=[晚早晨夜])|每个?(?=(?:早|晚)上|上午|下午|中午|凌晨|傍晚|清晨|深夜)|天天(?!向|上|快|酷|开心)|夜夜|日日",
)
def _every_part(m: Match[str]) -> Every:
    return Every(1, "day")


@EVERY_RULES("every-word", "单双周年月", r"[双单]周(?=周?[一二三四五六日天])|周周|月月|年年(?!有|轻)")
def _every_word(m: Match[str]) -> Every:
    unit: Unit = {"周": "week", "月": "month", "年": "year"}[m[0][-1]]  # type: ignore[assignment]
    return Every(2 if m[0] in ("双周", "单周") else 1, unit)


@EVERY_RULES("every-named", "每逢", r"(?:每逢|逢|每到|每个?)")
def _every_named(m: Match[str]) -> Every:
    return Every(1)


@RULES(
    "ago",
    " a之以前",
    r"[ ]?(?:之前|以前|前|ago(?![a-z]))(?!夕|夜|面|台|端|排|后|言|任|途|女友|男友|妻|夫|公司|同事|领导|司机|往|者|沿|线|辈|景|锋)",
)
def _ago(m: Match[str]) -> Offset:
    return Offset("ago")


@RULES(
    "later",
    " fl之以后过",
    r"[ ]?(?:之后|以后|过后|后|later(?![a-z])|from now(?![a-z]))(?!面|台|端|代|悔|果|续|勤|门|续|者|天|年)(?P<nth>的?第(?=[0-9一二三四五六七八九十]))?",
)
def _later(m: Match[str]) -> Offset:
    return Offset("ordinal" if m["nth"] else "later")


@RULES(
    "within",
    " 之以内里间",
    r"[ ]?(?:之内|以内|内(?!容|部|存|网|卷|心|幕|置|核|科|地|测)|里面?(?!程|面|斯|约)|之间|间(?!接|隔|谍|歇|距))",
)
def _within(m: Match[str]) -> Offset:
    return Offset("within")


@RULES("eve", "前的", r"的?(?:前夕|前夜)")
def _eve(m: Match[str]) -> Bound:
    return Bound("eve")


@RULES("by", "不截最赶", r"(?:截至|截止到?|不晚于|最迟|最晚|赶在)(?=[0-9一二三四五六七八九十这本下上今明后周星礼月年])")
def _by(m: Match[str]) -> Mark:
    return Mark("by")


@RULES("until", "及和或", r"(?:及|或|和)(?:之前|以前|更早)")
def _until(m: Match[str]) -> Bound:
    return Bound("until")


@RULES(
    "from-on",
    "以及和开或起",
    r"(?:及|或|和)(?:之后|以后|更晚)|起(?!床|来|码|点|飞|身|草|诉|诉|义|步|劲|名|夜|伏|色)(?:至今)?|开始(?!了)|以后起",
)
def _from_on(m: Match[str]) -> Bound:
    return Bound("since" if m[0].endswith("今") else "begin" if m[0] == "开始" else "from")


@RULES(
    "since",
    "一以到截来至起迄",
    r"(?:起)?(?:以来|至今|迄今|来(?=$|[,。;!?\s]|(?<=[0-9一二三四五六七八九十两几多数][年月周天]来)的|(?<=个[月]来)的))|(?:一直)?(?:到|至)(?:现在|目前为止|目前|今天为止|今(?![天日晚年早后明夜儿]))(?:为止)?|到今天为止|截至目前|截止目前",
)
def _since(m: Match[str]) -> Bound:
    return Bound("since")


@RULES(
    "to",
    " )-tu~→一到直至",
    r"[ )]{0,3}(?:一直到|到了|到(?![,。;!?]|底|处|达|家|位|场|期|手|店|岗|账|时候|点|楼|校|货|公司|我|你|他|她)|直到|直至|至(?!于|少|多|今|关|亲|上)|-{1,3}|~{1,2}|->|→|(?<![a-z])(?:to|till|until|through)(?![a-z]))[ ]{0,3}",
)
def _to(m: Match[str]) -> Mark:
    return Mark("to")


@RULES("and", " 、与以及和跟", r"[ ]?(?:和|与|跟|及|以及|、)[ ]?")
def _and(m: Match[str]) -> Mark:
    return Mark("and")


@RULES(
    "from",
    "bfs从打自",
    r"(?:自从|打从|从(?!来|小|容|事|属|不|前)|自(?!己|动|然|我|由|行|习|信|带|定|助|学|家|在|拍|称)|(?<![a-z])(?:from|since|between)(?![a-z]))[ ]?",
)
def _from(m: Match[str]) -> Mark:
    return Mark("since" if m[0].strip() in ("自从", "since", "自", "打从") else "from")


@RULES("about", " 上前左的那附", r"[ ]?(?:左右|前后|上下|附近|那会儿?|那时候?|的时候|那阵子?|那段时间|那时)")
def _about(m: Match[str]) -> Mark:
    return Mark("about")


@RULES("during", "假小放期那长黄", r"(?:期间|假期间|假期|长假|小长假|小?长假期|黄金周|那几天|那两天|那三天|放假|假日)")
def _during(m: Match[str]) -> Mark:
    return Mark("during")


@RULES(
    "lunar-mark",
    "农古夏旧阴",
    r"(?:农历|阴历|旧历|夏历|古历)(?:的)?(?=(?:[0-9零一二三四五六七八九]{4}年))|(?<=年)(?:农历|阴历|旧历)(?:的)?(?=[0-9]{1,2}月)",
)
def _lunar_mark(m: Match[str]) -> Mark:
    return Mark("lunar")


@RULES("weekday-beside", "(", r"(?<=[0-9日号])\((?:周|星期|礼拜)?[一二三四五六日]\)")
def _weekday_beside(m: Match[str]) -> Mark:
    """9/18(五): says once more what the date says."""
    return Mark("plain")


@RULES("solar-mark", "公新西阳", r"(?:阳历|公历|新历|西历)(?:的)?")
def _solar_mark(m: Match[str]) -> Mark:
    return Mark("plain")


@RULES("except", "不刨扣除", r"除了|除去|除开|除(?=[周星礼今昨明前后上这本工节0-9])|不含|不包括|不算|刨去|扣除")
def _except(m: Match[str]) -> Mark:
    return Mark("except")


@RULES("except-after", "不之以外除", r"(?:除外|以外|之外|不算|外(?![面边卖国地出婆公套甥孙人交语企包部观围表科]))")
def _except_after(m: Match[str]) -> Mark:
    return Mark("except", "after")


@RULES(
    "number",
    SMALL_STARTS + "万亿千百",
    r"[0-9](?:[0-9.,/:_-]{0,40}[0-9])?|[零一二三四五六七八九十百千万亿廿卅两]{1,12}|[0-9]",
)
def _number(m: Match[str]) -> Mark:
    return Mark("number")
