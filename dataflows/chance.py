"""How far a mean may be chance: bootstrap intervals and a sign-flip test, both seeded. A library without nodes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95
_RESAMPLES = 2000
_SEED = 20260901

_Values = NDArray[np.float64]


def mean_interval(values: _Values) -> tuple[float, float, float]:
    """The mean of `values`, and the ends of its 95 % bootstrap interval; NaN for no values."""
    if not len(values):
        return float("nan"), float("nan"), float("nan")
    drawn = np.random.default_rng(_SEED).integers(0, len(values), (_RESAMPLES, len(values)))
    low, high = np.quantile(values[drawn].mean(axis=1), [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(values.mean()), float(low), float(high)


def sign_flip_p_value(differences: _Values) -> float:
    """How often a mean as far from zero would arise if the sign of each difference were chance; two-sided."""
    signs = np.random.default_rng(_SEED).choice([-1.0, 1.0], (_RESAMPLES, len(differences)))
    flipped = np.abs((signs * differences).mean(axis=1))
    return float((np.sum(flipped >= abs(differences.mean()) - 1e-12) + 1) / (_RESAMPLES + 1))
