"""Contracts of the tables that pass between stages, as frames or as `Columns`: one row of a table below is one column.

Instants are `datetime64[us, UTC]`; every row carries the name of its own zone. List columns hold tuples.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from pandas.api.extensions import ExtensionDtype
from pandas.api.types import pandas_dtype

from temporal_recall.schemas.errors import FrameContractError
from temporal_recall.schemas.evidence import SourceOutcome

INSTANT = pa.timestamp("us", tz="UTC")
TEXT = pa.string()
REAL = pa.float64()
COUNT = pa.int64()
FLAG = pa.bool_()
TEXTS = pa.list_(pa.string())

_DTYPES: dict[pa.DataType, str] = {
    INSTANT: "datetime64[us, UTC]",
    TEXT: "str",
    REAL: "float64",
    COUNT: "int64",
    FLAG: "bool",
    TEXTS: "object",
}


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its Arrow type, whether it may be null, and what it means (with the unit)."""

    name: str
    type: pa.DataType
    meaning: str
    is_nullable: bool = False


@dataclass(frozen=True)
class FrameContract:
    """What a frame between two stages holds."""

    name: str
    columns: tuple[Column, ...]

    @property
    def schema(self) -> pa.Schema:
        """The Arrow schema, meanings as field metadata."""
        return pa.schema(
            [pa.field(c.name, c.type, nullable=c.is_nullable, metadata={"meaning": c.meaning}) for c in self.columns]
        )

    @cached_property
    def dtypes(self) -> Mapping[str, str]:
        """The pandas dtype of each column, in order."""
        return {c.name: _DTYPES[c.type] for c in self.columns}

    @cached_property
    def compared_dtypes(self) -> Mapping[str, ExtensionDtype | np.dtype]:
        """`dtypes` as objects, which are compared ten times as fast as names."""
        return {name: pandas_dtype(dtype) for name, dtype in self.dtypes.items()}

    def empty(self) -> pd.DataFrame:
        """A frame with every column and no row."""
        return pd.DataFrame({name: pd.Series([], dtype=dtype) for name, dtype in self.dtypes.items()})

    def frame(self, columns: Mapping[str, Any]) -> pd.DataFrame:
        """A frame of these columns, given as lists or arrays of one length; a few steps each, however long they are.

        A null is None, NaN or NaT; an instant may be given as microseconds since 1970. Further columns are left out.
        """
        due = self.compared_dtypes
        return pd.DataFrame({c.name: _array(columns[c.name], c.type, due[c.name]) for c in self.columns}, copy=False)

    def extended(self, name: str, *columns: Column) -> FrameContract:
        """A contract with further columns after these."""
        return FrameContract(name, (*self.columns, *columns))


def _array(values: Any, kind: pa.DataType, dtype: Any) -> Any:
    """The values as a frame takes them without another look. The stubs do not know that a dtype takes Arrow."""
    if kind in (TEXT, INSTANT):
        return dtype.__from_arrow__(pa.array(values, pa.large_string() if kind == TEXT else kind, from_pandas=True))
    if kind == TEXTS:
        return np.fromiter(values, dtype=object, count=len(values))
    return np.asarray(values, dtype)


def checked(frame: pd.DataFrame, contract: FrameContract) -> pd.DataFrame:
    """`frame` itself, once every column of the contract is there with its dtype; further columns are left alone.

    Raises:
        FrameContractError: a column is absent or has another dtype (names the column, what is there and what is due).
    """
    found = dict(zip(frame.columns, frame.dtypes, strict=True))
    for name, due in contract.compared_dtypes.items():
        if name not in found:
            raise FrameContractError(f"{contract.name}: column {name} is absent; there is {', '.join(map(str, frame))}")
        if found[name] != due:
            raise FrameContractError(f"{contract.name}: column {name} is {found[name]}; due: {due}")
    return frame


EVIDENCE = FrameContract(
    "evidence",
    (
        Column("source_ref", TEXT, "identity of the record, <source>:<kind>:<id>"),
        Column("source", TEXT, "name of the source"),
        Column("user_id", TEXT, "whose record it is"),
        Column("observed_time", INSTANT, "when it was recorded, typed or said"),
        Column("time_zone", TEXT, "zone in which the words were written, IANA id or offset"),
        Column("text", TEXT, "the words"),
        Column("revision", COUNT, "counts edits, from 1"),
        Column("role", TEXT, "user or assistant, in a dialogue", is_nullable=True),
        Column("author", TEXT, "who wrote it, where not the user", is_nullable=True),
        Column("app", TEXT, "application in which it was written", is_nullable=True),
        Column("thread_id", TEXT, "conversation it belongs to", is_nullable=True),
        Column("outcome", TEXT, "kept, sent, discarded or unknown"),
        Column("field_kind", TEXT, "message, search, url, document, form, code or unknown"),
        Column("is_truncated", FLAG, "the text was cut by the source"),
        Column("event_start", INSTANT, "start that the source itself states", is_nullable=True),
        Column("event_end", INSTANT, "exclusive end that the source itself states", is_nullable=True),
        Column("event_is_all_day", FLAG, "the stated bounds are dates"),
        Column("event_title", TEXT, "title that the source states", is_nullable=True),
        Column("event_location", TEXT, "place that the source states", is_nullable=True),
        Column("event_status", TEXT, "confirmed, tentative or cancelled", is_nullable=True),
        Column("event_attendees", TEXTS, "people that the source states"),
    ),
)
"""One row a record, sorted by `observed_time`, then `source_ref`; RangeIndex."""

TIMELINE = FrameContract(
    "timeline",
    (
        Column("source_ref", TEXT, "identity of the record"),
        Column("source", TEXT, "name of the source"),
        Column("user_id", TEXT, "whose record it is"),
        Column("observed_time", INSTANT, "when it was recorded"),
        Column("time_zone", TEXT, "zone in which the words were written"),
        Column("thread_id", TEXT, "conversation it belongs to", is_nullable=True),
        Column("role", TEXT, "user or assistant, in a dialogue", is_nullable=True),
        Column("app", TEXT, "application in which it was written", is_nullable=True),
        Column("type", TEXT, "event, todo, decision, mention or commitment"),
        Column("event_time", INSTANT, "when it happens or is due", is_nullable=True),
        Column("event_end", INSTANT, "exclusive end", is_nullable=True),
        Column("granularity", TEXT, "minute, hour, part, day or range; null without event time", is_nullable=True),
        Column("due", FLAG, "event_time is a deadline"),
        Column("status", TEXT, "planned, completed, cancelled, mentioned or unknown"),
        Column("owner", TEXT, "self or other: whose plan it is"),
        Column("title", TEXT, "short name of the matter"),
        Column("content", TEXT, "the words it was read from"),
        Column("participants", TEXTS, "people named, without the user"),
        Column("location", TEXT, "place", is_nullable=True),
        Column("importance", REAL, "intrinsic importance, 0..1"),
        Column("confidence", REAL, "how sure the reading is, 0..1"),
        Column("is_correction", FLAG, "the words change the time or place of something told before"),
        Column("is_stated", FLAG, "a source itself stated the event; nothing was read from text"),
        Column("rules", TEXTS, "names of the extraction rules that fired"),
        Column("extractor_version", TEXT, "version of the rules that wrote the row"),
    ),
)
"""One row a record, sorted by `event_time` (rows without one last), then `observed_time`, then `source_ref`."""

WHOLE_TIMELINE = TIMELINE.extended(
    "whole_timeline", Column("other_times", TEXTS, "further times named, as ISO 8601 intervals")
)
"""A timeline as extraction writes it."""

COMPARED_TIMELINE = WHOLE_TIMELINE.extended(
    "compared_timeline",
    Column("times_named", COUNT, "how many hours or how many days the words name, whichever are more"),
    Column(
        "told_times", TEXTS, "ISO 8601 intervals that words name which move or cancel something, if more than its own"
    ),
    Column("may_hold_code", FLAG, "the words may hold a code, such as a version or the letter of an option"),
    Column("lists_several", FLAG, "the words list three matters or more"),
    Column("asks", FLAG, "the words ask an assistant for something"),
    Column("tells_phase", FLAG, "the words tell that something begins, goes on its way, or is over"),
    Column(
        "grams", TEXT, "hashes of the telling grams of the words, place and people, ascending, four characters each"
    ),
)
"""A timeline with what the words of each row say as a whole, by which rows are compared; the index gives it back."""

DEDUPLICATED_TIMELINE = TIMELINE.extended(
    "deduplicated_timeline",
    Column("merged_from", TEXTS, "source_ref of every record of the item, the lead first; empty where nothing merged"),
    Column("merge_reason", TEXT, "why the records are one event", is_nullable=True),
    Column("done_time", INSTANT, "when it was told as done; of something owed, beside its deadline", is_nullable=True),
    Column("first_event_time", INSTANT, "when it was to be by the first record that says so", is_nullable=True),
    Column("first_observed_time", INSTANT, "when the first record of the item was made"),
    Column("last_observed_time", INSTANT, "when the last record of the item was made"),
    Column("words", TEXT, "what all records of the item say, with places and people; for matching"),
)
"""One row an item, same order as `timeline`."""

RANKED_TIMELINE = DEDUPLICATED_TIMELINE.extended(
    "ranked_timeline",
    Column("source_quality", REAL, "factor, 0..1"),
    Column("temporal_match", REAL, "factor, 0..1"),
    Column("semantic_match", REAL, "factor, 0..1"),
    Column("importance_match", REAL, "factor, 0..1"),
    Column("confidence_match", REAL, "factor, 0..1"),
    Column("recall_score", REAL, "product of the five factors"),
)
"""One row an item that passed the filters, best first; ties by event time, then observed time, then `source_ref`."""


@dataclass(frozen=True, slots=True)
class SourceEvidence:
    """What one lane brings: its evidence (contract `EVIDENCE`) and how the read ended."""

    frame: pd.DataFrame
    outcome: SourceOutcome

    @classmethod
    def failed(cls, source: str, failure: str) -> SourceEvidence:
        """The value of a lane that brought nothing."""
        return cls(EVIDENCE.empty(), SourceOutcome(source, failure=failure))
