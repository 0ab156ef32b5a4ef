"""An agent's turn with recall: plan, recall where the plan requires it, then ask the model.

    python examples/agent_hook.py

Runs offline: the records are the demo persona's, and the model is a stand-in behind a real socket that speaks the
chat-completions protocol. Put your own base URL and model into `ChatEndpoint` and the turn stays the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from temporal_recall import RecallService
from temporal_recall.adapters.chat_client import ChatClient, ChatEndpoint
from temporal_recall.demo import DEMO_NOW, DEMO_USER_ID
from temporal_recall.service.agent_hook import RECALL_TOOL, recall_context, tool_answer, with_recall

QUESTIONS = ("我昨天有什么重要的事？", "明天会下雨吗")


def answered_turn(service: RecallService, client: ChatClient, question: str) -> tuple[str, int]:
    """The model's answer to one question, and how many items of evidence it was given."""
    context = recall_context(service, question, user_id=DEMO_USER_ID, now=DEMO_NOW)
    messages = with_recall([{"role": "user", "content": question}], context)
    answer = client.complete(messages, time_limit_s=10.0)
    return answer.text, context.block.item_count if context else 0


class StandInModel(BaseHTTPRequestHandler):
    """Says how much evidence stands between the fences of the last system message, as a model would use it."""

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        evidence = [m["content"] for m in request["messages"] if m["role"] == "system"]
        refs = [json.loads(line)["ref"] for text in evidence for line in text.splitlines() if line.startswith("{")]
        said = f"I found {len(refs)} records; the first is {refs[0]}." if refs else "I need no records for that."
        message = {"role": "assistant", "content": said}
        self._send({"model": "stand-in", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})

    def _send(self, body: dict[str, Any]) -> None:
        content = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Keeps the terminal for the answers."""


@contextmanager
def stand_in_model() -> Iterator[str]:
    """The base URL of a stand-in model on a free port of this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), StandInModel)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def main() -> None:
    with RecallService.demo() as service, stand_in_model() as base_url:
        client = ChatClient(ChatEndpoint(base_url=base_url, model="stand-in"))
        for question in QUESTIONS:
            answer, item_count = answered_turn(service, client, question)
            print(f"{question}  ({item_count} items of evidence)\n  {answer}")
        arguments = json.dumps({"query": QUESTIONS[0]})
        call = {"id": "call-1", "function": {"name": RECALL_TOOL["function"]["name"], "arguments": arguments}}
        answer_to_tool = tool_answer(service, call, user_id=DEMO_USER_ID, now=DEMO_NOW)
        print(f"and as a tool:\n  {answer_to_tool['content'].splitlines()[0]}")


if __name__ == "__main__":
    main()
