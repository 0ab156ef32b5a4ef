"""How much of a term a text names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from temporal_recall.dataflows.columns import matches
from temporal_recall.dataflows.language.grams import (
    gram_weights,
    is_character,
    is_family,
    kindred_words,
    spelled,
    text_grams,
)
from temporal_recall.dataflows.runs import Positions

FAMILY_COVERAGE = 0.75
"""What a text covers of a term that it only names by another word of the same family."""

_UNHEARD = 0.3
"""What a gram that no text holds weighs in a term of which another word is held."""


def term_coverage(texts: pa.Array, terms: Sequence[str]) -> NDArray[np.float64]:
    """The share of each term's telling grams that each text holds.

    Grams weigh by how few of `texts` hold them. A gram that none holds weighs most where no word of the term is held;
    else it weighs little, for it is but how the term was put (复查定 of 复查定在哪天). A text that holds another word
    of the term's family covers three quarters of it.

    Args:
        texts: large strings; none is missing.

    Returns:
        One row per text, one column per term, values in [0, 1]. A term without a telling gram covers nothing.
    """
    term, gram = text_grams(pa.array(terms, pa.large_string()))
    may_name = _naming(texts, terms, gram)
    row, held = text_grams(texts.take(pa.array(may_name)), among=gram)
    rows = may_name[row]
    telling = gram_weights(held, len(texts))
    places = [np.flatnonzero(held == wanted_gram) for wanted_gram in gram]
    is_held, is_wide = np.array([len(at) > 0 for at in places], dtype="bool"), is_family(gram)
    is_heard = np.bincount(term[is_held & ~is_wide & ~is_character(gram)], minlength=len(terms)) > 0
    unheard = np.where(is_heard, _UNHEARD, 1.0)[term]
    weight = np.array([telling[at[0]] if len(at) else unheard[number] for number, at in enumerate(places)])
    coverage, by_family = np.zeros((len(texts), len(terms))), np.zeros((len(texts), len(terms)))
    total = np.bincount(term[~is_wide], weights=weight[~is_wide], minlength=len(terms))
    for number, at in enumerate(places):
        if is_wide[number]:
            by_family[rows[at], term[number]] = FAMILY_COVERAGE
        else:
            coverage[rows[at], term[number]] += weight[number] / total[term[number]]
    return np.maximum(coverage, by_family)


def _naming(texts: pa.Array, terms: Sequence[str], grams: Positions) -> Positions:
    """Which texts may hold one of the grams of some terms: those with a character of a term, or with a kindred word.

    Most hold none, and this is found in all at once.
    """
    named = [*"".join(terms), *kindred_words(grams)]
    return np.flatnonzero(matches(texts, "|".join(map(spelled, named))))
