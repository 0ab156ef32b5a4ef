"""The settings of Recap's projection: its limits, and what leaves the machine."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

Seconds = Annotated[float, Field(ge=0, le=86_400)]
Entries = Annotated[int, Field(ge=0, le=1000)]


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ProjectionSettings(_Settings):
    """Limits of the projection and its digest. They are part of `projection_version` and echoed in every projection.

    `merge_gap_s`: pieces of one app this close are one block. `noise_s`: blocks shorter than this get no row.
    `expand_from_s`: from this duration a breakdown shows `breakdown_entries`, below it `short_breakdown_entries`.
    `app_entries` per device and `detail_entries` per plugin are listed. `no_record_s`: gaps this long are told.
    `span_share`: a block whose active share is below also tells its span. `recurring_days`: values seen on so many of
    the previous 14 local days are background. `text_graphemes` caps one title, `digest_budget_chars` the whole digest.
    """

    merge_gap_s: Seconds = 120
    noise_s: Seconds = 60
    expand_from_s: Seconds = 600
    breakdown_entries: Entries = 4
    short_breakdown_entries: Entries = 1
    app_entries: Entries = 8
    detail_entries: Entries = 30
    no_record_s: Seconds = 1800
    span_share: Annotated[float, Field(ge=0, le=1)] = 0.8
    recurring_days: Annotated[int, Field(ge=1, le=14)] = 8
    text_graphemes: Annotated[int, Field(ge=10, le=1000)] = 120
    digest_budget_chars: Annotated[int, Field(ge=1000)] = 24_000


class RedactionRule(_Settings):
    """A field that is dropped or overwritten where `pattern` is found in it. Stored segments are never touched.

    `source` "*" is every source; `field` is a name such as `title`, `url`, `identity_key`, `app` or an attribute.
    `drop` removes the value, `redact` puts `replacement` in the place of each match. `only_apps` and `except_apps`
    narrow the rule; both compare without case.
    """

    source: str = "*"
    field: str
    pattern: str = ".*"
    action: Literal["drop", "redact"] = "drop"
    replacement: str = "[redacted]"
    only_apps: tuple[str, ...] = ()
    except_apps: tuple[str, ...] = ()

    @field_validator("pattern")
    @classmethod
    def _is_pattern(cls, pattern: str) -> str:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(f"not a regular expression: {error}") from None
        return pattern


class PrivacySettings(_Settings):
    """What may leave the machine. `is_enabled` false sends titles and URLs as they are; it is the deployer's choice."""

    is_enabled: bool = True
    rules: tuple[RedactionRule, ...] = ()
