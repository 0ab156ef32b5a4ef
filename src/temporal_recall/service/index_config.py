"""Opens the materialised timeline that a configuration names."""

from __future__ import annotations

import os

from temporal_recall.schemas.errors import InvalidConfig
from temporal_recall.schemas.timeline_index import TimelineIndex
from temporal_recall.service.config import IndexConfig


def configured_index(config: IndexConfig | None) -> TimelineIndex | None:
    """The index of a deployment, made where there is none yet; None where none is configured.

    Raises:
        InvalidConfig: the address is missing, of another database, or cannot be opened; the extra is not installed.
    """
    if config is None:
        return None
    url = config.url or os.environ.get(config.url_env or "")
    if not url:
        raise InvalidConfig("index.url_env", config.url_env, "the name of an environment variable that is set")
    try:
        from temporal_recall.adapters.index_store import SqlTimelineIndex
    except ModuleNotFoundError as error:
        raise InvalidConfig("index", url.partition(":")[0], f"with temporal-recall[sources] ({error.name})") from error
    return SqlTimelineIndex(url)
