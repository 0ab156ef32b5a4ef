"""MeInput: the whole contract over a real socket, and every way in which a server can fail."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Literal

import pytest

from temporal_recall.adapters.meinput import MeInputAdapter
from temporal_recall.schemas.errors import RecallCancelled, SourceUnavailable
from temporal_recall.schemas.evidence import EvidenceRecord, RequestLimits, SearchContext
from temporal_recall.schemas.feeds import ChangeContext, Checkpoint
from temporal_recall.testing.contexts import issues_of, records_of
from temporal_recall.testing.evidence_server import (
    EvidenceServer,
    ServerLimits,
    Subject,
    evidence_app,
    evidence_item,
)
from temporal_recall.testing.evidence_store import EvidenceStore
from temporal_recall.testing.faults import Fault, FaultSwitch
from temporal_recall.testing.running import running

SearchContexts = Callable[..., SearchContext]
NOW = datetime(2026, 9, 9, 4, 0, tzinfo=UTC)
FORMS = ("json", "ndjson")


class Site:
    """A running server with its switches."""

    def __init__(self, server: EvidenceServer, switch: FaultSwitch, url: str) -> None:
        self.server, self.switch, self.url = server, switch, url
        self.now = NOW
        self.adapters: list[MeInputAdapter] = []

    def adapter(self, form: str = "json", *, token: str = "worker", page_size: int = 2) -> MeInputAdapter:
        made = MeInputAdapter("meinput", self.url, token=token, form=form, page_size=page_size)  # type: ignore[arg-type]
        self.adapters.append(made)
        return made


@pytest.fixture(scope="module")
def running_site() -> Iterator[Site]:
    switch = FaultSwitch()
    tokens = {"worker": Subject(None), "of-u1": Subject("u1")}
    server = EvidenceServer(EvidenceStore(), tokens)
    with running(evidence_app(server, switch)) as url:
        yield Site(server, switch, url)


@pytest.fixture
def site(running_site: Site) -> Iterator[Site]:
    """The running server, with the same ten rows at the start of each test."""
    site = running_site
    site.now, site.server.clock = NOW, lambda: site.now
    site.server.store, site.server.limits = EvidenceStore(), ServerLimits()
    site.server.request_count = site.server.not_modified_count = 0
    site.switch.set(None)
    rows = [evidence_item(f"e{n}", "u1", f"2026-09-0{n}T09:00:00+08:00", f"第{n}天") for n in range(1, 8)]
    site.server.store.put([*rows, evidence_item("x1", "u2", "2026-09-02T09:00:00+08:00", "别人的话")])
    yield site
    site.switch.set(None)
    while site.adapters:
        site.adapters.pop().close()
    site.server.store.close()


def _refs(rows: list[object]) -> list[str]:
    return [record.source_ref for record in records_of(rows)]


@pytest.mark.parametrize("form", FORMS)
class TestSearch:
    def test_pages_are_read_to_the_end_oldest_first(
        self, site: Site, form: str, search_context: SearchContexts
    ) -> None:
        rows = list(site.adapter(form).search(search_context()))
        assert _refs(rows) == [f"meinput:segment:e{n}" for n in range(1, 8)]
        assert site.server.request_count == 4

    def test_window_is_half_open_whatever_its_offset(
        self, site: Site, form: str, search_context: SearchContexts
    ) -> None:
        bounds = [
            ("2026-09-02T09:00:00+08:00", "2026-09-04T09:00:00+08:00"),
            ("2026-09-02T01:00:00+00:00", "2026-09-03T18:00:00-07:00"),
        ]
        for start, end in bounds:
            rows = list(site.adapter(form).search(search_context(start, end)))
            assert _refs(rows) == ["meinput:segment:e2", "meinput:segment:e3"]

    def test_cap_stops_the_paging(self, site: Site, form: str, search_context: SearchContexts) -> None:
        rows = list(site.adapter(form).search(search_context(fetch_cap=3)))
        assert _refs(rows) == ["meinput:segment:e1", "meinput:segment:e2", "meinput:segment:e3"]
        assert site.server.request_count == 2

    def test_deleted_items_are_gone(self, site: Site, form: str, search_context: SearchContexts) -> None:
        site.server.store.delete("u1", "e3", NOW - timedelta(hours=1))
        assert "meinput:segment:e3" not in _refs(list(site.adapter(form).search(search_context())))

    def test_nothing_of_another_user(self, site: Site, form: str, search_context: SearchContexts) -> None:
        assert _refs(list(site.adapter(form).search(search_context(user_id="u2")))) == ["meinput:segment:x1"]
        assert list(site.adapter(form).search(search_context(user_id="nobody"))) == []

    def test_bad_items_are_issues_and_the_rest_is_read(
        self, site: Site, form: str, search_context: SearchContexts
    ) -> None:
        site.server.store.put(
            [
                evidence_item("bad1", "u1", "2026-09-05T10:00:00+08:00", "秘密", revision=0),
                evidence_item("bad2", "u1", "2026-09-05T11:00:00+08:00", "秘密") | {"app": {"name": "x"}},
                evidence_item("bad3", "u1", "2026-09-05T12:00:00+08:00", "秘密") | {"text": None},
            ]
        )
        rows = list(site.adapter(form, page_size=100).search(search_context()))
        assert len(records_of(rows)) == 7
        issues = issues_of(rows)
        assert sorted(i.code for i in issues) == ["invalid_record", "invalid_record", "text_withheld"]
        assert any("revision" in i.detail for i in issues)
        assert "秘密" not in repr(issues)

    def test_unknown_types_and_words_do_not_fail(self, site: Site, form: str, search_context: SearchContexts) -> None:
        site.server.store.put(
            [
                evidence_item("n1", "u1", "2026-09-05T10:00:00+08:00", "新", type="sticker_sent"),
                evidence_item("n2", "u1", "2026-09-05T11:00:00+08:00", "旧", field="hologram", outcome="beamed", new=1),
            ]
        )
        known = {r.source_ref: r for r in records_of(site.adapter(form).search(search_context()))}
        assert "meinput:segment:n1" not in known
        assert (known["meinput:segment:n2"].field_kind, known["meinput:segment:n2"].outcome) == ("unknown", "unknown")

    def test_a_window_too_long_for_the_server_is_asked_for_in_parts(
        self, site: Site, form: str, search_context: SearchContexts
    ) -> None:
        site.server.limits = ServerLimits(max_window_days=2)
        rows = list(site.adapter(form).search(search_context()))
        assert _refs(rows) == [f"meinput:segment:e{n}" for n in range(1, 8)]

    def test_an_expired_cursor_starts_the_read_anew(
        self, site: Site, form: str, search_context: SearchContexts
    ) -> None:
        site.switch.set(Fault.CURSOR_EXPIRED, count=1, skip_count=1)
        assert len(_refs(list(site.adapter(form).search(search_context())))) == 7

    @pytest.mark.parametrize(
        ("fault", "reason"),
        [
            (Fault.HANG, "late"),
            (Fault.TRICKLE, "late"),
            (Fault.FLOOD, "late|body_too_large|line_too_long"),
            (Fault.RATE_LIMITED, "rate_limited"),
            (Fault.UNAVAILABLE, "unavailable"),
            (Fault.GARBAGE, "bad_page|stream_cut"),
            (Fault.RESET, "connection_lost|stream_cut"),
            (Fault.CUT, "connection_lost|bad_page|stream_cut"),
        ],
    )
    def test_a_broken_server_is_one_error_inside_the_deadline(
        self, site: Site, form: str, fault: Fault, reason: str, search_context: SearchContexts
    ) -> None:
        site.switch.set(fault)
        began = time.monotonic()
        with pytest.raises(SourceUnavailable) as caught:
            list(site.adapter(form).search(search_context(seconds=0.5)))
        assert caught.value.reason in reason.split("|")
        assert time.monotonic() - began < 1.4, "three such limits would be 1.5 s"

    def test_what_was_read_before_a_failure_is_given(
        self, site: Site, form: str, search_context: SearchContexts
    ) -> None:
        site.switch.set(Fault.HANG, skip_count=2)
        rows: list[object] = []
        with pytest.raises(SourceUnavailable, match="late"):
            rows.extend(_collecting(site.adapter(form).search(search_context(seconds=0.5)), rows))
        assert _refs(rows) == [f"meinput:segment:e{n}" for n in range(1, 5)]


def _collecting(found: Iterator[object], rows: list[object]) -> list[object]:
    for row in found:
        rows.append(row)
    return []


class TestPages:
    def test_a_retry_after_is_waited_for(self, site: Site, search_context: SearchContexts) -> None:
        site.switch.set(Fault.RATE_LIMITED, count=1)
        assert len(_refs(list(site.adapter().search(search_context(seconds=5))))) == 7

    def test_a_page_that_was_lost_is_asked_for_again(self, site: Site, search_context: SearchContexts) -> None:
        site.switch.set(Fault.RESET, count=1, skip_count=1)
        assert len(_refs(list(site.adapter().search(search_context(seconds=5))))) == 7

    def test_silence_while_capture_is_paused_is_told(self, site: Site, search_context: SearchContexts) -> None:
        before = ("2026-08-01T00:00:00+08:00", "2026-08-02T00:00:00+08:00")
        assert list(site.adapter().search(search_context(*before))) == []
        site.server.limits = ServerLimits(is_paused=True)
        assert [i.code for i in issues_of(site.adapter().search(search_context(*before)))] == ["capture_paused"]
        assert issues_of(site.adapter().search(search_context())) == []

    def test_a_wait_past_the_deadline_is_not_begun(self, site: Site, search_context: SearchContexts) -> None:
        site.switch.set(Fault.RATE_LIMITED)
        site.switch.retry_after_s = 60
        began = time.monotonic()
        with pytest.raises(SourceUnavailable) as caught:
            list(site.adapter().search(search_context(seconds=3)))
        site.switch.retry_after_s = 0
        assert (caught.value.reason, caught.value.retry_after_s) == ("rate_limited", 60)
        assert time.monotonic() - began < 3

    def test_an_unchanged_page_is_not_sent_again(self, site: Site, search_context: SearchContexts) -> None:
        adapter = site.adapter()
        first = list(adapter.search(search_context()))
        assert list(adapter.search(search_context())) == first
        assert site.server.not_modified_count == 4

    def test_an_edit_or_deletion_shows_through_the_page_cache(self, site: Site, search_context: SearchContexts) -> None:
        adapter = site.adapter()
        list(adapter.search(search_context()))
        later = (NOW - timedelta(minutes=1)).isoformat()
        edited = evidence_item("e2", "u1", "2026-09-02T09:00:00+08:00", "改过了", revision=2, updated_at=later)
        site.server.store.put([edited])
        site.server.store.delete("u1", "e4", NOW - timedelta(minutes=1))
        records = {r.source_ref: r for r in records_of(adapter.search(search_context()))}
        assert records["meinput:segment:e2"].text == "改过了"
        assert records["meinput:segment:e2"].observed_time.isoformat() == "2026-09-02T09:00:00+08:00"
        assert "meinput:segment:e4" not in records

    def test_a_failure_keeps_its_code_and_says_whether_to_try_again(
        self, site: Site, search_context: SearchContexts
    ) -> None:
        for token, user_id, code in [("none", "u1", "unauthenticated"), ("of-u1", "u2", "forbidden")]:
            with pytest.raises(SourceUnavailable) as caught:
                list(site.adapter(token=token).search(search_context(user_id=user_id)))
            assert (caught.value.reason, caught.value.is_retryable) == (code, False)
            assert token not in str(caught.value)

    def test_nobody_listening_is_a_failure(self, search_context: SearchContexts) -> None:
        with pytest.raises(SourceUnavailable, match="connect_failed"):
            _read_all("http://127.0.0.1:9", search_context(seconds=2))

    def test_a_server_that_ignores_the_filters_is_checked_again(self, search_context: SearchContexts) -> None:
        careless = [
            evidence_item("ok", "u1", "2026-09-02T09:00:00+08:00", "对"),
            evidence_item("late", "u1", "2026-09-08T00:00:00+08:00", "窗外"),
            evidence_item("other", "u2", "2026-09-02T09:00:00+08:00", "别人"),
            evidence_item("gone", "u1", "2026-09-02T09:00:00+08:00", "", deleted=True),
            evidence_item("ok", "u1", "2026-09-02T09:00:00+08:00", "旧", revision=1),
            evidence_item("ok", "u1", "2026-09-02T09:00:00+08:00", "新", revision=3),
            evidence_item("ok", "u1", "2026-09-02T09:00:00+08:00", "中", revision=2),
            evidence_item("ancient", "u1", "0001-01-01T00:00:00+00:00", "元年"),
        ]
        with running(_fixed_page(careless)) as url:
            rows = _read_all(url, search_context())
        assert [(r.source_ref, r.text, r.revision) for r in records_of(rows)] == [("meinput:segment:ok", "新", 3)]
        assert [i.code for i in issues_of(rows)] == ["foreign_user"]

    def test_a_cursor_that_leads_in_a_circle_ends(self, search_context: SearchContexts) -> None:
        with (
            running(_fixed_page([], has_more=True, next_cursor="again")) as url,
            pytest.raises(SourceUnavailable, match="cursor_loop"),
        ):
            _read_all(url, search_context())


class TestStream:
    def test_a_cut_stream_goes_on_where_it_stopped(self, site: Site, search_context: SearchContexts) -> None:
        for fault in (Fault.CUT, Fault.RESET):
            site.switch.set(fault, count=1)
            site.switch.cut_bytes = 1500
            rows = list(site.adapter("ndjson", page_size=100).search(search_context()))
            assert _refs(rows) == [f"meinput:segment:e{n}" for n in range(1, 8)]
            assert issues_of(rows) == []

    def test_a_line_without_end_is_refused(self, search_context: SearchContexts) -> None:
        with (
            running(_raw_body(b'{"kind":"item","item":"' + b"x" * 3_000_000)) as url,
            pytest.raises(SourceUnavailable, match="line_too_long"),
        ):
            _read_all(url, search_context(), "ndjson")

    def test_an_error_line_is_the_failure_it_names(self, search_context: SearchContexts) -> None:
        with (
            running(_raw_body(b'{"kind":"error","problem":{"code":"timeout","status":503}}\n')) as url,
            pytest.raises(SourceUnavailable, match="timeout"),
        ):
            _read_all(url, search_context(), "ndjson")


class TestRecord:
    @pytest.mark.parametrize(
        ("fields", "zone"),
        [
            ({"time_zone": "Europe/Paris"}, "Europe/Paris"),
            ({"time_zone": "Mars/Olympus"}, "Asia/Shanghai"),
            ({"occurred_at": "2026-09-02T03:00:00-05:00"}, "-05:00"),
            ({"occurred_at": "2026-09-02T03:00:00Z"}, "Asia/Shanghai"),
            ({"occurred_at": "2026-09-02T03:00:00-05:00", "clock": "server"}, "Asia/Shanghai"),
        ],
    )
    def test_zone_is_the_devices_or_else_the_users(
        self, site: Site, fields: dict[str, str], zone: str, search_context: SearchContexts
    ) -> None:
        item = evidence_item("z", "u2", fields.get("occurred_at", "2026-09-02T03:00:00+08:00"), "话")
        site.server.store.put([item | fields])
        records = {r.source_ref: r for r in records_of(site.adapter().search(search_context(user_id="u2")))}
        assert records["meinput:segment:z"].time_zone == zone

    def test_what_the_source_knows_comes_through(self, site: Site, search_context: SearchContexts) -> None:
        item = evidence_item(
            "k",
            "u2",
            "2026-09-02T08:00:00+08:00",
            "不发了",
            outcome="discarded",
            field="search",
            app={"id": "com.wx", "name": "微信"},
            session_id="s9",
            text_truncated=True,
        )
        site.server.store.put([item])
        record = records_of(site.adapter().search(search_context(user_id="u2")))[0]
        assert (record.outcome, record.field_kind, record.app) == ("discarded", "search", "微信")
        assert (record.thread_id, record.is_truncated) == ("s9", True)


class TestChanges:
    def _read(self, adapter: MeInputAdapter, since: str | None) -> tuple[list[EvidenceRecord], str]:
        context = ChangeContext("u1", NOW, "Asia/Shanghai", since, RequestLimits())
        rows = list(adapter.changes(context))
        assert isinstance(rows[-1], Checkpoint)
        return records_of(rows), rows[-1].since

    def test_only_what_changed_comes_again_tombstones_included(self, site: Site) -> None:
        adapter = site.adapter()
        everything, since = self._read(adapter, None)
        assert len(everything) == 7
        assert self._read(adapter, since)[0] == []
        site.server.store.delete("u1", "e5", NOW - timedelta(minutes=2))
        site.server.store.put([evidence_item("e9", "u1", "2026-09-08T09:00:00+08:00", "补传的")])
        changed, newest = self._read(adapter, since)
        assert [(r.source_ref, r.is_deleted) for r in changed] == [
            ("meinput:segment:e5", True),
            ("meinput:segment:e9", False),
        ]
        assert self._read(adapter, newest)[0] == []

    def test_a_deleted_item_leaves_the_page_cache(self, site: Site, search_context: SearchContexts) -> None:
        adapter = site.adapter()
        _, since = self._read(adapter, None)
        list(adapter.search(search_context()))
        site.server.store.delete("u1", "e5", NOW - timedelta(minutes=2))
        self._read(adapter, since)
        cached = [page.body for page in adapter._pages._pages.values()]
        assert cached
        assert not any(b'"e5"' in body for body in cached)

    def test_an_expired_since_says_so(self, site: Site) -> None:
        adapter = site.adapter()
        _, since = self._read(adapter, None)
        site.now = NOW + timedelta(days=60)
        with pytest.raises(SourceUnavailable, match="since_expired"):
            self._read(adapter, since)


class TestState:
    def test_ready_paused_down_broken(self, site: Site) -> None:
        limits = RequestLimits()
        assert site.adapter().probe(limits).state == "ready"
        site.server.limits = replace(site.server.limits, is_paused=True)
        assert site.adapter().probe(limits).state == "paused"
        assert site.adapter(token="none").probe(limits).state == "broken"
        site.switch.set(Fault.UNAVAILABLE)
        assert site.adapter().probe(limits).state == "down"


def test_a_cancelled_search_ends_without_a_request(site: Site, search_context: SearchContexts) -> None:
    context = search_context()
    context.limits.cancel_token.cancel()
    with pytest.raises(RecallCancelled):
        list(site.adapter().search(context))
    assert site.server.request_count == 0


def _read_all(url: str, context: SearchContext, form: Literal["json", "ndjson"] = "json") -> list[object]:
    with closing(MeInputAdapter("meinput", url, token="t", form=form)) as adapter:
        return list(adapter.search(context))


def _fixed_page(items: list[dict[str, object]], **tail: object):  # type: ignore[no-untyped-def]
    import json

    page = {"items": items, "has_more": False, "next_cursor": None, "as_of": "2026-09-09T00:00:00Z", **tail}
    return _raw_body(json.dumps(page).encode())


def _raw_body(body: bytes):  # type: ignore[no-untyped-def]
    async def app(scope, receive, send):  # type: ignore[no-untyped-def]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body})

    return app
