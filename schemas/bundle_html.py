"""How a bundle shows itself in a notebook: a small table, every word of a record escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from temporal_recall.schemas.bundle import RecallBundle, TimelineItem

_SHOWN_ITEMS = 20
_HEAD = ("score", "when", "what", "kind", "source", "people", "merged")


def bundle_html(bundle: RecallBundle) -> str:
    """The range searched, what was left out, and the first items with score bars, as an HTML fragment."""
    searched = (
        f"{bundle.time_range.start:%Y-%m-%d %H:%M} – {bundle.time_range.end:%Y-%m-%d %H:%M}"
        if bundle.time_range
        else escape(bundle.time_note or "no range")
    )
    stats = bundle.stats
    remarks = ["partial"] if stats.partial else []
    remarks += [f"{f.source}: {f.code}" for f in stats.sources_failed]
    caption = (
        f"<b>{bundle.temporal_mode}</b> {searched} · {stats.raw_count} records, {stats.deduped_count} merged, "
        f"{stats.returned_count} shown {escape('; '.join(remarks))}"
    )
    head = "".join(f"<th style='text-align:left'>{name}</th>" for name in _HEAD)
    rows = "".join(_row(item) for item in bundle.items[:_SHOWN_ITEMS])
    rest = len(bundle.items) - _SHOWN_ITEMS
    more = f"<div>… and {rest} more; <code>to_frame()</code> has them all</div>" if rest > 0 else ""
    return f"<div>{caption}</div><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}"


def _row(item: TimelineItem) -> str:
    width = round(item.recall_score * 60)
    bar = (
        f"<div style='background:#4c78a8;height:0.6em;width:{width}px;display:inline-block'></div>"
        f" {item.recall_score:.2f}"
    )
    when = f"{item.event_time:%m-%d %H:%M}" if item.event_time else f"({item.observed_time:%m-%d %H:%M})"
    what = f"<s>{escape(item.title)}</s>" if item.status == "cancelled" else escape(item.title)
    cells = (
        bar,
        when,
        f"<span title='{escape(item.content, quote=True)}'>{what}</span>",
        f"{item.type}, {item.status}",
        escape(item.source),
        escape("、".join(item.participants)),
        str(len(item.merged_from) or ""),
    )
    return "<tr>" + "".join(f"<td style='text-align:left'>{cell}</td>" for cell in cells) + "</tr>"
