"""The conformance kit: what every source adapter must do, as pytest classes that a third party subclasses.

    class TestMyAdapter(AdapterConformance):
        @pytest.fixture
        def seeded(self):
            adapter = MyAdapter(...)          # filled with some records of two users
            yield Seeded(adapter, moments=[...], other_moments=[...])
            adapter.close()

Every test has the name of what it demands, and fails with a sentence that says what the adapter did instead.
"""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any
from unittest.mock import patch

from temporal_recall.schemas.errors import RecallCancelled, SourceUnavailable
from temporal_recall.schemas.evidence import (
    SOURCE_NAME,
    Axis,
    CancelToken,
    EvidenceRecord,
    RecordIssue,
    RequestLimits,
    SearchContext,
    SearchWindow,
    SourceAdapter,
)
from temporal_recall.schemas.feeds import ChangeContext, ChangeFeed, Checkpoint
from temporal_recall.schemas.plan import Retrieval
from temporal_recall.schemas.time import zone_of

PROMPT_S = 1.0
"""How long an adapter may take to notice that nobody waits any more."""
_NOWS = (datetime(2001, 1, 1, tzinfo=UTC), datetime(2051, 1, 1, tzinfo=UTC))
_STRANGERS = ("nobody", "", "*", "%", "' OR '1'='1", "../../etc", "\u200b", "x" * 128)


@dataclass(frozen=True)
class Seeded:
    """An adapter over a source with known records.

    Args:
        adapter: ready to be searched.
        moments: when the user's records lie on `axis`, ascending, at least four, no two at once, each a day from the
            next or more; events among them are shorter than that.
        other_moments: the same of the other user, at least one of them between the first and last of `moments`, and in
            other words.
        bad_row_count: how many rows of the user between the first and last moment cannot be used.
        secrets: words of the bad rows, which must not come out.
        dead: an adapter of the same kind over a source that is down, if there is such a thing.
    """

    adapter: SourceAdapter
    moments: Sequence[datetime]
    other_moments: Sequence[datetime]
    user_id: str = "u1"
    other_user_id: str = "u2"
    axis: Axis = "observed"
    time_zone: str = "Asia/Shanghai"
    bad_row_count: int = 0
    secrets: tuple[str, ...] = ()
    dead: SourceAdapter | None = None

    @property
    def span(self) -> tuple[datetime, datetime]:
        """A window around everything."""
        everything = [*self.moments, *self.other_moments]
        return min(everything) - timedelta(days=1), max(everything) + timedelta(days=1)

    def context(
        self,
        start: datetime | None = None,
        end: datetime | None = None,
        *,
        user_id: str | None = None,
        now: datetime | None = None,
        fetch_cap: int = 1000,
        keywords: tuple[str, ...] = (),
        limits: RequestLimits | None = None,
    ) -> SearchContext:
        """A search of everything, save for what is said."""
        whole = self.span
        return SearchContext(
            user_id=self.user_id if user_id is None else user_id,
            now=now or whole[1],
            time_zone=self.time_zone,
            window=SearchWindow(self.axis, start or whole[0], end or whole[1]),
            mode="AMBIGUOUS",
            retrieval=Retrieval(source=self.adapter.source, expanded_queries=keywords),
            fetch_cap=fetch_cap,
            limits=limits or RequestLimits(None, CancelToken()),
        )

    def records(self, context: SearchContext | None = None) -> list[EvidenceRecord]:
        """The records of one search."""
        return [row for row in self.rows(context) if isinstance(row, EvidenceRecord)]

    def rows(self, context: SearchContext | None = None) -> list[EvidenceRecord | RecordIssue]:
        """Everything that one search gives."""
        return list(self.adapter.search(context or self.context()))


class AdapterConformance:
    """What DESIGN and the adapter contract demand of `search`. A subclass brings the fixture `seeded`."""

    def test_names_its_source(self, seeded: Seeded) -> None:
        assert re.fullmatch(SOURCE_NAME, seeded.adapter.source), f"{seeded.adapter.source!r} is no source's name"
        assert isinstance(seeded.adapter, SourceAdapter), "the adapter lacks a method of SourceAdapter"

    def test_capabilities_are_pure(self, seeded: Seeded) -> None:
        first, second = seeded.adapter.capabilities(), seeded.adapter.capabilities()
        assert first == second, "capabilities() changes from call to call"
        assert seeded.axis in first.axes, f"capabilities() do not name the axis {seeded.axis}"

    def test_search_is_an_iterator(self, seeded: Seeded) -> None:
        found = seeded.adapter.search(seeded.context())
        assert iter(found) is found, "search() gives no iterator"

    def test_every_row_is_a_record_or_an_issue(self, seeded: Seeded) -> None:
        strange = [type(row).__name__ for row in seeded.rows() if not isinstance(row, EvidenceRecord | RecordIssue)]
        assert strange == [], f"search() gives {strange}"

    def test_gives_everything_inside_the_window(self, seeded: Seeded) -> None:
        given = [_moment(record, seeded) for record in seeded.records()]
        assert given == list(seeded.moments), f"the records lie at {given}"

    def test_window_is_half_open(self, seeded: Seeded) -> None:
        first, end = seeded.moments[1], seeded.moments[3]
        given = [_moment(r, seeded) for r in seeded.records(seeded.context(first, end))]
        assert given == list(seeded.moments[1:3]), "the start belongs to a window, the end does not"

    def test_an_empty_window_is_empty(self, seeded: Seeded) -> None:
        after = seeded.span[1] + timedelta(days=400)
        assert seeded.records(seeded.context(after, after + timedelta(days=1))) == [], "records where there are none"

    def test_the_offset_of_the_window_does_not_matter(self, seeded: Seeded) -> None:
        bounds = seeded.moments[1], seeded.moments[3]
        zones = (UTC, timezone(timedelta(hours=8)), timezone(timedelta(hours=-7)), zone_of("America/New_York"))
        answers = [_refs(seeded.records(seeded.context(*(b.astimezone(zone) for b in bounds)))) for zone in zones]
        assert all(answer == answers[0] for answer in answers), "the same instants in another zone give another answer"

    def test_oldest_first(self, seeded: Seeded) -> None:
        given = [_moment(record, seeded) for record in seeded.records()]
        assert given == sorted(given), "records are not in the order of their axis"

    def test_times_have_zones(self, seeded: Seeded) -> None:
        for record in seeded.records():
            assert record.observed_time.utcoffset() is not None, "observed_time is naive"
            zone_of(record.time_zone)

    def test_refs_are_unique(self, seeded: Seeded) -> None:
        refs = _refs(seeded.records())
        assert len(refs) == len(set(refs)), "two records share a source_ref"

    def test_refs_say_source_and_kind(self, seeded: Seeded) -> None:
        for ref in _refs(seeded.records()):
            parts = ref.split(":", 2)
            assert len(parts) == 3, f"{ref!r} is not <source>:<kind>:<id>"
            assert parts[0] == seeded.adapter.source, f"{ref!r} does not begin with the source's name"
            assert all(parts), f"{ref!r} has an empty part"

    def test_a_second_read_is_the_same(self, seeded: Seeded) -> None:
        assert seeded.rows() == seeded.rows(), "two reads of the same window differ"

    def test_a_narrow_window_gives_the_same_records(self, seeded: Seeded) -> None:
        wide = {record.source_ref: record for record in seeded.records()}
        for record in seeded.records(seeded.context(seeded.moments[1], seeded.moments[3])):
            assert wide.get(record.source_ref) == record, "a record changes with the window it is read in"

    def test_nothing_of_another_user(self, seeded: Seeded) -> None:
        for user_id in (seeded.user_id, seeded.other_user_id):
            records = seeded.records(seeded.context(user_id=user_id))
            assert {r.user_id for r in records} == {user_id}, "records of another user, or none of this one"
        own, theirs = (
            {r.text for r in seeded.records(seeded.context(user_id=u))} for u in (seeded.user_id, seeded.other_user_id)
        )
        assert not own & theirs, "two users see the same words"

    def test_an_unknown_user_has_nothing(self, seeded: Seeded) -> None:
        for user_id in _STRANGERS:
            assert seeded.records(seeded.context(user_id=user_id)) == [], "an unknown user sees records"

    def test_bad_rows_are_issues(self, seeded: Seeded) -> None:
        issues = [row for row in seeded.rows() if isinstance(row, RecordIssue)]
        assert len(issues) == seeded.bad_row_count, f"{len(issues)} issues for {seeded.bad_row_count} bad rows"
        assert all(issue.locator for issue in issues), "an issue does not say where"
        assert {issue.source for issue in issues} <= {seeded.adapter.source}, "an issue names another source"

    def test_issues_hold_no_user_text(self, seeded: Seeded) -> None:
        issues = repr([row for row in seeded.rows() if isinstance(row, RecordIssue)])
        words = [*seeded.secrets, *(r.text for r in seeded.records() if len(r.text) > 3)]
        assert not [word for word in words if word in issues], "an issue tells what the user wrote"

    def test_no_more_than_the_cap(self, seeded: Seeded) -> None:
        given = [_moment(r, seeded) for r in seeded.records(seeded.context(fetch_cap=2))]
        assert given == list(seeded.moments[:2]), f"a cap of 2 gives the records at {given}"

    def test_a_reader_may_stop_early(self, seeded: Seeded) -> None:
        found = seeded.adapter.search(seeded.context())
        next(found)
        getattr(found, "close", lambda: None)()
        assert len(seeded.records()) == len(seeded.moments), "after a read that was left, the next is not whole"

    def test_a_withdrawn_request_ends(self, seeded: Seeded) -> None:
        context = seeded.context()
        context.limits.cancel_token.cancel()
        with _prompt("a withdrawn request"), suppress(RecallCancelled):
            assert list(seeded.adapter.search(context)) == [], "records for a request that was withdrawn"

    def test_a_request_withdrawn_under_way_ends(self, seeded: Seeded) -> None:
        context = seeded.context()
        found = seeded.adapter.search(context)
        next(found)
        context.limits.cancel_token.cancel()
        rest: list[object] = []
        with _prompt("a request withdrawn under way"), suppress(RecallCancelled):
            rest.extend(found)
        assert rest == [], "records after the request was withdrawn"

    def test_a_past_deadline_ends_quickly(self, seeded: Seeded) -> None:
        context = seeded.context(limits=RequestLimits(time.monotonic() - 1, CancelToken()))
        with _prompt("a deadline in the past"), suppress(SourceUnavailable):
            list(seeded.adapter.search(context))

    def test_eight_at_once_agree(self, seeded: Seeded) -> None:
        users = [seeded.user_id, seeded.other_user_id] * 4
        alone = {user: _refs(seeded.records(seeded.context(user_id=user))) for user in set(users)}
        with ThreadPoolExecutor(8) as pool:
            together = list(pool.map(lambda user: _refs(seeded.records(seeded.context(user_id=user))), users))
        assert together == [alone[user] for user in users], "threads that search at once get other answers"

    def test_network_only_where_declared(self, seeded: Seeded) -> None:
        if seeded.adapter.capabilities().uses_network:
            return
        with patch.object(socket.socket, "connect", side_effect=AssertionError("the network is used, not declared")):
            seeded.rows()

    def test_the_clock_is_the_contexts(self, seeded: Seeded) -> None:
        answers = [seeded.rows(seeded.context(now=now)) for now in _NOWS]
        assert answers[0] == answers[1], "the answer to a fixed window changes with now"

    def test_keywords_never_narrow(self, seeded: Seeded) -> None:
        asked = _refs(seeded.records(seeded.context(keywords=("qzxv", "没有这个词"))))
        assert asked == _refs(seeded.records()), "keywords change what is found"

    def test_records_keep_their_bounds(self, seeded: Seeded) -> None:
        for record in seeded.records():
            assert record.source == seeded.adapter.source, "a record names another source"
            if record.event and record.event.end is not None:
                start, end = (_as_instant(b, record.time_zone) for b in (record.event.start, record.event.end))
                assert start < end, "an event ends before it begins"

    def test_the_input_is_left_alone(self, seeded: Seeded) -> None:
        context = seeded.context()
        before = (context.window, context.retrieval.model_dump(), context.fetch_cap)
        list(seeded.adapter.search(context))
        assert before == (context.window, context.retrieval.model_dump(), context.fetch_cap), "the context was changed"

    def test_a_dead_source_is_one_error(self, seeded: Seeded) -> None:
        if seeded.dead is None:
            return
        error = _unavailable(seeded.dead, seeded.context())
        assert error is not None, "a source that is down answers"
        assert error.source == seeded.dead.source, "the error names another source"
        assert re.fullmatch(r"[a-z][a-z0-9_]*", error.reason), f"{error.reason!r} is no machine word"

    def test_may_be_closed_twice(self, seeded: Seeded) -> None:
        seeded.adapter.close()
        seeded.adapter.close()


class ChangeFeedConformance:
    """What a source with a feed of changes must do besides. A subclass brings the fixture `seeded`."""

    def _changes(self, seeded: Seeded, since: str | None) -> list[Any]:
        assert isinstance(seeded.adapter, ChangeFeed), "capabilities() promise changes, but there is no changes()"
        context = ChangeContext(seeded.user_id, seeded.span[1], seeded.time_zone, since, RequestLimits())
        return list(seeded.adapter.changes(context))

    def test_changes_are_declared(self, seeded: Seeded) -> None:
        assert seeded.adapter.capabilities().has_changes == isinstance(seeded.adapter, ChangeFeed)

    def test_the_first_read_gives_everything(self, seeded: Seeded) -> None:
        rows = self._changes(seeded, None)
        standing = {r.source_ref for r in rows if isinstance(r, EvidenceRecord) and not r.is_deleted}
        assert set(_refs(seeded.records())) <= standing, "the first read of changes leaves records out"

    def test_it_ends_with_a_checkpoint(self, seeded: Seeded) -> None:
        rows = self._changes(seeded, None)
        assert [isinstance(row, Checkpoint) for row in rows[-1:]] == [True], "changes do not end with a checkpoint"
        assert not any(isinstance(row, Checkpoint) for row in rows[:-1]), "a checkpoint stands among the changes"

    def test_nothing_changed_is_nothing(self, seeded: Seeded) -> None:
        since = self._changes(seeded, None)[-1].since
        again = [row for row in self._changes(seeded, since) if isinstance(row, EvidenceRecord)]
        assert again == [], "records that did not change come again"


def _unavailable(adapter: SourceAdapter, context: SearchContext) -> SourceUnavailable | None:
    try:
        list(adapter.search(context))
    except SourceUnavailable as error:
        return error
    return None


def _refs(records: list[EvidenceRecord]) -> list[str]:
    return [record.source_ref for record in records]


def _moment(record: EvidenceRecord, seeded: Seeded) -> datetime:
    if seeded.axis == "observed":
        return record.observed_time
    assert record.event is not None, "a record without an event was found by its event's time"
    return _as_instant(record.event.start, record.time_zone)


def _as_instant(bound: datetime | date, zone_name: str) -> datetime:
    instant = bound if isinstance(bound, datetime) else datetime(bound.year, bound.month, bound.day)  # noqa: DTZ001
    return instant if instant.tzinfo else instant.replace(tzinfo=zone_of(zone_name))


@contextmanager
def _prompt(what: str) -> Iterator[None]:
    began = time.monotonic()
    yield
    took = time.monotonic() - began
    assert took < PROMPT_S, f"{what} ended after {took:.1f} s only"
