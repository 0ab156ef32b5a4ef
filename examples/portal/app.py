"""A stranger's FastAPI application that mounts the recall routes."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import sqlalchemy as sa
from fastapi import FastAPI, HTTPException
from sessions import SESSIONS, user_of_session

from schemas.user import PortalUser
from temporal_recall import RecallService
from temporal_recall.adapters.registry import HostParts
from temporal_recall.service.config import read_config
from temporal_recall.service.http.auth import Authenticator
from temporal_recall.service.http.routes import create_router

CONFIG = read_config(Path(__file__).with_name("recall.toml"))


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """The Portal's own engine, client and threads; the recall service works with them and leaves them open."""
    engine = sa.create_engine(os.environ["PORTAL_DATABASE"])
    with httpx.Client() as client, ThreadPoolExecutor(CONFIG.request_threads, thread_name_prefix="portal") as threads:
        host = HostParts(engine=engine, http_client=client)
        app.state.recall = RecallService.configured(CONFIG, host=host, executor=threads)
        app.state.recall.warm_up()
        try:
            yield
        finally:
            app.state.recall.close()
            engine.dispose()


app = FastAPI(title="Portal", lifespan=lifespan)


@app.get("/me")
async def me(session: str) -> PortalUser:
    """A route of the Portal's own."""
    if session not in SESSIONS:
        raise HTTPException(401, "sign in first")
    return SESSIONS[session]


app.include_router(
    create_router(lambda: app.state.recall, authenticator=Authenticator(user_of_session), http=CONFIG.http)
)
