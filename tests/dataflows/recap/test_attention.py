"""The attention lane: exclusive time, blocks, noise, away, totals, gaps (R9 to R18)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from recap_days import at, attention_of, away, digest_of, rows_of, segment

from temporal_recall.schemas.recap import AttentionBlock, Segment


def _blocks(segments: list[Segment]) -> list[tuple[str, str, str, float]]:
    """Each block as label, clock of start and end, active minutes."""
    return [_told(block) for block in attention_of(segments).blocks]


def _told(block: AttentionBlock) -> tuple[str, str, str, float]:
    return block.label, f"{block.start:%H:%M}", f"{block.end:%H:%M}", block.active / timedelta(minutes=1)


def _totals(segments: list[Segment]) -> dict[str, float]:
    return {total.label: total.active / timedelta(minutes=1) for total in attention_of(segments).app_totals}


class TestExclusiveTime:
    def test_overlaps_of_one_window_are_a_union(self) -> None:
        inbox = [segment("mail", "12:00", "12:10", "Inbox"), segment("mail", "12:00", "12:15", "Inbox")]
        assert _totals(inbox) == {"mail": 15}

    def test_away_cuts_the_foreground(self) -> None:
        day = [away("10:00", "12:40"), segment("Code", "10:00", "13:00")]
        assert _totals(day) == {"Code": 20}
        assert attention_of(day).away == timedelta(hours=2, minutes=40)

    def test_the_later_start_wins_and_the_earlier_goes_on(self) -> None:
        day = [segment("A", "10:00", "11:00"), segment("B", "10:10", "10:40")]
        assert _blocks(day) == [("A", "10:00", "10:10", 10), ("B", "10:10", "10:40", 30), ("A", "10:40", "11:00", 20)]

    def test_three_deep(self) -> None:
        day = [segment("A", "10:00", "12:00"), segment("B", "10:30", "11:30"), segment("C", "10:45", "11:00")]
        assert _totals(day) == {"A": 60, "B": 45, "C": 15}

    def test_of_two_that_start_together_the_shorter_wins(self) -> None:
        assert _totals([segment("A", "10:00", "11:00"), segment("B", "10:00", "10:20")]) == {"A": 40, "B": 20}

    def test_nested_aways_are_a_union(self) -> None:
        day = [away("9:24:26.9", "9:28:37"), away("9:24:27", "9:27"), away("9:24:28", "9:26")]
        assert attention_of(day).away == at("9:28:37") - at("9:24:26.9")


class TestBlocks:
    @pytest.mark.parametrize(("gap_s", "block_count"), [(60, 1), (120, 1), (121, 2)])
    def test_pieces_of_one_app_join_over_two_minutes(self, gap_s: int, block_count: int) -> None:
        start = at("9:30") + timedelta(seconds=gap_s)
        day = [segment("Code", "9:00", "9:30"), segment("Code", start, start + timedelta(minutes=30))]
        assert len(_blocks(day)) == block_count

    def test_active_time_is_not_the_span(self) -> None:
        pieces = [
            segment("Code", at("9:00") + timedelta(seconds=110 * n), at("9:00") + timedelta(seconds=110 * n + 10))
            for n in range(30)
        ]
        (block,) = attention_of(pieces).blocks
        assert block.active == timedelta(minutes=5)
        assert "Code 5m (within 53m)" in digest_of(pieces)

    def test_a_block_that_is_mostly_active_does_not_tell_its_span(self) -> None:
        day = [segment("Code", "9:00", "9:30"), segment("Code", "9:31", "10:01")]
        assert rows_of(digest_of(day)) == ["- 09:00-10:01 Code 1h00m"]

    def test_back_to_back_pieces_are_one_row(self) -> None:
        pieces = [
            segment("Code", at("9:00") + timedelta(minutes=n), at("9:01") + timedelta(minutes=n)) for n in range(100)
        ]
        assert rows_of(digest_of(pieces)) == ["- 09:00-10:40 Code 1h40m"]

    def test_the_clock_set_back_makes_no_time(self) -> None:
        day = [segment("A", "10:00", "11:00"), segment("B", "10:10", "10:40")]
        assert sum(_totals(day).values()) == 60


class TestNoise:
    @pytest.mark.parametrize(("seconds", "row_count"), [(59.9, 0), (60, 1)])
    def test_below_a_minute_there_is_no_row(self, seconds: float, row_count: int) -> None:
        day = [segment("note", "9:00", at("9:00") + timedelta(seconds=seconds)), segment("Code", "12:00", "13:00")]
        assert sum(label == "note" for label, *_ in _blocks(day)) == row_count
        assert "note" in _totals(day)

    def test_noise_between_two_blocks_of_an_app_leaves_one(self) -> None:
        day = [
            segment("Code", "9:00", "9:30"),
            segment("note", "9:30", "9:30:30"),
            segment("Code", "9:30:30", "10:00:30"),
        ]
        assert _blocks(day) == [("Code", "09:00", "10:00", 60)]
        assert "App totals: Code 1h00m, note <1m" in digest_of(day)

    def test_a_day_of_noise_alone_says_so(self) -> None:
        day = [segment("A", "9:00", "9:00:40"), segment("B", "9:10", "9:10:50")]
        assert rows_of(digest_of(day)) == ["- 2 short activities, total 1m"]

    def test_a_point_in_time_counts_and_splits_nothing(self) -> None:
        day = [segment("Code", "9:00", "9:30"), segment("chat", "9:15", "9:15")]
        assert _blocks(day) == [("Code", "09:00", "09:30", 30)]
        assert _totals(day) == {"Code": 30, "chat": 0}

    def test_a_point_while_nobody_was_there_is_cut(self) -> None:
        assert _totals([away("9:00", "10:00"), segment("chat", "9:15", "9:15")]) == {}


class TestAway:
    def test_it_is_a_row_without_breakdown_and_no_app(self) -> None:
        day = [away("12:00", "13:00", title="lock screen of ana"), segment("Code", "11:00", "12:00", "x.py")]
        digest = digest_of(day)
        assert "- 12:00-13:00 away 1h00m" in digest
        assert "lock screen" not in digest
        assert "App totals: Code 1h00m\n" in digest
        assert "Away in all: 1h00m" in digest

    def test_below_a_minute_there_is_no_total(self) -> None:
        assert attention_of([away("12:00", "12:00:59"), segment("Code", "13:00", "14:00")]).away is None


class TestGapsAndTotals:
    @pytest.mark.parametrize(("end", "is_told"), [("9:31", False), ("9:30", True)])
    def test_half_an_hour_without_record_is_told(self, end: str, is_told: bool) -> None:
        day = [segment("Code", "9:00", end), segment("Code", "10:00", "11:00")]
        assert (f"- 0{end}-10:00 no record" in digest_of(day)) is is_told

    def test_noise_in_a_gap_is_a_record(self) -> None:
        day = [segment("Code", "9:00", "9:30"), segment("note", "9:45", "9:45:10"), segment("Code", "10:00", "11:00")]
        assert "no record" not in digest_of(day)

    def test_apps_beyond_eight_are_counted(self) -> None:
        day = [segment(f"App{n}", f"{n}:00", f"{n}:{10 + n}") for n in range(1, 11)]
        assert "App3 13m, +2 others, total 23m" in digest_of(day)

    def test_ties_are_ordered_by_name(self) -> None:
        day = [segment("b", "9:00", "9:10"), segment("a", "10:00", "10:10")]
        assert list(_totals(day)) == ["a", "b"]

    def test_an_import_without_an_app_is_unknown(self) -> None:
        assert "- 09:00-09:10 unknown 10m" in digest_of([segment(None, "9:00", "9:10", "a title")])

    def test_no_total_of_the_day_is_offered(self) -> None:
        digest = digest_of(
            [segment("Code", "9:00", "10:40"), segment("Code", "11:00", "11:50"), segment("www", "12:00", "12:30")]
        )
        assert "App totals: Code 2h30m, www 30m" in digest
        assert "3h00m" not in digest
