"""Extraction of mixed short messages: records a second on one core, node by node.

    python benchmarks/extraction.py [--records N] [--repeat N]

Half of the messages carry a time. Each run is one of a process of its own, so that all texts are seen for the first
time, after a few others, and cycles in memory are not looked for meanwhile, as in a backfill. Prints one JSON object:
records a second (of the process's own time, best run), the share of messages with a time, and the microseconds a record
that each node takes.
"""

from __future__ import annotations

import argparse
import gc
import inspect
import json
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta

import pandas as pd

from temporal_recall.dataflows import timeline
from temporal_recall.dataflows.evidence_frame import evidence_frame
from temporal_recall.schemas.evidence import EvidenceRecord

WARM_UP = 200
NOW = datetime(2026, 9, 16, 2, tzinfo=UTC)
DAYS = (
    "明天",
    "后天",
    "周四",
    "下周二",
    "9月20号",
    "周六上午",
    "今晚",
    "下周一",
    "大后天",
    "10月12日",
    "这周五",
    "月底",
)
CLOCKS = ("三点", "四点半", "10:30", "七点", "上午九点", "下午两点", "晚上八点", "11点", "五点一刻", "19:00", "八点")
PEOPLE = ("张总", "老何", "王姐", "Ken", "小林", "李老师", "我妈", "陈医生", "阿敏", "海哥", "房东", "Priya", "刘主任")
MATTERS = (
    "合同",
    "周报",
    "需求评审",
    "体检",
    "报价单",
    "家长会",
    "论文初稿",
    "房租",
    "面试",
    "聚餐",
    "复盘",
    "钢琴课",
    "排班",
    "签证",
    "快递",
    "PPT",
    "方案",
)
TIMED = (
    "{day}{clock}和{person}签{matter}",
    "{matter}我{day}下班前发您",
    "@{person} {day}{clock}大会议室，{matter}，Ken也来",
    "{matter}改到{day}{clock}了",
    "{day}去成都出差，{matter}找{person}",
    "提醒我{day}{clock}{matter}",
    "{day}之前把{matter}给{person}",
    "昨晚和{person}聊了{matter}",
    "{person}{day}的{matter}取消",
    "{matter} moved to {clock} tomorrow",
)
UNTIMED = (
    "哈哈哈{person}那只猫",
    "收到 {matter}好的",
    "{matter}交了，{person}卡着点",
    "到家了 {person}勿念",
    "{person}这个{matter}绝了",
    "{person}谁有最新的{matter}",
    "外面下大雨，{person}有人带伞吗",
    "{matter}第二版发{person}邮箱了",
    "在改{matter}，{person}别等我",
    "中午食堂有红烧肉，{person}聊{matter}",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--repeat", type=int, default=3)
    args = parser.parse_args()
    with ProcessPoolExecutor(1, max_tasks_per_child=1) as processes:
        runs = [processes.submit(first_run, args.records).result() for _ in range(args.repeat)]
    seconds, timed_share = min(runs, key=lambda run: sum(run[0].values()))
    print(
        json.dumps(
            {
                "records": args.records,
                "records_a_second": round(args.records / sum(seconds.values())),
                "timed_share": round(timed_share, 2),
                "us_a_record": {name: round(s / args.records * 1e6, 1) for name, s in seconds.items()},
            }
        )
    )


def records(count: int, *, start: int = 0, seconds_apart: int = 60) -> list[EvidenceRecord]:
    """Messages of ten kinds with a time and ten without, by turns, hardly two alike, from number `start`."""
    return [
        EvidenceRecord(
            source="meinput",
            source_ref=f"meinput:segment:{number}",
            user_id="u1",
            observed_time=NOW + timedelta(seconds=seconds_apart * number),
            time_zone="Asia/Shanghai",
            text=message(number),
            app="wechat",
        )
        for number in range(start, start + count)
    ]


def message(number: int) -> str:
    kinds = TIMED if number % 2 else UNTIMED
    turn = number // 2
    return kinds[turn % len(kinds)].format(
        day=DAYS[turn % len(DAYS)],
        clock=CLOCKS[turn % len(CLOCKS)],
        person=PEOPLE[turn % len(PEOPLE)],
        matter=MATTERS[turn % len(MATTERS)],
    )


def first_run(count: int) -> tuple[dict[str, float], float]:
    """A run over so many messages, in a process that has seen only others."""
    run(evidence_frame(records(WARM_UP)).assign(text="你好"))
    return run(evidence_frame(records(count)))


def run(evidence: pd.DataFrame) -> tuple[dict[str, float], float]:
    """Seconds of process time by node, and the share of records that name a time."""
    values: dict[str, object] = {"evidence": evidence}
    seconds: dict[str, float] = {}
    gc.collect()
    gc.disable()  # as while a slice is worked off
    for name, node in nodes().items():
        inputs = {known: values[known] for known in inspect.signature(node).parameters}
        began = time.process_time()
        values[name] = node(**inputs)
        seconds[name] = time.process_time() - began
    gc.enable()
    mentions = values["time_mentions"]
    assert isinstance(mentions, pd.Series)
    return seconds, float(mentions.map(bool).mean())


def nodes() -> dict[str, Callable[..., object]]:
    """The nodes of the timeline in the order in which they stand in their module."""
    own = inspect.getmembers(timeline, lambda f: inspect.isfunction(f) and f.__module__ == timeline.__name__)
    public = {name: node for name, node in own if not name.startswith("_")}
    return dict(sorted(public.items(), key=lambda item: item[1].__code__.co_firstlineno))


if __name__ == "__main__":
    main()
