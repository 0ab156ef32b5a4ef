"""Codes in a text that tell like things apart: versions, train numbers, lettered options, ordinals, quarters."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from temporal_recall.dataflows.columns import Flags, matches
from temporal_recall.dataflows.runs import Positions, distinct

_CODE_KINDS = {
    "version": r"(?<![0-9０-９.])[0-9０-９]{1,2}\.[0-9０-９]{1,2}(?![0-9０-９.%％号日万元块折])",  # 3.2 版本
    "number": r"(?<![A-Za-z])[A-Za-z]{1,3}-?[0-9０-９]{2,5}(?![0-9０-９])",  # G7531, CA1501, A302
    "letter": r"(?<![A-Za-z])[A-Z](?![A-Za-z0-9])",  # 候选人A, B 方案
    "quarter": r"(?<![A-Za-z])[Qq][1-4](?![0-9０-９])",  # Q4
    "ordinal": r"第[一二三四五六七八九十0-9０-９]{1,3}(?![天日年月周])",  # 第二针
}
_CODE = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _CODE_KINDS.items()))

_MARK_OF_CODE = r"[0-9０-９]\.[0-9０-９]|[A-Za-z]-?[0-9０-９]|第|(?:^|[^A-Za-z])[A-Z](?:[^A-Za-z0-9]|$)"
"""What every text that holds a code holds; most texts hold none, and this is found in all at once."""

Codes = Mapping[str, frozenset[str]]
"""The codes of one text by kind."""


def codes_in(text: str) -> Codes:
    """The codes that a text holds, upper case, by kind; an empty mapping for none.

    >>> codes_in("面试-候选人A（后端），3.2 版本")
    {'letter': frozenset({'A'}), 'version': frozenset({'3.2'})}
    """
    found: dict[str, set[str]] = defaultdict(set)
    for match in _CODE.finditer(text):
        found[str(match.lastgroup)].add(match.group().upper())
    return {kind: frozenset(codes) for kind, codes in found.items()}


def codes_agreement(left: Codes, right: Codes) -> int:
    """-1 where both hold codes of one kind and share none of it, 1 where they share one, else 0.

    >>> codes_agreement(codes_in("候选人A"), codes_in("候选人B"))
    -1
    """
    shared = [not left[kind].isdisjoint(right[kind]) for kind in left if kind in right]
    return 0 if not shared else (1 if all(shared) else -1)


def may_hold_code(texts: pa.Array) -> Flags:
    """Whether each text may hold a code."""
    return matches(texts, _MARK_OF_CODE)


def codes_of_pairs(texts: pa.Array, may_hold: Flags, left: Positions, right: Positions) -> NDArray[np.int8]:
    """What the codes of each pair of texts say (see `codes_agreement`).

    Args:
        may_hold: see `may_hold_code`.
    """
    at = np.flatnonzero(may_hold[left] & may_hold[right])
    rows = distinct(np.concatenate([left[at], right[at]]))
    codes = dict(zip(rows.tolist(), map(codes_in, texts.take(pa.array(rows)).to_pylist()), strict=True))
    pairs = zip(left[at].tolist(), right[at].tolist(), strict=True)
    verdict = np.zeros(len(left), dtype=np.int8)
    verdict[at] = [codes_agreement(codes[a], codes[b]) for a, b in pairs]
    return verdict
