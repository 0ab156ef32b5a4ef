"""Names of zones as calendar programs write them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from temporal_recall.adapters.ics_zones import zone_for
from temporal_recall.schemas.time import zone_of


@pytest.mark.parametrize(
    ("name", "zone"),
    [
        ("Asia/Shanghai", "Asia/Shanghai"),
        ("asia/shanghai", "Asia/Shanghai"),
        ("/freeassociation.sourceforge.net/Europe/Berlin", "Europe/Berlin"),
        ("/citadel.org/20210210_1/America/New_York", "America/New_York"),
        ("tzone://Microsoft/Utc", "UTC"),
        ("Z", "UTC"),
        ("China Standard Time", "Asia/Shanghai"),
        ("W. Europe Standard Time", "Europe/Berlin"),
        ("AUS Eastern Standard Time", "Australia/Sydney"),
        ("(UTC+08:00) Beijing, Chongqing, Hong Kong, Urumqi", "Asia/Shanghai"),
        ("(UTC+08:00) 北京，重庆，香港特别行政区，乌鲁木齐", "Asia/Shanghai"),
        ("(UTC+08:00) 台北", "Asia/Taipei"),
        ("(UTC+09:00) 大阪，札幌，东京", "Asia/Tokyo"),
        ("(UTC-05:00) 东部时间(美国和加拿大)", "America/New_York"),
        ("(GMT-05:00) Eastern Time (US & Canada)", "America/New_York"),
        ("(GMT+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", "Europe/Amsterdam"),
        ("(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi", "Asia/Kolkata"),
        ("(UTC+07:00) Bangkok\\, Hanoi\\, Jakarta", "Asia/Bangkok"),
        ("(UTC) Coordinated Universal Time", "UTC"),
        ("GMT+0800", "+08:00"),
        ("UTC-3", "-03:00"),
        ("(UTC+05:45)", "+05:45"),
    ],
)
def test_what_a_name_means(name: str, zone: str) -> None:
    assert zone_for(name) == zone
    assert zone_for(f'"{name}"') == zone


@pytest.mark.parametrize("name", ["", "Customized Time Zone", "Office", "Mars/Olympus", "(UTC+99:00) Nowhere", "CST "])
def test_what_nobody_knows(name: str) -> None:
    assert zone_for(name) is None


def test_a_place_does_not_outweigh_the_stated_offset() -> None:
    assert zone_for("(UTC+03:00) London") == "+03:00"


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40))
def test_whatever_it_finds_is_a_zone(name: str) -> None:
    zone = zone_for(name)
    assert zone is None or zone_of(zone) is not None
