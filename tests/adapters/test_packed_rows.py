"""A row of a timeline comes out of its two packed values as it went in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from listed_sources import USER_ID, record

from temporal_recall.adapters.packed_rows import packed, unpacked
from temporal_recall.schemas.frames import COMPARED_TIMELINE, checked
from temporal_recall.service.deriving import derived_rows

SIGNING = record("chat", 1, "明天下午三点和张总在国贸签合同", "2026-09-02T09:00:00+08:00", role="user")
LUNCH = record("meinput", 2, "午饭吃面", "2026-09-02T12:30:00+08:00")
ROWS = derived_rows((SIGNING, LUNCH))[list(COMPARED_TIMELINE.dtypes)]

STORED_NUMBERS = bytes.fromhex(
    "0064fb8d755a0600009c48b38e5a060000000000000000800052b81e85eb51e83fcdccccccccccec3f0000000000000000000000"
    "0000000000000000040000000d00000000000000000000001b0000002d0000000a00000000000000190000000100000000000000"
    "00000000400000003100"
)
STORED_TEXTS = "".join(
    [
        *("chat", "Asia/Shanghai", "", "", "和张总在国贸签合同", "明天下午三点和张总在国贸签合同"),
        *('["张总"]', "", '["own","set_appointment"]', "3", "", ""),
        "0XBz258p27jN2diM36wo6Pp27E~27_097uYw9BML9KMuA8sJAvDXCDa1Cy5IF~Ro",
    ]
).encode()
STORED = {
    "source_ref": "chat:message:1",
    "source": "chat",
    "user_id": "u1",
    "observed_time": "2026-09-02 01:00:00+00:00",
    "time_zone": "Asia/Shanghai",
    "thread_id": "nan",
    "role": "user",
    "app": "nan",
    "type": "event",
    "event_time": "2026-09-03 07:00:00+00:00",
    "event_end": "NaT",
    "granularity": "minute",
    "due": "False",
    "status": "planned",
    "owner": "self",
    "title": "和张总在国贸签合同",
    "content": "明天下午三点和张总在国贸签合同",
    "participants": "('张总',)",
    "location": "nan",
    "importance": "0.76",
    "confidence": "0.9",
    "is_correction": "False",
    "is_stated": "False",
    "rules": "('own', 'set_appointment')",
    "extractor_version": "3",
    "other_times": "()",
    "times_named": "0",
    "told_times": "()",
    "may_hold_code": "False",
    "lists_several": "False",
    "asks": "False",
    "tells_phase": "False",
    "grams": "0XBz258p27jN2diM36wo6Pp27E~27_097uYw9BML9KMuA8sJAvDXCDa1Cy5IF~Ro",
}


def again(rows: pd.DataFrame) -> pd.DataFrame:
    return unpacked(USER_ID, list(zip(rows["source_ref"], *packed(rows), strict=True))).frame(COMPARED_TIMELINE)


def test_no_rows_give_an_empty_frame() -> None:
    assert checked(again(ROWS[:0]), COMPARED_TIMELINE).empty


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"location": None, "thread_id": None}, id="nothing"),
        pytest.param({"location": "", "title": ""}, id="empty texts"),
        pytest.param({"content": "𠮷野家\n\x1f🍜" * 30_000}, id="long texts of any characters"),
        pytest.param({"content": "a\0b"}, id="a NUL"),
        pytest.param({"rules": [(), ("own", 'a "word", and\nanother')]}, id="lists"),
        pytest.param({"event_time": pd.DatetimeIndex([None, None], tz="UTC"), "granularity": None}, id="no time"),
        pytest.param({"event_time": pd.Timestamp("1900-01-01T00:00:00.000001Z")}, id="long ago"),
        pytest.param({"importance": 0.1 + 0.2, "due": True}, id="numbers"),
    ],
)
def test_every_value_comes_back(changed: dict[str, Any]) -> None:
    rows = ROWS.assign(**changed).astype(COMPARED_TIMELINE.dtypes)
    pd.testing.assert_frame_equal(again(rows), rows)


def test_rows_come_in_the_order_of_a_timeline() -> None:
    trip = record("chat", 3, "十月一号去成都玩", "2026-07-01T20:00:00+08:00", role="user")
    note = record("meinput", 4, "随便记一句", "2026-06-01T09:00:00+08:00")
    rows = derived_rows((note, trip, LUNCH, SIGNING))[list(COMPARED_TIMELINE.dtypes)]
    expected = rows.sort_values(["event_time", "observed_time"], ignore_index=True)
    pd.testing.assert_frame_equal(again(rows), expected)
    assert expected["event_time"].isna().any()


def test_some_of_the_rows_are_as_among_all() -> None:
    rows = unpacked(USER_ID, list(zip(ROWS["source_ref"], *packed(ROWS), strict=True)))
    last = np.array([1])
    for name in ("source_ref", "participants", "content"):
        assert rows.some(name, last).tolist() == [rows[name].tolist()[1]]
    assert rows.coded("participants").names == (("张总",), ())


def test_the_layout_is_the_one_that_stores_have() -> None:
    """Where this fails, a store that exists cannot be read: another step in `index_tables` is due."""
    stored = unpacked(USER_ID, [(SIGNING.source_ref, STORED_NUMBERS, STORED_TEXTS)]).frame(COMPARED_TIMELINE)
    assert {name: str(value) for name, value in stored.iloc[0].items()} == STORED


def test_a_name_that_its_column_does_not_know_is_refused() -> None:
    with pytest.raises(ValueError, match="status of a row is none of planned, completed"):
        packed(ROWS.assign(status="postponed").astype(COMPARED_TIMELINE.dtypes))
