"""Reports of the moment, and what was planned for it.

Who writes 「到门口了」 or 「开完了」 seldom names the matter: it is the sole thing that was planned for just then.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from temporal_recall.dataflows.matching.blocks import Pairs, neighbour_pairs, union_pairs
from temporal_recall.dataflows.runs import laid_out, run_starts

EARLINESS_MINUTES = 60
"""How long before its start a matter is already reported."""

LATENESS_MINUTES = 180
"""How long after its end a matter is still reported."""

PROMPT_MINUTES = 15
"""How long before or after its start who is just there for a matter reports it."""

_MIDST_MINUTES = 240
_LONGEST_MINUTES = 12 * 60
_MOST_PLANS = 16


def sole_plan_starts(
    start: NDArray[np.float64], end: NDArray[np.float64], is_plan: NDArray[np.bool_], is_report: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """When that began which alone was planned around each report, or of several things alone for that very quarter of
    an hour; NaN where nothing or several things were.

    A report in the midst of many plans is of no sole one, however short they are; nor is one hours after the start and
    before the last hour of a long stay or watch, in which much else happens.

    Args:
        start: minutes by row, ascending, NaN last.
        is_plan: of rows with a start alone.
    """
    begins = run_starts(start[is_plan])
    plan_start = start[is_plan][begins]
    plan_end = np.maximum.reduceat(end[is_plan], begins) if len(begins) else plan_start
    reports = np.flatnonzero(is_report & np.isfinite(start))
    told = start[reports]
    first = np.searchsorted(plan_start, told - _LONGEST_MINUTES)
    count = np.searchsorted(plan_start, told + EARLINESS_MINUTES, side="right") - first
    which, plan = laid_out(np.where(count <= _MOST_PLANS, count, 0), first)
    since_start, until_end = told[which] - plan_start[plan], plan_end[plan] - told[which]
    is_in_midst = (since_start > _MIDST_MINUTES) & (until_end > EARLINESS_MINUTES)
    is_around = (until_end >= -LATENESS_MINUTES) & ~is_in_midst
    is_prompt = is_around & (np.abs(since_start) <= PROMPT_MINUTES)
    found = np.full(len(start), np.nan)
    for is_meant in (is_prompt, is_around):
        count = np.bincount(which[is_meant], minlength=len(reports))
        begun = np.bincount(which[is_meant], weights=plan_start[plan[is_meant]], minlength=len(reports))
        found[reports[count == 1]] = begun[count == 1]
    return found


def reported_plans(
    start: NDArray[np.float64],
    is_plan: NDArray[np.bool_],
    tells_phase: NDArray[np.bool_],
    sole_start: NDArray[np.float64],
    reach: int,
) -> Pairs:
    """Each report of a phase with the rows that tell of the sole thing planned around it, and with other such reports.

    It meets `reach` plans at most, and as many of the reports that follow.

    Args:
        start: as for `sole_plan_starts`, whose answer is `sole_start`.
    """
    plans = np.flatnonzero(is_plan)
    reports = np.flatnonzero(np.isfinite(sole_start) & tells_phase)
    first = np.searchsorted(start[plans], sole_start[reports])
    count = np.searchsorted(start[plans], sole_start[reports], side="right") - first
    which, plan = laid_out(np.minimum(count, reach), first)
    report, plan = reports[which], plans[plan]
    of_plan = Pairs(np.minimum(report, plan), np.maximum(report, plan))
    return union_pairs(of_plan, neighbour_pairs(sole_start[reports].astype(np.int64), reports, reach))
