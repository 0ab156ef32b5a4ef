"""Extraction of mixed short messages: records a second on one core, node by node.

    python benchmarks/extraction.py [--records N] [--repeat N]

Half of the messages carry a time. Prints one JSON object: records a second (of the process's own time, best run),
the share of messages with a time, and the microseconds a record that each node takes.
"""

from __future__ import annotations

import argparse
import gc
import inspect
import json
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pandas as pd

from temporal_recall.dataflows import timeline
from temporal_recall.dataflows.evidence_frame import evidence_frame
from temporal_recall.schemas.evidence import EvidenceRecord

NOW = datetime(2026, 9, 16, 2, tzinfo=UTC)
TIMED = (
    "明天下午三点和张总签合同",
    "周报我周五下班前发您",
    "@老何 周四四点大会议室，需求评审，Ken也来",
    "聚餐改到后天晚上七点了",
    "9月20号到22号去成都出差",
    "提醒我明天早上八点吃药",
    "下周二之前把房租转给房东",
    "昨晚和同学吃了火锅",
    "孩子周六上午钢琴课取消",
    "standup moved to 10:30 tomorrow",
)
UNTIMED = (
    "哈哈哈那只猫",
    "收到 好的",
    "报销单交了，卡着点",
    "到家了 勿念",
    "这个展最后一个厅绝了",
    "谁有最新的预算表",
    "外面下大雨，有人带伞吗",
    "方案第二版发您邮箱了",
    "在改稿子，别等我",
    "中午食堂有红烧肉速来",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--repeat", type=int, default=3)
    args = parser.parse_args()
    evidence = evidence_frame(records(args.records))
    runs = [run(evidence) for _ in range(args.repeat)]
    best = min(runs, key=lambda run: sum(run[0].values()))
    seconds, is_timed = best
    print(
        json.dumps(
            {
                "records": len(evidence),
                "records_a_second": round(len(evidence) / sum(seconds.values())),
                "timed_share": round(float(is_timed.mean()), 2),
                "us_a_record": {name: round(s / len(evidence) * 1e6, 1) for name, s in seconds.items()},
            }
        )
    )


def records(count: int) -> list[EvidenceRecord]:
    """Messages of ten kinds with a time and ten without, by turns, a minute apart."""
    texts = [text for pair in zip(TIMED, UNTIMED, strict=True) for text in pair]
    return [
        EvidenceRecord(
            source="meinput",
            source_ref=f"meinput:segment:{number}",
            user_id="u1",
            observed_time=NOW + timedelta(minutes=number),
            time_zone="Asia/Shanghai",
            text=texts[number % len(texts)],
            app="wechat",
        )
        for number in range(count)
    ]


def run(evidence: pd.DataFrame) -> tuple[dict[str, float], pd.Series]:
    """Seconds of process time by node, and whether each record names a time."""
    values: dict[str, object] = {"evidence": evidence}
    seconds: dict[str, float] = {}
    gc.collect()
    for name, node in nodes().items():
        inputs = {known: values[known] for known in inspect.signature(node).parameters}
        began = time.process_time()
        values[name] = node(**inputs)
        seconds[name] = time.process_time() - began
    mentions = values["time_mentions"]
    assert isinstance(mentions, pd.Series)
    return seconds, mentions.map(bool)


def nodes() -> dict[str, Callable[..., object]]:
    """The nodes of the timeline in the order in which they stand in their module."""
    own = inspect.getmembers(timeline, lambda f: inspect.isfunction(f) and f.__module__ == timeline.__name__)
    public = {name: node for name, node in own if not name.startswith("_")}
    return dict(sorted(public.items(), key=lambda item: item[1].__code__.co_firstlineno))


if __name__ == "__main__":
    main()
