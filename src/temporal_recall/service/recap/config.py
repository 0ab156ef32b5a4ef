"""What a deployment sets for Recap: the store, the model server, the language, the limits."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_settings import SettingsConfigDict

from temporal_recall.schemas.errors import InvalidConfig
from temporal_recall.schemas.recap_settings import PrivacySettings, ProjectionSettings
from temporal_recall.service.deployed import Deployed, checked_settings, toml_table

Limit = Annotated[float, Field(gt=0, le=3600)]


class RecapConfig(BaseModel):
    """The table `[recap]` of the configuration. Times are in seconds.

    `store_url` is a database of SQLite or PostgreSQL; without it Recap is off over HTTP. Without `base_url` and `model`
    nothing is generated, and projections and cached diaries are still served. `api_key_env` names the variable that
    holds the key, which local servers do not need. `tells_recurring` adds a note on what comes back day after day.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    store_url: str | None = None
    base_url: str | None = None
    model: str | None = None
    api_key_env: str = "TEMPORAL_RECALL_CHAT_KEY"
    reasoning_effort: str | None = None
    language: Annotated[str, Field(min_length=2, max_length=60)] = "Chinese"
    silence_s: Limit = 60
    overall_s: Limit = 600
    heartbeat_s: Limit = 15
    tells_recurring: bool = False
    projection: ProjectionSettings = ProjectionSettings()
    privacy: PrivacySettings = PrivacySettings()

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if (self.base_url is None) != (self.model is None):
            raise ValueError("base_url and model go together")
        return self


class _DeployedRecap(RecapConfig, Deployed):
    """The same keys, with the environment over what the file says."""

    model_config = SettingsConfigDict(
        frozen=True, extra="forbid", env_prefix="TEMPORAL_RECALL_RECAP__", env_nested_delimiter="__"
    )


def read_recap_config(path: Path | None) -> RecapConfig:
    """The table `[recap]` of a TOML file, whatever else stands in it, with `TEMPORAL_RECALL_RECAP__…` over it.

    Without a file the environment and the defaults stand alone.

    Raises:
        InvalidConfig: the file cannot be read, or a key has a value that is not allowed; names key and fix.
    """
    table = {} if path is None else toml_table(path).get("recap", {})
    if not isinstance(table, dict):
        raise InvalidConfig("recap", type(table).__name__, "a table [recap]")
    return checked_settings(_DeployedRecap, table, "recap")
