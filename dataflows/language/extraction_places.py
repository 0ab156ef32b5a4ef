"""Places: where something happens, as far as the words name it."""

from __future__ import annotations

import re

_KINDS = (
    "店|馆|院|厅|楼|室|站|机场|公园|学校|公司|家|校区|广场|中心|门口|路|街|寺|山|湖|城|餐厅|酒店|门诊|大厦|"
    "园区|小区|食堂|教室|宿舍|村|镇|县|市|岛|滩|桥"
)
"""How the names of places end."""

_PLACE = re.compile(
    rf"(?:在|去|到|回|飞|来)(?P<there>[一-鿿A-Za-z0-9]{{1,8}}?(?:{_KINDS})+)"
    r"|(?P<room>[大小中]?会议室|\d{1,2}F(?: ?[一-鿿]{1,5})?|[A-Z]?\d{3,4}(?:教室|会议室|室)|线上|腾讯会议|"
    r"飞书会议|[Zz]oom|Teams)"
)


def place_in(text: str) -> str | None:
    """The first place that a text names, or None.

    >>> place_in("周五去社区医院开药")
    '社区医院'
    """
    found = _PLACE.search(text)
    return found and (found["there"] or found["room"])
