"""What of a question remains to be read: quotes, dictated words, greetings and polite modals do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from temporal_recall.dataflows.language.planner_plain import plain_question


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("昨天幹嘛了", "昨天干嘛了"),
        ("琴日喺邊度", "昨天在哪里"),
        ("「明天」怎么念", "□□□□怎么念"),
        ("翻译成英文：我昨天没去", "翻译成英文:□□□□□"),
        ("他说：明天去", "他说:明天去"),
        ("你好，明天有会吗", "\n\n\n明天有会吗"),
        ("早安", "早安"),
        ("别说明天了，昨天呢", "\n\n\n\n\n\n昨天呢"),
        ("能不能帮我看看明天", "□□□帮我看看明天"),
        ("能不能不去", "能不能不去"),
        ("刚睡醒 我几点开会", "刚睡醒,我几点开会"),
        ("今天 有 什么 会", "今天 有 什么 会"),
        ("下周的 meeting", "下周的 meeting"),
    ],
)
def test_only_the_question_itself_is_read(text: str, plain: str) -> None:
    assert plain_question(text)[0] == plain


def test_quoted_words_are_kept_as_they_were_written() -> None:
    assert plain_question("《Road Map》和「會議」")[1] == ("Road Map", "會議")


@given(st.text(max_size=60))
def test_the_plain_text_is_as_long_as_the_question(text: str) -> None:
    assert len(plain_question(text)[0]) == len(text)
