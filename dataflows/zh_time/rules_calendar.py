"""Rules for years, quarters, months, days of the month, weekdays, and numbered parts of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from re import Match

from temporal_recall.dataflows.zh_time import finders
from temporal_recall.dataflows.zh_time.almanac import workdays_later
from temporal_recall.dataflows.zh_time.calendar import DAY, Unit, Window, exact, shifted, unit_window, units_within
from temporal_recall.dataflows.zh_time.eras import FIRST_YEARS
from temporal_recall.dataflows.zh_time.lexer import Rules, first_characters
from temporal_recall.dataflows.zh_time.numerals import DIGITS, FIGURES, SMALL, SMALL_STARTS, YEAR, whole
from temporal_recall.dataflows.zh_time.spans import GRAINS, calendar_year, from_now, inside_unit
from temporal_recall.dataflows.zh_time.tokens import Now, Predicate, Rank

RULES = Rules()

WEEKDAYS = {d: n for n, d in enumerate("一二三四五六日")} | {"天": 6}
_MONTH_NAMES = {"元": 1, "正": 1}
_DAY_MEASURE = "个次天项件场篇轮位名种份家条本章节页人年岁万千百度倍张台杯碗大成"
_NO_WEEKDAY = (
    r"(?<=一)(?:共|些|直(?!播|接|达|飞|营|聘)|定(?!的(?!话)|下来|下了|了(?!解)|好(?!好)|稿|案)|样(?![品机板片])|般|切(?![换片割])"
    r"|边(?!境|检)|起(?![飞床草诉航])[一-龥]|下(?=$|子|就|[,。!?]))|(?<=日)(?:[常报语记历程子]|成(?!交))|(?<=天)(?:[气使津]|生(?!日|产|病|孩|娃|了)|下(?![午昼班课雨雪周个]))"
)
"""What follows a weekday's figure where the figure belongs to another word: 周一定, 周日常, 周天气."""
_COUNTED = (
    r"个(?!人|税|股|别)|次(?!日|要|品|级)|天(?![气台文])|场(?![地馆景外内])|项(?!目)|轮(?![班休值岗到换流])|份(?!额)|名(?![单额字片])"
    r"|条|件|篇|章|页|岁|百|千|万|倍|杯|碗|年(?!会|终|夜|货)|人(?![事多少都不没在力民])|家(?![里长庭访人属务])"
)
"""What follows a figure that counts: 一周三次, 上周五个会."""
_GIVEN_NAMES = "鸣帆铭涵晗菲泓宸昕彤琳楠轩翔鹏鹤诺"
"""What a given name goes on with after 周一: the surname Zhou is no week."""
_NUMBERED = (
    r"线(?![上下])|店(?!庆)|楼(?!盘)|门(?![诊店票])|院(?!庆)|车(?![展票贷险间])|机(?![票场])|球(?!赛)|房(?![租贷东])|台(?![风湾])"
    r"|公馆|馆|厅|床|窗|柜|桌|位|仓|库|码|称|字|文件|选手|病房|诊室|[扶电直]?梯|泵|锅?炉|井|塔|闸|阀|机组|变压器|服务器|跑道|赛道|病区|院区|车间|宿舍|公寓|别墅|单元|栋|幢|考场|技师|出口|登机口|航站|会议室|教室|车厢|包[厢间]|摊|档口|地块|工位|展位|染色体|电池|汽油|球衣|风球|车位|泊位|航班"
)
"""What 号 numbers: 5号馆, 8号床."""
_AFTER_WEEK = r"(?:(?<=周)|(?<=星期)|(?<=礼拜)|(?<=[上下这本个]拜))"
_UNCOUNTED = r"(?<![0-9零一二两三四五六七八九十百几每半多])"
RANGE = r"[ ]*(?:到|至|-|~){1,2}[ ]*"
_SPACE = r"[ ]{0,2}"


@lru_cache(maxsize=512)
def month_predicate(month: int) -> Predicate | None:
    """The month of the year with that number; None where there is none."""
    if not 1 <= month <= 12:
        return None
    return Predicate(Rank.MONTH, "month", finders.in_year(month), scope="year", stated={"month": month})


@lru_cache(maxsize=512)
def day_predicate(day: int) -> Predicate | None:
    """The day of the month with that number."""
    if not 1 <= day <= 31:
        return None
    return Predicate(Rank.DAY, "day", finders.day_of_month(day), scope="month", stated={"day": day}, nearest=True)


@lru_cache(maxsize=512)
def date_predicate(month: int, day: int, weak: bool = False) -> Predicate | None:
    """The day of the year with that month and day."""
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    stated = {"month": month, "day": day}
    return Predicate(Rank.DAY, "day", finders.date_of_year(month, day), scope="year", stated=stated, weak=weak)


@lru_cache(maxsize=512)
def weekday_predicate(number: int) -> Predicate:
    """The weekday with that number, Monday being 0; bare, it may be the last or the next one."""
    found = finders.weekday(number)
    return Predicate(Rank.DAY, "day", found, scope="week", stated={"weekday": number + 1}, loose=True)


@RULES("century-decade", SMALL_STARTS, rf"(?P<century>{SMALL})世纪(?:(?P<decade>[一二三四五六七八九]十|[1-9]0)年代)?")
def _century(m: Match[str]) -> Predicate:
    century = whole(m["century"])
    first = (century - 1) * 100
    if not m["decade"]:
        return calendar_year(max(first, 1), 100, Rank.ERA, {"century": century})
    return calendar_year(first + whole(m["decade"]), 10, Rank.DECADE, {"decade": first + whole(m["decade"])})


@RULES("decade", DIGITS + FIGURES, r"(?P<decade>[一二三四五六七八九]十|[0-9]0|(?:19|20)[0-9]0)年代")
def _decade(m: Match[str]) -> Predicate:
    decade = whole(m["decade"])
    year = decade if decade > 100 else (2000 if decade < 20 else 1900) + decade

    def find(window: Window) -> Iterator[Window]:
        start = datetime(window.start.year // 100 * 100 + decade % 100, 1, 1)
        yield exact(start, shifted(start, "year", 10))

    return replace(calendar_year(year, 10, Rank.DECADE, {"decade": year}), find=find)


@RULES(
    "year-before-quarter",
    "12",
    r"(?<![0-9a-z])(?P<year>(?:19|20)[0-9]{2})[ ]?(?=q[1-4](?![0-9a-z])|[ ]?[hH][12])|(?<![0-9a-z])(?P<year3>(?:19|20)[0-9]{2})(?=[ ]?(?:春节|国庆|中秋|五一|元旦|端午|清明|除夕|圣诞|情人节))",
)
def _year_before_quarter(m: Match[str]) -> Predicate:
    return calendar_year(whole(m["year"] or m["year3"]))


@RULES("english-year-after-quarter", "12", r"(?<=q[1-4] )(?P<year>(?:19|20)[0-9]{2})(?![0-9年])")
def _year_after_quarter(m: Match[str]) -> Predicate:
    return calendar_year(whole(m["year"]))


@RULES(
    "year",
    DIGITS + "一两二公",
    rf"(?:公元)?(?P<year>{YEAR}){_SPACE}(?:年度?|财年)(?!级|薪|产|限)",
)
def _year(m: Match[str]) -> Predicate | None:
    year = whole(m["year"])
    return calendar_year(year) if year else None


@RULES(
    "ancient-year",
    FIGURES + "公",
    r"(?:公元(?P<year>[0-9]{1,3}|[零一二三四五六七八九]{2,3})|(?P<year2>[一二三四五六七八九][零一二三四五六七八九]{2}))年",
)
def _ancient_year(m: Match[str]) -> Predicate | None:
    year = whole(m["year"] or m["year2"])
    return calendar_year(year) if year else None


@RULES(
    "reign-year",
    first_characters(FIRST_YEARS),
    rf"(?P<era>{'|'.join(sorted(FIRST_YEARS, key=len, reverse=True))})(?P<year>元|{SMALL}|[0-9]{{3}}|一百[零一二三四五六七八九十]{{0,3}})年",
)
def _reign_year(m: Match[str]) -> Predicate | None:
    year = FIRST_YEARS[m["era"]] + (0 if m["year"] == "元" else whole(m["year"]) - 1)
    return calendar_year(year, stated={"era": m["era"], "year": year}) if year > 0 else None


@RULES(
    "year-before-range",
    "12",
    rf"(?P<year>(?:19|20)[0-9]{{2}})(?=年?{RANGE}(?:[0-9]{{2}}|(?:19|20)[0-9]{{2}})年)|(?<=[从自])(?P<year2>(?:19|20)[0-9]{{2}})(?={RANGE}(?:19|20)[0-9]{{2}}(?![0-9]))|(?<=[从自][0-9]{{4}}[到至~-])(?P<year3>(?:19|20)[0-9]{{2}})(?![0-9./-])",
)
def _year_before_range(m: Match[str]) -> Predicate:
    return calendar_year(whole(m["year"] or m["year2"] or m["year3"]))


@RULES(
    "two-digit-year",
    DIGITS + FIGURES + "零",
    r"(?P<year>[0-9]{2}|[零一二三四五六七八九]{2}) ?年(?!前(?![一两二三四五六七八九十0-9]{1,2}个)|后|内|来|间|多|半|以|之|代|级|纪|龄|薪|工|经|[的]?(?:时间|历史|经验))",
)
def _two_digit_year(m: Match[str]) -> Predicate:
    year = whole(m["year"])
    sure = m["year"][0] == "零"
    full = year + (2000 if year < 33 else 1900)
    return calendar_year(full, stated={"year": full}, weak=not sure)


@RULES("two-digit-year-bound", "0零", r"(?P<year>0[0-9]|零[零一二三四五六七八九]) ?年(?=以前|之前|以后|之后|前|后)")
def _two_digit_year_bound(m: Match[str]) -> Predicate:
    return calendar_year(2000 + whole(m["year"]))


@RULES("half-year", "上下前后", r"(?P<half>上|下|前|后)半年(?!前|后|内|来|以|之)")
def _half_year(m: Match[str]) -> Predicate:
    first = 1 if m["half"] in "上前" else 7
    stated = {"half": 1 if first == 1 else 2}
    return Predicate(Rank.HALF, "quarter", finders.in_year(first, 6), scope="year", stated=stated)


@RULES(
    "quarter",
    "1234q一三二四第",
    r"(?:第?(?P<n>[一二三四1-4])(?:个)?季度?(?!节|风|军|后赛|后|个)|q(?P<q>[1-4])(?![0-9a-z])|(?P<latin>[1-4])q(?![0-9a-z]))",
)
def _quarter(m: Match[str]) -> Predicate:
    number = whole(m["n"] or m["q"] or m["latin"])
    return Predicate(
        Rank.QUARTER, "quarter", finders.in_year(number * 3 - 2, 3), scope="year", stated={"quarter": number}
    )


@RULES(
    "day-after-month",
    SMALL_STARTS + " ",
    rf"(?<=月)[ ]?(?P<day>{SMALL})(?![ ]?[{_DAY_MEASURE}月点时分秒小日号刻季.:/0-9]|[周星礼])|(?<=月份)(?P<day2>{SMALL})(?=[日号])",
)
def _day_after_month(m: Match[str]) -> Predicate | None:
    return day_predicate(whole(m["day"] or m["day2"]))


@RULES("month-before-range", SMALL_STARTS, rf"(?P<month>{SMALL})(?={RANGE}{SMALL}月)")
def _month_before_range(m: Match[str]) -> Predicate | None:
    return month_predicate(whole(m["month"]))


@RULES(
    "two-months",
    FIGURES + "十",
    r"(?P<a>[一二三四五六七八九])、?(?P<b>[二三四五六七八九十])月份?(?!间)|(?P<late>十一二)月份?",
)
def _two_months(m: Match[str]) -> Predicate | None:
    first, second = (11, 12) if m["late"] else (whole(m["a"]), whole(m["b"]))
    if second != first + 1:
        return month_predicate(second)
    return Predicate(Rank.MONTH, "month", finders.in_year(first, 2), scope="year", stated={"month": first})


@RULES(
    "month",
    SMALL_STARTS + "元",
    rf"(?P<month>{SMALL}|元){_SPACE}月份?(?!亮|饼|球|经(?![费济营理过常历典])|薪|票|嫂|老|租|色|光|食|牙|卡)",
)
def _month(m: Match[str]) -> Predicate | None:
    return month_predicate(_MONTH_NAMES.get(m["month"]) or whole(m["month"]))


@RULES(
    "day-before-list",
    DIGITS,
    rf"(?<![0-9a-z.:])(?P<day>[0-9]{{1,2}})(?=[、和跟及][0-9]{{1,2}}[日号](?!{_NUMBERED}))",
)
def _day_before_list(m: Match[str]) -> Predicate | None:
    """17、18号: the figure before lends itself the 号 behind."""
    return day_predicate(int(m["day"]))


@RULES("day-before-range", SMALL_STARTS, rf"(?P<day>{SMALL})(?={RANGE}{SMALL}[日号])")
def _day_before_range(m: Match[str]) -> Predicate | None:
    return day_predicate(whole(m["day"]))


@RULES(
    "day",
    SMALL_STARTS,
    rf"(?<![路街巷弄])(?<!大道)(?:(?<![推延挪移拖][后迟期])|(?={SMALL}号))(?P<day>{SMALL}){_SPACE}(?:号|日(?!内|之内|以内|后|游|均|元(?![旦宵])|间|渐))(?!{_NUMBERED})",
)
def _day(m: Match[str]) -> Predicate | None:
    return day_predicate(whole(m["day"]))


@RULES("third-of-month", "上下中", r"(?P<third>[上中]?[中下]|上)旬")
def _third(m: Match[str]) -> Predicate:
    bounds = {"上": (1, 10), "中": (11, 20), "下": (21, 31)}
    first, last = bounds[m["third"][0]][0], bounds[m["third"][-1]][1]
    return _stretch(first, last, first, last, {"third": m["third"]})


@RULES("half-month", "上下前后月", r"(?:月)?(?P<half>[上下前后])半(?:个)?月(?!前|后|内|来|以|之|刊)")
def _half_month(m: Match[str]) -> Predicate:
    first, last = (1, 15) if m["half"] in "上前" else (16, 31)
    return _stretch(first, last, first, last, {"half": m["half"]})


@RULES(
    "part-of-month",
    "中初头尾底月末",
    r"(?:(?<=月份)|(?<=月)|月)(?P<part>初|头|中(?!了|奖|国|文|学|标|签|彩|心|秋|考)|底|末|尾)",
)
def _part_of_month(m: Match[str]) -> Predicate:
    bounds = {"初": (1, 7, 1, 10), "头": (1, 7, 1, 10), "中": (11, 20, 10, 20)}.get(m["part"], (25, 31, 21, 31))
    return _stretch(*bounds, {"part": m["part"]})


def _stretch(first: int, last: int, wide_first: int, wide_last: int, stated: dict[str, int | str]) -> Predicate:
    find = finders.days_of_month(first, last, wide_first, wide_last)
    return Predicate(Rank.THIRD, "week", find, scope="month", stated=stated)


@RULES(
    "part-of-year",
    "中初头尾年底末终",
    r"(?:(?<=年)|年)(?P<part>初(?![一二三四五六七八九])|头|中(?!国|心|文|了|奖)|底|末|尾|终(?!奖|总结))",
)
def _part_of_year(m: Match[str]) -> Predicate:
    from temporal_recall.dataflows.zh_time.spans import part_of_year

    return part_of_year(m["part"])


@RULES(
    "weekday-run",
    "周星礼一二三四五六",
    rf"(?:{_UNCOUNTED}(?:周|星期|礼拜)|(?<=[上下这本]周)|(?<=[上下这本个]星期)|(?<=[上下这本个]礼拜))(?P<run>一二三四五?|二三四五?|三四五|四五六|五六[日天]|一二三?|二三|三四|四五|五六|六[日天])(?![十点号月日个次千百]|天(?![气都]))",
)
def _weekday_run(m: Match[str]) -> Predicate:
    """周四五, 下周一二三: days of one week in a row."""
    number = WEEKDAYS[m["run"][0]]

    def find(window: Window) -> Iterator[Window]:
        for day in finders.weekday(number)(window):
            yield exact(day.start, day.start + len(m["run"]) * DAY)

    return Predicate(Rank.DAY, "day", find, scope="week", stated={"weekday": number + 1}, loose=True)


@RULES(
    "weekday-of-week",
    "一三二五六四天日",
    rf"{_AFTER_WEEK}(?P<day>[一二三四五六日天](?!{_COUNTED}|{_NO_WEEKDAY}))",
)
def _weekday_of_week(m: Match[str]) -> Predicate:
    return weekday_predicate(WEEKDAYS[m["day"]])


@RULES("weekend", "双周星礼", r"(?:周|星期|礼拜)末|双休日?|周六(?:、|和)?周?[日天](?!常)")
def _weekend(m: Match[str]) -> Predicate:
    return Predicate(Rank.DAY, "weekend", finders.weekend, scope="week", stated={"weekend": 1})


@RULES(
    "weekday",
    "周星礼拜",
    rf"{_UNCOUNTED}(?:周(?P<sur>(?=[一三五六][{_GIVEN_NAMES}]))?|星期|礼拜|(?<![礼崇祭跪参膜叩敬朝求])拜(?=[一二三四五六](?![拜个位次下年月天声])))(?P<day>[一二三四五六日天])(?!个(?![人税股别])|次(?![日要品级])|{_NO_WEEKDAY})",
)
def _weekday(m: Match[str]) -> Predicate | None:
    return None if m["sur"] is not None else weekday_predicate(WEEKDAYS[m["day"]])


@RULES("weekend-of-week", "末", rf"{_AFTER_WEEK}末")
def _weekend_of_week(m: Match[str]) -> Predicate:
    return Predicate(Rank.DAY, "weekend", finders.weekend, scope="week", stated={"weekend": 1})


_UNITS: dict[str, tuple[Unit, Rank]] = {
    "天": ("day", Rank.DAY), "日": ("day", Rank.DAY), "周": ("week", Rank.WEEK), "星期": ("week", Rank.WEEK),
    "礼拜": ("week", Rank.WEEK), "月": ("month", Rank.MONTH), "季度": ("quarter", Rank.QUARTER), "季": ("quarter", Rank.QUARTER),
    "年": ("year", Rank.YEAR), "小时": ("hour", Rank.PART),
}  # fmt: skip


@RULES(
    "nth-weekday",
    "倒最第",
    rf"(?:第(?P<n>{SMALL})|(?P<last>最后一?|倒数第一))个?(?:周|星期|礼拜)(?P<day>[一二三四五六日天末])(?!{_COUNTED})",
)
def _nth_weekday(m: Match[str]) -> Predicate:
    number = -1 if m["last"] else whole(m["n"])
    finder = finders.weekend if m["day"] == "末" else finders.weekday(WEEKDAYS[m["day"]])
    return Predicate(Rank.DAY, "weekend" if m["day"] == "末" else "day", finders.nth_of(finder, number))


@RULES(
    "nth-unit",
    "倒最第",
    rf"(?:第(?P<n>{SMALL})|(?P<last>最后一?|倒数第一))个?(?P<unit>工作日|天|日|周(?![一二三四五六日天年])|星期|礼拜|月(?!饼)|季度|年|小时)",
)
def _nth_unit(m: Match[str]) -> Predicate:
    number = -1 if m["last"] else whole(m["n"])
    if m["unit"] == "工作日":
        return Predicate(
            Rank.DAY, "day", finders.nth_of(finders.workdays, number), scope="month", stated={"nth_workday": number}
        )
    unit, rank = _UNITS[m["unit"]]
    return Predicate(rank, GRAINS[unit], finders.nth_unit(unit, number), stated={f"nth_{unit}": number})


@RULES(
    "first-units",
    "前后头最",
    r"(?:(?<=[年度月周])|(?<=[年度月周]的))(?P<side>前|头|最?后)[ ]?(?P<n>[一两二三四五六七八九十]{1,2}|[0-9]{1,2})个?(?P<unit>天|周|月|季度)(?!前|后|内)",
)
def _first_units(m: Match[str]) -> Predicate:
    unit, rank = _UNITS[m["unit"]]
    count = whole(m["n"]) * (-1 if "后" in m["side"] else 1)
    return Predicate(rank, GRAINS[unit], finders.first_units(unit, count))


@RULES("end-of-quarter", "中初季底末", r"(?:(?<=季度)|(?<=季)|季度?)(?P<part>初|中(?!国|心|文|层)|末|底)")
def _part_of_quarter(m: Match[str]) -> Predicate:
    index = {"初": 0, "中": 1}.get(m["part"], 2)

    def find(window: Window) -> Iterator[Window]:
        for quarter in units_within(window, "quarter"):
            yield unit_window(shifted(quarter, "month", index), "month")

    return Predicate(Rank.MONTH, "month", find, scope="quarter", stated={"part": m["part"]})


@RULES(
    "part-of-decade",
    "上下中初前后早晚末",
    r"(?:(?<=年代)|(?<=世纪))(?P<part>初期?|前期|早期|上半叶|前叶|中期|中叶|后期|末期?|晚期|下半叶|后叶)",
)
def _part_of_decade(m: Match[str]) -> Predicate:
    index = 0 if m["part"][0] in "初前早上" else 1 if m["part"][0] == "中" else 2
    halves = "半" in m["part"]

    def find(window: Window) -> Iterator[Window]:
        years = window.end.year - window.start.year
        bounds = (0, years // 2, years) if halves else (0, years * 3 // 10, years * 7 // 10, years)
        if years == 100 and m["part"] in ("初", "末"):
            bounds = (0, 10, 90, 100)
        part = min(index, len(bounds) - 2)
        yield exact(shifted(window.start, "year", bounds[part]), shifted(window.start, "year", bounds[part + 1]))

    return Predicate(Rank.YEAR, "year", find, stated={"part": m["part"]})


@RULES("this-season", "这", r"这个?(?=[春夏秋冬][天季])")
def _this_season(m: Match[str]) -> Predicate:
    return from_now("year", 0)


@RULES("workdays", "上休假工节", r"工作日(?!志)|上班日|(?P<off>节假日|休息日|假日|休息天)")
def _workdays(m: Match[str]) -> Predicate:
    find = finders.days_off_hull if m["off"] else finders.workdays_hull
    return Predicate(Rank.DAY, "day", find, stated={"workdays": 0 if m["off"] else 1})


@RULES(
    "within-unit",
    "周季年月本这",
    r"(?<![0-9零一二三四五六七八九十百几多半两整个])(?:本|这)?(?P<unit>周|月|年|季度)(?:之内|以内|内(?!容|部|存|置))",
)
def _within_unit(m: Match[str]) -> Predicate:
    return from_now(_UNITS[m["unit"]][0], 0)


@RULES("workday-offset", "上下", r"(?P<side>上|下)(?:一)?个?工作日")
def _workday_offset(m: Match[str]) -> Predicate:
    step = 1 if m["side"] == "下" else -1

    def place(now: Now) -> Window:
        return unit_window(workdays_later(now.moment, step), "day")

    return Predicate(Rank.DAY, "day", place=place, stated={"workday": step})


@RULES("weekend-offset", "上下这本", r"(?P<side>上{1,3}|下{1,3}|[这本])(?:一)?个?(?:双休日?|周六日)")
def _weekend_offset(m: Match[str]) -> Predicate:
    offset = {"上": -1, "下": 1}.get(m["side"][0], 0) * len(m["side"])
    return inside_unit("week", offset, finders.weekend, "weekend", {"week": offset}, None if offset else "week")


@RULES("school-holiday", "暑寒", r"(?P<season>[暑寒])假")
def _school_holiday(m: Match[str]) -> Predicate:
    first, months = (7, 2) if m["season"] == "暑" else (1, 2)
    find = finders.in_year(first, months)
    return Predicate(Rank.MONTH, "month", find, scope="year", stated={"holiday": m[0]}, wall=True, nearest=True)
