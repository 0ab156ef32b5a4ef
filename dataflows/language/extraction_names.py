"""What Chinese names are made of, and the words that look like one: the word lists of `extraction_people`."""

from __future__ import annotations

from temporal_recall.dataflows.language.extraction_words import words

SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石"
    "廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹"
    "申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳管柴蒙鲍华喻祁蒲滕屈饶牟艾尤穆"
    "司卓古吉缪简项芦麦褚娄窦戚岑景党宫费卜冷晏席卫米柏宗瞿桂佟臧闵苟邬卞姬师仇栾隋商刁沙荣巫寇桑郎甄丛仲虞敖巩佘池查麻"
    "苑迟邝鹿"
)
"""Surnames of one character, the commonest first."""

COMMON_SURNAMES = SURNAMES[:110]
"""Those that nine in ten people bear."""

DOUBLE_SURNAMES = words("欧阳 司马 上官 诸葛 司徒 慕容 夏侯 皇甫 尉迟 公孙 令狐 宇文 端木 万俟 独孤 东郭 西门")
"""Surnames of two characters."""

GIVEN = (
    "伟芳娜敏静丽强磊军洋勇艳杰娟涛超霞平刚英华建文玉萍红玲芬燕兰鹏辉宇浩凯健俊帆欣雨婷雪琳慧莹晶颖洁倩颜佳怡琪悦萌瑶涵轩睿博晨阳哲"
    "翔昊鑫斌波龙飞亮峰林森淼焱琴珍莉桂凤仙美菊秀云荷梅竹星瑾瑜瑞祥福贵财根海江河川山岩松柏彬彪虎豹鹿豆果乐贝朵甜糖安宁康乔桥远航志明国庆"
    "胜利思源诗词歌曼蔓薇菲妮娅希冬夏秋伊依柠檬栗芝橙桃桐梓萱煜晗沐熙皓曦琛锐钧铭铮骏腾威坤乾毅恒敬振世昌盛宏峻岚岳彦彤惠慈懿承昕昱晖晴暄朗"
    "栋桦楠榕樱欢歆汐沛泓泽津洛浚淇清渊湘滢澄澜灵炜烨煊燃璇璐甫畅益真碧祺禾章筠纯羽翎翠耀聪芊芮芷苑苒茂茜荃莲萧蓉蓓蕊蕾虹蝶裕谦豪贤辰达迪逸遥郁"
    "钊锦霖霏露韵韶顺颂飒馨骁鸿麒齐嘉嫣婉媛子宸宜宛宣尧岱帅幼庭弘念恩慕捷政旭旻昂景智曙权杉"
    "诺奕弈芸茗沁卿茵芙楚允亦墨熠烁妍艺珂珺禹朔骞迅隽仪雁棋棠榆霆汝蔚若语悠然琦婧娇姣姗嫚珠翰钰铎潇淑芹蓝梦圆满巧莎奇友仁义忠孝诚信善良"
)
"""Characters that given names and nicknames are made of."""

TELLING = (
    "伟娜敏静强磊军勇艳杰娟涛超霞刚英建玉萍玲芬燕鹏辉宇浩凯健俊欣婷雪琳慧莹晶颖倩佳怡琪萌瑶涵轩睿博晨阳哲翔昊鑫斌峰琴莉桂凤秀梅瑾瑜志国明"
    "诺妍梓萱煜晗曦琛皓骏昕彤媛淑珍楠颢"
)
"""Characters that, two together, make a given name and hardly any other word."""

TITLES = words(
    "老师 教授 博士 导师 校长 院长 园长 系主任 主任 书记 主席 局长 处长 科长 所长 站长 队长 班长 组长 店长 "
    "厂长 村长 镇长 县长 区长 市长 部长 行长 会长 社长 秘书长 "
    "董事长 总监 总经理 总工 经理 主管 助理 秘书 顾问 专员 主编 编辑 记者 导演 制片 会计 出纳 律师 法官 "
    "检察官 警官 工程师 设计师 架构师 摄影师 师傅 师父 教练 "
    "医生 大夫 医师 护士长 护士 药师 牧师 神父 法师 道长 阿姨 叔叔 爷爷 奶奶 伯伯 伯母 大爷 大妈 大叔 大婶 "
    "大姐 大哥 嬢嬢 老板娘 老板 同学 女士 先生 小姐 太太 师姐 师兄 "
    "师弟 师妹 学姐 学长 学弟 学妹 sir Sir"
)
"""Titles of two characters and more that follow a name."""

SHORT_TITLES = "总姐哥叔姨婶嫂伯爷导工董律"
"""Titles of one character that make a name of the surname before them."""

OFFICES = "局处科所队校院厂行村"
"""Offices by which their heads are called, where a person is due: 王局, 刘队."""

KIN_OF_PARENTS = {"妈": words("老妈 我妈 妈妈 妈咪 咱妈 妈"), "爸": words("老爸 我爸 爸爸 咱爸 老豆 老窦 老汉儿 爸")}
"""What parents are called; each is named one way however they are called."""

KIN = words(
    "爷爷 奶奶 姥姥 姥爷 外公 外婆 嫲嫲 阿公 阿婆 阿嬷 阿爷 阿嫲 太爷爷 太奶奶 太姥姥 曾祖父 曾祖母 祖父 祖母 "
    "外祖父 外祖母 婆婆妈 公公 婆婆 岳父 岳母 "
    "丈母娘 老丈人 老丈母 亲家公 亲家母 亲家 父亲 母亲 我爹 老爹 俺爹 俺娘 阿爸 阿妈 阿爹 阿娘 干爹 干妈 继父 "
    "继母 养父 养母 "
    "舅舅 舅妈 舅母 舅父 舅公 姑姑 姑父 姑妈 姑丈 姑奶奶 姑婆 姨妈 姨夫 姨父 姨丈 姨婆 叔叔 婶婶 婶娘 叔公 "
    "伯伯 伯父 伯母 伯娘 大伯 二伯 三伯 大爷爷 "
    "小姨 大姨 二姨 三姨 四姨 幺姨 小姑 大姑 二姑 三姑 幺姑 大舅 二舅 三舅 小舅 大叔 二叔 三叔 四叔 幺叔 小叔 "
    "二婶 三婶 小婶 幺爸 幺妈 大妈 二爷爷 大娘 嬢嬢 孃孃 "
    "小叔子 小姑子 大姑子 小舅子 大舅子 小姨子 大姨子 妯娌 连襟 大嫂 二嫂 嫂子 阿嫂 姐夫 妹夫 弟媳 弟妹 妹妹 "
    "弟弟 哥哥 姐姐 大哥 二哥 三哥 大姐 二姐 三姐 家姐 阿哥 阿姐 细佬 细妹 "
    "老弟 老妹 表哥 表姐 表弟 表妹 表叔 表姑 表舅 表姨 表嫂 表姐夫 表妹夫 堂哥 堂姐 堂弟 堂妹 堂叔 堂嫂 老公 "
    "老婆 媳妇 儿媳 儿媳妇 儿子 女儿 闺女 囡囡 孙子 孙女 外孙女 外孙 "
    "外甥女 外甥 侄女 侄子 侄儿 女婿 干儿子 干女儿 老伴儿 老伴 老头子 老太婆 婆娘 爱人 丈夫 妻子 我太太 "
    "未婚夫 未婚妻 男朋友 女朋友 男友 女友 前男友 前女友 前妻"
)
"""Words for relatives."""

ROLES = words(
    "法务 财务 行政 人事 物业 甲方 乙方 导师 辅导员 班主任 家教 房东 中介 房客 租客 护工 保姆 月嫂 育儿嫂 "
    "钟点工 保洁 保安 门卫 司机 导游 HR 客户 领导 老板娘 老板 上司 下属 "
    "合伙人 面试官 教研组长 组长 队长 站长 班长 店长 园长 村长 社长 会长 学姐 学长 学弟 学妹 师兄 师姐 师弟 "
    "师妹 师父 徒弟 护士长 主刀 麻醉师 营养师 咨询师 货主 收购商 供应商 "
    "经销商 代理商 包工头 工头 监理 设计师 摄影师 化妆师 理发师 师傅 店员 室友 舍友 闺蜜 战友 邻居 前台 律师 "
    "法官 编辑 助理 秘书 实习生 研友 搭子 老乡 会员 教练 裁判 "
    "牧师 神父 经纪人"
)
"""People called by what they are."""

LATIN_NAMES = frozenset(
    words(
        "Aaron Abby Adam Alan Alex Alice Allen Amanda Amy Andrea Andrew Andy Angela Anna Annie Anthony Ashley "
        "Austin Barbara Bella Ben Betty Bill Bob Bobby "
        "Brian Bruce Carl Carol Caroline Catherine Cathy Cecilia Charles Charlie Cherry Chloe Chris Christine "
        "Cindy Claire Connie Crystal Daisy Dan Daniel "
        "Dave David Dean Debby Dennis Derek Diana Dora Doris Dylan Ed Eddie Edward Elaine Elena Ella Ellen "
        "Emily Emma Eric Erica Ethan Eva Evan Eve Fiona "
        "Frank Fred Gary Gavin George Gina Grace Greg Hannah Harry Hazel Heidi Helen Henry Ian Iris Irene "
        "Isaac Ivan Ivy Jack Jackie Jacky Jacob Jake James "
        "Jamie Jane Janet Jason Jay Jean Jeff Jennifer Jenny Jeremy Jerry Jessica Jessie Jill Jim Jimmy Joan "
        "Joe John Johnny Jon Jonathan Joseph Josh Joy "
        "Joyce Judy Julia Julie June Justin Karen Kate Katherine Kathy Katie Kay Keith Kelly Ken Kenny Kevin "
        "Kim Kitty Kris Kyle Larry Laura Lauren Leo "
        "Leon Lily Linda Lisa Louis Louise Lucas Lucy Luke Luna Lydia Maggie Marco Maria Mark Martin Mary "
        "Mason Matt Matthew Max Megan Melissa Mia Michael "
        "Michelle Mike Miranda Molly Monica Nancy Nathan Nick Nicole Nina Noah Olivia Oscar Owen Pam Patrick "
        "Paul Peggy Penny Peter Phil Philip Priya Queenie "
        "Rachel Ray Raymond Rebecca Richard Rita Rob Robert Robin Roger Ron Rose Roy Ruby Ryan Sally Sam "
        "Samantha Sandra Sandy Sara Sarah Scott Sean Selina "
        "Serena Shirley Simon Sonia Sophia Sophie Stella Stephanie Stephen Steve Steven Sue Sunny Susan Suzy "
        "Sylvia Ted Teresa Thomas Tiffany Tim Tina Toby "
        "Todd Tom Tommy Tony Tracy Vera Vicky Victor Vincent Vivian Walter Wendy Will William Winnie Yolanda "
        "Yuki Zack Zoe"
    )
)
"""Given names in Latin letters that people of Chinese offices and schools go by."""

NOT_NICK = frozenset(
    words(
        "小时 小票 小心 小区 小学 小说 小组 小事 小程 小米 小孩 小店 小吃 小伙 小型 小结 小节 小费 小看 小声 "
        "小朋 小测 小哥 小姐 小狗 小猫 小雨 小雪 小寒 小暑 小红书 小金 "
        "小高 小龙虾 小白 小车 小包 小路 小麦 小康 小贝 小山 小河 小一 小二 小三 小四 小五 小六 小七 小八 "
        "小九 小十 小月 小明书 小桥 小岩 小豆 小果 小糖 小曲 小鱼 "
        "小子 小弟 小妹 小偷 小贩 小丑 小菜 小号 小名 小字 小数 小鸟 小虾 小鸡 小鸭 小羊 小马 小牛 小熊 小兔 "
        "小巷 小道 小溪 小岛 小镇 小村 小城 小屋 小房 小院 小床 小桌 小碗 小锅 "
        "小刀 小袋 小盒 小瓶 小杯 小船 小球 小旗 小灯 小年 小长 小假 小计 小样 小件 小额 小便 小腿 小腹 小脑 "
        "小肠 小气 小睡 小憩 小坐 小聚 小酌 小跑 小试 小考 小修 小改 小调 小升 "
        "小视 小游 小目 小问 小毛病 小姑 小叔 小姨 小舅 小婶 小两 小夫 小情 小众 小资 小农 小商 小微 小批 "
        "小量 小部 小半 小段 小步 小队 小班 小会 小单 小本 小册 小传 小品 小提 小鲜 "
        "小笼 小火 小炒 小馄 小面 小酒 小咖 小零 小惊 小开 小确 小幸 小意 小题 小错 小伤 小病 小感 小手 小爱 "
        "小度 小于 小的 小了 小点 小些 小得 小到 小不 小有 小块 小片 小口 小条 "
        "小个 小巧 小女 小男 小东 小西 小卖 小伍 小葱 小番 小苏 小花 小草 小树 小黄 小蓝 小绿 小黑 小红花 "
        "小腰 小脸 小嘴 小鬼 小贼 小人 小生 小将 小兵 小队 小分 小标 小广 小窗 小灶 小饭 "
        "老师 老板 老家 老婆 老公 老妈 老爸 老人 老年 老是 老鼠 老虎 老早 老样 老规 老地 老客 老同 老外 老乡 "
        "老房 老城 老街 老歌 老铁 老实 老总 老朋 老龙 老一 老二 老三 "
        "老马路 老牛 老文 老师们 老时 老明 老路 老山 老东 老安 老款 老手 老旧 老小 老化 老化 老伴 老友 老兵 "
        "老汤 老茶 老酒 老窖 老火 老坛 老少 老挝 老字 老毛病 老太 老头 "
        "大家 大方 大学 大会 大连 大巴 大卫 大白 大龙 大安 大成 大明 大雪 大雨 大山 大海 大河 大江 大一 大二 "
        "大三 大四 大五 大米 大华 大祝 大万 大金 大国 大牛 大武 大胜 大发 大利 "
        "大桥 大东 大西 大南 大北 大毛 大厦 大陆 大熊 大型 大师 大和 大全 大石 大包 大单 大平 大红 大英 大文 "
        "大美 大福 大志 大气 大雅 大寒 大暑 大虎 大春 大秋 大冬 大蒜 大麦 大麻 大理 "
        "大唐 大宋 大汉 大夏 大任 大程 大史 大叶 大范围 大高 大黄 大龄 大梁 大方向 大路 大连 大曲 大田 大雷 "
        "大马 大余 大丁 大许 大贺 大何 大赵州 大朱 大付 大龚 大段 大侯 大韩 大贾 大陶 "
        "阿里 阿姨 阿拉 阿尔 阿根 阿联 阿富 阿胶 阿司 阿莫 阿西 阿门 阿弥 阿飞 阿坝 阿克 阿勒 阿姆 阿迪 阿卡 "
        "阿公 阿婆 阿妈 阿爸 阿嬷 阿哥 阿姐 阿嫂 阿爷 阿爹 阿奇 阿斯 阿布 阿萨 阿Q "
        "阿罗街 阿城 阿波 阿多 阿玛 阿比 阿提 阿瓦 阿法 阿德 阿谁 阿富汗 阿是 阿要 施工 童工 包工 管工 纪律 "
        "古董 向导 党总 高校 高院 高科 何处 方队 马队 江村 石厂 金行 林科 余生 平生 方太 何生 陆生 万生 高工资"
    )
)
"""Words that begin like a nickname and are none."""

BEFORE_NICK = frozenset(
    words(
        "帅哥 空姐 小哥 小姐 几哥 的哥 的姐 各哥 大小 从小 多小 最小 较小 变小 太小 缩小 弱小 胆小 矮小 渺小 "
        "古老 最老 变老 太老 衰老 苍老 长老 很大 最大 太大 多大 扩大 伟大 加大 强大 "
        "养老 岁生 答应 牛仔 公仔 靓仔 打仔 狗仔 马仔 猪仔 路仔 靓妹 辣妹 姐妹 兄妹 学妹 老妹 细妹 少爷 老爷 "
        "大爷 师爷 月嫂 军嫂 空嫂 娘舅"
    )
)
"""Two characters of which the second begins no name, or which are a word themselves."""

DOUBLED_WORDS = (
    "看试想说聊问走逛等谢听找玩吃喝坐睡洗擦扫摸打写读背练学做干弄搞算查翻搜改修换调比挑选买尝闻瞧瞅望盯猜讲谈骂催劝帮带陪送接拿放收理晒晾烤煮热跑跳爬骑游飞转绕"
    "躺歇休补按揉捏敲拍推拉搬抬提扶抱逗喂遛浇剪刮刷涂画唱弹演录动吹抖揍晃踩追拜求救扯掰摇荡指数念瞄碰踢杀戳搓磨泡冲压"
    "慢快好早远近高低大小红白绿黑黄蓝胖瘦长短轻重深浅厚薄干湿冷热暖凉静悄酸苦辣香臭方空满弯直尖斜稳软硬细粗老嫩旧新活足单真实乖傻呆痴默淡"
    "常刚渐仅偏往统独频屡略稍恰微每各处事人天年月日时刻分夜岁周代层页句字条件张户家种样个次回步趟阵段块片粒颗滴串堆排行队道圈点缕丝股"
    "哈嘿呵嘻呜嗯啊哦噢喔咯嘎喵咚砰哗哒嗷嗡叮当啪呼呸喂哎唉哟呃呀嘛啦吧呐哼嘤喳叽汪咩哞嗖嘘唧咕噜么摆亲棒拜"
    "爸妈爷奶公婆哥弟姐妹叔伯舅姑婶姨姥太嫂爹娘嬷嫲宝娃孩囝星猩蛐蝈饽馍框泡杠坨勾杯盖碗瓶包裙鞋衣车饭觉水猫狗鸡鸭鱼兔虫蛋肉面条片饼粑鞭炮草叶花球脚手眼鼻嘴肚牙"
    "油滋眯喷漆灿零吞漉巴秃茸答滚隆甸匆堂邦淋兮腾茫溜沉冰乎蒙融汹浩纷洋洒扬侃落怏惶茫津振济彬翩栩楚缓累幽怦袅隐频匆嗷哄斤历遥苍郁葱熙攘浑噩惴凛耿恋依碌兢业斑眈恢寥姗徐绰奄朗"
    "上下左右前后里外来去是有在不没也都又还再就才只能会要可得的地了着过这那几多少两一二三四五六七八九十百千万零出入起开关合对错行成到用给让叫使令生死爱恨怕急气笑哭闹痛痒题定货口师假期程报餐班码明线诉幕音业务目告议校院司机影量组费单价味品级教育医药店房站楼"
)
"""Characters that double into a word: 看看, 慢慢, 天天, 哈哈, 爸爸, 油油. Any other character doubled is a nickname."""

NAMED_BY = (
    "豆乐果萌琪贝朵甜圆团糖毛妞丫牛洋涛浩轩静晶莹婷媛倩娜丽菲琳玲佳球胖灵亮康瑶彤雯露妮米可悠芳敏燕囡仔安宁欢依朗"
)
"""Characters that double into a nickname, though some of them double into a word as well."""

NOT_NAMED = frozenset(
    words(
        "哈哈 谢谢 欢欢喜 平平安 安安静 安安心 圆圆满 甜甜蜜 可可西 可可豆 可可粉 毛毛雨 毛毛虫 毛毛躁 牛牛肉 "
        "豆豆鞋 团团转 团团圆 圆圆的 甜甜的 胖胖的 静静的 静静地 亮亮的 朵朵云 "
        "水果果 苹果果 芒果果 如果果 结果果 音乐乐 快乐乐 康康看 懒洋洋 暖洋洋 喜洋洋 得洋洋 亮晶晶 明朗朗 "
        "乐颠颠 依依不 依依惜 毛茸茸 羽毛毛 身安安 不安安 西安安 喜欢欢 文丽丽 汤圆圆 公园团 "
        "社团团 集团团 红糖糖 健康康 小康康 蜗牛牛 奶牛牛 大牛牛"
    )
)
"""Words in which such a doubled character stands, or at whose seam it arises."""

NOT_FULL = words(
    "周末 周一 周二 周三 周四 周五 周六 周日 周天 周年 周岁 周围 周边 周期 许多 许可 任何 任务 任意 任职 任教 "
    "何况 何时 何必 何处 何苦 高龄 高中 高考 高三 高一 高二 高兴 高铁 高速 高峰 "
    "高温 高级 高端 高校 高层 高价 高档 高血 高管 高尔夫 马上 马路 马桶 马拉松 马来 马尔 马德 马克 方便 方面 "
    "方案 方向 方法 方式 方圆 方形 万一 万分 万能 万岁 万圣 万达 于是 金牌 金额 金融 金属 金华 黄金 "
    "黄昏 黄瓜 黄色 黄河 黄山 黄浦 白天 白色 白菜 白领 白班 白酒 白云 白纸 成都 程度 程序 江苏 江西 江南 江北 "
    "江边 石头 石油 石膏 石家庄 张家 沈阳 郑州 郑重 徐州 徐汇 苏州 苏打 陆续 陆地 "
    "余下 余额 余生 夏天 夏季 夏令 毛病 毛巾 毛衣 毛利 顾客 顾问 顾虑 曾经 叶子 林业 林海 罗马 罗列 梁上 宋朝 "
    "宋代 宋体 唐朝 唐代 唐诗 唐人 韩国 韩语 韩剧 韩餐 韩式 胡同 胡萝 胡说 胡乱 朱古 陈列 陈旧 "
    "陈述 李子 王子 王国 王牌 王者 王府 杨树 杨桃 杨梅 杨浦 张开 张贴 张罗 刘海 孙子 孙女 谢绝 谢幕 许诺 肖像 "
    "田园 田径 田野 董事 杜绝 叶片 苏醒 丁香 钟头 钟点 钟表 汪汪 范围 范文 付款 付费 付钱 付清 "
    "孟婆 熊猫 熊孩 秦岭 秦皇 江湖 江山 雷达 雷雨 龙虾 龙头 龙卷 龙舟 龙岗 龙华 龙泉 史上 史诗 贺卡 贺岁 顾及 "
    "史料 段子 段落 段时 侯车 吴江 蔡司 蒋干 崔健 谭鱼 汪洋 石林 石景 石榴 金山 金桥 金海 金鱼 万科 "
    "万豪 万宁 龙门 龙井 龙江 陶瓷 陶艺 贾汪 夏日 夏装 方言 方桌"
)
"""Words that begin like a full name and are none."""

NO_LATIN_PERSON = frozenset(
    words(
        "App Api Bug Java Python Docker Excel Word Zoom Teams Slack Google Github Figma Notion Redis Kafka "
        "Review Demo Sprint Kickoff Mock Web "
        "Wifi Windows Linux Mac Monday Tuesday Wednesday Thursday Friday Saturday Sunday Mon Tue Tues Wed Thu "
        "Thur Thurs Fri Sat Sun Jan Feb "
        "Mar Apr May Jun Jul Aug Sep Sept Oct Nov Dec January February March April June July August September "
        "October November December This "
        "That The We You He She It They There What When Where Who How Why Please Thanks Hi Hello Yes No Not "
        "Can Will Let Just Meeting Call "
        "Lunch Dinner Today Tomorrow Also But And Or If So Then Team Office Client Boss Manager Ok Okay Dear "
        "Class Costco Starbucks Ikea Uniqlo Airbnb Uber Didi Netflix Spotify Chrome Outlook Gmail "
        "Photoshop Sketch Jira Confluence Notebook Final Offer Deadline Party Gym Check List Plan Part Day "
        "Week Prof Lab Quiz Midterm Paper Slides "
        "Switch Kindle Keep Apple Iphone Ipad Airpods Macbook Android Huawei Samsung Sony Canon Nikon Nike "
        "Adidas Zara Muji Gucci Prada Chanel Dior Hermes Tesla Audi Benz Steam Xbox "
        "Tiktok Wechat Alipay Paypal Visa Mastercard Telegram Whatsapp Instagram Facebook Twitter Linkedin "
        "Youtube Bilibili Disney Lego Nintendo Amazon Ebay Taobao Shopee Lazada Grab "
        "Mall Outlet Studio Showroom Cafe Coffee Bar Club Hotel Airport Station Street Road Park Beach Island "
        "Lake London Paris Milan Tokyo Osaka Kyoto Seoul Berlin Hamburg Munich "
        "Sydney Singapore Bangkok Bali Chicago Boston York Angeles Vegas Vancouver Toronto Dubai Rome Venice "
        "Madrid Lisbon Zurich Science Nature Cell Happy Merry Christmas Halloween Easter "
        "Live Show Tour Vlog Blog Post Story Draft Version Beta Alpha Test Report Note Memo Email Mail Link "
        "Code Data Model Agent Prompt Server Cloud Mini Pro Max Plus Air Ultra"
    )
)
"""Capitalised words that name no person."""

NOBODY = frozenset(
    words(
        "所有人 全体 大家 all here channel everyone 我的 你的 今天 明天 后天 公司 部门 自己 这个 那个 孩子 "
        "宝宝 明年 去年"
    )
)
"""What stands where a name could, and names nobody."""
