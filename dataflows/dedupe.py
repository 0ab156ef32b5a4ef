"""Which rows of a timeline tell of one event, and the timeline in which each event stands once.

Time alone never merges: rows must be near in time *and* alike in what they say, or one must correct the other. Pairs to
judge come from blocks (a day or a matter, and a shared bigram) in which each row meets a few neighbours only, so the
work grows with the number of rows, however full a day is.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from temporal_recall.dataflows.language.grams import GRAM_BITS, distinct, gram_weights, text_grams
from temporal_recall.schemas.frames import DEDUPLICATED_TIMELINE, TIMELINE, checked
from temporal_recall.schemas.settings import DedupeSettings, SourceSettings

_ROW_BITS = 22
_ROW_MASK = (1 << _ROW_BITS) - 1
_OPEN_STATUSES = ("planned", "unknown")
_OWED_TYPES = ("todo", "commitment")
_EXACTNESS = {"minute": 0, "hour": 1, "part": 2, "day": 3, "range": 4}

_Positions = NDArray[np.int64]


def matter_keys(timeline: pd.DataFrame) -> pd.DataFrame:
    """The telling bigrams of what each row says, with its place and people.

    Returns:
        One row per row of `timeline` and bigram: `row` (position), `gram` (hashed), `weight` (0..1, how telling the
        bigram is among these rows); sorted by `row`, `gram`. Empty frame for an empty timeline.
    """
    checked(timeline, TIMELINE)
    people = timeline["participants"].map(" ".join)
    texts = (
        timeline["title"] + "\n" + timeline["content"] + "\n" + timeline["location"].fillna("") + "\n" + people
    ).tolist()
    grams = text_grams(texts)
    return grams.assign(weight=gram_weights(grams, len(texts)))


def window_pairs(timeline: pd.DataFrame, matter_keys: pd.DataFrame, dedupe_settings: DedupeSettings) -> pd.DataFrame:
    """Pairs of rows that happen on one local day and share a bigram, or follow each other within the window.

    Args:
        dedupe_settings: `window_minutes` and `block_reach` (how many neighbours a row meets in one block).

    Returns:
        One row per unordered pair, columns `left`, `right` (positions in `timeline`, left < right), sorted by both.
        Rows without an event time form no pair here (see `undated_pairs`). Empty frame for an empty timeline.
    """
    is_dated = timeline["event_time"].notna().to_numpy()
    day = _local_day(timeline["event_time"], timeline["time_zone"])
    keys = matter_keys[is_dated[matter_keys["row"].to_numpy()]]
    row, gram = keys["row"].to_numpy(), keys["gram"].to_numpy()
    blocks = _neighbours((day[row] << GRAM_BITS) | gram, row, dedupe_settings.block_reach)
    return _pair_frame([*blocks, *_close_rows(timeline, dedupe_settings)])


def _close_rows(timeline: pd.DataFrame, settings: DedupeSettings) -> list[tuple[_Positions, _Positions]]:
    minutes = _minutes(timeline["event_time"])
    rows = np.flatnonzero(timeline["event_time"].notna().to_numpy())
    pairs = [(rows[:-shift], rows[shift:]) for shift in range(1, settings.block_reach + 1)]
    return [
        (a[is_close], b[is_close])
        for a, b in pairs
        for is_close in [minutes[b] - minutes[a] <= settings.window_minutes]
    ]


def undated_pairs(timeline: pd.DataFrame, matter_keys: pd.DataFrame, dedupe_settings: DedupeSettings) -> pd.DataFrame:
    """Pairs observed on one local day that share a bigram, of which one at least has no event time.

    Returns:
        As `window_pairs`.
    """
    is_undated = timeline["event_time"].isna().to_numpy()
    day = _local_day(timeline["observed_time"], timeline["time_zone"])
    row, gram = matter_keys["row"].to_numpy(), matter_keys["gram"].to_numpy()
    pairs = _pair_frame(_neighbours((day[row] << GRAM_BITS) | gram, row, dedupe_settings.block_reach))
    return pairs[is_undated[pairs["left"]] | is_undated[pairs["right"]]].reset_index(drop=True)


def correction_pairs(
    timeline: pd.DataFrame, matter_keys: pd.DataFrame, dedupe_settings: DedupeSettings
) -> pd.DataFrame:
    """Pairs of a row that moves, cancels or settles something and the earlier row that it may mean.

    The two share a bigram, the earlier was observed at most `correction_days` before, and had not passed when it was
    corrected: only what is still to come can be moved.

    Returns:
        One row per pair, columns `left`, `right` (positions, left < right), `later` (which of them corrects) and
        `relation` (`moved`, `cancelled` or `completed`), sorted by `left`, `right`.
    """
    relation = _relation(timeline)
    is_target = _is_open(timeline)
    order = np.argsort(timeline["observed_time"].to_numpy(), kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    keys = matter_keys[(relation != "")[matter_keys["row"].to_numpy()] | is_target[matter_keys["row"].to_numpy()]]
    found = _neighbours(keys["gram"].to_numpy(), rank[keys["row"].to_numpy()], dedupe_settings.correction_reach)
    pairs = _pair_frame(found)
    earlier, later = order[pairs["left"].to_numpy()], order[pairs["right"].to_numpy()]
    is_pair = (relation[later] != "") & is_target[earlier] & _was_to_come(timeline, earlier, later, dedupe_settings)
    earlier, later = earlier[is_pair], later[is_pair]
    frame = pd.DataFrame({"left": np.minimum(earlier, later), "right": np.maximum(earlier, later), "later": later})
    return frame.assign(relation=relation[later]).sort_values(["left", "right"], ignore_index=True)


def _relation(timeline: pd.DataFrame) -> NDArray[np.object_]:
    """What a row does to an earlier one: `moved`, `cancelled`, `completed`, or nothing (empty)."""
    is_said = ~timeline["is_stated"].to_numpy()
    status = timeline["status"].to_numpy(dtype=object)
    conditions = [is_said & (status == "cancelled"), timeline["is_correction"].to_numpy(), status == "completed"]
    return np.select(conditions, ["cancelled", "moved", "completed"], default="").astype(object)


def _is_open(timeline: pd.DataFrame) -> NDArray[np.bool_]:
    is_matter = timeline["type"].isin(("event", *_OWED_TYPES))
    return (is_matter & (timeline["status"].isin(_OPEN_STATUSES) | timeline["is_stated"])).to_numpy()


def _was_to_come(
    timeline: pd.DataFrame, earlier: _Positions, later: _Positions, settings: DedupeSettings
) -> NDArray[np.bool_]:
    observed = _minutes(timeline["observed_time"])
    ends = _minutes(timeline["event_end"].fillna(timeline["event_time"]).fillna(timeline["observed_time"]))
    age = observed[later] - observed[earlier]
    is_undated = timeline["event_time"].isna().to_numpy()[earlier]
    is_ahead = is_undated | (ends[earlier] + 24 * 60 >= observed[later])
    return (age >= 0) & (age <= settings.correction_days * 24 * 60) & is_ahead


def pair_evidence(
    timeline: pd.DataFrame,
    matter_keys: pd.DataFrame,
    window_pairs: pd.DataFrame,
    undated_pairs: pd.DataFrame,
    correction_pairs: pd.DataFrame,
    dedupe_settings: DedupeSettings,
) -> pd.DataFrame:
    """What speaks for and against each pair being one event.

    Returns:
        One row per pair: `left`, `right`, `later`, `relation` (empty for a plain pair), `gap_minutes` (0 where the
        intervals overlap, NaN without times), `shared_words` (0..1 of the shorter row's weight), `people`
        (1 shared, -1 none of both shared, 0 unknown), `score` (0..1).
    """
    plain = pd.concat([window_pairs, undated_pairs]).drop_duplicates(["left", "right"]).assign(later=-1, relation="")
    pairs = pd.concat([plain, correction_pairs], ignore_index=True)
    left, right = pairs["left"].to_numpy(), pairs["right"].to_numpy()
    evidence = pairs.assign(
        gap_minutes=_gap_minutes(timeline, left, right),
        shared_words=_shared_words(matter_keys, left, right, len(timeline)),
        people=_people_agreement(timeline, left, right),
    )
    return evidence.assign(score=_merge_score(timeline, evidence))


def _gap_minutes(timeline: pd.DataFrame, left: _Positions, right: _Positions) -> NDArray[np.float64]:
    start = _minutes(timeline["event_time"])
    end = np.fmax(_minutes(timeline["event_end"]), start)
    return np.maximum(0.0, np.maximum(start[left], start[right]) - np.minimum(end[left], end[right]))


def _shared_words(keys: pd.DataFrame, left: _Positions, right: _Positions, row_count: int) -> NDArray[np.float64]:
    row, weight = keys["row"].to_numpy(), keys["weight"].to_numpy()
    total = np.bincount(row, weights=weight, minlength=row_count)
    start = np.searchsorted(row, np.arange(row_count + 1))
    size = np.diff(start)[left]
    pair = np.repeat(np.arange(len(left)), size)
    at = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size) + np.repeat(start[left], size)
    key = (row << GRAM_BITS) | keys["gram"].to_numpy()
    wanted = (right[pair] << GRAM_BITS) | keys["gram"].to_numpy()[at]
    found = np.searchsorted(key, wanted)
    is_shared = key[np.minimum(found, len(key) - 1)] == wanted if len(key) else np.zeros(len(wanted), dtype=bool)
    shared = np.bincount(pair[is_shared], weights=weight[at[is_shared]], minlength=len(left))
    return np.asarray(shared / np.maximum(np.minimum(total[left], total[right]), 1.0))


def _people_agreement(timeline: pd.DataFrame, left: _Positions, right: _Positions) -> NDArray[np.int64]:
    people = timeline["participants"]
    mask = _name_masks(people)
    is_known = people.map(len).to_numpy(dtype=np.int64) > 0
    is_shared = (mask[left] & mask[right]) != 0
    return np.where(is_known[left] & is_known[right], np.where(is_shared, 1, -1), 0)


def _name_masks(names: pd.Series) -> NDArray[np.uint64]:
    """A bit per name, 64 in all: names that differ seldom share one."""
    flat = names.explode().dropna()
    codes, _ = pd.factorize(flat)
    bits = np.uint64(1) << (codes % 64).astype(np.uint64)
    mask = np.zeros(len(names), dtype=np.uint64)
    np.bitwise_or.at(mask, flat.index.to_numpy(), bits)
    return mask


def _merge_score(timeline: pd.DataFrame, evidence: pd.DataFrame) -> NDArray[np.float64]:
    left, right = evidence["left"].to_numpy(), evidence["right"].to_numpy()
    type_ = timeline["type"].to_numpy(dtype=object)
    is_stated = timeline["is_stated"].to_numpy()
    is_minute = timeline["granularity"].eq("minute").fillna(False).to_numpy(dtype=bool)
    is_link = evidence["relation"].isin(("moved", "cancelled")).to_numpy()
    gap = evidence["gap_minutes"].to_numpy()
    points = -2.5 + 6.0 * evidence["shared_words"].to_numpy() + 1.0 * evidence["people"].to_numpy()
    points += np.where(is_minute[left] & is_minute[right] & (gap == 0), 1.5, 0.0)
    points -= np.where(~is_link & (gap > 15), 2.0 + (gap > 180) * 2.0, 0.0)
    points -= np.where(type_[left] != type_[right], 2.0, 0.0)
    points -= np.where(is_stated[left] & is_stated[right] & (gap >= 0), 3.0, 0.0)
    points += np.where(is_link, 1.0, 0.0)
    return np.asarray(1.0 / (1.0 + np.exp(-points)))


def duplicate_groups(timeline: pd.DataFrame, pair_evidence: pd.DataFrame, dedupe_settings: DedupeSettings) -> pd.Series:
    """The event of each row: the lowest position among the rows that tell of it.

    Rows of near times join where their pairs on average speak for it; then each correction joins the one event that it
    fits best.

    Returns:
        int64 Series over the positions of `timeline`.
    """
    is_plain = pair_evidence["relation"] == ""
    groups = _joined(np.arange(len(timeline)), pair_evidence[is_plain], dedupe_settings.merge_threshold)
    links = pair_evidence[pair_evidence["relation"].isin(("moved", "cancelled"))]
    links = links[links["score"] >= dedupe_settings.merge_threshold]
    best = links.sort_values("score", ascending=False, kind="stable").drop_duplicates("later")
    for left, right in zip(best["left"], best["right"], strict=True):
        a, b = sorted((groups[left], groups[right]))
        groups[groups == b] = a
    return pd.Series(groups, name="duplicate_group")


def _joined(groups: _Positions, pairs: pd.DataFrame, threshold: float) -> _Positions:
    for left, right, score in zip(pairs["left"], pairs["right"], pairs["score"], strict=True):
        if score >= threshold:
            a, b = sorted((groups[left], groups[right]))
            groups[groups == b] = a
    return groups


def deduplicated_timeline(
    timeline: pd.DataFrame, duplicate_groups: pd.Series, pair_evidence: pd.DataFrame, source_settings: SourceSettings
) -> pd.DataFrame:
    """The timeline in which each event stands once (contract `DEDUPLICATED_TIMELINE`), same order.

    The row of the most reliable source leads and gives words and type. The time is that of the latest correction, else
    the most exact one; the status that of the last row that says the matter moved, is off or is done. People are
    those of all rows, importance and confidence the highest.
    """
    reliability = timeline["source"].map(source_settings.reliability_by_source).fillna(0.0).astype("float64")
    rows = timeline.assign(group=duplicate_groups, reliability=reliability)
    is_merged = rows["group"].duplicated(keep=False)
    single = _with_merge(rows[~is_merged], (), pd.NA)
    merged = _merged_items(rows[is_merged], pair_evidence, duplicate_groups)
    together = pd.concat([single, merged])[list(DEDUPLICATED_TIMELINE.dtypes)]
    order = ["event_time", "observed_time", "source_ref"]
    return checked(together.sort_values(order, na_position="last", ignore_index=True), DEDUPLICATED_TIMELINE)


def _with_merge(rows: pd.DataFrame, merged_from: object, reason: object) -> pd.DataFrame:
    merges = pd.Series([merged_from] * len(rows), index=rows.index, dtype="object")
    return rows.assign(merged_from=merges, merge_reason=pd.Series(reason, index=rows.index, dtype="str"))


def _merged_items(rows: pd.DataFrame, evidence: pd.DataFrame, groups: pd.Series) -> pd.DataFrame:
    """One row a group: the lead's, with the time, status, people and weights of the whole group."""
    by_lead = rows.sort_values(["group", "reliability"], ascending=[True, False], kind="stable")
    items = by_lead.drop_duplicates("group").set_index("group", drop=False)
    grouped = by_lead.groupby("group", sort=True)
    timing = _timing_rows(by_lead)[["event_time", "event_end", "granularity"]]
    return items.assign(
        event_time=timing["event_time"],
        event_end=timing["event_end"],
        granularity=timing["granularity"],
        status=_last_status(by_lead).reindex(items.index).fillna(items["status"]),
        participants=grouped["participants"].agg(lambda names: tuple(dict.fromkeys(n for row in names for n in row))),
        location=grouped["location"].first(),
        importance=grouped["importance"].max(),
        confidence=grouped["confidence"].max(),
        is_correction=grouped["is_correction"].any(),
        merged_from=grouped["source_ref"].agg(tuple),
        merge_reason=_merge_reasons(evidence, groups).reindex(items.index).astype("str"),
    )


def _timing_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """The row of each group whose time stands: the latest correction that names one, else the most exact."""
    dated = rows.assign(
        is_dated=rows["event_time"].notna(),
        moved_at=rows["observed_time"].where(rows["is_correction"] & rows["event_time"].notna()),
        exactness=rows["granularity"].map(_EXACTNESS).fillna(9),
        is_report=rows["status"].eq("completed"),
    )
    order = ["group", "is_dated", "moved_at", "is_report", "exactness", "reliability"]
    ascending = [True, False, False, True, True, False]
    return dated.sort_values(order, ascending=ascending, kind="stable").drop_duplicates("group").set_index("group")


def _last_status(rows: pd.DataFrame) -> pd.Series:
    """The status of the last row of each group that says that the matter moved, is off, or is done."""
    decisive = rows[rows["is_correction"] | rows["status"].isin(("cancelled", "completed"))]
    return decisive.sort_values("observed_time", kind="stable").groupby("group")["status"].last()


def _merge_reasons(evidence: pd.DataFrame, groups: pd.Series) -> pd.Series:
    """Why the rows of each group are one event, in words."""
    group = groups.to_numpy()
    inside = evidence[group[evidence["left"]] == group[evidence["right"]]]
    said = {
        "时间相同": inside["gap_minutes"].eq(0),
        "内容相似": inside["shared_words"].ge(0.2),
        "人物相同": inside["people"].eq(1),
        "后来改期": inside["relation"].eq("moved"),
        "后来取消": inside["relation"].eq("cancelled"),
    }
    flags = pd.DataFrame(said).groupby(group[inside["left"]]).any()
    return flags.apply(lambda row: "、".join(row.index[row]), axis=1) if len(flags) else pd.Series(dtype="str")


def _neighbours(block: _Positions, row: _Positions, reach: int) -> list[tuple[_Positions, _Positions]]:
    """Each row of a block with the next `reach` rows of the same block."""
    packed = np.sort((block.astype(np.int64) << _ROW_BITS) | row)
    block, row = packed >> _ROW_BITS, packed & _ROW_MASK
    shifts = [(row[:-s], row[s:], block[:-s] == block[s:]) for s in range(1, min(reach, len(row) - 1) + 1)]
    return [(a[is_same], b[is_same]) for a, b, is_same in shifts]


def _pair_frame(found: list[tuple[_Positions, _Positions]]) -> pd.DataFrame:
    """The pairs as a frame, each once, `left` below `right`."""
    low = [np.minimum(a, b) << _ROW_BITS for a, b in found]
    packed = distinct(
        np.concatenate([p | np.maximum(a, b) for p, (a, b) in zip(low, found, strict=True)] or [np.empty(0, np.int64)])
    )
    return pd.DataFrame({"left": packed >> _ROW_BITS, "right": packed & _ROW_MASK})


def _local_day(instants: pd.Series, zones: pd.Series) -> _Positions:
    """Days since 1970 in each row's own zone; missing instants give day 0."""
    local = pd.Series(pd.NaT, index=instants.index, dtype="datetime64[us]")
    for zone in zones.unique():
        is_here = zones == zone
        local[is_here] = instants[is_here].dt.tz_convert(zone).dt.tz_localize(None)
    return local.fillna(pd.Timestamp(0)).to_numpy().astype("datetime64[D]").astype(np.int64)


def _minutes(instants: pd.Series) -> NDArray[np.float64]:
    """Minutes since 1970, NaN where missing."""
    values = instants.to_numpy(dtype="datetime64[us]")
    return np.where(np.isnat(values), np.nan, values.astype(np.int64) / 60e6)
