"""Recurrence rules that may be expanded, and those that would never come to an end."""

from __future__ import annotations

import pytest

from temporal_recall.adapters.ics_rules import rule_fault, rule_parts


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=WEEKLY;BYDAY=MO,WE;UNTIL=20261231T000000Z",
        "freq=monthly; byday=-1fr",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=MONTHLY;BYMONTHDAY=-1",
        "FREQ=MONTHLY;BYMONTHDAY=31",
        "FREQ=YEARLY;BYYEARDAY=366",
        "FREQ=DAILY;INTERVAL=3;COUNT=10",
        "RSCALE=CHINESE;FREQ=YEARLY;BYMONTH=5L",
        "FREQ=HOURLY;BYMINUTE=0,15,30,45",
    ],
)
def test_rules_that_come_to_an_end(rule: str) -> None:
    assert rule_fault(rule_parts(rule)) is None


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        ("FREQ=SECONDLY", ("too_frequent", "SECONDLY")),
        ("FREQ=MINUTELY;INTERVAL=5", ("too_frequent", "MINUTELY")),
        ("FREQ=YEARLY;BYMINUTE=" + ",".join(map(str, range(60))) + ";BYSECOND=0,30", ("too_frequent", "BYMINUTE")),
        ("FREQ=HOURLY;BYMINUTE=0,10,20,30,40", ("too_frequent", "BYMINUTE")),
        ("BYDAY=MO", ("bad_rule", "FREQ")),
        pytest.param("FREQ=DAILY;INTERVAL=" + "9" * 5000, ("bad_rule", "INTERVAL"), id="an endless interval"),
        ("FREQ=DAILY;INTERVAL=-1", ("bad_rule", "INTERVAL")),
        ("FREQ=DAILY;COUNT=many", ("bad_rule", "COUNT")),
        ("FREQ=WEEKLY;BYMONTH=4;BYMONTHDAY=31", ("bad_rule", "BYMONTHDAY")),
        ("FREQ=WEEKLY;BYMONTH=0", ("bad_rule", "BYMONTH")),
        ("FREQ=YEARLY;BYWEEKNO=54", ("bad_rule", "BYWEEKNO")),
        ("FREQ=WEEKLY;BYDAY=MO;BYSETPOS=8", ("bad_rule", "BYSETPOS")),
    ],
)
def test_rules_that_do_not(rule: str, fault: tuple[str, str]) -> None:
    assert rule_fault(rule_parts(rule)) == fault
