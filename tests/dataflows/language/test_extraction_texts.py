"""How messages are cut into clauses, folded to one script, titled, and placed."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from temporal_recall.dataflows.language.extraction_clauses import clauses, spoken_text
from temporal_recall.dataflows.language.extraction_places import place_in
from temporal_recall.dataflows.language.extraction_script import in_simplified
from temporal_recall.dataflows.language.extraction_titles import MAX_TITLE, title_of, without_spans

MESSY = st.text(alphabet=st.sampled_from("我三月9:.，。 、「」()abc會議！?～\n😂"), max_size=40)


def _texts(*texts: str) -> pd.Series:
    return pd.Series(list(texts), dtype="str")


class TestClauses:
    @pytest.mark.parametrize(
        ("text", "pieces"),
        [
            ("收到 老何说挪到四点，还是明天", ["收到", "老何说挪到四点", "还是明天"]),
            ("3.3 kickoff 10:30, room 5F", ["3.3 kickoff 10:30", "room 5F"]),
            ("走吗？走！", ["走吗？", "走！"]),
            ("20号上午十点（德国时间）见", ["20号上午十点", "德国时间", "见"]),
            ("9 月 4 日签约。", ["9 月 4 日签约"]),
            ("月租由 800 元涨到 900 元。", ["月租由 800 元涨到 900 元"]),
            ("……", []),
            (
                "张姐我跟你说哈明晚七点小区活动室开业主会你别忘了叫上老李",
                ["张姐", "我跟你说哈", "明晚七点小区活动室开业主会", "你别忘了叫上老李"],
            ),
            ("刚把孩子送到学校了接着去超市买了点菜", ["刚把孩子送到学校了", "接着去超市买了点菜"]),
            ("我们周六一起去看新开的那个车展", ["我们周六一起去看新开的那个车展"]),
        ],
    )
    def test_stops_and_spaces_cut(self, text: str, pieces: list[str]) -> None:
        assert clauses(_texts(text))["text"].tolist() == pieces

    @settings(max_examples=100, deadline=None)
    @given(st.lists(MESSY, max_size=4))
    def test_each_stands_where_it_says(self, texts: list[str]) -> None:
        found = clauses(_texts(*texts))
        for record, start, words in found[["record", "start", "text"]].itertuples(index=False, name=None):
            assert texts[record][start : start + len(words)] == words
        assert found["record"].is_monotonic_increasing

    def test_a_colon_makes_a_heading(self) -> None:
        assert clauses(_texts("下周要办：洗车、还书"))["heads"].tolist() == [True, False]

    def test_quoted_words_are_blanked_and_length_kept(self) -> None:
        text = "他说「周五之前」交《明天》"
        (spoken,) = spoken_text(_texts(text))
        assert (len(spoken), "周五" in spoken, "明天" in spoken, spoken.endswith("　")) == (
            len(text),
            False,
            False,
            True,
        )


class TestScript:
    def test_traditional_and_cantonese_characters_fold(self) -> None:
        assert in_simplified(_texts("報價單寄了", "我搵佢傾咗")).tolist() == ["报价单寄了", "我找他聊了"]

    @settings(max_examples=100, deadline=None)
    @given(MESSY)
    def test_length_is_kept(self, text: str) -> None:
        assert len(in_simplified(_texts(text)).iloc[0]) == len(text)


class TestTitles:
    @pytest.mark.parametrize(
        ("pieces", "main", "title"),
        [
            (["@老何", "大会议室", "3.2需求评审", "Ken也来哈"], 1, "大会议室，3.2需求评审"),
            (["帮我记一下", "和张总签合同哈"], 1, "和张总签合同"),
            (["签了！！", "三家店一年"], 0, "签，三家店一年"),
            ([], 0, ""),
            (["很长的一句话" * 9], 0, ("很长的一句话" * 4)[: MAX_TITLE - 1] + "…"),
        ],
    )
    def test_title_of_the_main_clause(self, pieces: list[str], main: int, title: str) -> None:
        assert title_of(pieces, main) == title

    def test_times_are_cut_out_of_a_clause(self) -> None:
        assert without_spans("明天下午三点开会", 4, [(0, 3), (4, 10)]) == "开会"


class TestPlaces:
    @pytest.mark.parametrize(
        ("text", "place"),
        [
            ("周三三点大会议室评审", "大会议室"),
            ("到武康路店里", "武康路店"),
            ("去社区医院开药", "社区医院"),
            ("Zoom上聊", "Zoom"),
            ("明天再说", None),
        ],
    )
    def test_place_named(self, text: str, place: str | None) -> None:
        assert place_in(text) == place
