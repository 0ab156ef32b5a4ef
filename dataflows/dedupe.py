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
from hamilton.function_modifiers import config
from numpy.typing import NDArray

from temporal_recall.dataflows.columns import (
    Flags,
    Reals,
    local_days,
    minutes,
    named_by,
)
from temporal_recall.dataflows.language.gram_texts import read_grams
from temporal_recall.dataflows.language.grams import GRAM_BITS, gram_weights
from temporal_recall.dataflows.matching.blocks import Pairs, neighbour_pairs, packed, union_pairs, unpacked
from temporal_recall.dataflows.matching.codes import codes_of_pairs
from temporal_recall.dataflows.matching.corrections import (
    NAMINGS,
    NamedRows,
    named_times,
    rows_at,
)
from temporal_recall.dataflows.matching.evidence import (
    EXCLUDING,
    MEETING,
    RELATIONS,
    TOLD_AT_ONCE_MINUTES,
    BothSay,
    Compared,
    PairEvidence,
    RelatedPairs,
    pair_points,
    people_agreement,
    shared_words,
    time_relation,
    unread_points,
)
from temporal_recall.dataflows.matching.facts import MatterKeys, RowFacts
from temporal_recall.dataflows.matching.linkage import average_link_groups, joined_groups
from temporal_recall.dataflows.matching.merging import Members, merged_items
from temporal_recall.dataflows.matching.people import NamedPeople
from temporal_recall.dataflows.matching.reports import reported_plans, sole_plan_starts
from temporal_recall.dataflows.matching.telling import compared
from temporal_recall.dataflows.runs import Positions, distinct, is_member, run_starts
from temporal_recall.schemas.columns import Coded, Columns
from temporal_recall.schemas.frames import DEDUPLICATED_TIMELINE, TIMELINE
from temporal_recall.schemas.settings import DedupeSettings, SourceSettings

_KINDS = ("event", "mention", "decision", "owed")
_OWED_TYPES = ("todo", "commitment")
_INTEREST_BITS = 18
_INTEREST_MASK = (1 << _INTEREST_BITS) - 1
_NAMING_BITS = 2
_NAMING_MASK = (1 << _NAMING_BITS) - 1
_DAY_MINUTES = 24 * 60
_OVERDUE_DAYS = 3
_SMALL_HOURS = np.timedelta64(6, "h")
_MOMENT = np.timedelta64(1, "us")


@config.when_not_in(timeline_from=["index", "index_and_live"])
def timeline_columns(timeline: pd.DataFrame) -> Columns:
    """The columns of the timeline, and what its words say (contract `COMPARED_TIMELINE`), made when they are read.

    Beside the contract there are the `words` themselves, from `with_words`.
    """
    return compared(Columns.of(timeline, TIMELINE))


def row_facts(timeline_columns: Columns) -> RowFacts:
    """What rows are compared by, one value per row of `timeline`; empty arrays for an empty timeline."""
    rows = timeline_columns
    event, event_end, observed = (rows[name] for name in ("event_time", "event_end", "observed_time"))
    event_day, observed_day, day_before, last_day = local_days(
        rows.coded("time_zone"), event, observed, event - _SMALL_HOURS, event_end - _MOMENT
    )
    types, status, granularity, role = (rows.coded(name) for name in ("type", "status", "granularity", "role"))
    is_stated, is_correction, due = (rows[name] for name in ("is_stated", "is_correction", "due"))
    start = minutes(event)
    end = np.fmax(minutes(event_end), start + 1)
    is_exact, is_report = granularity.is_any("minute", "hour"), status.is_any("completed")
    is_plan = np.isfinite(start) & is_exact & ~is_report & ~status.is_any("cancelled")
    sole_start = sole_plan_starts(start, end, is_plan, is_report)
    lists_duties = rows["lists_several"] & types.is_any("event", *_OWED_TYPES) & status.is_any("planned")
    return RowFacts(
        start=start,
        end=end,
        observed=minutes(observed),
        event_day=event_day,
        other_day=np.where(last_day > event_day, last_day, np.where(day_before < event_day, day_before, -1)),
        observed_day=observed_day,
        status=status,
        granularity=granularity,
        owner=rows.coded("owner"),
        source=rows.coded("source"),
        is_exact=is_exact,
        is_report=is_report,
        is_plan=is_plan,
        is_stated=is_stated,
        is_correction=is_correction,
        due=due,
        is_silent=types.is_any("mention") | role.is_any("assistant") | lists_duties,
        tells_phase=rows["tells_phase"] & np.isfinite(sole_start) & ~is_stated,
        times_named=rows["times_named"],
        asks=rows["asks"] & role.is_any("user"),
        kind=_kinds(types),
        relation=_relations(types, status, is_stated, is_correction, due),
        is_target=types.is_any("event", *_OWED_TYPES) & (status.is_any("planned", "unknown") | is_stated),
        sole_start=sole_start,
        people=NamedPeople.of(rows.coded("participants")),
    )


def _kinds(types: Coded) -> Coded:
    """What each row is of: what one has to do is owed, whatever it is called."""
    kinds = {"owed": types.is_any(*_OWED_TYPES), "decision": types.is_any("decision")}
    return named_by(kinds | {"mention": types.is_any("mention")}, _KINDS, default="event")


def _relations(types: Coded, status: Coded, is_stated: Flags, is_correction: Flags, due: Flags) -> Coded:
    told_as = {
        "cancelled": ~is_stated & status.is_any("cancelled"),
        "moved": is_correction,
        "completed": ~is_stated & status.is_any("completed") & ~types.is_any("decision"),
        "renewed": ~is_stated & due & status.is_any("planned"),
    }
    return named_by(told_as, RELATIONS, default="")


def matter_keys(timeline_columns: Columns, row_facts: RowFacts) -> MatterKeys:
    """The telling characters and bigrams of what each row says, with its place and people; none for an empty timeline.

    Mentions and an assistant's words tell of no event of their own; they have no keys and merge with nothing.
    """
    grams = read_grams(timeline_columns["grams"])
    tells = np.flatnonzero(~row_facts.is_silent[grams.row])
    row, gram = grams.row[tells], grams.gram[tells]
    return MatterKeys(row, gram, gram_weights(gram, len(timeline_columns)))


def meeting_keys(matter_keys: MatterKeys, dedupe_settings: DedupeSettings) -> MatterKeys:
    """The keys by which rows meet: those that tell enough of the matter."""
    return matter_keys.at(np.flatnonzero(matter_keys.weight >= dedupe_settings.telling_weight))


def window_pairs(row_facts: RowFacts, meeting_keys: MatterKeys, dedupe_settings: DedupeSettings) -> Pairs:
    """Pairs of rows that happen on one local day and share a telling gram, begin at one minute, or are told at once.

    Small hours belong to two days.

    Returns:
        Each unordered pair once, `left`, `right` (positions in `timeline`, left < right), sorted by both. Rows without
        an event time form no pair here (see `undated_pairs`). No pairs for an empty timeline.
    """
    dated = np.flatnonzero(~row_facts.is_silent & (row_facts.event_day >= 0))
    exact = dated[row_facts.is_exact[dated]]
    return union_pairs(
        _met_on_days(meeting_keys, [row_facts.event_day, row_facts.other_day], dedupe_settings),
        neighbour_pairs(row_facts.start[exact].astype(np.int64), exact, dedupe_settings.block_reach),
        _told_at_once(row_facts, dated),
    )


def undated_pairs(row_facts: RowFacts, meeting_keys: MatterKeys, dedupe_settings: DedupeSettings) -> Pairs:
    """Pairs of rows that were observed on one local day and share a telling gram, one of them without an event time.

    Returns:
        As `window_pairs`.
    """
    day, is_undated = row_facts.observed_day, (row_facts.event_day < 0) & ~row_facts.is_silent
    has_undated = is_member(day, distinct(day[is_undated]))
    left, right = _met_on_days(meeting_keys, [np.where(has_undated, day, -1)], dedupe_settings)
    is_wanted = is_undated[left] | is_undated[right]
    return Pairs(left[is_wanted], right[is_wanted])


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
    one, other = one[is_at_once], other[is_at_once]
    return Pairs(np.minimum(one, other), np.maximum(one, other))


def _met_on_days(keys: MatterKeys, days: list[Positions], settings: DedupeSettings) -> Pairs:
    """The rows that share a telling gram and a day; a block is a day and a gram."""
    at = [np.flatnonzero(day[keys.row] >= 0) for day in days]
    rows = [keys.row[entries] for entries in at]
    blocks = [(day[row] << GRAM_BITS) | keys.gram[e] for day, row, e in zip(days, rows, at, strict=True)]
    return neighbour_pairs(np.concatenate(blocks), np.concatenate(rows), settings.block_reach)


def correction_pairs(
    timeline_columns: Columns, row_facts: RowFacts, meeting_keys: MatterKeys, dedupe_settings: DedupeSettings
) -> RelatedPairs:
    """Pairs of a row that moves, cancels or settles something, and an earlier row that it may mean.

    The two share a telling gram, or the later names the time at which the earlier stood. The earlier was observed at
    most `correction_days` before, and had not passed: only what is still to come can be moved, only what is owed can
    be settled. Sorted by `left`, `right`.
    """
    by_time = _named_pairs(timeline_columns, row_facts, dedupe_settings)
    by_words = _alike_pairs(row_facts, meeting_keys, dedupe_settings)
    earlier, later = (np.concatenate(ends) for ends in zip(by_time[:2], by_words, strict=True))
    naming = np.concatenate([by_time.named.codes, np.zeros(len(by_words.left), dtype=np.int8)])
    meant = np.flatnonzero(_may_be_meant(row_facts, earlier, later, dedupe_settings))
    earlier, later, naming = earlier[meant], later[meant], naming[meant]
    pair = packed(np.minimum(earlier, later), np.maximum(earlier, later)) * 2 + (earlier < later)
    known, naming = _first_named(pair, naming)
    left, right = unpacked(known >> 1)
    later = np.where(known & 1, right, left)
    return RelatedPairs(left, right, later, row_facts.relation.at(later), Coded(naming, NAMINGS))


def _first_named(pair: Positions, naming: NDArray[np.integer]) -> tuple[Positions, NDArray[np.integer]]:
    """The distinct numbers of pairs in ascending order, and how each is named: most exactly, where it stands twice."""
    ordered = distinct((pair << _NAMING_BITS) | (naming - 1) & _NAMING_MASK)  # what names no time comes last
    first = ordered[run_starts(ordered >> _NAMING_BITS)]
    return first >> _NAMING_BITS, ((first + 1) & _NAMING_MASK).astype(naming.dtype)


def _alike_pairs(rows: RowFacts, keys: MatterKeys, settings: DedupeSettings) -> Pairs:
    """Earlier and later rows that share a telling gram, of which the later corrects what is to come."""
    order = np.argsort(rows.observed, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    row, gram, _ = keys
    corrects = ~rows.relation.is_any("")
    is_of_interest = np.zeros(1 << _INTEREST_BITS, dtype=np.bool_)  # small, so quick; a gram that slips in joins nobody
    is_of_interest[gram[corrects[row]] & _INTEREST_MASK] = True
    may_meet = np.flatnonzero(is_of_interest[gram & _INTEREST_MASK] & (corrects | rows.is_target)[row])
    between = rows.is_target[order], corrects[order]
    met = neighbour_pairs(gram[may_meet], rank[row[may_meet]], settings.correction_reach, between)
    return Pairs(order[met.left], order[met.right])


def _named_pairs(timeline: Columns, rows: RowFacts, settings: DedupeSettings) -> NamedRows:
    """Earlier and later rows of which the later names the time of the earlier, and moves or cancels something."""
    moving = np.flatnonzero(rows.relation.is_any("moved", "cancelled"))
    return rows_at(named_times(timeline, moving, rows.start), rows.start, settings.correction_reach)


def _may_be_meant(rows: RowFacts, earlier: Positions, later: Positions, settings: DedupeSettings) -> Flags:
    """Whether the earlier row of each pair is something that the later, which corrects, may mean."""
    settles, renews = rows.relation.is_any("completed"), rows.relation.is_any("renewed")
    is_owed = rows.kind.is_any("owed")
    is_dated_debt = is_owed & np.isfinite(rows.end)
    open_from = rows.observed - np.where(settles, _OVERDUE_DAYS, 1) * _DAY_MINUTES  # what ended before has passed
    age = rows.observed[later] - rows.observed[earlier]
    may_be = rows.is_target[earlier] & (earlier != later)
    may_be &= (age >= 0) & (age <= settings.correction_days * _DAY_MINUTES)
    may_be &= ~(rows.end[earlier] < open_from[later])
    may_be &= (is_owed[earlier] | ~settles[later]) & (is_dated_debt[earlier] | ~renews[later])
    return np.asarray(may_be)


def pair_evidence(
    timeline_columns: Columns,
    row_facts: RowFacts,
    matter_keys: MatterKeys,
    window_pairs: Pairs,
    undated_pairs: Pairs,
    reported_pairs: Pairs,
    correction_pairs: RelatedPairs,
    dedupe_settings: DedupeSettings,
) -> PairEvidence:
    """What speaks for and against each pair being one event; plain pairs first, then corrections.

    Pairs whose times exclude each other are kept, unread, as evidence against larger groups.
    """
    pairs = _all_pairs([window_pairs, undated_pairs, reported_pairs], correction_pairs)
    time = time_relation(row_facts, pairs.left, pairs.right, dedupe_settings.window_minutes)
    read = np.flatnonzero(~time.is_any(*EXCLUDING) | ~pairs.relation.is_any(""))
    both_say = _what_both_say(timeline_columns, row_facts, matter_keys, pairs.left[read], pairs.right[read])
    points = unread_points(pairs, time, row_facts)
    points[read] = pair_points(Compared(*pairs.at(read), time.at(read), *both_say), row_facts)
    return PairEvidence(*pairs, time, *(_placed(values, read, len(points)) for values in both_say), points)  # type: ignore[call-arg]


def _all_pairs(plain_pairs: list[Pairs], corrections: RelatedPairs) -> RelatedPairs:
    """The plain pairs, each once, then those of which one corrects the other."""
    left, right = union_pairs(*plain_pairs)
    nothing = np.zeros(len(left), dtype=np.int8)
    return RelatedPairs(
        np.concatenate([left, corrections.left]),
        np.concatenate([right, corrections.right]),
        np.concatenate([np.full(len(left), -1), corrections.later]),
        Coded(np.concatenate([nothing, corrections.relation.codes]), RELATIONS),
        Coded(np.concatenate([nothing, corrections.named.codes]), NAMINGS),
    )


def _what_both_say(timeline: Columns, rows: RowFacts, keys: MatterKeys, left: Positions, right: Positions) -> BothSay:
    return BothSay(
        people_agreement(rows.people, left, right),
        codes_of_pairs(timeline["content"], timeline["may_hold_code"], left, right),
        *shared_words(keys, left, right, len(timeline)),
    )


def _placed(values: NDArray[Any], at: Positions, count: int) -> NDArray[Any]:
    """So many zeros, with `values` at some of them."""
    spread = np.zeros(count, dtype=values.dtype)
    spread[at] = values
    return spread


def duplicate_groups(row_facts: RowFacts, pair_evidence: PairEvidence, dedupe_settings: DedupeSettings) -> Positions:
    """The event of each row of `timeline`: the lowest position among the rows that tell of it.

    Rows of near times join where their pairs on average speak for it. Then each row that moves, cancels or settles
    something joins the one earlier matter that it fits best.
    """
    pairs, plain_pairs = pair_evidence, slice(np.count_nonzero(pair_evidence.later < 0))
    left, right, points = pairs.left[plain_pairs], pairs.right[plain_pairs], pairs.points[plain_pairs]
    plain = average_link_groups(left, right, points, len(row_facts.start), dedupe_settings.absent_points)
    links = _open_links(pairs, row_facts, plain)
    worst_first = links[np.argsort(-pairs.points[links], kind="stable")][::-1]
    best = np.full(len(plain), -1)
    best[plain[pairs.later[worst_first]]] = worst_first  # by group; what is written last stays
    best = best[best >= 0]
    return joined_groups(plain, pairs.left[best], pairs.right[best])


def _open_links(pairs: PairEvidence, rows: RowFacts, group: Positions) -> Positions:
    """The pairs of which one moves, cancels or settles the other, and that do not stand in one group yet.

    What stands at the same time is not moved, what stands at another is not cancelled, a report that already tells of
    something settles nothing else, and two entries of a calendar are two matters, unless one says that it moved.
    """
    links = np.flatnonzero((pairs.later >= 0) & (pairs.points > 0))
    left, right, later = (ends[links] for ends in (pairs.left, pairs.right, pairs.later))
    relation, time = pairs.relation.at(links), pairs.time.at(links)
    is_same_time = relation.is_any("moved", "renewed") & time.is_any(*MEETING)
    is_other_time = relation.is_any("cancelled") & time.is_any(*EXCLUDING)
    is_moved_entry = rows.is_stated & rows.relation.is_any("moved")
    flags_by_row = (rows.is_target, rows.is_stated, is_moved_entry)
    has_matter, has_entry, has_moved_entry = (_any_in_group(values, group) for values in flags_by_row)
    both_stated = has_entry[left] & has_entry[right] & ~has_moved_entry[later]
    is_taken = relation.is_any("completed") & has_matter[later]
    is_joined = group[left] == group[right]
    return np.asarray(links[~(is_same_time | is_other_time | both_stated | is_taken | is_joined)])


def _any_in_group(values: Flags, group: Positions) -> Flags:
    """For each row whether its group holds one of which the value is true."""
    holds = np.zeros(len(group), dtype=np.bool_)
    holds[group[values]] = True
    return holds[group]


def deduplicated_columns(
    timeline_columns: Columns,
    row_facts: RowFacts,
    duplicate_groups: Positions,
    pair_evidence: PairEvidence,
    source_settings: SourceSettings,
) -> Columns:
    """The timeline in which each event stands once (contract `DEDUPLICATED_TIMELINE`), same order.

    The row of the most reliable source leads and gives words and type. The time is that of the latest correction, else
    the most exact one; the status that of the last row that says the matter moved, is off or is done. People are
    those of all rows, importance and confidence the highest.
    """
    members = Members.of(duplicate_groups, _reliability(row_facts.source, source_settings), row_facts.due)
    return merged_items(timeline_columns, row_facts, members, pair_evidence)


def deduplicated_timeline(deduplicated_columns: Columns) -> pd.DataFrame:
    """`deduplicated_columns` as a frame (contract `DEDUPLICATED_TIMELINE`)."""
    return deduplicated_columns.frame(DEDUPLICATED_TIMELINE)


def _reliability(sources: Coded, settings: SourceSettings) -> Reals:
    """How reliable the source of each row is; one that nobody set, not at all."""
    by_code = [settings.reliability_by_source.get(name, 0.0) for name in sources.names]
    return np.asarray(np.array(by_code, dtype=np.float64)[sources.codes])
