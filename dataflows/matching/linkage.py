"""Who joins whom: groups by the average evidence between all their rows, so that no chain swallows a day."""

from __future__ import annotations

import numpy as np
import pandas as pd

from temporal_recall.dataflows.matching.blocks import Positions


def average_link_groups(pairs: pd.DataFrame, row_count: int, absent_points: float) -> Positions:
    """Groups of rows between which the evidence speaks for one event on average.

    In each round every group names the group to which it is linked best, and those that name each other join. The
    link of two groups is the mean of the points between their rows; a pair that was never judged counts
    `absent_points`. (Mutual nearest neighbours give the same tree as joining the best pair each time: Murtagh 1983.)

    Args:
        pairs: `left`, `right` (positions), `points` (log odds; above 0 speaks for one event).

    Returns:
        The group of each row: the lowest position in it.
    """
    group = np.arange(row_count, dtype=np.int64)
    links = pd.DataFrame({"a": pairs["left"], "b": pairs["right"], "points": pairs["points"] - absent_points})
    while len(links):
        links = _positive_links(links, np.bincount(group, minlength=row_count), absent_points)
        chosen = _mutual_best(links, row_count)
        if not len(chosen):
            break
        joined = np.arange(row_count, dtype=np.int64)
        joined[chosen["b"].to_numpy()] = chosen["a"].to_numpy()
        group, links = joined[group], _relabelled(links, joined)
    return group


def _positive_links(links: pd.DataFrame, size: Positions, absent_points: float) -> pd.DataFrame:
    """The links between groups that may still join, with their mean: each end has one that speaks for joining."""
    a, b = links["a"].to_numpy(), links["b"].to_numpy()
    mean = links["points"].to_numpy() / (size[a] * size[b]) + absent_points
    may_join = np.zeros(len(size), dtype=np.bool_)
    may_join[a[mean > 0]] = may_join[b[mean > 0]] = True
    positive: pd.DataFrame = links.assign(mean=mean)[may_join[a] & may_join[b]]
    return positive


def _mutual_best(links: pd.DataFrame, row_count: int) -> pd.DataFrame:
    """The links that are the best of both their ends; the lower partner wins a tie."""
    good = links[links["mean"] > 0]
    ends = pd.concat([good, good.rename(columns={"a": "b", "b": "a"})], ignore_index=True)
    best = ends.sort_values(["mean", "b"], ascending=[False, True], kind="stable").drop_duplicates("a")
    choice = np.full(row_count, -1, dtype=np.int64)
    choice[best["a"].to_numpy()] = best["b"].to_numpy()
    a, b = good["a"].to_numpy(), good["b"].to_numpy()
    mutual: pd.DataFrame = good[(choice[a] == b) & (choice[b] == a)]
    return mutual


def _relabelled(links: pd.DataFrame, joined: Positions) -> pd.DataFrame:
    a, b = joined[links["a"].to_numpy()], joined[links["b"].to_numpy()]
    moved = pd.DataFrame({"a": np.minimum(a, b), "b": np.maximum(a, b), "points": links["points"].to_numpy()})
    return moved[moved["a"] != moved["b"]].groupby(["a", "b"], as_index=False, sort=True)[["points"]].sum()


def joined_groups(group: Positions, links: pd.DataFrame) -> Positions:
    """`group` with the groups of both ends of each link (`left`, `right`) made one, named by the lowest position."""
    parent = {int(g): int(g) for end in ("left", "right") for g in group[links[end].to_numpy()]}

    def root(g: int) -> int:
        while parent[g] != g:
            g = parent[g]
        return g

    for left, right in zip(
        group[links["left"].to_numpy()].tolist(), group[links["right"].to_numpy()].tolist(), strict=True
    ):
        low, high = sorted((root(left), root(right)))
        parent[high] = low
    renamed = np.arange(len(group), dtype=np.int64)
    renamed[list(parent)] = [root(g) for g in parent]
    return renamed[group]
