"""Breakdowns: how long each value of each layer took, nested, with a budget of entries per level."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import NamedTuple

from temporal_recall.dataflows.recap.intervals import Interval, union_duration
from temporal_recall.dataflows.recap.texts import cut_text
from temporal_recall.schemas.recap import NO_BREAKDOWN, Breakdown, DetailLane, TreeNode
from temporal_recall.schemas.recap_settings import ProjectionSettings


class Leaf(NamedTuple):
    """One observed interval of one segment, with the values that are still to be told apart, outermost first."""

    path: tuple[str, ...]
    segment_id: str
    interval: Interval


class _Group(NamedTuple):
    label: str
    leaves: list[Leaf]
    duration: timedelta
    visits: int


def breakdown_of(leaves: Iterable[Leaf], parent: timedelta, settings: ProjectionSettings) -> Breakdown:
    """The children of a node of this duration, longest first (ties by label), each broken down in turn.

    A leaf without a value left hangs on the parent and makes no child. What exceeds the budget is counted in
    `other_count`, with the union of its times. Nothing for no leaves.
    """
    groups = _groups(leaves)
    is_long = parent.total_seconds() >= settings.expand_from_s
    budget = settings.breakdown_entries if is_long else settings.short_breakdown_entries
    shown, others = groups[:budget], groups[budget:]
    return Breakdown(
        tuple(_node(group, settings) for group in shown),
        len(others),
        union_duration(leaf.interval for group in others for leaf in group.leaves),
    )


def detail_lane_of(source: str, leaves: Sequence[Leaf], settings: ProjectionSettings) -> DetailLane:
    """What one plugin saw, by its root value: duration and then visits descending, ties by label."""
    groups = sorted(_groups(leaves), key=lambda group: (-group.duration, -group.visits, group.label))
    listed = groups[: settings.detail_entries]
    return DetailLane(source, tuple(_node(group, settings) for group in listed), len(groups) - len(listed))


def _node(group: _Group, settings: ProjectionSettings) -> TreeNode:
    below = [leaf._replace(path=leaf.path[1:]) for leaf in group.leaves if len(leaf.path) > 1]
    breakdown = breakdown_of(below, group.duration, settings) if below else NO_BREAKDOWN
    return TreeNode(cut_text(group.label, settings.text_graphemes), group.duration, group.visits, breakdown)


def _groups(leaves: Iterable[Leaf]) -> list[_Group]:
    leaves_by_label: dict[str, list[Leaf]] = defaultdict(list)
    for leaf in leaves:
        if leaf.path:
            leaves_by_label[leaf.path[0]].append(leaf)
    groups = [
        _Group(label, own, union_duration(leaf.interval for leaf in own), len({leaf.segment_id for leaf in own}))
        for label, own in leaves_by_label.items()
    ]
    return sorted(groups, key=lambda group: (-group.duration, group.label))
