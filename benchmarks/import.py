"""A million records into the embedded store: how long it takes, and that memory stays flat.

    python benchmarks/import.py [--records N]

Writes a records file, imports it twice (the second time nothing is new) and prints one JSON object: records a second,
and the peak of the process's memory (MiB) after each tenth.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from temporal_recall.adapters.embedded_store import EmbeddedStore
from temporal_recall.service.importing import ImportRequest, import_file

NOW = datetime(2026, 9, 3, 14, tzinfo=UTC)
WORDS = ("明天下午三点和老周开会", "把周报交了", "昨晚和朋友吃了火锅", "下周一之前订好机票", "今天跑了五公里")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=1_000_000)
    count = parser.parse_args().records
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "records.jsonl"
        write_records(path, count)
        with EmbeddedStore(Path(folder) / "store.db") as store:
            runs = [run(path, store, count) for _ in range(2)]
            size_mib = store.path.stat().st_size / 2**20
    print(json.dumps({"records": count, "first": runs[0], "again": runs[1], "store_mib": round(size_mib, 1)}))


def write_records(path: Path, count: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            observed = NOW - timedelta(seconds=30 * (count - number))
            row = {
                "id": f"r{number}",
                "source": "meinput",
                "observed_time": observed.isoformat(),
                "time_zone": "Asia/Shanghai",
            }
            file.write(json.dumps({**row, "text": WORDS[number % len(WORDS)]}, ensure_ascii=False) + "\n")


def run(path: Path, store: EmbeddedStore, count: int) -> dict[str, object]:
    peaks: dict[int, int] = {}

    def note(read: int) -> None:
        peaks.setdefault(10 * read // count, peak_mib())
        sys.stderr.write(f"\r{read:,} of {count:,}")

    began = time.perf_counter()
    report = import_file(ImportRequest("records", path, NOW), store, note)
    took_s = time.perf_counter() - began
    sys.stderr.write("\n")
    return {
        "records_a_second": round(count / took_s),
        "new": report.put.new,
        "unchanged": report.put.unchanged,
        "peak_mib_by_tenth": [peaks[tenth] for tenth in sorted(peaks)],
    }


def peak_mib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


if __name__ == "__main__":
    main()
