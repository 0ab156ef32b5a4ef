"""What the words of a row say as a whole."""

from __future__ import annotations

import pyarrow as pa
import pytest
from made_timelines import made_timeline, row

from temporal_recall.dataflows.matching.telling import ask, compared, list_several, tell_phase, times_named, told_times
from temporal_recall.schemas.columns import Columns
from temporal_recall.schemas.frames import COMPARED_TIMELINE, TIMELINE, WHOLE_TIMELINE


def of(text: str) -> pa.Array:
    return pa.array([text], pa.large_string())


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("两点聊简历，三点聊预算", 2),
        ("22号考统计，24号考生物", 2),
        ("周一体检 周三交稿 周四回家", 3),
        ("补针跟婚礼撞了", 2),
        ("2号到4号去山里", 1),
        ("26号周三下午三点评审", 1),
        ("周三（26号）下午评审", 1),
        ("评审", 0),
    ],
)
def test_times_named(text: str, count: int) -> None:
    """Hours or days, whichever are more; one that no other can stand beside may be left uncounted."""
    assert times_named(of(text)).tolist() == [count]


TELLING = [
    "会议室开了 开始了",
    "到仓库了",
    "到咗餐厅门口",
    "牙看完了",
    "開完會喇",
    "上车啦",
    "落地浦东！",
    "接到爸妈了",
    "进考场",
    "在会议室了 投影连不上",
    "人齐了 开机",
    "I'm here, by the window",
    "Landed. so tired",
]
SILENT = [
    "到家 累瘫",
    "在家里等快递",
    "猫又吐了",
    "今天好冷",
    "过年好！马到成功！",
    "到三点再说",
    "她做得不好",
    "overtime again",
]


@pytest.mark.parametrize(("text", "tells"), [*((t, True) for t in TELLING), *((t, False) for t in SILENT)])
def test_whether_a_text_tells_a_phase(text: str, tells: bool) -> None:
    assert tell_phase(of(text)).tolist() == [tells]


@pytest.mark.parametrize(
    ("text", "lists"),
    [
        ("1、交房租 2、还信用卡 3、给妈妈打电话", True),
        ("交房租 / 还信用卡 / 打电话 / 买菜", True),
        ("今天\n- 交房租\n- 还信用卡", True),
        ("1月2号交房租，3号还信用卡", False),
        ("交房租", False),
    ],
)
def test_whether_a_text_lists_several_matters(text: str, lists: bool) -> None:
    assert list_several(of(text)).tolist() == [lists]


@pytest.mark.parametrize(
    ("text", "asks"), [("帮我列一个行李清单", True), ("How long does it take", True), ("周三三点开会", False)]
)
def test_whether_a_text_asks_for_something(text: str, asks: bool) -> None:
    assert ask(of(text)).tolist() == [asks]


@pytest.mark.parametrize(
    ("fields", "count"),
    [
        pytest.param({"is_correction": True}, 2, id="moved"),
        pytest.param({"status": "cancelled"}, 2, id="off"),
        pytest.param({}, 0, id="neither"),
    ],
)
def test_the_times_that_words_name_are_told_where_something_moves_or_is_off(
    fields: dict[str, object], count: int
) -> None:
    told = made_timeline(row("a", "明天下午三点的会改到后天", "08-24 10:00", **fields))
    intervals = [
        "2026-08-25T15:00:00+08:00/2026-08-25T16:00:00+08:00",
        "2026-08-26T00:00:00+08:00/2026-08-27T00:00:00+08:00",
    ]
    assert told_times(Columns.of(told, TIMELINE)).tolist() == [tuple(intervals[:count])]


@pytest.mark.parametrize(("when", "count"), [("08-25 00:00", 0), (None, 1)])
def test_the_only_time_of_words_is_that_of_their_own_event(when: str | None, count: int) -> None:
    told = made_timeline(row("a", "明天的会取消", "08-24 10:00", when, status="cancelled"))
    assert [len(times) for times in told_times(Columns.of(told, TIMELINE))] == [count]


def test_a_timeline_is_read_when_it_is_compared() -> None:
    told = made_timeline(row("a", "两点聊简历，三点聊预算", "08-24 10:00"), row("b", "到仓库了", "08-24 11:00"))
    rows = compared(Columns.of(told, TIMELINE))
    assert not rows._made
    assert rows["times_named"].tolist() == [2, 0]
    assert rows["tells_phase"].tolist() == [False, True]


def test_words_are_told_with_place_and_people_and_the_title_of_an_entry() -> None:
    review = row(
        "a", "带上预算", "08-24 10:00", title="评审", location="国贸", participants=("老周", "小敏"), is_stated=True
    )
    said = row("b", "开会", "08-24 11:00", title="会")
    words = compared(Columns.of(made_timeline(review, said), TIMELINE))["words"].to_pylist()
    assert [text.split() for text in words] == [["评审", "带上预算", "国贸", "老周", "小敏"], ["开会"]]


def test_no_rows_say_nothing() -> None:
    empty = compared(Columns.of(WHOLE_TIMELINE.empty(), WHOLE_TIMELINE))
    assert COMPARED_TIMELINE.dtypes == empty.frame(COMPARED_TIMELINE).dtypes.astype(str).to_dict()
