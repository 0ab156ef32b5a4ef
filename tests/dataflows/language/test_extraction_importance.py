"""What binds, costs or cannot be made up for weighs more than the daily round, in whichever life."""

from __future__ import annotations

import pytest
from reading import read


@pytest.mark.parametrize(
    ("weighty", "light"),
    [
        pytest.param("下周三上午开庭", "下周三上午洗头", id="the law"),
        pytest.param("周五下午公开课", "周五下午打麻将", id="a school"),
        pytest.param("明天上午装柜出货", "明天上午买菜", id="a trade"),
        pytest.param("后天水稻收割", "后天去散步", id="a farm"),
        pytest.param("周六上午收房", "周六上午逛超市", id="a home"),
        pytest.param("明早给爸办住院", "明早去跑步", id="health"),
        pytest.param("10月2号表妹婚礼", "10月2号追剧", id="a family"),
        pytest.param("周四下午项目验收", "周四下午喝奶茶", id="an office"),
        pytest.param("下周一办护照", "下周一取快递", id="papers"),
    ],
)
def test_weighty_matters_stand_above_the_daily_round(weighty: str, light: str) -> None:
    assert read(weighty)["importance"] >= 0.65
    assert read(light)["importance"] < 0.50


@pytest.mark.parametrize("text", ["下周三下午三点教研", "周末回家看奶奶", "明天上午体检", "周五交物业费"])
def test_matters_one_would_not_miss_lie_between(text: str) -> None:
    assert 0.50 <= read(text)["importance"] < 0.85
