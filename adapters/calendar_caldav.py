"""Calendars on a CalDAV server: fetched as they are, expanded here, so that one rule book holds for all calendars.

Spoken over the project's own bounded HTTP, so that a slow server keeps to the deadline. Of the addresses that a server
names only the path is used: credentials never go to another host.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from xml.etree import ElementTree

from temporal_recall.adapters.bounded_http import BoundedHttp, basic
from temporal_recall.adapters.calendar_ics import calendar_records, read_calendar
from temporal_recall.adapters.in_order import in_order
from temporal_recall.schemas.errors import SourceUnavailable
from temporal_recall.schemas.evidence import (
    EvidenceRecord,
    RecordIssue,
    RequestLimits,
    SearchContext,
    SearchWindow,
    SourceCapabilities,
)
from temporal_recall.schemas.feeds import SourceState

if TYPE_CHECKING:
    import httpx

_DAY = timedelta(days=1)
"""All-day and floating events lie up to a day off in UTC, so that much more is fetched."""
_NAMES = {"d": "DAV:", "c": "urn:ietf:params:xml:ns:caldav"}
_PROPERTIES = b"""<?xml version="1.0" encoding="utf-8"?>
<d:propfind xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop>
<d:resourcetype/><d:current-user-principal/><c:calendar-home-set/><c:supported-calendar-component-set/>
</d:prop></d:propfind>"""
_QUERY = """<?xml version="1.0" encoding="utf-8"?>
<c:calendar-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">
<d:prop><c:calendar-data/></d:prop>
<c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="{kind}">{span}</c:comp-filter></c:comp-filter></c:filter>
</c:calendar-query>"""


@dataclass(frozen=True, slots=True)
class CalDavAccount:
    """One user's account; `url` is a calendar, the user's home or principal, or the server's root."""

    url: str
    username: str
    password: str


class CalendarCalDavAdapter:
    """The calendars of some users, each in an account of their own."""

    def __init__(
        self, source: str, accounts_by_user: Mapping[str, CalDavAccount], *, client: httpx.Client | None = None
    ) -> None:
        self._source = source
        self._servers = {user: _Server(source, account, client) for user, account in accounts_by_user.items()}

    @property
    def source(self) -> str:
        return self._source

    def capabilities(self) -> SourceCapabilities:
        """Read on the event axis (when things take place) or the observed one (when they were entered)."""
        return SourceCapabilities(axes=frozenset({"event", "observed"}), uses_network=True)

    def close(self) -> None:
        """Closes the HTTP clients that the adapter made."""
        for server in self._servers.values():
            server.http.close()

    def search(self, ctx: SearchContext) -> Iterator[EvidenceRecord | RecordIssue]:
        """The occurrences of `ctx.user_id`'s calendars inside the window, oldest first on its axis.

        Raises:
            SourceUnavailable: the server is down, refuses the account or is late.
            RecallCancelled: the cancel token was set.
        """
        yield from in_order(self._rows(ctx), ctx)

    def probe(self, limits: RequestLimits) -> SourceState:
        """Whether every account's server answers."""
        try:
            count = sum(len(server.calendars(limits)) for server in self._servers.values())
        except SourceUnavailable as error:
            return SourceState(
                self._source, "calendar_caldav", "down" if error.is_retryable else "broken", error.reason
            )
        return SourceState(self._source, "calendar_caldav", "ready", f"{count} calendars")

    def _rows(self, ctx: SearchContext) -> Iterator[EvidenceRecord | RecordIssue]:
        server = self._servers.get(ctx.user_id)
        for name, text in server.objects(ctx.window, ctx.limits) if server else ():
            calendar = read_calendar(text.encode("utf-8", "replace"), name, ctx.window.start)
            yield from calendar_records(calendar, self._source, ctx)


class _Server:
    """One account's server, as far as it is read."""

    def __init__(self, source: str, account: CalDavAccount, client: httpx.Client | None) -> None:
        parts = urlsplit(account.url)
        self._source, self._path = source, parts.path or "/"
        authorization = basic(account.username, account.password)
        origin = f"{parts.scheme}://{parts.netloc}"
        self.http = BoundedHttp(source, origin, authorization=authorization, client=client)

    def objects(self, window: SearchWindow, limits: RequestLimits) -> Iterator[tuple[str, str]]:
        """The calendar objects that may matter, each with a name: its calendar's place and its own."""
        for place, (path, kinds) in enumerate(sorted(self.calendars(limits).items()), 1):
            for kind in kinds:
                query = _QUERY.format(kind=kind, span=_span(window)).encode()
                found = self._asked("REPORT", path, query, limits)
                texts = (element.text for element in found.iterfind(".//c:calendar-data", _NAMES))
                for number, text in enumerate(texts, 1):
                    yield f"calendar {place} {kind} {number}", text or ""

    def calendars(self, limits: RequestLimits) -> dict[str, list[str]]:
        """The account's calendars by path, with the kinds that each may hold: its own address, or those in its home."""
        path = self._path
        for _ in range(3):
            found = self._asked("PROPFIND", path, _PROPERTIES, limits)
            if _is_calendar(found):
                return {path: _kinds(found)}
            home = _href(found, "c:calendar-home-set")
            if home is not None:
                return self._calendars_in(home, limits)
            principal = _href(found, "d:current-user-principal")
            if principal is None or principal == path:
                break
            path = principal
        return self._calendars_in(path, limits)

    def _calendars_in(self, home: str, limits: RequestLimits) -> dict[str, list[str]]:
        listing = self._asked("PROPFIND", home, _PROPERTIES, limits, depth="1")
        entries = [entry for entry in listing.iterfind("d:response", _NAMES) if _is_calendar(entry)]
        found = ((_path_of(entry.findtext("d:href", None, _NAMES)), _kinds(entry)) for entry in entries)
        return {path: kinds for path, kinds in found if path is not None}

    def _asked(
        self, method: str, path: str, body: bytes, limits: RequestLimits, *, depth: str | None = None
    ) -> ElementTree.Element:
        headers = {"Content-Type": "application/xml; charset=utf-8", "Accept": "application/xml, text/xml"}
        headers["Depth"] = depth or ("1" if method == "REPORT" else "0")
        reply = self.http.ask(method, path, limits, headers=headers, body=body)
        if reply.status != 207:
            raise self.http.refused(reply)
        if b"<!DOCTYPE" in reply.body:  # no answer needs one, and entities can be made to grow without end
            raise SourceUnavailable(self._source, "bad_page", is_retryable=False)
        try:
            return ElementTree.fromstring(reply.body)  # noqa: S314 - without a document type there are no entities
        except ElementTree.ParseError:
            raise SourceUnavailable(self._source, "bad_page") from None


def _span(window: SearchWindow) -> str:
    if window.axis == "observed":  # no server can be asked when something was entered
        return ""
    start, end = _utc(window.start - _DAY), _utc(window.end + _DAY)
    return f'<c:time-range start="{start}" end="{end}"/>'


def _utc(instant: datetime) -> str:
    return f"{instant.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _is_calendar(element: ElementTree.Element) -> bool:
    return element.find(".//d:resourcetype/c:calendar", _NAMES) is not None


def _kinds(element: ElementTree.Element) -> list[str]:
    """The kinds of component to ask a calendar for; a server that does not say is asked for all."""
    named = {c.get("name") for c in element.iterfind(".//c:supported-calendar-component-set/c:comp", _NAMES)}
    return [kind for kind in ("VEVENT", "VTODO") if kind in named or not named]


def _href(element: ElementTree.Element, name: str) -> str | None:
    return _path_of(element.findtext(f".//{name}/d:href", None, _NAMES))


def _path_of(href: str | None) -> str | None:
    return urlsplit(href.strip()).path or None if href else None
