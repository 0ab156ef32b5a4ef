"""Records become one checked frame; stated bounds become instants here and nowhere else."""

from __future__ import annotations

from datetime import date, datetime

import pandas as pd
import pytest

from temporal_recall.dataflows.evidence_frame import evidence_export, evidence_frame
from temporal_recall.schemas.backfill import EVIDENCE_EXPORT
from temporal_recall.schemas.evidence import EvidenceRecord, SourceEvent
from temporal_recall.schemas.frames import EVIDENCE, checked

OBSERVED = datetime.fromisoformat("2026-09-02T20:30:00+08:00")


def record(ref: str = "chat:message:1", **fields: object) -> EvidenceRecord:
    given = {
        "source": "chat",
        "source_ref": ref,
        "user_id": "u1",
        "observed_time": OBSERVED,
        "time_zone": "Asia/Shanghai",
        "text": "明天下午三点去签合同",
    }
    return EvidenceRecord.model_validate(given | fields)


def test_no_records_give_an_empty_frame_of_the_contract() -> None:
    frame = checked(evidence_frame([]), EVIDENCE)
    assert len(frame) == 0


def test_rows_follow_observed_time_then_ref() -> None:
    later = OBSERVED.replace(hour=21)
    frame = checked(
        evidence_frame([record("chat:message:3", observed_time=later), record("chat:message:2"), record()]), EVIDENCE
    )
    assert list(frame["source_ref"]) == ["chat:message:1", "chat:message:2", "chat:message:3"]
    assert frame["observed_time"].iloc[0] == pd.Timestamp(OBSERVED)


def test_the_highest_revision_stands_and_a_tombstone_removes() -> None:
    rows = [
        record(revision=2, text="改到四点"),
        record(revision=1),
        record("chat:message:2"),
        record("chat:message:2", is_deleted=True, text=""),
    ]
    frame = evidence_frame(rows)
    assert list(frame["text"]) == ["改到四点"]


def test_an_export_holds_every_revision_of_every_user_and_tombstones() -> None:
    told = [record(), record(revision=2), record(user_id="u2"), record(revision=3, is_deleted=True, text="")]
    frame = checked(evidence_export(told), EVIDENCE_EXPORT)
    assert list(frame["user_id"]) == ["u1", "u1", "u2", "u1"]
    assert list(frame["is_deleted"]) == [False, False, False, True]
    assert len(checked(evidence_export([]), EVIDENCE_EXPORT)) == 0


@pytest.mark.parametrize(
    ("start", "zone", "instant", "is_all_day"),
    [
        pytest.param(
            date(2026, 9, 3), "Asia/Shanghai", "2026-09-02T16:00:00Z", True, id="a date is its local midnight"
        ),
        pytest.param(
            datetime(2026, 9, 3, 9), "America/New_York", "2026-09-03T13:00:00Z", False, id="a naive time floats"
        ),
        pytest.param(
            datetime.fromisoformat("2026-09-03T09:00:00+02:00"),
            "Asia/Shanghai",
            "2026-09-03T07:00:00Z",
            False,
            id="an aware time stands",
        ),
    ],
)
def test_stated_bounds_become_instants(start: object, zone: str, instant: str, is_all_day: bool) -> None:
    frame = evidence_frame([record(time_zone=zone, event=SourceEvent(start=start))])
    assert frame["event_start"].iloc[0] == pd.Timestamp(instant)
    assert frame["event_is_all_day"].iloc[0] == is_all_day
    assert pd.isna(frame["event_end"].iloc[0])


def test_microseconds_survive() -> None:
    instant = datetime.fromisoformat("2026-09-02T20:30:00.123457+08:00")
    assert evidence_frame([record(observed_time=instant)])["observed_time"].iloc[0] == pd.Timestamp(instant)
