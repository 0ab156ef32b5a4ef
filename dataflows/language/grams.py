"""Characters and character bigrams of short texts, as flat arrays: what matching and ranking compare texts by.

Chinese needs no segmentation for this; Latin words and numbers are cut the same way. Everything is vectorised over all
texts at once, since a user's whole history passes through here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

GRAM_BITS = 22
"""Grams are hashed to this many bits (the top one tells single characters); two grams rarely share a value."""

_SINGLE = 1 << (GRAM_BITS - 1)
_SINGLE_WEIGHT = 0.5
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
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


_IS_HAN = _flags("".join(map(chr, range(0x3400, 0xA000))))
_IS_FUNCTION = _flags(_FUNCTION_CHARACTERS)
_IS_TIME = _flags(_TIME_CHARACTERS)


def text_grams(texts: Sequence[str]) -> pd.DataFrame:
    """The telling characters and character bigrams of each text.

    Bigrams of time characters or of function characters alone are left out; single characters are those of Chinese
    words. Case and width do not matter.

    Returns:
        One row per text and gram, columns `row` (int64, position of the text) and `gram` (int64, hashed), each pair
        once, sorted by both. Empty frame for no texts.
    """
    joined = _SEPARATOR.join(t.replace(_SEPARATOR, " ") for t in texts)
    codes = _folded()[np.frombuffer(joined.encode("utf-32-le", "replace"), dtype=np.uint32)]
    row, is_word = np.cumsum(codes == 0), _is_word(codes)
    left, right = codes[:-1], codes[1:]
    is_pair = is_word[:-1] & is_word[1:] & ~_is_idle(left, right)
    is_single = _IS_HAN[codes] & ~_IS_FUNCTION[codes] & ~_IS_TIME[codes]
    pairs = _hashed((left[is_pair].astype(np.uint64) << np.uint64(21)) | right[is_pair])
    singles = _hashed(codes[is_single].astype(np.uint64)) | _SINGLE
    rows, grams = (np.concatenate(parts) for parts in ([row[:-1][is_pair], row[is_single]], [pairs, singles]))
    entries = distinct((rows << GRAM_BITS) | grams)
    return pd.DataFrame({"row": entries >> GRAM_BITS, "gram": entries & ((1 << GRAM_BITS) - 1)}, copy=False)


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


def distinct(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """The distinct values in ascending order; by sorting, which on millions is many times faster than `np.unique`."""
    ordered = np.sort(values)
    return ordered[np.concatenate([[True], ordered[1:] != ordered[:-1]])] if len(ordered) else ordered


def _is_word(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Letters and digits of any script; no punctuation, symbols, emoji or blanks."""
    is_ascii_word = ((codes >= 48) & (codes <= 57)) | ((codes >= 97) & (codes <= 122))
    is_other = (codes >= 0xC0) & (codes < 0x1F000) & ~((codes >= 0x2000) & (codes < 0x3040))
    return is_ascii_word | (is_other & ~((codes >= 0xFE00) & (codes < 0x10000))) | (codes >= 0x20000)


def _is_idle(left: NDArray[np.uint32], right: NDArray[np.uint32]) -> NDArray[np.bool_]:
    return (_IS_FUNCTION[left] & _IS_FUNCTION[right]) | (_IS_TIME[left] & _IS_TIME[right])


def gram_weights(grams: pd.DataFrame, text_count: int) -> NDArray[np.float64]:
    """How telling each row of `grams` is: its inverse document frequency over these texts, in (0, 1].

    A bigram that one of many texts has weighs nearly 1, one that every text has nearly nothing; a single character
    half as much.
    """
    gram = grams["gram"].to_numpy()
    frequency = np.bincount(gram, minlength=1 << GRAM_BITS)[gram]
    weight = np.log1p(text_count / frequency) / np.log1p(text_count)
    return np.where(gram & _SINGLE, _SINGLE_WEIGHT, 1.0) * weight
