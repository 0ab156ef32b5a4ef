"""Calendar files: recurrences, exceptions and zones come out right, faults come out as issues, users stay apart."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from temporal_recall.adapters.calendar_ics import CalendarIcsAdapter, calendar_records, read_calendar
from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import Axis, EvidenceRecord, RequestLimits, SearchContext
from temporal_recall.testing.contexts import issues_of, records_of
from temporal_recall.testing.contexts import search_context as context_of

SearchContexts = Callable[..., SearchContext]
WRITTEN = datetime.fromisoformat("2026-01-01T00:00:00+00:00")


def _event(*lines: str) -> str:
    stamps = ("DTSTAMP:20260801T000000Z",)
    return "\r\n".join(["BEGIN:VEVENT", *stamps, *lines, "END:VEVENT"])


def _calendar(*parts: str) -> str:
    return "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", *parts, "END:VCALENDAR", ""])


@pytest.fixture
def read(tmp_path: Path, search_context: SearchContexts) -> Callable[..., list[Any]]:
    """Writes a calendar and reads it back on the event axis."""

    def rows(text: str | bytes, start: str, end: str, **more: Any) -> list[Any]:
        path = tmp_path / "test.ics"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        adapter = CalendarIcsAdapter("calendar", {"u1": [path]})
        return list(adapter.search(search_context(start, end, **{"axis": "event", **more})))

    return rows


def _starts(rows: list[Any]) -> list[str]:
    return [r.event.start.isoformat() for r in records_of(rows) if r.event]


AUTUMN = ("2026-09-01T00:00:00+08:00", "2026-12-01T00:00:00+08:00")


@pytest.fixture(scope="module")
def manifest(shared: Path) -> dict[str, dict[str, Any]]:
    """What the shared samples are, by file name."""
    entries = json.loads((shared / "cases/sources/ics/manifest.json").read_text(encoding="utf-8"))
    return {entry["file"]: entry for entry in entries}


class TestSamples:
    """Each calendar of the shared samples against what its manifest says."""

    def _rows(self, shared: Path, entry: dict[str, Any], time_zone: str = "UTC") -> list[Any]:
        adapter = CalendarIcsAdapter("calendar", {"u1": [shared / "cases/sources/ics" / entry["file"]]})
        start, end = (f"{day}T00:00:00+00:00" for day in entry["range"])
        context = context_of(start, end, now="2027-01-01T00:00:00+00:00", axis="event", time_zone=time_zone)
        return list(adapter.search(context))

    def _is_as_said(self, entry: dict[str, Any], rows: list[Any]) -> bool:
        said = sorted((_moment(o["start"]), _moment(o["end"])) for o in entry["library_occurrences"])
        return said == sorted(
            (_moment(r.event.start), _moment(r.event.end or r.event.start)) for r in records_of(rows) if r.event
        )

    def test_where_the_library_is_right_we_agree(self, shared: Path, manifest: dict[str, Any]) -> None:
        right = [entry for entry in manifest.values() if entry["verdict"] in ("ok", "repair", "rule", "partly")]
        assert len(right) > 20
        wrong = [entry["file"] for entry in right if not self._is_as_said(entry, self._rows(shared, entry))]
        assert wrong == []

    def test_refs_are_unique_and_stay(self, shared: Path, manifest: dict[str, Any]) -> None:
        for entry in manifest.values():
            refs = [r.source_ref for r in records_of(self._rows(shared, entry))]
            assert len(refs) == len(set(refs))
            assert refs == [r.source_ref for r in records_of(self._rows(shared, entry))]

    def test_a_cancelled_instance_says_so(self, shared: Path, manifest: dict[str, Any]) -> None:
        records = records_of(self._rows(shared, manifest["issue_18_cancel_status.ics"]))
        assert [r.event.status for r in records if r.event] == ["confirmed", "cancelled", "confirmed"]

    def test_all_day_start_with_an_instant_as_end_stays_all_day(self, shared: Path, manifest: dict[str, Any]) -> None:
        (record,) = records_of(self._rows(shared, manifest["issue_201_mixed_datetime_and_date.ics"]))
        assert record.event is not None
        assert (record.event.start, record.event.end) == (date(2023, 7, 24), date(2023, 8, 17))

    def test_display_names_of_zones_are_read(self, shared: Path, manifest: dict[str, Any]) -> None:
        rows = self._rows(shared, manifest["Office-2012-owa.ics"])
        days = ["2020-10-28", "2020-11-02", "2020-11-02", "2020-11-05", "2020-11-06", "2020-11-12", "2020-11-13"]
        eastern = [f"{day}T13:30:00-0{4 if day < '2020-11' else 5}:00" for day in days]
        assert _starts(rows) == ["2020-10-28T13:30:00+11:00", *eastern]

    def test_an_undefined_zone_is_reported_and_floats(self, shared: Path, manifest: dict[str, Any]) -> None:
        self._rows(shared, manifest["bad_ms_tz.ics"])  # defines a zone of that very name
        rows = self._rows(shared, manifest["office_365_invalid_timezone.ics"])
        assert _starts(rows) == ["2024-04-26T14:00:00"]
        assert [i.code for i in issues_of(rows)] == ["unknown_zone"]

    def test_other_calendars_are_expanded_or_reported(self, shared: Path, manifest: dict[str, Any]) -> None:
        rows = self._rows(shared, manifest["rfc_7529.ics"])
        new_year = [start for start in _starts(rows) if start[5:7] in ("01", "02") and start != "2016-02-29"]
        assert new_year == ["2013-02-10", "2014-01-31", "2015-02-19", "2016-02-08"]
        assert {"2013-03-01", "2014-03-01", "2015-03-01", "2016-02-29"} <= set(_starts(rows))
        assert [i.code for i in issues_of(rows)] == ["unsupported_rscale"] * 2

    def test_a_broken_series_costs_itself_alone(self, shared: Path, manifest: dict[str, Any]) -> None:
        rows = self._rows(shared, manifest["google_birthday.ics"])
        assert _starts(rows) == ["2012-12-10", "2013-12-10", "2014-12-10"]
        assert [(i.code, i.locator) for i in issues_of(rows)] == [("bad_series", "google_birthday.ics:8")]


def _moment(bound: str | datetime | date) -> str:
    """A bound in one form: dates and floating times as they stand, instants in UTC."""
    value = bound.isoformat() if not isinstance(bound, str) else bound
    moment = datetime.fromisoformat(value) if "T" in value else None
    return value if moment is None or moment.tzinfo is None else moment.astimezone(WRITTEN.tzinfo).isoformat()


class TestRecurrence:
    @pytest.mark.parametrize(
        ("zone", "start", "days"),
        [
            ("America/New_York", "20260910T100000", {"2026-10-29": "14:00", "2026-11-05": "15:00"}),
            ("Europe/Berlin", "20260910T100000", {"2026-10-22": "08:00", "2026-10-29": "09:00"}),
            ("Australia/Sydney", "20260910T100000", {"2026-10-01": "00:00", "2026-10-07": "23:00"}),
            ("Asia/Shanghai", "20260910T100000", {"2026-10-29": "02:00", "2026-11-05": "02:00"}),
        ],
    )
    def test_a_series_keeps_its_wall_time_over_a_clock_change(
        self, read: Callable[..., list[Any]], zone: str, start: str, days: dict[str, str]
    ) -> None:
        rows = read(_calendar(_event("UID:a", f"DTSTART;TZID={zone}:{start}", "RRULE:FREQ=WEEKLY")), *AUTUMN)
        starts = [r.event.start.astimezone(WRITTEN.tzinfo).isoformat()[:16] for r in records_of(rows) if r.event]
        assert {f"{day}T{clock}" for day, clock in days.items()} <= set(starts)

    @pytest.mark.parametrize(
        "recurrence_id", ["VALUE=DATE:20260926", "TZID=W. Europe Standard Time:20260926T000000", "X=1:20260926T000000"]
    )
    def test_an_all_day_instance_moves_whatever_its_id_is_written_as(
        self, read: Callable[..., list[Any]], recurrence_id: str
    ) -> None:
        series = _event("UID:a", "DTSTART;VALUE=DATE:20260924", "RRULE:FREQ=DAILY;COUNT=4")
        moved = _event("UID:a", f"RECURRENCE-ID;{recurrence_id}", "DTSTART;VALUE=DATE:20260930", "SUMMARY:改期")
        rows = read(_calendar(series, moved), *AUTUMN)
        assert _starts(rows) == ["2026-09-24", "2026-09-25", "2026-09-27", "2026-09-30"]

    def test_a_moved_instance_keeps_its_ref(self, read: Callable[..., list[Any]]) -> None:
        series = _event("UID:a", "DTSTART:20260907T020000Z", "RRULE:FREQ=WEEKLY;COUNT=3")
        before = {r.source_ref for r in records_of(read(_calendar(series), *AUTUMN))}
        moved = _event("UID:a", "RECURRENCE-ID:20260914T020000Z", "DTSTART:20260915T070000Z")
        after = records_of(read(_calendar(series, moved), *AUTUMN))
        assert {r.source_ref for r in after} == before
        assert "2026-09-15T07:00:00+00:00" in _starts(after)

    def test_a_birthday_by_the_old_calendar(self, read: Callable[..., list[Any]]) -> None:
        birthday = _event(
            "UID:b", "DTSTART;VALUE=DATE:20200128", "RRULE:RSCALE=CHINESE;FREQ=YEARLY", "SUMMARY:奶奶生日"
        )
        rows = read(_calendar(birthday), "2023-01-01T00:00:00+08:00", "2026-12-31T00:00:00+08:00")
        assert _starts(rows) == [
            "2023-01-25",
            "2024-02-13",
            "2025-02-01",
            "2026-02-20",
        ]  # the fourth of the first month

    @pytest.mark.parametrize(
        ("skip", "days"),
        [
            ("FORWARD", ["2026-10-31", "2026-12-01", "2026-12-31"]),
            ("BACKWARD", ["2026-10-31", "2026-11-30", "2026-12-31"]),
            ("OMIT", ["2026-10-31", "2026-12-31"]),
        ],
    )
    def test_days_that_a_month_lacks(self, read: Callable[..., list[Any]], skip: str, days: list[str]) -> None:
        rule = f"RRULE:RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP={skip}"
        event = _event("UID:m", "DTSTART;VALUE=DATE:20260131", rule)
        assert _starts(read(_calendar(event), "2026-10-15T00:00:00+08:00", "2027-01-01T00:00:00+08:00")) == days

    @pytest.mark.parametrize(
        ("lines", "starts"),
        [
            (("EXDATE;VALUE=DATE:20260908",), ["07", "09"]),
            (("EXDATE:20260908T020000Z",), ["07", "09"]),
            (("EXDATE;TZID=Asia/Shanghai:20260908T100000,20260909T100000",), ["07"]),
            (("EXDATE;TZID=China Standard Time:20260908T100000",), ["07", "09"]),
            (("RDATE;TZID=Asia/Shanghai:20260920T100000",), ["07", "08", "09", "20"]),
            (("RDATE;VALUE=PERIOD:20260920T020000Z/PT3H",), ["07", "08", "09", "20"]),
        ],
    )
    def test_dates_taken_out_and_put_in(
        self, read: Callable[..., list[Any]], lines: tuple[str, ...], starts: list[str]
    ) -> None:
        series = ("UID:a", "DTSTART;TZID=Asia/Shanghai:20260907T100000", "RRULE:FREQ=DAILY;COUNT=3")
        assert [start[8:10] for start in _starts(read(_calendar(_event(*series, *lines)), *AUTUMN))] == starts

    @pytest.mark.parametrize(
        ("until", "count"), [("20260909T020000Z", 3), ("20260909T015959Z", 2), ("20260909", 3), ("20260909T235959", 3)]
    )
    def test_until_is_the_last_moment_that_counts(self, read: Callable[..., list[Any]], until: str, count: int) -> None:
        rule = f"RRULE:FREQ=DAILY;UNTIL={until}"
        event = _event("UID:a", "DTSTART;TZID=Asia/Shanghai:20260907T100000", rule)
        assert len(_starts(read(_calendar(event), *AUTUMN))) == count

    def test_an_instance_moved_into_the_window_is_in_it(self, read: Callable[..., list[Any]]) -> None:
        series = _event("UID:a", "DTSTART:20260107T020000Z", "RRULE:FREQ=YEARLY")
        moved = _event("UID:a", "RECURRENCE-ID:20270107T020000Z", "DTSTART:20260915T020000Z")
        assert _starts(read(_calendar(series, moved), *AUTUMN)) == ["2026-09-15T02:00:00+00:00"]

    @pytest.mark.parametrize(
        ("rule", "code"),
        [
            ("FREQ=SECONDLY", "too_frequent"),
            ("FREQ=DAILY;INTERVAL=0", "bad_rule"),
            ("FREQ=DAILY;COUNT=0", "bad_rule"),
            ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "bad_rule"),
            ("FREQ=HOURLY;BYMONTH=13", "bad_rule"),
            ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=40", "bad_rule"),
            ("FREQ=WEEKLY;BYMONTHDAY=x", "bad_rule"),
        ],
    )
    def test_a_rule_that_would_never_end_is_refused(self, read: Callable[..., list[Any]], rule: str, code: str) -> None:
        rows = read(_calendar(_event("UID:s", "DTSTART:20260901T000000Z", f"RRULE:{rule}")), *AUTUMN)
        assert [(i.code, i.locator) for i in issues_of(rows)] == [(code, "test.ics:3")]


class TestZones:
    OFFICE = (
        "BEGIN:VTIMEZONE",
        "TZID:Office",
        "BEGIN:STANDARD",
        "DTSTART:19700101T000000",
        "TZOFFSETFROM:-0500",
        "TZOFFSETTO:-0500",
        "END:STANDARD",
        "END:VTIMEZONE",
    )
    MEETING = _event("UID:a", "DTSTART;TZID=Office:20260910T100000", "SUMMARY:会")

    def test_one_users_zone_never_reaches_anothers_calendar(self, tmp_path: Path) -> None:
        """The library keeps definitions by name for the whole process; ours must not be found by it."""
        files = {"u1": _calendar(*self.OFFICE, self.MEETING), "u2": _calendar(self.MEETING)}
        for user, text in files.items():
            (tmp_path / f"{user}.ics").write_text(text, encoding="utf-8")
        adapter = CalendarIcsAdapter("calendar", {user: [tmp_path / f"{user}.ics"] for user in files})
        starts: dict[str, list[str]] = {}

        def search(user: str) -> None:
            rows = list(adapter.search(context_of(*AUTUMN, user_id=user, axis="event")))
            starts[user] = _starts(rows)

        for user in ("u1", "u2", "u1", "u2"):
            thread = Thread(target=search, args=(user,))
            thread.start()
            thread.join()
        assert starts == {"u1": ["2026-09-10T10:00:00-05:00"], "u2": ["2026-09-10T10:00:00"]}

    def test_two_definitions_of_one_name_stay_apart(self, read: Callable[..., list[Any]]) -> None:
        other = [line.replace("-0500", "+0900") for line in self.OFFICE]
        for zone, offset in ((self.OFFICE, "-05:00"), (other, "+09:00"), (self.OFFICE, "-05:00")):
            assert _starts(read(_calendar(*zone, self.MEETING), *AUTUMN)) == [f"2026-09-10T10:00:00{offset}"]

    @pytest.mark.parametrize(
        ("lines", "start"),
        [
            (("X-WR-TIMEZONE:Asia/Tokyo", _event("UID:a", "DTSTART:20260910T090000")), "2026-09-10T09:00:00+09:00"),
            ((_event("UID:a", "DTSTART:20260910T090000"),), "2026-09-10T09:00:00"),
            ((_event("UID:a", "DTSTART;TZID=China Standard Time:20260910T090000"),), "2026-09-10T09:00:00+08:00"),
            ((_event("UID:a", "DTSTART;TZID=GMT+0300:20260910T090000"),), "2026-09-10T09:00:00+03:00"),
            ((_event("UID:a", "DTSTART;TZID=/x.org/2020/Europe/Rome:20260910T090000"),), "2026-09-10T09:00:00+02:00"),
            (
                (_event("UID:a", 'DTSTART;TZID="(UTC+08:00) 北京，重庆，香港特别行政区，乌鲁木齐":20260910T090000'),),
                "2026-09-10T09:00:00+08:00",
            ),
        ],
    )
    def test_where_a_time_lies(self, read: Callable[..., list[Any]], lines: tuple[str, ...], start: str) -> None:
        assert _starts(read(_calendar(*lines), *AUTUMN)) == [start]

    def test_all_day_is_the_users_day(self, read: Callable[..., list[Any]]) -> None:
        holiday = _calendar(_event("UID:d", "DTSTART;VALUE=DATE:20261001", "DTEND;VALUE=DATE:20261002"))
        day = ("2026-10-01T00:00:00", "2026-10-02T00:00:00")
        for zone, offset in (("Asia/Shanghai", "+08:00"), ("America/Los_Angeles", "-07:00")):
            inside = read(holiday, f"{day[0]}{offset}", f"{day[1]}{offset}", time_zone=zone)
            after = read(holiday, f"{day[1]}{offset}", f"2026-10-03T00:00:00{offset}", time_zone=zone)
            assert (_starts(inside), _starts(after)) == (["2026-10-01"], [])


class TestRecord:
    def test_what_the_calendar_knows(self, read: Callable[..., list[Any]]) -> None:
        event = _event(
            "UID:meet-1",
            "CREATED:20260820T013000Z",
            "SEQUENCE:2",
            "DTSTART;TZID=Asia/Shanghai:20260910T150000",
            "DURATION:PT90M",
            "SUMMARY:季度评审\\, 第三季",
            "LOCATION:5F 会议室",
            "DESCRIPTION:带上报表",
            'ATTENDEE;CN="李雷";PARTSTAT=ACCEPTED:mailto:li@x.cn',
            "ATTENDEE;CN=韩梅梅;PARTSTAT=DECLINED:mailto:han@x.cn",
            "ATTENDEE;CN=大会议室;CUTYPE=ROOM:mailto:room@x.cn",
            "ATTENDEE;CN=bare@x.cn:mailto:bare@x.cn",
        )
        (record,) = records_of(read(_calendar(event), *AUTUMN))
        assert record.event is not None
        assert (record.source_ref, record.revision) == ("calendar:event:meet-1", 3)
        assert record.observed_time.isoformat() == "2026-08-20T01:30:00+00:00"
        assert record.text == "季度评审, 第三季\n带上报表"
        assert (record.event.title, record.event.location) == ("季度评审, 第三季", "5F 会议室")
        assert record.event.attendees == ("李雷",)
        assert record.event.end == record.event.start + timedelta(minutes=90)  # type: ignore[operator]
        assert record.time_zone == "Asia/Shanghai"

    @pytest.mark.parametrize(
        ("stamps", "observed"),
        [
            (("CREATED:20260820T013000Z",), "2026-08-20T01:30:00+00:00"),
            (("CREATED:00001231T000000Z",), "2026-08-01T00:00:00+00:00"),
            ((), "2026-08-01T00:00:00+00:00"),
        ],
    )
    def test_observed_when_created_else_stamped(
        self, read: Callable[..., list[Any]], stamps: tuple[str, ...], observed: str
    ) -> None:
        (record,) = records_of(read(_calendar(_event("UID:a", *stamps, "DTSTART:20260910T010000Z")), *AUTUMN))
        assert record.observed_time.isoformat() == observed

    def test_html_in_a_title_is_text(self, read: Callable[..., list[Any]]) -> None:
        title = "<script>alert(1)</script><b>会</b>"
        (record,) = records_of(
            read(_calendar(_event("UID:a", "DTSTART:20260910T010000Z", f"SUMMARY:{title}")), *AUTUMN)
        )
        assert record.text == title

    def test_a_calendar_that_cancels_cancels_all(self, read: Callable[..., list[Any]]) -> None:
        (record,) = records_of(read(_calendar("METHOD:CANCEL", _event("UID:a", "DTSTART:20260910T010000Z")), *AUTUMN))
        assert record.event is not None
        assert record.event.status == "cancelled"


class TestText:
    """What a writer may do with lines."""

    TITLE = "SUMMARY:明天下午三点和李雷开会"

    def _text(self, read: Callable[..., list[Any]], raw: bytes) -> str:
        (record,) = records_of(read(raw, *AUTUMN))
        return record.text

    def test_a_fold_may_fall_inside_a_character(self, read: Callable[..., list[Any]]) -> None:
        raw = _calendar(_event("UID:a", "DTSTART:20260907T100000Z", self.TITLE)).encode()
        at = raw.index("下".encode()) + 1
        assert self._text(read, raw[:at] + b"\r\n " + raw[at:]) == self.TITLE[8:]

    @pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
    def test_lines_end_as_they_like(self, read: Callable[..., list[Any]], end: str) -> None:
        text = _calendar(_event("UID:a", "", "DTSTART:20260907T100000Z", self.TITLE))
        assert self._text(read, text.replace("\r\n", end).encode()) == self.TITLE[8:]

    def test_names_may_be_small(self, read: Callable[..., list[Any]]) -> None:
        text = _calendar("begin:vevent", "uid:a", "dtstart:20260907T100000Z", "summary:小写", "end:vevent")
        assert self._text(read, text.encode()) == "小写"

    def test_an_alarm_is_not_the_event(self, read: Callable[..., list[Any]]) -> None:
        alarm = ("BEGIN:VALARM", "TRIGGER:-PT15M", "SUMMARY:提醒", "DURATION:PT5M", "END:VALARM")
        event = _event("UID:a", "DTSTART:20260907T100000Z", *alarm, "SUMMARY:会")
        assert self._text(read, _calendar(event).encode()) == "会"

    def test_two_calendars_in_one_file_keep_their_zones(self, read: Callable[..., list[Any]]) -> None:
        zones = {"a": "Asia/Tokyo", "b": "Europe/Rome"}
        parts = [
            _calendar(f"X-WR-TIMEZONE:{zone}", _event(f"UID:{uid}", "DTSTART:20260907T100000"))
            for uid, zone in zones.items()
        ]
        assert sorted(_starts(read("".join(parts), *AUTUMN))) == [
            "2026-09-07T10:00:00+02:00",
            "2026-09-07T10:00:00+09:00",
        ]


class TestFaults:
    GOOD = _event("UID:good", "DTSTART:20260910T010000Z", "SUMMARY:好的")

    @pytest.mark.parametrize(
        ("bad", "code"),
        [
            (_event("UID:x", "DTSTART:not-a-time"), "bad_series|bad_component"),
            (_event("UID:x", "DTSTART:20261399T990000Z"), "bad_series|bad_component"),
            (_event("UID:x", "DTSTART:00010101T000000Z"), "date_out_of_range"),
            (_event("UID:x", "DTSTART:99991231T235959Z"), "date_out_of_range"),
            (_event("UID:x", "DTSTART;VALUE=DATE:29991231"), "date_out_of_range"),
            (_event("UID:x", "DTSTART:20260910T010000Z", "DURATION:P99999999999999D"), "bad_series"),
            (_event("UID:x", "DTSTART:20260910T010000Z", "DURATION:P9999999D"), "bad_series|date_out_of_range"),
            (_event("UID:x", "DTSTART:20260910T010000Z", "DURATION:PT1H", "DURATION:PT2H"), "bad_series"),
            (_event("UID:x", "DTSTART:P1D"), "bad_series"),
            (_event("UID:x", "DTSTART:20260910T010000Z", "DTEND:P1D"), "bad_series"),
            (_event("UID:x", "DTSTART:20260910T010000Z", *["RECURRENCE-ID:20260910T010000Z"] * 2), "bad_series"),
            (_event("UID:x", "SUMMARY:没有时间"), "no_start"),
            (_event("UID:x", "DTSTART:20260910T010000Z", "RRULE:FREQ=SOMETIMES"), "bad_rule"),
            (_event("UID:x", "DTSTART:20260910T010000Z", "RDATE:yesterday", "RRULE:FREQ=DAILY"), "bad_series"),
            (_event("UID:x", "DTSTART:20260910T010000Z", "RRULE:RSCALE=HEBREW;FREQ=YEARLY"), "unsupported_rscale"),
            (_event("UID:x", "DTSTART:20260911T010000Z", "SUMMARY:" + "长" * 1_100_000), "line_too_long"),
            (_event("UID:x", "DTSTART;TZID=Atlantis:20260911T010000"), "unknown_zone"),
            (_event("UID:x", "DTSTART:20260911T020000Z", "DTEND:20260911T010000Z"), "swapped_bounds"),
            (_event("UID:x", "DTSTART:20260911T020000Z", "DURATION:-PT1H"), "swapped_bounds"),
        ],
    )
    def test_one_bad_event_is_named_by_its_line_and_the_rest_is_read(
        self, read: Callable[..., list[Any]], bad: str, code: str
    ) -> None:
        rows = read(_calendar(self.GOOD, bad), *AUTUMN)
        (issue,) = issues_of(rows)
        assert issue.code in code.split("|")
        first = int(issue.locator.removeprefix("test.ics:"))
        assert 8 <= first <= 13
        assert "calendar:event:good" in {r.source_ref for r in records_of(rows)}
        assert len(repr(issue)) < 300

    def test_components_nested_without_end_cost_no_more_than_their_lines(self, read: Callable[..., list[Any]]) -> None:
        nested = "BEGIN:X-BOX\r\n" * 200_000  # looked through at every line they would take minutes
        assert len(records_of(read(_calendar(self.GOOD) + nested, *AUTUMN))) == 1

    def test_a_file_that_was_cut_gives_what_is_whole(self, read: Callable[..., list[Any]]) -> None:
        whole = _calendar(self.GOOD, _event("UID:cut", "DTSTART:20260911T010000Z", "SUMMARY:断"))
        rows = read(whole[: whole.index("断")], *AUTUMN)
        assert [i.code for i in issues_of(rows)] == ["truncated"]
        assert [r.source_ref for r in records_of(rows)] == ["calendar:event:good"]

    @pytest.mark.parametrize(
        ("raw", "code"),
        [
            (b"\xff\xff\x00\x80 nothing", "not_text"),
            (b"\x00" * 100, "not_text"),
            (b"", "no_calendar"),
            (b"<html>moved</html>", "no_calendar"),
            (_calendar(GOOD).encode("gb18030"), "guessed_encoding"),
        ],
    )
    def test_a_file_that_is_no_calendar_is_one_issue(
        self, read: Callable[..., list[Any]], raw: bytes, code: str
    ) -> None:
        assert [i.code for i in issues_of(read(raw, *AUTUMN))] == [code]

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
    def test_encodings_that_calendars_come_in(self, read: Callable[..., list[Any]], encoding: str) -> None:
        (record,) = records_of(read(_calendar(self.GOOD).encode(encoding), *AUTUMN))
        assert record.text == "好的"

    def test_a_missing_file_is_a_dead_source(self, tmp_path: Path) -> None:
        adapter = CalendarIcsAdapter("calendar", {"u1": [tmp_path / "none.ics"]})
        with pytest.raises(SourceUnavailable, match="missing_file"):
            list(adapter.search(context_of(*AUTUMN, axis="event")))
        assert adapter.probe(RequestLimits()).state == "broken"

    @settings(max_examples=150, deadline=None)
    @given(st.data())
    def test_nothing_in_a_file_raises(self, data: st.DataObject) -> None:
        lines = _calendar(*TestZones.OFFICE, TestZones.MEETING, self.GOOD).split("\r\n")
        for _ in range(data.draw(st.integers(1, 4))):
            place = data.draw(st.integers(0, len(lines) - 1))
            change = data.draw(st.sampled_from(["drop", "cut", "double", "noise"]))
            line = lines[place]
            noise = data.draw(st.text(max_size=20)) if change == "noise" else ""
            lines[place : place + 1] = {
                "drop": [],
                "cut": [line[: len(line) // 2]],
                "double": [line, line],
                "noise": [line + noise],
            }[change]
        calendar = read_calendar("\r\n".join(lines).encode("utf-8", "surrogatepass"), "fuzz.ics", WRITTEN)
        axes: tuple[Axis, Axis] = ("event", "observed")
        for axis in axes:
            rows = list(calendar_records(calendar, "calendar", context_of(*AUTUMN, axis=axis)))
            assert all(issue.locator.startswith("fuzz.ics:") for issue in issues_of(rows))


class TestObservedAxis:
    def test_what_was_entered_inside_the_window(self, tmp_path: Path, search_context: SearchContexts) -> None:
        old = _event("UID:old", "CREATED:20260701T000000Z", "DTSTART:20260910T010000Z")
        new = _event("UID:new", "CREATED:20260902T000000Z", "DTSTART:20261010T010000Z", "RRULE:FREQ=DAILY")
        (tmp_path / "a.ics").write_text(_calendar(old, new), encoding="utf-8")
        adapter = CalendarIcsAdapter("calendar", {"u1": [tmp_path]})
        records: list[EvidenceRecord] = records_of(adapter.search(search_context()))
        assert [r.source_ref for r in records] == ["calendar:event:new/20261010T010000Z"]
