"""From configuration to adapters: each kind of source by name, those of this package and those of plugins.

A plugin is an entry point of the group `temporal_recall.adapters`: its name is the kind, its value a callable
`(source, options, host) -> SourceAdapter`. One that cannot be loaded spoils only its own kind.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from temporal_recall.schemas.errors import InvalidConfig, allowed_by
from temporal_recall.schemas.evidence import SourceAdapter

if TYPE_CHECKING:
    import httpx
    from sqlalchemy import Engine

PLUGIN_GROUP = "temporal_recall.adapters"


@dataclass(frozen=True, slots=True)
class HostParts:
    """What an embedding application brings of its own; adapters use these and leave them open."""

    engine: Engine | None = None
    http_client: httpx.Client | None = None


Factory = Callable[[str, Mapping[str, object], HostParts], SourceAdapter]


@dataclass(frozen=True, slots=True)
class AdapterKind:
    """A kind of source that a configuration may name. `problem` says why it cannot be used; empty where it can."""

    name: str
    origin: str
    problem: str = ""


def create_adapter(
    kind: str, source: str, options: Mapping[str, object], *, host: HostParts | None = None
) -> SourceAdapter:
    """The adapter of one configured source.

    Raises:
        InvalidConfig: no such kind; an option that the kind does not have, or with a value that is not allowed; a
            plugin or an extra that cannot be loaded.
    """
    factory = BUILT_IN.get(kind) or _plugin_factory(kind, source)
    try:
        return factory(source, options, host or HostParts())
    except ModuleNotFoundError as error:
        extra = _EXTRAS.get(kind, "all")
        raise InvalidConfig(_path(source, "kind"), kind, f"with temporal-recall[{extra}] ({error.name})") from error


def adapter_kinds() -> list[AdapterKind]:
    """Every kind by name, those of plugins with what keeps them from working."""
    own = [AdapterKind(name, "temporal-recall") for name in BUILT_IN]
    plugins = [AdapterKind(p.name, p.dist.name if p.dist else p.value, _problem(p)) for p in _plugins()]
    return sorted([*own, *plugins], key=lambda kind: (kind.name, kind.origin))


def _plugins() -> list[EntryPoint]:
    return sorted(entry_points(group=PLUGIN_GROUP), key=lambda plugin: plugin.name)


def _problem(plugin: EntryPoint) -> str:
    if plugin.name in BUILT_IN:
        return "a kind of this name is built in"
    try:
        is_factory = callable(plugin.load())
    except Exception as error:  # noqa: BLE001 - a plugin may raise whatever it likes while it is imported
        return f"cannot be loaded: {type(error).__name__}"
    return "" if is_factory else "is no factory"


def _plugin_factory(kind: str, source: str) -> Factory:
    plugin = next((p for p in _plugins() if p.name == kind), None)
    if plugin is None:
        raise InvalidConfig(_path(source, "kind"), kind, ", ".join(k.name for k in adapter_kinds()))
    if problem := _problem(plugin):
        raise InvalidConfig(_path(source, "kind"), kind, f"a plugin that works; this one {problem}")
    factory: Factory = plugin.load()
    return factory


class _Options(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class MeInputOptions(_Options):
    """`token_env` names the variable that holds the token; `form` is how pages are asked for."""

    base_url: str = Field(pattern=r"^https?://")
    token_env: str = "MEINPUT_TOKEN"  # noqa: S105 - the name of a variable
    form: Literal["json", "ndjson"] = "json"
    page_size: int = Field(default=500, ge=1, le=1000)


class ChatOptions(_Options):
    """A SQLAlchemy address, or the variable that holds it; neither where the host brings its engine."""

    url: str | None = None
    url_env: str | None = None


class FileOptions(_Options):
    """Files by user; for a calendar also folders of `.ics` files."""

    paths: dict[str, Path | list[Path]] = Field(min_length=1)

    @property
    def paths_by_user(self) -> dict[str, list[Path]]:
        return {user: paths if isinstance(paths, list) else [paths] for user, paths in self.paths.items()}


class CalDavAccountOptions(_Options):
    """One user's account; `password_env` names the variable that holds the password."""

    url: str = Field(pattern=r"^https?://")
    username: str
    password_env: str


class CalDavOptions(_Options):
    """Accounts by user."""

    accounts: dict[str, CalDavAccountOptions] = Field(min_length=1)


class MemoryOptions(_Options):
    """`token_env` names the variable that holds the token."""

    base_url: str = Field(pattern=r"^https?://")
    token_env: str = "MEMORY_V2_TOKEN"  # noqa: S105 - the name of a variable


class ActivityWatchOptions(_Options):
    """The server of one user's machine."""

    base_url: str = Field(default="http://127.0.0.1:5600", pattern=r"^https?://")
    user_id: str = "local"


class EmbeddedOptions(_Options):
    """A store file that `temporal-recall import` fills."""

    path: Path


_Model = TypeVar("_Model", bound=_Options)


def _read_options(model: type[_Model], source: str, options: Mapping[str, object]) -> _Model:
    try:
        return model.model_validate(dict(options))
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        path = _path(source, "options", *map(str, fault["loc"]))
        known = ", ".join(model.model_fields)
        allowed = f"one of {known}" if fault["type"] == "extra_forbidden" else allowed_by(fault)
        is_missing = fault["type"] == "missing"
        raise InvalidConfig(
            path, None if is_missing else fault["input"], "a value" if is_missing else allowed
        ) from None


def _path(source: str, *parts: str) -> str:
    return ".".join(("sources", source, *parts))


def _from_environment(name: str, source: str, option: str) -> str:
    value = os.environ.get(name)
    if not value:
        raise InvalidConfig(_path(source, "options", option), name, "the name of an environment variable that is set")
    return value


def _meinput(source: str, options: Mapping[str, object], host: HostParts) -> SourceAdapter:
    from temporal_recall.adapters.meinput import MeInputAdapter

    chosen = _read_options(MeInputOptions, source, options)
    token = _from_environment(chosen.token_env, source, "token_env")
    return MeInputAdapter(
        source, chosen.base_url, token=token, client=host.http_client, form=chosen.form, page_size=chosen.page_size
    )


def _chat(source: str, options: Mapping[str, object], host: HostParts) -> SourceAdapter:
    from temporal_recall.adapters.portal_chat import PortalChatAdapter

    chosen = _read_options(ChatOptions, source, options)
    if chosen.url is None and chosen.url_env is None:
        if host.engine is None:
            raise InvalidConfig(_path(source, "options"), "no url", "url, url_env, or an engine of the host")
        return PortalChatAdapter(source, engine=host.engine)
    url = chosen.url or _from_environment(str(chosen.url_env), source, "url_env")
    return PortalChatAdapter(source, url=url)


def _calendar(source: str, options: Mapping[str, object], host: HostParts) -> SourceAdapter:
    import icalendar  # noqa: F401 - told now rather than at the first search
    import recurring_ical_events  # noqa: F401

    from temporal_recall.adapters.calendar_ics import CalendarIcsAdapter

    return CalendarIcsAdapter(source, _read_options(FileOptions, source, options).paths_by_user)


def _caldav(source: str, options: Mapping[str, object], host: HostParts) -> SourceAdapter:
    import icalendar  # noqa: F401 - told now rather than at the first search
    import recurring_ical_events  # noqa: F401

    from temporal_recall.adapters.calendar_caldav import CalDavAccount, CalendarCalDavAdapter

    accounts = {}
    for user, account in _read_options(CalDavOptions, source, options).accounts.items():
        password = _from_environment(account.password_env, source, f"accounts.{user}.password_env")
        accounts[user] = CalDavAccount(account.url, account.username, password)
    return CalendarCalDavAdapter(source, accounts, client=host.http_client)


def _memory(source: str, options: Mapping[str, object], host: HostParts) -> SourceAdapter:
    from temporal_recall.adapters.memory_v2 import MemoryV2Adapter

    chosen = _read_options(MemoryOptions, source, options)
    token = _from_environment(chosen.token_env, source, "token_env")
    return MemoryV2Adapter(source, chosen.base_url, token=token, client=host.http_client)


def _activitywatch(source: str, options: Mapping[str, object], host: HostParts) -> SourceAdapter:
    from temporal_recall.adapters.activity_watch import ActivityWatchAdapter

    chosen = _read_options(ActivityWatchOptions, source, options)
    return ActivityWatchAdapter(source, chosen.base_url, user_id=chosen.user_id, client=host.http_client)


def _browser(source: str, options: Mapping[str, object], host: HostParts) -> SourceAdapter:
    from temporal_recall.adapters.browser_history import BrowserHistoryAdapter

    return BrowserHistoryAdapter(source, _read_options(FileOptions, source, options).paths_by_user)


def _embedded(source: str, options: Mapping[str, object], host: HostParts) -> SourceAdapter:
    from temporal_recall.adapters.embedded_store import EmbeddedStoreAdapter

    return EmbeddedStoreAdapter(source, _read_options(EmbeddedOptions, source, options).path)


BUILT_IN: Mapping[str, Factory] = {
    "activitywatch": _activitywatch,
    "browser": _browser,
    "calendar": _calendar,
    "calendar_caldav": _caldav,
    "chat": _chat,
    "embedded": _embedded,
    "meinput": _meinput,
    "memory_v2": _memory,
}
_EXTRAS: Mapping[str, str] = {
    "activitywatch": "sources",
    "calendar": "calendar",
    "calendar_caldav": "calendar",
    "chat": "sources",
    "meinput": "sources",
    "memory_v2": "sources",
}
