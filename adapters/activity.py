"""Activity files as segments: ActivityWatch exports and segments as JSON lines. One neutral, lazy reader for all uses.

`read_segments` tells the two apart by their beginning. It states what the file says and judges nothing: whether a
segment may enter a store is the matter of `segment_ingest`. What cannot be read is a `RecordIssue` with its place.

ActivityWatch: a whole export (`buckets` as object or array), a single bucket, or a bare array of events. Bucket types
`currentwindow` and `afkstatus` become the foreground (`system`), `web.tab.current` becomes `browser`, others a plugin
named after their watcher. `afk` and `hibernating` are away; `not-afk` says nothing about the foreground and is passed
over. A plugin bucket without a host is a device of its own called "unassigned".

JSON lines: one object a line with the fields of `Segment`. `source`, `start` and `end` (ISO 8601 with an offset) must
be there. Absent `id`, `owner_id`, `device_id`, `device_name` and `identity_key` are derived; blank ones are refused.
"""

from __future__ import annotations

import json
import math
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from temporal_recall.adapters.hygiene import bounded_text
from temporal_recall.schemas.errors import InvalidRequest
from temporal_recall.schemas.evidence import RecordIssue
from temporal_recall.schemas.recap import AWAY_APP, SYSTEM_SOURCE, Segment

SOURCE = "activity"
UNASSIGNED = "unassigned"
"""The name of a device that a plugin did not name."""

_ID_NAMESPACE = uuid.UUID("8e3c1a52-6a38-5d0e-9b3f-1f0f5a2d7c41")
_WATCHER_PREFIX = "aw-watcher-"
_PLUGIN_BY_TYPE = {"web.tab.current": "browser"}
_AWAY_STATUSES = ("afk", "hibernating")
_IDENTITY_FIELDS = ("file", "url", "path", "cwd", "title", "label", "app", "name")


class UnreadableRow(ValueError):
    """A row that cannot become a segment; `code` and `detail` are those of its issue and hold no value of the row."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code, self.detail = code, detail


@dataclass(frozen=True, slots=True)
class _Bucket:
    """What an ActivityWatch bucket says of all its events."""

    id: str
    type: str
    source: str
    device_id: str
    device_name: str


def read_segments(path: Path, owner_id: str, *, afk_idle_timeout_s: float = 0.0) -> Iterator[Segment | RecordIssue]:
    """The segments of an activity file in its order; what cannot be read is an issue at its place.

    Args:
        owner_id: whose segments these are, where the file does not say.
        afk_idle_timeout_s: ActivityWatch calls a user away only after so many seconds without input; given here, the
            beginning of each such away is moved back by them. Off by default.

    Raises:
        InvalidRequest: the file cannot be opened, or is an export that is not whole JSON (names the position).
    """
    try:
        if _is_export(path):
            yield from _export_segments(_export(path), owner_id, afk_idle_timeout_s)
        else:
            with path.open("rb") as lines:
                yield from _line_segments(lines, path.name, owner_id)
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise InvalidRequest(
            "activity", str(path), f"a readable ActivityWatch export or JSON lines ({reason})"
        ) from error


def export_segments(document: object, owner_id: str) -> Iterator[Segment | RecordIssue]:
    """The segments of an ActivityWatch export that is read already, in its order; see `read_segments`."""
    return _export_segments(document, owner_id, 0.0)


def _is_export(path: Path) -> bool:
    """Whether a file is one JSON document: an array, an object over several lines, or one with buckets or events."""
    with path.open("rb") as lines:
        first = next((line for line in lines if line.strip()), b"").decode("utf-8-sig", errors="replace").strip()
    if first.startswith(("[", '{"buckets"')) or first == "{":
        return True
    try:
        document = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and ("buckets" in document or "events" in document)


def _export(path: Path) -> object:
    try:
        return json.loads(path.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InvalidRequest("activity", path.name, f"UTF-8 text (not so at byte {error.start})") from None
    except json.JSONDecodeError as error:
        position = f"line {error.lineno} column {error.colno}"
        raise InvalidRequest("activity", path.name, f"whole JSON ({error.msg} at {position})") from None
    except RecursionError:
        raise InvalidRequest("activity", path.name, "JSON that is not nested without end") from None


def _export_segments(document: object, owner_id: str, afk_idle_timeout_s: float) -> Iterator[Segment | RecordIssue]:
    for place, fields in _buckets(document):
        events = fields.get("events") if isinstance(fields, dict) else None
        if not isinstance(events, list):
            yield _issue("invalid_bucket", place, "a bucket is an object with a list of events")
            continue
        bucket = _bucket(fields, events)
        for number, event in enumerate(events, start=1):
            try:
                segment = _event_segment(event, bucket, owner_id, timedelta(seconds=afk_idle_timeout_s))
            except UnreadableRow as error:
                yield _issue(error.code, f"{bucket.id}:{number}", error.detail)
            else:
                if segment is not None:
                    yield segment


def _buckets(document: object) -> Iterator[tuple[str, Any]]:
    """Each bucket with its name: of an export, of one bucket's export, or of a bare array of events."""
    if isinstance(document, list):
        if all(isinstance(part, dict) and "events" in part for part in document) and document:
            yield from ((str(part.get("id", number)), part) for number, part in enumerate(document, start=1))
        else:
            yield "events", {"id": "events", "events": document}
        return
    buckets = document.get("buckets", document) if isinstance(document, dict) else document
    if isinstance(buckets, dict) and "events" in buckets:
        yield str(buckets.get("id", "bucket")), buckets
    elif isinstance(buckets, dict):
        yield from ((name, {"id": name, **part} if isinstance(part, dict) else part) for name, part in buckets.items())
    elif isinstance(buckets, list):
        yield from ((str(part.get("id", number)) if isinstance(part, dict) else str(number), part)
                    for number, part in enumerate(buckets, start=1))  # fmt: skip
    else:
        yield "export", buckets


def _bucket(fields: Mapping[str, Any], events: list[Any]) -> _Bucket:
    bucket_id = _word(fields, "id") or "bucket"
    bucket_type = _word(fields, "type") or _type_of_events(events)
    client, host = _word(fields, "client"), _word(fields, "hostname").strip()
    is_named = host.casefold() not in ("", "unknown")
    if bucket_type in ("currentwindow", "afkstatus"):
        # Window and afk buckets of one unnamed machine end in the same suffix, and two machines in two.
        suffix = bucket_id.removeprefix(client).lstrip("_") or bucket_id
        device = host if is_named else suffix
        return _Bucket(bucket_id, bucket_type, SYSTEM_SOURCE, device, host or UNASSIGNED)
    source = _PLUGIN_BY_TYPE.get(bucket_type) or _plugin_name(client, bucket_id, bucket_type)
    return _Bucket(bucket_id, bucket_type, source, host if is_named else bucket_id, host if is_named else UNASSIGNED)


def _word(fields: Mapping[str, Any], name: str) -> str:
    return bounded_text(str(fields.get(name) or ""))[0]


def _type_of_events(events: Iterable[Any]) -> str:
    """The bucket type that bare events show by their fields."""
    fields = {name for event in events if isinstance(event, dict) for name in (event.get("data") or {})}
    if "status" in fields:
        return "afkstatus"
    if "url" in fields and "app" not in fields:
        return "web.tab.current"
    if "file" in fields:
        return "app.editor.activity"
    return "currentwindow"


def _plugin_name(client: str, bucket_id: str, bucket_type: str) -> str:
    name = (client or bucket_id.partition("_")[0]).removeprefix(_WATCHER_PREFIX)
    if bucket_type == "app.editor.activity" and not client:
        return "vscode"
    return name or bucket_type


def _event_segment(event: Any, bucket: _Bucket, owner_id: str, afk_idle_timeout: timedelta) -> Segment | None:
    if not isinstance(event, dict) or not isinstance(given := event.get("data"), dict):
        raise UnreadableRow("invalid_event", "an event is an object with timestamp, duration and data")
    data = _sound_object(given)
    start = _instant(event.get("timestamp"), "timestamp")
    end = start + _duration(event.get("duration", 0))
    identity = json.dumps(data, sort_keys=True, ensure_ascii=False)
    segment_id = str(uuid.uuid5(_ID_NAMESPACE, f"{bucket.id}|{start.isoformat()}|{identity}"))
    owned = (segment_id, owner_id, bucket.device_id, bucket.device_name, bucket.source)
    if bucket.type == "afkstatus":
        status = data.get("status")
        if status not in _AWAY_STATUSES:
            return None
        start -= afk_idle_timeout if status == "afk" else timedelta(0)
        return Segment(*owned, identity_key=AWAY_APP, app=AWAY_APP, title=None, start=start, end=end)
    app, title = _text(data.get("app")), _text(data.get("title"))
    return Segment(*owned, _identity_key(bucket.source, app, title, data), app, title, start, end, data)


def _identity_key(source: str, app: str | None, title: str | None, data: Mapping[str, Any]) -> str:
    """What makes an activity the same one: app and title in the foreground, the page, the file, or the first name.

    Raises:
        UnreadableRow: there is none of these.
    """
    if source == SYSTEM_SOURCE:
        return " ".join(f"{app or 'unknown'} {title or ''}".casefold().split())
    if source == "browser" and (url := _text(data.get("url"))):
        return _origin_and_path(url)
    names = [name for field in _IDENTITY_FIELDS if (name := _text(data.get(field)))]
    names += [name for field in sorted(data) if (name := _text(data[field]))]
    if not names:
        raise UnreadableRow("no_identity", "nothing in the data names the activity")
    return names[0]


def _origin_and_path(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return url.partition("?")[0]
    return f"{parts.hostname or parts.scheme}{parts.path}" or url


def _line_segments(lines: Iterable[bytes], name: str, owner_id: str) -> Iterator[Segment | RecordIssue]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                yield _line_segment(line, owner_id)
            except UnreadableRow as error:
                yield _issue(error.code, f"{name}:{number}", error.detail)


def _line_segment(line: bytes, owner_id: str) -> Segment:
    try:
        row = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise UnreadableRow("not_utf8", "the line is not UTF-8 text") from None
    except (ValueError, RecursionError):
        raise UnreadableRow("not_json", "the line is not a JSON object") from None
    if not isinstance(row, dict):
        raise UnreadableRow("not_json", "the line is not a JSON object")
    return segment_of_row(row, owner_id)


def segment_of_row(row: Mapping[str, Any], owner_id: str) -> Segment:
    """A segment from an object with the fields of `Segment`, as in JSON lines and uploads.

    Raises:
        UnreadableRow: a field is missing or has the wrong form; says which.
    """
    row = _sound_object(row)
    source, device_id = _field(row, "source"), _field(row, "device_id", UNASSIGNED)
    start, end = _instant(row.get("start"), "start"), _instant(row.get("end"), "end")
    identity_key = _row_identity(row, source)
    content = json.dumps([source, device_id, identity_key, start.isoformat()])
    revision = row.get("revision")
    return Segment(
        id=_field(row, "id", str(uuid.uuid5(_ID_NAMESPACE, content))),
        owner_id=_field(row, "owner_id", owner_id),
        device_id=device_id,
        device_name=_field(row, "device_name", device_id),
        source=source,
        identity_key=identity_key,
        app=_text_field(row, "app"),
        title=_text_field(row, "title"),
        start=start,
        end=end,
        attributes=_attributes(row),
        revision=revision if isinstance(revision, int) else None,
    )


def _row_identity(row: Mapping[str, Any], source: str) -> str:
    """The identity key that a row states, or the one that its source's rule gives."""
    if row.get("identity_key") is not None or not source.strip():
        return str(row.get("identity_key"))
    return _identity_key(source, _text_field(row, "app"), _text_field(row, "title"), _attributes(row))


def _attributes(row: Mapping[str, Any]) -> dict[str, Any]:
    attributes = row.get("attributes") or {}
    if not isinstance(attributes, dict):
        raise UnreadableRow("invalid_segment", "attributes is no object")
    return attributes


def _field(row: Mapping[str, Any], name: str, default: str | None = None) -> str:
    value = row.get(name, default)
    if value is None:
        value = default
    if not isinstance(value, str | int) or isinstance(value, bool):
        raise UnreadableRow("invalid_segment", f"{name} is missing or no text")
    return str(value)


def _text_field(row: Mapping[str, Any], name: str) -> str | None:
    value = row.get(name)
    if value is not None and not isinstance(value, str):
        raise UnreadableRow("invalid_segment", f"{name} is no text")
    return _text(value)


def _text(value: object) -> str | None:
    """A text that says something; None for anything else."""
    return value if isinstance(value, str) and value.strip() else None


def _sound_object(fields: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON object whose texts, names included, any store can hold.

    Raises:
        UnreadableRow: it is nested too deep to be looked through.
    """
    try:
        return {_sound(name): _sound(value) for name, value in fields.items()}
    except RecursionError:
        raise UnreadableRow("too_deep", "the row is nested without end") from None


def _sound(value: Any) -> Any:
    if isinstance(value, str):
        return bounded_text(value)[0]
    if isinstance(value, dict):
        return {_sound(name): _sound(part) for name, part in value.items()}
    return [_sound(part) for part in value] if isinstance(value, list) else value


def _instant(value: object, name: str) -> datetime:
    try:
        instant = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        instant = None
    if instant is None:
        raise UnreadableRow("invalid_timestamp", f"{name} is missing or no ISO 8601 time")
    if instant.tzinfo is None:
        raise UnreadableRow("naive_timestamp", f"{name} has no offset, so it names no instant")
    try:
        return instant.astimezone(UTC)
    except OverflowError:
        raise UnreadableRow("invalid_timestamp", f"{name} is out of range") from None


def _duration(value: object) -> timedelta:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise UnreadableRow("invalid_duration", "duration is no number of seconds")
    if abs(value) > 10 * 365 * 86_400:
        raise UnreadableRow("too_long", "duration is longer than ten years")
    return timedelta(seconds=value)


def _issue(code: str, locator: str, detail: str) -> RecordIssue:
    return RecordIssue(source=SOURCE, code=code, locator=locator, detail=detail)
