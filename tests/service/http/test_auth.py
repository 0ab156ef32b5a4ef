"""Identity comes from the token alone; no wrong token opens anything, and nobody sees another's records."""

from __future__ import annotations

import asyncio
import json

import pytest
from served_recall import BAD_TOKENS, KEYS, NOW, WORKER_TOKEN, Served, token

from temporal_recall.schemas.errors import InvalidConfig
from temporal_recall.service.config import HttpConfig
from temporal_recall.service.http.app import signed_tokens
from temporal_recall.service.http.auth import Authenticator, Caller, SignedTokens
from temporal_recall.service.http.problems import HttpProblem

ROUTES = [
    ("POST", "/api/v1/temporal-recall/query", {"query": "我昨天做了什么", "now": NOW}),
    ("POST", "/api/v1/context-planner/plan", {"query": "我昨天做了什么", "now": NOW}),
    ("GET", "/api/v1/temporal-recall/info", None),
]
KEY_PEM = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n-----END PUBLIC KEY-----\n"


@pytest.mark.parametrize(("method", "path", "body"), ROUTES, ids=[path for _, path, _ in ROUTES])
def test_no_wrong_token_opens_a_route(served: Served, method: str, path: str, body: object) -> None:
    for kind, bearer in BAD_TOKENS.items():
        answer = served.client(bearer).request(method, path, json=body)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated"), kind
        assert answer.headers["WWW-Authenticate"] == "Bearer"
        assert "护照" not in answer.text


@pytest.mark.parametrize("scheme", ["Basic", "Token", "bearer:"])
def test_only_bearer_counts(served: Served, scheme: str) -> None:
    client = served.client(Authorization=f"{scheme} {token()}")
    assert client.get("/api/v1/temporal-recall/info").status_code == 401


@pytest.mark.parametrize("kid", ["old", "new"])
def test_every_current_key_is_good(served: Served, kid: str) -> None:
    assert served.client(token(kid=kid)).get("/api/v1/temporal-recall/info").status_code == 200


class TestSubject:
    def test_a_user_sees_only_the_own_records(self, served: Served) -> None:
        for user_id, own, other in (("u1", "护照", "离婚"), ("u2", "离婚", "护照")):
            answer = served.ask({"query": "我今天做了什么", "now": NOW}, token(user_id))
            assert answer.status_code == 200
            assert own in answer.text
            assert other not in answer.text

    def test_a_stranger_finds_nothing(self, served: Served) -> None:
        answer = served.ask({"query": "我今天做了什么", "now": NOW}, token("u3")).json()
        assert (answer["items"], answer["stats"]["raw_count"]) == ([], 0)

    @pytest.mark.parametrize("question", [{"query": "我今天做了什么"}, {"plan": {}}])
    def test_a_body_that_names_another_user_is_refused(self, served: Served, question: dict[str, object]) -> None:
        answer = served.ask(question | {"now": NOW, "user_id": "u2"}, token("u1"))
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
        assert "离婚" not in answer.text

    def test_a_body_may_name_the_token_s_own_user(self, served: Served) -> None:
        assert served.ask({"query": "我今天做了什么", "now": NOW, "user_id": "u1"}, token("u1")).status_code == 200

    def test_the_worker_may_name_any_user_and_must_name_one(self, served: Served) -> None:
        answer = served.ask({"query": "我今天做了什么", "now": NOW, "user_id": "u2"}, WORKER_TOKEN)
        assert "离婚" in answer.text
        nobody = served.ask({"query": "我今天做了什么", "now": NOW}, WORKER_TOKEN)
        assert (nobody.status_code, nobody.json()["errors"][0]["path"]) == (400, "user_id")
        unheard = served.ask({"query": "我今天做了什么", "now": NOW, "user_id": "u\0"}, WORKER_TOKEN)
        assert (unheard.status_code, unheard.json()["errors"][0]["path"]) == (400, "user_id")

    def test_answers_follow_the_token_one_after_another(self, served: Served) -> None:
        for user_id in ("u1", "u2", "u1", "u2"):
            text = served.ask({"query": "我今天做了什么", "now": NOW}, token(user_id)).text
            assert ("护照" in text, "离婚" in text) == (user_id == "u1", user_id == "u2")


class TestAuthenticator:
    def test_a_host_brings_its_own_verifier_plain_or_async(self) -> None:
        async def verify(token: str) -> str | None:
            return "u1" if token == "good" else None

        for verifier in (verify, lambda token: "u1" if token == "good" else None):
            authenticator = Authenticator(verifier)
            assert asyncio.run(authenticator.caller("Bearer good")) == Caller("u1")
            with pytest.raises(HttpProblem):
                asyncio.run(authenticator.caller("Bearer bad"))

    def test_without_a_worker_token_there_is_no_worker(self) -> None:
        authenticator = Authenticator(SignedTokens(KEYS, audience="temporal-recall"), None)
        for header in ("Bearer ", "Bearer None", "Bearer"):
            with pytest.raises(HttpProblem):
                asyncio.run(authenticator.caller(header))


@pytest.mark.parametrize(("algorithm", "key"), [("RS256", "a secret, and no public key at all"), ("HS256", KEY_PEM)])
def test_a_key_of_another_algorithm_is_refused_at_the_start(algorithm: str, key: str) -> None:
    http = HttpConfig(algorithm=algorithm)  # type: ignore[arg-type]
    with pytest.raises(InvalidConfig, match=f"the key k1 is none of {algorithm}") as refused:
        signed_tokens(http, {http.signing_keys_env: json.dumps({"k1": key})})
    assert key not in str(refused.value)
