"""Who is signed in at the Portal."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PortalUser:
    """A signed-in person."""

    user_id: str
    display_name: str
