"""A scope as one flat row."""

from __future__ import annotations

import json
from datetime import datetime

from temporal_recall.dataflows.zh_time import parse_time
from temporal_recall.dataflows.zh_time.rendering import scope_row

NOW = datetime.fromisoformat("2026-09-02T10:00:00+08:00")


def test_a_range_has_its_bounds_in_iso_form() -> None:
    row = scope_row(parse_time("周末去哪", NOW))
    assert (row["kind"], row["grain"], row["span"]) == ("range", "weekend", [0, 2])
    assert (row["start"], row["end"]) == ("2026-09-05T00:00:00+08:00", "2026-09-07T00:00:00+08:00")
    assert (row["wide_start"], row["wide_end"]) == ("2026-09-04T18:00:00+08:00", "2026-09-07T00:00:00+08:00")
    assert row["expressions"][0]["rules"] == ["weekend"]


def test_a_duration_and_a_recurrence_have_no_place_in_time() -> None:
    length = scope_row(parse_time("三个小时", NOW))
    assert (length["kind"], length["start"], length["end"]) == ("duration", None, None)
    assert length["expressions"][0]["duration_s"] == 10800
    recurring = scope_row(parse_time("每周一", NOW))
    assert (recurring["start"], recurring["expressions"][0]["recurrence"]) == (None, "FREQ=WEEKLY;BYDAY=MO")
    assert recurring["expressions"][0]["next"][0]["start"] == "2026-09-07T00:00:00+08:00"


def test_an_open_side_is_null() -> None:
    row = scope_row(parse_time("9月10号起", NOW))
    assert (row["start"], row["end"]) == ("2026-09-10T00:00:00+08:00", None)


def test_no_time_gives_the_same_keys_with_nothing_in_them() -> None:
    empty = scope_row(None)
    assert empty.keys() == scope_row(parse_time("今天", NOW)).keys()
    assert [value for value in empty.values() if value] == []


def test_every_row_is_plain_json() -> None:
    for text in ("昨天下午三点到五点", "每周二", "三年半", "除了周三的这周", "聊聊"):
        json.dumps(scope_row(parse_time(text, NOW)))
