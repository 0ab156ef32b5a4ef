"""A calendar file as text: its components, each with the line at which it begins and zone names made unambiguous.

Nothing is interpreted here beyond lines and zone names, so that one broken component costs only itself, and can be
named by its line. Zone definitions are renamed by their content: the parsing library keeps definitions by name for the
whole process, and one calendar's «Office» must never become another's.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from temporal_recall.adapters.ics_zones import zone_for

MAX_LINE_CHARS = 1_000_000
_DATES = frozenset({"DTSTART", "DTEND", "DUE", "RDATE", "EXDATE", "RECURRENCE-ID"})
_STAMPS = frozenset({"CREATED", "DTSTAMP", "LAST-MODIFIED"})
_WORDS = frozenset({"UID", "STATUS", "SUMMARY", "DESCRIPTION", "LOCATION", "ATTENDEE"})
_KEPT_PROPERTIES = _DATES | _STAMPS | _WORDS | {"DURATION", "RRULE", "SEQUENCE"}
_FOLD = re.compile(rb"\r?\n[ \t]")
_NAME = re.compile(r"[A-Za-z0-9-]+")
_TZID = re.compile(r';TZID=("[^"]*"|[^;]*)', re.IGNORECASE)
_LOCAL_TIME = re.compile(r"\d{8}T\d{6}(?:,|$)")
_KINDS = frozenset({"VEVENT", "VTODO"})
_DEEPEST = 16
"""How many components deep the path is kept; what no calendar nests, no one need find the way out of."""

Encoding = Literal["utf-8", "utf-16", "gb18030"]


@dataclass(frozen=True, slots=True)
class IcsFault:
    """Something in the file that cannot be taken as it stands, with the line of its component."""

    code: str
    line: int
    detail: str = ""


@dataclass
class IcsComponent:
    """An event or to-do: its content lines, unfolded, with zone names that mean one thing only."""

    kind: str
    line: int
    lines: list[str] = field(default_factory=list)

    def value(self, name: str) -> str:
        """The value of the first property of that name, "" where there is none."""
        return next((line.partition(":")[2] for line in self.lines if property_name(line) == name), "").strip()


@dataclass
class IcsText:
    """A whole file. `zone_name` is the calendar's own (X-WR-TIMEZONE), as an IANA id."""

    zone_name: str | None = None
    is_cancelling: bool = False
    zones: dict[str, list[str]] = field(default_factory=dict)
    components: list[IcsComponent] = field(default_factory=list)
    faults: list[IcsFault] = field(default_factory=list)


def property_name(line: str) -> str:
    """The name with which a content line begins, in capitals."""
    return (_NAME.match(line) or [""])[0].upper()


def decoded(raw: bytes) -> tuple[str, Encoding] | None:
    """The text of a file and its encoding; None where it is text in none that calendars come in."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _tried((raw, "utf-16", "utf-16"))
    whole = _FOLD.sub(b"", raw)  # a fold may fall inside a character
    return _tried((raw, "utf-8-sig", "utf-8"), (whole, "utf-8-sig", "utf-8"), (whole, "gb18030", "gb18030"))


def _tried(*ways: tuple[bytes, str, Encoding]) -> tuple[str, Encoding] | None:
    for raw, codec, encoding in ways:
        try:
            return raw.decode(codec), encoding
        except UnicodeDecodeError:
            continue
    return None


def scanned(text: str) -> IcsText:
    """The components of a file's text, in its order."""
    found = IcsText()
    scanner = _Scanner(found)
    for number, line in _unfolded(text):
        scanner.take(number, line)
    scanner.finish()
    return found


def _unfolded(text: str) -> Iterator[tuple[int, str]]:
    """Content lines with the number of the physical line at which each begins."""
    first, parts = 1, [""]
    for number, line in enumerate(re.split(r"\r\n|\n|\r", text), 1):
        if line[:1] in (" ", "\t"):
            parts.append(line[1:])
        else:
            yield first, "".join(parts)
            first, parts = number, [line]
    yield first, "".join(parts)


class _Scanner:
    """Sorts content lines into components and zone definitions."""

    def __init__(self, found: IcsText) -> None:
        self._found = found
        self._path: list[str] = []
        self._component: IcsComponent | None = None
        self._zone_lines: list[str] = []
        self._renamed: dict[str, str] = {}
        self._waiting: list[IcsComponent] = []
        self._has_calendar = False

    def take(self, number: int, line: str) -> None:
        name = property_name(line)
        if name == "BEGIN":
            self._begin(number, line[6:].strip().upper())
        elif name == "END":
            self._end(line[4:].strip().upper())
        elif self._component is not None and self._path[-1:] == [self._component.kind]:
            self._property(number, name, line)
        elif "VTIMEZONE" in self._path:
            self._zone_lines.append(line)
        elif self._path == ["VCALENDAR"]:
            self._header(name, line.partition(":")[2].strip())

    def finish(self) -> None:
        """What stays open at the end of the file was cut off."""
        if self._component is not None:
            self._found.faults.append(IcsFault("truncated", self._component.line))
        self._settle()
        if not self._has_calendar:
            self._found.faults.append(IcsFault("no_calendar", 1))

    def _settle(self) -> None:
        """Gives the components of a calendar their zones, once everything in it is read."""
        for component in self._waiting:
            component.lines = [self._with_zone(line, component) for line in component.lines]
        self._found.components += self._waiting
        self._waiting = []

    def _begin(self, number: int, kind: str) -> None:
        if kind == "VCALENDAR":
            self._settle()
            self._path, self._has_calendar, self._renamed, self._found.zone_name = [], True, {}, None
        if kind in _KINDS:
            if self._component is not None:
                self._found.faults.append(IcsFault("truncated", self._component.line))
            self._component = IcsComponent(kind, number)
        if len(self._path) < _DEEPEST:
            self._path.append(kind)
        if "VTIMEZONE" in self._path:
            self._zone_lines = [] if kind == "VTIMEZONE" else [*self._zone_lines, f"BEGIN:{kind}"]

    def _end(self, kind: str) -> None:
        if kind == "VTIMEZONE":
            self._define_zone()
        elif "VTIMEZONE" in self._path:
            self._zone_lines.append(f"END:{kind}")
        if self._component is not None and kind == self._component.kind:
            self._waiting.append(self._component)
            self._component = None
        while self._path and self._path.pop() != kind:
            pass

    def _header(self, name: str, value: str) -> None:
        if name == "X-WR-TIMEZONE":
            self._found.zone_name = zone_for(value)
        elif name == "METHOD":
            self._found.is_cancelling = value.upper() == "CANCEL"

    def _property(self, number: int, name: str, line: str) -> None:
        assert self._component is not None
        if name not in _KEPT_PROPERTIES:
            return
        if len(line) > MAX_LINE_CHARS:
            self._found.faults.append(IcsFault("line_too_long", number, name))
            return
        self._component.lines.append(line)

    def _define_zone(self) -> None:
        named = next((line for line in self._zone_lines if line.upper().startswith("TZID")), "")
        name = _plain(named.partition(":")[2])
        rest = [line for line in self._zone_lines if line is not named]
        digest = hashlib.sha256("\n".join(rest).encode("utf-8", "replace")).hexdigest()[:16]
        self._renamed[name] = f"zone-{digest}"
        self._found.zones[f"zone-{digest}"] = rest

    def _with_zone(self, line: str, component: IcsComponent) -> str:
        """The line with a zone that is an IANA id or defined in this very file; an unknown zone is dropped.

        A time without any zone takes the calendar's own, if it has one.
        """
        if property_name(line) not in _DATES:
            return line
        head, _, value = line.rpartition(":")
        stated = _TZID.search(head)
        if stated is None:
            is_floating = self._found.zone_name is not None and _LOCAL_TIME.match(value)
            return f"{head};TZID={self._usable(self._found.zone_name)}:{value}" if is_floating else line
        zone = self._zone(_plain(stated[1]))
        if zone is None:
            self._unknown_zone(component)
        bare = head[: stated.start()] + head[stated.end() :]
        return f"{bare};TZID={zone}:{value}" if zone else f"{bare}:{value}"

    def _zone(self, name: str) -> str | None:
        if "/" in name and (known := zone_for(name)):
            return self._usable(known)
        return self._renamed.get(name) or self._usable(zone_for(name))

    def _usable(self, zone: str | None) -> str | None:
        """A zone's name as the parsing library takes it: an offset becomes a definition of its own."""
        if zone is None or zone[0] not in "+-":
            return zone
        offset = zone.replace(":", "")
        bounds = ["DTSTART:19700101T000000", f"TZOFFSETFROM:{offset}", f"TZOFFSETTO:{offset}"]
        self._found.zones[f"zone{offset}"] = ["BEGIN:STANDARD", *bounds, "END:STANDARD"]
        return f"zone{offset}"

    def _unknown_zone(self, component: IcsComponent) -> None:
        fault = IcsFault("unknown_zone", component.line)
        if fault not in self._found.faults[-1:]:
            self._found.faults.append(fault)


def _plain(name: str) -> str:
    return name.strip().strip('"').replace("\\,", ",").replace("\\;", ";")
