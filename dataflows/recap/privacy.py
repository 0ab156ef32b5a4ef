"""What privacy leaves of a segment before anything is summed, hashed or written.

Stored segments are never touched: a `Reading` is made of each, holding only what may leave the machine.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from temporal_recall.dataflows.recap.intervals import Interval
from temporal_recall.dataflows.recap.layers import UNKNOWN, layer_path, layer_values, layers_of, title_without_counter
from temporal_recall.dataflows.recap.texts import clean_text
from temporal_recall.schemas.recap import SYSTEM_SOURCE, Segment
from temporal_recall.schemas.recap_settings import PrivacySettings, RedactionRule

PRIVATE_LABEL = "private browsing"
TOKEN_MARK = "[token]"  # noqa: S105

_PRIVATE_WORD = (
    r"(?:private\s(?:browsing|window|mode)|inprivate|incognito(?:\smode)?|inkognito(?:modus)?|privater\smodus"
    r"|privates?\sfenster|navigation\spriv[eé]e|navegaci[oó]n\sprivada|inc[oó]gnito|navega[cç][aã]o\s(?:privada|an[oô]nima)"
    r"|navigazione\s(?:anonima|in\sincognito|privata)|privat\s(?:surfning|browsing)|инкогнито|приватный\sпросмотр"
    r"|无痕(?:浏览|模式|窗口)?|無痕(?:瀏覽|模式|視窗)?|隐身(?:模式|窗口)?|隐私浏览|隱私瀏覽|私密浏览"
    r"|シークレット(?:モード)?|プライベート(?:ブラウジング|ウィンドウ)|시크릿(?:\s?모드)?|사생활\s보호)"
)
_PRIVATE_TITLE = re.compile(
    rf"[(\[（【]\s*{_PRIVATE_WORD}\s*[)\]）】]|(?:^|[-–—|:]\s*){_PRIVATE_WORD}\s*(?:$|[-–—|])", re.IGNORECASE
)
_TITLE_SEPARATOR = re.compile(r"\s+[-–—|·]\s+")
_URL_IN_TEXT = re.compile(r"\b[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s\"'<>]+")
_HIERARCHICAL = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://")
_AFTER_PATH = re.compile(r"[?#;]")
_OPAQUE = re.compile(r"(?:about|blob|data|javascript|mailto|sms|tel|urn|view-source):", re.IGNORECASE)
_JWT = re.compile(r"\beyJ[\w-]{5,}\.[\w-]{2,}(?:\.[\w-]*)?")
_SHORTEST_TOKEN = 24
_TOKEN_CHARS = re.compile(r"[A-Za-z0-9+_=~.-]{24,}")
_HEX = re.compile(r"(?=.*\d)[0-9a-fA-F-]{24,}")
_WORDS_OF_SLUG = re.compile(r"[-_.~+=]+")
_SLUG_WORD = re.compile(r"[A-Za-z]{0,23}|\d{1,8}|[A-Za-z]{1,20}\d{1,4}|\d{1,4}[A-Za-z]{1,20}")


class Reading(NamedTuple):
    """What may leave the machine of one clipped segment: its place, its time and its values, outermost layer first.

    `whole` is the time of the segment before it was clipped: which of two overlapping readings wins must not depend on
    where a day ends.
    """

    segment_id: str
    device_id: str
    device_name: str
    source: str
    is_away: bool
    path: tuple[str, ...]
    start: datetime
    end: datetime
    whole: Interval


def readings_of(
    segments: Sequence[Segment], privacy: PrivacySettings, *, unclipped: Sequence[Segment] | None = None
) -> tuple[Reading, ...]:
    """One reading a segment, in the same order. Away segments keep no value at all.

    Args:
        unclipped: the same segments before they were clipped, where they were.
    """
    private_times = _private_times(segments) if privacy.is_enabled else {}
    paths: dict[tuple[object, ...], tuple[str, ...]] = {}
    readings = []
    for segment, origin in zip(segments, unclipped or segments, strict=True):
        is_private = privacy.is_enabled and _is_private(segment, private_times)
        values = layer_values(segment)
        key = (segment.source, is_private, values, segment.app if privacy.rules else None)
        path = paths.get(key)
        if path is None:
            path = paths[key] = _path(segment, values, privacy, is_private=is_private)
        readings.append(_reading(segment, path, (origin.start, origin.end)))
    return tuple(readings)


def safe_url(url: str) -> str:
    """Host and path of a URL: no scheme, user, password, query or fragment, and a mark for parts that look like tokens.

    >>> safe_url("https://ana:pw@git.example/team/repo?key=1#top")
    'git.example/team/repo'
    >>> safe_url("https://files.example/d/9f86d081884c7d659a2feaa0c55ad015/report")
    'files.example/d/[token]/report'
    >>> safe_url("data:text/html,secret"), safe_url("about:blank")
    ('data:', 'about:blank')
    """
    return _safe_place(_AFTER_PATH.split(url.strip(), maxsplit=1)[0])


@lru_cache(maxsize=16_384)
def _safe_place(place: str) -> str:
    if scheme := _HIERARCHICAL.match(place):
        place = place[scheme.end() :]
    elif opaque := _OPAQUE.match(place):
        return place if opaque[0].casefold() == "about:" else opaque[0]
    host, slash, path = place.partition("/")
    parts = [_path_part(part) for part in path.split("/")]
    return (host.rpartition("@")[2] + slash + "/".join(parts)).rstrip("/")


def safe_text(text: str) -> str:
    """A foreign text on one line whose URLs are safe and whose signed tokens are marked."""
    text = clean_text(text)
    if "://" in text:
        text = _URL_IN_TEXT.sub(lambda match: safe_url(match[0]), text)
    return _JWT.sub(TOKEN_MARK, text) if "eyJ" in text else text


def _reading(segment: Segment, path: tuple[str, ...], whole: Interval) -> Reading:
    return Reading(
        segment.id,
        segment.device_id,
        segment.device_name,
        segment.source,
        segment.is_away,
        path,
        segment.start,
        segment.end,
        whole,
    )


def _path(
    segment: Segment, values: tuple[str | None, ...], privacy: PrivacySettings, *, is_private: bool
) -> tuple[str, ...]:
    if segment.is_away:
        return ()
    named = dict(zip(layers_of(segment.source), values, strict=True))
    if privacy.is_enabled and privacy.rules:
        named = _redacted(named, segment, privacy.rules)
    if is_private:
        return _private_path(named.get("app") or UNKNOWN, segment.source)
    return layer_path(segment.source, [_safe_value(name, value, privacy) for name, value in named.items()])


def _private_path(app: str, source: str) -> tuple[str, ...]:
    return (safe_text(app), PRIVATE_LABEL) if source == SYSTEM_SOURCE else (PRIVATE_LABEL,)


def _safe_value(name: str, value: str | None, privacy: PrivacySettings) -> str | None:
    if not value:
        return None
    if not privacy.is_enabled:
        value = clean_text(value)
    else:
        value = clean_text(safe_url(value)) if name == "url" else safe_text(value)
    return title_without_counter(value) if name == "title" else value


def _redacted(
    values: Mapping[str, str | None], segment: Segment, rules: Iterable[RedactionRule]
) -> dict[str, str | None]:
    """The values that the rules leave, applied in their order."""
    left = dict(values)
    app = (segment.app or "").casefold()
    for rule in rules:
        value = left.get(rule.field)
        if value and _is_meant(rule, segment.source, app):
            left[rule.field] = _after_rule(value, rule)
    return left


def _is_meant(rule: RedactionRule, source: str, app: str) -> bool:
    is_source = rule.source in ("*", source)
    is_only = not rule.only_apps or app in {name.casefold() for name in rule.only_apps}
    return is_source and is_only and app not in {name.casefold() for name in rule.except_apps}


def _after_rule(value: str, rule: RedactionRule) -> str:
    if rule.action == "redact":
        return re.sub(rule.pattern, lambda _: rule.replacement, value)
    return "" if re.search(rule.pattern, value) else value


def _private_times(segments: Iterable[Segment]) -> dict[str, list[tuple[datetime, datetime]]]:
    """When each page title was seen in a private window of a browser."""
    times: dict[str, list[tuple[datetime, datetime]]] = defaultdict(list)
    for segment in segments:
        if _is_incognito(segment) and segment.title and segment.title.strip():
            times[segment.title.strip()].append((segment.start, segment.end))
    return times


def _is_private(segment: Segment, private_times: Mapping[str, list[tuple[datetime, datetime]]]) -> bool:
    if _is_incognito(segment):
        return True
    if segment.source != SYSTEM_SOURCE or not segment.title:
        return False
    if _is_private_title(segment.title):
        return True
    return bool(private_times) and _shows_private_page(segment, segment.title, private_times)


@lru_cache(maxsize=16_384)
def _is_private_title(title: str) -> bool:
    return bool(_PRIVATE_TITLE.search(title))


def _shows_private_page(
    segment: Segment, title: str, private_times: Mapping[str, list[tuple[datetime, datetime]]]
) -> bool:
    """Whether a window title names a page that a browser showed in a private window at that time."""
    ends = [match.start() for match in _TITLE_SEPARATOR.finditer(title)]
    pages = {title[:end].strip() for end in [*ends, len(title)]}
    return any(
        start <= segment.end and segment.start <= end for page in pages for start, end in private_times.get(page, ())
    )


def _is_incognito(segment: Segment) -> bool:
    return bool(segment.attributes) and segment.attributes.get("incognito") in (True, "true")


def _path_part(part: str) -> str:
    if len(part) < _SHORTEST_TOKEN and "%" not in part and not part.startswith("eyJ"):
        return part
    decoded = unquote(part)
    if not any(mark in decoded for mark in "/?#@\ufffd"):
        part = decoded
    return TOKEN_MARK if _is_token(part) else part


def _is_token(part: str) -> bool:
    if _JWT.fullmatch(part) or _HEX.fullmatch(part):
        return True
    if not _TOKEN_CHARS.fullmatch(part):
        return False
    return not all(_SLUG_WORD.fullmatch(word) for word in _WORDS_OF_SLUG.split(part))
