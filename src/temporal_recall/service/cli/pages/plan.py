"""The page of a Context Plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich import box
from rich.console import RenderableType
from rich.panel import Panel
from rich.text import Text

from temporal_recall.schemas.plan import ContextPlan
from temporal_recall.service.cli.pages.words import bar, grid, span


def plan_page(question: str, plan: ContextPlan) -> RenderableType:
    """A whole plan."""
    table = grid(10, None)
    for name, range_ in plan.time:
        if range_ and name != "excluded":
            table.add_row(f"[dim]{name.replace('_', ' ')}[/]", span(range_))
    for name, value in plan_rows(plan):
        table.add_row(f"[dim]{name}[/]", value)
    for retrieval in plan.retrievals:
        if retrieval.expanded_queries:
            table.add_row(f"[dim]{retrieval.source}[/]", " ".join(retrieval.expanded_queries))
    needs = " · ".join(f"{name.replace('_', ' ')} {need}" for name, need in plan.context_needs)
    table.add_row("[dim]needs[/]", needs)
    return Panel(table, title=Text(question, "bold"), title_align="left", box=box.ROUNDED, border_style="cyan")


def plan_rows(plan: ContextPlan) -> Iterator[tuple[str, RenderableType]]:
    """What the plan asks and how it weighs, as (name, value) rows."""
    yield "mode", plan.temporal_mode
    if plan.sources:
        yield "sources", _weights(plan.sources)
    if plan.targets:
        yield "looks for", _weights({target.type: target.weight for target in plan.targets})
    about = [*plan.topics, *plan.people]
    if about:
        yield "about", " ".join(about)
    filters = [f"{name.replace('_', ' ')} {value}" for name, value in plan.filters if value is not None]
    if filters:
        yield "only", " · ".join(filters)


def _weights(weight_by_name: Mapping[str, float]) -> RenderableType:
    table = grid(16, 4, None)
    for name, weight in sorted(weight_by_name.items(), key=lambda pair: (-pair[1], pair[0])):
        table.add_row(name, f"{weight:.2f}", bar(weight, width=20, colour="blue"))
    return table
