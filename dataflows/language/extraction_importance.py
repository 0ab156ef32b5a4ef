"""Intrinsic importance of a matter, and confidence in its reading; both from the record alone."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from temporal_recall.dataflows.columns import matches
from temporal_recall.dataflows.language.extraction_words import words
from temporal_recall.schemas.columns import told

_BASE_BY_TYPE = {"decision": 0.72, "commitment": 0.70, "todo": 0.62, "event": 0.52, "mention": 0.30}
"""What a matter of each type weighs before its words are looked at."""

_WEIGHTY_BY_SPHERE = {
    "agreements and the law": "合同 协议 签约 签了 签单 签字 公证 法院 开庭 律师 官司 诉讼 仲裁 调解 报警 派出所 立案 判决 遗嘱",
    "money": "贷款 房贷 车贷 首付 还款 还贷 付款 尾款 定金 押金 工资 薪 年终奖 奖金 绩效 分红 预算 投资 融资 报税 "
    "退税 缴税 社保 医保 公积金 保险 理赔 罚款 滞纳金 报价 欠款 对账",
    "posts and careers": "面试 笔试 offer 录用 入职 离职 辞职 裁员 转正 升职 晋升 竞聘 调岗 述职 考核 退休 跳槽 编制 创业",
    "offices": "客户 老板 汇报 评审 答辩 验收 交付 上线 提测 灰度 全量 发版 发布 立项 结项 投标 招标 中标 开标 审计 "
    "出差 路演 复盘 kickoff 拜访 故障 宕机 炸了 泄露",
    "works and trade": "投产 停产 开工 完工 竣工 封顶 交底 出货 交货 交期 订单 发货 验货 验厂 装柜 报关 开业 停业 盘点 质检 "
    "返工 退货 检修",
    "schools": "考试 月考 期中 期末 模考 统考 中考 高考 考研 考公 国考 监考 补考 开题 论文 录取 保研 志愿 家长会 "
    "公开课 家访 毕业 开除 处分 打架",
    "health": "手术 住院 出院 急诊 抢救 确诊 病危 化疗 放疗 肿瘤 骨折 产检 分娩 预产 生了 怀孕 流产 甲流 肺炎 高烧 "
    "复查 病理",
    "families": "婚礼 结婚 领证 订婚 离婚 葬礼 追悼 去世 满月酒 年夜饭 团圆 相亲 提亲 过继 抚养 高寿",
    "homes": "买房 卖房 收房 交房 过户 拆迁 搬家 退租 房产 漏水 着火 燃气",
    "journeys": "车票 机票 抢票 抢到票 票抢到 航班 飞机 高铁 动车 签证 护照 出国 回国 出境 登机 起飞 落地",
    "farms and weather": "播种 插秧 收割 秋收 春耕 收成 出栏 防汛 台风 地震 洪水 旱",
    "the state": "身份证 户口 居住证 驾照 年检 落户 入党 征兵 投票 选举 检查组 督查 巡视",
    "faith": "受洗 朝圣 朝觐 皈依 剃度",
    "mishaps": "事故 车祸 追尾 被盗 丢了 诈骗 被骗 失踪 走失 受伤 打人 吵架",
    "words of weight": "重要 紧急 务必 必须 千万 截止 最后一天 逾期 ddl deadline 规定 一律",
}
"""What weighs in most lives, sphere by sphere: what binds, costs, is decided once, or cannot be made up for."""

_WEIGHTY_LATIN = (
    r"\b(?:midterm|finals?|exam|viva|thesis|defen[cs]e|interview|launch|release|contract|flight|visa|surgery|"
    r"wedding|funeral|"
    r"mortgage|court|lawsuit|tax)\b|\b[gdckz]\d{2,4}\b"
)
"""The same in English, and journeys by the number of their train."""

_MIDDLING_BY_SPHERE = {
    "offices": "会议 开会 例会 周会 晨会 培训 值班 报销 盖章 教研 备课 开学 排班 交接 团建 年会",
    "health": "体检 看牙 牙医 拔牙 补牙 根管 疫苗 打针 复诊 挂号 抽血 看医生 看病 发烧 过敏 康复 针灸",
    "families": "爸 妈 爷爷 奶奶 外公 外婆 孩子 生日 纪念日 聚会 同学会 扫墓 上坟 拜年",
    "homes": "房租 物业费 水电 电费 燃气费 装修 维修 安装 保洁 停水 停电 宽带",
    "journeys": "旅行 旅游 酒店 民宿 入住 自驾 露营 温泉 行程 接机 送机",
    "animals": "绝育 驱虫 宠物医院",
    "hobbies": "演出 演唱会 音乐会 比赛 马拉松 考级 画展 展览",
    "faith": "礼拜 法会 上香 祈福",
}
"""Matters that one would not like to miss."""

_LIGHT_BY_SPHERE = {
    "food": "奶茶 喝咖啡 买咖啡 下午茶 点外卖 叫外卖 外卖到 零食 食堂 早饭 午饭 早餐 午餐 宵夜 夜宵 泡面 点菜 喝茶",
    "errands": "快递 取件 买菜 浇花 遛 铲屎 猫砂 扔垃圾 倒垃圾 洗头 洗衣 晾衣 拖地 打扫 收拾",
    "rest": "睡 追剧 刷剧 游戏 打牌 麻将 刷手机 发呆 躺平 午休",
    "sport": "健身 撸铁 跑步 散步 瑜伽 普拉提 游泳 广场舞 打球 步数 晨练",
    "ways": "打车 堵车 挤地铁 逛 停车 排队",
    "moods": "哈哈 嘿嘿 笑死 好累 好困 好冷 好热",
}
"""Words of the daily round."""


def _words_of(spheres: dict[str, str]) -> str:
    return "|".join(word for listed in spheres.values() for word in words(listed))


_WEIGHTY = f"{_words_of(_WEIGHTY_BY_SPHERE)}|{_WEIGHTY_LATIN}"
_MIDDLING = _words_of(_MIDDLING_BY_SPHERE)
_LIGHT = _words_of(_LIGHT_BY_SPHERE)


def importances(types: pd.Series, text: pd.Series, participants: pd.Series, due: pd.Series) -> NDArray[np.float64]:
    """How much each matter weighs by itself, 0..1: its type, then its words, people, a deadline and emphasis."""
    lower = told(text.str.lower())
    weight = np.array([_BASE_BY_TYPE[kind] for kind in types.tolist()])
    weight = weight + 0.20 * matches(lower, _WEIGHTY) + 0.08 * matches(lower, _MIDDLING)
    weight = weight - 0.20 * matches(lower, _LIGHT)
    weight = weight + 0.04 * np.array([bool(people) for people in participants.tolist()])
    weight = weight + 0.06 * due.to_numpy() + 0.05 * matches(told(text), "[!！]{2}")
    return np.asarray(weight.clip(0.05, 0.98))


_BASE_BY_VOICE = {"source": 0.95, "memory": 0.85, "own": 0.75}
_SURENESS = {"minute": 0.15, "hour": 0.12, "part": 0.10, "day": 0.10, "range": 0.05}


def confidences(voice: pd.Series, outcome: pd.Series, granularity: pd.Series) -> NDArray[np.float64]:
    """How sure each reading is, 0..1: whose words they are, how exactly the time is known, and whether they stood.

    What was typed and deleted unsent counts for six tenths.
    """
    voices = voice.tolist()
    base = np.array([_BASE_BY_VOICE.get(voice, 0.60) for voice in voices])
    times = zip(voices, granularity.tolist(), strict=True)
    sureness = np.array([0.0 if voice == "source" else _SURENESS.get(known, 0.0) for voice, known in times])
    return np.asarray((base + sureness) * np.where(outcome.eq("discarded"), 0.6, 1.0))
