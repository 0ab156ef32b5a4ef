"""`timeline` and `sources`: what there is, without a question."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from temporal_recall.service.cli.console import screen, write_json
from temporal_recall.service.cli.deployment import Deployment, deployment
from temporal_recall.service.cli.options import Config, Json, Records, TimeZone, UserId

if TYPE_CHECKING:
    import pandas as pd

    from temporal_recall.schemas.bundle import TimelineItem

Trace = Annotated[bool, typer.Option("--trace", help="Name the extraction rules that fired.")]


def timeline(
    records: Records = None,
    user_id: UserId = None,
    time_zone: TimeZone = None,
    trace: Trace = False,
    as_json: Json = False,
) -> None:
    """Show all records of a records file as a timeline: normalised, deduplicated, unfiltered."""
    with deployment(records, None, user_id, time_zone) as asked:
        frame = _frame(records, asked)
        items = _items(frame, asked.zone_name)
    rules_by_ref = dict(zip(frame["source_ref"], map(tuple, frame["rules"]), strict=True)) if trace else {}
    if as_json:
        write_json({"items": [_row(item, rules_by_ref) for item in items]})
        return
    from temporal_recall.service.cli.pages.lists import timeline_page

    screen().print(timeline_page(items, rules_by_ref))


def _frame(records: Path | None, asked: Deployment) -> pd.DataFrame:
    from temporal_recall import demo
    from temporal_recall.adapters.records_file import read_records
    from temporal_recall.schemas.evidence import EvidenceRecord

    rows = read_records(records or demo.records_path(), asked.user_id)
    return asked.service.timeline(row for row in rows if isinstance(row, EvidenceRecord))


def _items(frame: pd.DataFrame, time_zone: str) -> tuple[TimelineItem, ...]:
    """Every row as an item, in time order; no question scores them."""
    import numpy as np

    from temporal_recall.dataflows.bundle import shown_items
    from temporal_recall.schemas.columns import Coded, Columns, given
    from temporal_recall.schemas.frames import DEDUPLICATED_TIMELINE
    from temporal_recall.schemas.plan import ContextPlan

    count = len(frame)
    unscored = Columns.of(frame, DEDUPLICATED_TIMELINE).replaced({"recall_score": given(np.ones(count))})
    all_shown = Coded(np.zeros(count, dtype=np.int8), ("main",))
    return shown_items(unscored, all_shown, count, ContextPlan(), time_zone, explain=False)


def _row(item: TimelineItem, rules_by_ref: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    row = item.model_dump(mode="json", exclude={"recall_score"})
    return row | {"rules": rules_by_ref[item.source_ref]} if rules_by_ref else row


def sources(records: Records = None, config: Config = None, as_json: Json = False) -> None:
    """List the enabled sources and their state, and the kinds that a configuration may name."""
    from temporal_recall.adapters.registry import adapter_kinds

    with deployment(records, config, None, None) as asked:
        enabled = _source_rows(asked)
    kinds = [dataclasses.asdict(kind) for kind in adapter_kinds()]
    if as_json:
        write_json({"sources": enabled, "kinds": kinds})
        return
    from temporal_recall.service.cli.pages.lists import sources_page

    screen().print(sources_page(enabled, kinds))


def _source_rows(asked: Deployment) -> list[dict[str, Any]]:
    from temporal_recall.service.readiness import checked_sources

    state_by_source = {state.source: state for state in checked_sources(asked.service)}
    return [
        {
            "source": source.name,
            "kind": source.kind or source.name,
            "state": state_by_source[source.name].state,
            "required": source.required,
            "reliability": source.setting().reliability,
            "axis": source.setting().axis,
        }
        for source in asked.service.config.sources
    ]
