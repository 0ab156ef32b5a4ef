"""Words of the world: what a question is about when it is not about the asker's own life, one row a field of it.

A question that names a time is the asker's own unless one of these words stands in it. So each row is meant to be as
complete as a dictionary of its field.
"""

from __future__ import annotations

from temporal_recall.dataflows.language.planner_words import GAP, WordFamily

_CIRCUMSTANCE = r"(?!的时候|的?那[天晚会]|天?我|了?我)"
"""After weather that only sets the scene of one's own deed: 「下雨那天」, 「昨天下雨我几点到的家」."""

WEATHER = WordFamily(
    "weather",
    "asks for the weather, the sky or the air",
    (
        "天气 气温 气象 降温 升温 台风 飓风 雾霾 空气质量 空气指数 几度 多少度 零下 紫外线 穿衣指数 湿度 天气预报 带伞 "
        "冷不冷 热不热 晴天 阴天 冷吗 热吗 晴吗 放晴 多云 雷阵雨 阵雨 冰雹 寒潮 冷空气 暴雨 大雨 小雨 大雪 暴雪 "
        "风力 几级风 沙尘 大雾 梅雨 回南天 霜冻 入冬 入秋 日出 日落 月出 涨潮 退潮 潮汐 pm2.5 aqi 高温天 月亮 "
        "月全 有雾 起雾 有雨 没雨 雨大 雨停 雨下 出太阳 闷热 结冰 花粉 大风 风大 空气怎么样 空气好 的空气"
    ),
    (
        rf"(?:下雨|下雪|刮风|打雷|下雾){_CIRCUMSTANCE}",
        r"\b(?:weather|forecast|temperature|rain(?:ing|y)?|snow(?:ing|y)?|umbrella|sunny|cloudy|sunrise|sunset|"
        r"typhoon|(?:full )?moon|sky)\b",
    ),
)

PUBLIC_LIFE = (
    WordFamily(
        "markets",
        "stocks, money, what the world's goods cost",
        (
            "股价 股市 股指 大盘 沪指 上证 深证 创业板 科创板 恒指 恒生 道指 纳指 纳斯达克 标普 期货 外汇 汇率 油价 "
            "金价 银价 币价 房价 菜价 肉价 猪价 粮价 电价 水价 票价 开盘 收盘 休市 开市 涨停 跌停 涨了 跌了 大涨 大跌 "
            "暴涨 暴跌 熔断 市值 央行 利率 降息 加息 降准 美联储 通胀 通货膨胀 失业率 房地产市场 比特币 以太坊 彩票 "
            "双色球 大乐透 换人民币 换美元 中奖号码 开奖 经济增速 个税起征点 退休金 养老金 退休年龄 最低工资 "
            "金子多少 一克多少 社保基数 指数 股市行情 走势 行情 板块 概念股 净值 国债 存款利率 基金涨 基金跌 "
            "只基金 财报 融资 机票多少 还有票吗 有票吗"
        ),
        (
            r"\b(?:[abh]股|gdp|cpi|ppi|pmi|lpr|ipo|nasdaq|s&p|dow jones|stock price|stocks?|exchange rate|"
            r"bitcoin|btc|eth)\b",
            r"[abh]股|(?:美|港)股",
            r"(?:黄金|白银|原油|汽油|柴油|猪肉|鸡蛋)(?:的|现在|今天|昨天)?(?:价格|多少钱|什么价|几块|涨|跌)",
            r"(?:美元|欧元|英镑|日元|韩元|港币|港元|人民币|卢布)[^,。?我]{0,4}(?:多少|几|涨|跌|走势|贬值|升值)",
            r"[元币镑盾](?:兑|对[美人日欧英港])|(?:兑|一|1)(?:美元|欧元|英镑|日元|港币|人民币)",
        ),
    ),
    WordFamily(
        "news",
        "what is in the news, government and disasters",
        (
            "新闻 热搜 头条 热点 时事 快讯 热榜 政策 法规 新规 疫情 地震 震级 海啸 火山 空难 洪灾 山火 大选 "
            "选举 总统 首相 "
            "总理 国会 联合国 两会 人大会议 外交部 发布会 国际局势 巴以 俄乌 中东 台海 局势 关税 贸易战 制裁 "
            "欧盟 北约 峰会 奥斯卡 诺贝尔 特朗普 "
            "拜登 普京 马斯克"
        ),
        (r"\b(?:news|headlines?|election|president|earthquake|trending)\b",),
    ),
    WordFamily(
        "sport",
        "fixtures, scores and champions",
        (
            "球赛 比分 决赛 半决赛 总决赛 季后赛 世界杯 欧洲杯 亚洲杯 美洲杯 奥运 亚运 全运会 残奥 世锦赛 "
            "世乒赛 欧冠 亚冠 "
            "中超 英超 西甲 意甲 德甲 法甲 冠军 亚军 夺冠 卫冕 联赛 赛程 赛果 开赛 大奖赛 德比 积分榜 射手榜 奖牌榜 "
            "金牌 金球奖 国家队 国足 女足 女排 男篮 国乒 温网 法网 美网 澳网 大满贯 湖人 勇士队 凯尔特人 皇马 巴萨 "
            "曼联 曼城 阿森纳 切尔西 拜仁 尤文 国米 皇家马德里 梅西 c罗 詹姆斯 库里 电竞 比赛直播 对阵 打谁 "
            "踢谁 客场 主场 锦标赛 公开赛 大师赛 淘汰赛 小组赛 转会 主帅 踢赢 踢进"
        ),
        (
            r"(?:中国|巴西|法国|德国|日本|韩国|美国|英格兰|西班牙|阿根廷|葡萄牙|意大利)队",
            r"\b(?:nba|cba|wnba|nfl|mlb|fifa|uefa|f1|lpl|ufc|who won|super bowl|world cup|premier league|"
            r"olympics?|score of)\b",
        ),
    ),
    WordFamily(
        "shows",
        "films, series, songs, concerts and exhibitions as such",
        (
            "新番 番剧 新剧 新片 大片 上映 首播 开播 首映 热映 热播 更新到 更新几集 排片 电影院 影院 演唱会 "
            "巡演 音乐节 展览 "
            "画展 车展 漫展 书展 票房 豆瓣 春晚 跨年晚会 中秋晚会 元宵晚会 联欢晚会 晚会直播 电视剧 连续剧 "
            "综艺 纪录片 动漫 直播 主演 主题曲 片尾曲 新专辑 "
            "新歌 这首歌 那首歌 谁唱 谁演 谁写的 谁导演 谁作曲 谁作词 金像奖 金马奖 金鸡奖 格莱美 好看的剧 好看的电影 "
            "排行榜 歌单推荐 新电影 小品 相声 导演是谁 影帝 影后 脱口秀 选秀 真人秀 电影节 红毯 定档 杀青 "
            "预告片 收视率 演员 明星 歌手 球员 运动员"
        ),
        (
            r"(?:什么|哪些|啥)(?:好看|好玩|新)?的?展(?!会|示|开|台)|[有看]展(?=[吗么没])",
            r"\b(?:premiere|release date|box office|movies? (?:out|in theaters)|concerts?|new (?:season|episode))\b",
        ),
    ),
    WordFamily(
        "traffic",
        "roads, public transport and its hours",
        (
            "限行 限号 限什么 尾号 单双号 路况 堵车 堵不堵 堵吗 封路 高速免费 免高速费 高铁票 余票 末班车 "
            "末班 首班车 首班 "
            "停运 早高峰 晚高峰 几分钟一班 多久一班 几点有车 有几班 还有地铁 还有公交 二环 三环 高架 匝道"
        ),
        (
            r"(?:地铁|公交|班车|轮渡|大巴|\d+号线|\d+路)[^,。?我]{0,4}(?:几点(?!到|来|接)|什么时候|运营|停|开到)",
            (
                r"(?:查|搜|找)(?:一下|一查|下|查|搜)?[^,。我]{0,12}(?:航班|机票|车票|高铁|酒店|餐厅|电影|攻略|"
                r"路线|资料|论文)"
            ),
            r"从[^,。?]{1,10}到[^,。?]{1,10}(?:要|需要|得)?(?:多久|多远|多长时间|怎么走|几站)",
            r"\btraffic\b",
        ),
    ),
    WordFamily(
        "trade",
        "hours, sales and new goods of shops and makers",
        (
            "关门 开门吗 开门营业 打烊 促销 双十一 双11 双十二 双12 618 黑五 打折 优惠 预售 满减 秒杀 开抢 "
            "新出的 新手机 大模型 发售 开售 开卖 "
            "首发 新机 新车上市 上新 限购 国补 消费券 闭馆 开馆 闭园 开园 开放时间 开不开放 对外开放 "
            "放号 卖爆"
        ),
        (
            r"(?:银行|邮局|超市|商场|景区|博物馆|故宫|长城|迪士尼|环球影城|动物园|政务大厅|车管所|"
            r"民政局)[^,。?我]{0,8}(?:开|关|上班|休息|放假|要预约|人多)",
            r"(?:快递|外卖|物流|顺丰|京东)[^,。?我]{0,4}(?:停不停|停吗|停运|放假|休息|上班)",
            r"营业(?!额|员|款|执照|收入)",
            r"(?:苹果|华为|小米|三星|特斯拉|比亚迪|微软|谷歌|英伟达|腾讯|阿里|字节|openai)(?:的|要|会|什么时候|"
            r"今年|明年)?(?:发布|出|新|上市|财报|裁员|股|又|最新)",
            r"\b(?:iphone|ipad|macbook|ios|android|windows|chatgpt|gpt-?\d*|openai|deepseek)\b",
        ),
    ),
    WordFamily(
        "public_dates",
        "dates set for everyone: examinations, days off, deadlines of the state",
        (
            "高考 考研 国考 省考 四六级 法考 公务员考试 教资考试 分数线 录取线 报名时间 公布 出分 "
            "法定节假日 法定假日 "
            "节假日 法定假 调休 补班 个税汇算 退税时间 开发者大会"
        ),
        (r"(?<!期)中考",),
    ),
    WordFamily(
        "society",
        "what many people do, by numbers and fashions",
        "最火 最热门 最红 最流行 全国 全球 全世界 国家大事 国内外 老百姓 流行 流感 人数 人多吗 人多不 人多么 "
        "的人多 用电量 出生率 就业率 结婚率 平均工资 大学排名 全网 网红 网友 首富",
    ),
    WordFamily(
        "learning",
        "history, science and facts of the world",
        (
            "皇帝 历史上 历史 古代 古人 朝代 帝国 谁发明 谁发现 流星雨 日食 月食 日全食 火箭 卫星 神舟 嫦娥 "
            "空间站 探月 航天 "
            "太阳系 行星 宇宙 恐龙 人类 地球 首都 人口 面积 海拔 诞辰 灭亡 月球 火星 太空 宇航员 黑洞 世界上 "
            "全世界 秦始皇 李白 杜甫 苏轼 鲁迅 孔子 曹操 诸葛亮 "
            "爱因斯坦 牛顿 拿破仑"
        ),
        (
            r"哪一?年(?:建|成立|发明|发现|结束|爆发|诞生|出现|统一)",
            r"(?:公元前?|\d{2,4}年代|[唐宋元明清秦汉隋晋]朝|民国|世纪|大战|战争|王朝|革命)",
            (
                r"(?:世界|全国|全球|中国|美国|日本|韩国|英国|法国|德国|印度|俄罗斯|欧洲|国内|国际|北京|上海|"
                r"广州|深圳|杭州|"
                r"成都|武汉|南京|重庆|西安|香港|东京|纽约|伦敦)(?:上|的|有|是|今天|明天|昨天|周末|哪里|哪儿)*"
                r"(?:什么|哪些|啥)?(?:发生|出了|活动|展|好玩|股|房|疫|限|时间|几点|放假)"
            ),
        ),
    ),
)
"""Fields of public life, by words that are of the world whatever the verb."""

_COUNTRIES = (
    "美国|俄罗斯|乌克兰|以色列|伊朗|印度|日本|韩国|朝鲜|英国|法国|德国|意大利|西班牙|加拿大|澳大利亚|巴西|"
    "阿根廷|墨西哥|越南|泰国|"
    "缅甸|叙利亚|加沙|阿富汗|伊拉克|黎巴嫩|巴基斯坦|新西兰|瑞士|挪威|芬兰|丹麦|葡萄牙|匈牙利|塞尔维亚|古巴|"
    "智利|委内瑞拉|肯尼亚|尼日利亚|马来西亚|印尼|菲律宾|土耳其|沙特|埃及|南非|瑞典|荷兰|波兰|希腊"
)
_STARS = (
    "周杰伦|林俊杰|陈奕迅|五月天|张学友|刘德华|王菲|邓紫棋|薛之谦|李荣浩|凤凰传奇|周深|成龙|黄渤|沈腾|霉霉|"
    "泰勒|郭德纲|樊振东|孙颖莎|"
    "郑钦文|全红婵|谷爱凌|姚明|科比|马云|雷军|巴菲特"
)

WORLD_DEED = WordFamily(
    "world_deed",
    "what makers, states, teams and stars do, where the asker and his own people are not named",
    "当选 颁奖 颁给 开幕 闭幕 出道 官宣 逝世 诞生 解散 倒闭 破产 收购 登顶 走红 涨价 降价 停产 停更 播出 爆发 "
    "坠毁 遇难 进球 "
    "淘汰 晋级 搜一下 搜搜 搜索一下 上网 网上",
    (
        r"(?<=[\u4e00-\u9fffa-z][\u4e00-\u9fffa-z])(?<![天晚早午月年周末日])(?:发布|宣布|推出|更新|成立|举行|"
        r"举办|上市|发射|获奖|得奖|爆炸)",
        r"(?<!\d)1\d{3}年",
        rf"(?<![去到在回飞来从往过])(?:{_COUNTRIES})",
        rf"(?:{_STARS})",
        r"(?:抖音|微博|b站|小红书|知乎|快手|推特)(?:上)?(?:的)?(?:什么|哪|最|热|有什么)",
        r"(?:四级|六级|雅思|托福|考公|教资|软考|司考)[^,。?]{0,4}(?:什么时候|几号|哪天)",
        r"几比几|[赢输](?=了[没吗]|了?谁|了几|给)|谁(?:会)?[赢输]|赢没赢|输没输",
        rf"(?:大家|人们|别人|年轻人|现在人|一般人|中国人|外国人|国人){GAP}{{0,10}}(?:什么|怎么|哪|几|多少|吗)",
    ),
)
