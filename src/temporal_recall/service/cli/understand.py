"""`plan` and `parse`: how a question and its time expressions are understood."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from temporal_recall.service.cli.batch import Row, answer_lines, text_of, zone_in
from temporal_recall.service.cli.console import screen, write_json
from temporal_recall.service.cli.deployment import Deployment, RulesBySlot, planner
from temporal_recall.service.cli.options import DEFAULT_TIME_ZONE, Batch, Config, Json, Now, TimeZone, instant

if TYPE_CHECKING:
    from temporal_recall.schemas.plan import ContextPlan
    from temporal_recall.schemas.time import TimeExpression, TimeRange, TimeScope

Trace = Annotated[bool, typer.Option("--trace", help="Name the rules that fired.")]


def plan(
    question: Annotated[str | None, typer.Argument(help="The question, in the person's words.")] = None,
    config: Config = None,
    batch: Batch = None,
    now: Now = None,
    time_zone: TimeZone = None,
    trace: Trace = False,
    as_json: Json = False,
) -> None:
    """Show the Context Plan of a question: which context it needs, and where recall would look.

    With --batch, lines of {id, query, now, time_zone} give lines of {id, plan}.
    """
    if (question is None) == (batch is None):
        raise typer.BadParameter("give either a question or --batch")
    with planner(config, time_zone) as asked:
        if batch is not None:
            answer_lines(batch, lambda row, name: {"id": name, "plan": _planned(asked, row, now)})
        elif question is not None:
            _show(question, asked.plan(question, now), asked.plan_trace(question, now) if trace else None, as_json)


def _planned(asked: Deployment, row: Row, now: str | None) -> ContextPlan:
    return asked.plan(text_of(row, "query", "text"), row.get("now", now), time_zone=zone_in(row))


def _show(question: str, plan: ContextPlan, trace: RulesBySlot | None, as_json: bool) -> None:
    if as_json:
        write_json(plan if trace is None else {"plan": plan, "trace": trace})
        return
    from temporal_recall.service.cli.pages.plan import plan_page

    screen().print(plan_page(question, plan, trace or {}))


def parse(
    text: Annotated[str | None, typer.Argument(help="Any text.")] = None,
    batch: Batch = None,
    now: Now = None,
    time_zone: TimeZone = None,
    trace: Trace = False,
    as_json: Json = False,
) -> None:
    """Find the time expressions of a text and the range that they give.

    With --batch, lines of {id, text or query, now or reference} give lines of {id, kind, start, end, …}.
    """
    if (text is None) == (batch is None):
        raise typer.BadParameter("give either a text or --batch")
    zone_name = time_zone or DEFAULT_TIME_ZONE
    if batch is not None:
        answer_lines(batch, lambda row, name: {"id": name} | _reading_of(row, now, zone_name))
        return
    from temporal_recall.dataflows.zh_time import parse_time

    at = instant(now, zone_name)
    scope = parse_time(text or "", at, time_zone=time_zone)
    if as_json:
        write_json(reading(scope))
        return
    from temporal_recall.service.cli.pages.lists import reading_page

    screen().print(reading_page(text or "", scope, at, trace))


def _reading_of(row: Row, now: str | None, zone_name: str) -> dict[str, Any]:
    from temporal_recall.dataflows.zh_time import parse_time

    at = instant(row.get("now") or row.get("reference") or now, zone_name)
    return reading(parse_time(text_of(row, "text", "query"), at))


def reading(scope: TimeScope | None) -> dict[str, Any]:
    """What a text's time is, as JSON has it; `kind` is `none` and the rest null where no time is named."""
    core, wide = (scope.core, scope.wide) if scope else (None, None)
    return {
        "kind": scope.kind if scope else "none",
        **_bounds(core),
        **{f"wide_{name}": bound for name, bound in _bounds(wide).items()},
        "grain": scope.grain if scope else None,
        "span": scope.span if scope else None,
        "alternatives": [_bounds(a) for a in scope.alternatives] if scope else [],
        "expressions": [_expression(e) for e in scope.expressions] if scope else [],
    }


def _bounds(span: TimeRange | None) -> dict[str, str | None]:
    return {"start": _text(span.start) if span else None, "end": _text(span.end) if span else None}


def _text(bound: datetime | None) -> str | None:
    return bound.isoformat() if bound else None


def _expression(found: TimeExpression) -> dict[str, Any]:
    return {
        "text": found.text,
        "span": found.span,
        "kind": found.kind,
        **_bounds(found.core),
        **{f"wide_{name}": bound for name, bound in _bounds(found.wide).items()},
        "grain": found.grain,
        "stated": found.stated,
        "implied": found.implied,
        "alternatives": [_bounds(a) for a in found.alternatives],
        "excluded": [_bounds(e) for e in found.excluded],
        "duration_s": found.duration.total_seconds() if found.duration else None,
        "recurrence": found.recurrence,
        "next": [_bounds(n) for n in found.next],
        "rules": found.rules,
    }
