"""Small servers that answer from memory: a Memory V2 service and an ActivityWatch, as ASGI applications."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI, HTTPException, Request

if TYPE_CHECKING:
    from temporal_recall.testing.faults import App


def memory_app(items: Sequence[Mapping[str, Any]], token: str, *, page_size: int = 2) -> App:
    """A Memory V2 service over these items; pages of `page_size`, so that a few items make several."""
    app = FastAPI(openapi_url=None)

    @app.get("/healthz")
    def health() -> dict[str, str]:
        return {"status": "ok"}

    @app.get("/v1/memories/search")
    def search(
        request: Request, user_id: str, observed_from: datetime, observed_to: datetime, cursor: int = 0
    ) -> dict[str, Any]:
        if request.headers.get("authorization") != f"Bearer {token}":
            raise HTTPException(401)
        found = [
            item
            for item in sorted(items, key=lambda item: str(item["created_at"]))
            if item["user_id"] == user_id and observed_from <= datetime.fromisoformat(item["created_at"]) < observed_to
        ]
        end = cursor + page_size
        return {"items": found[cursor:end], "next_cursor": str(end) if end < len(found) else None}

    return app


def activity_watch_app(buckets: Mapping[str, Mapping[str, Any]]) -> App:
    """An ActivityWatch server over the buckets of an export (`{id: {…, "events": […]}}`)."""
    app = FastAPI(openapi_url=None)

    @app.get("/api/0/info")
    def info() -> dict[str, str]:
        return {"hostname": "test", "version": "v0.13"}

    @app.get("/api/0/buckets/")
    def listed() -> dict[str, Any]:
        return {name: {k: v for k, v in bucket.items() if k != "events"} for name, bucket in buckets.items()}

    @app.get("/api/0/buckets/{bucket}/events")
    def events(bucket: str, start: datetime, end: datetime) -> list[Any]:
        if bucket not in buckets:
            raise HTTPException(404)
        found = [e for e in buckets[bucket]["events"] if start <= datetime.fromisoformat(e["timestamp"]) < end]
        return sorted(found, key=lambda event: str(event["timestamp"]), reverse=True)

    return app
