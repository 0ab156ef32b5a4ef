"""The page of an answer: the dates searched, the plan's weights, the groups, what was merged and what was left out."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.text import Text

from temporal_recall.schemas.bundle import RecallBundle, RecallGroup, RecallStats, ScoreExplanation, TimelineItem
from temporal_recall.service.cli.pages.plan import plan_rows
from temporal_recall.service.cli.pages.words import bar, grid, happening, moment, seen, span

TITLE_BY_LABEL = {
    "answer": "Answer",
    "occurred_in_range": "Happened in that time",
    "mentioned_or_planned": "Mentioned then, or planned",
    "main": "Main answer",
    "secondary": "Possibly related",
}
STYLE_BY_STATUS = {"completed": "green", "cancelled": "red", "planned": "cyan"}
FACTORS = ("source_quality", "temporal_match", "semantic_match", "importance_match", "confidence_match")


def answer_page(question: str, bundle: RecallBundle, now: datetime, main_score: float) -> RenderableType:
    """A whole answer; items from `main_score` on belong to the main answer."""
    return Group(_head(question, bundle, now), *_groups(bundle, main_score), _foot(bundle.stats))


def _head(question: str, bundle: RecallBundle, now: datetime) -> RenderableType:
    table = grid(10, None)
    table.add_row("[dim]asked[/]", moment(now))
    table.add_row("[dim]searched[/]", Text(bundle.time_note or span(bundle.time_range), "bold cyan"))
    for name, value in plan_rows(bundle.plan):
        table.add_row(f"[dim]{name}[/]", value)
    return Panel(table, title=Text(seen(question), "bold"), title_align="left", box=box.ROUNDED, border_style="cyan")


def _groups(bundle: RecallBundle, main_score: float) -> Iterator[RenderableType]:
    for group in bundle.groups or (RecallGroup(label="answer", items=bundle.items),):
        title = f"[bold]{TITLE_BY_LABEL.get(group.label, group.label)}[/] [dim]{len(group.items)}[/]"
        yield Rule(title, align="left", style="grey37")
        yield _item_table(group.items, main_score) if group.items else Text("  nothing", "dim")


def _item_table(items: tuple[TimelineItem, ...], main_score: float) -> RenderableType:
    table = grid(12, 4, 21, None)
    for item in items:
        colour = "green" if item.recall_score >= main_score else "yellow"
        score = Text(f"{item.recall_score:.2f}", colour)
        table.add_row(bar(item.recall_score, colour=colour), score, happening(item), item_lines(item))
    return Padding(table, (0, 1))


def item_lines(item: TimelineItem) -> Text:
    """An item in words: its title, what is known of it, its evidence, and how its score came about."""
    lines = [_title(item), _facts(item), _evidence(item)]
    if item.explanation is not None:
        lines.append(_factors(item.explanation))
    return Text("\n").join(line for line in lines if line)


def _title(item: TimelineItem) -> Text:
    style = "bold strike" if item.status == "cancelled" else "bold"
    title, content = seen(item.title.rstrip("…")), seen(item.content)
    if title not in content:
        return Text.assemble((title, style), (f"  {content}", "dim"))
    before, _, after = content.partition(title)
    return Text.assemble((before, "dim"), (title, style), (after, "dim"))


def _facts(item: TimelineItem) -> Text:
    facts = Text(item.type)
    if item.status != "unknown":
        facts.append(" · ").append(item.status, STYLE_BY_STATUS.get(item.status, ""))
    if item.due:
        facts.append(" · ").append("deadline", "magenta")
    for known in (", ".join(item.participants), f"at {item.location}" if item.location else ""):
        facts.append(f" · {seen(known)}" if known else "")
    return facts


def _evidence(item: TimelineItem) -> Text:
    if len(item.merged_from) < 2:
        return Text(seen(item.source_ref), "dim")
    why = f": {item.merge_reason}" if item.merge_reason else ""
    return Text(f"merged {len(item.merged_from)} records{why}\n", "blue").append(
        seen(" ".join(item.merged_from)), "dim"
    )


def _factors(why: ScoreExplanation) -> Text:
    shares = " × ".join(f"{name.partition('_')[0]} {getattr(why, name):.2f}" for name in FACTORS)
    return Text(f"{shares}\n{why.reason}", "italic dim")


def _foot(stats: RecallStats) -> RenderableType:
    counts = f"{stats.raw_count} records read, {stats.deduped_count} after merging, {stats.returned_count} shown"
    lines = [Text(f"{counts}; sources: {', '.join(stats.sources_queried)}", "dim")]
    if stats.skipped:
        lines.append(Text("This question needs no recall, so none was made.", "yellow"))
    lines += [Text(f"{failed.source} gave nothing: {failed.code}", "red") for failed in stats.sources_failed]
    lines += [Text(f"{source} has more than was read", "yellow") for source in stats.sources_capped]
    lines += [Text(f"{i.count} records of {i.source} could not be used: {i.code}", "yellow") for i in stats.issues]
    return Padding(Group(*lines), (1, 1, 0, 1))
