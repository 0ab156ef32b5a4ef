"""The backfill on one core: records a second from Parquet to Parquet, where the time goes, and the memory it takes.

    python benchmarks/backfill.py [--records 100000] [--users 200] [--seconds-apart 60]

Mixed messages, half of which name a time (those of `extraction.py`). `floor` is the same run without extraction: the
evidence read and written again. Processor time of this process, so that a busy machine stretches it less. One user with
a million records in one month: `--records 1000000 --users 1 --seconds-apart 1`.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
from extraction import records
from harness import cpu_seconds, peak_mib, report

from temporal_recall.adapters.parquet_lake import ParquetEvidenceLake, ParquetTimelineLake
from temporal_recall.dataflows.evidence_frame import evidence_export
from temporal_recall.schemas.backfill import BackfillReport
from temporal_recall.service.backfilling import SLICE_ROWS, backfill
from temporal_recall.service.deriving import EXTRACTOR_VERSION

ROWS_A_WRITE = 20_000


def main() -> None:
    """Prints the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--users", type=int, default=200)
    parser.add_argument("--seconds-apart", type=int, default=60)
    chosen = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    try:
        evidence = exported(folder, chosen.records, chosen.users, chosen.seconds_apart)
        report(measured(folder, evidence))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def exported(folder: Path, count: int, users: int, seconds_apart: int) -> ParquetEvidenceLake:
    """An export of so many mixed messages, spread over so many users."""
    lake = ParquetEvidenceLake(str(folder / "evidence"))
    for number, start in enumerate(range(0, count, ROWS_A_WRITE)):
        part = records(min(ROWS_A_WRITE, count - start), start=start, seconds_apart=seconds_apart)
        owners = pd.Series([f"user-{row % users:06}" for row in range(len(part))], dtype="str")
        lake.write(evidence_export(part).assign(user_id=owners), f"part-{number:04}", bucket_count=1)
    return lake


def measured(folder: Path, evidence: ParquetEvidenceLake) -> dict[str, Any]:
    """Rates and shares of one run."""
    timeline, copy = (ParquetTimelineLake(str(folder / name)) for name in ("timeline", "copy"))
    reports: list[BackfillReport] = []
    whole = cpu_seconds(lambda: reports.append(backfill(evidence, timeline)))
    peak, count = peak_mib(), reports[0].record_count
    pieces = evidence.slices(SLICE_ROWS, EXTRACTOR_VERSION)
    reading = cpu_seconds(lambda: [len(evidence.evidence(piece)) for piece in pieces])
    writing = sum(
        cpu_seconds(partial(copy.write, piece, rows)) for piece, rows in zip(pieces, timeline.frames(), strict=True)
    )
    shares = {"read": reading, "write": writing, "extract": whole - reading - writing}
    return {
        "records": count,
        "slices": reports[0].slice_count,
        "records_a_second_and_core": round(count / whole),
        "floor_records_a_second_and_core": round(count / (reading + writing)),
        "ratio_to_floor": round(whole / (reading + writing), 1),
        "share": {name: round(seconds / whole, 2) for name, seconds in shares.items()},
        "us_a_record": {name: round(seconds / count * 1e6, 1) for name, seconds in shares.items()},
        "bytes_a_record": {lake: size // count for lake, size in _sizes(folder).items()},
        "peak_mib": peak,
    }


def _sizes(folder: Path) -> dict[str, int]:
    """What evidence and timeline take on disk."""
    files = {name: (folder / name).rglob("*.parquet") for name in ("evidence", "timeline")}
    return {name: sum(path.stat().st_size for path in paths) for name, paths in files.items()}


if __name__ == "__main__":
    main()
