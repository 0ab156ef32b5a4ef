"""How words become one phrase: what may follow what, and what the parts make together."""

from __future__ import annotations

from dataclasses import replace

from temporal_recall.dataflows.zh_time.clock import clock_after, clock_predicate, part_predicate
from temporal_recall.dataflows.zh_time.finders import days_off_of
from temporal_recall.dataflows.zh_time.nodes import Phrase
from temporal_recall.dataflows.zh_time.rules_feast import lunar_month_predicate, lunar_predicate
from temporal_recall.dataflows.zh_time.tokens import Clock, Part, Predicate, Rank

Word = Predicate | Part | Clock


def rank_of(word: Word) -> Rank:
    """How fine a word of a phrase is."""
    if isinstance(word, Predicate):
        return word.rank
    return Rank.PART if isinstance(word, Part) else Rank.CLOCK


def goes_on(words: list[Word], word: Word, gap: str, latin: bool) -> bool:
    """Whether a word belongs to the phrase that the words before it make.

    Args:
        gap: the text between; after a comma a phrase goes on only from a day.
        latin: one of the two words is English, which may put the finer first (3pm tomorrow).
    """
    if not words or _weekday_before_date(words, word):
        return True
    last, rank = words[-1], rank_of(word)
    if "," in gap and rank > Rank.DAY:
        return rank_of(last) == Rank.DAY
    if rank_of(last) < rank or _date_and_weekday(last, word) or is_day_of_feast(last, word):
        return True
    return latin and rank != rank_of(last)


def _weekday_before_date(words: list[Word], word: Word) -> bool:
    """周三,9月2日: a weekday that leads the date it goes with."""
    if len(words) > 2 or not (isinstance(words[0], Predicate) and words[0].loose and isinstance(word, Predicate)):
        return False
    return word.scope == "year" if len(words) == 1 else word.scope == "month" and rank_of(words[1]) == Rank.MONTH


def _date_and_weekday(last: Word, word: Word) -> bool:
    """9月12号周六: one day said in two ways."""
    if not (isinstance(last, Predicate) and isinstance(word, Predicate)):
        return False
    same_grain = last.rank == word.rank == Rank.DAY and last.grain == word.grain == "day"
    return same_grain and last.loose != word.loose


def is_day_of_feast(last: Word, word: Word) -> bool:
    """国庆第三天: a day counted in the days off of a feast."""
    both = isinstance(last, Predicate) and isinstance(word, Predicate)
    return both and "feast" in last.stated and "nth_day" in word.stated  # type: ignore[union-attr]


def _counted_in_days_off(predicates: list[Predicate]) -> list[Predicate]:
    """The same phrase with the feast as its days off, where a day of them is counted."""
    if not any("nth_day" in p.stated for p in predicates):
        return predicates
    return [replace(p, find=days_off_of(p.find)) if "feast" in p.stated and p.find else p for p in predicates]


def composed(words: list[Word], lunar: bool) -> tuple[Predicate, ...]:
    """The predicates of a phrase from coarse to fine, with part of the day and clock fused."""
    part = next((w for w in words if isinstance(w, Part)), None)
    clock = next((w for w in words if isinstance(w, Clock)), None)
    predicates = [w for w in words if isinstance(w, Predicate)]
    if len(predicates) > 1:
        predicates.sort(key=rank_of)
    if len(predicates) > 1:
        predicates = _counted_in_days_off(predicates)
    if lunar:
        predicates = _counted_by_the_moon(predicates)
    if clock is not None:
        predicates.append(clock_predicate(clock, part))
    elif part is not None:
        predicates.append(part_predicate(part))
    return tuple(predicates)


def _counted_by_the_moon(predicates: list[Predicate]) -> list[Predicate]:
    """The same phrase with month and day counted by the lunar calendar."""
    stated = {key: value for p in predicates for key, value in p.stated.items()}
    month, day = stated.get("month"), stated.get("day")
    if not isinstance(month, int):
        return predicates
    lunar = lunar_predicate(month, day) if isinstance(day, int) else lunar_month_predicate(month)
    coarser = [p for p in predicates if p.rank < Rank.MONTH]
    return [*coarser, lunar] if lunar else coarser


def inherited(left: Phrase, right: Phrase) -> Phrase:
    """The right end of a span with what it leaves out taken over from the left end."""
    head = right.predicates[0]
    if head.place is not None:
        return right
    coarser = tuple(p for p in left.predicates if p.rank < head.rank and p.rank != Rank.PART)
    own = right.predicates
    if head.rank == Rank.CLOCK and left.predicates[-1].rank == Rank.CLOCK:
        own = (clock_after(left.predicates[-1], head),)
    return replace(right, predicates=coarser + own, zone=right.zone or left.zone)
