"""The Portal's sessions: a token is looked up in the Portal's own table, here a dictionary."""

from __future__ import annotations

from schemas.user import PortalUser

SESSIONS = {
    "session-of-lin": PortalUser("u1", "林"),
    "session-of-chen": PortalUser("u2", "陈"),
}


async def user_of_session(token: str) -> str | None:
    """The user of a session token, None for an unknown one: the verifier that Temporal Recall is given."""
    user = SESSIONS.get(token)
    return user.user_id if user else None
