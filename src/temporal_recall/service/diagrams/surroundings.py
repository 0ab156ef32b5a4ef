"""What stands outside the flows: callers, auth, deadline, lanes, stores, language models.

Drawn by hand, since no flow holds it. The type of a box is the module that it stands for; a test finds each.
"""

from __future__ import annotations

from temporal_recall.service.diagrams.graph import INPUTS, Arrow, Box, Diagram

_BOXES = (
    Box(INPUTS, "agent_runtime", "", "An assistant, in a user's session.", "input"),
    Box(INPUTS, "person", "", "At a terminal.", "input"),
    Box(INPUTS, "portal", "", "The host, for its users' sessions.", "input"),
    Box(INPUTS, "worker", "", "A job that may name any user.", "input"),
    Box("faces", "agent_hook", "service.agent_hook", "A block for the prompt, only when a plan requires recall."),
    Box("faces", "command_line", "service.cli", "Commands and batch forms."),
    Box("faces", "http_api", "service.http.routes", "Routes under /api, to mount or to serve."),
    Box("faces", "mcp_server", "service.mcp", "Recall as tools."),
    Box("guards", "admission", "service.http.limits", "Rate and requests at once, per user; size of bodies."),
    Box("guards", "authentication", "service.http.auth", "Who asks, by token; never by the body alone."),
    Box("request", "configuration", "service.config", "One TOML file; secrets from the environment."),
    Box("request", "deadline", "service.facade", "4.5 of 5 seconds to read sources; a cancel token."),
    Box("request", "driver", "service.driver", "One Hamilton driver for all threads."),
    Box("sources", "calendar", "adapters.calendar_ics", "Calendar files."),
    Box("sources", "chat", "adapters.portal_chat", "The Portal's database, through two views."),
    Box("sources", "imported", "adapters.embedded_store", "What was imported, in one SQLite file."),
    Box("sources", "meinput", "adapters.meinput", "The evidence export, over HTTP, page by page."),
    Box("sources", "memory", "adapters.memory_v2", "What was remembered, over HTTP, with a low weight."),
    Box("lanes", "breakers", "service.breaker", "Leave alone a source that keeps failing."),
    Box("lanes", "source_lanes", "service.lanes", "A thread pool a source, settled at the deadline.", "lane"),
    Box("language_models", "chat_client", "adapters.chat_client", "One client for any OpenAI-compatible endpoint."),
    Box(
        "language_models",
        "generation",
        "service.recap.generation",
        "A diary, streamed; only the redacted digest leaves.",
    ),
    Box(
        "language_models",
        "semantic_planner",
        "service.semantic_planning",
        "Hints for complex questions; off by default.",
    ),
    Box("stores", "recap_cache", "adapters.recap_cache", "Diaries that were written whole."),
    Box("stores", "segment_store", "adapters.segment_store", "What was on the person's screens."),
    Box("stores", "timeline_index", "adapters.index_store", "The materialised timeline; a view that can be rebuilt."),
    Box("flows", "recall", "service.catalog", "Pure: no clock, no network, no global."),
    Box("flows", "recap", "service.catalog", "Pure: segments in, digest and messages out."),
    Box("answers", "diary", "service.recap.service", "One day, told.", is_output=True),
    Box("answers", "recall_bundle", "schemas.bundle", "Items with evidence; what failed.", is_output=True),
)

_SOURCES_BY_TARGET = {
    "agent_hook": ("agent_runtime",),
    "command_line": ("person",),
    "http_api": ("portal", "worker"),
    "mcp_server": ("agent_runtime",),
    "authentication": ("http_api", "mcp_server"),
    "admission": ("authentication",),
    "deadline": ("admission", "agent_hook", "command_line", "configuration"),
    "driver": ("configuration",),
    "source_lanes": ("deadline", "breakers", "calendar", "chat", "imported", "meinput", "memory"),
    "recall": ("driver", "source_lanes"),
    "recall_bundle": ("recall",),
    "recap": ("segment_store",),
    "generation": ("chat_client", "recap"),
    "recap_cache": ("generation",),
    "diary": ("recap_cache",),
    "semantic_planner": ("chat_client",),
}

_OPTIONAL = (
    Arrow("recall", "semantic_planner", is_optional=True),
    Arrow("source_lanes", "timeline_index", is_optional=True),
)


def surroundings() -> Diagram:
    """The picture of what stands outside the flows."""
    needed = (Arrow(target, source) for target, sources in _SOURCES_BY_TARGET.items() for source in sources)
    return Diagram(
        "surroundings",
        "What stands outside the flows: callers, auth, deadline, stores, language models.",
        _BOXES,
        tuple(sorted((*needed, *_OPTIONAL))),
        is_flow=False,
    )
