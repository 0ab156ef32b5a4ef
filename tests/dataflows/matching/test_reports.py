"""Reports of the moment, and the sole thing planned around them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from temporal_recall.dataflows.matching.reports import reported_plans, sole_plan_starts


class Facts(NamedTuple):
    """What is known of rows, each (start, end, what) with `what` being plan, report, off or vague."""

    start: NDArray[np.float64]
    end: NDArray[np.float64]
    is_plan: NDArray[np.bool_]
    is_report: NDArray[np.bool_]

    @classmethod
    def of(cls, *rows: tuple[float, float, str]) -> Facts:
        start, end = (np.array([row[end] for row in rows], dtype=float) for end in (0, 1))
        is_plan, is_report = (np.array([row[2] == what for row in rows], dtype=bool) for what in ("plan", "report"))
        return cls(start, end, is_plan, is_report)

    def met(self, reach: int) -> list[list[int]]:
        pairs = reported_plans(self.start, self.is_plan, self.is_report, sole_plan_starts(*self), reach)
        return [end.tolist() for end in pairs]


@pytest.mark.parametrize(
    ("rows", "sole"),
    [
        ([(600, 660, "plan"), (630, 631, "report")], 600),
        ([(600, 660, "plan"), (600, 720, "plan"), (630, 631, "report")], 600),
        ([(560, 561, "report"), (600, 660, "plan")], 600),
        ([(600, 660, "plan"), (660 + 180, 841, "report")], 600),
        ([(600, 660, "plan"), (660 + 181, 842, "report")], None),
        ([(539, 540, "report"), (600, 660, "plan")], None),
        ([(600, 660, "plan"), (610, 620, "plan"), (630, 631, "report")], None),
        ([(595, 596, "report"), (600, 660, "plan"), (640, 700, "plan")], 600),
        ([(595, 596, "report"), (600, 660, "plan"), (605, 700, "plan")], None),
        ([(600, 1800, "plan"), (840, 841, "report")], 600),
        ([(600, 1800, "plan"), (841, 842, "report")], None),
        ([(600, 1300, "plan"), (1240, 1241, "report")], 600),
        ([(600, 1300, "plan"), (1000, 1060, "plan"), (1030, 1031, "report")], 1000),
        ([(600, 660, "off"), (630, 631, "report")], None),
        ([(600, 660, "vague"), (630, 631, "report")], None),
        ([(600, 660, "plan"), (np.nan, np.nan, "report")], None),
    ],
)
def test_the_start_of_the_sole_plan(rows: list[tuple[float, float, str]], sole: float | None) -> None:
    facts = Facts.of(*rows)
    found = sole_plan_starts(*facts)[facts.is_report]
    assert np.array_equal(found, [np.nan if sole is None else sole], equal_nan=True)


def test_a_report_meets_the_rows_of_its_plan_and_no_more_than_the_reach() -> None:
    facts = Facts.of((600, 660, "plan"), (600, 700, "plan"), (630, 631, "report"))
    assert facts.met(reach=4) == [[0, 1], [2, 2]]
    assert facts.met(reach=1) == [[0], [2]]


def test_a_day_of_plans_and_reports_without_end_costs_no_square() -> None:
    minutes = np.arange(50_000) / 40
    facts = Facts.of(*((m, m + 1, "plan" if n % 2 else "report") for n, m in enumerate(minutes)))
    assert np.isnan(sole_plan_starts(*facts)).mean() > 0.99


def test_no_rows() -> None:
    assert Facts.of().met(reach=4) == [[], []]
