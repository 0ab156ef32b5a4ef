"""Values that come back day after day: the background of a day, not its news."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import date, timedelta

from temporal_recall.dataflows.recap.privacy import PRIVATE_LABEL, Reading
from temporal_recall.dataflows.recap.texts import cut_text
from temporal_recall.dataflows.recap.windows import recap_zone
from temporal_recall.schemas.recap import RecapWindow
from temporal_recall.schemas.recap_settings import ProjectionSettings

RECURRING_DAYS_LOOKED_AT = 14


def recurring_roots(earlier: Iterable[Reading], window: RecapWindow, settings: ProjectionSettings) -> tuple[str, ...]:
    """Root values that began on at least `recurring_days` of the previous 14 local days of the zone, sorted."""
    zone = recap_zone(window.time_zone)
    day_start = timedelta(hours=window.day_start_hour)
    earliest = window.local_date - timedelta(days=RECURRING_DAYS_LOOKED_AT)
    dates_by_root: dict[str, set[date]] = defaultdict(set)
    for reading in earlier:
        local_date = (reading.start.astimezone(zone) - day_start).date()
        if not reading.is_away and earliest <= local_date < window.local_date:
            dates_by_root[reading.path[0]].add(local_date)
    dates_by_root.pop(PRIVATE_LABEL, None)
    roots = (root for root, dates in dates_by_root.items() if len(dates) >= settings.recurring_days)
    return tuple(sorted(cut_text(root, settings.text_graphemes) for root in roots))
