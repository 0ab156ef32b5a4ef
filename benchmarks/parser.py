"""How long the time parser takes beside JioNLP, on the same cases in one run.

Ours finds the times of any text and reads them. JioNLP does that with `extract_time`; its `parse_time` reads a text
that is nothing but one expression and raises on any other, so it is shown beside.

    python benchmarks/parser.py [CASES.jsonl] [--json]

CASES holds one object a line with `text` or `query` and `now` or `reference` (by default the labelled cases beside the
checkout; without them the project's own corpus). A peer that is not installed is left out with a message: they come
with the `benchmarks` extra. Times are microseconds a case, the best of three rounds and on first sight: ours remembers
what the words of a short text say, and reads them anew for every instant. The messages are all distinct.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from datetime import datetime
from itertools import product
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

import pandas as pd

from temporal_recall.dataflows.zh_time import corpus, find_times, parse_time, resolve_times
from temporal_recall.schemas.time import zone_of

ROUNDS = 3
DEFAULT_CASES = Path(__file__).resolve().parents[2] / "shared" / "cases" / "time" / "corpora.jsonl"
PLAIN_MESSAGES = (
    "我喜欢喝什么咖啡？",
    "好的，我看看",
    "老周把接口文档发到群里了，记得看",
    "这个方案的预算要跟财务再对一下，不然不好办",
    "哈哈哈哈笑死我了",
    "谁有会议室的密码",
)
TIMED_MESSAGES = (
    "明天下午三点去签合同",
    "周五之前把报告发我",
    "上周三跟客户吃的饭",
    "9月26号补一针，记一下",
    "国庆要不要一起去大理",
    "晚上八点线上对一下进度",
)


class Case(NamedTuple):
    """A text and the instant at which it was said."""

    text: str
    now: datetime


def cases_of(path: Path) -> list[Case]:
    """The cases of a file, or the phrases of the project's own corpus where there is no such file."""
    if not path.is_file():
        print(f"{path} is not there; timing the project's own corpus", file=sys.stderr)
        return [Case(p, corpus.NOW) for phrases in corpus.PHRASES.values() for p in phrases.split(" | ")]
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [Case(row.get("text") or row["query"], _instant(row.get("now") or row["reference"])) for row in rows]


def _instant(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=zone_of("Asia/Shanghai"))


def jionlp_finder() -> Callable[[Case], object] | None:
    """JioNLP finding and reading the times of a text; None, with a message, where it is not installed."""
    try:
        from jionlp import ner
    except ImportError:
        print("JioNLP is not installed (pip install 'temporal-recall[benchmarks]'); timed without it", file=sys.stderr)
        return None
    return lambda case: ner.extract_time(case.text, time_base=case.now.timestamp(), with_parsing=True)


def jionlp_reader() -> Callable[[Case], object]:
    """JioNLP reading a text that is nothing but one expression; it raises on any other."""
    from jionlp import parse_time as parse

    units = ("year", "month", "day", "hour", "minute", "second")
    return lambda case: parse(case.text, time_base={unit: getattr(case.now, unit) for unit in units})


class Times(NamedTuple):
    """Microseconds per case, on first sight and at best, and how many cases raised."""

    first: list[float]
    best: list[float]
    raised: int


def times_of(parse: Callable[[Case], object], cases: list[Case]) -> Times:
    """How long a parser takes for each case, over the rounds."""
    rounds = [[_microseconds(parse, case) for case in cases] for _ in range(ROUNDS)]
    raised = sum(failed for _, failed in rounds[0])
    best = [min(took for took, _ in each) for each in zip(*rounds, strict=True)]
    return Times([took for took, _ in rounds[0]], best, raised)


def _microseconds(parse: Callable[[Case], object], case: Case) -> tuple[float, bool]:
    began = time.perf_counter()
    try:
        parse(case)
        failed = False
    except Exception:  # noqa: BLE001  (a peer raises what it likes; that is counted)
        failed = True
    return (time.perf_counter() - began) * 1e6, failed


def figures_of(times: Times) -> dict[str, float]:
    """Medians and 99th percentiles in microseconds, and the number of cases that raised."""
    return {
        "median_us": round(median(times.best), 1),
        "p99_us": round(quantiles(times.best, n=100)[98], 1),
        "first_median_us": round(median(times.first), 1),
        "raised": times.raised,
    }


def no_time_us() -> float:
    """Microseconds that a text without a time word takes on first sight, the median over many."""
    cases = [Case(text, corpus.NOW) for text in distinct(PLAIN_MESSAGES, 3_000)]
    return round(median(times_of(lambda c: find_times(c.text, c.now), cases).first), 2)


def distinct(messages: tuple[str, ...], count: int) -> list[str]:
    """So many texts, no two alike: the messages in turn, each addressed to somebody else."""
    names = product(
        "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨", "伟芳娜敏静丽强磊洋艳勇军杰娟涛超霞", "平刚桂英华玉兰红建国文辉力明永"
    )
    return [f"{''.join(name)}，{message}" for name in names for message in messages][:count]


def messages_per_second(count: int = 20_000) -> float:
    """Distinct short messages, half of them with a time, whose times are resolved in a second on one core."""
    mixed = tuple(m for pair in zip(PLAIN_MESSAGES, TIMED_MESSAGES, strict=True) for m in pair)
    text = pd.Series(distinct(mixed, count))
    moments = pd.date_range("2026-01-01", periods=count, freq="7min", tz="UTC")
    observed = pd.Series(moments).astype("datetime64[us, UTC]")
    zone = pd.Series(["Asia/Shanghai"] * count)
    return round(count / min(_seconds(lambda: resolve_times(text, observed, zone)) for _ in range(ROUNDS)))


def _seconds(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def report(path: Path) -> dict[str, object]:
    """All figures of one run."""
    cases = cases_of(path)
    ours = figures_of(times_of(lambda c: parse_time(c.text, c.now), cases))
    found: dict[str, object] = {"cases": len(cases), "ours": ours}
    finder = jionlp_finder()
    if finder is not None:
        for name, peer in (("jionlp finding", finder), ("jionlp reading", jionlp_reader())):
            theirs = figures_of(times_of(peer, cases))
            ratio = {key: round(theirs[key] / ours[key], 1) for key in ("median_us", "p99_us", "first_median_us")}
            found |= {name: theirs, f"{name}, ratio": ratio}
    return found | {"no_time_us": no_time_us(), "messages_per_second": messages_per_second()}


def main() -> None:
    """Print the figures as a table, or as one JSON object."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("cases", nargs="?", type=Path, default=DEFAULT_CASES)
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    found = report(given.cases)
    if given.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        shown = "  ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else value
        print(f"{name:>22}  {shown}")


if __name__ == "__main__":
    main()
