"""Reports of the moment, and the sole thing planned around them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from temporal_recall.dataflows.matching.reports import reported_plans, sole_plan_starts, tells_phase

TELLING = [
    "会议室开了 开始了",
    "到仓库了",
    "到咗餐厅门口",
    "牙看完了",
    "開完會喇",
    "上车啦",
    "落地浦东！",
    "接到爸妈了",
    "进考场",
    "Landed. so tired",
]
SILENT = ["猫又吐了", "今天好冷", "过年好！马到成功！", "到三点再说", "她做得不好", "overtime again"]


@pytest.mark.parametrize(("text", "tells"), [*((t, True) for t in TELLING), *((t, False) for t in SILENT)])
def test_whether_a_text_tells_a_phase(text: str, tells: bool) -> None:
    assert tells_phase(pd.Series([text], dtype="str")).tolist() == [tells]


def facts(*rows: tuple[float, float, str]) -> pd.DataFrame:
    """Rows of (start, end, what), `what` being plan, report, off or vague."""
    start, end, what = zip(*rows, strict=True)
    table = pd.DataFrame({"start": np.array(start, dtype=float), "end": np.array(end, dtype=float), "what": what})
    return table.assign(
        is_exact=table["what"].ne("vague"),
        is_report=table["what"].eq("report"),
        is_off=table["what"].eq("off"),
        tells_phase=table["what"].eq("report"),
    )


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
        ([(600, 660, "off"), (630, 631, "report")], None),
        ([(600, 660, "vague"), (630, 631, "report")], None),
        ([(600, 660, "plan"), (np.nan, np.nan, "report")], None),
    ],
)
def test_the_start_of_the_sole_plan(rows: list[tuple[float, float, str]], sole: float | None) -> None:
    table = facts(*rows)
    found = sole_plan_starts(table)[table["is_report"].to_numpy()]
    assert np.array_equal(found, [np.nan if sole is None else sole], equal_nan=True)


def test_a_report_meets_the_rows_of_its_plan_and_no_more_than_the_reach() -> None:
    table = facts((600, 660, "plan"), (600, 700, "plan"), (630, 631, "report"))
    table = table.assign(sole_start=sole_plan_starts(table))
    assert [end.tolist() for end in reported_plans(table, reach=4)] == [[0, 1], [2, 2]]
    assert [end.tolist() for end in reported_plans(table, reach=1)] == [[0], [2]]


def test_a_day_of_plans_and_reports_without_end_costs_no_square() -> None:
    minutes = np.arange(50_000) / 40
    table = facts(*((m, m + 1, "plan" if n % 2 else "report") for n, m in enumerate(minutes)))
    assert np.isnan(sole_plan_starts(table)).mean() > 0.99


def test_no_rows() -> None:
    table = facts((600, 660, "plan")).iloc[:0]
    table = table.assign(sole_start=sole_plan_starts(table))
    assert [end.tolist() for end in reported_plans(table, reach=4)] == [[], []]
