"""`import`: files of a kind into the embedded store."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group
from rich.markup import escape
from rich.text import Text

from temporal_recall.service.cli.console import harmless, notes, screen, write_json
from temporal_recall.service.cli.options import DEFAULT_TIME_ZONE, Json, Now, instant
from temporal_recall.service.importing import READERS, ImportReport, ImportRequest, import_file

DEFAULT_STORE = Path(typer.get_app_dir("temporal-recall")) / "store.db"
_SHOWN_ISSUES = 10


def import_(
    kind: Annotated[str, typer.Argument(help=f"What the file is: {', '.join(READERS)}.")],
    path: Annotated[Path, typer.Argument(help="The file; for a calendar also a folder of .ics files.")],
    store: Annotated[
        Path, typer.Option("--store", help="The store to fill; made where there is none.")
    ] = DEFAULT_STORE,
    user_id: Annotated[str, typer.Option("--user-id", help="Whose records they are.")] = "local",
    time_zone: Annotated[str, typer.Option("--time-zone", help="Zone of times that have none.")] = DEFAULT_TIME_ZONE,
    now: Now = None,
    as_json: Json = False,
) -> None:
    """Read a file into the embedded store, and say what was read, skipped and why. Twice is the same as once."""
    from temporal_recall.adapters.embedded_store import EmbeddedStore

    request = ImportRequest(kind, path, instant(now, time_zone), user_id, time_zone)
    store.parent.mkdir(parents=True, exist_ok=True)
    console, name = notes(), escape(harmless(path.name))
    with EmbeddedStore(store) as opened, console.status(f"reading {name}") as status:
        report = import_file(request, opened, lambda read: status.update(f"reading {name}: {read:,} rows"))
    if as_json:
        write_json({**report.summary, "store": str(store)})
    else:
        screen().print(_page(report, store))


def _page(report: ImportReport, store: Path) -> Group:
    put = report.put
    counts = {"new": put.new, "changed": put.changed, "unchanged": put.unchanged, "removed": report.removed}
    told = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count) or "nothing"
    lines = [Text(f"{report.read:,} rows of {harmless(report.file)}: {told}"), Text(f"store {store}", "dim")]
    for verb, counts_by_code, style in (("skipped", report.skipped, "yellow"), ("noted", report.noted, "cyan")):
        lines += [Text(f"{verb} {count:,}: {code}", style) for code, count in sorted(counts_by_code.items())]
    for issue in report.issues[:_SHOWN_ISSUES]:
        lines.append(Text(harmless(f"  {issue.locator}  {issue.code}  {issue.detail}"), "dim"))
    if report.skipped.total() + report.noted.total() > _SHOWN_ISSUES:
        lines.append(Text("  …", "dim"))
    return Group(*lines)
