"""Which rows of a timeline tell of one event, and the timeline in which each event stands once.

Time alone never merges: rows must be near in time *and* alike in what they say, or one must correct the other. Pairs to
judge come from blocks (a day or a matter, and a shared bigram) in which each row meets a few neighbours only, so the
work grows with the number of rows, however full a day is.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from temporal_recall.dataflows.language.grams import GRAM_BITS, gram_weights, text_grams
from temporal_recall.dataflows.matching.blocks import Positions, neighbour_pairs, union_pairs
from temporal_recall.dataflows.matching.codes import codes_agreement, codes_in
from temporal_recall.dataflows.matching.evidence import (
    POINTS,
    agreement,
    is_told_together,
    people_agreement,
    shared_words,
    time_relation,
)
from temporal_recall.dataflows.matching.linkage import average_link_groups, joined_groups
from temporal_recall.schemas.frames import DEDUPLICATED_TIMELINE, TIMELINE, checked
from temporal_recall.schemas.settings import DedupeSettings, SourceSettings

_DAY_MINUTES = 24 * 60
_OWED_TYPES = ("todo", "commitment")
_KINDS = {"event": "event", "mention": "mention", "decision": "decision", "todo": "owed", "commitment": "owed"}
_EXACTNESS = {"minute": 0, "hour": 1, "part": 2, "day": 3, "range": 4}


def unmerged_timeline(timeline: pd.DataFrame) -> pd.DataFrame:
    """Every row as an item of its own (contract `DEDUPLICATED_TIMELINE`), same order; nothing is merged yet."""
    checked(timeline, TIMELINE)
    people = timeline["participants"].map(" ".join).astype("str")
    words = timeline["title"] + "\n" + timeline["content"] + "\n" + timeline["location"].fillna("") + "\n" + people
    return timeline.assign(
        merged_from=pd.Series([()] * len(timeline), index=timeline.index, dtype="object"),
        merge_reason=pd.Series(pd.NA, index=timeline.index, dtype="str"),
        done_time=timeline["event_time"].where(timeline["status"].eq("completed")),
        first_observed_time=timeline["observed_time"],
        last_observed_time=timeline["observed_time"],
        words=words,
    )


def matter_keys(unmerged_timeline: pd.DataFrame) -> pd.DataFrame:
    """The telling characters and bigrams of what each row says, with its place and people.

    Mentions and an assistant's words tell of no event of their own; they have no keys and merge with nothing.

    Returns:
        One row per row of `unmerged_timeline` and gram: `row` (position), `gram` (hashed), `weight` (0..1, how telling
        the gram is among these rows); sorted by `row`, `gram`. Empty frame for an empty timeline.
    """
    rows = unmerged_timeline
    is_silent = rows["type"].eq("mention") | rows["role"].eq("assistant").fillna(False)
    grams = text_grams(rows["words"].mask(is_silent, "").tolist())
    return grams.assign(weight=gram_weights(grams, len(rows)))


def row_facts(timeline: pd.DataFrame) -> pd.DataFrame:
    """What pairs are compared by, one row per row of `timeline`.

    Returns:
        `start`, `end`, `observed` (minutes since 1970, `start` and `end` NaN without an event time), `event_day` and
        `observed_day` (days since 1970 in the row's own zone; -1 without), `is_exact` (to the minute or hour),
        `is_report` (told as done), `is_stated`, `kind` (event, decision, owed or mention), `owner`, `source`.
    """
    start = _minutes(timeline["event_time"])
    return pd.DataFrame(
        {
            "start": start,
            "end": np.fmax(_minutes(timeline["event_end"]), start + 1),
            "observed": _minutes(timeline["observed_time"]),
            "event_day": _local_days(timeline["event_time"], timeline["time_zone"]),
            "observed_day": _local_days(timeline["observed_time"], timeline["time_zone"]),
            "is_exact": timeline["granularity"].isin(("minute", "hour")).to_numpy(),
            "is_report": timeline["status"].eq("completed").to_numpy(),
            "is_stated": timeline["is_stated"].to_numpy(),
            "kind": timeline["type"].map(_KINDS).to_numpy(dtype=object),
            "owner": timeline["owner"].to_numpy(dtype=object),
            "source": timeline["source"].to_numpy(dtype=object),
        }
    )


def window_pairs(row_facts: pd.DataFrame, matter_keys: pd.DataFrame, dedupe_settings: DedupeSettings) -> pd.DataFrame:
    """Pairs of rows that happen on one local day and share a bigram.

    Returns:
        One row per unordered pair, columns `left`, `right` (positions in `timeline`, left < right), sorted by both.
        Rows without an event time form no pair here (see `undated_pairs`). Empty frame for an empty timeline.
    """
    return _day_pairs(row_facts["event_day"].to_numpy(), matter_keys, dedupe_settings.block_reach)


def undated_pairs(row_facts: pd.DataFrame, matter_keys: pd.DataFrame, dedupe_settings: DedupeSettings) -> pd.DataFrame:
    """Pairs of rows that were observed on one local day and share a bigram, one of them without an event time.

    Returns:
        As `window_pairs`.
    """
    pairs = _day_pairs(row_facts["observed_day"].to_numpy(), matter_keys, dedupe_settings.block_reach)
    is_undated = (row_facts["event_day"] < 0).to_numpy()
    return pairs[is_undated[pairs["left"]] | is_undated[pairs["right"]]].reset_index(drop=True)


def _day_pairs(day: Positions, keys: pd.DataFrame, reach: int) -> pd.DataFrame:
    row, gram = keys["row"].to_numpy(), keys["gram"].to_numpy()
    has_day = day[row] >= 0
    return neighbour_pairs(((day[row] << GRAM_BITS) | gram)[has_day], row[has_day], reach)


def correction_pairs(
    timeline: pd.DataFrame, row_facts: pd.DataFrame, matter_keys: pd.DataFrame, dedupe_settings: DedupeSettings
) -> pd.DataFrame:
    """Pairs of a row that moves, cancels or settles something, and an earlier row that it may mean.

    The two share a bigram, the earlier was observed at most `correction_days` before, and had not passed when it was
    corrected: only what is still to come can be moved.

    Returns:
        One row per pair, columns `left`, `right` (positions, left < right), `later` (which of them corrects) and
        `relation` (`moved`, `cancelled` or `completed`), sorted by `left`, `right`.
    """
    relation, is_target = _relations(timeline), _is_target(timeline)
    order = np.argsort(row_facts["observed"].to_numpy(), kind="stable")
    rank = np.argsort(order, kind="stable")
    row, gram = matter_keys["row"].to_numpy(), matter_keys["gram"].to_numpy()
    may_meet = (relation[row] != "") | is_target[row]
    met = neighbour_pairs(gram[may_meet], rank[row[may_meet]], dedupe_settings.correction_reach)
    earlier, later = order[met["left"].to_numpy()], order[met["right"].to_numpy()]
    is_pair = (relation[later] != "") & is_target[earlier] & _was_to_come(row_facts, earlier, later, dedupe_settings)
    earlier, later = earlier[is_pair], later[is_pair]
    pairs = pd.DataFrame({"left": np.minimum(earlier, later), "right": np.maximum(earlier, later), "later": later})
    return pairs.assign(relation=relation[later]).sort_values(["left", "right"], ignore_index=True)


def _relations(timeline: pd.DataFrame) -> NDArray[np.object_]:
    """What each row does to an earlier one: `moved`, `cancelled`, `completed`, or nothing (empty)."""
    is_said = ~timeline["is_stated"]
    told = {
        "cancelled": is_said & timeline["status"].eq("cancelled"),
        "moved": timeline["is_correction"],
        "completed": is_said & timeline["status"].eq("completed") & timeline["type"].ne("decision"),
    }
    return np.select([t.to_numpy() for t in told.values()], list(told), default="").astype(object)


def _is_target(timeline: pd.DataFrame) -> NDArray[np.bool_]:
    """Whether each row tells of something to come, which can be moved, cancelled or done."""
    is_matter = timeline["type"].isin(("event", *_OWED_TYPES))
    return (is_matter & (timeline["status"].isin(("planned", "unknown")) | timeline["is_stated"])).to_numpy()


def _was_to_come(
    rows: pd.DataFrame, earlier: Positions, later: Positions, settings: DedupeSettings
) -> NDArray[np.bool_]:
    observed, end = rows["observed"].to_numpy(), rows["end"].to_numpy()
    age = observed[later] - observed[earlier]
    has_passed = end[earlier] + _DAY_MINUTES < observed[later]
    return np.asarray((age >= 0) & (age <= settings.correction_days * _DAY_MINUTES) & ~has_passed)


def pair_evidence(
    timeline: pd.DataFrame,
    row_facts: pd.DataFrame,
    matter_keys: pd.DataFrame,
    window_pairs: pd.DataFrame,
    undated_pairs: pd.DataFrame,
    correction_pairs: pd.DataFrame,
    dedupe_settings: DedupeSettings,
) -> pd.DataFrame:
    """What speaks for and against each pair being one event.

    Returns:
        One row per pair and relation: `left`, `right`, `later` (-1 for a plain pair), `relation` (empty for a plain
        pair), `time` (how the event times stand, a name of `POINTS`), `words` and `telling_words` (see
        `shared_words`), `people` and `codes` (1 agree, -1 disagree, 0 unknown), `points` (log odds of one event).
    """
    reports = correction_pairs[correction_pairs["relation"].eq("completed")]
    plain = union_pairs(window_pairs, undated_pairs, reports).assign(later=-1, relation="")
    pairs = pd.concat([plain, correction_pairs], ignore_index=True)
    left, right = pairs["left"].to_numpy(), pairs["right"].to_numpy()
    people = timeline["participants"].map(frozenset).tolist()
    codes = [codes_in(text) for text in timeline["content"]]
    evidence = pairs.assign(
        time=time_relation(row_facts, left, right, dedupe_settings.window_minutes),
        people=agreement(people, left, right, people_agreement),
        codes=agreement(codes, left, right, codes_agreement),
        **dict(shared_words(matter_keys, left, right, len(timeline))),
    )
    return evidence.assign(points=_points(evidence, row_facts))


def _points(evidence: pd.DataFrame, rows: pd.DataFrame) -> NDArray[np.float64]:
    left, right = evidence["left"].to_numpy(), evidence["right"].to_numpy()
    kind, owner, source, is_stated = (rows[name].to_numpy() for name in ("kind", "owner", "source", "is_stated"))
    is_link = evidence["relation"].ne("").to_numpy()
    time_points = evidence["time"].map(POINTS).fillna(0.0).to_numpy()
    points = POINTS["base"] + POINTS["words"] * evidence["words"].to_numpy()
    points += POINTS["telling_words"] * evidence["telling_words"].clip(upper=3.0).to_numpy()
    points += evidence["people"].map({1: POINTS["same_people"], -1: POINTS["other_people"]}).fillna(0.0).to_numpy()
    points += evidence["codes"].map({1: POINTS["same_codes"], -1: POINTS["other_codes"]}).fillna(0.0).to_numpy()
    points += np.where(is_link, np.maximum(time_points, 0.0), time_points)
    is_other_kind = (kind[left] != kind[right]) & evidence["relation"].ne("completed").to_numpy()
    points += np.where(is_other_kind, POINTS["other_kind"], 0.0)
    points += np.where(owner[left] != owner[right], POINTS["other_owner"], 0.0)
    points += np.where(source[left] != source[right], POINTS["other_source"], 0.0)
    points += np.where(
        is_stated[left] & is_stated[right] & (evidence["time"] != "same_start"), POINTS["both_stated"], 0.0
    )
    points += np.where(is_told_together(rows, left, right), POINTS["told_together"], 0.0)
    return np.asarray(points)


def duplicate_groups(
    row_facts: pd.DataFrame, pair_evidence: pd.DataFrame, dedupe_settings: DedupeSettings
) -> pd.Series:
    """The event of each row: the lowest position among the rows that tell of it.

    Rows of near times join where their pairs on average speak for it. Then each row that moves, cancels or settles
    something joins the one earlier matter that it fits best.

    Returns:
        int64 Series over the positions of `timeline`.
    """
    plain = pair_evidence[pair_evidence["relation"].eq("")]
    group = average_link_groups(plain, len(row_facts), dedupe_settings.absent_points)
    links = _open_links(pair_evidence, row_facts["kind"].to_numpy(), group)
    best = links.sort_values("points", ascending=False, kind="stable").drop_duplicates("later")
    return pd.Series(joined_groups(group, best), name="duplicate_group")


def _open_links(evidence: pd.DataFrame, kind: NDArray[np.object_], group: Positions) -> pd.DataFrame:
    """The pairs of which one moves, cancels or settles the other, and that do not stand in one group yet."""
    links = evidence[evidence["relation"].ne("") & evidence["points"].gt(0)]
    earlier = links["left"].where(links["later"].eq(links["right"]), links["right"])
    fits = {
        "moved": links["time"].isin(("near_start", "other_start", "apart", "")),
        "cancelled": True,
        "completed": kind[earlier] == "owed",
    }
    fits_relation = np.select([links["relation"].eq(name) for name in fits], list(fits.values()), default=False)
    return links[fits_relation & (group[links["left"]] != group[links["right"]])]


def deduplicated_timeline(
    unmerged_timeline: pd.DataFrame,
    duplicate_groups: pd.Series,
    pair_evidence: pd.DataFrame,
    source_settings: SourceSettings,
) -> pd.DataFrame:
    """The timeline in which each event stands once (contract `DEDUPLICATED_TIMELINE`), same order.

    The row of the most reliable source leads and gives words and type. The time is that of the latest correction, else
    the most exact one; the status that of the last row that says the matter moved, is off or is done. People are
    those of all rows, importance and confidence the highest.
    """
    reliability = unmerged_timeline["source"].map(source_settings.reliability_by_source).astype("float64").fillna(0.0)
    rows = unmerged_timeline.assign(group=duplicate_groups, reliability=reliability)
    is_merged = rows["group"].duplicated(keep=False)
    merged = _merged_items(rows[is_merged], pair_evidence, duplicate_groups)
    together = pd.concat([rows[~is_merged], merged])[list(DEDUPLICATED_TIMELINE.dtypes)]
    order = ["event_time", "observed_time", "source_ref"]
    return checked(together.sort_values(order, na_position="last", ignore_index=True), DEDUPLICATED_TIMELINE)


def _merged_items(rows: pd.DataFrame, evidence: pd.DataFrame, groups: pd.Series) -> pd.DataFrame:
    """One row a group: the lead's, with the time, status, people and weights of the whole group."""
    by_lead = rows.sort_values(["group", "reliability", "due"], ascending=[True, False, False], kind="stable")
    items = by_lead.drop_duplicates("group").set_index("group", drop=False)
    grouped = by_lead.groupby("group", sort=True)
    timing = _timing_rows(by_lead)
    return items.assign(
        **{name: timing[name] for name in ("event_time", "event_end", "granularity")},
        status=_last_status(by_lead).reindex(items.index).fillna(items["status"]),
        due=grouped["due"].any(),
        done_time=_done_times(by_lead).reindex(items.index),
        participants=grouped["participants"].agg(lambda names: tuple(dict.fromkeys(n for row in names for n in row))),
        location=grouped["location"].first(),
        importance=grouped["importance"].max(),
        confidence=grouped["confidence"].max(),
        is_correction=grouped["is_correction"].any(),
        merged_from=grouped["source_ref"].agg(tuple),
        merge_reason=_merge_reasons(evidence, groups).reindex(items.index).astype("str"),
        first_observed_time=grouped["observed_time"].min(),
        last_observed_time=grouped["observed_time"].max(),
        words=grouped["words"].agg("\n".join),
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


def _done_times(rows: pd.DataFrame) -> pd.Series:
    """When the matter of each group was told as done, where it was."""
    done = rows[rows["status"].eq("completed")]
    return done.sort_values("observed_time", kind="stable").groupby("group")["event_time"].last()


def _merge_reasons(evidence: pd.DataFrame, groups: pd.Series) -> pd.Series:
    """Why the rows of each group are one event, in words."""
    group = groups.to_numpy()
    inside = evidence[group[evidence["left"]] == group[evidence["right"]]]
    said = {
        "时间相同": inside["time"].isin(("same_start", "same_day", "reported")),
        "内容相似": inside["words"].ge(0.2),
        "人物相同": inside["people"].eq(1),
        "后来改期": inside["relation"].eq("moved"),
        "后来取消": inside["relation"].eq("cancelled"),
        "后来完成": inside["relation"].eq("completed"),
    }
    flags = pd.DataFrame(said).groupby(group[inside["left"]]).any()
    return flags.apply(lambda row: "、".join(row.index[row]), axis=1) if len(flags) else pd.Series(dtype="str")


def _local_days(instants: pd.Series, zones: pd.Series) -> Positions:
    """Days since 1970 in each row's own zone, -1 where missing."""
    days = np.full(len(instants), -1, dtype=np.int64)
    for zone in zones.unique():
        is_here = (zones.eq(zone) & instants.notna()).to_numpy()
        local = instants[is_here].dt.tz_convert(zone).dt.tz_localize(None)
        days[is_here] = local.to_numpy().astype("datetime64[D]").astype(np.int64)
    return days


def _minutes(instants: pd.Series) -> NDArray[np.float64]:
    """Minutes since 1970, NaN where missing."""
    values = instants.to_numpy(dtype="datetime64[us]")
    return np.where(np.isnat(values), np.nan, values.astype(np.int64) / 60e6)
