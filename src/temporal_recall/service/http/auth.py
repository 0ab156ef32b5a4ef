"""Who is asking. Identity comes from the token alone; what a body claims is only compared with it."""

from __future__ import annotations

import hmac
import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

import jwt
from starlette.concurrency import run_in_threadpool

from temporal_recall.schemas.evidence import is_user_id
from temporal_recall.service.http.problems import HttpProblem

SessionVerifier = Callable[[str], "str | Awaitable[str | None] | None"]
"""The user whom a session token names, or None when it is not good: async, or a plain function, run in a thread."""

_MAX_TOKEN_CHARS = 8192


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is asking: a user, or the worker (`user_id` None), who may name any."""

    user_id: str | None

    def subject(self, claimed: str | None) -> str:
        """The user whose records are asked for.

        Raises:
            HttpProblem: 403, a user claims to be another; 400, the worker names nobody.
        """
        if self.user_id is None:
            if claimed is None:
                raise HttpProblem(400, "invalid_request", "the worker names a user", path="user_id")
            return claimed
        if claimed is not None and claimed != self.user_id:
            raise HttpProblem(403, "forbidden", "user_id is not the token's")
        return self.user_id


class SignedTokens:
    """Session verifier over signed tokens (JWT): user id in `sub`, `exp` required, one key per key id.

    Keys rotate by adding the new one, signing with it, and taking the old one out once its tokens have expired.

    Args:
        keys: key by key id (`kid`); secrets for HS256, PEM public keys otherwise.

    Raises:
        ValueError: a key is not of the algorithm's form; names its id.
    """

    def __init__(
        self, keys: Mapping[str, str], *, algorithm: str = "HS256", audience: str, issuer: str | None = None
    ) -> None:
        self._keys, self._algorithm = dict(keys), algorithm
        self._audience, self._issuer = audience, issuer
        for key_id, key in keys.items():
            if not _is_key_of(algorithm, key):
                raise ValueError(f"the key {key_id} is none of {algorithm}")

    async def __call__(self, token: str) -> str | None:
        """The token's user, or None when key, signature, time, audience or issuer is not right.

        It computes for some microseconds and waits for nothing, hence needs no thread.
        """
        try:
            key = self._keys.get(jwt.get_unverified_header(token).get("kid", ""))
            if key is None:
                return None
            claims = jwt.decode(
                token,
                key,
                algorithms=[self._algorithm],
                audience=self._audience,
                issuer=self._issuer,
                options={"require": ["exp", "sub", "aud"]},
            )
        except (jwt.InvalidTokenError, ValueError):
            return None
        subject = claims["sub"]
        return subject if is_user_id(subject) else None


def _is_key_of(algorithm: str, key: str) -> bool:
    try:
        jwt.get_algorithm_by_name(algorithm).prepare_key(key)
    except (jwt.InvalidKeyError, ValueError, TypeError, NotImplementedError):
        return False
    return True


class Authenticator:
    """Turns an `Authorization` header into a caller.

    Args:
        verify_session: the host's own verifier, or `SignedTokens`.
        worker_token: the token of internal workers; None turns them off.
    """

    def __init__(self, verify_session: SessionVerifier, worker_token: str | None = None) -> None:
        self._verify = verify_session
        self._is_async = inspect.iscoroutinefunction(verify_session) or inspect.iscoroutinefunction(
            getattr(verify_session, "__call__", None)  # noqa: B004 - an object with an async __call__
        )
        self._worker_token = worker_token.encode() if worker_token else None

    async def caller(self, authorization: str | None) -> Caller:
        """Who the header names.

        Raises:
            HttpProblem: 401, there is no bearer token, or it is not good.
        """
        scheme, _, token = (authorization or "").partition(" ")
        token = token.strip()
        if scheme.lower() != "bearer" or not token or len(token) > _MAX_TOKEN_CHARS:
            raise HttpProblem(401, "unauthenticated", "a bearer token")
        if self._worker_token is not None and hmac.compare_digest(token.encode(), self._worker_token):
            return Caller(None)
        user_id = await self._user_of(token)
        if not user_id:
            raise HttpProblem(401, "unauthenticated", "a valid session token")
        return Caller(user_id)

    async def _user_of(self, token: str) -> str | None:
        verdict = self._verify(token) if self._is_async else await run_in_threadpool(self._verify, token)
        return await verdict if inspect.isawaitable(verdict) else verdict
