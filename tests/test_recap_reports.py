"""Faults that users of comparable software reported about their days: each kind, with the right value.

One test a kind, named `test_<tag>` after the tag of the report; most are asked with several inputs of the kind.
"""

from __future__ import annotations

import asyncio
import json
from datetime import datetime, timedelta
from pathlib import Path

import httpx
import pytest
from fake_chat_server import DONE, Script, fake_chat_server, frame, streaming
from recap_app import QUERY, WINDOW, events_of, recap_service, served
from recap_days import at, attention_of, away, digest_of, projection_of, rows_of, segment

from temporal_recall.adapters.activity import read_segments
from temporal_recall.adapters.segment_ingest import ingested
from temporal_recall.dataflows.recap.windows import recap_window_of
from temporal_recall.schemas.recap import AttentionLane
from temporal_recall.schemas.recap_settings import PrivacySettings, RedactionRule
from temporal_recall.service.recap.prompts import prompt_of

_REPORTS_FILE = Path(__file__).resolve().parents[2] / "shared" / "cases" / "reports" / "recap.jsonl"
TAGS = [json.loads(line)["tag"] for line in _REPORTS_FILE.read_text().splitlines()] if _REPORTS_FILE.is_file() else []


@pytest.mark.parametrize("tag", TAGS)
def test_every_report_has_its_test(tag: str) -> None:
    assert f"test_{tag.replace('-', '_')}" in globals()


def _minutes(lane: AttentionLane) -> dict[str, float]:
    return {total.label: total.active / timedelta(minutes=1) for total in lane.app_totals}


def _hours_away(lane: AttentionLane) -> float:
    return (lane.away or timedelta(0)) / timedelta(hours=1)


def _generated(folder: Path, *scripts: Script) -> tuple[list[str], str | None]:
    """How one generation after the other ended, and what is cached at last."""
    ends = []
    with (
        fake_chat_server(scripts[0]) as model,
        recap_service(folder, model.base_url) as service,
        served(service) as client,
    ):
        for script in scripts:
            model.script = script
            name, data = events_of(client.post("/api/v1/recaps/daily/generate", params=QUERY))[-1]
            ends.append(data.get("code", name))
        return ends, service.read("ana", WINDOW).narrative


@pytest.mark.parametrize(("hours", "is_kept"), [((9, 18), False), ((9, 10.1), True), ((9, 9.5), True)])
def test_future_afk(hours: tuple[float, float], is_kept: bool) -> None:
    """A record that runs into the future is refused whole, never cut."""
    start, end = (at("0:00") + timedelta(hours=hour) for hour in hours)
    activity = ingested([away(start, end)], at("10:00"))
    assert bool(activity.segments) is is_kept
    assert [issue.code for issue in activity.issues] == ([] if is_kept else ["ends_in_future"])


def test_afk_duplicates(shared: Path) -> None:
    """Away rows inside each other are a union."""
    read = ingested(read_segments(shared / "cases" / "recap" / "aw_afk_cluster_issue626.json", "ana"), at("9:00"))
    lane = attention_of(read.segments, local_date="2021-09-13")
    assert lane.away == timedelta(seconds=250.718)
    assert "away 4m" in digest_of(read.segments, local_date="2021-09-13")


@pytest.mark.parametrize(("start", "is_in"), [("2026-07-14T03:00", False), ("2026-07-14T07:00", True)])
def test_naive_date(start: str, is_in: bool) -> None:
    """A day is one of its zone at both ends."""
    date, clock = start.split("T")
    day = [segment("A", at(clock, date), at(clock, date) + timedelta(hours=1))]
    inputs = {"local_date": "2026-07-14", "time_zone": "America/Los_Angeles"}
    assert projection_of(day, **inputs).is_empty is not is_in


def test_suspend() -> None:
    """Nothing runs through a night of suspend: the app gets none of it, and each day its part of being away."""
    night = [segment("Code", "22:00", "22:30"), away("22:30", "31:30"), segment("Code", "31:30", "32:00")]
    first, second = (attention_of(night, local_date=date) for date in ("2026-07-14", "2026-07-15"))
    assert (_hours_away(first), _hours_away(second)) == (1.5, 7.5)
    assert (_minutes(first), _minutes(second)) == ({"Code": 30}, {"Code": 30})
    assert "- 22:30-24:00 away 1h30m" in digest_of(night)
    assert "- 00:00-07:30 away 7h30m" in digest_of(night, local_date="2026-07-15")


def test_title_optout() -> None:
    """A rule drops titles, and the row keeps its time and its app."""
    order = segment("chrome", "10:00", "10:10", "Order 5531 confirmed - ana@example.org")
    rule = RedactionRule(source="system", field="title", pattern=".*", action="drop")
    digest = digest_of([order], privacy_settings=PrivacySettings(rules=(rule,)))
    assert digest.splitlines()[4:] == ["- 10:00-10:10 chrome 10m", "App totals: chrome 10m"]
    assert order.title is not None


def test_same_name() -> None:
    """Devices are told apart by their id, and their times never meet."""
    day = [
        segment(app, "10:00", "11:00", device_id=device, device_name="unknown")
        for app, device in [("Maps", "P"), ("Kindle", "T")]
    ]
    lanes = [device.attention for device in projection_of(day).devices]
    assert [_minutes(lane) for lane in lanes if lane] == [{"Maps": 60}, {"Kindle": 60}]
    assert "2h00m" not in digest_of(day)


def test_clock_back() -> None:
    """A clock that is set back makes no time: the later start has the overlap."""
    lane = attention_of([segment("A", "10:00", "11:00"), segment("B", "10:10", "10:40")])
    assert _minutes(lane) == {"A": 30, "B": 30}


@pytest.mark.parametrize("app", ["LockApp.exe", "loginwindow", "LogonUI.exe", "swaylock"])
def test_lock_screen(app: str) -> None:
    """A lock screen is nobody being there, not an app."""
    read = ingested([segment(app, "12:00", "18:00", "Lock"), segment("Code", "9:00", "12:00")], at("20:00"))
    lane = attention_of(read.segments)
    assert (_minutes(lane), _hours_away(lane)) == ({"Code": 180}, 6)
    assert app not in digest_of(read.segments)


@pytest.mark.parametrize(("zone", "clock"), [("Asia/Kolkata", "09:03"), ("Asia/Kathmandu", "09:18")])
def test_utc_label(zone: str, clock: str) -> None:
    """Clock times are local, and the heading says where."""
    digest = digest_of([segment("A", "3:33:44", "5:00")], time_zone=zone)
    assert f"- {clock}-" in digest
    assert f"({zone})" in digest.splitlines()[0]
    assert "UTC" not in digest


def test_utc_today() -> None:
    """The local day holds the afternoon that lies beyond the UTC midnight."""
    day = [segment("A", at("16:00", "2026-08-14"), at("23:00", "2026-08-14"))]
    zone = {"time_zone": "America/Los_Angeles"}
    assert _minutes(attention_of(day, local_date="2026-08-14", **zone)) == {"A": 420}
    assert projection_of(day, local_date="2026-08-15", **zone).is_empty


def test_llm_sum() -> None:
    """What a model might add up is added up already, and no total of the day is offered."""
    code = [segment("Code", "9:00", "10:40"), segment("Code", "12:00", "12:50")]
    digest = digest_of([*code, segment("chrome", "11:00", "11:30")])
    assert "App totals: Code 2h30m, chrome 30m" in digest
    assert "3h00m" not in digest
    assert "Never add up durations" in prompt_of("day", "Chinese").text


def test_llm_timestamps(tmp_path: Path) -> None:
    """Times come from the server whatever the model writes."""
    story = streaming(frame("Generated at 2026-07-14T23:59:59-07:00."), DONE)
    with (
        fake_chat_server(story) as model,
        recap_service(tmp_path, model.base_url) as service,
        served(service) as client,
    ):
        recap = events_of(client.post("/api/v1/recaps/daily/generate", params=QUERY))[-1][1]["recap"]
    assert recap["generated_at"] == "2026-07-14T20:00:00Z"
    assert (recap["start"], recap["end_exclusive"]) == ("2026-07-14T00:00:00Z", "2026-07-15T00:00:00Z")
    assert "no date, zone or time stamp" in prompt_of("day", "Chinese").text


@pytest.mark.parametrize("locale", ["de_DE.UTF-8", "ar_EG.UTF-8", "C"])
def test_locale(locale: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine's locale changes no byte."""
    day = [segment("A", "14:05", "15:00")]
    plain = digest_of(day)
    for name in ("LANG", "LC_ALL", "LC_TIME"):
        monkeypatch.setenv(name, locale)
    assert digest_of(day) == plain
    assert "14:05-15:00" in plain


def test_empty_answer(tmp_path: Path) -> None:
    """A stream of reasoning alone is an error with a reason; the earlier diary stays and the next try works."""
    good, thinking = streaming(frame("Morning."), DONE), streaming(frame(reasoning_content="hm"), DONE)
    assert _generated(tmp_path, good, thinking, good) == (["done", "no_content", "done"], "Morning.")


@pytest.mark.parametrize("start_hour", [0, 4])
def test_day_start(start_hour: int) -> None:
    """Whoever is up late may let the day begin at four; then 01:30 belongs to the day before, and is marked."""
    night = [segment("A", "17:30", "18:00")]
    inputs = {"time_zone": "Asia/Shanghai", "day_start_hour": start_hour}
    assert projection_of(night, **inputs).is_empty is (start_hour == 0)
    if start_hour:
        assert rows_of(digest_of(night, **inputs)) == ["- 01:30-02:00 (next day) A 30m"]
    keys = {recap_window_of("2026-07-14", "Asia/Shanghai", day_start_hour=hour).key for hour in (0, 4)}
    assert len(keys) == 2


@pytest.mark.parametrize(
    "titles",
    [("(1) Inbox", "(2) Inbox", "(3) Inbox"), ("Inbox (1)", "Inbox", "Inbox (12)"), ("● Inbox", "Inbox", "• Inbox")],
)
def test_title_noise(titles: tuple[str, ...]) -> None:
    """Counters of unread things do not split a page."""
    day = [segment("chrome", f"9:{5 * n}", f"9:{5 * n + 5}", title) for n, title in enumerate(titles)]
    assert "\n    Inbox 15m\n" in digest_of(day)


def test_plugin_collision() -> None:
    """A plugin's lane is one of its device."""
    day = [segment(None, "9:00", "9:30", source="tmux", identity_key="/src", device_id=d) for d in ("D1", "D2")]
    devices = projection_of(day).devices
    assert [(device.device_id, [lane.source for lane in device.details]) for device in devices] == [
        ("D1", ["tmux"]),
        ("D2", ["tmux"]),
    ]


def test_over_wall_clock() -> None:
    """An hour has sixty minutes."""
    lane = attention_of([away("10:15", "10:45"), segment("Code", "10:00", "11:00")])
    assert (_minutes(lane), _hours_away(lane)) == ({"Code": 30}, 0.5)


@pytest.mark.parametrize("piece_s", [30, 60, 90])
def test_half_time(piece_s: int) -> None:
    """Pieces back to back are one row with all their time."""
    starts = range(0, 6000, piece_s)
    day = [segment("Code", _after(start), _after(min(start + piece_s, 6000))) for start in starts]
    assert rows_of(digest_of(day)) == ["- 09:00-10:40 Code 1h40m"]


def _after(seconds: int) -> datetime:
    return at("9:00") + timedelta(seconds=seconds)


@pytest.mark.parametrize(("idle_timeout_s", "away_from"), [(180, "10:00"), (0, "10:03")])
def test_afk_late_start(tmp_path: Path, idle_timeout_s: float, away_from: str) -> None:
    """Away begins when the last input was, where the timeout is known; as it was recorded otherwise."""
    buckets = [
        _bucket("currentwindow", "10:00:00", 210, {"app": "Code", "title": "x"}),
        _bucket("afkstatus", "10:03:00", 210, {"status": "afk"}),
    ]
    path = tmp_path / "export.json"
    path.write_text(json.dumps({"buckets": buckets}))
    read = ingested(read_segments(path, "ana", afk_idle_timeout_s=idle_timeout_s), at("20:00"))
    (block, *_) = [block for block in attention_of(read.segments).blocks if block.is_away]
    assert f"{block.start:%H:%M}" == away_from


def _bucket(type_: str, clock: str, duration: float, data: dict[str, str]) -> dict[str, object]:
    event = {"timestamp": f"2026-07-14T{clock}Z", "duration": duration, "data": data}
    return {"id": type_, "type": type_, "hostname": "pc", "client": "c", "events": [event]}


@pytest.mark.parametrize("keep_alive", [b": OPENROUTER PROCESSING\n\n", b"data: : keepalive\n\n", b":\n", b"data:\n\n"])
def test_sse_comment(tmp_path: Path, keep_alive: bytes) -> None:
    """Keep-alives in any dress are no text and no error."""
    story = streaming(keep_alive, frame("Morning."), keep_alive, DONE)
    assert _generated(tmp_path, story) == (["done"], "Morning.")


def test_finish_empty(tmp_path: Path) -> None:
    """An empty finish reason ends nothing."""
    cut = streaming(frame("Morning.", finish=""))
    whole = streaming(frame("Morning.", finish=""), DONE)
    assert _generated(tmp_path, cut, whole) == (["incomplete", "done"], "Morning.")


def test_length(tmp_path: Path) -> None:
    """A text cut at a limit is no diary, also when its last piece comes with the reason."""
    assert _generated(tmp_path, streaming(frame("Morning.", finish="length"), DONE)) == (["truncated"], None)


def test_lock_leak(tmp_path: Path) -> None:
    """An answer whose body never starts keeps no lock."""

    async def begin_and_never_read() -> None:
        with recap_service(tmp_path, "http://127.0.0.1:9/v1") as service:
            for _ in range(3):
                run = service.start("ana", WINDOW)
                run.abandon()
                await asyncio.wait([run._task])

    asyncio.run(begin_and_never_read())


@pytest.mark.parametrize(
    ("change", "code"),
    [({"time_zone": "Mars/Base"}, "unknown_time_zone"), ({"local_date": "2026-02-30"}, "invalid_local_date")],
)
def test_status_before_stream(tmp_path: Path, change: dict[str, str], code: str) -> None:
    """What is wrong with a request is said by its status, before any stream."""
    with recap_service(tmp_path, "http://127.0.0.1:9/v1") as service, served(service) as client:
        response: httpx.Response = client.post("/api/v1/recaps/daily/generate", params={**QUERY, **change})
    assert (response.status_code, response.json()["code"]) == (422, code)
