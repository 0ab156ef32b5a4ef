"""The Portal of `examples/portal`, run as its README says: a stranger's application with packages of our names."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa

from temporal_recall.adapters.portal_migrations import apply_migrations
from temporal_recall.testing.portal_database import create_portal, insert

FOLDER = Path(__file__).parents[2] / "examples" / "portal"
QUESTION = {"query": "我今天做了什么", "now": "2026-09-03T22:00:00+08:00"}
PATH = "/api/v1/temporal-recall/query"


@pytest.fixture(scope="module")
def portal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of the running Portal, in whose database u1 and u2 have each said something."""
    url = f"sqlite:///{tmp_path_factory.mktemp('portal') / 'portal.db'}"
    engine = sa.create_engine(url)
    create_portal(engine)
    apply_migrations(engine)
    for user_id, words in (("u1", "下午把护照办好了"), ("u2", "下午去签了离婚协议")):
        insert(engine, "h5_sessions", {"session_id": f"s-{user_id}", "user_id": user_id, "user_tz": "Asia/Shanghai"})
        message = {"message_id": f"m-{user_id}", "session_id": f"s-{user_id}", "author_user_id": user_id}
        insert(engine, "h5_messages", message | {"content": words, "created_at": "2026-09-03T18:00:00+08:00"})
    engine.dispose()
    command = [sys.executable, "-m", "uvicorn", "app:app", "--port", "0", "--log-level", "info"]
    environment = os.environ | {"PORTAL_DATABASE": url}
    with subprocess.Popen(command, cwd=FOLDER, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        try:
            line = next(line for line in process.stderr if "running on" in line)
            with httpx.Client(base_url=line.split("running on ")[1].split()[0], timeout=20) as client:
                yield client
        finally:
            process.terminate()
            process.stderr.read()


def ask(portal: httpx.Client, session: str) -> httpx.Response:
    return portal.post(PATH, json=QUESTION, headers={"Authorization": f"Bearer {session}"})


@pytest.mark.parametrize(
    ("session", "own", "other"), [("session-of-lin", "护照", "离婚"), ("session-of-chen", "离婚", "护照")]
)
def test_a_session_of_the_portal_sees_its_own_user_s_records(
    portal: httpx.Client, session: str, own: str, other: str
) -> None:
    answer = ask(portal, session)
    assert answer.status_code == 200
    assert own in answer.text
    assert other not in answer.text


def test_an_unknown_session_is_a_problem_document(portal: httpx.Client) -> None:
    answer = ask(portal, "session-of-nobody")
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")


def test_the_portal_s_own_routes_and_errors_stay_its_own(portal: httpx.Client) -> None:
    assert portal.get("/me", params={"session": "session-of-lin"}).json()["display_name"] == "林"
    assert portal.get("/me", params={"session": "x"}).json() == {"detail": "sign in first"}
    assert portal.get("/me").status_code == 422
    assert portal.get("/nowhere").json() == {"detail": "Not Found"}
