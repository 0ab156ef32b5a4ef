"""Names of time zones as calendar programs write them, and the IANA zone that each stands for.

Programs write IANA ids, Windows ids (`China Standard Time`), Outlook's display names in the language of its user
(`(UTC+08:00) 北京，重庆，香港特别行政区，乌鲁木齐`), ids with a vendor's path before them, and bare offsets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

from temporal_recall.schemas.time import zone_of

_PLACES: dict[str, str] = {
    "alaska": "America/Anchorage",
    "arizona": "America/Phoenix",
    "atlantic time (canada)": "America/Halifax",
    "asia/beijing": "Asia/Shanghai",
    "beijing": "Asia/Shanghai",
    "brasilia": "America/Sao_Paulo",
    "central america": "America/Guatemala",
    "central time (us & canada)": "America/Chicago",
    "eastern time (us & canada)": "America/New_York",
    "greenland": "America/Nuuk",
    "hawaii": "Pacific/Honolulu",
    "indiana (east)": "America/Indiana/Indianapolis",
    "islamabad": "Asia/Karachi",
    "mountain time (us & canada)": "America/Denver",
    "mumbai": "Asia/Kolkata",
    "chennai": "Asia/Kolkata",
    "new delhi": "Asia/Kolkata",
    "newfoundland": "America/St_Johns",
    "osaka": "Asia/Tokyo",
    "pacific time (us & canada)": "America/Los_Angeles",
    "saskatchewan": "America/Regina",
    "st. petersburg": "Europe/Moscow",
    "wellington": "Pacific/Auckland",
    "west central africa": "Africa/Lagos",
    "协调世界时": "UTC",
    "coordinated universal time": "UTC",
    "北京": "Asia/Shanghai",
    "中国标准时间": "Asia/Shanghai",
    "台北": "Asia/Taipei",
    "東京": "Asia/Tokyo",
    "东京": "Asia/Tokyo",
    "大阪": "Asia/Tokyo",
    "首尔": "Asia/Seoul",
    "新加坡": "Asia/Singapore",
    "吉隆坡": "Asia/Singapore",
    "曼谷": "Asia/Bangkok",
    "新德里": "Asia/Kolkata",
    "莫斯科": "Europe/Moscow",
    "柏林": "Europe/Berlin",
    "巴黎": "Europe/Paris",
    "伦敦": "Europe/London",
    "堪培拉": "Australia/Sydney",
    "悉尼": "Australia/Sydney",
    "奥克兰": "Pacific/Auckland",
    "太平洋时间(美国和加拿大)": "America/Los_Angeles",
    "山地时间(美国和加拿大)": "America/Denver",
    "中部时间(美国和加拿大)": "America/Chicago",
    "东部时间(美国和加拿大)": "America/New_York",
}
"""Places of display names after which no IANA zone is called; others are found by the city's own name."""

_DISPLAY = re.compile(r"\((?:UTC|GMT)(?:([+-])(\d{1,2})[:.]?(\d{2}))?\)\s*(.*)", re.IGNORECASE)
_OFFSET = re.compile(r"(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?", re.IGNORECASE)
_SEASONS = (datetime(2025, 1, 15, tzinfo=UTC), datetime(2025, 7, 15, tzinfo=UTC))


@lru_cache(maxsize=1024)
def zone_for(name: str) -> str | None:
    """The IANA id or fixed offset (`+08:00`) that a zone's name means; None where it is known to nobody.

    >>> zone_for("China Standard Time"), zone_for("(GMT+10:00) Canberra, Melbourne, Sydney")
    ('Asia/Shanghai', 'Australia/Canberra')
    """
    cleaned = name.strip().strip('"').replace("\\,", ",")
    return _iana(cleaned) or _windows(cleaned) or _displayed(cleaned) or _offset(cleaned)


def _iana(name: str) -> str | None:
    """An id itself, or behind a vendor's path: `/freeassociation.sourceforge.net/Europe/Berlin`."""
    parts = name.removeprefix("tzone://Microsoft/").strip("/").split("/")
    tails = ("/".join(parts[start:]) for start in range(len(parts)))
    return next((known for tail in tails if (known := _ids().get(tail.casefold()))), None)


@lru_cache(maxsize=1)
def _ids() -> dict[str, str]:
    return {zone.casefold(): zone for zone in sorted(available_timezones()) if zone != "Factory"} | {"z": "UTC"}


def _windows(name: str) -> str | None:
    from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

    return WINDOWS_TO_OLSON.get(name)


def _displayed(name: str) -> str | None:
    """The zone of the first place of a display name that keeps the offset which the name states."""
    display = _DISPLAY.fullmatch(name)
    sign, hours, minutes, label = display.groups() if display else (None, None, None, name)
    offset = _delta(sign, hours, minutes) if hours else timedelta() if display else None
    zones = (zone for place in _places(label) if (zone := _PLACES.get(place) or _cities().get(place)))
    found = next((zone for zone in zones if offset is None or _keeps(zone, offset)), None)
    return found or (_written(offset) if display and hours and offset is not None else None)


def _places(label: str) -> Iterator[str]:
    flat = label.replace("（", "(").replace("）", ")").casefold().strip()
    yield flat
    yield from (place.strip() for place in re.split(r"[,，、]", flat))


@lru_cache(maxsize=1)
def _cities() -> dict[str, str]:
    """City -> the zone that is called after it."""
    return {
        zone.rsplit("/", 1)[1].replace("_", " ").casefold(): zone for zone in sorted(_ids().values()) if "/" in zone
    }


def _keeps(zone_name: str, offset: timedelta) -> bool:
    return offset in {season.astimezone(ZoneInfo(zone_name)).utcoffset() for season in _SEASONS}


def _offset(name: str) -> str | None:
    offset = _OFFSET.fullmatch(name)
    return _written(_delta(*offset.groups())) if offset else None


def _delta(sign: str | None, hours: str, minutes: str | None) -> timedelta:
    delta = timedelta(hours=int(hours), minutes=int(minutes or 0))
    return -delta if sign == "-" else delta


def _written(offset: timedelta) -> str | None:
    minutes = int(offset.total_seconds()) // 60
    text = f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
    try:
        zone_of(text)
    except ValueError:
        return None
    return text
