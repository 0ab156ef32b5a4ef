"""`demo` and `query`: questions and their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from temporal_recall.service.cli.batch import Row, answer_lines, text_of, zone_in
from temporal_recall.service.cli.console import notes, screen, write_json
from temporal_recall.service.cli.deployment import Deployment, demo_deployment, deployment
from temporal_recall.service.cli.options import Batch, Config, Json, Now, Records, TimeZone, UserId

if TYPE_CHECKING:
    from temporal_recall.schemas.bundle import RecallBundle

DEMO_QUESTION = "我昨天有什么重要的事？"

Limit = Annotated[int, typer.Option("--limit", min=1, max=200, help="Most items in the answer.")]
Explain = Annotated[bool, typer.Option("--explain", help="Show the factors of each score, and the reason.")]


def demo(
    question: Annotated[str, typer.Argument(help="What to ask the demo persona.")] = DEMO_QUESTION,
    explain: Explain = False,
    as_json: Json = False,
) -> None:
    """Ask the invented person that the package ships; works offline."""
    with demo_deployment() as asked:
        _show(question, asked.recall(question, None, explain=explain), asked, None, as_json)
    if question == DEMO_QUESTION and not as_json:
        notes().print('[dim]Ask her more: temporal-recall demo "这周五之前要交什么？"[/]')


def query(
    question: Annotated[str | None, typer.Argument(help="The question, in the person's words.")] = None,
    records: Records = None,
    config: Config = None,
    batch: Batch = None,
    now: Now = None,
    time_zone: TimeZone = None,
    user_id: UserId = None,
    limit: Limit = 50,
    explain: Explain = False,
    as_json: Json = False,
) -> None:
    """Answer a question with the ranked, grouped timeline of what happened.

    With --batch, lines of {qid, query, now, time_zone} give lines of {qid, bundle}.
    """
    if (question is None) == (batch is None):
        raise typer.BadParameter("give either a question or --batch")
    with deployment(records, config, user_id, time_zone) as asked:
        if question is not None:
            _show(question, asked.recall(question, now, limit=limit, explain=explain), asked, now, as_json)
        elif batch is not None:
            answer_lines(batch, lambda row, qid: _answered(asked, row, qid, now, limit, explain))


def _answered(asked: Deployment, row: Row, qid: str, now: str | None, limit: int, explain: bool) -> dict[str, Any]:
    question, at = text_of(row, "query", "text"), row.get("now", now)
    bundle = asked.recall(question, at, time_zone=zone_in(row), limit=limit, explain=explain)
    return {"qid": qid, "bundle": bundle}


def _show(question: str, bundle: RecallBundle, asked: Deployment, now: str | None, as_json: bool) -> None:
    if as_json:
        write_json(bundle)
        return
    from temporal_recall.service.cli.pages.answer import answer_page

    screen().print(answer_page(question, bundle, asked.instant(now), asked.main_score))
