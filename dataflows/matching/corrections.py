"""The times that a text names beside its own: what a correction moves or cancels stood at one of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from temporal_recall.dataflows.zh_time import resolve_times
from temporal_recall.schemas.time import TimeExpression

_LONGEST_MINUTES = 24 * 60
_EXACT_MINUTES = 60


_CLOCK = r"(?:[0-9]{1,2}|[一二两三四五六七八九十]{1,3})点|[0-9]{1,2}[:：][0-9]{2}"
_DAY = r"(?:[0-9]{1,2}|[一二三四五六七八九十]{1,3})[号日]|(?:周|星期|礼拜)[一二三四五六日天]|初[一二三四五六七八九十]"
_CLASH = r"撞了|撞上|冲突|撞期|撞车|\b(?:clash|conflict)"
_SPAN = r"[号日点]?(?:到|至|~|-|—)(?:[0-9]{1,2}|[一二两三四五六七八九十]{1,3})[号日点]"


def names_several_times(texts: pd.Series) -> pd.Series:
    """Whether each text names several hours or days (not the two ends of one span), or two things that clash."""
    span_count = texts.str.count(_SPAN)
    names_several = (texts.str.count(_CLOCK) - span_count).gt(1) | (texts.str.count(_DAY) - span_count).gt(1)
    return names_several | texts.str.contains(_CLASH)


def named_times(words: pd.DataFrame, own_start: NDArray[np.float64]) -> pd.DataFrame:
    """The times that each text names, without the one at which its own event starts and without spans of days.

    Args:
        words: `content`, `observed_time`, `time_zone` of the texts; the index says which row each is.
        own_start: minutes since 1970 by row, NaN where a row has no time of its own.

    Returns:
        One row per text and time: `row`, `from_minute`, `to_minute` (exclusive), the most exact first.
    """
    found = resolve_times(words["content"], words["observed_time"], words["time_zone"])
    spans = [(row, *_minutes(e)) for row, expressions in found.items() for e in expressions if e.core is not None]
    times = pd.DataFrame(spans, columns=["row", "from_minute", "to_minute"]).astype(
        {"row": "int64", "from_minute": "float64", "to_minute": "float64"}
    )
    own = own_start[times["row"]]
    is_own = (times["from_minute"] <= own) & (own < times["to_minute"])
    length = times["to_minute"] - times["from_minute"]
    others = times.assign(length=length)[length.le(_LONGEST_MINUTES) & ~is_own]
    return others.sort_values("length", kind="stable", ignore_index=True).drop(columns="length")


def _minutes(expression: TimeExpression) -> tuple[float, float]:
    core = expression.core
    bounds = [b.timestamp() / 60 if b else np.inf for b in (core.start, core.end)] if core else [np.inf, np.inf]
    return (bounds[0] if np.isfinite(bounds[0]) else -np.inf, bounds[1])


def rows_at(named: pd.DataFrame, start: NDArray[np.float64], reach: int) -> pd.DataFrame:
    """The rows that start at a named time, `reach` at most for each.

    Args:
        named: as `named_times` gives them.
        start: ascending minutes by row, NaN last.

    Returns:
        One row per pair, the most exact first: `later` (the naming row), `earlier` (the row that starts then) and
        `named` (`named_time` for an hour at most, else `named_day`).
    """
    dated = start[np.isfinite(start)]
    first = np.searchsorted(dated, named["from_minute"].to_numpy())
    count = np.minimum(np.searchsorted(dated, named["to_minute"].to_numpy()) - first, reach)
    which = np.repeat(np.arange(len(named)), count)
    earlier = first[which] + np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
    is_exact = (named["to_minute"] - named["from_minute"]).to_numpy()[which] <= _EXACT_MINUTES
    exactness = np.where(is_exact, "named_time", "named_day").astype(object)
    return pd.DataFrame({"earlier": earlier, "later": named["row"].to_numpy()[which], "named": exactness})
