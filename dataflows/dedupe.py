"""Which rows of a timeline tell of one event, and the timeline in which each event stands once.

Time alone never merges: rows must be near in time *and* alike in what they say, or one must correct the other. Pairs to
judge come from blocks (a day or a matter, and a shared bigram) in which each row meets a few neighbours only, so the
work grows with the number of rows, however full a day is.
"""

# The functions of pyarrow.compute are made when it is imported:
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from temporal_recall.dataflows.arrays import flags
from temporal_recall.dataflows.columns import (
    coded,
    instants,
    is_any,
    local_days,
    matches,
    minutes,
    named_by,
    numbered,
    of_codes,
    texts,
    vocabulary,
)
from temporal_recall.dataflows.language.grams import GRAM_BITS, gram_weights, text_grams
from temporal_recall.dataflows.matching.blocks import Pairs, neighbour_pairs, packed, union_pairs
from temporal_recall.dataflows.matching.codes import codes_of_pairs
from temporal_recall.dataflows.matching.corrections import (
    NAMINGS,
    NamedRows,
    named_times,
    rows_at,
    times_named,
)
from temporal_recall.dataflows.matching.evidence import (
    EXCLUDING,
    MEETING,
    RELATIONS,
    TOLD_AT_ONCE_MINUTES,
    Compared,
    pair_points,
    people_agreement,
    shared_words,
    time_relation,
    unread_points,
)
from temporal_recall.dataflows.matching.facts import ASKS, RowFacts
from temporal_recall.dataflows.matching.linkage import average_link_groups, joined_groups
from temporal_recall.dataflows.matching.merging import Members, gathered_values, standing_rows
from temporal_recall.dataflows.matching.reports import reported_plans, sole_plan_starts, tells_phase
from temporal_recall.dataflows.runs import Positions, distinct, first_places
from temporal_recall.schemas.frames import DEDUPLICATED_TIMELINE, TIMELINE, checked
from temporal_recall.schemas.settings import DedupeSettings, SourceSettings

_KINDS = vocabulary("event", "mention", "decision", "owed")
_OWED_TYPES = ("todo", "commitment")
_INTEREST_BITS = 18
_INTEREST_MASK = (1 << _INTEREST_BITS) - 1
_DAY_MINUTES = 24 * 60
_OVERDUE_DAYS = 3
_SMALL_HOURS = np.timedelta64(6, "h")
_MOMENT = np.timedelta64(1, "us")


def unmerged_timeline(timeline: pd.DataFrame) -> pd.DataFrame:
    """Every row as an item of its own (contract `DEDUPLICATED_TIMELINE`), same order; nothing is merged yet."""
    checked(timeline, TIMELINE)
    is_done = is_any(coded(timeline, "status"), "completed")
    nothing_merged = np.full(len(timeline), None)
    nothing_merged.fill(())
    observed_time, event_time = timeline["observed_time"].array, timeline["event_time"].array
    own = pd.DataFrame(
        {
            "merged_from": nothing_merged,
            "merge_reason": texts(pa.nulls(len(timeline), pa.large_string())),
            "done_time": event_time.take(np.where(is_done, np.arange(len(timeline)), -1), allow_fill=True),
            "first_event_time": event_time,
            "first_observed_time": observed_time,
            "last_observed_time": observed_time,
            "words": _words(timeline),
        },
        index=timeline.index,
        copy=False,
    )
    return pd.concat([timeline, own], axis=1)


def _words(timeline: pd.DataFrame) -> pd.api.extensions.ExtensionArray:
    """What each row says, with its place and people; the title too, where a source states one beside the text."""
    title, content, location = (pa.array(timeline[name].array) for name in ("title", "content", "location"))
    has_own_title = pc.and_(pa.array(timeline["is_stated"].to_numpy()), pc.not_equal(title, content))
    nothing = pa.scalar("", pa.large_string())
    people = pa.array([" ".join(names) for names in timeline["participants"].tolist()], pa.large_string())
    parts = (pc.if_else(has_own_title, title, nothing), content, pc.fill_null(location, nothing), people)
    return texts(pc.binary_join_element_wise(*parts, pa.scalar("\n", pa.large_string())))


def matter_keys(unmerged_timeline: pd.DataFrame) -> pd.DataFrame:
    """The telling characters and bigrams of what each row says, with its place and people.

    Mentions and an assistant's words tell of no event of their own; they have no keys and merge with nothing.

    Returns:
        One row per row of `unmerged_timeline` and gram: `row` (position), `gram` (hashed), `weight` (0..1, how telling
        the gram is among these rows); sorted by `row`, `gram`. Empty frame for an empty timeline.
    """
    rows = unmerged_timeline
    is_silent = is_any(coded(rows, "type"), "mention") | is_any(coded(rows, "role"), "assistant")
    words = pc.if_else(pa.array(is_silent), "", pa.array(rows["words"].array))
    grams = text_grams(words.to_pylist())
    return grams.assign(weight=gram_weights(grams, len(rows)))


def row_facts(timeline: pd.DataFrame) -> RowFacts:
    """What pairs are compared by, one value per row of `timeline`; empty arrays for an empty timeline."""
    event, event_end, observed = (instants(timeline[name]) for name in ("event_time", "event_end", "observed_time"))
    event_day, observed_day, day_before, last_day = local_days(
        timeline["time_zone"], event, observed, event - _SMALL_HOURS, event_end - _MOMENT
    )
    types, statuses = coded(timeline, "type"), coded(timeline, "status")
    is_stated, is_report = flags(timeline["is_stated"]), is_any(statuses, "completed")
    is_exact = is_any(coded(timeline, "granularity"), "minute", "hour")
    start = minutes(event)
    end = np.fmax(minutes(event_end), start + 1)
    is_plan = np.isfinite(start) & is_exact & ~is_report & ~is_any(statuses, "cancelled")
    return RowFacts(
        start=start,
        end=end,
        observed=minutes(observed),
        event_day=event_day,
        other_day=np.where(last_day > event_day, last_day, np.where(day_before < event_day, day_before, -1)),
        observed_day=observed_day,
        is_exact=is_exact,
        is_report=is_report,
        is_plan=is_plan,
        is_stated=is_stated,
        tells_phase=_tell_phases(timeline["content"], is_report & ~is_stated),
        times_named=times_named(timeline["content"]),
        asks=is_any(coded(timeline, "role"), "user") & matches(timeline["content"], ASKS),
        kind=_kinds(types),
        owner=coded(timeline, "owner"),
        source=numbered(timeline["source"]),
        relation=_relations(timeline, types, statuses),
        is_target=is_any(types, "event", *_OWED_TYPES) & (is_any(statuses, "planned", "unknown") | is_stated),
        sole_start=sole_plan_starts(start, end, is_plan, is_report),
    )


def _tell_phases(content: pd.Series, is_report: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which of the reports among the rows tell of a phase."""
    tell = is_report.copy()
    tell[is_report] = tells_phase(content[is_report])
    return tell


def _kinds(types: pd.Categorical) -> pd.Categorical:
    """What each row is of: what one has to do is owed, whatever it is called."""
    kinds = {"owed": is_any(types, *_OWED_TYPES), "decision": is_any(types, "decision")}
    return named_by(kinds | {"mention": is_any(types, "mention")}, _KINDS, default="event")


def _relations(timeline: pd.DataFrame, types: pd.Categorical, statuses: pd.Categorical) -> pd.Categorical:
    is_said = ~timeline["is_stated"].to_numpy()
    told = {
        "cancelled": is_said & is_any(statuses, "cancelled"),
        "moved": timeline["is_correction"].to_numpy(),
        "completed": is_said & is_any(statuses, "completed") & ~is_any(types, "decision"),
        "renewed": is_said & timeline["due"].to_numpy() & is_any(statuses, "planned"),
    }
    return named_by(told, RELATIONS, default="")


def window_pairs(row_facts: RowFacts, matter_keys: pd.DataFrame, dedupe_settings: DedupeSettings) -> Pairs:
    """Pairs of rows that happen on one local day and share a telling gram, begin at one minute, or are told at once.

    Small hours belong to two days.

    Returns:
        Each unordered pair once, `left`, `right` (positions in `timeline`, left < right), sorted by both. Rows without
        an event time form no pair here (see `undated_pairs`). No pairs for an empty timeline.
    """
    has_words = np.zeros(len(row_facts.start), dtype=np.bool_)
    has_words[matter_keys["row"].to_numpy()] = True
    dated = np.flatnonzero(has_words & (row_facts.event_day >= 0))
    exact = dated[row_facts.is_exact[dated]]
    return union_pairs(
        _met_on_days(matter_keys, [row_facts.event_day, row_facts.other_day], dedupe_settings),
        neighbour_pairs(row_facts.start[exact].astype(np.int64), exact, dedupe_settings.block_reach),
        _told_at_once(row_facts, dated),
    )


def undated_pairs(row_facts: RowFacts, matter_keys: pd.DataFrame, dedupe_settings: DedupeSettings) -> Pairs:
    """Pairs of rows that were observed on one local day and share a telling gram, one of them without an event time.

    Returns:
        As `window_pairs`.
    """
    pairs = _met_on_days(matter_keys, [row_facts.observed_day], dedupe_settings)
    is_undated = row_facts.event_day < 0
    has_undated = is_undated[pairs.left] | is_undated[pairs.right]
    return Pairs(pairs.left[has_undated], pairs.right[has_undated])


def reported_pairs(row_facts: RowFacts, dedupe_settings: DedupeSettings) -> Pairs:
    """Pairs of a report that something begins or is over and what alone was planned around then, and of such reports.

    Returns:
        As `window_pairs`.
    """
    rows = row_facts
    return reported_plans(rows.start, rows.is_plan, rows.tells_phase, rows.sole_start, dedupe_settings.block_reach)


def _told_at_once(rows: RowFacts, dated: Positions) -> Pairs:
    """Neighbours in the order of telling, among rows with a day, that tell of one day within minutes."""
    order = dated[np.lexsort((rows.observed[dated], rows.event_day[dated]))]
    one, other = order[:-1], order[1:]
    is_at_once = rows.observed[other] - rows.observed[one] <= TOLD_AT_ONCE_MINUTES
    is_at_once &= rows.event_day[one] == rows.event_day[other]
    return union_pairs(Pairs(np.minimum(one, other)[is_at_once], np.maximum(one, other)[is_at_once]))


def _met_on_days(keys: pd.DataFrame, days: list[Positions], settings: DedupeSettings) -> Pairs:
    """The rows that share a telling gram and a day; a block is a day and a gram."""
    row, gram = _telling(keys, settings)
    blocks = [(day[row] << GRAM_BITS) | gram for day in days]
    has_day = np.concatenate([day[row] >= 0 for day in days])
    return neighbour_pairs(np.concatenate(blocks)[has_day], np.tile(row, len(days))[has_day], settings.block_reach)


def _telling(keys: pd.DataFrame, settings: DedupeSettings) -> tuple[Positions, Positions]:
    """Row and gram of the telling keys."""
    is_telling = keys["weight"].to_numpy() >= settings.telling_weight
    return keys["row"].to_numpy()[is_telling], keys["gram"].to_numpy()[is_telling]


def correction_pairs(
    timeline: pd.DataFrame, row_facts: RowFacts, matter_keys: pd.DataFrame, dedupe_settings: DedupeSettings
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
    by_time = _named_pairs(timeline, row_facts, dedupe_settings)
    by_words = _alike_pairs(row_facts, matter_keys, dedupe_settings)
    earlier, later = (np.concatenate(ends) for ends in zip(by_time[:2], by_words, strict=True))
    naming = np.concatenate([by_time.named.codes, np.zeros(len(by_words.left), dtype=np.int8)])
    fits = np.flatnonzero(_may_correct(row_facts, earlier, later, dedupe_settings))
    found = fits[first_places(packed(earlier[fits], later[fits]))]
    left, right = np.minimum(earlier, later)[found], np.maximum(earlier, later)[found]
    order = np.argsort(packed(left, right), kind="stable")
    later = later[found][order]
    return pd.DataFrame(
        {
            "left": left[order],
            "right": right[order],
            "later": later,
            "relation": row_facts.relation[later],
            "named": of_codes(naming[found][order], NAMINGS),
        },
        copy=False,
    )


def _alike_pairs(rows: RowFacts, keys: pd.DataFrame, settings: DedupeSettings) -> Pairs:
    """Earlier and later rows that share a telling gram; the later or both correct something."""
    order = np.argsort(rows.observed, kind="stable")
    rank = np.argsort(order, kind="stable")
    row, gram = _telling(keys, settings)
    corrects = ~is_any(rows.relation, "")
    is_of_interest = np.zeros(1 << _INTEREST_BITS, dtype=np.bool_)  # small, so quick; a gram that slips in joins nobody
    is_of_interest[gram[corrects[row]] & _INTEREST_MASK] = True
    may_meet = is_of_interest[gram & _INTEREST_MASK] & (corrects | rows.is_target)[row]
    met = neighbour_pairs(gram[may_meet], rank[row[may_meet]], settings.correction_reach)
    return Pairs(order[met.left], order[met.right])


def _named_pairs(timeline: pd.DataFrame, rows: RowFacts, settings: DedupeSettings) -> NamedRows:
    moving = np.flatnonzero(is_any(rows.relation, "moved", "cancelled"))
    words, observed, zone = (timeline[name].take(moving) for name in ("content", "observed_time", "time_zone"))
    return rows_at(named_times(moving, words, observed, zone, rows.start), rows.start, settings.correction_reach)


def _may_correct(rows: RowFacts, earlier: Positions, later: Positions, settings: DedupeSettings) -> NDArray[np.bool_]:
    observed, end = rows.observed, rows.end
    is_report, is_renewal = is_any(rows.relation, "completed"), is_any(rows.relation, "renewed")
    is_owed, corrects = is_any(rows.kind, "owed"), ~is_any(rows.relation, "")
    age = observed[later] - observed[earlier]
    is_recent = (age >= 0) & (age <= settings.correction_days * _DAY_MINUTES)
    has_passed = end[earlier] + np.where(is_report, _OVERDUE_DAYS, 1)[later] * _DAY_MINUTES < observed[later]
    may_settle = is_owed[earlier] | ~is_report[later]
    may_renew = (is_owed & np.isfinite(end))[earlier] | ~is_renewal[later]
    return np.asarray(
        rows.is_target[earlier]
        & corrects[later]
        & is_recent
        & ~has_passed
        & may_settle
        & may_renew
        & (earlier != later)
    )


def pair_evidence(
    timeline: pd.DataFrame,
    row_facts: RowFacts,
    matter_keys: pd.DataFrame,
    window_pairs: Pairs,
    undated_pairs: Pairs,
    reported_pairs: Pairs,
    correction_pairs: pd.DataFrame,
    dedupe_settings: DedupeSettings,
) -> pd.DataFrame:
    """What speaks for and against each pair being one event.

    Pairs whose times exclude each other are kept, unread, as evidence against larger groups.

    Returns:
        One row per pair and relation: `left`, `right`, `later` (-1 for a plain pair), `relation` (empty for a plain
        pair), `named` (see `correction_pairs`), `time` (how the event times stand, one of `TIMES`), `people` and
        `codes` (1 agree, -1 disagree, 0 unknown), `telling_words` and `words` (see `shared_words`), `points` (log
        odds of one event). Plain pairs first, then corrections, each sorted by `left`, `right`.
    """
    pairs = _all_pairs([window_pairs, undated_pairs, reported_pairs], correction_pairs)
    time = time_relation(row_facts, pairs["left"], pairs["right"], dedupe_settings.window_minutes)
    is_unread = is_any(time, *EXCLUDING) & is_any(pairs["relation"], "")
    said = _what_both_say(timeline, matter_keys, pairs["left"], pairs["right"], np.flatnonzero(~is_unread))
    compared = Compared(**pairs, time=time, **said)
    points = np.where(is_unread, unread_points(compared, row_facts), pair_points(compared, row_facts))
    return pd.DataFrame({**compared._asdict(), "points": points}, copy=False)


def _all_pairs(plain_pairs: list[Pairs], corrections: pd.DataFrame) -> dict[str, Any]:
    """The plain pairs, each once, then those of which one corrects the other: the first columns of `pair_evidence`."""
    plain = union_pairs(*plain_pairs)
    nothing = np.zeros(len(plain.left), dtype=np.int8)
    names = {name: corrections[name].array for name in ("relation", "named")}
    return {
        "left": np.concatenate([plain.left, corrections["left"].to_numpy()]),
        "right": np.concatenate([plain.right, corrections["right"].to_numpy()]),
        "later": np.concatenate([np.full(len(plain.left), -1), corrections["later"].to_numpy()]),
        **{name: of_codes(np.concatenate([nothing, v.codes]), v.dtype) for name, v in names.items()},
    }


def _what_both_say(
    timeline: pd.DataFrame, keys: pd.DataFrame, left: Positions, right: Positions, read: Positions
) -> dict[str, Any]:
    """People, codes and words of the pairs `read`; nothing known of the others."""
    a, b = left[read], right[read]
    telling_words, words = shared_words(keys, a, b, len(timeline))
    found = {
        "people": people_agreement(timeline["participants"], a, b),
        "codes": codes_of_pairs(timeline["content"], a, b),
        "telling_words": telling_words,
        "words": words,
    }
    return {name: _placed(values, read, len(left)) for name, values in found.items()}


def _placed(values: NDArray[Any], at: Positions, count: int) -> NDArray[Any]:
    """So many zeros, with `values` at some of them."""
    spread = np.zeros(count, dtype=values.dtype)
    spread[at] = values
    return spread


def duplicate_groups(row_facts: RowFacts, pair_evidence: pd.DataFrame, dedupe_settings: DedupeSettings) -> pd.Series:
    """The event of each row: the lowest position among the rows that tell of it.

    Rows of near times join where their pairs on average speak for it. Then each row that moves, cancels or settles
    something joins the one earlier matter that it fits best.

    Returns:
        int64 Series over the positions of `timeline`.
    """
    left, right, later, points = (pair_evidence[name].to_numpy() for name in ("left", "right", "later", "points"))
    is_plain = is_any(pair_evidence["relation"].array, "")
    plain = average_link_groups(
        left[is_plain], right[is_plain], points[is_plain], len(row_facts.start), dedupe_settings.absent_points
    )
    links = np.flatnonzero(_is_open_link(pair_evidence, row_facts, plain))
    links = links[np.argsort(-points[links], kind="stable")]
    best = links[first_places(plain[later[links]])]
    return pd.Series(joined_groups(plain, left[best], right[best]), name="duplicate_group", copy=False)


def _is_open_link(evidence: pd.DataFrame, rows: RowFacts, group: Positions) -> NDArray[np.bool_]:
    """The pairs of which one moves, cancels or settles the other, and that do not stand in one group yet.

    What stands at the same time is not moved, what stands at another is not cancelled, a report that already tells of
    something settles nothing else, and two entries of a calendar are two matters, unless one says that it moved.
    """
    left, right, later, points = (evidence[name].to_numpy() for name in ("left", "right", "later", "points"))
    relation, time = evidence["relation"].array, evidence["time"].array
    is_same_time = is_any(relation, "moved", "renewed") & is_any(time, *MEETING)
    is_other_time = is_any(relation, "cancelled") & is_any(time, *EXCLUDING)
    is_moved_entry = rows.is_stated & is_any(rows.relation, "moved")
    flags_by_row = (rows.is_target, rows.is_stated, is_moved_entry)
    has_matter, has_entry, has_moved_entry = (_any_in_group(values, group) for values in flags_by_row)
    both_stated = has_entry[left] & has_entry[right] & ~has_moved_entry[later]
    is_taken = is_any(relation, "completed") & has_matter[later]
    is_link = ~is_any(relation, "") & (points > 0)
    is_apart = (group[left] != group[right]) & ~both_stated
    return np.asarray(is_link & ~is_same_time & ~is_other_time & ~is_taken & is_apart)


def _any_in_group(values: NDArray[np.bool_], group: Positions) -> NDArray[np.bool_]:
    """For each row whether its group holds one of which the value is true."""
    return np.asarray(np.bincount(group, weights=values, minlength=len(group))[group] > 0)


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
    rows = unmerged_timeline
    reliability = _reliability(rows["source"], source_settings)
    members = Members.of(duplicate_groups.to_numpy(), reliability, rows["due"].to_numpy())
    standing, gathered = standing_rows(rows, members), gathered_values(rows, members, pair_evidence)
    items = _in_time_order(rows, members.items, standing["event_time"])
    columns = {
        name: (gathered[name] if name in gathered else rows[name].array).take(standing.get(name, members.own)[items])
        for name in DEDUPLICATED_TIMELINE.dtypes
    }
    return checked(pd.DataFrame(columns, copy=False), DEDUPLICATED_TIMELINE)


def _reliability(source: pd.Series, settings: SourceSettings) -> NDArray[np.float64]:
    """How reliable the source of each row is; one that nobody set, not at all."""
    sources = numbered(source)
    by_code = [settings.reliability_by_source.get(name, 0.0) for name in sources.categories]
    return np.asarray(np.array(by_code, dtype=np.float64)[sources.codes])


def _in_time_order(timeline: pd.DataFrame, items: Positions, timing: Positions) -> Positions:
    """The items by event time (those without one last), then observed time, then `source_ref`.

    References are read only where both times are the same, which is seldom: to sort texts takes long.
    """
    event = instants(timeline["event_time"])[timing[items]]
    event = np.where(np.isnat(event), np.iinfo(np.int64).max, event.astype(np.int64))
    observed = instants(timeline["observed_time"])[items].astype(np.int64)
    order = np.lexsort((observed, event))
    same = np.flatnonzero((np.diff(event[order]) == 0) & (np.diff(observed[order]) == 0))
    tied = order[distinct(np.concatenate([same, same + 1]))]
    refs = timeline["source_ref"].array.take(items[tied]).to_numpy()
    rank = np.zeros(len(items), dtype=np.int64)
    rank[tied[np.argsort(refs, kind="stable")]] = np.arange(len(tied))
    return items[np.lexsort((rank, observed, event))]
