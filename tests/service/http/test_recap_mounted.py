"""Recap inside the whole application: on where a store is configured, behind the application's own auth."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from listed_sources import ListedSource
from recap_app import QUERY
from served_recall import WORKER_TOKEN, Served, token

from temporal_recall.service.recap.config import RecapConfig

PROJECTION = "/api/v1/recaps/daily/projection"
DAILY = "/api/v1/recaps/daily"
FACTS = "/api/v1/recaps/daily/facts"


def _served(serve: Callable[..., Served], folder: Path) -> Served:
    return serve(ListedSource("chat"), recap=RecapConfig(store_url=f"sqlite:///{folder / 'recap.db'}"))


def test_without_a_store_the_routes_are_not_there(serve: Callable[..., Served]) -> None:
    assert serve(ListedSource("chat")).client(token("u1")).get(DAILY, params=QUERY).status_code == 404


def test_tokens_are_asked_for_and_users_kept_apart(serve: Callable[..., Served], tmp_path: Path) -> None:
    served = _served(serve, tmp_path)
    for client in (served.client(), served.client("forged")):
        assert client.get(DAILY, params=QUERY).status_code == 401
    mine = {"facts": [{"text": "met Bo", "start": None, "end": None}]}
    assert served.client(token("u1")).put(FACTS, params=QUERY, json=mine).json() == mine
    assert served.client(token("u2")).get(FACTS, params=QUERY).json() == {"facts": []}
    assert served.client(token("u2")).get(DAILY, params={**QUERY, "user_id": "u1"}).status_code == 403


def test_a_worker_names_the_user(serve: Callable[..., Served], tmp_path: Path) -> None:
    worker = _served(serve, tmp_path).client(WORKER_TOKEN)
    assert worker.get(PROJECTION, params=QUERY).status_code == 400
    assert worker.get(PROJECTION, params={**QUERY, "user_id": "u1"}).json()["is_empty"]


@pytest.mark.parametrize("named", [[""], ["x" * 129], ["u1", "u2"]], ids=["nobody", "too long", "two"])
def test_a_worker_names_one_user_by_a_name_that_can_be_one(
    serve: Callable[..., Served], tmp_path: Path, named: list[str]
) -> None:
    worker = _served(serve, tmp_path).client(WORKER_TOKEN)
    refused = worker.get(PROJECTION, params={**QUERY, "user_id": named})
    assert (refused.status_code, refused.json()["errors"][0]["path"]) == (400, "user_id")


def test_without_a_model_the_diary_is_refused_and_read(serve: Callable[..., Served], tmp_path: Path) -> None:
    client = _served(serve, tmp_path).client(token("u1"))
    assert client.get(DAILY, params=QUERY).json()["is_empty"]
    refused = client.post(f"{DAILY}/generate", params=QUERY)
    assert (refused.status_code, refused.json()["code"]) == (503, "not_configured")
