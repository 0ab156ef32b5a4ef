"""Dialect and slips are read as standard words; what only looks like them stays."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from temporal_recall.dataflows.language.extraction_dialect import in_standard_words


def _standard(text: str) -> str:
    return str(in_standard_words(pd.Series([text], dtype="str")).iloc[0])


@pytest.mark.parametrize(
    ("said", "standard"),
    [
        pytest.param("陈姐话迟啲返工", "陈姐说晚点上班", id="Cantonese"),
        pytest.param("不使等我食饭", "不用等我吃饭", id="Cantonese, not needed"),
        pytest.param("莫等我 表搞忘填了", "别等我 表忘掉填了", id="Sichuan"),
        pytest.param("甭管了 咋整", "别管了 咋办", id="north"),
        pytest.param("侬记得夜饭", "你记得晚饭", id="Wu"),
        pytest.param("记德带证件", "记得带证件", id="slip of dictation"),
    ],
)
def test_dialect_words_are_read_as_standard_ones(said: str, standard: str) -> None:
    assert _standard(said) == standard


@pytest.mark.parametrize("text", ["去莫干山住两晚", "莫非他不来", "下午听讲座", "打电话给他", "和老莫喝酒"])
def test_look_alikes_stay(text: str) -> None:
    assert _standard(text) == text


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet=st.sampled_from("莫得听讲座他话返工食饭记德甭a 1，"), max_size=30))
def test_length_is_kept(text: str) -> None:
    assert len(_standard(text)) == len(text)
