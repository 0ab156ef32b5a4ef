"""What short texts are compared by: Chinese characters and bigrams, Latin words, and families of words, as flat arrays.

Chinese needs no segmentation for this. Everything is vectorised over all texts at once, since a user's whole history
passes through here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from temporal_recall.dataflows.language.matters import FAMILIES
from temporal_recall.dataflows.runs import distinct, frequencies, laid_out

GRAM_BITS = 22
"""Grams are hashed to this many bits; two of some ten thousand grams rarely share a value."""

_LIGHT = 1 << (GRAM_BITS - 1)
_LIGHT_WEIGHT = 0.5
_WORD_MARK = np.uint64(1 << 62)
_FAMILY_MARK = np.uint64(1 << 63)
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_GRAM_MASK = (1 << GRAM_BITS) - 1
_SEPARATOR = "\x00"
_FUNCTION_CHARACTERS = (
    "的了我你他她它们您咱是在不没就都也还又再很太有无说要想会能可得地着过给跟和与及把被让叫到去来从对向为"
    "这那哪些个么什啥怎吧啊呢吗呀哦嗯哈呗嘛啦哟喔哎唉请帮下上里"
)
"""Particles, pronouns and other function characters: two of them together say nothing of the matter."""

_TIME_CHARACTERS = (
    "年月日号天周期星礼拜早晚午夜凌晨点半刻分秒钟今明昨后前次本0123456789一二三四五六七八九十两零〇末底初旬"
)
"""Characters of time expressions: times are compared as times, not as words."""


def _flags(characters: str) -> NDArray[np.bool_]:
    table = np.zeros(0x110000, dtype=np.bool_)
    table[[ord(c) for c in characters]] = True
    return table


_IS_IDLE = _flags(_FUNCTION_CHARACTERS + _TIME_CHARACTERS)


def text_grams(texts: Sequence[str], among: NDArray[np.int64] | None = None) -> pd.DataFrame:
    """The telling grams of each text: Chinese bigrams and single characters, Latin words, and families of words.

    Bigrams of time and function characters alone are left out, as are bare numbers. Case and width do not
    matter. A text that holds a word of a family (see `matters`) also holds the family.

    Args:
        among: the only grams that are looked for; all when absent.

    Returns:
        One row per text and gram, columns `row` (int64, position of the text) and `gram` (int64, hashed), each pair
        once, sorted by both. Empty frame for no texts.
    """
    joined = _SEPARATOR.join(t.replace(_SEPARATOR, " ") for t in texts)
    codes = _folded()[np.frombuffer(joined.encode("utf-32-le", "replace"), dtype=np.uint32)]
    row = np.cumsum(codes == 0)
    is_han, is_idle = _is_han(codes), _IS_IDLE[codes]
    found = [_bigrams(codes, is_han, is_idle), _singles(codes, is_han & ~is_idle), _words(codes)]
    entries = np.concatenate([(row[place] << GRAM_BITS) | gram for place, gram in found])
    family = _family_by_gram()[entries & _GRAM_MASK]
    named = (entries >> GRAM_BITS << GRAM_BITS)[family >= 0] | family[family >= 0]
    entries = np.concatenate([entries, named])
    if among is not None:
        entries = entries[np.isin(entries & _GRAM_MASK, among)]
    entries = distinct(entries)
    return pd.DataFrame({"row": entries >> GRAM_BITS, "gram": entries & _GRAM_MASK}, copy=False)


def _bigrams(
    codes: NDArray[np.uint32], is_han: NDArray[np.bool_], is_idle: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Place and gram of each telling pair of neighbouring Chinese characters."""
    place = np.flatnonzero(is_han[:-1] & is_han[1:])
    gram = _hashed((codes[place].astype(np.uint64) << np.uint64(21)) | codes[place + 1])
    is_telling = ~(is_idle[place] & is_idle[place + 1])
    is_telling[~is_telling] = _family_by_gram()[gram[~is_telling]] >= 0
    return place[is_telling], gram[is_telling]


def _singles(codes: NDArray[np.uint32], is_telling: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Place and gram of each telling Chinese character."""
    place = np.flatnonzero(is_telling)
    return place, _hashed(codes[place].astype(np.uint64)) | _LIGHT


def _words(codes: NDArray[np.uint32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Place and gram of each Latin word of two characters or more that is no bare number."""
    is_letter = _is_letter(codes)
    is_part = is_letter | ((codes >= 48) & (codes <= 57))
    start = np.flatnonzero(is_part & ~np.concatenate([[False], is_part[:-1]]))
    end = np.flatnonzero(is_part & ~np.concatenate([is_part[1:], [False]])) + 1
    letters = np.concatenate([[0], np.cumsum(is_letter)])
    is_word = (end - start >= 2) & (letters[end] > letters[start])
    start, end = start[is_word], end[is_word]
    return start, _hashed(_word_codes(codes, start, end) | _WORD_MARK)


def _word_codes(codes: NDArray[np.uint32], start: NDArray[np.int64], end: NDArray[np.int64]) -> NDArray[np.uint64]:
    """A number for each span of characters, the same for the same characters."""
    length = end - start
    which, within = laid_out(length)
    powers = np.multiply.accumulate(np.full(int(length.max(initial=1)), _MULTIPLIER, dtype=np.uint64))
    parts = codes[start[which] + within].astype(np.uint64) * powers[within]
    sums = np.concatenate([[np.uint64(0)], np.cumsum(parts)])
    ends = np.cumsum(length)
    return np.asarray(sums[ends] - sums[ends - length])


def _is_han(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    return (codes >= 0x3040) & (codes < 0xA000)


def _is_letter(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    return ((codes >= 97) & (codes <= 122)) | ((codes >= 0xDF) & (codes < 0x2000))


@lru_cache(maxsize=1)
def _family_by_gram() -> NDArray[np.int64]:
    """The gram of the family to which each gram belongs, -1 for none."""
    table = np.full(1 << GRAM_BITS, -1, dtype=np.int64)
    for number, words in enumerate(FAMILIES.values()):
        family = _hashed(np.array([number], dtype=np.uint64) | _FAMILY_MARK)[0]
        for word in words.split():
            table[_own_gram(word)] = family
    return table


def is_family(grams: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each gram is a family of words."""
    return np.isin(grams, _families())


def is_character(grams: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether each gram, none of them a family, is a single Chinese character."""
    return (grams & _LIGHT) > 0


@lru_cache(maxsize=1)
def _families() -> NDArray[np.int64]:
    """The grams that are families of words."""
    family = _family_by_gram()
    return distinct(family[family >= 0])


def _own_gram(word: str) -> int:
    """The gram of a word that is one: a Chinese character, a pair of them, or a Latin word."""
    codes = np.array([ord(c) for c in word], dtype=np.uint32)
    if not _is_han(codes).all():
        return int(_words(codes)[1][0])
    if len(codes) == 1:
        return int(_hashed(codes.astype(np.uint64))[0]) | _LIGHT
    return int(_hashed((codes[:1].astype(np.uint64) << np.uint64(21)) | codes[1:2])[0])


@lru_cache(maxsize=1)
def _folded() -> NDArray[np.uint32]:
    """Each code point as it is compared: lower case, full width as half width."""
    table = np.arange(0x110000, dtype=np.uint32)
    for code in range(0x10000):
        folded = unicodedata.normalize("NFKC", chr(code)).lower()
        table[code] = ord(folded) if len(folded) == 1 else code
    return table


def _hashed(codes: NDArray[np.uint64]) -> NDArray[np.int64]:
    return ((codes * _MULTIPLIER) >> np.uint64(65 - GRAM_BITS)).astype(np.int64)


def gram_weights(grams: pd.DataFrame, text_count: int) -> NDArray[np.float64]:
    """How telling each row of `grams` is: its inverse document frequency over these texts, in (0, 1].

    A bigram that one of many texts has weighs nearly 1, one that every text has nearly nothing; a single character
    half as much.
    """
    gram = grams["gram"].to_numpy()
    weight: NDArray[np.float64] = np.log1p(text_count / frequencies(gram)) / np.log1p(text_count)
    return weight * np.where(gram & _LIGHT, _LIGHT_WEIGHT, 1.0)
