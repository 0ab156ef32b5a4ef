"""What rows of a timeline are compared by: one array a fact, one value a row."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from temporal_recall.dataflows.runs import Positions

ASKS = (
    "给我|給我|帮我(?:列|排|找|查|写|做|整理|推荐|算|翻)|怎么[^样]|多久|是不是|多少|哪[家个里些]|该不该|"
    r"(?i)\b(?:how (?:do|to|long|much)|what|which|give me|make me)\b"
)
"""What one asks an assistant for."""


class RowFacts(NamedTuple):
    """Facts of the rows of a timeline; names are categories.

    - `start`, `end`: minutes since 1970, NaN without an event time; `start` ascends, NaN last.
    - `observed`: minutes since 1970.
    - `event_day`, `observed_day`: days since 1970 in the row's own zone; -1 without.
    - `other_day`: the last day of what runs over midnight, the day before of what falls in the small hours, else -1.
    - `is_exact`: to the minute or hour. `is_report`: told as done. `is_plan`: exact, and neither done nor called off.
    - `tells_phase`: a report that something begins or is over. `times_named`: see there.
    - `asks`: an assistant is asked for something.
    - `kind`: event, decision, owed or mention.
    - `relation`: what the row does to an earlier one (see `RELATIONS`).
    - `is_target`: something to come, which a later row can move, cancel or settle.
    - `sole_start`: see `sole_plan_starts`.
    """

    start: NDArray[np.float64]
    end: NDArray[np.float64]
    observed: NDArray[np.float64]
    event_day: Positions
    other_day: Positions
    observed_day: Positions
    is_exact: NDArray[np.bool_]
    is_report: NDArray[np.bool_]
    is_plan: NDArray[np.bool_]
    is_stated: NDArray[np.bool_]
    tells_phase: NDArray[np.bool_]
    times_named: Positions
    asks: NDArray[np.bool_]
    kind: pd.Categorical
    owner: pd.Categorical
    source: pd.Categorical
    relation: pd.Categorical
    is_target: NDArray[np.bool_]
    sole_start: NDArray[np.float64]
