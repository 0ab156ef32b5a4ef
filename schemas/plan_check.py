"""Checks a Context Plan that comes from outside: errors name the field, its value and what is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from temporal_recall.schemas.errors import InvalidPlan, allowed_by
from temporal_recall.schemas.plan import ContextPlan
from temporal_recall.schemas.time import zone_of

_SHOWN_CHARS = 80
_ALLOWED_BY_ERROR = {
    "extra_forbidden": "no such field; see the schema of a Context Plan",
    "missing": "a value; the field is required",
    "timezone_aware": "an instant with an offset, such as 2026-09-03T00:00:00+08:00",
    "datetime_from_date_parsing": "an instant with an offset, such as 2026-09-03T00:00:00+08:00",
    "datetime_parsing": "an instant with an offset, such as 2026-09-03T00:00:00+08:00",
}


def validated_plan(plan: ContextPlan | Mapping[str, Any]) -> ContextPlan:
    """The plan as a model; a model that is given is checked for its zone alone.

    Raises:
        InvalidPlan: a field is unknown, missing or out of what is allowed; names the first such field.
    """
    if not isinstance(plan, (ContextPlan, Mapping)):
        raise InvalidPlan("plan", type(plan).__name__, "a Context Plan as an object")
    try:
        checked = plan if isinstance(plan, ContextPlan) else ContextPlan.model_validate(dict(plan))
    except ValidationError as error:
        raise _refusal(error.errors(include_url=False)[0]) from None
    _check_zone(checked)
    return checked


def _refusal(error: ErrorDetails) -> InvalidPlan:
    path = ".".join(str(part) for part in error["loc"]) or "plan"
    expected = error.get("ctx", {}).get("expected")
    allowed = f"one of {expected}" if expected else _ALLOWED_BY_ERROR.get(error["type"], allowed_by(error))
    return InvalidPlan(path, _shown(error["input"]), allowed)


def _shown(value: object) -> object:
    """The value where it is short, else its kind: an error shows no long text back."""
    if isinstance(value, (bool, int, float, type(None))):
        return value
    text = str(value)
    return text if isinstance(value, str) and len(text) <= _SHOWN_CHARS else f"a {type(value).__name__}"


def _check_zone(plan: ContextPlan) -> None:
    if plan.time_zone is None:
        return
    try:
        zone_of(plan.time_zone)
    except ValueError:
        allowed = "an IANA id such as Asia/Shanghai, or an offset such as +08:00"
        raise InvalidPlan("time_zone", _shown(plan.time_zone), allowed) from None
