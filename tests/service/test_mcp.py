"""Recall as MCP tools, spoken to with the protocol's own client: over stdio, and over HTTP with the service's auth."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import anyio
import httpx
import pytest
from listed_sources import ListedSource
from recap_days import DATE, segment
from served_recall import KEYS, NOW, WORKER_TOKEN, life_of, token

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
    authenticator = Authenticator(SignedTokens(KEYS, audience="temporal-recall"), WORKER_TOKEN)
    server = create_mcp_server(lambda: service, authenticator=authenticator)
    with running(server.streamable_http_app(json_response=True, stateless_http=True)) as address:
        yield f"{address}/mcp"


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


class TestHttp:
    def ask(self, url: str, bearer: str) -> Any:
        from mcp.client.streamable_http import streamable_http_client

        async def call() -> Any:
            import httpx2

            async with (
                httpx2.AsyncClient(headers={"Authorization": f"Bearer {bearer}"}) as http,
                Client(streamable_http_client(url, http_client=http)) as client,
            ):
                return await client.call_tool("recall_timeline", QUESTION)

        return anyio.run(call)

    @pytest.mark.parametrize(("user_id", "own", "other"), [("u1", "护照", "离婚"), ("u2", "离婚", "护照")])
    def test_the_token_says_whose_records_are_read(self, url: str, user_id: str, own: str, other: str) -> None:
        text = str(self.ask(url, token(user_id)).structured_content)
        assert own in text
        assert other not in text

    @pytest.mark.parametrize("bearer", ["", "abc", token(exp=1), token(aud="portal"), WORKER_TOKEN])
    def test_no_wrong_token_opens_it(self, url: str, bearer: str) -> None:
        headers = {"Authorization": f"Bearer {bearer}".strip(), "Accept": "application/json, text/event-stream"}
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
        assert httpx.post(url, json=call, headers=headers).status_code == 401


def test_the_demo_persona_answers_over_stdio() -> None:
    async def call() -> Any:
        command = StdioServerParameters(
            command=sys.executable, args=["-c", "from temporal_recall.service.cli import main; main()", "mcp"]
        )
        async with Client(stdio_client(command)) as client:
            return await client.call_tool("plan_context", {"query": "我昨天做了什么"})

    assert anyio.run(call).structured_content["context_needs"]["temporal_recall"] == "REQUIRED"
