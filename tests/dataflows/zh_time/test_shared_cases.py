"""Floors on the labelled cases beside the checkout, and reported faults as tests of their whole kind."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from temporal_recall.dataflows.zh_time import find_times, parse_time
from temporal_recall.schemas.time import TimeRange, zone_of

SHANGHAI = zone_of("Asia/Shanghai")


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _instant(text: str | None) -> datetime | None:
    moment = datetime.fromisoformat(text) if text else None
    return moment.replace(tzinfo=SHANGHAI) if moment is not None and moment.tzinfo is None else moment


def _core(text: str, now: str) -> TimeRange | None:
    moment = _instant(now)
    assert moment is not None
    scope = parse_time(text, moment)
    return scope.core if scope else None


def _expression_is_right(case: dict[str, Any]) -> bool:
    core = _core(case["text"], case["now"])
    if case["kind"] == "none":
        return core is None
    if core is None or core.start != _instant(case["start"]):
        return False
    return case["kind"] == "instant" or core.end == _instant(case["end"])


def test_expressions_are_exact(shared: Path) -> None:
    cases = [c for c in _rows(shared / "cases/time/corpora.jsonl") if not c.get("ambiguous") and c.get("tier") is None]
    right = Counter((c["kind"], _expression_is_right(c)) for c in cases if c["kind"] in ("range", "instant", "none"))
    dated = {verdict: right["range", verdict] + right["instant", verdict] for verdict in (True, False)}
    assert dated[True] / (dated[True] + dated[False]) >= 0.97
    assert right["none", False] == 0


def test_durations_and_recurrences_are_never_a_range(shared: Path) -> None:
    cases = [c for c in _rows(shared / "cases/time/corpora.jsonl") if c["kind"] in ("duration", "recurrence")]
    assert [c["text"] for c in cases if _core(c["text"], c["now"]) is not None] == []


def test_questions_are_scoped_to_the_day(shared: Path) -> None:
    cases = _rows(shared / "cases/time/sentences.jsonl")
    dated = [c for c in cases if not c["expect_none"]]
    right = sum(_days(c["query"], c["reference"]) == (c["start_date"], c["end_date_inclusive"]) for c in dated)
    assert right / len(dated) >= 0.96
    assert [c["query"] for c in cases if c["expect_none"] and _core(c["query"], c["reference"])] == []


def _days(text: str, now: str) -> tuple[str, str] | None:
    core = _core(text, now)
    if core is None or core.start is None or core.end is None:
        return None
    return str(core.start.date()), str((core.end - timedelta(microseconds=1)).date())


@pytest.mark.parametrize("month", range(1, 13))
@pytest.mark.parametrize("subject", ["我们", "他们", "咱们"])
def test_a_pronoun_hides_no_month(subject: str, month: int) -> None:
    figure = "一二三四五六七八九十"[month - 1] if month <= 10 else "十" + "一二"[month - 11]
    now = datetime.fromisoformat("2026-12-17T10:00:00+08:00")
    (found,) = find_times(f"{subject}{figure}月聊过什么预算？", now)
    assert found.core is not None
    assert found.core.start is not None
    assert (found.core.start.year, found.core.start.month) == (2026, month)


@pytest.mark.parametrize("number", [80, 443, 1984, 2024, 3306, 8080, 9077, 20231118042])
@pytest.mark.parametrize(
    "sentence", ["{} 端口那个服务后来怎么处理的？", "工单 {} 关了吗", "错误码{}是什么意思", "id={}"]
)
def test_a_plain_number_is_never_a_year(number: int, sentence: str) -> None:
    assert find_times(sentence.format(number), datetime.fromisoformat("2026-08-07T10:00:00+08:00")) == []


@pytest.mark.parametrize("day", range(7))
def test_last_weekend_is_never_the_one_in_progress(day: int) -> None:
    now = datetime(2026, 8, 31, 15, tzinfo=SHANGHAI) + timedelta(days=day)
    assert _days("上周末我去了哪里？", now.isoformat()) == ("2026-08-29", "2026-08-30")
    this = "这周末去哪" if day < 5 else "这周末我去了哪里？"
    assert _days(this, now.isoformat()) == ("2026-09-05", "2026-09-06")


@pytest.mark.parametrize("count", range(2, 32))
def test_a_leading_numeral_is_never_eaten(count: int) -> None:
    figures = "零一二三四五六七八九十"
    tens, ones = divmod(count, 10)
    numeral = (
        figures[count] if count <= 10 else ("" if tens == 1 else figures[tens]) + "十" + (figures[ones] if ones else "")
    )
    now = "2012-08-10T10:00:00+08:00"
    ago = str(date(2012, 8, 10) - timedelta(days=count))
    assert _days(f"{numeral}天前", now) == (ago, ago)
    if count <= 12:
        assert _days(f"{numeral}月十日", now) == (f"2012-{count:02d}-10", f"2012-{count:02d}-10")


def test_n_days_ago_is_a_day_and_the_past_n_days_are_a_range() -> None:
    now = "2025-01-15T12:00:00+08:00"
    assert _days("两天前说了什么", now) == ("2025-01-13", "2025-01-13")
    assert _days("前两天说了什么", now) == ("2025-01-12", "2025-01-14")


@pytest.mark.parametrize("text", ["高天明天使轮的事", "小明天生爱笑", "前天津市长", "后天性心脏病"])
def test_words_inside_names_are_no_dates(text: str) -> None:
    assert find_times(text, datetime(2025, 1, 15, 12, tzinfo=SHANGHAI)) == []


@pytest.mark.parametrize("text", ["合同已经签了", "我喜欢喝什么咖啡？", "方案定了，按新的来"])
def test_no_date_is_invented(text: str) -> None:
    assert find_times(text, datetime(2026, 8, 20, 18, tzinfo=SHANGHAI)) == []


def test_old_text_is_read_from_the_time_it_was_said() -> None:
    assert _days("上周去了大理", "2023-05-24T10:00:00+08:00") == ("2023-05-15", "2023-05-21")
    assert _days("今天跟客户签了合同", "2024-03-02T10:00:00+08:00") == ("2024-03-02", "2024-03-02")
    assert _days("今天早上开了例会", "2026-05-16T09:00:00+08:00") == ("2026-05-16", "2026-05-16")


def test_the_local_day_follows_daylight_saving() -> None:
    scope = parse_time("今天", datetime.fromisoformat("2026-01-01T04:30:00+00:00"), time_zone="America/New_York")
    assert scope is not None
    assert scope.core is not None
    assert scope.core.start == datetime.fromisoformat("2025-12-31T00:00:00-05:00")
