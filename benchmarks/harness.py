"""What every benchmark shares: where it ran, and how a small thing is timed on a machine that does other things too."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import resource
import time
from collections.abc import Callable
from datetime import UTC, datetime
from statistics import median
from typing import Any

LIBRARIES = ("apache-hamilton", "numpy", "pandas", "pyarrow", "sqlalchemy")


def surroundings() -> dict[str, Any]:
    """The machine, the versions, the date, and how busy the machine was (load average a core, one minute)."""
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "versions": {name: importlib.metadata.version(name) for name in LIBRARIES},
        "load_per_core": round(os.getloadavg()[0] / (os.cpu_count() or 1), 2),
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def times_us(work: Callable[[], object], *, repeat: int, warm_up: int = 3) -> list[float]:
    """The wall time of each of `repeat` runs, in microseconds."""
    for _ in range(warm_up):
        work()
    taken = []
    for _ in range(repeat):
        started = time.perf_counter_ns()
        work()
        taken.append((time.perf_counter_ns() - started) / 1000)
    return taken


def summary_us(taken: list[float]) -> dict[str, float]:
    """The best and the median of some times; on a busy machine the best says what the work itself takes."""
    return {"best": round(min(taken), 1), "median": round(median(taken), 1)}


def cpu_seconds(work: Callable[[], object]) -> float:
    """The processor time of this process that one run takes, in seconds."""
    started = time.process_time()
    work()
    return time.process_time() - started


def peak_mib() -> int:
    """The peak memory of this process until now, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def report(figures: dict[str, Any]) -> None:
    """Prints the figures as one JSON object, with the surroundings."""
    print(json.dumps({**figures, "surroundings": surroundings()}, ensure_ascii=False))
