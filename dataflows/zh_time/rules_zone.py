"""Rules for zones said in words: 纽约时间, 北京时间, UTC+8, CET."""

from __future__ import annotations

from re import Match

from temporal_recall.dataflows.zh_time.lexer import Rules, first_characters
from temporal_recall.dataflows.zh_time.tokens import Mark

RULES = Rules()

PLACES = {
    "Asia/Shanghai": "北京|上海|中国|国内|深圳|广州", "Asia/Hong_Kong": "香港", "Asia/Taipei": "台北|台湾", "Asia/Tokyo": "东京|日本|大阪",
    "Asia/Seoul": "首尔|韩国", "Asia/Singapore": "新加坡", "Asia/Bangkok": "曼谷|泰国", "Asia/Kolkata": "印度|孟买|新德里|班加罗尔",
    "Asia/Dubai": "迪拜|阿联酋", "Europe/London": "伦敦|英国", "Europe/Paris": "巴黎|法国", "Europe/Berlin": "柏林|德国|慕尼黑",
    "Europe/Moscow": "莫斯科|俄罗斯", "Europe/Zurich": "苏黎世|瑞士", "Europe/Amsterdam": "阿姆斯特丹|荷兰",
    "America/New_York": "纽约|美国东部|美东|波士顿|华盛顿|多伦多|东部", "America/Chicago": "芝加哥|美国中部|美中",
    "America/Denver": "丹佛|美国山区", "America/Los_Angeles": "洛杉矶|旧金山|西雅图|硅谷|加州|美国西部|美西|太平洋|西部",
    "America/Vancouver": "温哥华", "Pacific/Honolulu": "夏威夷|檀香山", "Australia/Sydney": "悉尼|澳洲|墨尔本", "Pacific/Auckland": "奥克兰|新西兰",
    "Asia/Jakarta": "雅加达|印尼", "Asia/Ho_Chi_Minh": "越南|胡志明", "America/Sao_Paulo": "圣保罗|巴西", "Europe/Madrid": "马德里|西班牙",
}  # fmt: skip
ZONE_OF_PLACE = {word: zone for zone, words in PLACES.items() for word in words.split("|")}
_LETTERS = {
    "utc": "UTC", "gmt": "UTC", "z": "UTC", "cst": "+08:00", "jst": "+09:00", "kst": "+09:00", "cet": "+01:00", "cest": "+02:00", "bst": "+01:00",
    "est": "-05:00", "edt": "-04:00", "pst": "-08:00", "pdt": "-07:00", "mst": "-07:00", "mdt": "-06:00", "cdt": "-05:00", "ist": "+05:30",
    "et": "America/New_York", "pt": "America/Los_Angeles", "hkt": "+08:00", "sgt": "+08:00", "aest": "+10:00", "msk": "+03:00", "eet": "+02:00",
}  # fmt: skip


@RULES(
    "zone-place",
    first_characters(ZONE_OF_PLACE),
    rf"(?P<place>{'|'.join(sorted(ZONE_OF_PLACE, key=len, reverse=True))})(?:当地)?时间(?:的)?",
)
def _zone_place(m: Match[str]) -> Mark:
    return Mark("zone", ZONE_OF_PLACE[m["place"]])


@RULES(
    "zone-offset",
    " (gu东",
    r"[ (]{0,2}(?:utc|gmt)[ ]?(?P<sign>[+-])(?P<hours>[0-9]{1,2})(?::?(?P<minutes>[0-9]{2}))?(?:时间)?\)?(?![0-9])|东(?P<east>[一二三四五六七八九十])区",
)
def _zone_offset(m: Match[str]) -> Mark:
    if m["east"]:
        from temporal_recall.dataflows.zh_time.numerals import whole

        return Mark("zone", f"+{whole(m['east']):02d}:00")
    return Mark("zone", f"{m['sign']}{int(m['hours']):02d}:{m['minutes'] or '00'}")


_ANY_LETTERS = "|".join(sorted(_LETTERS, key=len, reverse=True))


@RULES(
    "zone-letters",
    " (abceghijkmpsuz",
    rf"(?<![a-z])(?P<before>{_ANY_LETTERS})[ ]?(?=[0-9]{{1,2}}[:点时])|(?<=[0-9m点分])[ ]?\(?(?P<letters>{_ANY_LETTERS})(?![a-z0-9])",
)
def _zone_letters(m: Match[str]) -> Mark:
    return Mark("zone", _LETTERS[m["letters"] or m["before"]])
