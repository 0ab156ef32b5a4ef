"""Places: where something happens, as far as the words name it."""

from __future__ import annotations

import re

_PLACE = re.compile(
    r"(?:在|去|到|回|飞|来)(?P<there>[\u4e00-\u9fffA-Za-z0-9]{1,8}?(?:店|馆|院|厅|楼|室|站|机场|公园|学校|公司|家|校区|广场|中心|门口|路|街|寺|山|湖|城|餐厅|酒店))"
    r"|(?P<room>[\u4e00-\u9fff]{0,2}会议室|\d+F[ \u4e00-\u9fff]{0,5}|[A-Z]?\d{3,4}(?:教室|会议室|室)|线上|腾讯会议|飞书会议|[Zz]oom)"
)


def place_in(text: str) -> str | None:
    """The first place that a text names, or None."""
    found = _PLACE.search(text)
    return found and (found.group("there") or found.group("room"))
