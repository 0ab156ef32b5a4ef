"""Who joins whom: groups by the average evidence between all their rows, so that no chain swallows a day."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from temporal_recall.dataflows.matching.blocks import packed, unpacked
from temporal_recall.dataflows.runs import Positions, run_starts


class _Links(NamedTuple):
    """The sum of the points between two groups each, `a` < `b`."""

    a: Positions
    b: Positions
    points: NDArray[np.float64]

    def at(self, which: Positions) -> _Links:
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
    size = np.ones(row_count, dtype=np.int64)
    links = _Links(left, right, points - absent_points)
    while len(links.a):
        mean = links.points / (size[links.a] * size[links.b]) + absent_points
        good = np.flatnonzero(mean > 0)
        mutual = _mutual_best(links.at(good), mean[good], row_count)
        joined = np.arange(row_count, dtype=np.int64)
        joined[mutual.b] = mutual.a
        size[mutual.a] += size[mutual.b]
        group, links = joined[group], _later_links(links, good, joined)
    return group


def _mutual_best(links: _Links, mean: NDArray[np.float64], row_count: int) -> _Links:
    """The links that are the best of both their ends; the lower partner wins a tie.

    Args:
        links: those that speak for joining.
    """
    end, partner = np.concatenate([links.a, links.b]), np.concatenate([links.b, links.a])
    mean = np.concatenate([mean, mean])
    best = np.zeros(row_count)
    np.maximum.at(best, end, mean)
    is_best = mean == best[end]
    choice = np.full(row_count, row_count, dtype=np.int64)
    np.minimum.at(choice, end[is_best], partner[is_best])
    return links.at(np.flatnonzero((choice[links.a] == links.b) & (choice[links.b] == links.a)))


def _later_links(links: _Links, good: Positions, joined: Positions) -> _Links:
    """The links between the groups as they are now, each once, without those that matter to no later round.

    Both ends must have had one that speaks for joining.
    """
    has_good = np.zeros(len(joined), dtype=np.bool_)
    has_good[links.a[good]] = has_good[links.b[good]] = True
    one, other = joined[links.a], joined[links.b]
    kept = np.flatnonzero(has_good[links.a] & has_good[links.b] & (one != other))
    one, other = one[kept], other[kept]
    pair = packed(np.minimum(one, other), np.maximum(one, other))
    order = np.argsort(pair, kind="stable")
    starts = run_starts(pair[order])
    return _Links(*unpacked(pair[order[starts]]), np.add.reduceat(links.points[kept[order]], starts))


def joined_groups(group: Positions, left: Positions, right: Positions) -> Positions:
    """`group` with the groups of both ends of each link made one, named by the lowest position."""
    name = np.arange(len(group), dtype=np.int64)
    one, other = group[left], group[right]
    while len(apart := np.flatnonzero(name[one] != name[other])):
        one, other = name[one[apart]], name[other[apart]]
        np.minimum.at(name, np.maximum(one, other), np.minimum(one, other))
        while (name[name] != name).any():
            name = name[name]
    return name[group]
