"""Whose words a message holds: what one passes on is no event of one's own, however it is dated."""

from __future__ import annotations

import pytest
from reading import read


@pytest.mark.parametrize(
    "text",
    [
        "歌里唱的 明天我要嫁给你啦",
        "电视剧里女主今天又失忆了",
        "女儿作文里写：我的妈妈明天要去太空",
        "微博上说那家店昨天关门了",
        "新闻说明年房产税要试点",
        "段子：老板说明天放假，后天也放假",
        "做梦梦到自己明天高考 数学一个字没写",
        "昨晚梦见跟前任复合了",
        "今天水逆 双鱼座不宜签合同",
        "星座说我这周会有桃花",
        "俗话说冬至不端饺子碗 冻掉耳朵没人管",
        "楼上邻居说她闺女明年要出国读书",
        "同事的表弟上个月在那家公司被裁了",
        "小侄女说她长大了要开飞机",
        "他俩好像离了 千万别外传",
        "国足又输了",
    ],
)
def test_what_is_passed_on_is_a_tale(text: str) -> None:
    assert (read(text)["type"], read(text)["rules"]) == ("mention", ("tale",))


@pytest.mark.parametrize(
    "text",
    [
        "您的快递已到驿站，请凭取件码8-2-1021领取",
        "全场五折 今晚八点开抢 退订回T",
        "恭喜您获得会员体验 明天到期 点击领取",
        "您的验证码是283911，五分钟内有效",
    ],
)
def test_what_machines_send_to_everyone_is_an_advert(text: str) -> None:
    assert (read(text)["type"], read(text)["rules"]) == ("mention", ("advert",))


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        pytest.param("网上说周末有雨 我们还是周六下午三点去看房", "event", id="a tale as the cause of an own plan"),
        pytest.param("师傅说他明天上午十点来修空调", "event", id="a stranger who comes to the user"),
        pytest.param("韩总秘书说他后天回深圳，改周五下午三点", "event", id="news that an office passes on"),
        pytest.param("张老师说周五下午三点开家长会", "event", id="news of an event of one's own"),
        pytest.param("听老王说他儿子10月3号办婚礼 请我们全家去", "event", id="a wedding to which one is asked"),
        pytest.param("太好了 终于签下来了！", "event", id="joy at what came about"),
        pytest.param("吓死我了 刚才追尾了", "event", id="fright at what came about"),
        pytest.param("哈哈哈哈 我驾照拿到了", "event", id="laughter at what came about"),
        pytest.param("明天优惠券到期 记得用掉", "todo", id="a coupon that one wants to use"),
    ],
)
def test_one_s_own_life_is_read_whatever_the_mood(text: str, type_: str) -> None:
    assert read(text)["type"] == type_
