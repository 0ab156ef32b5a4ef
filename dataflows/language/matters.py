"""Families of words that name one kind of matter, so that 看牙, 拔智齿 and "dental review" meet though they share no word.

A family holds what people call a thing before, during and after it, in Chinese and English. It is no class of the
item: a text may belong to several families or to none. Words are characters, bigrams or whole Latin words, which is
what texts are cut into (see `grams`).
"""

from __future__ import annotations

FAMILIES = {
    "rail": "高铁 动车 火车 列车 车票 检票 出站 进站 车站 车次 train",
    "road": "大巴 巴士 客车 上车 下车 发车 的车 打车 班车 bus coach taxi",
    "flight": "航班 飞机 机票 机场 登机 起飞 落地 值机 航站 机舱 转机 直飞 延误 flight airport boarding landed gate",
    "journey": "出发 启程 回程 返程 抵达 到达 接机 接站 送机 路上 行李 trip travel arrived arrival departure luggage",
    "lodging": "酒店 民宿 旅馆 宾馆 入住 退房 订房 客栈 hotel hostel airbnb checkin",
    "outing": "旅游 旅行 度假 景区 爬山 露营 徒步 滑雪 雪场 雪板 自驾 hike hiking ski skiing camping",
    "teeth": "牙 洗牙 看牙 补牙 智齿 根管 口腔 齿 dentist dental teeth braces",
    "doctor": "医院 医生 大夫 挂号 门诊 复诊 复查 看病 就诊 住院 出院 手术 化验 拍片 体检 彩超 产检 clinic doctor "
    "dr hospital checkup",
    "vaccine": "疫苗 打针 补针 接种 加强 vaccine vaccination jab shot",
    "exam": "考试 考场 考完 考了 考得 要考 期中 期末 模考 笔试 月考 统考 中考 高考 考研 补考 监考 交卷 试卷 exam "
    "exams midterm final finals quiz",
    "defence": "答辩 开题 预答 defense defence viva",
    "lesson": "上课 下课 讲座 课程 补课 网课 培训 补训 听课 class lecture tutorial training workshop",
    "school": "家长 开学 幼儿 学校 放学 作业 school homework",
    "meeting": "开会 会议 例会 早会 晨会 周会 月会 年会 组会 班会 评审 碰头 进会 散会 meeting kickoff sync standup",
    "postmortem": "复盘 postmortem retro retrospective",
    "interview": "面试 候选 初面 复面 终面 interview interviews candidate",
    "contract": "合同 签约 签单 签字 签了 续签 盖章 协议 contract sign signed",
    "price": "报价 定价 价格 谈价 砍价 账期 询价 降价 quote quotation price pricing",
    "visit": "拜访 上门 登门 门店 客户 到店 验厂 展厅 会面 见面 visit client customer",
    "delivery": "发货 装柜 出厂 到货 快递 物流 取件 包裹 货柜 船期 ship shipped shipment parcel delivery",
    "release": "上线 发布 灰度 全量 发版 提测 部署 release deploy deployed launch",
    "incident": "故障 宕机 炸了 崩了 回滚 恢复 报警 事故 outage incident rollback",
    "paper": "论文 报告 文档 初稿 终稿 周报 月报 季报 汇报 材料 方案 paper report draft slides ppt manuscript",
    "expense": "报销 发票 打款 付款 转账 房租 工资 押金 尾款 还款 缴费 账单 rent invoice payment paid reimbursement",
    "papers": "签证 护照 公证 驾照 身份 居留 visa passport permit",
    "shift": "夜班 白班 早班 晚班 中班 值班 换班 调班 倒班 接班 交班 值完 shift oncall",
    "overtime": "加班 赶工 通宵 调休 补班 overtime",
    "meal": "吃饭 聚餐 火锅 烤肉 烧烤 晚饭 午饭 早饭 夜饭 饭局 请客 喝酒 订位 餐厅 饭店 开饭 干饭 聚会 dinner "
    "lunch brunch restaurant hotpot",
    "birthday": "生日 周岁 许愿 蛋糕 大寿 birthday cake",
    "wedding": "婚礼 婚宴 请柬 请帖 喜酒 伴娘 伴郎 捧花 份子 领证 新娘 新郎 wedding",
    "farewell": "离职 欢送 散伙 送别 告别 辞职 farewell",
    "show": "看展 展览 个展 美术 博物 电影 演唱 音乐 话剧 演出 首映 exhibition museum movie film concert",
    "sport": "运动 健身 深蹲 卧推 跑步 骑车 骑行 游泳 瑜伽 打球 羽毛 篮球 足球 网球 乒乓 训练 gym run running yoga "
    "workout swim swimming badminton",
    "pet": "宠物 猫 狗 驱虫 绝育 遛狗 铲屎 vet cat dog",
    "home": "装修 搬家 搬进 搬来 搬过 看房 租房 维修 修好 漏水 保洁 打扫 moving repair cleaning",
    "shopping": "买了 买到 买好 下单 购物 超市 逛街 退货 shopping bought groceries",
    "haircut": "剪头 理发 烫头 染发 haircut",
}
"""Each family with its words."""
