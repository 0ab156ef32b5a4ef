"""A scope as one flat row, for JSON lines."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from temporal_recall.schemas.time import TimeExpression, TimeRange, TimeScope


def scope_row(scope: TimeScope | None) -> dict[str, Any]:
    """A scope in plain values; times in ISO 8601 with offset, everything null where there is no scope.

    Keys: kind, start, end, wide_start, wide_end, grain, span, alternatives, expressions. A duration or recurrence has
    no start and end.
    """
    if scope is None:
        empty = dict.fromkeys(("kind", "start", "end", "wide_start", "wide_end", "grain", "span"))
        return empty | {"alternatives": [], "expressions": []}
    return {
        "kind": scope.kind,
        **_bounds(scope.core, scope.wide),
        "grain": scope.grain,
        "span": list(scope.span),
        "alternatives": [range_row(r) for r in scope.alternatives],
        "expressions": [expression_row(e) for e in scope.expressions],
    }


def expression_row(expression: TimeExpression) -> dict[str, Any]:
    """One expression in plain values, with the rules that fired."""
    return {
        "text": expression.text,
        "span": list(expression.span),
        "kind": expression.kind,
        **_bounds(expression.core, expression.wide),
        "grain": expression.grain,
        "stated": expression.stated,
        "implied": expression.implied,
        "alternatives": [range_row(r) for r in expression.alternatives],
        "excluded": [range_row(r) for r in expression.excluded],
        "duration_s": expression.duration.total_seconds() if expression.duration is not None else None,
        "recurrence": expression.recurrence,
        "next": [range_row(r) for r in expression.next],
        "rules": list(expression.rules),
    }


def range_row(span: TimeRange) -> dict[str, str | None]:
    """The two bounds of a range in ISO 8601; an open side is null."""
    return {"start": _iso(span.start), "end": _iso(span.end)}


def _bounds(core: TimeRange | None, wide: TimeRange | None) -> dict[str, str | None]:
    return {
        "start": _iso(core.start) if core else None,
        "end": _iso(core.end) if core else None,
        "wide_start": _iso(wide.start) if wide else None,
        "wide_end": _iso(wide.end) if wide else None,
    }


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment is not None else None


__all__ = ["asdict", "expression_row", "range_row", "scope_row", "timedelta"]
