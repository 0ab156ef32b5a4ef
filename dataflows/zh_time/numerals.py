"""Numbers as they are written in time words: 12, 十二, 廿一, 二零二四, 两, 半. Folded text only (see `script`)."""

from __future__ import annotations

from functools import lru_cache

_VALUES = {d: n for n, d in enumerate("零一二三四五六七八九")} | {"两": 2, "俩": 2, "仨": 3, "o": 0}
_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10000, "亿": 100000000}
_TENS = {"廿": 20, "卅": 30}

DIGITS = "0123456789"
FIGURES = "一二三四五六七八九"
SMALL_STARTS = DIGITS + FIGURES + "两十廿卅零"
"""What a number below one hundred begins with."""
COUNT_STARTS = SMALL_STARTS + "俩仨百千万"
"""What a count begins with."""

SMALL = (
    r"(?>[0-9]{1,2}|[一二三四五六七八九]?十[一二三四五六七八九]?|[廿卅]十?[一二三四五六七八九]?"
    r"|零[零一二三四五六七八九]|[一二两三四五六七八九])"
)
"""A pattern for a number below one hundred, in digits or characters."""

COUNT = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,9}(?:\.[0-9]{1,4})?万?|[零一二两俩仨三四五六七八九十百千万廿卅]{1,9}(?:点[一二三四五六七八九](?![刻分十]))?)"
"""A pattern for any count of things, in digits or characters."""

YEAR = (
    r"(?:[0-9]{4}|[一二][零o一二三四五六七八九]{3}|[一两二]千(?:零[一二三四五六七八九]|零?[一二三四五六七八九]?十[一二三四五六七八九]?"
    r"|[一二三四五六七八九]百[零一二三四五六七八九十]{0,3}))"
)
"""A pattern for a year written out in four places."""


@lru_cache(maxsize=4096)
def number(text: str) -> float:
    """The value of a number in digits or characters; 半 is one half. Raises ValueError where it is neither."""
    if text == "半":
        return 0.5
    plain = text.replace(",", "")
    if plain[0] in "0123456789":
        return _arabic(plain)
    whole, point, fraction = plain.partition("点")
    value = _characters(whole)
    return value + number(fraction) / 10 if point else value


def whole(text: str) -> int:
    """The value of a whole number in digits or characters."""
    return int(number(text))


def _arabic(text: str) -> float:
    if text.endswith("万"):
        return float(text[:-1]) * 10000
    return float(text) if "." in text else int(text)


def _characters(text: str) -> int:
    if len(text) > 1 and all(c in _VALUES for c in text):
        return int("".join(str(_VALUES[c]) for c in text))
    total, section, digit = 0, 0, 0
    for c in text:
        if c in _VALUES:
            digit = _VALUES[c]
        elif c in _TENS:
            section += _TENS[c]
        elif c in "万亿":
            total, section, digit = (total + section + digit) * _SCALES[c], 0, 0
        elif c in _SCALES:
            section += (digit or 1) * _SCALES[c]
            digit = 0
        else:
            raise ValueError(f"{text!r} is not a number")
    return total + section + digit
