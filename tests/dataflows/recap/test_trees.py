"""Breakdowns and detail lanes (R19 to R25)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from recap_days import at, digest_of, page, projection_of, segment

from temporal_recall.dataflows.recap.intervals import union_duration
from temporal_recall.dataflows.recap.layers import title_without_counter
from temporal_recall.schemas.recap import Segment


def _titles(minutes_by_title: dict[str, float]) -> list[Segment]:
    """One app whose titles follow each other."""
    segments, start = [], at("9:00")
    for title, minutes in minutes_by_title.items():
        end = start + timedelta(minutes=minutes)
        segments.append(segment("app", start, end, title))
        start = end
    return segments


@pytest.mark.parametrize(
    ("minutes_by_title", "breakdown"),
    [
        ({"a": 3, "b": 2}, "a 3m, 1 other 2m"),
        ({"a": 10, "b": 9, "c": 8, "d": 7, "e": 6, "f": 5}, "a 10m, b 9m, c 8m, d 7m, 2 others 11m"),
        ({"b": 5, "a": 5}, "a 5m, b 5m"),
        ({"a": 4.9, "b": 5}, "b 5m, 1 other 4m"),
        ({"(1) Inbox": 5, "(2) Inbox": 5, "(3) Inbox": 5}, "Inbox 15m"),
    ],
)
def test_breakdowns_within_their_budget(minutes_by_title: dict[str, float], breakdown: str) -> None:
    assert f"\n    {breakdown}\n" in digest_of(_titles(minutes_by_title))


@pytest.mark.parametrize(
    ("title", "grouped"),
    [
        ("(3) Inbox", "Inbox"),
        ("(99+) Home / X", "Home / X"),
        ("[2] general", "general"),
        ("● main.py - project", "main.py - project"),
        ("Inbox (1,024) - ana@example.org - Mail", "Inbox - ana@example.org - Mail"),
        ("收件箱 (12) - 邮箱", "收件箱 - 邮箱"),
        ("Chapter (2) - Reader", "Chapter (2) - Reader"),
        ("Report (3).pdf", "Report (3).pdf"),
        ("(1984)", "(1984)"),
        ("2026 budget", "2026 budget"),
    ],
)
def test_counters_in_titles_are_stripped_and_nothing_else(title: str, grouped: str) -> None:
    assert title_without_counter(title) == grouped


def test_two_tabs_on_one_page_are_a_union() -> None:
    tabs = [page("https://x.example/p", "9:00", "9:20", "P"), page("https://x.example/p", "9:10", "9:30", "P")]
    assert "- x.example/p 30m, 2 visits" in digest_of(tabs)


def test_a_page_is_summed_over_the_day_whatever_its_query() -> None:
    visits = [page("https://x.example/p?a=1", "9:00", "9:20"), page("https://x.example/p?a=2#b", "15:00", "15:10")]
    assert "- x.example/p 30m, 2 visits" in digest_of(visits)


def test_a_point_is_a_visit_without_time() -> None:
    assert "- x.example/p <1m, 1 visit" in digest_of([page("https://x.example/p", "9:00", "9:00")])


def test_details_are_ordered_by_time_then_visits_then_name() -> None:
    day = [
        page("https://b.example", "9:00", "9:10"),
        page("https://a.example", "9:00", "9:10"),
        page("https://c.example", "9:00", "9:05"),
        page("https://c.example", "9:05", "9:10"),
        page("https://d.example", "9:00", "9:20"),
    ]
    (device,) = projection_of(day).devices
    assert [node.label[0] for node in device.details[0].entries] == ["d", "c", "a", "b"]


def test_what_is_beyond_thirty_entries_is_counted() -> None:
    day = [page(f"https://x.example/{n}", "9:00", f"9:{n + 1}") for n in range(33)]
    assert "- 3 more not listed" in digest_of(day)


def test_layers_of_an_editor_are_project_and_file() -> None:
    attributes = {"project": "/src/recap", "file": "/src/recap/lanes.py"}
    day = [segment(None, "9:00", "9:30", source="vscode", identity_key="/src/recap/lanes.py", attributes=attributes)]
    assert "- /src/recap 30m, 1 visit\n    /src/recap/lanes.py 30m" in digest_of(day)


def test_a_source_that_is_not_declared_has_its_identity_and_title() -> None:
    assert "- /src 30m, 1 visit\n    shell 30m" in digest_of(
        [segment(None, "9:00", "9:30", "shell", source="tmux", identity_key="/src")]
    )


def test_a_missing_layer_is_not_made_up() -> None:
    digest = digest_of([page("https://x.example/p", "9:00", "9:30", " ")])
    assert digest.endswith("- x.example/p 30m, 1 visit")


def test_the_identity_of_a_page_stands_in_for_its_url() -> None:
    day = [segment(None, "9:00", "9:30", "T", source="browser", identity_key="x.example/p")]
    assert "- x.example/p 30m" in digest_of(day)


@pytest.mark.parametrize(
    ("intervals", "minutes"),
    [
        ([], 0),
        ([("9:00", "9:10")], 10),
        ([("9:10", "9:20"), ("9:00", "9:10")], 20),
        ([("9:00", "9:30"), ("9:10", "9:20")], 30),
        ([("9:00", "9:20"), ("9:10", "9:40"), ("10:00", "10:00")], 40),
    ],
)
def test_unions(intervals: list[tuple[str, str]], minutes: int) -> None:
    assert union_duration((at(start), at(end)) for start, end in intervals) == timedelta(minutes=minutes)
