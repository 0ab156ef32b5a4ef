"""`index`: the materialised timeline of a deployment, filled, followed, looked at and emptied."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from temporal_recall.service.cli.console import progress_bar, screen, write_json
from temporal_recall.service.cli.options import Executor, Json, Now, Records, Scheduler, Workers, instant

if TYPE_CHECKING:
    import pandas as pd

    from temporal_recall.schemas.timeline_index import TimelineIndex
    from temporal_recall.service.facade import RecallService
    from temporal_recall.service.indexing import IndexKeeper

index = typer.Typer(help="Keep the materialised timeline: fill it, bring it in step, look at it, empty it.")

Config = Annotated[Path, typer.Option("--config", help="TOML file of the deployment; its table index names the store.")]
User = Annotated[str, typer.Option("--user-id", help="Whose rows.")]
Lake = Annotated[str, typer.Argument(help="Folder, or address such as s3://bucket/folder.")]
Lakes = Annotated[list[str] | None, typer.Option("--lake", help="EVIDENCE or TIMELINE of a build; may be repeated.")]
LoadConfig = Annotated[Path | None, typer.Option("--load", help="TOML file of the deployment that takes the rows.")]


@index.command()
def build(
    evidence: Lake,
    timeline: Lake,
    records: Records = None,
    executor: Executor = "local",
    workers: Workers = 2,
    scheduler: Scheduler = None,
    load: LoadConfig = None,
    now: Now = None,
    as_json: Json = False,
) -> None:
    """Derive the timeline of all users in an export (EVIDENCE, Parquet) into TIMELINE; go on where a run broke off.

    --records adds a records file to the export first. --load takes the rows into an index; --now says when the
    evidence was exported.
    """
    from temporal_recall.adapters.parquet_lake import ParquetEvidenceLake, ParquetTimelineLake
    from temporal_recall.service import backfilling
    from temporal_recall.service.executors import executor_of

    source, target = ParquetEvidenceLake(evidence), ParquetTimelineLake(timeline)
    if records is not None:
        source.write(_exported(records), records.stem)
    with progress_bar("slices") as told, executor_of(executor, address=scheduler, workers=workers) as runs:
        done = dataclasses.asdict(backfilling.backfill(source, target, executor=runs, progress=told))
    if load is not None:
        with _opened(load) as (service, store), progress_bar("files") as told:
            at = instant(now, service.config.time_zone)
            done["loaded_count"] = backfilling.load(target, store, at, progress=told)
    _show([done], as_json)


@index.command()
def sync(config: Config, user_id: User, now: Now = None, as_json: Json = False) -> None:
    """Bring one user's rows in step with every source."""
    with _keeper(config) as (keeper, zone):
        done = keeper.sync(user_id, instant(now, zone))
    _show([dataclasses.asdict(source) for source in done], as_json)
    if any(source.failure for source in done):
        raise typer.Exit(1)


@index.command()
def status(config: Config, user_id: User, as_json: Json = False) -> None:
    """Show what the index holds of a user: rows, stale ones, and how far each source is."""
    with _keeper(config) as (keeper, _):
        found = keeper.status(user_id)
    rows = [
        {
            "source": s.source,
            "row_count": s.row_count,
            "stale_count": s.stale_count,
            "synced_until": s.state.synced_until.isoformat() if s.state else None,
        }
        for s in found
    ]
    _show(rows, as_json)


@index.command()
def verify(config: Config, user_id: User, now: Now = None, as_json: Json = False) -> None:
    """Compare a user's rows with all that the sources hold; exit code 1 where they differ."""
    with _keeper(config) as (keeper, zone):
        checks = keeper.verify(user_id, instant(now, zone))
    _show([{**dataclasses.asdict(check), "is_right": check.is_right} for check in checks], as_json)
    if not all(check.is_right for check in checks):
        raise typer.Exit(1)


@index.command()
def erase(
    config: Config,
    user_id: User,
    lake: Lakes = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Remove every trace of a user from the index: rows, tombstones, cursors; --lake: from files of a build too."""
    if not yes:
        typer.confirm("Remove every trace of this user from the index?", abort=True, err=True)
    done = {}
    with _keeper(config) as (keeper, _):
        if lake:
            from temporal_recall.adapters.parquet_lake import erase_user

            done["erased_from_lakes_count"] = sum(erase_user(url, user_id) for url in lake)
        done["erased_count"] = keeper.erase(user_id)
    _show([done], as_json)


@contextmanager
def _opened(config: Path) -> Iterator[tuple[RecallService, TimelineIndex]]:
    from temporal_recall.schemas.errors import InvalidConfig
    from temporal_recall.service.facade import RecallService

    with RecallService.from_config(config) as service:
        if service.index is None:
            raise InvalidConfig("index", "absent", "a table [index] with url or url_env")
        yield service, service.index


@contextmanager
def _keeper(config: Path) -> Iterator[tuple[IndexKeeper, str]]:
    from temporal_recall.service.indexing import IndexKeeper

    with _opened(config) as (service, store):
        yield IndexKeeper(service.config, service.adapters, store), service.config.time_zone


def _exported(records: Path) -> pd.DataFrame:
    """The usable records of a file and its tombstones, as an export holds them; broken lines are told on stderr."""
    from temporal_recall.adapters.records_file import read_records
    from temporal_recall.dataflows.evidence_frame import evidence_export
    from temporal_recall.schemas.evidence import EvidenceRecord
    from temporal_recall.service.cli.errors import report
    from temporal_recall.service.facade import LOCAL_USER

    rows = list(read_records(records, LOCAL_USER))
    for issue in rows:
        if not isinstance(issue, EvidenceRecord):
            report(f"{issue.locator}: {issue.code}, {issue.detail}; the line is left out")
    return evidence_export(r for r in rows if isinstance(r, EvidenceRecord))


def _show(rows: Sequence[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        write_json({"index": rows})
        return
    for row in rows:
        shown = (f"{name} {_plain(value)}" for name, value in row.items() if value not in (None, (), {}))
        screen().print(", ".join(shown))


def _plain(value: object) -> object:
    return len(value) if isinstance(value, tuple) else value
