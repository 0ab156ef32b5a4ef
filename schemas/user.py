"""The user as the User Model knows him, read-only: a prior for planning and ranking, never written back."""

from __future__ import annotations

from datetime import time
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from temporal_recall.schemas.evidence import ZoneName

Name = Annotated[str, Field(min_length=1, max_length=64)]


class WorkingHours(BaseModel):
    """The local hours in which the user works on `weekdays` (0 is Monday); `end` is exclusive."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    start: time = time(9)
    end: time = time(18)
    weekdays: frozenset[Annotated[int, Field(ge=0, le=6)]] = frozenset(range(5))


class UserSnapshot(BaseModel):
    """What the User Model says of the user now: projects under way, people close to him, hours and zone."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    active_projects: tuple[Name, ...] = Field(default=(), max_length=64)
    people: tuple[Name, ...] = Field(default=(), max_length=256)
    working_hours: WorkingHours | None = None
    time_zone: ZoneName | None = None
