"""How long Recap's projection takes: a day of 5,000 segments, and a year of such days, on one core.

    python benchmarks/recap.py [--days 365] [--segments 5000] [--json]

The segments are made up by a seeded generator: two machines, a foreground that changes often, a browser and an editor,
away stretches, overlaps. Making them is not counted; building the digest and its hash is. `cpu` is this process's own
time, which a busy machine stretches less than the clock's.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import random
import statistics
import time
from datetime import UTC, date, datetime, timedelta

from temporal_recall.dataflows.recap.windows import recap_window_of
from temporal_recall.schemas.recap import AWAY_APP, SYSTEM_SOURCE, Segment
from temporal_recall.schemas.recap_settings import PrivacySettings, ProjectionSettings
from temporal_recall.service.catalog import RECAP
from temporal_recall.service.driver import build_driver

TIME_ZONE = "Asia/Shanghai"
OWNER = "bench"
APPS = [f"App {n}" for n in range(25)]


def made_up_day(local_date: date, count: int) -> list[Segment]:
    """So many segments of one day, the same for the same date, in a random order."""
    chance = random.Random(local_date.toordinal())
    start = datetime.combine(local_date, datetime.min.time(), UTC) - timedelta(hours=8)
    segments = [_made_up_segment(chance, start, local_date, number) for number in range(count)]
    chance.shuffle(segments)
    return segments


def _made_up_segment(chance: random.Random, start: datetime, local_date: date, number: int) -> Segment:
    begin = start + timedelta(seconds=chance.uniform(7 * 3600, 23 * 3600))
    end = begin + timedelta(seconds=min(chance.expovariate(1 / 25), 3000))
    device = chance.choice(["desk", "laptop"])
    source = chance.choices([SYSTEM_SOURCE, "browser", "vscode"], [6, 3, 1])[0]
    page_number = int(chance.paretovariate(0.5)) % 5000  # few pages often, many once
    page = f"page {page_number} of the manual"
    app, title, attributes = APPS[page_number % len(APPS)], page, {}
    if source == SYSTEM_SOURCE and chance.random() < 0.02:
        app, end = AWAY_APP, begin + timedelta(minutes=chance.uniform(2, 15))
    if source == "browser":
        attributes = {
            "url": f"https://docs.example/{page.replace(' ', '/')}?session={number % 100}#part",
            "incognito": False,
        }
    if source == "vscode":
        attributes = {"file": f"/src/project/{page}.py", "project": "/src/project"}
    identifier = f"{local_date.isoformat()}-{number}"
    return Segment(identifier, OWNER, device, device, source, page, app, title, begin, end, attributes)


def main() -> None:
    """Prints the figures as a table, or as one JSON object."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--days", type=int, default=365)
    options.add_argument("--segments", type=int, default=5000)
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    flow = build_driver(RECAP)
    seconds, cpu_seconds, digest_chars = [], [], []
    for day in range(chosen.days):
        local_date = date(2025, 1, 1) + timedelta(days=day)
        segments = made_up_day(local_date, chosen.segments)
        gc.collect()  # what making them left to collect is not the projection's
        inputs = {
            "local_date": local_date.isoformat(),
            "time_zone": TIME_ZONE,
            "segments": segments,
            "owner_id": OWNER,
            "privacy_settings": PrivacySettings(),
            "projection_settings": ProjectionSettings(),
        }
        begin, cpu_begin = time.perf_counter(), time.process_time()
        outputs = flow.execute(["recap_projection", "recap_digest", "digest_hash"], inputs=inputs)
        seconds.append(time.perf_counter() - begin)
        cpu_seconds.append(time.process_time() - cpu_begin)
        digest_chars.append(len(outputs["recap_digest"]))
    figures = {
        "python": platform.python_version(),
        "days": chosen.days,
        "segments_a_day": chosen.segments,
        "day_median_ms": round(1000 * statistics.median(seconds), 1),
        "day_best_ms": round(1000 * min(seconds), 1),
        "day_median_cpu_ms": round(1000 * statistics.median(cpu_seconds), 1),
        "all_days_s": round(sum(seconds), 2),
        "all_days_cpu_s": round(sum(cpu_seconds), 2),
        "digest_chars_median": statistics.median(digest_chars),
        "target": "a day of 5,000 <= 50 ms, a year of them <= 20 s",
    }
    print(json.dumps(figures) if chosen.json else "\n".join(f"{name:22} {value}" for name, value in figures.items()))


if __name__ == "__main__":
    recap_window_of("2025-01-01", TIME_ZONE)
    main()
