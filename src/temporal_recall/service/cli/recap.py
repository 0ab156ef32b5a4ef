"""`recap`: one's day as a diary, and the record that it is written from."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from temporal_recall.schemas.errors import InvalidRequest
from temporal_recall.schemas.recap import RecapError, RecapFact, RecapOut, RecapWindow, Segment, as_json
from temporal_recall.service.cli.console import harmless, notes, screen, write_json
from temporal_recall.service.cli.errors import BAD_INPUT, FAILED, report
from temporal_recall.service.cli.options import DEFAULT_TIME_ZONE, Config, Json, Now, instant
from temporal_recall.service.cli.pages.recap import diary_heading, diary_page, digest_page

if TYPE_CHECKING:
    from temporal_recall.schemas.evidence import RecordIssue
    from temporal_recall.service.recap.config import RecapConfig
    from temporal_recall.service.recap.generation import GenerationRun
    from temporal_recall.service.recap.service import RecapService

LOCAL_OWNER = "local"


class Period(StrEnum):
    """What one diary tells."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the command line asks for, read."""

    window: RecapWindow
    facts: tuple[RecapFact, ...]
    is_again: bool
    as_json: bool


def recap(
    date: Annotated[str | None, typer.Option("--date", help="Day to tell, yyyy-MM-dd; default: today.")] = None,
    time_zone: Annotated[str, typer.Option("--time-zone", help="Zone of the day, an IANA id.")] = DEFAULT_TIME_ZONE,
    period: Annotated[Period, typer.Option("--period", help="A day, or the week or month that holds it.")] = Period.DAY,
    activity: Annotated[
        Path | None, typer.Option("--activity", help="ActivityWatch export, or segments as JSON lines.")
    ] = None,
    project: Annotated[bool, typer.Option("--project", help="Show the record of the day; ask no model.")] = False,
    on_this_day: Annotated[
        bool, typer.Option("--on-this-day", help="Show the diaries of this date in earlier years.")
    ] = False,
    again: Annotated[bool, typer.Option("--again", help="Write the diary anew.")] = False,
    fact: Annotated[
        list[str] | None, typer.Option("--fact", help="A fact or correction for this day; may be repeated.")
    ] = None,
    day_start_hour: Annotated[int, typer.Option("--day-start-hour", help="Hour at which days begin, 0 to 6.")] = 0,
    afk_idle_timeout: Annotated[
        float, typer.Option("--afk-idle-timeout", min=0, help="Seconds by which ActivityWatch's aways begin earlier.")
    ] = 0.0,
    store: Annotated[str | None, typer.Option("--store", help="Database URL of segments and diaries.")] = None,
    user_id: Annotated[str | None, typer.Option("--user-id", help="Whose day, where a file has several.")] = None,
    config: Config = None,
    now: Now = None,
    as_json: Json = False,
) -> int:
    """Tell one day as a diary, from the record of what was on your screens.

    With --project and --activity anyone sees their own day: no store, no model, nothing leaves the machine.
    """
    try:
        at = instant(now, "UTC")
        window = _window(date, time_zone, period, day_start_hour, at)
        asked = _Asked(window, tuple(RecapFact(text) for text in fact or ()), again, as_json)
        settings = _settings(config, store, in_memory=activity is not None)
        segments, owner_id = _read(activity, user_id, afk_idle_timeout, at)
        if project and activity is not None:
            return _show_record_of(segments, owner_id, asked, settings)
        with _service(settings, at if now else None) as service:
            service.ingest(segments)
            if on_this_day:
                return _show_earlier_years(service, owner_id, asked)
            return _show_record(service, owner_id, asked) if project else _tell(service, owner_id, asked)
    except RecapError as error:
        if as_json:
            write_json({"code": error.code, "message": error.message})
        report(f"{error.code}: {error.message}")
        return BAD_INPUT


def _window(date: str | None, time_zone: str, period: Period, day_start_hour: int, at: datetime) -> RecapWindow:
    from temporal_recall.dataflows.recap.windows import recap_window_of, recap_zone

    local_date = date if date is not None else at.astimezone(recap_zone(time_zone)).date().isoformat()
    return recap_window_of(local_date, time_zone, kind=period.value, day_start_hour=day_start_hour)


def _settings(config: Path | None, store: str | None, *, in_memory: bool) -> RecapConfig:
    """The deployment's settings; the store is the one asked for, else the configured, else this user's own."""
    from temporal_recall.service.recap.config import read_recap_config

    settings = read_recap_config(config)
    if store is None and settings.store_url is None:
        store = "sqlite://" if in_memory else _own_store()
    return settings if store is None else settings.model_copy(update={"store_url": store})


def _own_store() -> str:
    folder = Path(typer.get_app_dir("temporal-recall"))
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'recap.db'}"


def _read(
    activity: Path | None, user_id: str | None, afk_idle_timeout: float, at: datetime
) -> tuple[tuple[Segment, ...], str]:
    """The segments of a file, if one is given, and whose day is asked for.

    Raises:
        InvalidRequest: the file cannot be read, or holds several people's segments and nobody was named.
    """
    from temporal_recall.adapters.activity import read_segments
    from temporal_recall.adapters.segment_ingest import ingested

    if activity is None:
        return (), user_id or LOCAL_OWNER
    read = ingested(read_segments(activity, LOCAL_OWNER, afk_idle_timeout_s=afk_idle_timeout), at)
    _tell_issues(read.issues)
    owners = sorted({segment.owner_id for segment in read.segments})
    if user_id is None and len(owners) > 1:
        raise InvalidRequest("--user-id", "none", f"one of those in {activity.name}: {', '.join(owners[:10])}")
    return read.segments, user_id or (owners[0] if owners else LOCAL_OWNER)


def _tell_issues(issues: Sequence[RecordIssue]) -> None:
    if issues:
        counts = Counter(issue.code for issue in issues)
        told = ", ".join(f"{count} {code}" for code, count in sorted(counts.items()))
        notes().print(f"[dim]left out: {told}; the first at {issues[0].locator}[/]", soft_wrap=True)


def _show_record_of(segments: Sequence[Segment], owner_id: str, asked: _Asked, settings: RecapConfig) -> int:
    from temporal_recall.service.recap.flow import RecapFlow

    dry_run = RecapFlow(settings).dry_run(segments, owner_id, asked.window, facts=asked.facts)
    _print_record(dry_run, asked)
    return 0


def _show_record(service: RecapService, owner_id: str, asked: _Asked) -> int:
    _print_record(service.project(owner_id, asked.window), asked)
    return 0


def _print_record(dry_run: Any, asked: _Asked) -> None:
    if not asked.as_json:
        screen().print(digest_page(dry_run.digest, asked.window), soft_wrap=True)
        return
    record = as_json(dry_run.projection)
    write_json({**record, "digest": dry_run.digest, "digest_hash": dry_run.digest_hash})  # type: ignore[dict-item]


def _show_earlier_years(service: RecapService, owner_id: str, asked: _Asked) -> int:
    month_day = asked.window.local_date.isoformat()[5:]
    found = service.on_this_day(owner_id, month_day, asked.window.time_zone, years=50)
    if asked.as_json:
        write_json(list(found))
    for diary in () if asked.as_json else found:
        screen().print(diary_page(diary), soft_wrap=True)
    if not found:
        notes().print(f"[dim]No diary of {month_day} in earlier years.[/]")
    return 0


@contextmanager
def _service(settings: RecapConfig, at: datetime | None) -> Iterator[RecapService]:
    from temporal_recall.service.recap.service import RecapService

    clock = {} if at is None else {"clock": lambda: at}
    service = RecapService.configured(settings, os.environ, **clock)
    try:
        yield service
    finally:
        service.close()


def _tell(service: RecapService, owner_id: str, asked: _Asked) -> int:
    if asked.facts:
        known = service.facts(owner_id, asked.window.local_date)
        service.save_facts(owner_id, asked.window.local_date, (*known, *asked.facts))
    cached = service.read(owner_id, asked.window)
    if cached.is_empty or (cached.narrative and not asked.is_again):
        _print_diary(cached, asked)
        return 0
    if not service.can_generate:
        raise RecapError("not_configured", "set recap.base_url and recap.model, or see the record with --project")
    return asyncio.run(_write(service, owner_id, asked))


def _print_diary(diary: RecapOut, asked: _Asked) -> None:
    if asked.as_json:
        write_json(diary)
    else:
        screen().print(diary_page(diary), soft_wrap=True)


async def _write(service: RecapService, owner_id: str, asked: _Asked) -> int:
    """Shows a diary while it is written; 1 where the model failed."""
    run: GenerationRun = service.start(owner_id, asked.window)
    if not asked.as_json:
        screen().print(diary_heading(asked.window.local_date, asked.window.time_zone), end="\n\n")
    try:
        async for event in run.events():
            if event.name == "delta" and not asked.as_json:
                screen().print(harmless(event.data["delta"]), end="", markup=False, soft_wrap=True)
            if event.name == "error":
                report(f"{event.data['code']}: {event.data['message']}")
                return FAILED
            if event.name == "done":
                _close(RecapOut.model_validate(event.data["recap"]), asked)
    finally:
        run.abandon()
    return 0


def _close(diary: RecapOut, asked: _Asked) -> None:
    if asked.as_json:
        write_json(diary)
    else:
        screen().print()
        notes().print(f"[dim]written by {diary.model}[/]")
