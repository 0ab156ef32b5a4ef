"""A configuration is checked when it is read; an error names the key and what is allowed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from temporal_recall.schemas.errors import InvalidConfig
from temporal_recall.service.config import RecallConfig, SourceConfig, read_config

GOOD = """
time_zone = "Europe/Berlin"

[[sources]]
name = "meinput"
required = true

[[sources]]
name = "work_calendar"
kind = "calendar_ics"
options = { path = "work.ics" }
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "recall.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_good_file_becomes_settings(tmp_path: Path) -> None:
    config = read_config(written(tmp_path, GOOD))
    settings = config.source_settings()
    assert config.time_zone == "Europe/Berlin"
    assert settings.required == {"meinput"}
    assert [s.axis for s in settings.sources] == ["observed", "event"]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        pytest.param(GOOD.replace("Europe/Berlin", "Berlin/Europe"), "time_zone", id="unknown zone"),
        pytest.param(GOOD + "[weights]\nmain_threshold = 1.5\n", "weights.main_threshold", id="out of range"),
        pytest.param(
            GOOD + "[weights]\nsimilarity_low = 0.8\n", "weights", id="nothing between the bounds of similarity"
        ),
        pytest.param(GOOD + "[http]\nprot = 80\n", "http.prot", id="misspelt key"),
        pytest.param(GOOD.replace("work_calendar", "meinput"), "config", id="a name twice"),
        pytest.param("retrieval_time_limit_s = 9\n" + GOOD, "config", id="retrieval longer than the request"),
        pytest.param('time_zone = "UTC"\n', "sources", id="no source"),
        pytest.param("time_zone = \n", "config", id="not TOML"),
        pytest.param('weights_file = "absent.json"\n' + GOOD, "weights_file", id="weights that are not there"),
    ],
)
def test_an_error_names_the_key(tmp_path: Path, text: str, key: str) -> None:
    with pytest.raises(InvalidConfig) as error:
        read_config(written(tmp_path, text))
    assert error.value.path == key
    assert error.value.allowed


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ('timezone = "UTC"\n' + GOOD, "timezone", "time_zone"),
        (GOOD + "[http]\nprot = 80\n", "http.prot", "port"),
        (GOOD + "[index]\nadress = 1\n", "index.adress", "url_env"),
        (GOOD + '[[sources]]\nname = "x"\nkinds = "chat"\n', "kinds", "kind"),
    ],
)
def test_a_misspelt_key_is_told_the_keys_that_its_table_has(tmp_path: Path, text: str, path: str, allowed: str) -> None:
    with pytest.raises(InvalidConfig) as error:
        read_config(written(tmp_path, text))
    assert error.value.path.endswith(path)
    assert allowed in error.value.allowed.removeprefix("one of ").split(", ")


def test_what_is_allowed_is_told_without_a_preface_of_the_library(tmp_path: Path) -> None:
    with pytest.raises(InvalidConfig) as error:
        read_config(written(tmp_path, GOOD.replace("Europe/Berlin", "Berlin/Europe")))
    assert error.value.allowed.startswith("time zone 'Berlin/Europe' is neither")


def test_a_key_that_is_missing_has_no_value(tmp_path: Path) -> None:
    with pytest.raises(InvalidConfig, match="sources is None; allowed: a value"):
        read_config(written(tmp_path, 'time_zone = "UTC"\n'))


def test_the_environment_stands_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEMPORAL_RECALL_TIME_ZONE", "Asia/Tokyo")
    monkeypatch.setenv("TEMPORAL_RECALL_HTTP__PORT", "9090")
    config = read_config(written(tmp_path, GOOD + "[http]\nport = 80\nhost = '0.0.0.0'\n"))
    assert (config.time_zone, config.http.port, config.http.host) == ("Asia/Tokyo", 9090, "0.0.0.0")


def test_settings_made_in_code_do_not_read_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEMPORAL_RECALL_TIME_ZONE", "Asia/Tokyo")
    assert RecallConfig(sources=(SourceConfig(name="chat"),)).time_zone == "Asia/Shanghai"


def test_tuned_weights_come_from_a_file_beside(tmp_path: Path) -> None:
    (tmp_path / "weights.json").write_text(json.dumps({"main_threshold": 0.8}))
    config = read_config(written(tmp_path, 'weights_file = "weights.json"\n' + GOOD))
    assert config.weights.main_threshold == 0.8
