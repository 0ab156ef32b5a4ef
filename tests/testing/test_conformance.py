"""The conformance kit itself: it passes a good adapter, and fails a bad one in the right place."""

from __future__ import annotations

import inspect
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import EvidenceRecord, RecordIssue, SearchContext, SourceCapabilities
from temporal_recall.testing import conformance
from temporal_recall.testing.conformance import AdapterConformance, ChangeFeedConformance, Seeded

MOMENTS = [datetime(2026, 9, day, 8, tzinfo=UTC) for day in range(1, 7)]


def _record(user_id: str, number: int, **more: Any) -> EvidenceRecord:
    fields = {
        "source": "good",
        "source_ref": f"good:note:{user_id}-{number}",
        "user_id": user_id,
        "observed_time": MOMENTS[number],
        "time_zone": "Asia/Shanghai",
        "text": f"第{number}条，{user_id}的话",
    }
    return EvidenceRecord(**{**fields, **more})


class GoodAdapter:
    """An adapter as it should be, from which each bad one departs in one place."""

    source = "good"

    def capabilities(self) -> SourceCapabilities:
        return SourceCapabilities()

    def stored(self, ctx: SearchContext) -> list[EvidenceRecord]:
        return [_record(user, n) for user in ("u1", "u2") for n in range(6) if user == ctx.user_id]

    def inside(self, record: EvidenceRecord, ctx: SearchContext) -> bool:
        return ctx.window.start <= record.observed_time < ctx.window.end

    def issues(self, ctx: SearchContext) -> Iterator[RecordIssue]:
        if ctx.user_id == "u1":
            yield RecordIssue(source=self.source, code="invalid_record", locator="row 7")

    def check(self, ctx: SearchContext) -> None:
        ctx.limits.cancel_token.raise_if_cancelled()
        if ctx.limits.remaining_s() == 0:
            raise SourceUnavailable(self.source, "late")

    def search(self, ctx: SearchContext) -> Iterator[Any]:
        self.check(ctx)
        records = [r for r in self.stored(ctx) if self.inside(r, ctx)][: ctx.fetch_cap]
        for record in records:
            self.check(ctx)
            yield record
        self.check(ctx)
        yield from self.issues(ctx)

    def close(self) -> None:
        pass


class DeadAdapter(GoodAdapter):
    def check(self, ctx: SearchContext) -> None:
        raise SourceUnavailable(self.source, "connect_failed")


def _seeded(adapter: Any, dead: Any = None) -> Seeded:
    return Seeded(adapter, MOMENTS, MOMENTS, bad_row_count=1, secrets=("口令是",), dead=dead or DeadAdapter())


class TestGoodAdapter(AdapterConformance):
    @pytest.fixture
    def seeded(self) -> Seeded:
        return _seeded(GoodAdapter())


def _failures(seeded: Seeded) -> set[str]:
    """The names of the kit's tests that fail."""
    kit, failed = AdapterConformance(), set()
    for name, test in inspect.getmembers(kit, inspect.ismethod):
        if name.startswith("test_"):
            try:
                test(seeded)
            except Exception:  # noqa: BLE001 - whatever a test raises, it failed
                failed.add(name.removeprefix("test_"))
    return failed


class WrongName(GoodAdapter):
    source = "Bad Name"


class ChangingCapabilities(GoodAdapter):
    def capabilities(self) -> SourceCapabilities:
        self.is_odd = not getattr(self, "is_odd", False)
        return SourceCapabilities(has_changes=self.is_odd)


class GivesAList(GoodAdapter):
    def search(self, ctx: SearchContext) -> Any:
        return list(super().search(ctx))


class GivesNone(GoodAdapter):
    def search(self, ctx: SearchContext) -> Iterator[Any]:
        yield from super().search(ctx)
        yield None


class ClosedWindow(GoodAdapter):
    def inside(self, record: EvidenceRecord, ctx: SearchContext) -> bool:
        return ctx.window.start <= record.observed_time <= ctx.window.end


class WallClockWindow(GoodAdapter):
    def inside(self, record: EvidenceRecord, ctx: SearchContext) -> bool:
        start, end = (bound.replace(tzinfo=UTC) for bound in (ctx.window.start, ctx.window.end))
        return start <= record.observed_time < end


class NewestFirst(GoodAdapter):
    def stored(self, ctx: SearchContext) -> list[EvidenceRecord]:
        return super().stored(ctx)[::-1]


class SharedRefs(GoodAdapter):
    def stored(self, ctx: SearchContext) -> list[EvidenceRecord]:
        return [r.model_copy(update={"source_ref": "good:note:same"}) for r in super().stored(ctx)]


class NumberedRefs(GoodAdapter):
    """Refs that count what was found, not what is there."""

    def search(self, ctx: SearchContext) -> Iterator[Any]:
        for number, row in enumerate(super().search(ctx)):
            ref = {"source_ref": f"good:note:{number}"}
            yield row.model_copy(update=ref) if isinstance(row, EvidenceRecord) else row


class BareRefs(GoodAdapter):
    def stored(self, ctx: SearchContext) -> list[EvidenceRecord]:
        return [r.model_copy(update={"source_ref": r.source_ref.rpartition(":")[2]}) for r in super().stored(ctx)]


class NoUserFilter(GoodAdapter):
    def stored(self, ctx: SearchContext) -> list[EvidenceRecord]:
        return [_record("u1", n) for n in range(6)]


class DropsBadRows(GoodAdapter):
    def issues(self, ctx: SearchContext) -> Iterator[RecordIssue]:
        return iter(())


class RaisesOnBadRows(GoodAdapter):
    def issues(self, ctx: SearchContext) -> Iterator[RecordIssue]:
        if ctx.user_id == "u1":
            raise ValueError("row 7 is bad")
        return iter(())


class TellsSecrets(GoodAdapter):
    def issues(self, ctx: SearchContext) -> Iterator[RecordIssue]:
        for issue in super().issues(ctx):
            yield issue.model_copy(update={"detail": "口令是 1234 cannot be parsed"})


class IgnoresCap(GoodAdapter):
    def search(self, ctx: SearchContext) -> Iterator[Any]:
        yield from (r for r in self.stored(ctx) if self.inside(r, ctx) and not self.check(ctx))
        yield from self.issues(ctx)


class IgnoresCancel(GoodAdapter):
    def check(self, ctx: SearchContext) -> None:
        if ctx.limits.remaining_s() == 0:
            raise SourceUnavailable(self.source, "late")


class SlowPastDeadline(GoodAdapter):
    def search(self, ctx: SearchContext) -> Iterator[Any]:
        if ctx.limits.remaining_s() == 0:
            ctx.limits.cancel_token.wait(0.4)
        yield from super().search(ctx)


class UsesNetwork(GoodAdapter):
    def search(self, ctx: SearchContext) -> Iterator[Any]:
        with socket.socket() as probe:
            probe.settimeout(0.1)
            with suppress(OSError):
                probe.connect(("127.0.0.1", 9))
        yield from super().search(ctx)


class OwnClock(GoodAdapter):
    def stored(self, ctx: SearchContext) -> list[EvidenceRecord]:
        recent = ctx.now - timedelta(days=3650)
        return [r for r in super().stored(ctx) if r.observed_time >= recent]


class NarrowsByKeyword(GoodAdapter):
    def inside(self, record: EvidenceRecord, ctx: SearchContext) -> bool:
        words = ctx.retrieval.expanded_queries
        return super().inside(record, ctx) and (not words or any(word in record.text for word in words))


class BoundToItsThread(GoodAdapter):
    """Cannot be used from any thread but the one that made it, like a plain SQLite connection."""

    def __init__(self) -> None:
        self.thread = threading.get_ident()

    def check(self, ctx: SearchContext) -> None:
        if threading.get_ident() != self.thread:
            raise RuntimeError("made in another thread")
        super().check(ctx)


class ForeignSource(GoodAdapter):
    def stored(self, ctx: SearchContext) -> list[EvidenceRecord]:
        return [r.model_copy(update={"source": "other"}) for r in super().stored(ctx)]


class DeadButSilent(GoodAdapter):
    """A dead source that answers with nothing."""

    def search(self, ctx: SearchContext) -> Iterator[Any]:
        return iter(())


class ClosesOnce(GoodAdapter):
    def close(self) -> None:
        assert not getattr(self, "is_closed", False)
        self.is_closed = True


@pytest.mark.parametrize(
    ("bad", "places"),
    [
        (WrongName, {"names_its_source", "refs_say_source_and_kind", "records_keep_their_bounds"}),
        (ChangingCapabilities, {"capabilities_are_pure"}),
        (GivesAList, {"search_is_an_iterator", "a_reader_may_stop_early", "a_request_withdrawn_under_way_ends"}),
        (GivesNone, {"every_row_is_a_record_or_an_issue"}),
        (ClosedWindow, {"window_is_half_open"}),
        (WallClockWindow, {"the_offset_of_the_window_does_not_matter"}),
        (
            NewestFirst,
            {"oldest_first", "gives_everything_inside_the_window", "window_is_half_open", "no_more_than_the_cap"},
        ),
        (SharedRefs, {"refs_are_unique", "a_narrow_window_gives_the_same_records"}),
        (NumberedRefs, {"a_narrow_window_gives_the_same_records"}),
        (BareRefs, {"refs_say_source_and_kind"}),
        (NoUserFilter, {"nothing_of_another_user", "an_unknown_user_has_nothing"}),
        (DropsBadRows, {"bad_rows_are_issues"}),
        (TellsSecrets, {"issues_hold_no_user_text"}),
        (IgnoresCap, {"no_more_than_the_cap"}),
        (IgnoresCancel, {"a_withdrawn_request_ends", "a_request_withdrawn_under_way_ends"}),
        (SlowPastDeadline, {"a_past_deadline_ends_quickly"}),
        (UsesNetwork, {"network_only_where_declared"}),
        (OwnClock, {"the_clock_is_the_contexts"}),
        (NarrowsByKeyword, {"keywords_never_narrow"}),
        (BoundToItsThread, {"eight_at_once_agree"}),
        (ForeignSource, {"records_keep_their_bounds"}),
        (ClosesOnce, {"may_be_closed_twice"}),
    ],
)
def test_a_bad_adapter_fails_in_the_right_places(
    bad: Callable[[], Any], places: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conformance, "PROMPT_S", 0.3)
    assert _failures(_seeded(bad())) == places


def test_an_adapter_that_raises_on_a_bad_row_fails_nearly_everything() -> None:
    assert {"bad_rows_are_issues", "gives_everything_inside_the_window"} <= _failures(_seeded(RaisesOnBadRows()))


def test_a_dead_source_that_keeps_silent_fails() -> None:
    assert _failures(_seeded(GoodAdapter(), dead=DeadButSilent())) == {"a_dead_source_is_one_error"}


def test_a_promise_of_changes_must_be_kept() -> None:
    class Promises(GoodAdapter):
        def capabilities(self) -> SourceCapabilities:
            return SourceCapabilities(has_changes=True)

    with pytest.raises(AssertionError):
        ChangeFeedConformance().test_changes_are_declared(_seeded(Promises()))
