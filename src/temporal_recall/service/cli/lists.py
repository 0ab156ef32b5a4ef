"""`timeline` and `sources`: what there is, without a question."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from temporal_recall.service.cli.console import screen, write_json
from temporal_recall.service.cli.deployment import Deployment, deployment
from temporal_recall.service.cli.options import Config, Json, Records, TimeZone, UserId

if TYPE_CHECKING:
    from temporal_recall.schemas.bundle import TimelineItem


def timeline(
    records: Records = None,
    user_id: UserId = None,
    time_zone: TimeZone = None,
    as_json: Json = False,
) -> None:
    """Show all records of a records file as a timeline: normalised, deduplicated, unfiltered."""
    with deployment(records, None, user_id, time_zone) as asked:
        items = _items(records, asked)
    if as_json:
        write_json({"items": [item.model_dump(mode="json", exclude={"recall_score"}) for item in items]})
        return
    from temporal_recall.service.cli.pages.lists import timeline_page

    screen().print(timeline_page(items))


def _items(records: Path | None, asked: Deployment) -> tuple[TimelineItem, ...]:
    """Every item of the records, in time order; no question scores them."""
    from temporal_recall import demo
    from temporal_recall.adapters.records_file import read_records
    from temporal_recall.dataflows.bundle import shown_items
    from temporal_recall.schemas.evidence import EvidenceRecord
    from temporal_recall.schemas.plan import ContextPlan

    rows = read_records(records or demo.records_path(), asked.user_id)
    frame = asked.service.timeline(row for row in rows if isinstance(row, EvidenceRecord)).assign(recall_score=1.0)
    tier = frame["source"].mask(frame["recall_score"].eq(1.0), "main")
    return shown_items(frame, tier, len(frame), ContextPlan(), asked.time_zone, explain=False)


def sources(
    records: Records = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """List the enabled sources: how each is trusted, asked and read."""
    with deployment(records, config, None, None) as asked:
        rows = _source_rows(asked)
    if as_json:
        write_json({"sources": rows})
        return
    from temporal_recall.service.cli.pages.lists import sources_page

    screen().print(sources_page(rows))


def _source_rows(asked: Deployment) -> list[dict[str, Any]]:
    rows = []
    for source in asked.service.config.sources:
        setting, can = source.setting(), asked.service.adapters[source.name].capabilities()
        rows.append(
            {
                "source": source.name,
                "kind": source.kind or source.name,
                "is_required": setting.is_required,
                "reliability": setting.reliability,
                "axis": setting.axis,
                "uses_network": can.uses_network,
            }
        )
    return rows
