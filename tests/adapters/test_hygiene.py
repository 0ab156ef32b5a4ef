"""What everything from outside goes through."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from temporal_recall.adapters.hygiene import bounded_text, faulty_fields, instant_of_us, is_plausible


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet=st.characters(), max_size=50))
def test_bounded_text_can_always_be_written(text: str) -> None:
    kept, is_cut = bounded_text(text)
    assert kept.encode("utf-8").decode("utf-8") == kept
    assert "\0" not in kept
    assert not is_cut


@pytest.mark.parametrize(("text", "kept"), [("坏\ud800字", "坏\ufffd字"), ("a\0b", "ab"), ("😀", "😀")])
def test_what_cannot_be_written_is_replaced(text: str, kept: str) -> None:
    assert bounded_text(text) == (kept, False)


def test_long_text_is_cut_and_says_so() -> None:
    assert bounded_text("长" * 40_000) == ("长" * 32_000, True)


@pytest.mark.parametrize(
    ("moment", "is_fine"),
    [
        (datetime(1, 1, 1, tzinfo=UTC), False),
        (date(1601, 1, 1), False),
        (date(1899, 12, 31), False),
        (date(1900, 1, 1), True),
        (datetime(2026, 9, 2), True),
        (date(2199, 12, 31), True),
        (date(2200, 1, 1), False),
        (datetime(9999, 12, 31, tzinfo=UTC), False),
    ],
)
def test_dates_that_a_record_can_be_about(moment: date, is_fine: bool) -> None:
    assert is_plausible(moment) is is_fine


@pytest.mark.parametrize("us", [10**30, -(10**30), -(10**17), 10**17])
def test_a_count_beyond_all_calendars_is_no_instant(us: int) -> None:
    assert instant_of_us(us) is None


def test_faults_name_fields_and_never_values() -> None:
    class Item(BaseModel):
        when: datetime
        count: int

    with pytest.raises(ValidationError) as caught:
        Item.model_validate({"when": "密码", "count": "hunter2"})
    told = faulty_fields(caught.value)
    assert "when" in told
    assert "count int_parsing" in told
    assert "密码" not in told
    assert "hunter2" not in told
