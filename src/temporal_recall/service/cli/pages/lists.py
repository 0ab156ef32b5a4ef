"""The pages of time expressions, of a timeline, of the sources, and of changes to the flows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from temporal_recall.schemas.bundle import TimelineItem
from temporal_recall.schemas.time import TimeExpression, TimeScope
from temporal_recall.service.cli.console import harmless
from temporal_recall.service.cli.pages.answer import item_lines
from temporal_recall.service.cli.pages.words import day, grid, happening, moment, span

STYLE_BY_SIGN = {"+": "green", "-": "red", "~": "yellow"}


def reading_page(text: str, scope: TimeScope | None, now: datetime, trace: bool) -> RenderableType:
    """The text with its time expressions marked, and how each is read."""
    expressions = scope.expressions if scope else ()
    shown = Text(harmless(text))
    for found in expressions:
        shown.stylize("bold cyan", *found.span)
    table = grid(12, None)
    for found in expressions:
        for name, value in _reading_rows(found, trace):
            table.add_row(name, value)
    nothing = Text("no time is named", "dim")
    return Group(shown, Text(f"read at {moment(now)}", "dim"), table if expressions else nothing)


def _reading_rows(found: TimeExpression, trace: bool) -> Iterable[tuple[RenderableType, RenderableType]]:
    yield Text("text", "dim"), Text(harmless(found.text), "bold cyan")
    yield Text("kind", "dim"), f"{found.kind} of grain {found.grain}" if found.grain else found.kind
    if found.core:
        yield Text("core", "dim"), span(found.core)
    if found.wide and found.wide != found.core:
        yield Text("wide", "dim"), span(found.wide)
    yield from ((Text("or", "dim"), span(other)) for other in found.alternatives)
    yield from ((Text("without", "dim"), span(other)) for other in found.excluded)
    if found.recurrence:
        yield Text("repeats", "dim"), found.recurrence
    if trace:
        yield Text("rules", "dim"), " → ".join(found.rules)


def timeline_page(items: Sequence[TimelineItem], rules_by_ref: Mapping[str, Sequence[str]]) -> RenderableType:
    """Items under their days, with the rules that read them where these are given."""
    parts: list[RenderableType] = []
    for title, members in groupby(items, key=_day_of):
        table = grid(21, None)
        for item in members:
            table.add_row(happening(item), _traced(item, rules_by_ref.get(item.source_ref)))
        parts += [Rule(f"[bold]{title}[/]", align="left", style="grey37"), Padding(table, (0, 1))]
    return Group(*parts) if parts else Text("nothing", "dim")


def _traced(item: TimelineItem, rules: Sequence[str] | None) -> Text:
    lines = item_lines(item)
    return lines if rules is None else lines.append(f"\nrules {' · '.join(rules) or 'none'}", "dim")


def _day_of(item: TimelineItem) -> str:
    return day(item.event_time) if item.event_time else "without a time of their own"


def sources_page(enabled: Sequence[Mapping[str, Any]], kinds: Sequence[Mapping[str, str]]) -> RenderableType:
    """One line a source, and one line a kind of source."""
    return Group(_row_table("enabled", enabled), _row_table("kinds that a configuration may name", kinds))


def _row_table(title: str, rows: Sequence[Mapping[str, Any]]) -> Table:
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    for name in rows[0] if rows else ():
        table.add_column(name)
    for row in rows:
        table.add_row(*(Text(str(value)) for value in row.values()))
    return table


def changes_page(changes_by_flow: Mapping[str, Sequence[str]]) -> RenderableType:
    """The changes of each flow, one a line."""
    if not changes_by_flow:
        return Text("no flow has changed", "dim")
    lines: list[Text] = []
    for name, changes in changes_by_flow.items():
        lines.append(Text(f"{name}: {len(changes)} changes", "bold"))
        lines += [Text(f"  {line}", STYLE_BY_SIGN[line[0]]) for line in changes]
    return Group(*lines)
