"""Who joins whom: groups by the average evidence between all their rows, so that no chain swallows a day."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from temporal_recall.dataflows.matching.blocks import packed
from temporal_recall.dataflows.runs import Positions, run_starts


class _Links(NamedTuple):
    """The sum of the points between two groups each, `a` < `b`."""

    a: Positions
    b: Positions
    points: NDArray[np.float64]

    def at(self, which: NDArray[np.bool_] | Positions) -> _Links:
        return _Links(self.a[which], self.b[which], self.points[which])


def average_link_groups(
    left: Positions, right: Positions, points: NDArray[np.float64], row_count: int, absent_points: float
) -> Positions:
    """Groups of rows between which the evidence speaks for one event on average.

    In each round every group names the group to which it is linked best, and those that name each other join. The
    link of two groups is the mean of the points between their rows; a pair that was never judged counts
    `absent_points`. (Mutual nearest neighbours give the same tree as joining the best pair each time: Murtagh 1983.)

    Args:
        left: one row of each pair, below `right`; each pair once.
        right: the other row.
        points: log odds of each pair; above 0 speaks for one event.

    Returns:
        The group of each row: the lowest position in it.
    """
    group = np.arange(row_count, dtype=np.int64)
    links = _Links(left, right, points - absent_points)
    while len(links.a):
        mean = _mean_points(links, np.bincount(group, minlength=row_count)) + absent_points
        mutual = _mutual_best(links, mean, row_count)
        if not len(mutual.a):
            break
        joined = np.arange(row_count, dtype=np.int64)
        joined[mutual.b] = mutual.a
        group, links = joined[group], _relabelled(links.at(_may_join(links, mean, row_count)), joined)
    return group


def _mean_points(links: _Links, size: Positions) -> NDArray[np.float64]:
    return links.points / (size[links.a] * size[links.b])


def _mutual_best(links: _Links, mean: NDArray[np.float64], row_count: int) -> _Links:
    """The links that speak for joining and are the best of both their ends; the lower partner wins a tie."""
    good = np.flatnonzero(mean > 0)
    links, mean = links.at(good), mean[good]
    best = np.zeros(row_count)
    choice = np.full(row_count, row_count, dtype=np.int64)
    ends = ((links.a, links.b), (links.b, links.a))
    for end, _ in ends:
        np.maximum.at(best, end, mean)
    for end, partner in ends:
        is_best = mean == best[end]
        np.minimum.at(choice, end[is_best], partner[is_best])
    return links.at((choice[links.a] == links.b) & (choice[links.b] == links.a))


def _may_join(links: _Links, mean: NDArray[np.float64], row_count: int) -> NDArray[np.bool_]:
    """Which links matter to later rounds: each end has one that speaks for joining."""
    has_good = np.zeros(row_count, dtype=np.bool_)
    has_good[links.a[mean > 0]] = has_good[links.b[mean > 0]] = True
    return np.asarray(has_good[links.a] & has_good[links.b])


def _relabelled(links: _Links, joined: Positions) -> _Links:
    """The links between the groups as they are now, each once."""
    a, b = joined[links.a], joined[links.b]
    is_apart = a != b
    pair = packed(np.minimum(a, b), np.maximum(a, b))[is_apart]
    order = np.argsort(pair, kind="stable")
    starts = run_starts(pair[order])
    first = np.flatnonzero(is_apart)[order[starts]]
    points = np.add.reduceat(links.points[is_apart][order], starts) if len(starts) else np.empty(0)
    return _Links(np.minimum(a, b)[first], np.maximum(a, b)[first], points)


def joined_groups(group: Positions, left: Positions, right: Positions) -> Positions:
    """`group` with the groups of both ends of each link made one, named by the lowest position."""
    ends = group[left].tolist(), group[right].tolist()
    parent = {g: g for end in ends for g in end}

    def root(g: int) -> int:
        while parent[g] != g:
            g = parent[g]
        return g

    for one, other in zip(*ends, strict=True):
        low, high = sorted((root(one), root(other)))
        parent[high] = low
    renamed = np.arange(len(group), dtype=np.int64)
    renamed[list(parent)] = [root(g) for g in parent]
    return renamed[group]
