"""Civil days, weeks and months as windows of instants."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from temporal_recall.dataflows.recap.windows import days_of, recap_window_of, require_agreement
from temporal_recall.schemas.recap import RecapWindowError, instant_text

_GOLDEN_FILE = Path(__file__).resolve().parents[4] / "shared" / "cases" / "recap" / "windows_golden.json"
GOLDEN = json.loads(_GOLDEN_FILE.read_text(encoding="utf-8")) if _GOLDEN_FILE.is_file() else []
ZONES = ["Asia/Shanghai", "America/New_York", "Australia/Lord_Howe", "America/Sao_Paulo", "Africa/Cairo", "UTC"]


def _code(local_date: str, time_zone: str, **options: int) -> str:
    with pytest.raises(RecapWindowError) as caught:
        recap_window_of(local_date, time_zone, **options)
    return caught.value.code


@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: row["name"])
def test_golden_windows(row: dict[str, str]) -> None:
    if "error" in row:
        assert _code(row["local_date"], row["time_zone"]) == row["error"]
        return
    window = recap_window_of(row["local_date"], row["time_zone"])
    assert (instant_text(window.start), instant_text(window.end_exclusive)) == (row["start"], row["end_exclusive"])


@pytest.mark.parametrize(
    ("local_date", "time_zone", "hours"),
    [
        ("2026-03-08", "America/New_York", 23),
        ("2026-11-01", "America/New_York", 25),
        ("2026-10-04", "Australia/Lord_Howe", 23.5),
        ("2018-11-04", "America/Sao_Paulo", 23),
        ("2011-12-29", "Pacific/Apia", 24),
        ("2026-02-28", "Asia/Shanghai", 24),
    ],
)
def test_days_are_as_long_as_the_zone_says(local_date: str, time_zone: str, hours: float) -> None:
    window = recap_window_of(local_date, time_zone)
    assert window.end_exclusive - window.start == timedelta(hours=hours)


@pytest.mark.parametrize(("local_date", "hours"), [("2026-03-07", 23), ("2026-03-08", 24), ("2026-10-31", 25)])
def test_days_that_begin_at_four_move_the_odd_hour(local_date: str, hours: int) -> None:
    window = recap_window_of(local_date, "America/New_York", day_start_hour=4)
    assert window.end_exclusive - window.start == timedelta(hours=hours)


@pytest.mark.parametrize(
    "local_date",
    [
        "2026-7-4",
        "2026-02-30",
        "20260704",
        "2026-W28-1",
        "",
        "today",
        "2026-07-04T00:00",
        "２０２６-07-04",
        "9999-12-31",
    ],
)
def test_a_date_that_is_none(local_date: str) -> None:
    assert _code(local_date, "UTC") == "invalid_local_date"


@pytest.mark.parametrize("time_zone", ["Mars/Base", "", "+08:00", "America", "../UTC", "asia/shanghai", "localtime"])
def test_a_zone_that_is_none(time_zone: str) -> None:
    assert _code("2026-07-04", time_zone) == "unknown_time_zone"


def test_other_refusals() -> None:
    assert _code("2011-12-30", "Pacific/Apia") == "nonexistent_civil_date"
    assert _code("2026-07-04", "UTC", version=2) == "unsupported_window_version"
    assert _code("2026-07-04", "UTC", day_start_hour=7) == "invalid_day_start_hour"


@pytest.mark.parametrize(
    ("kind", "time_zone", "hours"),
    [("week", "Asia/Shanghai", 168), ("week", "America/New_York", 167), ("month", "America/New_York", 31 * 24 - 1)],
)
def test_weeks_begin_on_monday_and_months_on_their_first(kind: str, time_zone: str, hours: int) -> None:
    window = recap_window_of("2026-03-08", time_zone, kind=kind)
    assert window.local_date.isoformat() == ("2026-03-02" if kind == "week" else "2026-03-01")
    assert window.end_exclusive - window.start == timedelta(hours=hours)
    assert window == recap_window_of("2026-03-02", time_zone, kind=kind)


def test_the_days_of_a_week_leave_out_a_date_that_never_was() -> None:
    days = days_of(recap_window_of("2011-12-29", "Pacific/Apia", kind="week"))
    assert [day.local_date.day for day in days] == [26, 27, 28, 29, 31, 1]


class TestAgreement:
    window = recap_window_of("2026-07-14", "Asia/Shanghai")

    def test_instants_that_agree_or_are_absent_pass(self) -> None:
        require_agreement(self.window, None, None)
        require_agreement(self.window, self.window.start, self.window.end_exclusive)

    @pytest.mark.parametrize("shift", [timedelta(seconds=1), timedelta(hours=-8)])
    def test_any_difference_is_refused(self, shift: timedelta) -> None:
        with pytest.raises(RecapWindowError, match="2026-07-13T16:00:00Z") as caught:
            require_agreement(self.window, self.window.start + shift, None)
        assert caught.value.code == "calendar_rules_mismatch"

    def test_an_instant_without_an_offset_is_refused(self) -> None:
        with pytest.raises(RecapWindowError):
            require_agreement(self.window, datetime(2026, 7, 13, 16), None)


def test_keys_tell_windows_apart_and_name_equal_ones_alike() -> None:
    windows = [
        recap_window_of("2026-07-14", "Asia/Shanghai"),
        recap_window_of("2026-07-14", "Asia/Tokyo"),
        recap_window_of("2026-07-15", "Asia/Shanghai"),
        recap_window_of("2026-07-14", "Asia/Shanghai", day_start_hour=4),
        recap_window_of("2026-07-14", "Asia/Shanghai", kind="week"),
    ]
    assert len({window.key for window in windows}) == len(windows)
    assert recap_window_of("2026-07-14", "Asia/Shanghai").key == windows[0].key


@settings(max_examples=150, deadline=None)
@given(st.dates(min_value=datetime(1990, 1, 1, tzinfo=UTC).date(), max_value=datetime(2035, 1, 1, tzinfo=UTC).date()),
       st.sampled_from(ZONES), st.integers(0, 6))  # fmt: skip
def test_days_follow_each_other_without_gap_or_overlap(day: object, time_zone: str, day_start_hour: int) -> None:
    window = recap_window_of(str(day), time_zone, day_start_hour=day_start_hour)
    following = recap_window_of(str(window.local_date + timedelta(days=1)), time_zone, day_start_hour=day_start_hour)
    assert window.end_exclusive == following.start
    assert timedelta(hours=22) <= window.end_exclusive - window.start <= timedelta(hours=26)
