"""Times inside records, each read from its own observed time in its own zone."""

from __future__ import annotations

import pandas as pd
import pytest

from temporal_recall.dataflows.zh_time import find_times, resolve_times

OBSERVED = pd.Series(
    pd.to_datetime(["2026-09-02T02:00:00Z", "2023-05-24T02:00:00Z", None, "2026-01-01T04:30:00Z"])
).astype("datetime64[us, UTC]")
TEXT = pd.Series(["明天下午三点签合同", "上周去了大理", "昨天发布了新版本", "今天开了例会"])
ZONE = pd.Series(["Asia/Shanghai", "+08:00", "Asia/Shanghai", "America/New_York"])


def _starts(found: pd.Series) -> list[list[str]]:
    return [[e.core.start.isoformat() for e in row if e.core] for row in found]


def test_every_record_is_read_from_its_own_moment_and_zone() -> None:
    assert _starts(resolve_times(TEXT, OBSERVED, ZONE)) == [
        ["2026-09-03T15:00:00+08:00"],
        ["2023-05-15T00:00:00+08:00"],
        [],
        ["2025-12-31T00:00:00-05:00"],
    ]


def test_it_agrees_with_reading_one_text() -> None:
    found = resolve_times(TEXT[:1], OBSERVED[:1], ZONE[:1])
    assert found[0] == find_times(TEXT[0], OBSERVED[0].to_pydatetime(), time_zone=ZONE[0])


def test_the_index_is_kept_and_the_inputs_are_left_alone() -> None:
    inputs = [series.set_axis([7, 5, 3, 1]) for series in (TEXT, OBSERVED, ZONE)]
    before = [series.copy(deep=True) for series in inputs]
    assert list(resolve_times(*inputs).index) == [7, 5, 3, 1]
    assert all(now.equals(then) for now, then in zip(inputs, before, strict=True))


def test_missing_text_and_no_records_hold_no_time() -> None:
    assert list(resolve_times(pd.Series([None, ""]), OBSERVED[:2], ZONE[:2])) == [[], []]
    assert list(resolve_times(TEXT[:0], OBSERVED[:0], ZONE[:0])) == []


def test_an_unknown_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="Mars/Base"):
        resolve_times(TEXT[:1], OBSERVED[:1], pd.Series(["Mars/Base"]))
