"""Which segments may enter, and how two uploads of one activity become one."""

from __future__ import annotations

from datetime import timedelta
from itertools import permutations

import pytest
from recap_days import at, segment

from temporal_recall.adapters.segment_ingest import ingested, merged, refusal_of, with_away
from temporal_recall.schemas.recap import AWAY_APP, Segment

NOW = at("12:00")


def _refusal(candidate: Segment, *, is_live: bool = False) -> str | None:
    return refusal_of(candidate, NOW, is_live=is_live)


@pytest.mark.parametrize(
    ("candidate", "code"),
    [
        (segment("A", "9:00", "10:00"), None),
        (segment("A", "9:00", "9:00"), None),
        (segment("A", "9:00", "8:59"), "end_before_start"),
        (segment("A", "9:00", "10:00", id=" "), "blank_identity"),
        (segment("A", "9:00", "10:00", source=""), "blank_identity"),
        (segment("A", "9:00", "10:00", identity_key="\t"), "blank_identity"),
        (segment("A", "9:00", "10:00", id="x" * 200), None),
        (segment("A", "9:00", "10:00", id="x" * 201), "name_too_long"),
        (segment("A", "9:00", "10:00", device_id="x" * 201), "name_too_long"),
        (segment("A", "9:00", "10:00", source="x" * 101), "name_too_long"),
        (segment("A", "9:00", "10:00", revision=2**63 - 1), None),
        (segment("A", "9:00", "10:00", revision=2**63), "revision_out_of_range"),
        (segment("A", "9:00", "10:00", revision=-1), "revision_out_of_range"),
        (segment("A", at("9:00", "2019-12-31"), at("10:00", "2019-12-31")), "too_early"),
        (segment("A", at("0:00", "2020-01-01"), at("1:00", "2020-01-01")), None),
        (segment("A", "9:00", "12:10"), None),
        (segment("A", "9:00", "12:10:00.001"), "ends_in_future"),
        (segment("A", "-12:00", "12:00"), None),
        (segment("A", "-13:00", "11:00:00.001"), "too_long"),
        (segment(None, "9:00", "10:00"), None),
    ],
)
def test_imports(candidate: Segment, code: str | None) -> None:
    assert _refusal(candidate) == code


@pytest.mark.parametrize(
    ("candidate", "code"),
    [
        (segment("A", NOW - timedelta(hours=24, minutes=10), "-11:00"), None),
        (segment("A", NOW - timedelta(hours=24, minutes=10, seconds=1), "-11:00"), "too_old"),
        (segment(None, "9:00", "10:00"), "app_missing"),
        (segment(None, "9:00", "10:00", source="browser"), None),
    ],
)
def test_live_uploads_are_judged_more_strictly(candidate: Segment, code: str | None) -> None:
    assert _refusal(candidate, is_live=True) == code


@pytest.mark.parametrize(
    "app",
    [
        "LockApp.exe",
        "lockapp",
        "loginwindow",
        "LogonUI.exe",
        "i3lock",
        "ScreenSaverEngine",
        "Away",
        "gnome-screensaver",
    ],
)
def test_lock_screens_are_away(app: str) -> None:
    locked = with_away(segment(app, "9:00", "10:00", "title"))
    assert (locked.app, locked.title, locked.is_away) == (AWAY_APP, None, True)


@pytest.mark.parametrize(
    "candidate", [segment("Blocks", "9:00", "10:00"), segment("away", "9:00", "10:00", source="tmux")]
)
def test_others_are_not(candidate: Segment) -> None:
    assert not with_away(candidate).is_away


def test_uploads_of_one_activity_merge_the_same_in_any_order() -> None:
    uploads = [
        segment("A", "9:00", "9:10", id="x", attributes={"n": 1}, revision=1, identity_key="a"),
        segment("A", "9:00", "9:30", id="x", attributes={"n": 2}, revision=2, identity_key="a"),
        segment("A", "8:50", "9:20", id="x", attributes={"n": 3}, revision=3, identity_key="a"),
    ]
    results = [ingested(order, NOW).segments for order in permutations(uploads)]
    assert all(result == results[0] for result in results)
    (whole,) = results[0]
    assert (whole.start, whole.end, whole.attributes, whole.revision) == (at("8:50"), at("9:30"), {"n": 3}, 3)


def test_another_identity_is_refused_and_the_first_stays() -> None:
    first = segment(None, "9:00", "9:10", id="x", source="browser", identity_key="x/p")
    other = segment(None, "9:00", "9:30", id="x", source="browser", identity_key="x/q")
    assert merged(first, other) is None
    activity = ingested([first, other], NOW)
    assert activity.segments == (first,)
    assert [issue.code for issue in activity.issues] == ["identity_changed"]


def test_the_same_id_of_two_owners_is_two_activities() -> None:
    both = [segment("A", "9:00", "9:10", id="x", owner_id=owner) for owner in ("ana", "bob")]
    assert len(ingested(both, NOW).segments) == 2


def test_a_refusal_says_nothing_of_the_content() -> None:
    (issue,) = ingested([segment("A", "9:00", "8:00", "a secret title")], NOW).issues
    assert "secret" not in issue.model_dump_json()
