"""How much of a term a text names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from temporal_recall.dataflows.language.grams import gram_weights, is_family, text_grams

_FAMILY_COVERAGE = 0.75
"""What a text covers of a term that it only names by another word of the same family."""


def term_coverage(texts: Sequence[str], terms: Sequence[str]) -> NDArray[np.float64]:
    """The share of each term's telling grams that each text holds.

    Grams weigh by how few of `texts` hold them; a gram that none holds weighs most. A text that holds another word of
    the term's family covers three quarters of it.

    Returns:
        One row per text, one column per term, values in [0, 1]. A term without a telling gram covers nothing.
    """
    grams, wanted = text_grams(texts), text_grams(terms)
    known = grams.assign(weight=gram_weights(grams, len(texts))).drop_duplicates("gram").set_index("gram")["weight"]
    weight = wanted["gram"].map(known).fillna(1.0).to_numpy()
    rows, held = grams["row"].to_numpy(), grams["gram"].to_numpy()
    coverage, by_family = np.zeros((len(texts), len(terms))), np.zeros((len(texts), len(terms)))
    is_named_family = is_family(wanted["gram"].to_numpy())
    total = np.bincount(wanted["row"][~is_named_family], weights=weight[~is_named_family], minlength=len(terms))
    for term, gram, share, is_wide in zip(wanted["row"], wanted["gram"], weight, is_named_family, strict=True):
        holders = rows[held == gram]
        if is_wide:
            by_family[holders, term] = _FAMILY_COVERAGE
        else:
            coverage[holders, term] += share / total[term]
    return np.maximum(coverage, by_family)
