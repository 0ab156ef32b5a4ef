"""The registry: each kind from its options, errors that name the key, plugins that may fail alone."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from temporal_recall.adapters import registry
from temporal_recall.adapters.registry import BUILT_IN, HostParts, adapter_kinds, create_adapter
from temporal_recall.schemas.errors import InvalidConfig
from temporal_recall.schemas.evidence import SourceAdapter

OPTIONS: dict[str, dict[str, object]] = {
    "activitywatch": {"user_id": "u1"},
    "browser": {"paths": {"u1": "history.db"}},
    "calendar": {"paths": {"u1": ["a.ics", "b.ics"], "u2": "c.ics"}},
    "calendar_caldav": {"accounts": {"u1": {"url": "https://dav.example/", "username": "a", "password_env": "SECRET"}}},
    "chat": {"url": "sqlite:///portal.db"},
    "embedded": {"path": "store.db"},
    "meinput": {"base_url": "https://meinput.example", "token_env": "SECRET"},
    "memory_v2": {"base_url": "https://memory.example", "token_env": "SECRET"},
}


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "hunter2")


@pytest.mark.parametrize("kind", sorted(BUILT_IN))
def test_every_kind_is_made_from_its_options(kind: str) -> None:
    adapter = create_adapter(kind, "mine", OPTIONS[kind])
    assert isinstance(adapter, SourceAdapter)
    assert adapter.source == "mine"
    adapter.close()


@pytest.mark.parametrize("kind", sorted(BUILT_IN))
def test_an_option_that_there_is_not_is_named(kind: str) -> None:
    with pytest.raises(InvalidConfig) as caught:
        create_adapter(kind, "mine", {**OPTIONS[kind], "colour": "red"})
    assert caught.value.path == "sources.mine.options.colour"


@pytest.mark.parametrize(
    ("kind", "options", "path"),
    [
        ("nothing", {}, "sources.mine.kind"),
        ("meinput", {"token_env": "SECRET"}, "sources.mine.options.base_url"),
        ("meinput", {"base_url": "ftp://x", "token_env": "SECRET"}, "sources.mine.options.base_url"),
        ("meinput", {"base_url": "https://x", "token_env": "UNSET"}, "sources.mine.options.token_env"),
        ("meinput", {"base_url": "https://x", "page_size": 5000}, "sources.mine.options.page_size"),
        ("chat", {}, "sources.mine.options"),
        ("chat", {"url_env": "UNSET"}, "sources.mine.options.url_env"),
        ("calendar", {"paths": {}}, "sources.mine.options.paths"),
    ],
)
def test_a_wrong_value_is_named_by_its_key(kind: str, options: dict[str, object], path: str) -> None:
    with pytest.raises(InvalidConfig) as caught:
        create_adapter(kind, "mine", options)
    assert caught.value.path == path
    assert "hunter2" not in str(caught.value)


def test_the_hosts_parts_are_used_and_left_open() -> None:
    engine = sa.create_engine("sqlite://", poolclass=sa.StaticPool)
    with httpx.Client() as client, engine.connect() as connection:
        host = HostParts(engine=engine, http_client=client)
        for kind in ("meinput", "memory_v2", "activitywatch", "calendar_caldav"):
            create_adapter(kind, "mine", OPTIONS[kind], host=host).close()
        create_adapter("chat", "mine", {}, host=host).close()
        assert not client.is_closed
        assert connection.execute(sa.text("SELECT 1")).scalar_one() == 1
    engine.dispose()


class Plugged:
    """A plugin's adapter, as far as it matters here."""

    def __init__(self, source: str) -> None:
        self.source = source


def plugged_factory(source: str, options: Any, host: HostParts) -> Any:
    """What a plugin's entry point names."""
    return Plugged(source)


not_a_factory = "nothing that can be called"


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    module = __name__
    entries = {
        "diary": f"{module}:plugged_factory",
        "gone": "a_module_that_is_not_there:factory",
        "odd": f"{module}:not_a_factory",
        "meinput": f"{module}:plugged_factory",
    }
    points = [EntryPoint(name, value, registry.PLUGIN_GROUP) for name, value in entries.items()]
    monkeypatch.setattr(registry, "entry_points", lambda group: points if group == registry.PLUGIN_GROUP else [])


@pytest.mark.usefixtures("plugins")
class TestPlugins:
    def test_a_plugin_is_a_kind(self) -> None:
        assert create_adapter("diary", "mine", {}).source == "mine"

    def test_each_kind_says_what_keeps_it_from_working(self) -> None:
        problems = {(kind.name, kind.problem) for kind in adapter_kinds() if kind.origin != "temporal-recall"}
        assert problems == {
            ("diary", ""),
            ("gone", "cannot be loaded: ModuleNotFoundError"),
            ("odd", "is no factory"),
            ("meinput", "a kind of this name is built in"),
        }

    def test_a_plugin_that_fails_spoils_only_its_own_kind(self) -> None:
        for kind in ("gone", "odd"):
            with pytest.raises(InvalidConfig, match=r"sources\.mine\.kind"):
                create_adapter(kind, "mine", {})
        assert isinstance(create_adapter("meinput", "mine", OPTIONS["meinput"]), SourceAdapter)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> Any:
        raise ModuleNotFoundError(name="icalendar")

    monkeypatch.setattr(registry, "BUILT_IN", {"calendar": missing})
    with pytest.raises(InvalidConfig, match=r"temporal-recall\[calendar\]"):
        create_adapter("calendar", "mine", {})


def test_every_kind_that_needs_one_knows_its_extra(tmp_path: Path) -> None:
    assert set(registry._EXTRAS) <= set(BUILT_IN)
