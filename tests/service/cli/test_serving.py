"""`serve` as a newcomer runs it: the demo persona answers what it prints; a bad configuration is one line."""

from __future__ import annotations

import gc
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
import served_recall
from typer.testing import Result

from temporal_recall.service.cli import serving
from temporal_recall.service.config import RecallConfig, SourceConfig
from temporal_recall.service.facade import RecallService
from temporal_recall.service.http.metrics import RecallMetrics

Run = Callable[..., Result]
SIGNING_KEYS = "TEMPORAL_RECALL_SIGNING_KEYS"
PROGRAM = [sys.executable, "-c", "from temporal_recall.service.cli import main; main()"]


@pytest.fixture(scope="module")
def printed() -> Iterator[tuple[str, str]]:
    """The token line and the curl line of a running `temporal-recall serve`."""
    port = free_port()
    command = [*PROGRAM, "serve", "--port", str(port)]
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout
        try:
            lines = [server.stdout.readline().strip() for _ in range(2)]
            _await(f"http://127.0.0.1:{port}/healthz")
            yield lines[0], lines[1]
        finally:
            server.terminate()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def _await(url: str) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            httpx.get(url, timeout=1)
            return
        except httpx.TransportError:
            continue
    raise AssertionError("the server did not start")


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_printed_lines_work_as_printed(printed: tuple[str, str]) -> None:
    run = subprocess.run(["bash", "-c", "\n".join(printed)], capture_output=True, text=True, check=True)
    answer = json.loads(run.stdout)
    assert answer["temporal_mode"] == "AMBIGUOUS"
    assert answer["items"]


def test_the_demo_is_warm_before_it_prints_its_question(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A newcomer's first request, on a busy machine, must not be the one that is late."""
    printed_before: list[bool] = []
    monkeypatch.setattr(
        RecallService, "warm_up", lambda service: printed_before.append("TOKEN" in capsys.readouterr().out)
    )
    monkeypatch.setattr(serving, "_run", lambda app, host, port: None)
    serving.serve(port=0, config=None, check=False)
    assert printed_before == [False]
    assert "TOKEN=" in capsys.readouterr().out


def test_the_demo_listens_on_loopback_only(printed: tuple[str, str]) -> None:
    url = next(word for word in shlex.split(printed[1]) if word.startswith("http"))
    assert url.startswith("http://127.0.0.1:")


@pytest.mark.parametrize(("sent", "exit_code"), [(signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, 0)])
def test_a_signal_lets_who_has_asked_have_the_answer_and_waits_for_no_hung_read(
    tmp_path: Path, sent: signal.Signals, exit_code: int
) -> None:
    """A file system that nobody may write to is as good as any: nothing is written either."""
    port = free_port()
    support = Path(served_recall.__file__).parent
    command = [sys.executable, str(support / "watched_server.py"), str(port)]
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout
        url = f"http://127.0.0.1:{port}"
        _await(f"{url}/healthz")
        with ThreadPoolExecutor(1) as caller:
            headers = {"Authorization": f"Bearer {served_recall.token()}"}
            question = {"query": "我今天做了什么", "now": served_recall.NOW}
            asked = caller.submit(
                httpx.post, f"{url}/api/v1/temporal-recall/query", json=question, headers=headers, timeout=40
            )
            written = list(iter(server.stdout.readline, "asked\n"))
            server.send_signal(sent)
            answer = asked.result()
        assert (answer.status_code, answer.json()["stats"]["partial"]) == (200, True)
        assert server.wait(20) == exit_code
        assert [*written, *server.stdout] == []


class TestCheck:
    CONFIG = '[[sources]]\nname = "records"\nkind = "embedded"\noptions = { path = "store.db" }\n'

    @pytest.mark.parametrize(
        ("text", "key"),
        [
            ('[[sources]]\nname = "chat"\nkind = "carrier_pigeon"\n', "kind"),
            (CONFIG + "[http]\nport = 99999\n", "http.port"),
            (CONFIG + "colour = 1\n", "colour"),
            ("[[sources]", "config"),
        ],
    )
    def test_a_bad_configuration_is_one_line_with_its_key(self, run: Run, tmp_path: Path, text: str, key: str) -> None:
        path = tmp_path / "recall.toml"
        path.write_text(text)
        result = run("serve", "--check", "--config", path, env={SIGNING_KEYS: json.dumps({"k": "x" * 32})})
        assert result.exit_code == 2
        assert key in result.stderr
        assert len(result.stderr.strip().splitlines()) == 1

    def test_a_good_one_is_said_to_be_usable(self, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "recall.toml").write_text(self.CONFIG)
        result = run("serve", "--check", "--config", "recall.toml", env={SIGNING_KEYS: json.dumps({"k": "x" * 32})})
        assert (result.exit_code, "sources records" in result.stdout) == (0, True)

    def test_an_absent_secret_is_named(self, run: Run, tmp_path: Path) -> None:
        path = tmp_path / "recall.toml"
        path.write_text(self.CONFIG)
        result = run("serve", "--check", "--config", path, env={SIGNING_KEYS: ""})
        assert (result.exit_code, SIGNING_KEYS in result.stderr) == (2, True)


def test_what_a_server_loaded_is_not_searched_for_garbage(tmp_path: Path) -> None:
    source = SourceConfig(name="records", kind="embedded", options={"path": str(tmp_path / "store.db")})
    config = RecallConfig(sources=(source,))
    with serving._lasting_service(config, RecallMetrics()):
        loaded = gc.get_freeze_count()
    gc.unfreeze()
    assert loaded > 10_000
