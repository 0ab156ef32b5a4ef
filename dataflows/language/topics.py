"""How much of a term a text names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from temporal_recall.dataflows.language.grams import gram_weights, text_grams


def term_coverage(texts: Sequence[str], terms: Sequence[str]) -> NDArray[np.float64]:
    """The share of each term's telling grams that each text holds.

    Grams weigh by how few of `texts` hold them; a gram that none holds weighs most.

    Returns:
        One row per text, one column per term, values in [0, 1]. A term without a telling gram covers nothing.
    """
    grams, wanted = text_grams(texts), text_grams(terms)
    coverage = np.zeros((len(texts), len(terms)))
    known = grams.assign(weight=gram_weights(grams, len(texts))).drop_duplicates("gram").set_index("gram")["weight"]
    weight = wanted["gram"].map(known).fillna(1.0).to_numpy()
    rows, held = grams["row"].to_numpy(), grams["gram"].to_numpy()
    for term, gram, gram_weight in zip(wanted["row"], wanted["gram"], weight, strict=True):
        coverage[rows[held == gram], term] += gram_weight
    total = np.bincount(wanted["row"], weights=weight, minlength=len(terms))
    return coverage / np.maximum(total, 1e-9)
