"""Options that several commands share, and how instants and zones are read from them."""

from __future__ import annotations

from datetime import datetime, tzinfo
from pathlib import Path
from typing import Annotated, Literal

import typer

from temporal_recall.schemas.errors import InvalidRequest
from temporal_recall.schemas.time import zone_of

Records = Annotated[Path | None, typer.Option("--records", help="Records file (JSON lines) to answer from.")]
Config = Annotated[Path | None, typer.Option("--config", help="TOML file of the deployment to answer from.")]
Batch = Annotated[Path | None, typer.Option("--batch", help="Answer every line of this file (JSON lines).")]
Now = Annotated[str | None, typer.Option("--now", help="The instant taken as now, ISO 8601; default: the clock.")]
TimeZone = Annotated[str | None, typer.Option("--time-zone", help="Zone of days: IANA id or +08:00.")]
UserId = Annotated[str | None, typer.Option("--user-id", help="Whose records are read.")]
Executor = Annotated[Literal["local", "dask"], typer.Option("--executor", help="Where to work.")]
Workers = Annotated[int, typer.Option("--workers", min=1, max=1024, help="Dask workers to start on this machine.")]
Scheduler = Annotated[str | None, typer.Option("--scheduler", help="Address of a Dask scheduler that runs already.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]

DEFAULT_TIME_ZONE = "Asia/Shanghai"


def instant(text: str | None, zone_name: str, *, name: str = "now") -> datetime:
    """The aware instant in `text`, the clock's where there is none; without an offset it is read in the zone.

    Raises:
        InvalidRequest: no such date, time or zone; names what was given.
    """
    zone = known_zone(zone_name)
    if text is None:
        return datetime.now(zone)
    try:
        read = datetime.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise InvalidRequest(name, text, "an ISO 8601 date and time such as 2026-09-03T22:00:00+08:00") from error
    return read if read.tzinfo else read.replace(tzinfo=zone)


def known_zone(name: str) -> tzinfo:
    """The zone called `name`.

    Raises:
        InvalidRequest: there is none of that name.
    """
    try:
        return zone_of(name)
    except ValueError as error:
        raise InvalidRequest("time_zone", name, "an IANA id such as Asia/Shanghai, or +08:00") from error
