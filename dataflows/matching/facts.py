"""What rows of a timeline are compared by: one array a fact, one value a row."""

from __future__ import annotations

from typing import NamedTuple

from temporal_recall.dataflows.columns import Flags, Reals
from temporal_recall.dataflows.matching.people import NamedPeople
from temporal_recall.dataflows.runs import Positions
from temporal_recall.schemas.columns import Coded


class MatterKeys(NamedTuple):
    """Telling grams of what rows say: the row, the gram (hashed) and how telling it is (0..1); sorted by both."""

    row: Positions
    gram: Positions
    weight: Reals

    def at(self, which: Positions) -> MatterKeys:
        """Some of the keys."""
        return MatterKeys(self.row[which], self.gram[which], self.weight[which])


class RowFacts(NamedTuple):
    """Facts of the rows of a timeline.

    - `start`, `end`: minutes since 1970, NaN without an event time; `start` ascends, NaN last.
    - `observed`: minutes since 1970.
    - `event_day`, `observed_day`: days since 1970 in the row's own zone; -1 without.
    - `other_day`: the last day of what runs over midnight, the day before of what falls in the small hours, else -1.
    - `status`, `granularity`, `owner`, `source`: as in the timeline.
    - `is_exact`: to the minute or hour. `is_report`: told as done. `is_plan`: exact, and neither done nor called off.
    - `is_stated`, `is_correction`, `due`: as in the timeline. `is_silent`: tells of no event of its own, or of
      many, as a list of duties does.
    - `tells_phase`: a report of a sole plan that something begins or is over. `times_named`: see `telling`.
    - `asks`: an assistant is asked for something.
    - `kind`: event, decision, owed or mention.
    - `relation`: what the row does to an earlier one (see `RELATIONS`).
    - `is_target`: something to come, which a later row can move, cancel or settle.
    - `sole_start`: see `sole_plan_starts`.
    - `people`: who is named.
    """

    start: Reals
    end: Reals
    observed: Reals
    event_day: Positions
    other_day: Positions
    observed_day: Positions
    status: Coded
    granularity: Coded
    owner: Coded
    source: Coded
    is_exact: Flags
    is_report: Flags
    is_plan: Flags
    is_stated: Flags
    is_correction: Flags
    due: Flags
    is_silent: Flags
    tells_phase: Flags
    times_named: Positions
    asks: Flags
    kind: Coded
    relation: Coded
    is_target: Flags
    sole_start: Reals
    people: NamedPeople
