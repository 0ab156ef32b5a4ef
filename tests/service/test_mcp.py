"""Recall as MCP tools, spoken to with the protocol's own client: over stdio, and over HTTP with the service's auth."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import datetime
from typing import Any

import anyio
import httpx
import pytest
from listed_sources import HungSource, ListedSource
from recap_days import DATE, segment
from served_recall import BAD_TOKENS, KEYS, NOW, WORKER_TOKEN, life_of, token

from temporal_recall.service.config import HttpConfig, RecallConfig, SourceConfig
from temporal_recall.service.facade import RecallService
from temporal_recall.service.http.auth import Authenticator, SignedTokens
from temporal_recall.service.recap.config import RecapConfig
from temporal_recall.service.recap.service import RecapService
from temporal_recall.testing.running import running

mcp = pytest.importorskip("mcp", reason="the mcp extra is not installed")

from mcp.client import Client  # noqa: E402
from mcp.client.stdio import StdioServerParameters, stdio_client  # noqa: E402

from temporal_recall.service.mcp import create_mcp_server  # noqa: E402

QUESTION = {"query": "我今天做了什么", "now": NOW}


@pytest.fixture(scope="module")
def service() -> Iterator[RecallService]:
    with RecallService.over({"chat": ListedSource("chat", *life_of("u1", "护照"), *life_of("u2", "离婚"))}) as service:
        yield service


@pytest.fixture(scope="module")
def url(service: RecallService) -> Iterator[str]:
    """The address of the MCP server over HTTP."""
    with running(over_http(service, HttpConfig(rate_per_minute=10_000))) as address:
        yield f"{address}/mcp"


def over_http(service: RecallService, http: HttpConfig) -> Any:
    """The application that serves the tools over HTTP."""
    authenticator = Authenticator(SignedTokens(KEYS, audience="temporal-recall"), WORKER_TOKEN)
    server = create_mcp_server(lambda: service, authenticator=authenticator, http=http)
    return server.streamable_http_app(json_response=True, stateless_http=True)


@pytest.fixture
def serve() -> Iterator[Callable[..., str]]:
    """Serves the tools over one source, with given settings; gives the address."""
    with ExitStack() as stack:

        def start(source: ListedSource, http: HttpConfig | None = None, **settings: Any) -> str:
            if isinstance(source, HungSource):
                stack.callback(source.release.set)
            config = RecallConfig(sources=(SourceConfig(name=source.source),), **settings)
            service = stack.enter_context(RecallService(config, {source.source: source}))
            return f"{stack.enter_context(running(over_http(service, http or HttpConfig())))}/mcp"

        yield start


def called(server: Any, tool: str, arguments: dict[str, Any]) -> Any:
    async def call() -> Any:
        async with Client(server) as client:
            return await client.call_tool(tool, arguments)

    return anyio.run(call)


class TestTools:
    def test_both_tools_say_what_they_do(self, service: RecallService) -> None:
        async def listed() -> Any:
            async with Client(create_mcp_server(lambda: service, user_id="u1")) as client:
                return await client.list_tools()

        tools = {tool.name: tool for tool in anyio.run(listed).tools}
        assert set(tools) == {"recall_timeline", "plan_context"}
        assert all(tool.description for tool in tools.values())

    def test_recall_gives_the_bundle_of_the_one_user(self, service: RecallService) -> None:
        server = create_mcp_server(lambda: service, user_id="u1")
        result = called(server, "recall_timeline", QUESTION)
        expected = service.recall(QUESTION["query"], user_id="u1", now=datetime.fromisoformat(NOW), limit=20)
        assert [i["source_ref"] for i in result.structured_content["items"]] == [i.source_ref for i in expected.items]
        assert "护照" in str(result.structured_content)
        assert "离婚" not in str(result.structured_content)

    def test_plan_reads_no_records(self, service: RecallService) -> None:
        result = called(create_mcp_server(lambda: service, user_id="u1"), "plan_context", QUESTION)
        assert result.structured_content["temporal_mode"] == "OCCURRED_IN"

    def test_a_day_is_projected_where_recap_is_on(self, service: RecallService) -> None:
        recap = RecapService.configured(RecapConfig(store_url="sqlite://"), {})
        recap.ingest(
            [
                segment("VS Code", "09:00", "10:00", owner_id="u1"),
                segment("离婚律师网", "09:00", "10:00", owner_id="u2"),
            ]
        )
        server = create_mcp_server(lambda: service, user_id="u1", recap=lambda: recap)
        result = called(server, "recap_projection", {"local_date": DATE, "time_zone": "UTC"})
        recap.close()
        assert "VS Code" in result.structured_content["digest"]
        assert "离婚" not in str(result.structured_content)

    @pytest.mark.parametrize("bad", [{"query": ""}, {"query": "昨天", "limit": 0}, {"query": "昨天", "limit": 201}, {}])
    def test_bad_arguments_are_an_error_of_the_call(self, service: RecallService, bad: dict[str, Any]) -> None:
        assert called(create_mcp_server(lambda: service, user_id="u1"), "recall_timeline", bad).is_error

    def test_a_server_has_one_kind_of_identity(self, service: RecallService) -> None:
        with pytest.raises(ValueError, match="either"):
            create_mcp_server(lambda: service)


async def sent(url: str, bearer: str, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    """The results of calls made at once in one session over HTTP."""
    import httpx2
    from mcp.client.streamable_http import streamable_http_client

    results: dict[int, Any] = {}
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {bearer}"}, timeout=20) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):

        async def call(number: int, tool: str, arguments: dict[str, Any]) -> None:
            results[number] = await client.call_tool(tool, arguments)

        async with anyio.create_task_group() as tasks:
            for number, (tool, arguments) in enumerate(calls):
                tasks.start_soon(call, number, tool, arguments)
    return [results[number] for number in sorted(results)]


def asked(url: str, bearer: str, *calls: tuple[str, dict[str, Any]]) -> list[Any]:
    return anyio.run(sent, url, bearer, *calls)


def told(result: Any) -> str:
    """What a call that failed says, without the library's preface."""
    assert result.is_error
    return str(result.content[0].text).partition(": ")[2]


RECALL = ("recall_timeline", QUESTION)


class TestIdentityOverHttp:
    """Only the token says whose records are read, in every tool and one call after another."""

    def test_the_token_says_whose_records_are_read(self, url: str) -> None:
        for user_id, own, other in [("u1", "护照", "离婚"), ("u2", "离婚", "护照")] * 2:
            results = asked(url, token(user_id), RECALL, ("plan_context", QUESTION))
            assert own in str(results[0].structured_content)
            assert other not in str(results)

    def test_a_stranger_finds_nothing(self, url: str) -> None:
        found = asked(url, token("u3"), RECALL)[0].structured_content
        assert (found["items"], found["stats"]["raw_count"]) == ([], 0)

    def test_a_call_cannot_name_another_user(self, url: str) -> None:
        results = asked(url, token("u1"), ("recall_timeline", QUESTION | {"user_id": "u2"}))
        assert "离婚" not in str(results)

    @pytest.mark.parametrize("kind", [*BAD_TOKENS, "the worker's"])
    def test_no_wrong_token_opens_it(self, url: str, kind: str) -> None:
        bearer = (BAD_TOKENS | {"the worker's": WORKER_TOKEN})[kind]
        headers = {"Authorization": f"Bearer {bearer or ''}".strip(), "Accept": "application/json, text/event-stream"}
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": RECALL[0], "arguments": QUESTION}}
        answer = httpx.post(url, json=call, headers=headers)
        assert answer.status_code == 401
        assert "护照" not in answer.text


class TestLimitsOverHttp:
    """The limits of the HTTP routes, told as errors of the call."""

    def test_who_asks_too_often_waits(self, serve: Callable[..., str]) -> None:
        url = serve(ListedSource("chat"), http=HttpConfig(rate_per_minute=2))
        results = [asked(url, token(), ("plan_context", QUESTION))[0] for _ in range(3)]
        assert [r.is_error for r in results] == [False, False, True]
        assert re.fullmatch(r"rate_limited; requests per minute; try again in \d+ s", told(results[2]))
        assert not asked(url, token("u2"), RECALL)[0].is_error

    @pytest.mark.parametrize(
        ("limits", "refusal"),
        [
            ({"concurrent_requests": 1}, "rate_limited; requests at once"),
            ({"places": 1}, "source_unavailable; every place is taken"),
        ],
    )
    def test_who_asks_too_much_at_once_is_refused(
        self, serve: Callable[..., str], limits: dict[str, int], refusal: str
    ) -> None:
        url = serve(HungSource("chat"), http=HttpConfig(**limits), retrieval_time_limit_s=1.0)
        results = asked(url, token(), RECALL, RECALL)
        assert sorted(told(result).partition("; try")[0] for result in results) == sorted(
            ["recall_timeout; late: chat", refusal]
        )

    def test_an_answer_comes_in_time_or_not_at_all(self, serve: Callable[..., str]) -> None:
        url = serve(HungSource("chat"), retrieval_time_limit_s=0.2)
        assert told(asked(url, token(), RECALL)[0]) == "recall_timeout; late: chat; try again in 1 s"

    @pytest.mark.parametrize(
        ("tool", "arguments", "allowed"),
        [
            (
                "recall_timeline",
                QUESTION | {"now": "2026-09-03T22:00:00"},
                "invalid_request; now: an instant with an offset",
            ),
            ("plan_context", {"query": " "}, "invalid_request; query: 1 to 2000 characters, not blank"),
        ],
    )
    def test_what_is_not_allowed_is_told_without_the_value(
        self, url: str, tool: str, arguments: dict[str, Any], allowed: str
    ) -> None:
        assert told(asked(url, token(), (tool, arguments))[0]) == allowed


def test_the_demo_persona_answers_over_stdio() -> None:
    async def call() -> Any:
        command = StdioServerParameters(
            command=sys.executable, args=["-c", "from temporal_recall.service.cli import main; main()", "mcp"]
        )
        async with Client(stdio_client(command)) as client:
            return await client.call_tool("plan_context", {"query": "我昨天做了什么"})

    assert anyio.run(call).structured_content["context_needs"]["temporal_recall"] == "REQUIRED"
