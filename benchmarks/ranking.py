"""How long merging and ranking a history take, beside the same jobs by plain libraries.

    python benchmarks/ranking.py [--sizes 10000 100000 1000000] [--json]

The records are made up by a seeded generator: 250 a day, each event told in up to three sources in other words, some
moved, some done. Times are processor times of one core. `rapidfuzz` compares all pairs of one day (on the smallest size
only: its work grows with the square of a day); `bm25s` indexes the same texts and answers one question.
"""

from __future__ import annotations

import argparse
import json
from datetime import UTC, datetime
from itertools import combinations
from typing import Any

import bm25s
import numpy as np
import pandas as pd
from hamilton import driver
from harness import cpu_seconds, surroundings
from rapidfuzz import fuzz

from temporal_recall.dataflows import dedupe, ranking
from temporal_recall.schemas.frames import TIMELINE
from temporal_recall.schemas.plan import ContextPlan, PlanTime, Range, SearchRanges, Target
from temporal_recall.schemas.settings import DedupeSettings, RankingWeights, SourceSetting, SourceSettings

START = datetime(2020, 1, 1, tzinfo=UTC)
RECORDS_A_DAY = 250
HOT_DAY_RECORDS = 50_000
LIMITS = {"growth": 1.3, "million_s": 15.0, "hot_day_s": 3.0}
SOURCES = SourceSettings(
    sources=tuple(
        SourceSetting(name=n, reliability=r) for n, r in (("calendar", 0.95), ("chat", 0.85), ("meinput", 0.8))
    )
)
DEEDS = [
    "评审",
    "拜访",
    "签约",
    "体检",
    "聚餐",
    "出差",
    "面试",
    "复盘",
    "培训",
    "上线",
    "报销",
    "汇报",
    "搬家",
    "看展",
    "骑车",
    "装修",
    "续签",
    "打针",
    "取件",
    "开会",
]
PLACES = [a + b for a in "东西南北中云河山江海星月风雷光华金石林泉" for b in "城店园楼港岸街湾桥塔谷湖岭坊厂社站院馆所"]
NAMES = [a + b for a in "王李张刘陈杨黄赵周吴徐孙马胡朱郭何罗高林" for b in "姐哥总工医老师经理"]
TAILS = ["记得带材料", "地点在老地方", "可能晚到", "先占个座", "结束后一起吃饭", "改天再细聊", "数字要先核对", "别忘了"]


def made_up_timeline(count: int, days: float) -> pd.DataFrame:
    """So many rows over so many days, the same for the same arguments (contract `TIMELINE`)."""
    chance = np.random.default_rng(count)
    events = count // 2 + 1
    minute = np.sort(chance.integers(0, int(days * 1440), events))
    deed, place, name = (chance.integers(0, len(words), events) for words in (DEEDS, PLACES, NAMES))
    event, way, tail = (
        chance.integers(0, events, count),
        chance.integers(0, 3, count),
        chance.integers(0, len(TAILS), count),
    )
    parts = zip(event.tolist(), way.tolist(), tail.tolist(), strict=True)
    texts = [_text(w, PLACES[place[e]], DEEDS[deed[e]], NAMES[name[e]], TAILS[t]) for e, w, t in parts]
    event_time = pd.Timestamp(START) + pd.to_timedelta(minute[event], unit="min")
    lead = np.where(way == 2, -60, chance.integers(60, 4000, count))
    source = np.array(["calendar", "meinput", "chat"], dtype=object)[way]
    columns = {
        "source_ref": [f"{s}:made:{n}" for n, s in enumerate(source)],
        "source": source,
        "observed_time": event_time - pd.to_timedelta(lead, unit="min"),
        "type": np.where(place[event] % 7 == 0, "todo", "event"),
        "event_time": event_time,
        "status": np.where(way == 2, "completed", "planned"),
        "title": texts,
        "content": texts,
        "participants": [() if w == 0 else (NAMES[name[e]],) for e, w in zip(event, way, strict=True)],
        "is_correction": chance.random(count) < 0.02,
        "is_stated": way == 0,
    }
    return _completed(pd.DataFrame(columns))


def _text(way: int, place: str, deed: str, name: str, tail: str) -> str:
    return (f"{place}{deed}", f"明天和{name}去{place}{deed}，{tail}", f"{name}那边{place}的{deed}办完了，{tail}")[way]


def _completed(frame: pd.DataFrame) -> pd.DataFrame:
    plain = {"user_id": "u", "time_zone": "Asia/Shanghai", "granularity": "minute", "due": False, "owner": "self"}
    plain |= {"importance": 0.6, "confidence": 0.9, "extractor_version": "made", "event_end": pd.NaT}
    plain |= dict.fromkeys(("thread_id", "role", "app", "location"))
    full = frame.assign(**plain, rules=[()] * len(frame))
    for column in ("observed_time", "event_time", "event_end"):
        full[column] = pd.to_datetime(full[column], utc=True)
    full = full.astype(TIMELINE.dtypes)[list(TIMELINE.dtypes)]
    return full.sort_values(["event_time", "observed_time", "source_ref"], ignore_index=True)


def merged_and_ranked(timeline: pd.DataFrame) -> pd.DataFrame:
    """The whole way from `timeline` to `ranked_timeline`, for a question about one week that names a person."""
    week = Range(start=pd.Timestamp(START), end=pd.Timestamp(START) + pd.Timedelta(days=7))
    inputs = {
        "timeline": timeline,
        "dedupe_settings": DedupeSettings(),
        "source_settings": SOURCES,
        "context_plan": ContextPlan(
            time=PlanTime(event_range=week),
            temporal_mode="OCCURRED_IN",
            targets=(Target(type="event"),),
            people=("王姐",),
        ),
        "search_ranges": SearchRanges(axis="event", event_core=week, event_wide=week),
        "now": pd.Timestamp(START) + pd.Timedelta(days=30),
        "ranking_weights": RankingWeights(),
        "user_snapshot": None,
    }
    return (
        driver.Builder()
        .with_modules(dedupe, ranking)
        .build()
        .execute(["ranked_timeline"], inputs=inputs)["ranked_timeline"]
    )


def paired_by_rapidfuzz(timeline: pd.DataFrame) -> int:
    """How many pairs of one day look alike to rapidfuzz: each with each."""
    days = timeline["event_time"].dt.floor("D")
    texts = timeline["content"].groupby(days).agg(list)
    return sum(fuzz.token_ratio(a, b) > 70 for day in texts for a, b in combinations(day, 2))


def answered_by_bm25s(timeline: pd.DataFrame) -> Any:
    """The fifty texts that a plain BM25 library finds nearest to a question, characters as words."""
    corpus = [list(text) for text in timeline["content"]]
    index = bm25s.BM25()
    index.index(corpus, show_progress=False)
    return index.retrieve([list("王姐签约")], k=min(50, len(corpus)), show_progress=False)


def measured(sizes: list[int]) -> dict[str, Any]:
    """Seconds and microseconds an item by size, the hot day, and the libraries on the smallest size."""
    histories = {size: made_up_timeline(size, size / RECORDS_A_DAY) for size in sizes}
    seconds = {
        size: cpu_seconds(lambda history=history: merged_and_ranked(history)) for size, history in histories.items()
    }
    hot_day = made_up_timeline(HOT_DAY_RECORDS, 1)
    return {
        "seconds": {str(size): round(taken, 2) for size, taken in seconds.items()},
        "us_an_item": {str(size): round(taken / size * 1e6, 1) for size, taken in seconds.items()},
        "growth": round((seconds[sizes[-1]] / sizes[-1]) / (seconds[sizes[0]] / sizes[0]), 2),
        "hot_day_s": round(cpu_seconds(lambda: merged_and_ranked(hot_day)), 2),
        "rapidfuzz_pairs_s": {str(sizes[0]): round(cpu_seconds(lambda: paired_by_rapidfuzz(histories[sizes[0]])), 2)},
        "bm25s_s": {
            str(s): round(cpu_seconds(lambda h=h: answered_by_bm25s(h)), 2)
            for s, h in histories.items()
            if s <= 100_000
        },
        "limits": LIMITS,
        "surroundings": surroundings(),
    }


def main() -> None:
    """Prints the figures, one a line or as one JSON object."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    merged_and_ranked(made_up_timeline(1000, 4))  # imports and tables are not counted
    figures = measured(chosen.sizes)
    print(
        json.dumps(figures, ensure_ascii=False) if chosen.json else "\n".join(f"{k}: {v}" for k, v in figures.items())
    )


if __name__ == "__main__":
    main()
