"""Which rows of a timeline tell of one event, and the timeline in which each event stands once.

Time alone never merges: rows must be near in time *and* alike in what they say, or one must correct the other. Pairs to
judge come from blocks (a day or a matter, and a shared bigram) in which each row meets a few neighbours only, so the
work grows with the number of rows, however full a day is.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from temporal_recall.dataflows.language.grams import GRAM_BITS, gram_weights, text_grams
from temporal_recall.dataflows.matching.blocks import Positions, neighbour_pairs, union_pairs
from temporal_recall.dataflows.matching.codes import codes_agreement, codes_in
from temporal_recall.dataflows.matching.corrections import named_times, names_several_times, rows_at
from temporal_recall.dataflows.matching.evidence import (
    EXCLUDING,
    MEETING,
    POINTS,
    agreement,
    pair_points,
    people_agreement,
    shared_words,
    time_relation,
)
from temporal_recall.dataflows.matching.linkage import average_link_groups, joined_groups
from temporal_recall.schemas.frames import DEDUPLICATED_TIMELINE, TIMELINE, checked
from temporal_recall.schemas.settings import DedupeSettings, SourceSettings

_DAY_MINUTES = 24 * 60
_OVERDUE_DAYS = 3
_SMALL_HOURS = pd.Timedelta(hours=6)
_MOMENT = pd.Timedelta(microseconds=1)
_OWED_TYPES = ("todo", "commitment")
_KINDS = {"event": "event", "mention": "mention", "decision": "decision", "todo": "owed", "commitment": "owed"}
_REPEAT_LIFT, _MOST_LIFT = 0.05, 0.15
_EXACTNESS = {"minute": 0, "hour": 1, "part": 2, "day": 3, "range": 4}


def unmerged_timeline(timeline: pd.DataFrame) -> pd.DataFrame:
    """Every row as an item of its own (contract `DEDUPLICATED_TIMELINE`), same order; nothing is merged yet."""
    checked(timeline, TIMELINE)
    people = timeline["participants"].map(" ".join).astype("str")
    title = timeline["title"].where(timeline["is_stated"] & timeline["title"].ne(timeline["content"]), "")
    words = title + "\n" + timeline["content"] + "\n" + timeline["location"].fillna("") + "\n" + people
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
        `start`, `end`, `observed` (minutes since 1970; `start` and `end` NaN without an event time), `event_day` and
        `observed_day` (days since 1970 in the row's own zone; -1 without), `other_day` (the last day of what runs over
        midnight, the day before of what falls in the small hours, else -1), `is_exact` (to the minute or hour),
        `is_report` (told as done), `is_stated`, `names_several` (times or matters), `kind` (event, decision, owed or
        mention), `owner`, `source`, `relation` (what the row does to an earlier one: `moved`, `cancelled`, `completed`,
        `renewed`, or empty) and `is_target` (something to come, which a later row can move, cancel or settle).
    """
    start, zone = _minutes(timeline["event_time"]), timeline["time_zone"]
    event_day = _local_days(timeline["event_time"], zone)
    return pd.DataFrame(
        {
            "start": start,
            "end": np.fmax(_minutes(timeline["event_end"]), start + 1),
            "observed": _minutes(timeline["observed_time"]),
            "event_day": event_day,
            "other_day": _other_days(timeline, event_day),
            "observed_day": _local_days(timeline["observed_time"], zone),
            "is_exact": timeline["granularity"].isin(("minute", "hour")).to_numpy(),
            "is_report": timeline["status"].eq("completed").to_numpy(),
            "is_stated": timeline["is_stated"].to_numpy(),
            "names_several": (names_several_times(timeline["content"])).to_numpy(),
            "kind": timeline["type"].map(_KINDS).to_numpy(dtype=object),
            "owner": timeline["owner"].to_numpy(dtype=object),
            "source": timeline["source"].to_numpy(dtype=object),
            "relation": _relations(timeline),
            "is_target": _is_target(timeline),
        }
    )


def _other_days(timeline: pd.DataFrame, event_day: Positions) -> Positions:
    zone = timeline["time_zone"]
    day_before = _local_days(timeline["event_time"] - _SMALL_HOURS, zone)
    last_day = _local_days(timeline["event_end"] - _MOMENT, zone)
    return np.where(last_day > event_day, last_day, np.where(day_before < event_day, day_before, -1))


def _relations(timeline: pd.DataFrame) -> NDArray[np.object_]:
    is_said = ~timeline["is_stated"]
    told = {
        "cancelled": is_said & timeline["status"].eq("cancelled"),
        "moved": timeline["is_correction"],
        "completed": is_said & timeline["status"].eq("completed") & timeline["type"].ne("decision"),
        "renewed": is_said & timeline["due"] & timeline["status"].eq("planned"),
    }
    return np.select([t.to_numpy() for t in told.values()], list(told), default="").astype(object)


def _is_target(timeline: pd.DataFrame) -> NDArray[np.bool_]:
    is_matter = timeline["type"].isin(("event", *_OWED_TYPES))
    return (is_matter & (timeline["status"].isin(("planned", "unknown")) | timeline["is_stated"])).to_numpy()


def window_pairs(row_facts: pd.DataFrame, matter_keys: pd.DataFrame, dedupe_settings: DedupeSettings) -> pd.DataFrame:
    """Pairs of rows that happen on one local day and share a telling gram; small hours belong to two days.

    Returns:
        One row per unordered pair, columns `left`, `right` (positions in `timeline`, left < right), sorted by both.
        Rows without an event time form no pair here (see `undated_pairs`). Empty frame for an empty timeline.
    """
    by_day = _telling(matter_keys, row_facts["event_day"], dedupe_settings)
    by_other_day = _telling(matter_keys, row_facts["other_day"], dedupe_settings)
    together = pd.concat([by_day, by_other_day])
    return neighbour_pairs(together["block"].to_numpy(), together["row"].to_numpy(), dedupe_settings.block_reach)


def undated_pairs(row_facts: pd.DataFrame, matter_keys: pd.DataFrame, dedupe_settings: DedupeSettings) -> pd.DataFrame:
    """Pairs of rows that were observed on one local day and share a telling gram, one of them without an event time.

    Returns:
        As `window_pairs`.
    """
    keys = _telling(matter_keys, row_facts["observed_day"], dedupe_settings)
    pairs = neighbour_pairs(keys["block"].to_numpy(), keys["row"].to_numpy(), dedupe_settings.block_reach)
    is_undated = (row_facts["event_day"] < 0).to_numpy()
    return pairs[is_undated[pairs["left"]] | is_undated[pairs["right"]]].reset_index(drop=True)


def _telling(keys: pd.DataFrame, day: pd.Series, settings: DedupeSettings) -> pd.DataFrame:
    """The telling keys of the rows that have a day: `row` and `block` (one a day and gram)."""
    days = day.to_numpy()[keys["row"]]
    telling = keys[(keys["weight"].to_numpy() >= settings.telling_weight) & (days >= 0)]
    return pd.DataFrame({"row": telling["row"], "block": (days[telling.index] << GRAM_BITS) | telling["gram"]})


def correction_pairs(
    timeline: pd.DataFrame, row_facts: pd.DataFrame, matter_keys: pd.DataFrame, dedupe_settings: DedupeSettings
) -> pd.DataFrame:
    """Pairs of a row that moves, cancels or settles something, and an earlier row that it may mean.

    The two share a telling gram, or the later names the time at which the earlier stood. The earlier was observed at
    most `correction_days` before, and had not passed: only what is still to come can be moved, only what is owed can
    be settled.

    Returns:
        One row per pair, columns `left`, `right` (positions, left < right), `later` (which of them corrects),
        `relation` (`moved`, `cancelled`, `completed`, or `renewed`: owed again for another day) and `named`
        (`named_time` or `named_day` where the later names the time of the earlier, else empty), sorted by `left`,
        `right`.
    """
    alike = _alike_pairs(row_facts, matter_keys, dedupe_settings).assign(named="")
    met = pd.concat([_named_pairs(timeline, row_facts, dedupe_settings), alike])
    fits = _may_correct(row_facts, met["earlier"].to_numpy(), met["later"].to_numpy(), dedupe_settings)
    pairs = met[fits].drop_duplicates(["earlier", "later"])
    ends = pairs[["earlier", "later"]].to_numpy()
    found = pairs.assign(
        left=ends.min(axis=1), right=ends.max(axis=1), relation=row_facts["relation"].to_numpy()[pairs["later"]]
    )
    columns = ["left", "right", "later", "relation", "named"]
    return found.sort_values(["left", "right"], ignore_index=True)[columns]


def _alike_pairs(rows: pd.DataFrame, keys: pd.DataFrame, settings: DedupeSettings) -> pd.DataFrame:
    order = np.argsort(rows["observed"].to_numpy(), kind="stable")
    rank = np.argsort(order, kind="stable")
    row, gram = keys["row"].to_numpy(), keys["gram"].to_numpy()
    is_correcting = rows["relation"].ne("").to_numpy()
    is_of_interest = np.zeros(1 << GRAM_BITS, dtype=np.bool_)
    is_of_interest[gram[is_correcting[row]]] = True
    is_telling = keys["weight"].to_numpy() >= settings.telling_weight
    may_meet = is_telling & is_of_interest[gram] & (is_correcting | rows["is_target"].to_numpy())[row]
    met = neighbour_pairs(gram[may_meet], rank[row[may_meet]], settings.correction_reach)
    return pd.DataFrame({"earlier": order[met["left"].to_numpy()], "later": order[met["right"].to_numpy()]})


def _named_pairs(timeline: pd.DataFrame, rows: pd.DataFrame, settings: DedupeSettings) -> pd.DataFrame:
    start = rows["start"].to_numpy()
    named = named_times(timeline[rows["relation"].isin(("moved", "cancelled"))], start)
    return rows_at(named, start, settings.correction_reach)


def _may_correct(
    rows: pd.DataFrame, earlier: Positions, later: Positions, settings: DedupeSettings
) -> NDArray[np.bool_]:
    observed, end, relation = (rows[name].to_numpy() for name in ("observed", "end", "relation"))
    is_owed, is_target = rows["kind"].eq("owed").to_numpy(), rows["is_target"].to_numpy()
    is_report, is_renewal, corrects = relation == "completed", relation == "renewed", relation != ""
    age = observed[later] - observed[earlier]
    is_recent = (age >= 0) & (age <= settings.correction_days * _DAY_MINUTES)
    has_passed = end[earlier] + np.where(is_report, _OVERDUE_DAYS, 1)[later] * _DAY_MINUTES < observed[later]
    may_settle = is_owed[earlier] | ~is_report[later]
    may_renew = (is_owed & np.isfinite(end))[earlier] | ~is_renewal[later]
    return np.asarray(
        is_target[earlier] & corrects[later] & is_recent & ~has_passed & may_settle & may_renew & (earlier != later)
    )


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

    Pairs whose times exclude each other are kept, unread, as evidence against larger groups.

    Returns:
        One row per pair and relation: `left`, `right`, `later` (-1 for a plain pair), `relation` (empty for a plain
        pair), `named` (see `correction_pairs`), `time` (how the event times stand, a name of `POINTS`), `words` and
        `telling_words` (see `shared_words`), `people` and `codes` (1 agree, -1 disagree, 0 unknown), `points` (log
        odds of one event).
    """
    plain = union_pairs(window_pairs, undated_pairs).assign(later=-1, relation="", named="")
    pairs = pd.concat([plain, correction_pairs], ignore_index=True)
    relation = time_relation(
        row_facts, pairs["left"].to_numpy(), pairs["right"].to_numpy(), dedupe_settings.window_minutes
    )
    pairs = pairs.assign(time=relation)
    is_excluded = pairs["time"].isin(EXCLUDING) & pairs["relation"].eq("")
    return pd.concat(
        [_judged(pairs[~is_excluded], timeline, row_facts, matter_keys), _unread(pairs[is_excluded], row_facts)],
        ignore_index=True,
    )


def _judged(pairs: pd.DataFrame, timeline: pd.DataFrame, rows: pd.DataFrame, keys: pd.DataFrame) -> pd.DataFrame:
    left, right = pairs["left"].to_numpy(), pairs["right"].to_numpy()
    codes = [codes_in(text) for text in timeline["content"].tolist()]
    evidence = pairs.assign(
        people=people_agreement(timeline["participants"], left, right),
        codes=agreement(codes, left, right, codes_agreement),
        **shared_words(keys, left, right, len(timeline)),
    )
    return evidence.assign(points=pair_points(evidence, rows))


def _unread(pairs: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    is_stated = rows["is_stated"].to_numpy()
    both_stated = is_stated[pairs["left"]] & is_stated[pairs["right"]]
    points = pairs["time"].map(POINTS).astype("float64") + np.where(both_stated, POINTS["both_stated"], 0.0)
    return pairs.assign(people=0, codes=0, telling_words=0.0, words=0.0, points=points)


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
    links = _open_links(pair_evidence, row_facts["is_target"].to_numpy(), group)
    by_points = links.assign(later_group=group[links["later"]]).sort_values("points", ascending=False, kind="stable")
    best = by_points.drop_duplicates("later_group")
    return pd.Series(joined_groups(group, best), name="duplicate_group")


def _open_links(evidence: pd.DataFrame, is_target: NDArray[np.bool_], group: Positions) -> pd.DataFrame:
    """The pairs of which one moves, cancels or settles the other, and that do not stand in one group yet.

    What stands at the same time is not moved, what stands at another is not cancelled, and a report that already tells
    of something settles nothing else.
    """
    links = evidence[evidence["relation"].ne("") & evidence["points"].gt(0)]
    is_same_time = links["relation"].isin(("moved", "renewed")) & links["time"].isin(MEETING)
    is_other_time = links["relation"].eq("cancelled") & links["time"].isin(EXCLUDING)
    has_matter = np.bincount(group, weights=is_target, minlength=len(group))[group] > 0
    is_taken = links["relation"].eq("completed") & has_matter[links["later"]]
    is_apart = group[links["left"]] != group[links["right"]]
    open_links: pd.DataFrame = links[~is_same_time & ~is_other_time & ~is_taken & is_apart]
    return open_links


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
        participants=pd.Series(
            [tuple(dict.fromkeys(chain.from_iterable(names))) for names in _by_group(by_lead, "participants")],
            items.index,
            dtype=object,
        ),
        location=grouped["location"].first(),
        importance=_importance_of_all(grouped),
        confidence=grouped["confidence"].max(),
        is_correction=grouped["is_correction"].any(),
        merged_from=pd.Series([tuple(refs) for refs in _by_group(by_lead, "source_ref")], items.index, dtype=object),
        merge_reason=_merge_reasons(evidence, groups).reindex(items.index).astype("str"),
        first_observed_time=grouped["observed_time"].min(),
        last_observed_time=grouped["observed_time"].max(),
        words=pd.Series(["\n".join(words) for words in _by_group(by_lead, "words")], items.index, dtype="str"),
    )


def _by_group(rows: pd.DataFrame, name: str) -> Iterator[list[Any]]:
    """The values of one column, group by group; rows sorted by group."""
    values = rows[name].tolist()
    starts = [*np.flatnonzero(~rows["group"].duplicated()).tolist(), len(values)]
    return (values[start:end] for start, end in pairwise(starts))


def _importance_of_all(grouped: Any) -> pd.Series:
    """The highest importance of each group, a little higher for each further record: what is told again matters."""
    lift = (_REPEAT_LIFT * (grouped.size() - 1)).clip(upper=_MOST_LIFT)
    lifted: pd.Series = (grouped["importance"].max() + lift).clip(upper=1.0)
    return lifted


def _timing_rows(rows: pd.DataFrame) -> pd.DataFrame:
    """The row of each group whose time stands: the latest correction that names one, else the most exact."""
    dated = rows.assign(
        is_dated=rows["event_time"].notna(),
        moved_at=rows["observed_time"].where((rows["is_correction"] | rows["due"]) & rows["event_time"].notna()),
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
        "时间相合": inside["time"].isin(MEETING),
        "内容相似": inside["words"].ge(0.2),
        "人物相同": inside["people"].eq(1),
        "后来改期": inside["relation"].isin(("moved", "renewed")),
        "后来取消": inside["relation"].eq("cancelled"),
        "后来完成": inside["relation"].eq("completed"),
    }
    flags = pd.DataFrame(said).groupby(group[inside["left"]]).any()
    code = flags.to_numpy() @ (1 << np.arange(len(said)))
    words = [
        "、".join(reason for at, reason in enumerate(said) if number >> at & 1) for number in range(1 << len(said))
    ]
    return pd.Series(np.array(words, dtype=object)[code], index=flags.index, dtype="str")


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
