"""What short texts are compared by: Chinese characters and bigrams, Latin words, and families of words, as flat arrays.

Chinese needs no segmentation for this. Everything is vectorised over all texts at once, since a user's whole history
passes through here.
"""

# The functions of pyarrow.compute are made when it is imported:
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from temporal_recall.dataflows.language.matters import FAMILIES
from temporal_recall.dataflows.runs import Positions, distinct, laid_out, numbered, run_lengths, run_starts

GRAM_BITS = 22
"""Grams are hashed to this many bits; two of some ten thousand grams rarely share a value."""

_LIGHT = 1 << (GRAM_BITS - 1)
_LIGHT_WEIGHT = 0.5
_WORD_MARK = np.uint64(1 << 62)
_FAMILY_MARK = np.uint64(1 << 63)
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_GRAM_MASK = (1 << GRAM_BITS) - 1
_SEPARATOR = "\x00"
_PORTION = 1 << 12
"""How many texts are read at once: so many characters stay near the processor."""

_FIRST_UNFOLDED = 0x10000
_CODE_MASK = np.uint32((1 << 21) - 1)
_HAN, _IDLE, _LETTER, _FIGURE = (np.uint32(1 << bit) for bit in range(21, 25))
"""What a character is, above its code point."""

_FUNCTION_CHARACTERS = (
    "的了我你他她它们您咱是在不没就都也还又再很太有无说要想会能可得地着过给跟和与及把被让叫到去来从对向为"
    "这那哪些个么什啥怎吧啊呢吗呀哦嗯哈呗嘛啦哟喔哎唉请帮下上里"
)
"""Particles, pronouns and other function characters: two of them together say nothing of the matter."""

_TIME_CHARACTERS = (
    "年月日号天周期星礼拜早晚午夜凌晨点半刻分秒钟今明昨后前次本0123456789一二三四五六七八九十两零〇末底初旬"
)
"""Characters of time expressions: times are compared as times, not as words."""


class Grams(NamedTuple):
    """Grams of texts: `row` is the position of the text, `gram` a hash; each pair once, sorted by both."""

    row: Positions
    gram: Positions


def text_grams(texts: pa.Array, among: Positions | None = None) -> Grams:
    """The telling grams of each text: Chinese bigrams and single characters, Latin words, and families of words.

    Bigrams of time and function characters alone are left out, as are bare numbers. Case and width do not
    matter. A text that holds a word of a family (see `matters`) also holds the family.

    Args:
        texts: large strings; none is missing.
        among: the only grams that are looked for; all when absent.
    """
    portions = (
        _entries(texts[first : first + _PORTION], among) + (first << GRAM_BITS)
        for first in range(0, len(texts), _PORTION)
    )
    entries = np.concatenate([np.empty(0, dtype=np.int64), *portions])
    return Grams(entries >> GRAM_BITS, entries & _GRAM_MASK)


def _entries(texts: pa.Array, among: Positions | None) -> Positions:
    """Row and gram as one number, ascending."""
    characters = _characters(texts)
    codes, row = _codes(characters), _rows(characters) << GRAM_BITS
    found = (_bigrams(characters, codes), _singles(characters, codes), _words(characters, codes))
    place, gram = (np.concatenate(each) for each in zip(*found, strict=True))
    own = row[place] | gram
    family = _family_by_gram()[own & _GRAM_MASK]
    has_family = np.flatnonzero(family >= 0)
    entries = np.concatenate([own, (own[has_family] & ~_GRAM_MASK) | family[has_family]])
    if among is not None:
        entries = entries[np.isin(entries & _GRAM_MASK, among)]
    return distinct(entries)


def _characters(texts: pa.Array) -> NDArray[np.uint32]:
    """The characters of all texts as they are compared, with what each is; between two texts a 0."""
    joined = _joined(texts)
    if joined.count(_SEPARATOR) >= max(len(texts), 1):
        joined = _joined(pc.replace_substring(texts, _SEPARATOR, " "))
    return _folded()[np.frombuffer(joined.encode("utf-32-le"), dtype=np.uint32)]


def _joined(texts: pa.Array) -> str:
    together = pa.ListArray.from_arrays([0, len(texts)], texts)
    return str(pc.binary_join(together, pa.scalar(_SEPARATOR, texts.type))[0])


def _rows(characters: NDArray[np.uint32]) -> Positions:
    """The text of each character; the mark between two texts is of the second."""
    return np.cumsum(characters == 0, dtype=np.int64)


def _is(characters: NDArray[np.uint32], what: np.uint32) -> NDArray[np.bool_]:
    return (characters & what) > 0


def _codes(characters: NDArray[np.uint32]) -> NDArray[np.uint64]:
    return (characters & _CODE_MASK).astype(np.uint64)


def _bigrams(characters: NDArray[np.uint32], codes: NDArray[np.uint64]) -> tuple[Positions, Positions]:
    """Place and gram of each telling pair of neighbouring Chinese characters."""
    gram = _hashed((codes[:-1] << np.uint64(21)) | codes[1:])
    both_are = characters[:-1] & characters[1:] & (_HAN | _IDLE)
    is_telling, idle = both_are == _HAN, np.flatnonzero(both_are == (_HAN | _IDLE))
    is_telling[idle] = _family_by_gram()[gram[idle]] >= 0
    place = np.flatnonzero(is_telling)
    return place, gram[place]


def _singles(characters: NDArray[np.uint32], codes: NDArray[np.uint64]) -> tuple[Positions, Positions]:
    """Place and gram of each telling Chinese character."""
    place = np.flatnonzero((characters & (_HAN | _IDLE)) == _HAN)
    return place, _hashed(codes[place]) | _LIGHT


def _words(characters: NDArray[np.uint32], codes: NDArray[np.uint64]) -> tuple[Positions, Positions]:
    """Place and gram of each Latin word of two characters or more that is no bare number."""
    part = np.flatnonzero(_is(characters, _LETTER | _FIGURE))
    begins = run_starts(part - np.arange(len(part)))  # side by side, all stand as far from their number
    length = run_lengths(begins, len(part))
    has_letter = np.logical_or.reduceat(_is(characters[part], _LETTER), begins)
    word = np.flatnonzero((length >= 2) & has_letter)
    start, length = part[begins[word]], length[word]
    return start, _hashed(_word_codes(codes, start, length) | _WORD_MARK)


def _word_codes(codes: NDArray[np.uint64], start: Positions, length: Positions) -> NDArray[np.uint64]:
    """A number for each span of characters, the same for the same characters."""
    which, within = laid_out(length)
    powers = np.multiply.accumulate(np.full(int(length.max(initial=1)), _MULTIPLIER, dtype=np.uint64))
    parts = codes[start[which] + within] * powers[within]
    return np.asarray(np.add.reduceat(parts, np.cumsum(length) - length))


@lru_cache(maxsize=1)
def _family_by_gram() -> NDArray[np.int32]:
    """The gram of the family to which each gram belongs, -1 for none."""
    table = np.full(1 << GRAM_BITS, -1, dtype=np.int32)
    for number, words in enumerate(FAMILIES.values()):
        family = _family_gram(number)
        for word in words.split():
            table[_own_gram(word)] = family
    return table


def is_family(grams: Positions) -> NDArray[np.bool_]:
    """Whether each gram is a family of words."""
    return np.isin(grams, _families())


def kindred_words(grams: Positions) -> list[str]:
    """The words of the families among some grams."""
    families = zip(np.isin(_families(), grams), FAMILIES.values(), strict=True)
    return [word for is_among, words in families if is_among for word in words.split()]


def is_character(grams: Positions) -> NDArray[np.bool_]:
    """Whether each gram, none of them a family, is a single Chinese character."""
    return (grams & _LIGHT) > 0


@lru_cache(maxsize=1)
def _families() -> Positions:
    """The grams that are families of words."""
    return np.array([_family_gram(number) for number in range(len(FAMILIES))], dtype=np.int64)


def _family_gram(number: int) -> int:
    return int(_hashed(np.array([number], dtype=np.uint64) | _FAMILY_MARK)[0])


def _own_gram(word: str) -> int:
    """The gram of a word that is one: a Chinese character, a pair of them, or a Latin word."""
    characters = _characters(pa.array([word], pa.large_string()))
    codes = _codes(characters)
    if not _is(characters, _HAN).all():
        return int(_words(characters, codes)[1][0])
    if len(codes) == 1:
        return int(_hashed(codes)[0]) | _LIGHT
    return int(_hashed((codes[:1] << np.uint64(21)) | codes[1:2])[0])


@lru_cache(maxsize=1)
def _folded() -> NDArray[np.uint32]:
    """Each code point as it is compared (lower case, full width as half width), with what the character is."""
    codes = np.arange(0x110000, dtype=np.uint32)
    for code in range(_FIRST_UNFOLDED):
        folded = unicodedata.normalize("NFKC", chr(code)).lower()
        codes[code] = ord(folded) if len(folded) == 1 else code
    is_figure, is_latin = (codes >= ord("0")) & (codes <= ord("9")), (codes >= ord("a")) & (codes <= ord("z"))
    kinds = {
        _HAN: (codes >= 0x3040) & (codes < 0xA000),
        _IDLE: np.isin(codes, [ord(c) for c in _FUNCTION_CHARACTERS + _TIME_CHARACTERS]),
        _LETTER: is_latin | ((codes >= 0xDF) & (codes < 0x2000)),
        _FIGURE: is_figure,
    }
    return np.asarray(np.bitwise_or.reduce([codes, *(np.where(holds, kind, 0) for kind, holds in kinds.items())]))


def spelled(word: str) -> str:
    """An RE2 pattern of a word in any case and width."""
    folded = (chr(code & int(_CODE_MASK)) for code in _folded()[[ord(character) for character in word]].tolist())
    return "".join(f"[{re.escape(character + _spellings().get(character, ''))}]" for character in folded)


@lru_cache(maxsize=1)
def _spellings() -> Mapping[str, str]:
    """The other characters that are compared as each one is."""
    codes = _folded()[:_FIRST_UNFOLDED] & _CODE_MASK
    found: dict[str, str] = defaultdict(str)
    for code in np.flatnonzero(codes != np.arange(len(codes))).tolist():
        found[chr(codes[code])] += chr(code)
    return found


def _hashed(codes: NDArray[np.uint64]) -> Positions:
    return ((codes * _MULTIPLIER) >> np.uint64(65 - GRAM_BITS)).view(np.int64)


def gram_weights(gram: Positions, text_count: int) -> NDArray[np.float64]:
    """How telling each gram of some texts is: its inverse document frequency over these texts, in (0, 1].

    A bigram that one of many texts has weighs nearly 1, one that every text has nearly nothing; a single character
    half as much.
    """
    number, grams = numbered(gram)
    weight: NDArray[np.float64] = np.log1p(text_count / np.bincount(number)) / np.log1p(text_count)
    return (weight * np.where(grams & _LIGHT, _LIGHT_WEIGHT, 1.0))[number]
