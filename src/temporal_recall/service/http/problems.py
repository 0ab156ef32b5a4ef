"""Errors as RFC 9457 problem documents: a stable code, the fields that are wrong, and never a user's words."""

from __future__ import annotations

import asyncio
import logging
import math
import re
import uuid
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.types import Message, Receive

from temporal_recall.schemas.errors import (
    InvalidRequest,
    RecallCancelled,
    RecallTimeout,
    ServiceUnusable,
    SourceUnavailable,
    TemporalRecallError,
    allowed_by,
)

_log = logging.getLogger(__name__)
MAX_BODY_S = 30.0
"""How long a body may take to come, so that no one keeps a connection by a byte now and then."""
MAX_RETRY_AFTER_S = 86_400.0
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_TITLES = {
    400: "Bad request",
    401: "Unauthenticated",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    408: "Request timeout",
    413: "Payload too large",
    429: "Too many requests",
    499: "Client closed request",
    500: "Internal error",
    503: "Service unavailable",
    504: "Timeout",
}
_TRIED_AGAIN = (429, 503, 504)
_CODES = {
    400: "invalid_request",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "payload_too_large",
}


class FieldError(BaseModel):
    """One field that is wrong: its dotted path and what is allowed there."""

    path: str
    allowed: str


class Problem(BaseModel):
    """RFC 9457 problem document. `code` is stable; `errors` names the fields of a bad request."""

    type: str = "about:blank"
    title: str
    status: int
    code: str
    detail: str = ""
    request_id: str
    errors: list[FieldError] = []


def problem_schema() -> dict[str, Any]:
    """The JSON Schema of a problem document, in one piece, so that an OpenAPI response can hold it."""
    schema = Problem.model_json_schema()
    schema["properties"]["errors"]["items"] = schema.pop("$defs")["FieldError"]
    return schema


class HttpProblem(TemporalRecallError):
    """An answer that is an error, raised where it is known."""

    def __init__(
        self, status: int, code: str, detail: str = "", *, retry_after_s: float | None = None, path: str | None = None
    ) -> None:
        self.status, self.code, self.detail = status, code, detail
        self.retry_after_s, self.path = retry_after_s, path
        super().__init__(code)


def request_id_of(request: Request) -> str:
    """The caller's `X-Request-Id` where it is a plain word of at most 64 characters, else a fresh one; kept."""
    known: str | None = getattr(request.state, "request_id", None)
    if known is None:
        offered = request.headers.get("x-request-id", "")
        known = offered if _REQUEST_ID.fullmatch(offered) else uuid.uuid4().hex
        request.state.request_id = known
    return known


def problem_response(error: Exception, request: Request) -> Response:
    """The problem document of an error, with `Retry-After` where trying again makes sense."""
    status, code, detail, errors, retry_after_s = _facts(error)
    if status == 500:
        _log.error("request failed", extra={"error_type": type(error).__name__})
    problem = Problem(
        title=_TITLES.get(status, "Error"),
        status=status,
        code=code,
        detail=detail,
        request_id=request_id_of(request),
        errors=errors,
    )
    headers = {"X-Request-Id": problem.request_id, "Cache-Control": "no-store"}
    headers |= dict(getattr(error, "headers", None) or {})
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if status in _TRIED_AGAIN:
        headers["Retry-After"] = str(_retry_after(retry_after_s))
    return Response(problem.model_dump_json(), status, headers, media_type="application/problem+json")


def problem_line(error: Exception) -> str:
    """Code, what is wrong and when to try again, for whoever reads no problem document; logged as that one is."""
    status, code, detail, _, retry_after_s = _facts(error)
    if status == 500:
        _log.error("request failed", extra={"error_type": type(error).__name__})
    again = f"try again in {_retry_after(retry_after_s)} s" if status in _TRIED_AGAIN else ""
    return "; ".join(part for part in (code, detail, again) if part)


def _retry_after(seconds: float | None) -> int:
    """Whole seconds of a `Retry-After`, one to a day, whatever a source asked for."""
    return math.ceil(min(max(1.0, seconds or 0.0), MAX_RETRY_AFTER_S))


def _facts(error: Exception) -> tuple[int, str, str, list[FieldError], float | None]:
    match error:
        case HttpProblem():
            errors = [FieldError(path=error.path, allowed=error.detail)] if error.path else []
            return error.status, error.code, error.detail, errors, error.retry_after_s
        case RequestValidationError():
            errors = [_field_error(e) for e in error.errors()[:20]]
            code = "invalid_plan" if any(e.path.split(".")[0] == "plan" for e in errors) else "invalid_request"
            return 400, code, "; ".join(f"{e.path}: {e.allowed}" for e in errors), errors, None
        case InvalidRequest():
            errors = [FieldError(path=error.path, allowed=error.allowed)]
            return 400, error.code, f"{error.path}: {error.allowed}", errors, None
        case SourceUnavailable():
            return 503, error.code, f"source {error.source}: {error.reason}", [], error.retry_after_s
        case RecallTimeout():
            return 504, error.code, f"late: {', '.join(error.sources)}", [], None
        case ServiceUnusable():
            return 503, error.code, str(error), [], None
        case RecallCancelled():
            return 499, error.code, "", [], None
        case HTTPException(__cause__=HttpProblem() as cause):  # FastAPI's own word for a body that we cut short
            return _facts(cause)
        case HTTPException():
            return error.status_code, _CODES.get(error.status_code, "invalid_request"), "", [], None
        case _:
            return 500, "internal_error", "", [], None


def _field_error(error: Mapping[str, Any]) -> FieldError:
    """The path below the part of the request (`body`, `query`) and what is allowed there, without the value given."""
    path = ".".join(str(part) for part in error["loc"][1:]) or str(error["loc"][0])
    return FieldError(path=path[:200], allowed=allowed_by(error)[:300])


def guarded_route(max_body_bytes: int, check_places: Callable[[], None] = lambda: None) -> type[APIRoute]:
    """A route class whose every error is a problem document and whose bodies are limited.

    It is the route's, not the application's, so that the router behaves the same inside a stranger's application.

    Args:
        check_places: raises where there is no place for a request, before anything is read of it.
    """

    class GuardedRoute(APIRoute):
        def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
            handle = super().get_route_handler()

            async def guarded(request: Request) -> Response:
                try:
                    check_places()
                    _check_body(request, max_body_bytes)
                    limited = Request(request.scope, _limited(request.receive, max_body_bytes))
                    response = await handle(limited)
                except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets a problem document
                    return problem_response(error, request)
                response.headers.setdefault("X-Request-Id", request_id_of(request))
                return response

            return guarded

    return GuardedRoute


def _check_body(request: Request, max_body_bytes: int) -> None:
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise HttpProblem(400, "invalid_request", "a body that is not compressed", path="content-encoding")
    declared = request.headers.get("content-length", "0")
    if not declared.isascii() or not declared.isdigit():
        raise HttpProblem(400, "invalid_request", "a number of bytes", path="content-length")
    if int(declared) > max_body_bytes:
        raise HttpProblem(413, "payload_too_large", f"at most {max_body_bytes} bytes")


def _limited(receive: Receive, max_body_bytes: int) -> Receive:
    read_bytes, is_whole = 0, False
    until = asyncio.get_running_loop().time() + MAX_BODY_S

    async def limited() -> Message:
        nonlocal read_bytes, is_whole
        try:
            async with asyncio.timeout_at(None if is_whole else until):
                message = await receive()
        except TimeoutError:
            raise HttpProblem(408, "request_timeout", f"a whole body within {MAX_BODY_S:g} s") from None
        read_bytes, is_whole = read_bytes + len(message.get("body", b"")), not message.get("more_body", False)
        if read_bytes > max_body_bytes:
            raise HttpProblem(413, "payload_too_large", f"at most {max_body_bytes} bytes")
        return message

    return limited
