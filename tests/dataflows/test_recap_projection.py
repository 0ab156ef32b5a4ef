"""The recap flow whole: selection, clipping, lanes, texts, budget, and the laws that every day keeps."""

from __future__ import annotations

import copy
import random
from collections import defaultdict
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recap_days import OWNER, at, attention_of, away, digest_of, outputs_of, page, projection_of, rows_of, segment

from temporal_recall.schemas.recap import AWAY_APP, AttentionLane, RecapFact, RecapProjection, Segment, as_json
from temporal_recall.schemas.recap_settings import ProjectionSettings


def _active_minutes(segments: list[Segment], local_date: str = "2026-07-14", **inputs: object) -> float:
    projection = projection_of(segments, local_date=local_date, **inputs)
    return sum(_device_time(projection).values(), timedelta(0)) / timedelta(minutes=1)


def _device_time(projection: RecapProjection) -> dict[str, timedelta]:
    """The foreground and away time of each device, noise included."""
    return {device.device_id: _lane_time(device.attention) for device in projection.devices if device.attention}


def _lane_time(lane: AttentionLane) -> timedelta:
    return sum((total.active for total in lane.app_totals), lane.other_app_active) + (lane.away or timedelta(0))


class TestSelection:
    @pytest.mark.parametrize(
        ("start", "end", "minutes"),
        [
            ("-2:00", "0:00", 0),
            ("-1:00", "1:00", 60),
            ("23:00", "25:00", 60),
            ("24:00", "25:00", 0),
            ("-1:00", "25:00", 24 * 60),
        ],
    )
    def test_segments_are_cut_to_the_day(self, start: str, end: str, minutes: float) -> None:
        assert _active_minutes([segment("Code", start, end)]) == minutes

    @pytest.mark.parametrize(("clock", "is_in"), [("0:00", True), ("23:59:59.999999", True), ("24:00", False)])
    def test_a_point_belongs_to_the_day_that_it_begins(self, clock: str, is_in: bool) -> None:
        assert projection_of([segment("Code", clock, clock)]).is_empty is not is_in

    def test_other_owners_do_not_exist(self) -> None:
        projection = projection_of([segment("Code", "9:00", "10:00", owner_id="bob")])
        assert projection.is_empty
        assert projection.devices == ()

    def test_the_watermark_is_the_latest_clipped_end(self) -> None:
        assert projection_of([segment("A", "9:00", "10:00"), page("x", "9:00", "11:00")]).segment_watermark == at(
            "11:00"
        )
        assert projection_of([segment("A", "23:00", "26:00")]).segment_watermark == at("24:00")

    def test_an_empty_day(self) -> None:
        outputs = outputs_of([])
        projection = outputs["recap_projection"]
        assert (projection.is_empty, projection.segment_watermark) == (True, at("0:00"))
        assert outputs["recap_digest"] == ""


class TestDevices:
    def test_two_devices_of_one_name_stay_two(self) -> None:
        day = [
            segment("Maps", "10:00", "11:00", device_id="P", device_name="unknown"),
            segment("Kindle", "10:00", "11:00", device_id="T", device_name="unknown"),
        ]
        projection = projection_of(day)
        assert [(device.device_id, device.device_name) for device in projection.devices] == [
            ("P", "unknown"),
            ("T", "unknown"),
        ]
        assert "2h00m" not in digest_of(day)

    def test_devices_are_ordered_by_name_and_then_id(self) -> None:
        day = [
            segment("A", "9:00", "10:00", device_id=i, device_name=n) for i, n in [("1", "b"), ("2", "a"), ("0", "b")]
        ]
        assert [device.device_id for device in projection_of(day).devices] == ["2", "0", "1"]

    def test_a_device_that_only_plugins_saw_has_no_attention(self) -> None:
        (device,) = projection_of([page("https://x.example", "9:00", "9:10")]).devices
        assert device.attention is None
        assert "No record of the foreground." in digest_of([page("https://x.example", "9:00", "9:10")])

    def test_one_identity_on_two_devices_is_two_lanes(self) -> None:
        day = [segment(None, "9:00", "9:30", source="tmux", identity_key="/src", device_id=d) for d in ("D1", "D2")]
        assert [len(device.details) for device in projection_of(day).devices] == [1, 1]

    def test_details_are_no_part_of_the_device_time(self) -> None:
        day = [segment("www", "9:00", "9:30"), page("https://x.example", "9:00", "9:30", app="www")]
        assert _active_minutes(day) == 30

    def test_a_new_device_name_stands_for_the_device(self) -> None:
        day = [
            segment("A", "9:00", "10:00", device_name="old"),
            segment("A", "11:00", "12:00", device_name="new"),
        ]
        assert [device.device_name for device in projection_of(day).devices] == ["new"]


class TestTexts:
    def test_the_heading_names_date_and_zone(self) -> None:
        digest = digest_of(
            [segment("A", datetime(2026, 7, 14, 3, 33, 44, tzinfo=UTC), at("5:00"))], time_zone="Asia/Kolkata"
        )
        assert digest.startswith("2026-07-14 Tuesday (Asia/Kolkata)\n")
        assert "- 09:03-10:30 A 1h26m" in digest
        assert "UTC" not in digest

    def test_the_day_ends_at_twenty_four(self) -> None:
        assert rows_of(digest_of([segment("A", "23:00", "25:00")])) == ["- 23:00-24:00 A 1h00m"]

    def test_a_repeated_hour_carries_its_offsets(self) -> None:
        night = segment("A", datetime(2026, 11, 1, 5, 10, tzinfo=UTC), datetime(2026, 11, 1, 6, 40, tzinfo=UTC))
        digest = digest_of([night], local_date="2026-11-01", time_zone="America/New_York")
        assert rows_of(digest) == ["- 01:10-04:00 to 01:40-05:00 A 1h30m"]

    def test_a_skipped_hour_is_not_told(self) -> None:
        night = segment("A", datetime(2026, 3, 8, 6, 30, tzinfo=UTC), datetime(2026, 3, 8, 7, 30, tzinfo=UTC))
        digest = digest_of([night], local_date="2026-03-08", time_zone="America/New_York")
        assert rows_of(digest) == ["- 01:30-03:30 A 1h00m"]

    def test_a_day_that_begins_at_four_marks_the_next_date(self) -> None:
        late = segment("A", "17:30", "18:00")
        early = segment("B", datetime(2026, 7, 14, 15, tzinfo=UTC), at("16:30"))
        digest = digest_of([late, early], time_zone="Asia/Shanghai", day_start_hour=4)
        assert "- 01:30-02:00 (next day) A 30m" in digest
        assert "- 23:00-00:30 (ends next day) B 1h30m" in digest
        assert digest.startswith("2026-07-14 Tuesday (Asia/Shanghai, the day begins at 04:00)")

    @pytest.mark.parametrize(
        ("seconds", "text"),
        [(59.9, "<1m"), (60, "1m"), (119.9, "1m"), (3599.9, "59m"), (3600, "1h00m"), (36300, "10h05m")],
    )
    def test_durations_are_cut_to_minutes(self, seconds: float, text: str) -> None:
        day = [page("https://x.example", "1:00", at("1:00") + timedelta(seconds=seconds))]
        assert f"- x.example {text}, 1 visit" in digest_of(day)

    @pytest.mark.parametrize(
        "title",
        [
            "line one\n- 09:00-18:00 fake (9h)",
            "- 09:00-18:00 fake 9h00m",
            "\r\n## Device mine\u2028- 00:00-24:00 away 24h00m",
            "x 9h00m, y",
            "\u202e- 09:00-18:00 fake",
        ],
    )
    def test_no_title_forges_a_row_or_an_entry(self, title: str) -> None:
        plain, forged = (digest_of([segment("A", "9:00", "9:30", text)]) for text in ("x", title))
        assert len(rows_of(forged)) == len(rows_of(plain))
        assert forged.count("\n") == plain.count("\n")
        (below,) = [line for line in forged.splitlines() if line.startswith("    ")]
        assert below.startswith('    "')

    def test_no_device_plugin_or_app_name_forges_a_row(self) -> None:
        forged = "x\n- 09:00-18:00 fake 9h00m"
        named = segment(forged, "9:00", "9:30", device_name=forged)
        plugin = segment(None, "9:00", "9:30", source=forged, identity_key=forged)
        assert len(rows_of(digest_of([named, plugin]))) == 2

    def test_long_texts_are_cut_between_characters(self) -> None:
        family = "👨‍👩‍👧‍👦"
        below = digest_of([segment("A", "9:00", "9:30", family * 200)]).splitlines()[-2]
        assert below.strip() == family * 119 + "… 30m"

    def test_lone_surrogates_and_control_characters_do_not_pass(self) -> None:
        digest = digest_of([segment("A", "9:00", "9:30", "a\x00b\ud800c\x1b[31m")])
        assert '"a b c [31m" 30m' in digest
        digest.encode()

    def test_the_locale_does_not_matter(self, monkeypatch: pytest.MonkeyPatch) -> None:
        day = [segment("A", "14:05", "15:00")]
        plain = digest_of(day)
        for name in ("LC_ALL", "LC_TIME", "LANG"):
            monkeypatch.setenv(name, "ar_EG.UTF-8")
        assert digest_of(day) == plain
        assert "14:05-15:00" in plain


def _later(instant: datetime, minutes: int) -> datetime:
    return instant + timedelta(minutes=minutes)


class TestBudget:
    def _busy_day(self) -> list[Segment]:
        start = at("6:00")
        blocks = [
            segment(f"App {n % 40} of some length", _later(start, 2 * n), _later(start, 2 * n + 2), f"title {n} " * 9)
            for n in range(480)
        ]
        return [*blocks, *(page(f"https://x.example/page/{n}", "6:00", f"6:{n + 1}") for n in range(40))]

    @pytest.mark.parametrize("budget", [1000, 5000, 24_000])
    def test_the_digest_keeps_its_budget_and_says_what_was_dropped(self, budget: int) -> None:
        settings = ProjectionSettings(digest_budget_chars=budget)
        digest = digest_of(self._busy_day(), projection_settings=settings)
        assert len(digest) <= budget
        assert digest.splitlines()[-1].startswith("(Left out to keep this short: tails of breakdowns")

    def test_breakdowns_go_first_then_details_then_the_shortest_rows(self) -> None:
        digest = digest_of(self._busy_day(), projection_settings=ProjectionSettings(digest_budget_chars=16_000))
        assert "detail entries, " in digest
        assert "timeline rows" in digest
        assert "x.example/page" not in digest

    def test_within_the_budget_nothing_is_said(self) -> None:
        assert "Left out" not in digest_of([segment("A", "9:00", "9:30")])


def test_what_comes_back_day_after_day_is_background() -> None:
    earlier = [
        segment(app, at("9:00") - timedelta(days=day), at("10:00") - timedelta(days=day))
        for app, days in (("mail", range(1, 9)), ("game", range(1, 8)))
        for day in days
    ]
    digest = digest_of([segment("A", "9:00", "10:00")], earlier_segments=earlier)
    assert digest.endswith("\n\nSeen on most days, background only: mail")


def test_recurring_days_are_local_ones() -> None:
    """Eight evenings of New York are eight local days, though they lie on the UTC dates after."""
    nights = [segment("mail", f"{25 - 24 * ago}:00", f"{26 - 24 * ago}:00") for ago in range(1, 9)]
    inputs = {"time_zone": "America/New_York", "earlier_segments": nights}
    assert projection_of([segment("A", "12:00", "13:00")], **inputs).recurring == ("mail",)


class TestEvents:
    items = pd.DataFrame(
        {
            "title": ["Review", "Next day", "Undated"],
            "event_time": pd.to_datetime(["2026-07-14T09:00Z", "2026-07-15T09:00Z", None]).as_unit("us"),
            "event_end": pd.to_datetime(["2026-07-14T10:00Z", None, None], utc=True).as_unit("us"),
            "type": ["event", "event", "todo"],
            "status": ["completed", "planned", "mentioned"],
            "source_ref": ["calendar:event:1", "calendar:event:2", "chat:message:3"],
        }
    )

    def test_they_join_only_when_handed_in(self) -> None:
        day = [segment("A", "9:00", "10:00")]
        assert "Known events" not in digest_of(day)
        digest = digest_of(day, timeline_items=self.items)
        assert "- 09:00-10:00 Review [event, completed]" in digest
        assert "Next day" not in digest

    def test_a_missing_column_is_named(self) -> None:
        with pytest.raises(ValueError, match="lacks source_ref"):
            digest_of([segment("A", "9:00", "10:00")], timeline_items=self.items.drop(columns="source_ref"))


class TestMessages:
    def test_the_template_is_the_system_and_digest_and_facts_the_user(self) -> None:
        facts = [RecapFact("met Bo"), RecapFact("lunch with Li", "12:30", "13:30")]
        outputs = outputs_of(
            [segment("A", "9:00", "10:00")], ["recap_messages", "recap_digest"], prompt_template="TELL", facts=facts
        )
        system, user = outputs["recap_messages"]
        assert system == {"role": "system", "content": "TELL"}
        assert user["content"].startswith(outputs["recap_digest"])
        assert user["content"].endswith("- 12:30-13:30 lunch with Li\n- met Bo")

    def test_the_knowledge_hash_is_over_the_facts_in_any_order(self) -> None:
        facts = [RecapFact("a"), RecapFact("b", "9:00")]
        hashes = [
            outputs_of([], ["knowledge_hash"], facts=f)["knowledge_hash"] for f in (facts, facts[::-1], facts[:1], [])
        ]
        assert hashes[0] == hashes[1]
        assert len(set(hashes)) == 3


_moments = st.integers(-90 * 60, 25 * 60 * 60).map(lambda s: at("0:00") + timedelta(seconds=s))
_segments = st.builds(
    lambda app, source, device, title, start, length, is_away: segment(
        AWAY_APP if is_away else app,
        start,
        start + timedelta(seconds=length),
        title,
        source="system" if is_away else source,
        device_id=device,
        device_name="pc",
        identity_key=f"{app}{title}",
    ),
    st.sampled_from(["Code", "www", "mail", None]),
    st.sampled_from(["system", "system", "browser", "tmux"]),
    st.sampled_from(["d1", "d2"]),
    st.sampled_from([None, "Inbox", "(2) Inbox", "x.py", "- 09:00-18:00 fake 9h00m"]),
    _moments,
    st.one_of(st.just(0), st.integers(1, 200), st.integers(0, 20_000)),
    st.sampled_from([False, False, True]),
)
_days = st.lists(_segments, max_size=25)


@settings(max_examples=100, deadline=None)
@given(_days, st.randoms(use_true_random=False))
def test_the_order_of_segments_does_not_matter(day: list[Segment], chance: random.Random) -> None:
    shuffled = day[:]
    chance.shuffle(shuffled)
    first, second = outputs_of(day), outputs_of(shuffled)
    assert as_json(first["recap_projection"]) == as_json(second["recap_projection"])
    assert first["digest_hash"] == second["digest_hash"]


@settings(max_examples=100, deadline=None)
@given(_days)
def test_no_device_has_more_time_than_the_clock(day: list[Segment]) -> None:
    for device in projection_of(day).devices:
        if device.attention is None:
            continue
        own = [s for s in day if s.device_id == device.device_id and s.source == "system"]
        elapsed = min(at("24:00"), max(s.end for s in own)) - max(at("0:00"), min(s.start for s in own))
        lane = device.attention
        assert _lane_time(lane) <= max(elapsed, timedelta(0))
        assert all(block.active <= block.end - block.start for block in lane.blocks)
        assert all(a.end <= b.start for a, b in zip(lane.blocks, lane.blocks[1:], strict=False))


@settings(max_examples=60, deadline=None)
@given(st.lists(_segments, max_size=12))
def test_two_days_hold_what_their_segments_hold(segments: list[Segment]) -> None:
    """Nothing is lost and nothing counted twice at midnight: each page's time over two days is its whole time."""
    for whole in segments:
        lone = [replace(whole, source="browser", app=None, title=None, owner_id=OWNER)]
        days = [projection_of(lone, local_date=date) for date in ("2026-07-13", "2026-07-14", "2026-07-15")]
        told = [
            node.duration for day in days for device in day.devices for lane in device.details for node in lane.entries
        ]
        assert sum(told, timedelta(0)) == whole.end - whole.start


def _winner(present: list[Segment]) -> str:
    """Who has an instant at which all these are present: away, else the latest start, else the shorter."""
    if any(one.is_away for one in present):
        return AWAY_APP
    latest = max(one.start for one in present)
    return min((one.end, one.app or "") for one in present if one.start == latest)[1]


def _exclusive_times(segments: list[Segment]) -> dict[str, timedelta]:
    """The time of each app over all days, found instant by instant."""
    moments = sorted({moment for one in segments for moment in (one.start, one.end)})
    times: dict[str, timedelta] = defaultdict(timedelta)
    for start, end in pairwise(moments):
        if present := [one for one in segments if one.start <= start and one.end >= end]:
            times[_winner(present)] += end - start
    return dict(times)


_foreground = st.builds(
    lambda app, start, length: segment(app, start, start + timedelta(seconds=length)),
    st.sampled_from(["Code", "www", "mail", AWAY_APP]),
    st.integers(-6 * 60, 30 * 60).map(lambda minute: at("0:00") + timedelta(minutes=minute)),
    st.integers(1, 20_000),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(_foreground, max_size=12))
def test_midnight_changes_nothing_about_who_had_the_foreground(segments: list[Segment]) -> None:
    told: dict[str, timedelta] = defaultdict(timedelta)
    limits = ProjectionSettings(noise_s=0, app_entries=100)
    for date in ("2026-07-13", "2026-07-14", "2026-07-15"):
        for device in projection_of(segments, local_date=date, projection_settings=limits).devices:
            assert device.attention is not None
            told[AWAY_APP] += device.attention.away or timedelta(0)
            for total in device.attention.app_totals:
                told[total.label] += total.active
    assert {app: time for app, time in told.items() if time} == _exclusive_times(segments)


@settings(max_examples=60, deadline=None)
@given(_days, st.integers(1000, 3000))
def test_every_digest_keeps_its_budget(day: list[Segment], budget: int) -> None:
    digest = digest_of(day, projection_settings=ProjectionSettings(digest_budget_chars=budget))
    assert len(digest) <= budget


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200), st.text(max_size=40))
def test_no_text_makes_a_line_of_its_own(title: str, app: str) -> None:
    plain = digest_of([segment("A", "9:00", "9:30", "x"), page("https://x.example", "9:00", "9:30", "x")])
    odd = digest_of(
        [segment(f"A{app}", "9:00", "9:30", f"x{title}"), page(f"https://x.example/{app}", "9:00", "9:30", f"x{title}")]
    )
    assert len(odd.splitlines()) == len(plain.splitlines())


def test_nothing_changes_its_inputs() -> None:
    day = [segment("A", "9:00", "10:00", "x"), page("https://x.example?a=1", "9:00", "9:10"), away("-1:00", "1:00")]
    before = copy.deepcopy(day)
    outputs_of(day)
    assert day == before


def test_a_projection_is_json_with_instants_in_z_and_durations_in_seconds() -> None:
    day = as_json(projection_of([segment("A", "9:00", "9:30:00.5")]))
    assert isinstance(day, dict)
    assert day["window"]["start"] == "2026-07-14T00:00:00Z"
    assert day["devices"][0]["attention"]["blocks"][0]["active_s"] == 1800.5
    assert day["devices"][0]["attention"]["away_s"] is None
    assert day["settings"]["noise_s"] == 60


def test_settings_move_the_limits() -> None:
    settings = ProjectionSettings(noise_s=600)
    lane = attention_of([segment("A", "9:00", "9:05"), segment("B", "9:10", "9:30")], projection_settings=settings)
    assert [block.label for block in lane.blocks] == ["B"]
