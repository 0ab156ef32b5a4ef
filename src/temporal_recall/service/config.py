"""The deployment's configuration: one TOML file, over which environment variables stand, checked when it is read.

A variable is a key in capitals behind `TEMPORAL_RECALL_`, tables joined by two underscores
(`TEMPORAL_RECALL_HTTP__PORT=8080`). Secrets never stand in the file: it names the variables that hold them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_settings import SettingsConfigDict

from temporal_recall.schemas.errors import InvalidConfig
from temporal_recall.schemas.evidence import SOURCE_NAME, Axis, ZoneName
from temporal_recall.schemas.plan import Share
from temporal_recall.schemas.settings import (
    DedupeSettings,
    RankingWeights,
    RetrievalWindows,
    SourceSetting,
    SourceSettings,
)
from temporal_recall.service.deployed import Deployed, checked_settings, toml_table
from temporal_recall.service.recap.config import RecapConfig

RELIABILITY_BY_KIND = {"calendar": 0.95, "meinput": 0.85, "chat": 0.85, "memory_v2": 0.70}
"""How far each kind of source is trusted unless the configuration says otherwise; 0.80 for any other."""


class _Config(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SourceConfig(_Config):
    """One enabled source: which adapter reads it, how far it is trusted, and the adapter's own `options`.

    `threads` is the size of the pool in which it is read; `required` makes its failure the answer's failure.
    """

    name: Annotated[str, Field(pattern=SOURCE_NAME)]
    kind: str = ""
    required: bool = False
    reliability: Share | None = None
    axis: Axis | None = None
    threads: Annotated[int, Field(ge=1, le=256)] = 64
    options: dict[str, Any] = Field(default_factory=dict)

    def setting(self) -> SourceSetting:
        """What the dataflow needs to know of it."""
        kind = self.kind or self.name
        return SourceSetting(
            name=self.name,
            is_required=self.required,
            reliability=self.reliability if self.reliability is not None else RELIABILITY_BY_KIND.get(kind, 0.8),
            axis=self.axis or ("event" if kind.startswith("calendar") else "observed"),
        )


class HttpConfig(_Config):
    """The HTTP face: where it listens and what it accepts.

    `signing_keys_env` names the variable with the keys of session tokens, a JSON object of key id and key;
    `worker_token_env` the one with the worker's token. `audience` and `issuer` are what a token must say.
    `rate_per_minute` and `concurrent_requests` are per user; `places` how many of all users may run at once.
    """

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    max_body_bytes: Annotated[int, Field(ge=1024, le=16_777_216)] = 262_144
    rate_per_minute: Annotated[int, Field(ge=1, le=1_000_000)] = 240
    concurrent_requests: Annotated[int, Field(ge=1, le=1000)] = 8
    places: Annotated[int, Field(ge=1, le=10_000)] = 64
    signing_keys_env: str = "TEMPORAL_RECALL_SIGNING_KEYS"
    worker_token_env: str = "TEMPORAL_RECALL_TOKEN"  # noqa: S105 - the name of a variable
    algorithm: Literal["HS256", "RS256", "ES256", "EdDSA"] = "HS256"
    audience: str = "temporal-recall"
    issuer: str | None = None


class SemanticPlannerConfig(_Config):
    """The chat server asked on complex questions (Level 2); `api_key_env` names the variable that holds its key."""

    base_url: str
    model: str
    api_key_env: str = "TEMPORAL_RECALL_PLANNER_KEY"


class IndexConfig(_Config):
    """The materialised timeline, and how recall uses it: not (`live`), alone, or with what the sources recorded since.

    `url` is a SQLAlchemy address, or `url_env` names the variable that holds it. A source without a feed of changes is
    read `history_days` back (on the event axis `future_days` ahead too) at its first sync, later `resync_days` back.
    """

    url: str | None = None
    url_env: str | None = None
    mode: Literal["live", "index", "index_and_live"] = "live"
    history_days: Annotated[int, Field(ge=1, le=36_500)] = 3650
    future_days: Annotated[int, Field(ge=0, le=36_500)] = 730
    resync_days: Annotated[int, Field(ge=1, le=36_500)] = 30

    @model_validator(mode="after")
    def _has_one_address(self) -> Self:
        if (self.url is None) == (self.url_env is None):
            raise ValueError("give either url or url_env")
        return self


class RecallConfig(_Config):
    """Everything that a deployment sets. Times are in seconds; `time_zone` is that of users who name none.

    `request_threads` is how many requests may wait for their sources at once; they compute two at a time.
    `semantic_match` adds sentence embeddings to the match of topics (extra `semantic`). `telemetry` gives the process's
    OpenTelemetry tracer a span of every node and source when served (extra `telemetry`).
    """

    time_zone: ZoneName = "Asia/Shanghai"
    request_time_limit_s: Annotated[float, Field(gt=0, le=60)] = 5.0
    retrieval_time_limit_s: Annotated[float, Field(gt=0, le=60)] = 4.5
    request_threads: Annotated[int, Field(ge=1, le=256)] = 64
    sources: Annotated[tuple[SourceConfig, ...], Field(min_length=1, max_length=32)]
    windows: RetrievalWindows = RetrievalWindows()
    dedupe: DedupeSettings = DedupeSettings()
    weights: RankingWeights = RankingWeights()
    http: HttpConfig = HttpConfig()
    recap: RecapConfig = RecapConfig()
    semantic_planner: SemanticPlannerConfig | None = None
    semantic_match: bool = False
    telemetry: bool = False
    index: IndexConfig | None = None

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        names = [s.name for s in self.sources]
        if len(set(names)) < len(names):
            raise ValueError(f"source names must differ; given: {', '.join(names)}")
        if self.retrieval_time_limit_s >= self.request_time_limit_s:
            raise ValueError("retrieval_time_limit_s must be below request_time_limit_s")
        return self

    def source_settings(self) -> SourceSettings:
        """The enabled sources as the dataflow sees them, in the file's order."""
        return SourceSettings(sources=tuple(s.setting() for s in self.sources))


class _DeployedConfig(RecallConfig, Deployed):
    """The same keys, with the environment over what the file says."""

    model_config = SettingsConfigDict(
        frozen=True, extra="forbid", env_prefix="TEMPORAL_RECALL_", env_nested_delimiter="__"
    )


def read_config(path: str | Path) -> RecallConfig:
    """The configuration in a TOML file; `weights_file` names a JSON file of `RankingWeights` beside it.

    Raises:
        InvalidConfig: the file cannot be read, or a key has a value that is not allowed; names key, value and fix.
    """
    path = Path(path)
    table = toml_table(path)
    if "weights_file" in table:
        table["weights"] = _weights(path.parent / str(table.pop("weights_file")))
    return checked_config(table)


def checked_config(table: dict[str, Any]) -> RecallConfig:
    """The configuration in a table of keys, the environment's variables over it.

    Raises:
        InvalidConfig: as `read_config`.
    """
    return checked_settings(_DeployedConfig, table)


def _weights(path: Path) -> dict[str, Any]:
    try:
        weights = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidConfig("weights_file", str(path), "a readable JSON file of ranking weights") from error
    if not isinstance(weights, dict):
        raise InvalidConfig("weights_file", str(path), "a JSON object of ranking weights")
    return weights
