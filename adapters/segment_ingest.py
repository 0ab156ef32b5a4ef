"""Which segments may enter a store, and how two uploads of one activity become one. Nothing is repaired in silence."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from temporal_recall.schemas.evidence import RecordIssue
from temporal_recall.schemas.recap import AWAY_APP, SYSTEM_SOURCE, Segment

EARLIEST_YEAR = 2020
LONGEST = timedelta(hours=24)
LONGEST_NAMES: Mapping[str, int] = {"id": 200, "device_id": 200, "source": 100}
"""Most characters of what names a segment, as the columns of a store hold them."""
LAST_REVISION = 2**63 - 1
CLOCK_SLACK = timedelta(minutes=10)

LOCK_SCREEN_APPS = frozenset(
    {
        "betterlockscreen", "cinnamon-screensaver", "com.apple.loginwindow", "com.apple.screensaver.engine",
        "gnome-screensaver", "gtklock", "hyprlock", "i3lock", "kscreenlocker", "kscreenlocker_greet", "light-locker",
        "lockapp", "lockscreen", "loginwindow", "logonui", "mate-screensaver", "physlock", "screensaverengine",
        "slock", "swaylock", "vlock", "waylock", "xfce4-screensaver", "xscreensaver", "xsecurelock", "xtrlock",
    }
)  # fmt: skip
"""Programs that are in the foreground only while nobody may use the machine."""


@dataclass(frozen=True, slots=True)
class IngestedActivity:
    """What came of a reading: one segment per activity, and everything refused or unreadable."""

    segments: tuple[Segment, ...]
    issues: tuple[RecordIssue, ...]


def refusal_of(segment: Segment, now: datetime, *, is_live: bool) -> str | None:
    """The code of the rule that keeps a segment out; None for one that may enter.

    Args:
        now: the instant of the upload; no segment may end more than ten minutes after it.
        is_live: an upload by a collector, which may not reach back more than a day; an import may.
    """
    if not (segment.id.strip() and segment.source.strip() and segment.identity_key.strip()):
        return "blank_identity"
    if any(len(getattr(segment, name)) > most for name, most in LONGEST_NAMES.items()):
        return "name_too_long"
    if segment.revision is not None and not 0 <= segment.revision <= LAST_REVISION:
        return "revision_out_of_range"
    if segment.end < segment.start:
        return "end_before_start"
    if segment.start.year < EARLIEST_YEAR:
        return "too_early"
    if segment.end - segment.start > LONGEST:
        return "too_long"
    if segment.end > now + CLOCK_SLACK:
        return "ends_in_future"
    if is_live and segment.source == SYSTEM_SOURCE and not segment.app:
        return "app_missing"
    if is_live and segment.start < now - LONGEST - CLOCK_SLACK:
        return "too_old"
    return None


def with_away(segment: Segment) -> Segment:
    """The segment, as being away where a lock screen was in the foreground."""
    app = (segment.app or "").strip().casefold().removesuffix(".exe")
    if segment.source == SYSTEM_SOURCE and (app == AWAY_APP or app in LOCK_SCREEN_APPS):
        return replace(segment, app=AWAY_APP, title=None)
    return segment


def merged(stored: Segment, update: Segment) -> Segment | None:
    """One activity from two of its uploads, the same whichever came first; None where they are not one activity.

    The time is the hull of both. App, title, attributes and device name are those of the later write: the higher
    revision, then the later end.
    """
    if (stored.source, stored.identity_key) != (update.source, update.identity_key):
        return None
    later = max(stored, update, key=_write_order)
    revisions = [revision for revision in (stored.revision, update.revision) if revision is not None]
    return replace(
        later,
        start=min(stored.start, update.start),
        end=max(stored.end, update.end),
        revision=max(revisions, default=None),
    )


def ingested(read: Iterable[Segment | RecordIssue], now: datetime, *, is_live: bool = False) -> IngestedActivity:
    """The segments of a reading by the rules of a store, without a store."""
    segments: dict[tuple[str, str], Segment] = {}
    issues = []
    for item in read:
        if isinstance(item, RecordIssue):
            issues.append(item)
            continue
        code = refusal_of(item, now, is_live=is_live)
        key = (item.owner_id, item.id)
        segment = with_away(item)
        if code is None and key in segments:
            both = merged(segments[key], segment)
            code, segment = ("identity_changed", segment) if both is None else (None, both)
        if code is None:
            segments[key] = segment
        else:
            issues.append(refusal_issue(item, code))
    return IngestedActivity(tuple(segments.values()), tuple(issues))


def refusal_issue(segment: Segment, code: str) -> RecordIssue:
    """A refused segment as an issue: where it was seen and when, never what it was about."""
    place = f"{segment.source[: LONGEST_NAMES['source']] or 'unknown'} {segment.start.isoformat()}"
    return RecordIssue(source="activity", code=code, locator=place, detail="refused by the rules of ingest")


def _write_order(segment: Segment) -> tuple[object, ...]:
    revision = -1 if segment.revision is None else segment.revision
    content = json.dumps([segment.app, segment.title, segment.device_name, dict(segment.attributes)], sort_keys=True)
    return (revision, segment.end, content)
