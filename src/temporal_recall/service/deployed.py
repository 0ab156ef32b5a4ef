"""How a deployment's settings are read: a TOML file, the environment's variables over it, checked as a whole."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from temporal_recall.schemas.errors import InvalidConfig, allowed_by


class Deployed(BaseSettings):
    """Settings in which the environment stands over what the file says; `env_prefix` names the variables."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return env_settings, init_settings


Settings = TypeVar("Settings", bound=Deployed)


def toml_table(path: Path) -> dict[str, Any]:
    """The tables of a file.

    Raises:
        InvalidConfig: the file cannot be read, or is no TOML.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidConfig("config", str(path), "a readable UTF-8 TOML file") from error
    except tomllib.TOMLDecodeError as error:
        raise InvalidConfig("config", str(path), f"valid TOML ({error})") from error


def checked_settings(kind: type[Settings], table: dict[str, Any], name: str = "") -> Settings:
    """The settings in a table of keys, the environment's variables over it.

    Args:
        name: the table's own key in the file, before its keys in errors.

    Raises:
        InvalidConfig: a key has a value that is not allowed; names key, value and fix.
    """
    try:
        return kind(**table)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(map(str, ([name] if name else []) + [*first["loc"]])) or "config"
        if first["type"] == "missing":
            raise InvalidConfig(key, None, "a value") from error
        value = first["input"]
        shown = value if isinstance(value, str | int | float) else type(value).__name__
        known = _known_keys(kind, first["loc"]) if first["type"] == "extra_forbidden" else ()
        raise InvalidConfig(key, shown, f"one of {', '.join(known)}" if known else allowed_by(first)) from error


def _known_keys(kind: type[BaseModel], path: Sequence[int | str]) -> Sequence[str]:
    """The keys of the table in which the last key of `path` stands."""
    for key in path[:-1]:
        if isinstance(key, str):
            stated = kind.model_fields[key].annotation
            kind = next(t for t in (stated, *get_args(stated)) if isinstance(t, type) and issubclass(t, BaseModel))
    return list(kind.model_fields)
