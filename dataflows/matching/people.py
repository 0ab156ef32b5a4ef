"""Who the rows of a timeline name."""

# The functions of pyarrow.compute are made when it is imported:
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from temporal_recall.dataflows.columns import Flags
from temporal_recall.dataflows.runs import Positions, is_member, laid_out
from temporal_recall.schemas.columns import Coded

_PERSON_BITS = 32


class NamedPeople(NamedTuple):
    """The people that rows name, row by row: `person` is a place in `names`; `bounds` says where each row's begin."""

    person: Positions
    bounds: Positions
    names: pa.Array

    @classmethod
    def of(cls, participants: Coded) -> NamedPeople:
        """Those of a column that holds a tuple of names by row."""
        lists = pa.array(participants.names, pa.list_(pa.large_string()))
        people, first = lists.flatten().dictionary_encode(), np.asarray(lists.offsets, np.int64)
        counts = (first[1:] - first[:-1])[participants.codes]
        entry = laid_out(counts, first[participants.codes])[1]
        bounds = np.concatenate([[0], np.cumsum(counts)])
        return cls(np.asarray(people.indices, np.int64)[entry], bounds, people.dictionary)

    @property
    def counts(self) -> Positions:
        """How many people each row names."""
        return self.bounds[1:] - self.bounds[:-1]

    def joined(self) -> pa.Array:
        """The names of each row as one text."""
        names = pa.ListArray.from_arrays(pa.array(self.bounds, pa.int32()), self.names.take(pa.array(self.person)))
        return pc.binary_join(names, pa.scalar(" ", pa.large_string()))

    def share_one(self, left: Positions, right: Positions) -> Flags:
        """Whether both rows of each pair name one person."""
        counts = self.counts
        named = np.sort((laid_out(counts)[0] << _PERSON_BITS) | self.person)
        pair, entry = laid_out(counts[left], self.bounds[left])
        found = np.zeros(len(left), dtype=np.bool_)
        found[pair[is_member((right[pair] << _PERSON_BITS) | self.person[entry], named)]] = True
        return found
