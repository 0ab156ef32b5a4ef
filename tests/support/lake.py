"""An export of several users' evidence, made up by a seeded generator."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pandas as pd

from temporal_recall.dataflows.evidence_frame import evidence_frame
from temporal_recall.schemas.evidence import EvidenceRecord

SAYINGS = (
    "明天下午三点和{who}开会",
    "周五前把报告发给{who}",
    "昨天和{who}吃了火锅",
    "答应{who}下周帮他搬家",
    "今天好累",
    "决定用方案{n}了",
)
START = datetime(2026, 1, 1, tzinfo=UTC)


def person(user_id: str, record_count: int, *, seed: int = 7) -> list[EvidenceRecord]:
    """The records of one user over half a year."""
    dice = random.Random(f"{user_id} {seed}")
    return [_record(user_id, number, dice) for number in range(record_count)]


def _record(user_id: str, number: int, dice: random.Random) -> EvidenceRecord:
    text = dice.choice(SAYINGS).format(who=dice.choice(("张总", "王姐", "小李")), n=number)
    return EvidenceRecord(
        source="chat",
        source_ref=f"chat:message:{number}",
        user_id=user_id,
        observed_time=START + timedelta(minutes=dice.randrange(180 * 24 * 60)),
        time_zone="Asia/Shanghai",
        text=text,
        role="user",
    )


def export(*people: list[EvidenceRecord], is_deleted: bool = False) -> pd.DataFrame:
    """The records as an export holds them; tombstones where `is_deleted`."""
    frames = [evidence_frame(records) for records in people]
    return pd.concat(frames, ignore_index=True).assign(is_deleted=is_deleted)
