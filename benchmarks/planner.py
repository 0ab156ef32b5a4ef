"""How long a Context Plan takes without the semantic planner, through the graph and by its parts.

    python benchmarks/planner.py [--json]

The questions are the project's own labelled utterances. Times are the best of three per question, in microseconds.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles

from temporal_recall import RecallService
from temporal_recall.dataflows.language.planner_cues import question_cues
from temporal_recall.dataflows.zh_time import find_times

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))

from utterances import NOW, utterances

ROUNDS = 3


def best_us(work: Callable[[], object]) -> float:
    """The shortest of a few runs, in microseconds."""
    spans = []
    for _ in range(ROUNDS):
        started = time.perf_counter_ns()
        work()
        spans.append(time.perf_counter_ns() - started)
    return min(spans) / 1000


def measured(questions: list[str]) -> dict[str, dict[str, float]]:
    """Median and 99th percentile of the whole plan and of its parts."""
    with RecallService.demo() as service:
        parts: dict[str, Callable[[str], object]] = {
            "plan": lambda text: service.plan(text, now=NOW),
            "cues": question_cues,
            "times": lambda text: find_times(text, NOW),
        }
        figures = {}
        for name, work in parts.items():
            for text in questions:
                work(text)
            spans = [best_us(lambda text=text, work=work: work(text)) for text in questions]
            figures[name] = {"median_us": round(median(spans), 1), "p99_us": round(quantiles(spans, n=100)[98], 1)}
    return figures


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--json", action="store_true", help="print one JSON object")
    questions = [utterance.text for utterance in utterances()]
    figures = measured(questions)
    if options.parse_args().json:
        print(json.dumps({"questions": len(questions), **figures}))
        return
    print(f"{len(questions)} questions")
    for name, figure in figures.items():
        print(f"{name:6} median {figure['median_us']:8.1f} µs   p99 {figure['p99_us']:8.1f} µs")


if __name__ == "__main__":
    main()
