"""Who answers: the service over a records file, over a configured deployment, or over the demo persona."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from temporal_recall.service.cli.console import notes
from temporal_recall.service.cli.errors import report
from temporal_recall.service.cli.options import instant

if TYPE_CHECKING:
    from temporal_recall.schemas.bundle import RecallBundle
    from temporal_recall.schemas.plan import ContextPlan
    from temporal_recall.service.facade import RecallService


RulesBySlot = Mapping[str, Sequence[str]]
"""Names of the rules that fired, by slot of the plan."""


@dataclass(frozen=True, slots=True)
class Deployment:
    """A service and whose records it is asked for.

    `time_zone` is the zone that the caller named, None where that of the service or the offset of `now` counts; `now`
    is the demo's own instant, None for real records.
    """

    service: RecallService
    user_id: str
    time_zone: str | None = None
    now: datetime | None = None

    @property
    def main_score(self) -> float:
        """From which score on an item belongs to the main answer."""
        return self.service.config.weights.main_threshold

    @property
    def zone_name(self) -> str:
        """The zone in which times without an offset are read, and lists are shown."""
        return self.time_zone or self.service.config.time_zone

    def instant(self, text: str | None, time_zone: str | None = None) -> datetime:
        """The instant of a question; without an offset it is read in its zone.

        Raises:
            InvalidRequest: `text` is no date and time.
        """
        return self.now if text is None and self.now else instant(text, time_zone or self.zone_name)

    def recall(
        self,
        question: str,
        now: str | None,
        *,
        time_zone: str | None = None,
        limit: int = 50,
        explain: bool = False,
    ) -> RecallBundle:
        """The answer to a question that was asked at `now`, in a zone of its own where one is given."""
        when = self._when(now, time_zone)
        return self.service.recall(question, user_id=self.user_id, **when, limit=limit, explain=explain)

    def plan(self, question: str, now: str | None, *, time_zone: str | None = None) -> ContextPlan:
        """The Context Plan of a question that was asked at `now`, in a zone of its own where one is given."""
        return self.service.plan(question, **self._when(now, time_zone))

    def plan_trace(self, question: str, now: str | None) -> RulesBySlot:
        """The rules that make the plan of a question that was asked at `now`."""
        return self.service.plan_trace(question, **self._when(now))

    def _when(self, now: str | None, time_zone: str | None = None) -> dict[str, Any]:
        return {"now": self.instant(now, time_zone), "time_zone": time_zone or self.time_zone}


@contextmanager
def deployment(
    records: Path | None, config: Path | None, user_id: str | None, time_zone: str | None
) -> Iterator[Deployment]:
    """The deployment that answers; it is closed at the end.

    Lines of a records file that cannot be used are reported on stderr, and the rest is used.

    Raises:
        InvalidRequest: the file cannot be read or used.
    """
    from temporal_recall.service.facade import LOCAL_USER, RecallService

    if records is not None and config is not None:
        raise typer.BadParameter("give either --records or --config")
    user_id = user_id or LOCAL_USER
    if config is not None:
        service = RecallService.from_config(config)
    elif records is not None:
        service = _recorded(records, user_id)
    else:
        notes().print("[dim]The demo persona answers; --records or --config name other sources.[/]")
        with demo_deployment(time_zone) as demo:
            yield demo
        return
    with service:
        yield Deployment(service, user_id, time_zone)


@contextmanager
def planner(config: Path | None, time_zone: str | None) -> Iterator[Deployment]:
    """A deployment that only plans: the configured one, or one with the four sources of the specification.

    Raises:
        InvalidRequest: the configuration cannot be read or used.
    """
    from temporal_recall.service.facade import LOCAL_USER, RecallService

    with RecallService.from_config(config) if config else RecallService.demo() as service:
        yield Deployment(service, LOCAL_USER, time_zone)


@contextmanager
def demo_deployment(time_zone: str | None = None) -> Iterator[Deployment]:
    """The demo persona, on the morning after a full day."""
    from temporal_recall.demo import DEMO_NOW, DEMO_USER_ID
    from temporal_recall.service.facade import RecallService

    with RecallService.demo() as service:
        yield Deployment(service, DEMO_USER_ID, time_zone, DEMO_NOW)


def _recorded(records: Path, user_id: str) -> RecallService:
    from temporal_recall.service.facade import RecallService

    service = RecallService.from_records(records, user_id=user_id)
    for issue in service.record_issues:
        report(f"{issue.locator}: {issue.code}, {issue.detail}; the line is left out")
    return service
