"""Small days for the tests of Recap: segments written in few words, and their projection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from hamilton import driver

from temporal_recall.dataflows import recap_projection
from temporal_recall.schemas.recap import AWAY_APP, SYSTEM_SOURCE, AttentionLane, RecapProjection, Segment
from temporal_recall.schemas.recap_settings import PrivacySettings, ProjectionSettings

DATE, ZONE = "2026-07-14", "UTC"
OWNER = "ana"
_numbers = count()
_flow = driver.Builder().with_modules(recap_projection).build()


def at(clock: str, date: str = DATE) -> datetime:
    """The UTC instant of `HH:MM[:SS[.f]]` on the usual day; hours from 24 on are those of the next day."""
    hours, _, rest = clock.partition(":")
    minutes, _, seconds = rest.partition(":")
    midnight = datetime.fromisoformat(date).replace(tzinfo=UTC)
    return midnight + timedelta(hours=int(hours), minutes=int(minutes), seconds=float(seconds or 0))


def segment(
    app: str | None, start: str | datetime, end: str | datetime, title: str | None = None, **fields: Any
) -> Segment:
    """A foreground segment of the usual device, unless `fields` say otherwise."""
    known: dict[str, Any] = {
        "id": f"s{next(_numbers)}",
        "owner_id": OWNER,
        "device_id": "desk",
        "device_name": "desk",
        "source": SYSTEM_SOURCE,
        "identity_key": f"{app} {title}",
        "app": app,
        "title": title,
        "start": at(start) if isinstance(start, str) else start,
        "end": at(end) if isinstance(end, str) else end,
    }
    return Segment(**{**known, **fields})


def away(start: str | datetime, end: str | datetime, **fields: Any) -> Segment:
    """Nobody at the usual device."""
    return segment(AWAY_APP, start, end, **fields)


def page(url: str, start: str | datetime, end: str | datetime, title: str | None = None, **fields: Any) -> Segment:
    """A page in the browser of the usual device."""
    attributes = {"url": url, **fields.pop("attributes", {})}
    known: dict[str, Any] = {"source": "browser", "identity_key": url, "attributes": attributes}
    return segment(fields.pop("app", None), start, end, title, **{**known, **fields})


def outputs_of(
    segments: Sequence[Segment],
    names: Iterable[str] = ("recap_projection", "recap_digest", "digest_hash"),
    *,
    local_date: str = DATE,
    time_zone: str = ZONE,
    **inputs: Any,
) -> dict[str, Any]:
    """Outputs of the recap flow for the usual day."""
    known: dict[str, Any] = {
        "local_date": local_date,
        "time_zone": time_zone,
        "segments": segments,
        "owner_id": OWNER,
        "privacy_settings": PrivacySettings(),
        "projection_settings": ProjectionSettings(),
    }
    return _flow.execute(list(names), inputs={**known, **inputs})


def projection_of(segments: Sequence[Segment], **inputs: Any) -> RecapProjection:
    """The projection of the usual day."""
    projection: RecapProjection = outputs_of(segments, ["recap_projection"], **inputs)["recap_projection"]
    return projection


def digest_of(segments: Sequence[Segment], **inputs: Any) -> str:
    """The digest of the usual day."""
    digest: str = outputs_of(segments, ["recap_digest"], **inputs)["recap_digest"]
    return digest


def attention_of(segments: Sequence[Segment], **inputs: Any) -> AttentionLane:
    """The attention lane of the one device of the usual day."""
    (device,) = projection_of(segments, **inputs).devices
    assert device.attention is not None
    return device.attention


def rows_of(digest: str) -> list[str]:
    """The rows of a digest, without their breakdowns."""
    return [line for line in digest.splitlines() if line.startswith("- ")]
