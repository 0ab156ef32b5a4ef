"""Labelled questions: what a right answer holds, and what it must not hold."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from temporal_recall.schemas.plan import Range, TemporalMode


class _Label(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class LabelledQuestion(_Label):
    """A question asked at `now`, with the records that answer it.

    `relevant` grades record ids from 1 (bears on it) over 2 (belongs in the answer) to 3 (is the answer); none of
    grade 2 or more means that the right answer is empty. `must_not` are ids that would be wrong: stale times, what was
    called off, other days. A record id is what follows the last colon of a `source_ref`.
    """

    qid: str
    query: str
    now: AwareDatetime
    temporal_mode: TemporalMode
    time_range: Range | None = None
    relevant: dict[str, int] = Field(default_factory=dict)
    must_not: tuple[str, ...] = ()


class DuplicateLabel(_Label):
    """Records that tell of one event (`ids`), or two that look so and do not (`pair`).

    `link` `merge` says that the records are one item; `thread` that they belong together and may be one.
    """

    kind: Literal["same_event", "hard_negative"]
    link: Literal["merge", "thread"] = "merge"
    group_id: str = ""
    ids: tuple[str, ...] = ()
    pair: tuple[str, ...] = ()
