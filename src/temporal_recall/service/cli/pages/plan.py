"""The page of a Context Plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich import box
from rich.columns import Columns
from rich.console import RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from temporal_recall.schemas.plan import ContextPlan, PlanTime
from temporal_recall.service.cli.pages.words import bar, grid, seen, span


def plan_page(question: str, plan: ContextPlan, trace: Mapping[str, Sequence[str]]) -> RenderableType:
    """A whole plan, with the rules that made it, by slot."""
    table = grid(16, None)
    for name, value in (*_time_rows(plan.time), *plan_rows(plan), *_context_rows(plan)):
        table.add_row(Text(name, "dim"), value)
    for slot, rules in trace.items():
        table.add_row(Text(f"rules: {slot}", "dim"), Text(" · ".join(rules) or "none"))
    return Panel(table, title=Text(seen(question), "bold"), title_align="left", box=box.ROUNDED, border_style="cyan")


def _time_rows(time: PlanTime) -> Iterator[tuple[str, RenderableType]]:
    for axis, core, wide in (
        ("mentioned", time.mention_range, time.mention_wide),
        ("happening", time.event_range, time.event_wide),
    ):
        if core is not None:
            yield axis, span(core)
        if wide is not None and wide != core:
            yield f"{axis}, wide", span(wide)
    yield from (("without", span(excluded)) for excluded in time.excluded)


def _context_rows(plan: ContextPlan) -> Iterator[tuple[str, RenderableType]]:
    for retrieval in plan.retrievals:
        if retrieval.expanded_queries:
            yield f"words: {retrieval.source}", Text(seen(" ".join(retrieval.expanded_queries)))
    yield "needs", " · ".join(f"{name.replace('_', ' ')} {need}" for name, need in plan.context_needs)


def plan_rows(plan: ContextPlan) -> Iterator[tuple[str, RenderableType]]:
    """What the plan asks and how it weighs, as (name, value) rows."""
    yield "mode", plan.temporal_mode
    if plan.sources or plan.targets:
        yield "weights", Columns([_weights(plan.sources), _weights({t.type: t.weight for t in plan.targets})])
    about = [*plan.topics, *plan.people]
    if about:
        yield "about", Text(seen(" ".join(about)))
    filters = [f"{name.replace('_', ' ')} {value}" for name, value in plan.filters if value is not None]
    if filters:
        yield "only", " · ".join(filters)


def _weights(weight_by_name: Mapping[str, float]) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    for name, weight in sorted(weight_by_name.items(), key=lambda pair: (-pair[1], pair[0])):
        table.add_row(name, f"{weight:.2f}", bar(weight, colour="blue"))
    return table
